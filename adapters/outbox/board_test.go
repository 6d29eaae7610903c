package outbox

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"zevaka/bot/chat"
)

// fault is what a platform does with one thing that it is sent.
type fault struct {
	// Late is how long it takes to answer.
	Late  time.Duration
	Fate  Fate
	Pause time.Duration
	// Dies says that the sender breaks in the middle.
	Dies bool
}

// channel is a platform with one channel, and a sender of boards to it.
type channel struct {
	tasks *Tasks
	mu    sync.Mutex
	loop  Loop
	// boards are the tables, and faults what happens to the next sendings.
	boards []*Board[string]
	faults []fault
	// shown are the levels that each table's messages showed, in order; sending is which tables are being sent.
	shown   [][]uint64
	sending []bool
	refs    int
	// refused says of each table that its newest picture was given up.
	refused []bool
	// told is where the bot was told that tables stand.
	told []chat.Ref
	// died is how often the sender broke, and broken how often that was told.
	died, broken int
	wrong        []string
	closed       bool
}

func newChannel(tables int, faults []fault) *channel {
	c := &channel{
		faults: faults, shown: make([][]uint64, tables), sending: make([]bool, tables), refused: make([]bool, tables),
		told: make([]chat.Ref, tables),
	}
	c.tasks = NewTasks(func(any) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.broken++
	})
	for range tables {
		c.boards = append(c.boards, &Board[string]{})
	}
	c.loop = Loop{L: &c.mu, Begin: c.tasks.Admit, Quit: c.tasks.Closing, Next: c.next}
	return c
}

// next sends the board that has waited longest of those that may be sent.
func (c *channel) next(now time.Time) (func(), time.Duration) {
	first, wait := -1, time.Duration(-1)
	for i, b := range c.boards {
		due, ok := b.Due()
		switch d := due.Sub(now); {
		case !ok:
		case d > 0 && (wait < 0 || d < wait):
			wait = d
		case d <= 0 && (first < 0 || b.Since.Before(c.boards[first].Since)):
			first = i
		}
	}
	if first < 0 {
		return nil, wait
	}
	return func() { c.send(first) }, 0
}

func (c *channel) send(i int) {
	b := c.boards[i]
	c.mu.Lock()
	s, ok := b.Take(time.Now())
	f := fault{}
	if len(c.faults) > 0 {
		f, c.faults = c.faults[0], c.faults[1:]
	}
	if !ok || c.sending[i] || c.closed {
		c.wrong = append(c.wrong, fmt.Sprintf("table %d is sent, ok %v, sending %v, closed %v", i, ok, c.sending[i], c.closed))
	}
	c.sending[i] = true
	c.mu.Unlock()
	what := Outcome{Fate: Held, Ref: s.Ref}
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sending[i] = false
		b.Settle(s, what, time.Now())
		c.refused[i] = what.Fate == Refused && !b.Unshown()
	}()
	Sleep(c.tasks.Life, f.Late)
	if f.Dies {
		c.mu.Lock()
		c.died++
		c.mu.Unlock()
		panic("in the middle")
	}
	what = Outcome{Fate: f.Fate, Ref: s.Ref, Pause: f.Pause}
	if f.Fate != Arrived {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if what.Ref == "" {
		c.refs++
		what.Ref = chat.Ref(fmt.Sprint(c.refs))
	}
	c.shown[i] = append(c.shown[i], s.Post.Level)
	if r, wanted := Receipt("id", s.Post, what.Ref); wanted {
		c.told[i] = r.On
	}
}

// offer has a table's picture shown.
func (c *channel) offer(i int, level uint64, edit chat.Ref) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.boards[i]
	p := chat.Post{Table: fmt.Sprint(i), Level: level, Edit: edit, Receipt: "r"}
	b.Offer(p, func(chat.Post) string { return fmt.Sprint(level) }, time.Now())
	b.Release()
	c.loop.Kick()
}

// event is one step of a random schedule.
type event struct {
	Wait  time.Duration
	Table int
	// Back is by how much the picture is older than the newest.
	Back  uint64
	Leave bool
}

