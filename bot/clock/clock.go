// Package clock counts the bot's running time, and knows when each table must be looked at.
package clock

import (
	"cmp"
	"container/heap"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/storage"
)

const (
	// finishTime is how long a deadline may take to be served.
	finishTime = 4 * time.Second
	// SaveEvery is how often the running time is saved.
	SaveEvery = 10 * time.Second
	// frozenAfter is how long nobody may have asked for the running time before that is taken for a time in which nobody could.
	frozenAfter = 2 * SaveEvery
	// redrawEvery is how far apart tables are drawn after a start; those where nobody waits for anything within soon so much further as there are
	// clocks. RetryAfter is when a deadline is tried again that could not be kept, damagedAfter where its table can't be read.
	redrawEvery, retryAfter, damagedAfter = 50 * time.Millisecond, 5 * time.Second, time.Hour
	soon                                  = time.Hour
	// atOnce is how many deadlines are served at a time.
	atOnce = 8
)

// Clock counts the bot's own running time, so that downtime and steps of the system's clock don't count, and knows
// when each table must be looked at.
type Clock struct {
	store   storage.Store
	log     *slog.Logger
	base    time.Duration
	running func() time.Duration
	pause   pause
	// ours is from when on no earlier run can have seen a moment.
	ours table.Running

	mu    sync.Mutex
	due   map[table.ID]*Alarm
	queue alarms
	// rung is told when another alarm is the next one.
	rung chan struct{}
}

// Alarm says that a table must be looked at.
type Alarm struct {
	Table table.ID
	// Level is that of the table when the alarm was set; 0 where it has to be drawn.
	Level uint64
	// at is when.
	at table.Running
	// Redraw says that the table has to be drawn, whatever else is due; Again that what is due could not be done when it was.
	Redraw, Again bool
	// index is where the alarm stands in the queue.
	index int
}

// Open goes on where the running time was saved last, and sets an alarm for every open table: to draw it. Clocks is how many there are that ring side by
// side, 1 or more: together they draw no more tables at which nobody waits than one does.
func Open(ctx context.Context, s storage.Store, log *slog.Logger, running func() time.Duration, clocks int) (*Clock, error) {
	if running == nil {
		running = awake()
	}
	c := &Clock{store: s, log: log, running: running, due: map[table.ID]*Alarm{}, rung: make(chan struct{}, 1)}
	items, err := s.Get(ctx, keyspace.RunningTime)
	first := err == nil && items[0].Rev == 0
	if err == nil && !first {
		err = json.Unmarshal(items[0].Value, &c.base)
	}
	if storage.IsDamaged(err) {
		log.Error("the running time can't be read; it is taken from the earliest deadline", "error", err)
		c.base, err = c.earliest(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("read the running time: %w", err)
	}
	if c.base -= running(); !first {
		c.ours = c.Now().Add(SaveEvery)
	}
	var open []opened
	for after := ""; ; {
		items, err := s.Scan(ctx, keyspace.OpenTables, after, 256)
		var damaged storage.Damaged
		if err != nil && !errors.As(err, &damaged) {
			return nil, fmt.Errorf("read the open tables: %w", err)
		}
		for _, item := range items {
			after = item.Key
			if id, ok := table.ParseID(strings.TrimPrefix(item.Key, keyspace.OpenTables)); ok {
				t, err := table.Decode(id, item.Value)
				if err != nil {
					t = &table.Table{ID: id} // Who presses there is told.
				}
				open = append(open, opened{id, cmp.Or(t.Due(), never), t.Phase != table.Lobby && t.Persons() > 1})
			}
		}
		switch {
		case err != nil: // The others can be played on.
			log.Error("a table can't be read", "key", damaged.Key, "error", err)
			after = damaged.Key
		case len(items) == 0:
			c.drawAll(open, clocks)
			return c, nil
		}
	}
}

// awake is how long the process has been running, without the times in which it was frozen, as by what saves its machine: Run asks at
// least each SaveEvery.
func awake() func() time.Duration {
	start := time.Now()
	var mu sync.Mutex
	var last, lost time.Duration
	return func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		now := time.Since(start)
		if now-last > frozenAfter {
			lost += now - last
		}
		last = now
		return now - lost
	}
}

// opened is an open table, when something is due there, and whether several play.
type opened struct {
	id      table.ID
	due     table.Running
	several bool
}

// never is when something is due where nothing is.
const never table.Running = math.MaxInt64

// drawAll sets alarms to draw the tables, one after the other: where people wait for something first, and where they wait for each other next.
func (c *Clock) drawAll(open []opened, clocks int) {
	now := c.Now()
	rank := func(t opened) int {
		switch {
		case t.due <= now.Add(soon):
			return 0
		case t.several:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(open, func(a, b opened) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.due, b.due))
	})
	at := now
	for _, t := range open {
		c.add(Alarm{Table: t.id, at: at, Redraw: true})
		if at = at.Add(redrawEvery); t.due > now.Add(soon) {
			at = at.Add(redrawEvery * time.Duration(clocks-1))
		}
	}
}

