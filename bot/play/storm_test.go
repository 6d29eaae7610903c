package play_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// TestStorm lets many people press anything they see, and much that they don't, at three tables of one community, every request being
// delivered twice at once, the clock running fast and the bot starting anew now and then. Nothing may break; levels only rise; each
// table's log replays to what its last picture shows; and at banks, where the same purses are at stake, every table comes to its end
// when all have gone, and every chip back into a purse.
func TestStorm(t *testing.T) {
	for _, line := range []string{
		"/zevaka limit=15s", "/zevaka limit=15s 21b penalty", "/zevaka limit=15s penalty=call fast", "/zevaka limit=15s 52 21c strict end=first",
		"/zevaka limit=15s stock others=off",
		"/banchok limit=15s 50", "/banchok limit=15s 100 side", "/banchok limit=15s 60 dealer=bot", "/banchok limit=15s 100 side dealer=bot min=20 banks=2",
	} {
		t.Run(strings.ReplaceAll(line[1:], " ", ","), func(t *testing.T) {
			s := &storm{t: t, store: mem.New(), line: line, levels: map[string]uint64{}}
			s.restart()
			for channel := range int64(3) {
				s.say(1, channel+1, chat.Command, line)
			}
			s.say(2, 3, chat.Press, s.button("!join"))
			s.say(1, 3, chat.Press, s.button("!deal")) // However the others press, there is a game.
			var people, clock sync.WaitGroup
			for user := range int64(12) {
				people.Go(func() { s.press(user + 1) })
			}
			ctx, stop := context.WithCancel(t.Context())
			clock.Go(func() {
				for ctx.Err() == nil {
					s.ring(ctx)
				}
			})
			people.Wait()
			stop()
			clock.Wait()
			s.check()
			if strings.HasPrefix(line, "/banchok") {
				s.end()
			}
		})
	}
}

// boss is an admin, whose presses now and then begin another life of the bot.
const boss = 12

type storm struct {
	t     *testing.T
	store storage.Store
	// line opens a table.
	line string
	// asked counts the requests; each takes a fifth of a second of running time, and later is what passes besides.
	asked atomic.Int64
	later time.Duration

	// life is held by whoever uses the bot; a start takes it alone.
	life sync.RWMutex
	bot  *bot.Bot

	mu      sync.Mutex
	buttons []seenButton
	levels  map[string]uint64
	shown   int
}

// seenButton is a button that somebody saw, and where.
type seenButton struct {
	in    chat.Place
	token string
}

func (s *storm) restart() {
	s.life.Lock()
	defer s.life.Unlock()
	if s.bot != nil {
		bottest.SaveClock(s.t, s.bot)
	}
	var err error
	s.bot, err = bot.New(s.t.Context(), bot.Options{
		Store: s.store, Games: games.All(), States: 2,
		Running: func() time.Duration { return time.Duration(s.asked.Load())*time.Second/5 + s.later },
	})
	if err != nil {
		s.t.Error(err)
	}
}

// button is the token of the newest button that does something.
func (s *storm) button(do string) string {
	for _, b := range slices.Backward(s.buttons) {
		if strings.Contains(b.token, do) {
			return b.token
		}
	}
	s.t.Fatalf("no button does %s", do)
	return ""
}

// press makes one person press what somebody has seen lately and what nobody has seen, and type what has to do with tables and chips.
func (s *storm) press(user int64) {
	chance := rand.New(rand.NewPCG(uint64(user), 3))
	commands := []string{
		"/bet 5", "/bet 20", "/bet 100", "/bet 0", "/bet ва-банк", "/bet 99999", "/m side 3", "/m show", "/m leave", "/daily", "/balance",
		"/ledger", "/top", "/scores", "/hand", "/leave", "/back", "/table", "/give Player 3 700", "/give Player 4 2900", "/grant Player 5 1",
		"/remove", "/lang ru", "/cut x", "/m flip", s.line,
	}
	for range 40 * *rounds {
		channel := chance.Int64N(3) + 1
		if chance.IntN(4) == 0 {
			s.say(user, channel, chat.Command, commands[chance.IntN(len(commands))])
			continue
		}
		s.mu.Lock()
		b := s.buttons[max(0, len(s.buttons)-1-chance.IntN(min(len(s.buttons), 60)))]
		s.mu.Unlock()
		switch {
		case strings.Contains(b.token, "stop") && chance.IntN(100) > 0:
			continue
		case chance.IntN(40) == 0:
			b.token = b.token[:chance.IntN(len(b.token))]
		}
		s.say(user, b.in.Channel, chat.Press, b.token)
		if user == boss && chance.IntN(15) == 0 {
			s.restart()
		}
	}
}

