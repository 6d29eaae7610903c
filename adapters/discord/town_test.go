package discord

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/bot/table"
	"zevaka/storage/mem"
)

// town is a few processes with one Discord and one store. Its house has no adapter.
type town struct {
	*house
	mu sync.Mutex
	// owners are who serves communities, usual who serves all others; nil is nobody.
	owners map[chat.Community]*process
	usual  *process
	things map[string]*claim
	all    []*process
	// slow is what a parcel waits before it arrives, if not nil.
	slow func()
}

// process is one of them: its share, and a bot over the store of all for as long as nothing moves.
type process struct {
	*Adapter
	town *town
	bot  *bot.Bot
	// handling is held for reading while the bot is asked, and for writing when it becomes another.
	handling sync.RWMutex
	asked    chatscript.Asked
	// before, if not nil, is called before the bot is asked.
	before  func(chat.Request)
	portion atomic.Int64 // in thousandths
	stop    context.CancelFunc
	stopped chan error
}

// claim is a thing that a process has.
type claim struct {
	town  *town
	thing string
	by    *process
	ctx   context.Context
	end   context.CancelFunc
}

func (c *claim) Context() context.Context { return c.ctx }

func (c *claim) Release(context.Context) error {
	c.town.expire(c.thing, c)
	return nil
}

// expire takes a thing away from whoever has it; a claim that isn't nil must be the one that has it.
func (t *town) expire(thing string, by *claim) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.things[thing]; c != nil && (by == nil || c == by) {
		delete(t.things, thing)
		c.end()
	}
}

func newTown(t *testing.T, o discordtest.Options) *town {
	t.Helper()
	var _ adapters.Shared = (*Adapter)(nil)
	return &town{house: build(t, mem.New(), fake(t, o)), owners: map[chat.Community]*process{}, things: map[string]*claim{}}
}

// join begins one more process, whose adapter may be changed before it runs. The first one serves everything.
func (t *town) join(portion int64, change func(*Adapter)) *process {
	t.t.Helper()
	p := &process{town: t, bot: t.lone(), stopped: make(chan error, 1)}
	p.portion.Store(portion)
	a := New(p, Options{
		Token: discordtest.Token, API: t.server.URL(), Log: t.log, Commands: p.bot.Commands, Words: t.words, Share: share{p}, ClientSecret: t.secret, Dial: dial(t.server, t.t),
	})
	if change != nil {
		change(a)
	}
	p.Adapter = a
	t.mu.Lock()
	t.all = append(t.all, p)
	if t.usual == nil {
		t.usual = p
	}
	t.mu.Unlock()
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	go func() { p.stopped <- a.Run(ctx) }()
	t.t.Cleanup(p.end)
	return p
}

// end stops a process as one does who has the time.
func (p *process) end() {
	if p.stop == nil {
		return
	}
	p.stop()
	if err := <-p.stopped; err != nil {
		p.town.t.Errorf("run: %v", err)
	}
	p.stop = nil
}

// move has another process serve communities, in the order in which the program does that.
func (t *town) move(to *process, all ...chat.Community) {
	t.t.Helper()
	moving := map[chat.Community]bool{}
	t.mu.Lock()
	for _, c := range all {
		moving[c], t.owners[c] = true, nil
	}
	others := t.all
	t.mu.Unlock()
	for _, p := range others {
		p.finish()
		if p != to {
			p.Leave(context.Background(), func(c chat.Community) bool { return moving[c] })
		}
	}
	if to == nil {
		return
	}
	to.handling.Lock()
	to.bot = t.lone()
	to.handling.Unlock()
	t.mu.Lock()
	for _, c := range all {
		t.owners[c] = to
	}
	t.mu.Unlock()
}

// finish waits until the bot isn't asked anything.
func (p *process) finish() {
	p.handling.Lock()
	defer p.handling.Unlock()
}

// owner is who serves a community; nil if nobody does.
func (t *town) owner(c chat.Community) *process {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p, moved := t.owners[c]; moved {
		return p
	}
	return t.usual
}

// Handle is the program's router.
func (p *process) Handle(ctx context.Context, r chat.Request) chat.Response {
	p.handling.RLock()
	defer p.handling.RUnlock()
	if !(share{p}).Serves(table.Home(r)) {
		return chat.Response{Toast: "moved", Alert: true}
	}
	if p.before != nil {
		p.before(r)
	}
	p.asked.Add(r)
	return p.bot.Handle(ctx, r)
}

// share is a process as its adapter sees it.
type share struct{ *process }

func (s share) Portion() float64 { return float64(s.portion.Load()) / 1000 }

func (s share) Since(chat.Community) time.Time { return time.Time{} }

func (s share) Serves(c chat.Community) bool { return s.town.owner(c) == s.process }

func (s share) Pass(ctx context.Context, to chat.Community, what adapters.Parcel) ([]byte, error) {
	if slow := s.town.slow; slow != nil {
		slow()
	}
	for {
		if owner := s.town.owner(to); owner != nil {
			answer, err := owner.Take(ctx, what)
			if !errors.Is(err, adapters.ErrNobody) {
				return answer, err
			}
		}
		select {
		case <-ctx.Done():
			return nil, adapters.ErrNobody
		case <-time.After(time.Millisecond):
		}
	}
}

func (s share) Tell(ctx context.Context, _ chat.Platform, what adapters.Parcel) {
	s.town.mu.Lock()
	all := s.town.all
	s.town.mu.Unlock()
	for _, p := range all {
		if p != s.process {
			if _, err := p.Take(ctx, what); err != nil && !errors.Is(err, adapters.ErrNobody) {
				s.town.t.Error(err)
			}
		}
	}
}

func (s share) Take(_ context.Context, thing string) (adapters.Hold, error) {
	t := s.town
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.things[thing]; c != nil {
		if c.by == s.process {
			return c, nil
		}
		return nil, nil
	}
	c := &claim{town: t, thing: thing, by: s.process}
	c.ctx, c.end = context.WithCancel(context.Background())
	t.things[thing] = c
	return c, nil
}

// occupy gives a thing to a process, or to one that does nothing, and returns the claim of whoever had it; nil if nobody had.
func (t *town) occupy(thing string, by *process) *claim {
	t.mu.Lock()
	defer t.mu.Unlock()
	had := t.things[thing]
	t.things[thing] = &claim{town: t, thing: thing, by: by, ctx: context.Background(), end: func() {}}
	return had
}

// die has a process vanish: others may have its things.
func (p *process) die() {
	p.town.t.Helper()
	for _, thing := range p.things() {
		p.town.expire(thing, nil)
	}
	p.Cut()
	p.end()
	for _, thing := range p.things() { // What it took meanwhile.
		p.town.expire(thing, nil)
	}
}

// things are what a process has.
func (p *process) things() (all []string) {
	p.town.mu.Lock()
	defer p.town.mu.Unlock()
	for thing, c := range p.town.things {
		if c.by == p {
			all = append(all, thing)
		}
	}
	return all
}

// shards is how many shards of a process are connected.
func (p *process) shards() int { return int(p.up.Load()) }

// two are processes of which the first has the one shard and the second serves everything, and a table there.
func two(t *testing.T, o discordtest.Options, change func(*Adapter)) (*town, *process, *process) {
	t.Helper()
	w := newTown(t, o)
	first := w.join(1000, change)
	w.server.Until("the first has the shard", func() bool { return first.shards() == 1 })
	second := w.join(1000, change)
	w.mu.Lock()
	w.usual = second
	w.mu.Unlock()
	w.server.Until("the second knows the commands", func() bool { return second.self().invite != "" && second.self().commands != nil })
	return w, first, second
}