// earliest is the earliest deadline of any table: the running time is hardly past it.
func (c *Clock) earliest(ctx context.Context) (time.Duration, error) {
	items, err := table.Readable(ctx, c.store, c.log, keyspace.OpenTables)
	first := table.Running(0)
	for _, item := range items {
		id, ok := table.ParseID(strings.TrimPrefix(item.Key, keyspace.OpenTables))
		if !ok {
			continue
		}
		t, err := table.Decode(id, item.Value)
		if err != nil {
			continue
		}
		if due := t.Due(); due != 0 && (first == 0 || due < first) {
			first = due
		}
	}
	return table.Running(0).Until(first), err
}

// Now is the running time.
func (c *Clock) Now() table.Running {
	return table.Running((c.base + c.pause.without(c.running())).Milliseconds())
}

// Stop has the running time stand still, so that nothing becomes due, until Start.
func (c *Clock) Stop() { c.pause.begin(c.running(), stopped) }

// Start has the running time go on.
func (c *Clock) Start() {
	c.pause.end(c.running(), stopped)
	c.kick()
}

// Unsaved has the running time stand still until something can be saved again: people can do nothing meanwhile.
func (c *Clock) Unsaved() {
	c.pause.begin(c.running(), unsaved)
	c.kick()
}

// pause is when the running time stands still.
type pause struct {
	mu sync.Mutex
	// why are the reasons for which it does now, which add up; 0: it doesn't.
	why   reason
	since time.Duration
	// lost is how long the pauses before were, all together.
	lost time.Duration
}

// reason is why the running time stands still.
type reason uint8

// The reasons: the operator has stopped it, and nothing can be saved.
const (
	stopped reason = 1 << iota
	unsaved
)

func (p *pause) begin(now time.Duration, why reason) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.why == 0 {
		p.since = now
	}
	p.why |= why
}

func (p *pause) end(now time.Duration, why reason) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.why == why {
		p.lost += now - p.since
	}
	p.why &^= why
}

// without is a time of the process without its pauses.
func (p *pause) without(now time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.why != 0 {
		now = p.since
	}
	return now - p.lost
}

// is reports whether the running time stands still for a reason.
func (p *pause) is(why reason) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.why&why != 0
}

// Ours reports whether a moment is surely of this run: after a start the running time may be behind what an earlier run has seen, by as
// much as it is saved apart.
func (c *Clock) Ours(at table.Running) bool { return at >= c.ours }

// Running is how long the process has been running, by a clock that only goes forward.
func (c *Clock) Running() time.Duration { return c.running() }

// Set makes the alarm of a table the one given; an at of 0 is none. A table that has to be drawn keeps its alarm for that
// until it is drawn, which sets the one for what is due.
func (c *Clock) Set(id table.ID, at table.Running, level uint64, drawn bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.due[id]
	switch {
	case old != nil && old.Redraw && !drawn:
	case at != 0:
		c.add(Alarm{Table: id, at: at, Level: level})
	case old != nil:
		heap.Remove(&c.queue, old.index)
		delete(c.due, id)
	}
}

// add puts an alarm in the queue in place of the table's older one.
func (c *Clock) add(a Alarm) {
	if old := c.due[a.Table]; old != nil {
		a.index = old.index
		*old = a
		heap.Fix(&c.queue, old.index)
	} else {
		added := a
		c.due[a.Table] = &added
		heap.Push(&c.queue, &added)
	}
	if c.queue[0].Table == a.Table {
		c.kick()
	}
}

// kick has Run look again what is due.
func (c *Clock) kick() {
	select {
	case c.rung <- struct{}{}:
	default:
	}
}

// next takes the alarms that are due, at most n, and tells when the next one is; 0 for never.
func (c *Clock) next(n int) (due []Alarm, at table.Running) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.Now()
	for len(c.queue) > 0 {
		if c.queue[0].at > now || len(due) == n {
			return due, c.queue[0].at
		}
		a := heap.Pop(&c.queue).(*Alarm)
		delete(c.due, a.Table)
		due = append(due, *a)
	}
	return due, 0
}

// request is the alarm as it comes through the one door. A deadline of one level is the same from every clock. Each
// drawing is another: the table may remember that of the last start, which ran by the same time if it was soon over.
func (a Alarm) request() chat.Request {
	id := "clock " + a.data()
	if a.Redraw {
		id += " " + rand.Text()
	}
	return chat.Request{ID: id, Kind: chat.Timeout, Data: a.data(), In: chat.Place{Community: a.Table.Community}}
}

// data is the alarm as ParseAlarm reads it.
func (a Alarm) data() string {
	if a.Redraw {
		return a.Table.String() + " redraw"
	}
	if a.Again {
		return fmt.Sprintf("%s %d again", a.Table, a.Level)
	}
	return fmt.Sprintf("%s %d", a.Table, a.Level)
}

