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
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// TestBankStorm lets twenty people press anything they see at tables of one community where the same purses are at stake,
// every request being delivered twice at once, the clock running fast and the bot starting anew now and then. Nothing may
// break; and when all have gone, every table comes to its end and every chip back into a purse.
func TestBankStorm(t *testing.T) {
	for _, options := range []string{"50", "100 side", "60 dealer=bot", "100 side dealer=bot min=20 banks=2"} {
		t.Run(strings.ReplaceAll(options, " ", ","), func(t *testing.T) {
			s := &bankStorm{t: t, store: mem.New(), options: options}
			s.restart()
			for channel := range int64(3) {
				s.say(1, channel+1, chat.Command, "/banchok limit=15s "+options)
			}
			s.say(2, 3, chat.Press, s.button("!join"))
			s.say(1, 3, chat.Press, s.button("!deal")) // However the others press, there is a bank.
			var people sync.WaitGroup
			for user := range int64(20) {
				people.Go(func() { s.press(user + 1) })
			}
			ctx, stop := context.WithCancel(t.Context())
			var clock sync.WaitGroup
			clock.Go(func() {
				for ctx.Err() == nil {
					s.ring(ctx)
				}
			})
			people.Wait()
			stop()
			clock.Wait()
			s.end()
		})
	}
}

type bankStorm struct {
	t       *testing.T
	store   storage.Store
	options string
	// asked counts the requests; each takes a fifth of a second of running time, and later is what passes besides.
	asked atomic.Int64
	later time.Duration

	// life is held by whoever uses the bot; a start takes it alone.
	life sync.RWMutex
	bot  *bot.Bot

	mu      sync.Mutex
	buttons []seenButton
	shown   int
}

// seenButton is a button that somebody saw, and where.
type seenButton struct {
	in    chat.Place
	token string
}

func (s *bankStorm) restart() {
	s.life.Lock()
	defer s.life.Unlock()
	if s.bot != nil {
		bottest.SaveClock(s.t, s.bot)
	}
	var err error
	s.bot, err = bot.New(context.Background(), bot.Options{
		Store: s.store, Games: games.All(), States: 2,
		Running: func() time.Duration { return time.Duration(s.asked.Load())*time.Second/5 + s.later },
	})
	if err != nil {
		s.t.Error(err)
	}
}

// button is the token of the newest button that does something.
func (s *bankStorm) button(do string) string {
	for _, b := range slices.Backward(s.buttons) {
		if strings.Contains(b.token, do) {
			return b.token
		}
	}
	s.t.Fatalf("no button does %s", do)
	return ""
}

// press makes one person press what somebody has seen lately, and type what has to do with chips.
func (s *bankStorm) press(user int64) {
	chance := rand.New(rand.NewPCG(uint64(user), 3))
	commands := []string{
		"/bet 5", "/bet 20", "/bet 100", "/bet 0", "/bet ва-банк", "/bet 99999", "/m side 3", "/m show", "/m leave", "/daily", "/balance",
		"/ledger", "/top", "/scores", "/hand", "/leave", "/back", "/table", "/give Player 3 700", "/give Player 4 2900", "/grant Player 5 1",
		"/banchok limit=15s " + s.options,
	}
	for range 30 * *rounds {
		channel := chance.Int64N(3) + 1
		if chance.IntN(4) == 0 {
			s.say(user, channel, chat.Command, commands[chance.IntN(len(commands))])
			continue
		}
		s.mu.Lock()
		b := s.buttons[max(0, len(s.buttons)-1-chance.IntN(min(len(s.buttons), 60)))]
		s.mu.Unlock()
		if strings.Contains(b.token, "stop") && chance.IntN(100) > 0 {
			continue
		}
		s.say(user, b.in.Channel, chat.Press, b.token)
		if user == 20 && chance.IntN(15) == 0 {
			s.restart()
		}
	}
}

// say delivers a request twice at once.
func (s *bankStorm) say(user, channel int64, kind chat.Kind, data string) {
	r := chat.Request{
		ID: fmt.Sprint("storm ", s.asked.Add(1)), Kind: kind, Data: data, In: chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 5}, Channel: channel},
		Who: chat.User{ID: user, Name: fmt.Sprint("Player ", user), Lang: []string{"ru", "pl", "en"}[user%3], Admin: user == 20},
	}
	s.life.RLock()
	defer s.life.RUnlock()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { s.see(bottest.Seen(context.Background(), s.bot, r)) })
	}
	both.Wait()
}

func (s *bankStorm) ring(ctx context.Context) time.Duration {
	s.life.RLock()
	defer s.life.RUnlock()
	return s.bot.Ring(ctx, func(_ context.Context, r chat.Response) { s.see(r) })
}

// see remembers the buttons of a response and tells where its pictures stand.
func (s *bankStorm) see(r chat.Response) {
	if r.Toast == s.bot.Words().Lang("ru").Say("broken") || r.Toast == s.bot.Words().Lang("en").Say("broken") || r.Toast == s.bot.Words().Lang("pl").Say("broken") {
		s.t.Error("something broke")
	}
	for _, p := range chattest.Drawn(r).Posts {
		s.mu.Lock()
		for _, row := range p.Buttons {
			for _, b := range row {
				s.buttons = append(s.buttons, seenButton{p.In, b.Token})
			}
		}
		s.shown++
		ref := chat.Ref(fmt.Sprint("message ", s.shown))
		s.mu.Unlock()
		if p.Edit != "" {
			ref = p.Edit
		}
		if p.Receipt != "" && (p.Edit == "" || p.Final) {
			shown := chat.Request{ID: fmt.Sprint(ref, " shown ", p.Receipt), In: p.In, Kind: chat.Shown, Data: p.Receipt, On: ref}
			s.see(bottest.Seen(context.Background(), s.bot, shown))
		}
	}
}

// end lets time pass without anybody, until every table has ended, and counts the chips.
func (s *bankStorm) end() {
	bottest.AuditStore(s.t, s.store)
	for range 4 * 3600 / 5 {
		s.later += 5 * time.Second
		for s.ring(context.Background()) == 0 {
		}
	}
	open, err := s.store.Scan(context.Background(), keyspace.OpenTables, "", 100)
	if err != nil || len(open) > 0 {
		s.t.Errorf("after four hours without anybody %d tables are open, %v", len(open), err)
	}
	all := bottest.AuditStore(s.t, s.store)
	if all.Laid != 0 || all.Tables == 0 {
		s.t.Errorf("the audit: %+v", all)
	}
	s.t.Logf("%d tables, %d postings", all.Tables, all.Postings)
}
