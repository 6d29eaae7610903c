package bot_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// TestStorm lets many people press anything they see, and much that they don't, at a few tables at once, every
// request being delivered twice and the clock running fast. Nothing may break, levels only rise, and each table's log
// must replay to what its last picture shows.
func TestStorm(t *testing.T) {
	t.Parallel()
	for _, options := range []string{"", "21b penalty", "penalty=call fast", "52 21c strict end=first", "stock others=off"} {
		t.Run(strings.ReplaceAll(options, " ", ","), func(t *testing.T) {
			s := &storm{t: t, store: mem.New(), levels: map[string]uint64{}}
			s.open()
			for i := range int64(3) {
				host := chat.User{ID: i + 1, Name: fmt.Sprint("Player ", i+1)}
				s.say(host, chat.Command, fmt.Sprintf("/zevaka limit=15s %s", options), fmt.Sprint("open", i))
				if i > 0 { // The last button of the offer to sit down elsewhere opens another table.
					s.say(host, chat.Press, s.buttons[len(s.buttons)-1], fmt.Sprint("another", i))
				}
			}
			delete(s.levels, "") // Posts that show no table.
			if len(s.levels) != 3 {
				t.Fatalf("%d tables are open", len(s.levels))
			}
			var people, clock sync.WaitGroup
			for user := range int64(8) {
				people.Go(func() { s.press(user + 1) })
			}
			ctx, cancel := context.WithCancel(t.Context())
			clock.Go(func() {
				for ctx.Err() == nil {
					s.bot.Ring(ctx, func(_ context.Context, r chat.Response) { s.see(r) })
				}
			})
			people.Wait()
			cancel()
			clock.Wait()
			s.check()
		})
	}
}

type storm struct {
	t     *testing.T
	store storage.Store
	bot   *bot.Bot
	// asked counts the requests; each takes a fifth of a second of running time.
	asked atomic.Int64

	mu      sync.Mutex
	buttons []string
	levels  map[string]uint64
	n       int
}

func (s *storm) open() {
	var err error
	s.bot, err = bot.New(s.t.Context(), bot.Options{
		Store: s.store, Games: games.All(), States: 2,
		Running: func() time.Duration { return time.Duration(s.asked.Load()) * time.Second / 5 },
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// press makes one person press buttons that somebody has seen, and some that nobody has.
func (s *storm) press(user int64) {
	chance := rand.New(rand.NewPCG(uint64(user), 1))
	who := chat.User{ID: user, Name: fmt.Sprint("Player ", user), Lang: []string{"ru", "pl", "en"}[user%3], Admin: user == 8}
	for i := range 120 * *rounds {
		s.mu.Lock()
		token := s.buttons[chance.IntN(len(s.buttons))]
		if chance.IntN(10) > 0 { // Mostly a newer one.
			token = s.buttons[max(0, len(s.buttons)-1-chance.IntN(20))]
		}
		s.mu.Unlock()
		if strings.Contains(token, "stop") && chance.IntN(200) > 0 {
			continue
		}
		switch chance.IntN(40) {
		case 0:
			token = token[:chance.IntN(len(token))]
		case 1:
			s.say(who, chat.Command, []string{"/table", "/leave", "/back", "/remove", "/lang ru", "/cut x", "/zevaka limit=15s"}[chance.IntN(7)], fmt.Sprint(user, "c", i))
			continue
		}
		s.say(who, chat.Press, token, fmt.Sprint(user, "p", i))
	}
}

// say delivers a request twice.
func (s *storm) say(who chat.User, kind chat.Kind, data, id string) {
	place := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
	r := chat.Request{ID: id, Who: who, In: place, Kind: kind, Data: data}
	s.asked.Add(1)
	s.see(bottest.Seen(s.t.Context(), s.bot, r))
	s.see(bottest.Seen(s.t.Context(), s.bot, r))
}

// see remembers the buttons of a response and tells where its pictures stand.
func (s *storm) see(r chat.Response) {
	broken := s.bot.Words().Lang("en").Say("broken")
	if r.Toast == broken {
		s.t.Error("something broke")
	}
	for _, p := range chattest.Drawn(r).Posts {
		s.mu.Lock()
		for _, row := range p.Buttons {
			for _, b := range row {
				s.buttons = append(s.buttons, b.Token)
				if len(b.Token) > table.MaxToken || b.Label == "" {
					s.t.Errorf("button %q says %q", b.Label, b.Token)
				}
			}
		}
		if len(p.Buttons) > 5 {
			s.t.Errorf("%d rows of buttons", len(p.Buttons))
		}
		s.levels[p.Table] = max(s.levels[p.Table], p.Level)
		s.n++
		ref := chat.Ref(fmt.Sprint("message ", s.n))
		s.mu.Unlock()
		if p.Receipt != "" && (p.Edit == "" || p.Final) {
			if p.Edit != "" {
				ref = p.Edit
			}
			s.see(bottest.Seen(s.t.Context(), s.bot, chat.Request{ID: fmt.Sprint(ref, " shown ", p.Level), In: p.In, Kind: chat.Shown, Data: p.Receipt, On: ref}))
		}
	}
}

// check replays what is stored.
func (s *storm) check() {
	items, err := s.store.Scan(s.t.Context(), "", "", 1000)
	if err != nil {
		s.t.Fatal(err)
	}
	dealt := 0
	for _, item := range items {
		if !strings.HasPrefix(item.Key, "o/") && !strings.HasPrefix(item.Key, "f/") {
			continue
		}
		id, ok := table.ParseID(item.Key[2:])
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
		dealt += stored.Moves
		state, err := table.Replay(s.t.Context(), s.store, games.All()[0], stored)
		if err != nil {
			s.t.Errorf("table %s: %v", id, err)
			continue
		}
		if _, over := state.Result(); over != (stored.Result != nil) || over && stored.Phase != table.Ended {
			s.t.Errorf("table %s: over %v, result %v, phase %d", id, over, stored.Result, stored.Phase)
		}
	}
	if dealt == 0 {
		s.t.Error("not a single move was made")
	}
	s.t.Logf("%d moves", dealt)
}

// FuzzCommand types anything at all.
func FuzzCommand(f *testing.F) {
	for _, line := range []string{
		"/zevaka 21б penalty=call 52 limit=30s", "/zevaka без масти fast", "/cut 17", "/remove 1", "/remove -1", "/rules зевака",
		"/lang pl", "/table", "/stop", "/", "", "/zevaka limit=99999999999999999999h", "/\xff", "/help\n/stop", "/ZEVAKA =", "/back",
	} {
		f.Add(line)
	}
	first := bot.Like(f)
	f.Fuzz(func(t *testing.T, line string) {
		b := bot.Another(t, first, mem.New())
		place := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
		bottest.Seen(t.Context(), b, chat.Request{ID: "1", Kind: chat.Command, Who: chat.User{ID: 1}, In: place, Data: "/zevaka"})
		r := bottest.Seen(t.Context(), b, chat.Request{ID: "2", Kind: chat.Command, Who: chat.User{ID: 1}, In: place, Data: line})
		if r.Toast == b.Words().Lang("").Say("broken") || r.Toast == "" && len(r.Posts) == 0 {
			t.Errorf("%q is answered %+v", line, r)
		}
	})
}
