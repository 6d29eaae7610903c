package bot

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// sickStore refuses to commit while it is sick, as a full disk does.
type sickStore struct {
	storage.Store
	sick atomic.Bool
}

func (s *sickStore) Commit(ctx context.Context, t storage.Txn) error {
	if s.sick.Load() {
		return storage.ErrUnavailable
	}
	return s.Store.Commit(ctx, t)
}

// clocked is a bot whose running time the test moves on.
type clocked struct {
	t       *testing.T
	bot     *Bot
	store   *sickStore
	running time.Duration
	n       int
}

func newClocked(t *testing.T) *clocked {
	c := &clocked{t: t, store: &sickStore{Store: mem.New()}}
	c.restart()
	return c
}

func (c *clocked) restart() {
	var err error
	c.bot, err = New(c.t.Context(), Options{
		Store: c.store, Games: games.All(), Running: func() time.Duration { return c.running },
	})
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *clocked) ask(kind Kind, data string) Response {
	c.n++
	return c.bot.Handle(c.t.Context(), Request{
		ID: string(rune('a' + c.n)), Kind: kind, Who: User{ID: 1, Name: "Ann"}, Data: data,
		In: Place{Community: Community{Web, 1}, Channel: 1},
	})
}

// pass lets running time pass and counts what the clock shows meanwhile.
func (c *clocked) pass(d time.Duration) int {
	shown := 0
	for end := c.running + d; c.running < end; c.running += time.Second {
		for c.bot.Ring(c.t.Context(), func(_ context.Context, r Response) { shown += len(r.Posts) }) == 0 {
		}
	}
	return shown
}

func TestDeadlineOnASickStore(t *testing.T) {
	c := newClocked(t)
	c.ask(Command, "/zevaka")
	c.store.sick.Store(true)
	if n := c.pass(2 * time.Hour); n != 0 {
		t.Errorf("%d pictures were shown of what was not saved", n)
	}
	if r := c.ask(Command, "/table"); r.Toast == "" && len(r.Posts) == 0 {
		t.Error("a table that can be read isn't shown")
	}
	c.store.sick.Store(false)
	if n := c.pass(10 * time.Second); n != 1 {
		t.Errorf("the lobby that nobody came to was closed in %d pictures, want 1", n)
	}
}

func TestPressOnASickStore(t *testing.T) {
	c := newClocked(t)
	opened := c.ask(Command, "/zevaka")
	c.store.sick.Store(true)
	token := opened.Posts[0].Buttons[1][0].Token
	want := c.bot.words.Lang("en").Say("broken-storage")
	if r := c.ask(Press, token); r.Toast != want || !r.Alert || len(r.Posts) != 0 {
		t.Errorf("the press is answered %+v, want %q", r, want)
	}
	c.store.sick.Store(false)
	if r := c.ask(Press, token); r.Alert || len(r.Posts) != 1 {
		t.Errorf("the press after it is answered %+v", r)
	}
}

// TestRunningTime: downtime doesn't count, and what counted is known again after a start, but for the last seconds.
func TestRunningTime(t *testing.T) {
	c := newClocked(t)
	c.running = 100 * time.Second
	if err := c.bot.saveRunning(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.running = 107 * time.Second
	before := c.bot.clock.now()
	c.running = 0 // A new process.
	c.restart()
	if now := c.bot.clock.now(); before != 107_000 || now != 100_000 {
		t.Errorf("running time %d ms, after a start %d ms, want 107000 and 100000", before, now)
	}
}

// TestRunSaves: Run saves the running time when it ends.
func TestRunSaves(t *testing.T) {
	c := newClocked(t)
	c.running = 42 * time.Second
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.bot.Run(ctx, func(context.Context, Response) {}); err != nil {
		t.Fatal(err)
	}
	c.running = 0
	c.restart()
	if now := c.bot.clock.now(); now != 42_000 {
		t.Errorf("running time %d ms after a start, want 42000", now)
	}
}