// ParseAlarm reads what a Request of the clock has for Data.
func ParseAlarm(data string) (Alarm, error) {
	name, level, _ := strings.Cut(data, " ")
	level, again := strings.CutSuffix(level, " again")
	id, ok := table.ParseID(name)
	n, err := strconv.ParseUint(level, 10, 64)
	a := Alarm{Table: id, Level: n, Redraw: level == "redraw", Again: again}
	if !ok || err != nil && !a.Redraw {
		return a, fmt.Errorf("the clock was told %.80q", data)
	}
	return a, nil
}

// Again tries an alarm once more, later: much later where its table is damaged, which stays so.
func (c *Clock) Again(data string, damaged bool) {
	after := retryAfter
	if damaged {
		after = damagedAfter
	}
	a, err := ParseAlarm(data)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.due[a.Table]; old == nil || a.Redraw {
		a.at, a.Again = c.Now().Add(after), !a.Redraw
		c.add(a)
	}
}

// Look has a table drawn, and its deadline known again, in a while: something may have been done there that nobody was shown.
func (c *Clock) Look(id table.ID) { c.Again(Alarm{Table: id, Redraw: true}.data(), false) }

// Ring has the deadlines handled that have passed, and gives what there is to say to show. It returns how long there is
// nothing more to do.
func (c *Clock) Ring(ctx context.Context, handle handler, show func(context.Context, chat.Response)) time.Duration {
	if c.pause.is(stopped) {
		return time.Hour
	}
	// What was begun is finished, even if the program stops meanwhile.
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	if c.pause.is(unsaved) && c.Save(work) != nil {
		return retryAfter
	}
	var tasks sync.WaitGroup
	due, at := c.next(atOnce)
	for _, a := range due {
		tasks.Go(func() { show(work, handle(work, a.request())) })
	}
	tasks.Wait()
	switch {
	case len(due) > 0:
		return 0
	case at == 0:
		return time.Hour
	}
	return c.Now().Until(at)
}

// handler is what serves a request.
type handler func(context.Context, chat.Request) chat.Response

// Run calls ring, which returns how long there is nothing more to do, until ctx ends, and saves the running time, unless the store
// takes more than a second for that.
func (c *Clock) Run(ctx context.Context, ring func(context.Context) time.Duration) error {
	save := time.NewTicker(SaveEvery)
	defer save.Stop()
	atOnce := make(chan time.Time)
	close(atOnce)
	for ctx.Err() == nil {
		next := (<-chan time.Time)(atOnce)
		if wait := ring(ctx); wait > 0 {
			next = time.After(wait)
		}
		select {
		case <-next:
		case <-c.rung:
		case <-save.C:
			if err := c.Save(ctx); err != nil && ctx.Err() == nil {
				c.log.Warn("the running time could not be saved", "error", err)
			}
		case <-ctx.Done():
		}
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	err := c.Save(stop)
	if err != nil && stop.Err() != nil { // What was saved last is hardly older than SaveEvery: nobody need wait longer for it.
		c.log.Warn("the running time could not be saved", "error", err)
		return nil
	}
	return err
}

// Save saves the running time, which stands still as long as that takes, or after it has failed.
func (c *Clock) Save(ctx context.Context) error {
	c.pause.begin(c.running(), unsaved)
	value, err := json.Marshal(table.Running(0).Until(c.Now()))
	if err != nil {
		return fmt.Errorf("encode the running time: %w", err)
	}
	err = storage.Update(ctx, c.store, func(tx storage.Tx) error {
		tx.Put(keyspace.RunningTime, value)
		return nil
	})
	if err != nil {
		return fmt.Errorf("save the running time: %w", err)
	}
	c.pause.end(c.running(), unsaved)
	return nil
}

// Carry saves, in a store, the latest of the running times that others have saved.
func Carry(ctx context.Context, to storage.Store, saved []storage.Item) error {
	latest := saved[0].Value
	var most time.Duration
	for _, item := range saved {
		var one time.Duration
		if err := json.Unmarshal(item.Value, &one); err != nil {
			return fmt.Errorf("read a running time: %w", err)
		}
		if one > most {
			latest, most = item.Value, one
		}
	}
	return storage.Update(ctx, to, func(tx storage.Tx) error {
		tx.Put(keyspace.RunningTime, latest)
		return nil
	})
}

// alarms is a heap, the earliest first.
type alarms []*Alarm

func (a alarms) Len() int           { return len(a) }
func (a alarms) Less(i, j int) bool { return a[i].at < a[j].at }
func (a alarms) Swap(i, j int) {
	a[i], a[j] = a[j], a[i]
	a[i].index, a[j].index = i, j
}
func (a *alarms) Push(x any) {
	x.(*Alarm).index = len(*a)
	*a = append(*a, x.(*Alarm))
}
func (a *alarms) Pop() any {
	last := len(*a) - 1
	x := (*a)[last]
	(*a)[last] = nil
	*a = (*a)[:last]
	return x
}
