package bot

import (
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/storage"
)

const (
	keyRunning = "c/running"
	// finishTime is how long a deadline may take to be served.
	finishTime = 4 * time.Second
	// saveEvery is how often the running time is saved.
	saveEvery = 10 * time.Second
	// redrawEvery is how far apart tables are drawn after a start, retryAfter when a deadline is tried again that
	// could not be kept, both in milliseconds.
	redrawEvery, retryAfter = 50, 5000
	// atOnce is how many deadlines are served at a time.
	atOnce = 8
)

// clock counts the bot's own running time, so that downtime and steps of the system's clock don't count, and knows
// when each table must be looked at.
type clock struct {
	base    time.Duration
	running func() time.Duration

	mu    sync.Mutex
	due   map[tableID]*alarm
	queue alarms
	// rung is told when another alarm is the next one.
	rung chan struct{}
}

// alarm is when a table must be looked at, in milliseconds of running time, and at which level the table was then.
type alarm struct {
	id    tableID
	at    int64
	level uint64
	// redraw says that the table only has to be drawn.
	redraw bool
	// index is where the alarm stands in the queue.
	index int
}

// newClock goes on where the running time was saved last, and sets an alarm for every open table: to draw it.
func (b *Bot) newClock(ctx context.Context, running func() time.Duration) (*clock, error) {
	if running == nil {
		start := time.Now()
		running = func() time.Duration { return time.Since(start) }
	}
	c := &clock{running: running, due: map[tableID]*alarm{}, rung: make(chan struct{}, 1)}
	items, err := b.store.Get(ctx, keyRunning)
	if err == nil && items[0].Rev != 0 {
		err = json.Unmarshal(items[0].Value, &c.base)
	}
	if storage.IsDamaged(err) {
		b.log.Error("the running time can't be read; it is taken from the earliest deadline", "error", err)
		c.base, err = b.earliest(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("read the running time: %w", err)
	}
	c.base -= running()
	for after := ""; ; {
		items, err := b.store.Scan(ctx, openPrefix, after, 256)
		var damaged storage.Damaged
		if err != nil && !errors.As(err, &damaged) {
			return nil, fmt.Errorf("read the open tables: %w", err)
		}
		for _, item := range items {
			after = item.Key
			if id, ok := parseTableID(strings.TrimPrefix(item.Key, openPrefix)); ok {
				at := c.now() + redrawEvery*int64(len(c.due))
				c.add(alarm{id: id, at: at, redraw: true})
			}
		}
		switch {
		case err != nil: // The others can be played on.
			b.log.Error("a table can't be read", "key", damaged.Key, "error", err)
			after = damaged.Key
		case len(items) == 0:
			return c, nil
		}
	}
}

// earliest is the earliest deadline of any table: the running time is hardly past it.
func (b *Bot) earliest(ctx context.Context) (time.Duration, error) {
	items, err := b.sound(ctx, openPrefix)
	first := int64(0)
	for _, item := range items {
		id, ok := parseTableID(strings.TrimPrefix(item.Key, openPrefix))
		if !ok {
			continue
		}
		t, err := decodeTable(id, item.Value)
		if err != nil {
			continue
		}
		if due := t.due(); due != 0 && (first == 0 || due < first) {
			first = due
		}
	}
	return time.Duration(first) * time.Millisecond, err
}

// now is the running time in milliseconds.
func (c *clock) now() int64 { return (c.base + c.running()).Milliseconds() }

// set makes the alarm of a table the one given; 0 is none.
func (c *clock) set(id tableID, at int64, level uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at != 0 {
		c.add(alarm{id: id, at: at, level: level})
	} else if old := c.due[id]; old != nil {
		heap.Remove(&c.queue, old.index)
		delete(c.due, id)
	}
}

// add puts an alarm in the queue in place of the table's older one.
func (c *clock) add(a alarm) {
	if old := c.due[a.id]; old != nil {
		a.index = old.index
		*old = a
		heap.Fix(&c.queue, old.index)
	} else {
		c.due[a.id] = &a
		heap.Push(&c.queue, &a)
	}
	if c.queue[0].id == a.id {
		select {
		case c.rung <- struct{}{}:
		default:
		}
	}
}

// next takes the alarms that are due, at most n, and tells when the next one is; 0 for never.
func (c *clock) next(n int) (due []alarm, at int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	for len(c.queue) > 0 {
		if c.queue[0].at > now || len(due) == n {
			return due, c.queue[0].at
		}
		a := heap.Pop(&c.queue).(*alarm)
		delete(c.due, a.id)
		due = append(due, *a)
	}
	return due, 0
}

// request is the alarm as it comes through the one door. Each start draws the table, which may remember the last one's
// drawing; that of one level is the same from every clock.
func (a alarm) request() Request {
	data := fmt.Sprintf("%s %d", a.id, a.level)
	id := "clock " + data
	if a.redraw {
		data = a.id.String() + " redraw"
		id = fmt.Sprint("clock ", data, " ", a.at)
	}
	return Request{ID: id, Kind: Timeout, Data: data, In: Place{Community: a.id.Community}}
}

func parseAlarm(data string) (alarm, error) {
	name, level, _ := strings.Cut(data, " ")
	id, ok := parseTableID(name)
	n, err := strconv.ParseUint(level, 10, 64)
	a := alarm{id: id, level: n, redraw: level == "redraw"}
	if !ok || err != nil && !a.redraw {
		return a, fmt.Errorf("the clock was told %.80q", data)
	}
	return a, nil
}

func parseTableID(text string) (tableID, bool) {
	community, name, _ := strings.Cut(text, "/")
	c, err := parseCommunity(community)
	return tableID{c, name}, err == nil && isTableName(name)
}

// again tries an alarm once more, later.
func (c *clock) again(data string) {
	a, err := parseAlarm(data)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.due[a.id] == nil {
		a.at = c.now() + retryAfter
		c.add(a)
	}
}

// Ring handles the deadlines that have passed, and gives what there is to say to show. It returns how long there is
// nothing more to do.
func (b *Bot) Ring(ctx context.Context, show func(context.Context, Response)) time.Duration {
	var tasks sync.WaitGroup
	due, at := b.clock.next(atOnce)
	// What was begun is finished, even if the program stops meanwhile.
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	for _, a := range due {
		tasks.Go(func() { show(work, b.Handle(work, a.request())) })
	}
	tasks.Wait()
	switch {
	case len(due) > 0:
		return 0
	case at == 0:
		return time.Hour
	}
	return time.Duration(at-b.clock.now()) * time.Millisecond
}

// Run goes on with forgetting people where that was interrupted, and serves the clock until ctx ends: it draws every open
// table once, keeps turn limits, lets computer players move, and saves the running time. What there is to say goes to
// show, which must not wait for a platform.
func (b *Bot) Run(ctx context.Context, show func(context.Context, Response)) error {
	save := time.NewTicker(saveEvery)
	defer save.Stop()
	if err := b.forgetRest(ctx); err != nil && ctx.Err() == nil {
		b.log.Warn("a person is not forgotten yet", "error", err)
	}
	for ctx.Err() == nil {
		timer := time.NewTimer(max(0, b.Ring(ctx, show)))
		select {
		case <-timer.C:
		case <-b.clock.rung:
		case <-save.C:
			if err := b.saveRunning(ctx); err != nil {
				b.log.Warn("the running time could not be saved", "error", err)
			}
		case <-ctx.Done():
		}
		timer.Stop()
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return b.saveRunning(stop)
}

func (b *Bot) saveRunning(ctx context.Context) error {
	value, err := json.Marshal(time.Duration(b.clock.now()) * time.Millisecond)
	if err != nil {
		return fmt.Errorf("encode the running time: %w", err)
	}
	err = storage.Update(ctx, b.store, func(tx storage.Tx) error {
		tx.Put(keyRunning, value)
		return nil
	})
	if err != nil {
		return fmt.Errorf("save the running time: %w", err)
	}
	return nil
}

// alarms is a heap, the earliest first.
type alarms []*alarm

func (a alarms) Len() int           { return len(a) }
func (a alarms) Less(i, j int) bool { return a[i].at < a[j].at }
func (a alarms) Swap(i, j int) {
	a[i], a[j] = a[j], a[i]
	a[i].index, a[j].index = i, j
}
func (a *alarms) Push(x any) {
	x.(*alarm).index = len(*a)
	*a = append(*a, x.(*alarm))
}
func (a *alarms) Pop() any {
	last := len(*a) - 1
	x := (*a)[last]
	(*a)[last] = nil
	*a = (*a)[:last]
	return x
}
