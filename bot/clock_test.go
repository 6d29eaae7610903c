package bot

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// sickStore refuses to commit while it is sick, as a full disk does.
type sickStore struct {
	storage.Store
	sick atomic.Bool
}

func (s *sickStore) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if s.sick.Load() {
		return 0, storage.ErrUnavailable
	}
	return s.Store.Commit(ctx, t)
}

// clocked is a bot whose running time the test moves on.
type clocked struct {
	t       *testing.T
	bot     *Bot
	store   *sickStore
	running time.Duration
	// keep is that of the bot's Options.
	keep time.Duration
	n    int
}

func newClocked(t *testing.T) *clocked {
	c := &clocked{t: t, store: &sickStore{Store: mem.New()}}
	c.restart()
	return c
}

func (c *clocked) restart() {
	var err error
	c.bot, err = New(c.t.Context(), Options{
		Store: c.store, Games: games.All(), Running: func() time.Duration { return c.running }, Keep: c.keep,
	})
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *clocked) ask(kind chat.Kind, data string) chat.Response {
	c.n++
	return c.bot.seen(c.t.Context(), chat.Request{
		ID: string(rune('a' + c.n)), Kind: kind, Who: chat.User{ID: 1, Name: "Ann"}, Data: data,
		In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1},
	})
}

// pass lets running time pass and counts what the clock shows meanwhile.
func (c *clocked) pass(d time.Duration) int {
	shown := 0
	for end := c.running + d; c.running < end; c.running += time.Second {
		for c.bot.Ring(c.t.Context(), func(_ context.Context, r chat.Response) { shown += len(r.Posts) }) == 0 {
		}
	}
	return shown
}

// rung are the tables whose alarms ring by now. Nothing is done about them.
func rung(t *testing.T, b *Bot) map[table.ID]bool {
	t.Helper()
	tables := map[table.ID]bool{}
	var one sync.Mutex // Tables ring side by side.
	note := func(_ context.Context, r chat.Request) chat.Response {
		one.Lock()
		defer one.Unlock()
		alarm, err := clock.ParseAlarm(r.Data)
		if err != nil {
			t.Error(err)
		}
		tables[alarm.Table] = true
		return chat.Response{}
	}
	for b.clock.Ring(t.Context(), note, func(context.Context, chat.Response) {}) == 0 {
	}
	return tables
}

func TestDeadlineOnASickStore(t *testing.T) {
	c := newClocked(t)
	c.ask(chat.Command, "/zevaka")
	c.store.sick.Store(true)
	if n := c.pass(2 * time.Hour); n != 0 {
		t.Errorf("%d pictures were shown of what was not saved", n)
	}
	if r := c.ask(chat.Command, "/table"); r.Toast == "" && len(r.Posts) == 0 {
		t.Error("a table that can be read isn't shown")
	}
	c.store.sick.Store(false)
	if n := c.pass(10 * time.Second); n != 1 {
		t.Errorf("the lobby that nobody came to was closed in %d pictures, want 1", n)
	}
}

func TestPressOnASickStore(t *testing.T) {
	c := newClocked(t)
	opened := c.ask(chat.Command, "/zevaka")
	c.store.sick.Store(true)
	token := opened.Posts[0].Buttons[1][0].Token
	want := c.bot.words.Lang("en").Say("broken-storage")
	if r := c.ask(chat.Press, token); r.Toast != want || !r.Alert || len(r.Posts) != 0 {
		t.Errorf("the press is answered %+v, want %q", r, want)
	}
	c.store.sick.Store(false)
	if r := c.ask(chat.Press, token); r.Alert || len(r.Posts) != 1 {
		t.Errorf("the press after it is answered %+v", r)
	}
}

// TestRunningTime: downtime doesn't count, and what counted is known again after a start, but for the last seconds.
func TestRunningTime(t *testing.T) {
	c := newClocked(t)
	c.running = 100 * time.Second
	if err := c.bot.clock.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.running = 107 * time.Second
	before := c.bot.clock.Now()
	c.running = 0 // A new process.
	c.restart()
	if now := c.bot.clock.Now(); before != 107_000 || now != 100_000 {
		t.Errorf("running time %d ms, after a start %d ms, want 107000 and 100000", before, now)
	}
}