// TestSchedules sends pictures of three tables through a platform that is late, refuses, asks for patience, loses messages
// and dies, in any order: no table ever goes back, and in the end each shows its newest picture, and the bot knows where.
func TestSchedules(t *testing.T) {
	const tables = 3
	fates := rapid.Custom(func(rt *rapid.T) fault {
		return fault{
			Late:  rapid.SampledFrom([]time.Duration{0, time.Millisecond, 5 * time.Second}).Draw(rt, "late"),
			Fate:  rapid.SampledFrom([]Fate{Arrived, Arrived, Arrived, Gone, Delayed, Held, Refused}).Draw(rt, "fate"),
			Pause: rapid.SampledFrom([]time.Duration{time.Second, 30 * time.Second}).Draw(rt, "pause"),
			Dies:  rapid.IntRange(0, 9).Draw(rt, "dies") == 0,
		}
	})
	events := rapid.Custom(func(rt *rapid.T) event {
		return event{
			Wait:  rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond, 3 * time.Second, time.Minute}).Draw(rt, "wait"),
			Table: rapid.IntRange(0, tables-1).Draw(rt, "table"), Back: rapid.Uint64Range(0, 2).Draw(rt, "back"),
			Leave: rapid.IntRange(0, 7).Draw(rt, "leave") == 0,
		}
	})
	rapid.Check(t, func(rt *rapid.T) {
		faults, plan := rapid.SliceOfN(fates, 0, 20).Draw(rt, "faults"), rapid.SliceOfN(events, 1, 30).Draw(rt, "plan")
		var c *channel
		newest := make([]uint64, tables)
		synctest.Test(t, func(*testing.T) {
			c = newChannel(tables, faults)
			for _, e := range plan {
				time.Sleep(e.Wait)
				c.mu.Lock()
				edit := c.told[e.Table]
				if e.Leave {
					c.boards[e.Table].Leave()
				}
				c.mu.Unlock()
				newest[e.Table]++
				c.offer(e.Table, newest[e.Table], edit)
				if old := newest[e.Table] - e.Back; e.Back > 0 && old > 0 && old < newest[e.Table] {
					c.offer(e.Table, old, edit)
				}
			}
			time.Sleep(time.Hour)
			c.mu.Lock()
			for i, b := range c.boards { // Something new happens to what was held.
				b.Release()
				c.refused[i] = c.refused[i] && !b.Unshown()
			}
			c.faults = nil
			c.loop.Kick()
			c.mu.Unlock()
			time.Sleep(time.Hour)
			c.tasks.Close(time.Second)
			c.closed = true
			c.offer(0, 1000, "")
		})
		c.check(rt, newest)
	})
}

// check checks what came of a schedule of which these were the newest levels.
func (c *channel) check(t *rapid.T, newest []uint64) {
	for _, text := range c.wrong {
		t.Error(text)
	}
	if c.broken != c.died {
		t.Errorf("%d panics were told of %d", c.broken, c.died)
	}
	for i, levels := range c.shown {
		if !slices.IsSorted(levels) {
			t.Errorf("table %d goes back: %v", i, levels)
		}
		if newest[i] == 0 || c.refused[i] {
			continue
		}
		if len(levels) == 0 || levels[len(levels)-1] != newest[i] {
			t.Errorf("table %d shows %v, and the newest is %d", i, levels, newest[i])
		}
		if c.told[i] == "" {
			t.Errorf("the bot doesn't know where table %d stands: %q", i, c.told[i])
		}
	}
}

// TestHeld: while a picture is sent a newer one waits; when the first fails the newer has its own try, and without a newer
// it is held until something happens.
func TestHeld(t *testing.T) {
	now := time.Unix(1e9, 0)
	draw := func(p chat.Post) int { return int(p.Level) }
	var b Board[int]
	b.Offer(chat.Post{Table: "t", Level: 1}, draw, now)
	first, _ := b.Take(now)
	b.Offer(chat.Post{Table: "t", Level: 2}, draw, now)
	if _, due := b.Due(); due {
		t.Error("a second one may be sent before the first has come")
	}
	b.Settle(first, Outcome{Fate: Held}, now)
	second, ok := b.Take(now)
	if !ok || second.Drawn != 2 {
		t.Fatalf("the newer one has no try of its own: %+v", second)
	}
	b.Settle(second, Outcome{Fate: Held}, now)
	if _, due := b.Due(); due || !b.Unshown() {
		t.Error("it is tried again though nothing has happened")
	}
	if b.Release(); b.Tries != 2 {
		t.Errorf("it was tried %d times", b.Tries)
	}
	if again, ok := b.Take(now); !ok || again.Drawn != 2 {
		t.Error("it isn't tried again")
	}
}

// TestLate: a board says for how long nobody could have seen whose turn it is, and for how long they can. A picture of a turn that was shown before
// doesn't count, nor how late others were.
func TestLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const never = -1
		var b Board[int]
		level, end := uint64(0), time.Now().Add(time.Hour)
		check := func(what string, late, shown time.Duration) {
			t.Helper()
			if l, s := b.Late(); l != late || s != shown {
				t.Errorf("%s: late for %v, shown for %v", what, l, s)
			}
		}
		offer := func(of int64) {
			level++
			b.Offer(chat.Post{Table: "t", Level: level, Turn: of, Left: time.Until(end)}, func(chat.Post) int { return 0 }, time.Now())
		}
		send := func(fate Fate) {
			s, ok := b.Take(time.Now())
			if !ok {
				t.Error("there is nothing to send")
				return
			}
			b.Settle(s, Outcome{Fate: fate, Ref: "on"}, time.Now())
		}
		offer(5)
		send(Arrived)
		time.Sleep(time.Minute)
		check("shown at once", 0, time.Minute)
		offer(5)
		time.Sleep(time.Minute)
		check("the same turn again", 0, 2*time.Minute)
		offer(6)
		time.Sleep(time.Minute)
		check("the next one's", time.Minute, never)
		end = end.Add(time.Minute)
		offer(5)
		send(Delayed)
		time.Sleep(time.Minute)
		check("the one after that", 2*time.Minute, never)
		send(Arrived)
		time.Sleep(time.Second)
		check("shown late", 2*time.Minute, time.Second)
		offer(5)
		check("shown late, and to be drawn again", 2*time.Minute, time.Second)
		end = end.Add(time.Minute)
		offer(5)
		time.Sleep(time.Second)
		send(Arrived)
		check("theirs again, and soon", time.Second, 0)
		end = end.Add(time.Minute)
		offer(6)
		time.Sleep(time.Minute)
		check("one that isn't shown", time.Minute, never)
		offer(0)
		send(Arrived)
		check("the time before the table itself moves", time.Minute, 0)
		end = time.Now()
		offer(0)
		if late, _ := b.Late(); late != 0 {
			t.Errorf("nobody's: late for %v", late)
		}
	})
}

