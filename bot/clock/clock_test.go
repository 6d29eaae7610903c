package clock_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/table"
	"zevaka/storage"
	"zevaka/storage/mem"
)

func TestDeadlineOnASickStore(t *testing.T) {
	c := bottest.NewClocked(t)
	c.AskAnn(chat.Command, "/zevaka")
	c.Store.Sick.Store(true)
	if n := c.Pass(2 * time.Hour); n != 0 {
		t.Errorf("%d pictures were shown of what was not saved", n)
	}
	if r := c.AskAnn(chat.Command, "/table"); r.Toast == "" && len(r.Posts) == 0 {
		t.Error("a table that can be read isn't shown")
	}
	c.Store.Sick.Store(false)
	if n := c.Pass(10 * time.Second); n != 1 {
		t.Errorf("the lobby that nobody came to was closed in %d pictures, want 1", n)
	}
}

func TestPressOnASickStore(t *testing.T) {
	c := bottest.NewClocked(t)
	opened := c.AskAnn(chat.Command, "/zevaka")
	c.Store.Sick.Store(true)
	token := opened.Posts[0].Buttons[1][0].Token
	want := c.Bot.Words().Lang("en").Say("broken-storage")
	if r := c.AskAnn(chat.Press, token); r.Toast != want || !r.Alert || len(r.Posts) != 0 {
		t.Errorf("the press is answered %+v, want %q", r, want)
	}
	c.Store.Sick.Store(false)
	if r := c.AskAnn(chat.Press, token); r.Alert || len(r.Posts) != 1 {
		t.Errorf("the press after it is answered %+v", r)
	}
}

// openClock is a clock that goes on where the last one saved the running time.
func openClock(c *bottest.Clocked) *clock.Clock {
	c.T.Helper()
	opened, err := clock.Open(c.T.Context(), c.Store, slog.New(slog.DiscardHandler), func() time.Duration { return c.Running }, 1)
	if err != nil {
		c.T.Fatal(err)
	}
	return opened
}

// TestRunningTime: downtime doesn't count, and what counted is known again after a start, but for the last seconds.
func TestRunningTime(t *testing.T) {
	c := bottest.NewClocked(t)
	first := openClock(c)
	c.Running = 100 * time.Second
	if err := first.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Running = 107 * time.Second
	before := first.Now()
	c.Running = 0 // A new process.
	if now := openClock(c).Now(); before != 107_000 || now != 100_000 {
		t.Errorf("running time %d ms, after a start %d ms, want 107000 and 100000", before, now)
	}
}

// TestRunSaves: Run saves the running time when it ends.
func TestRunSaves(t *testing.T) {
	c := bottest.NewClocked(t)
	c.Running = 42 * time.Second
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Bot.Run(ctx, func(context.Context, chat.Response) {}); err != nil {
		t.Fatal(err)
	}
	c.Running = 0
	if now := openClock(c).Now(); now != 42_000 {
		t.Errorf("running time %d ms after a start, want 42000", now)
	}
}

// busy is a store that gets to write nothing.
type busy struct{ storage.Store }

// Commit implements storage.Store.
func (busy) Commit(ctx context.Context, _ storage.Txn) (uint64, error) {
	<-ctx.Done()
	return 0, fmt.Errorf("%w: %w", storage.ErrUnknown, ctx.Err())
}

// TestRunEndsInTime: a store that takes long to save the running time doesn't hold up the end, nor make it one by a fault.
func TestRunEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := clock.Open(t.Context(), busy{mem.New()}, slog.New(slog.DiscardHandler), func() time.Duration { return 0 }, 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		begun := time.Now()
		if err := c.Run(ctx, func(context.Context) time.Duration { return time.Hour }); err != nil || time.Since(begun) > 2*time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}

// TestDrawnAfterAStart: whatever people do before its turn comes, every open table is drawn after a start, as long as
// nobody has been shown it since, and also if the process was started just before.
func TestDrawnAfterAStart(t *testing.T) {
	for _, one := range []struct {
		name   string
		before func(c *bottest.Clocked, join string)
		drawn  int
	}{
		{"nothing happens", func(*bottest.Clocked, string) {}, 1},
		{"a press is refused", func(c *bottest.Clocked, join string) { c.AskAnn(chat.Press, join) }, 1},
		{"a picture is reported", func(c *bottest.Clocked, join string) {
			tok, _ := table.ParseToken(join)
			c.AskAnn(chat.Shown, tok.Table.String()+" 0")
		}, 1},
		{"the table is shown", func(c *bottest.Clocked, _ string) { c.AskAnn(chat.Command, "/table") }, 0},
		{"the store is full", func(c *bottest.Clocked, join string) {
			c.Store.Sick.Store(true)
			c.AskAnn(chat.Press, join)
			c.Store.Sick.Store(false)
		}, 1},
	} {
		t.Run(one.name, func(t *testing.T) {
			c := bottest.NewClocked(t)
			opened := c.AskAnn(chat.Command, "/zevaka limit=none")
			join := opened.Posts[0].Buttons[0][0].Token
			c.Restart()
			one.before(c, join)
			if n := c.Pass(10 * time.Second); n != one.drawn {
				t.Errorf("the table was drawn %d times, want %d", n, one.drawn)
			}
		})
	}
}

// TestDrawnAfterTwoStarts: a start at the same running time as the one before draws the tables, too, though they remember
// that one's drawing.
func TestDrawnAfterTwoStarts(t *testing.T) {
	c := bottest.NewClocked(t)
	opened := c.AskAnn(chat.Command, "/zevaka limit=none")
	for _, button := range []string{"deal", "robot", "deal"} {
		c.AskAnn(chat.Press, strings.Replace(opened.Posts[0].Buttons[0][0].Token, "join", button, 1))
	}
	c.AskAnn(chat.Command, "/cut 13")
	c.Keep = 24 * time.Hour
	for range 2 {
		c.Running = 0
		c.Restart() // The table was stored when all was kept for ever, so this drawing changes it.
		drawn := 0
		for range 3 {
			c.Bot.Ring(t.Context(), func(_ context.Context, r chat.Response) { drawn += len(r.Posts) })
			c.Running += 50 * time.Millisecond
		}
		if drawn == 0 {
			t.Error("the table was not drawn")
		}
	}
}

// TestClockSteps: whichever way the time of day is set while somebody has to move, they have the time they were given.
func TestClockSteps(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for name, step := range map[string]time.Duration{"forward": year, "back": -year} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Sit(1, "100 limit=60s", 1, 2)
			rung := func(after time.Duration) int {
				h.Running += after
				for h.Bot.Ring(t.Context(), func(context.Context, chat.Response) {}) == 0 {
				}
				return h.Table(1).Moves
			}
			h.Wall += step
			if n := rung(50 * time.Second); n != 0 {
				t.Errorf("%d moves were made for somebody who had ten seconds left", n)
			}
			h.Wall -= 2 * step
			h.Restart()
			if n := rung(5 * time.Second); n != 0 {
				t.Errorf("%d moves were made after a start", n)
			}
			if n := rung(20 * time.Second); n == 0 {
				t.Error("a turn has no end")
			}
		})
	}
}