// say delivers a request twice at once.
func (s *storm) say(user, channel int64, kind chat.Kind, data string) {
	r := chat.Request{
		ID: fmt.Sprint("storm ", s.asked.Add(1)), Kind: kind, Data: data, In: chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 5}, Channel: channel},
		Who: chat.User{ID: user, Name: fmt.Sprint("Player ", user), Lang: []string{"ru", "pl", "en"}[user%3], Admin: user == boss},
	}
	s.life.RLock()
	defer s.life.RUnlock()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { s.see(bottest.Seen(s.t.Context(), s.bot, r)) })
	}
	both.Wait()
}

func (s *storm) ring(ctx context.Context) time.Duration {
	s.life.RLock()
	defer s.life.RUnlock()
	return s.bot.Ring(ctx, func(_ context.Context, r chat.Response) { s.see(r) })
}

// see remembers the buttons and the levels of a response, and tells where its pictures stand.
func (s *storm) see(r chat.Response) {
	for _, lang := range []string{"ru", "en", "pl"} {
		if r.Toast == s.bot.Words().Lang(lang).Say("broken") {
			s.t.Error("something broke")
		}
	}
	for _, p := range chattest.Drawn(r).Posts {
		s.mu.Lock()
		for _, row := range p.Buttons {
			for _, b := range row {
				if b.Leads {
					continue
				}
				s.buttons = append(s.buttons, seenButton{p.In, b.Token})
				if len(b.Token) > table.MaxToken || b.Label == "" {
					s.t.Errorf("button %q says %q", b.Label, b.Token)
				}
			}
		}
		if len(p.Buttons) > 5 {
			s.t.Errorf("%d rows of buttons", len(p.Buttons))
		}
		s.levels[p.Table] = max(s.levels[p.Table], p.Level)
		s.shown++
		ref := chat.Ref(fmt.Sprint("message ", s.shown))
		s.mu.Unlock()
		if p.Edit != "" {
			ref = p.Edit
		}
		if p.Receipt != "" && (p.Edit == "" || p.Final) {
			shown := chat.Request{ID: fmt.Sprint(ref, " shown ", p.Receipt), In: p.In, Kind: chat.Shown, Data: p.Receipt, On: ref}
			s.see(bottest.Seen(s.t.Context(), s.bot, shown))
		}
	}
}

// check replays what is stored, and counts the chips.
func (s *storm) check() {
	moves := 0
	for _, prefix := range []string{keyspace.OpenTables, keyspace.EndedTables} {
		items, err := s.store.Scan(s.t.Context(), prefix, "", 1000)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, item := range items {
			id, ok := table.ParseID(strings.TrimPrefix(item.Key, prefix))
			stored, err := table.Decode(id, item.Value)
			if !ok || err != nil {
				s.t.Fatalf("key %s: %v", item.Key, err)
			}
			if shown := s.levels[id.String()]; shown > stored.Level {
				s.t.Errorf("a picture of level %d was shown of table %s, which is at %d", shown, id, stored.Level)
			}
			if stored.Dealt == 0 {
				continue
			}
			moves += stored.Moves
			rules, _ := games.ByName(stored.Game)
			state, err := table.Replay(s.t.Context(), s.store, rules, stored)
			if err != nil {
				s.t.Errorf("table %s: %v", id, err)
				continue
			}
			if _, over := state.Result(); over != (stored.Result != nil) || over && stored.Phase != table.Ended {
				s.t.Errorf("table %s: over %v, result %v, phase %d", id, over, stored.Result, stored.Phase)
			}
		}
	}
	if moves == 0 {
		s.t.Error("not a single move was made")
	}
	bottest.AuditStore(s.t, s.store)
}

// end lets time pass without anybody, until every table has ended, and counts the chips.
func (s *storm) end() {
	for range 4 * 3600 / 5 {
		s.later += 5 * time.Second
		for s.ring(s.t.Context()) == 0 {
		}
	}
	open, err := s.store.Scan(s.t.Context(), keyspace.OpenTables, "", 100)
	if err != nil || len(open) > 0 {
		s.t.Errorf("after four hours without anybody %d tables are open, %v", len(open), err)
	}
	if all := bottest.AuditStore(s.t, s.store); all.Laid != 0 || all.Tables == 0 {
		s.t.Errorf("the audit: %+v", all)
	}
}