// TestBoard walks through what one board can meet.
func TestBoard(t *testing.T) {
	now := time.Unix(1e9, 0)
	draw := func(p chat.Post) int { return int(p.Level) }
	post := func(level uint64) chat.Post { return chat.Post{Table: "t", Level: level} }
	var b Board[int]
	if _, ok := b.Take(now); ok {
		t.Error("there is nothing to send")
	}
	b.Offer(post(2), draw, now)
	if age := b.Offer(post(1), draw, now); age != Older || b.Drawn != 2 {
		t.Errorf("an older picture: %v, %d", age, b.Drawn)
	}
	s, ok := b.Take(now)
	if !ok || s.Drawn != 2 || b.Unshown() {
		t.Errorf("the picture to send: %+v, %v", s, ok)
	}
	if _, ok := b.Take(now); ok {
		t.Error("two are sent at a time")
	}
	b.Settle(s, Outcome{Fate: Delayed, Pause: time.Minute}, now)
	if due, ok := b.Due(); !ok || due != now.Add(time.Minute) || b.Tries != 1 {
		t.Errorf("after a refusal for a minute it is due at %v, %v", due, ok)
	}
	b.Retry()
	s, _ = b.Take(now)
	b.Leave() // Meanwhile the table gets another message.
	b.Settle(s, Outcome{Fate: Arrived, Ref: "old"}, now)
	if b.Ref != "" {
		t.Errorf("the board stands in %q, which it has left", b.Ref)
	}
	if b.Offer(post(1), draw, now); !b.Unshown() {
		t.Error("a board that stands nowhere isn't shown again")
	}
	last := post(3)
	last.Final, last.Receipt, last.Edit = true, "r", "new"
	b.Offer(last, draw, now)
	s, _ = b.Take(now)
	b.Settle(s, Outcome{Fate: Arrived, Ref: "new"}, now)
	if b.Again(now); b.Unshown() {
		t.Error("the last picture is shown again")
	}
	if r, wanted := Receipt("id", s.Post, "new"); !wanted || r.Kind != chat.Shown || r.Data != "r" || r.On != "new" {
		t.Errorf("the bot is told %+v, %v", r, wanted)
	}
	last.Final = false
	if _, wanted := Receipt("id", last, "new"); wanted {
		t.Error("the bot is told of an edit that went well")
	}
}

// TestDoubt: a place that is said to be gone is tried again after a minute, after ten, and then every hour.
func TestDoubt(t *testing.T) {
	for tries, want := range []time.Duration{time.Minute, 10 * time.Minute, time.Hour, time.Hour} {
		if got := Doubt(tries); got != want {
			t.Errorf("after %d tries it waits %v, not %v", tries, got, want)
		}
	}
}

// TestConfirm: a picture that is shown after a change that met no answer is sent once more, the last one of a table, too.
func TestConfirm(t *testing.T) {
	var b Board[string]
	now := time.Now()
	draw := func(p chat.Post) string { return fmt.Sprint(p.Level) }
	send := func(o Outcome) {
		t.Helper()
		s, ok := b.Take(now)
		if !ok {
			t.Fatal("nothing is sent")
		}
		o.Ref = "1"
		b.Settle(s, o, now)
	}
	for level, o := range []Outcome{{}, {Fate: Delayed, Unanswered: true}, {Fate: Delayed}, {}} {
		b.Offer(chat.Post{Table: "a", Level: uint64(level + 1), Final: level == 3}, draw, now)
		if send(o); b.Confirm != (level == 3) {
			t.Errorf("after picture %d it is to be sent again: %t", level+1, b.Confirm)
		}
	}
	b.Again(now)
	if send(Outcome{}); b.Confirm {
		t.Error("it is to be sent again for ever")
	}
	b.Again(now)
	if _, ok := b.Take(now); ok {
		t.Error("the last picture of a table is sent after it was shown")
	}
}