// TestRunSaves: Run saves the running time when it ends.
func TestRunSaves(t *testing.T) {
	c := newClocked(t)
	c.running = 42 * time.Second
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.bot.Run(ctx, func(context.Context, chat.Response) {}); err != nil {
		t.Fatal(err)
	}
	c.running = 0
	c.restart()
	if now := c.bot.clock.Now(); now != 42_000 {
		t.Errorf("running time %d ms after a start, want 42000", now)
	}
}

// TestDrawnAfterAStart: whatever people do before its turn comes, every open table is drawn after a start, as long as
// nobody has been shown it since, and also if the process was started just before.
func TestDrawnAfterAStart(t *testing.T) {
	for _, one := range []struct {
		name   string
		before func(c *clocked, join string)
		drawn  int
	}{
		{"nothing happens", func(*clocked, string) {}, 1},
		{"a press is refused", func(c *clocked, join string) { c.ask(chat.Press, join) }, 1},
		{"a picture is reported", func(c *clocked, join string) {
			tok, _ := table.ParseToken(join)
			c.ask(chat.Shown, tok.Table.String()+" 0")
		}, 1},
		{"the table is shown", func(c *clocked, _ string) { c.ask(chat.Command, "/table") }, 0},
		{"the store is full", func(c *clocked, join string) {
			c.store.sick.Store(true)
			c.ask(chat.Press, join)
			c.store.sick.Store(false)
		}, 1},
	} {
		t.Run(one.name, func(t *testing.T) {
			c := newClocked(t)
			opened := c.ask(chat.Command, "/zevaka limit=none")
			join := opened.Posts[0].Buttons[0][0].Token
			c.restart()
			one.before(c, join)
			if n := c.pass(10 * time.Second); n != one.drawn {
				t.Errorf("the table was drawn %d times, want %d", n, one.drawn)
			}
		})
	}
}

// TestDrawnAfterTwoStarts: a start at the same running time as the one before draws the tables, too, though they remember
// that one's drawing.
func TestDrawnAfterTwoStarts(t *testing.T) {
	c := newClocked(t)
	opened := c.ask(chat.Command, "/zevaka limit=none")
	for _, button := range []string{"deal", "robot", "deal"} {
		c.ask(chat.Press, strings.Replace(opened.Posts[0].Buttons[0][0].Token, "join", button, 1))
	}
	c.ask(chat.Command, "/cut 13")
	c.keep = 24 * time.Hour
	for range 2 {
		c.running = 0
		c.restart() // The table was stored when all was kept for ever, so this drawing changes it.
		drawn := 0
		for range 3 {
			c.bot.Ring(t.Context(), func(_ context.Context, r chat.Response) { drawn += len(r.Posts) })
			c.running += 50 * time.Millisecond
		}
		if drawn == 0 {
			t.Error("the table was not drawn")
		}
	}
}

// TestRested: the bot begins after a rest the first time, and then when it has served for a minute and a half since such a
// beginning, however often it begins between.
func TestRested(t *testing.T) {
	c := newClocked(t)
	for _, test := range []struct {
		served time.Duration
		want   bool
	}{
		{0, true}, {0, false}, {30 * time.Second, false}, {30 * time.Second, false}, {29 * time.Second, false}, {time.Second, true},
		{time.Second, false}, {time.Hour, true}, {time.Minute, false}, {time.Minute, true},
	} {
		c.running += test.served
		if err := c.bot.clock.Save(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.restart()
		if rested := c.bot.Rested(t.Context()); rested != test.want {
			t.Errorf("after %v more it has rested: %t", test.served, rested)
		}
	}
	c.running += time.Hour
	c.store.sick.Store(true)
	if c.bot.Rested(t.Context()) {
		t.Error("it has rested, though nothing can be stored")
	}
}
