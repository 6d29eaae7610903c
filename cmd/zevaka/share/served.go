package share

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/storage/etcd"
)

const (
	// lookEvery is how often it is looked whether there is something to take or to give up, though nothing was told.
	lookEvery = time.Second
	// leaveTime is how long giving up a part may take.
	leaveTime = 3 * time.Second
	// atOnce is how many parts are taken or given up at a time.
	atOnce = 8
)

// served is a part that this process serves.
type served struct {
	n     int
	hold  *etcd.Hold
	store *etcd.Store
	bot   *bot.Bot
	since time.Time
	// stop ends what the bot does by itself, which done waits for.
	stop context.CancelFunc
	done sync.WaitGroup
	// leaving says that no more requests come; each that is under way holds mu for reading.
	leaving atomic.Bool
	mu      sync.RWMutex
	// stale says that the bot has to begin anew.
	stale atomic.Bool
}

// handle has the bot answer a request, unless the part has been left.
func (p *served) handle(ctx context.Context, r chat.Request) (chat.Response, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.leaving.Load() {
		return chat.Response{}, false
	}
	return p.bot.Handle(ctx, r), true
}

// Run takes this process's share of the parts and serves them until ctx ends; then it gives them up, so that others can go on at
// once. What the clocks have to say goes to show.
func (s *Share) Run(ctx context.Context, show func(context.Context, chat.Response)) error {
	follow, stop := context.WithCancel(context.WithoutCancel(ctx))
	var followed error
	var following sync.WaitGroup
	following.Go(func() { followed = s.store.Follow(follow, s.note) })
	for first := true; ctx.Err() == nil; first = false {
		_, changed := s.holder("")
		s.arrange(ctx, show)
		if first {
			close(s.begun)
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-time.After(lookEvery):
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
	defer cancel()
	if err := s.leaveAll(last); err != nil { // What was answered is saved: others only have to wait for the lease.
		s.opts.Log.Warn("others take over only in a while", "error", err)
	}
	stop()
	following.Wait()
	return followed
}

// leaveAll gives up all parts. The others take no more than their shares as long as this process takes part.
func (s *Share) leaveAll(ctx context.Context) error {
	if s.session.Alive() {
		if err := s.self.Release(ctx); err != nil {
			s.opts.Log.Warn("others take over only in a while", "error", err)
		}
	}
	var leaving errgroup.Group
	leaving.SetLimit(atOnce)
	for n := range s.parts {
		if p := s.parts[n].Load(); p != nil {
			leaving.Go(func() error { return s.leave(ctx, p) })
		}
	}
	return leaving.Wait()
}

// arrange takes parts that nobody holds, if this process has less than its share, or gives some up if it has more.
func (s *Share) arrange(ctx context.Context, show func(context.Context, chat.Response)) {
	members := s.members()
	slices.Sort(members)
	at := slices.Index(members, s.peers.key)
	err := errors.Join(s.dropUnserved(ctx), s.renewAll(ctx, show))
	var mine, free []int
	for n := range s.parts {
		by, _ := s.holder(thing(n))
		switch {
		case s.parts[n].Load() != nil:
			mine = append(mine, n)
		case by == "": // What is dropped may be let go of later than one hears: it isn't taken before.
			free = append(free, n)
		}
	}
	// Each begins elsewhere, so that they don't all try for the same.
	if len(free) > 0 {
		from := at * len(free) / len(members)
		free = append(free[from:], free[:from]...)
	}
	var moving errgroup.Group
	moving.SetLimit(atOnce)
	want := fair(etcd.Parts, len(members), at) - len(mine)
	for i := 0; i < want && i < len(free); i++ {
		moving.Go(func() error { return s.take(ctx, free[i], show) })
	}
	for i := 0; i < -want; i++ {
		p := s.parts[mine[i]].Load()
		moving.Go(func() error {
			last, cancel := context.WithTimeout(ctx, leaveTime)
			defer cancel()
			return s.leave(last, p)
		})
	}
	if err = errors.Join(err, moving.Wait()); err != nil && ctx.Err() == nil {
		s.opts.Log.Warn("parts of the database could not change hands; trying again", "error", err)
	}
}

// fair is how many of so many parts the process of index i of n has.
func fair(parts, n, i int) int {
	share := parts / n
	if i < parts%n {
		share++
	}
	return share
}

// take takes a part, if nobody else has, and serves it.
func (s *Share) take(ctx context.Context, n int, show func(context.Context, chat.Response)) error {
	hold, err := s.session.Take(ctx, thing(n))
	if hold == nil || err != nil {
		return err
	}
	if err := s.open(ctx, n, hold, show); err != nil {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		defer cancel()
		return errors.Join(fmt.Errorf("serve part %d: %w", n, err), hold.Release(last))
	}
	return nil
}

// dropUnserved lets others have what this process holds and doesn't serve: an answer may have been lost that it was taken, or not let
// go of, and what was asked of a member that had stopped may be done long after.
func (s *Share) dropUnserved(ctx context.Context) error {
	var dropping errgroup.Group
	dropping.SetLimit(atOnce)
	for n := range s.parts {
		if by, _ := s.holder(thing(n)); by != s.peers.name || s.parts[n].Load() != nil {
			continue
		}
		dropping.Go(func() error {
			last, cancel := context.WithTimeout(ctx, leaveTime)
			defer cancel()
			return s.session.Drop(last, thing(n))
		})
	}
	return dropping.Wait()
}

// open serves a part that this process holds.
func (s *Share) open(ctx context.Context, n int, hold *etcd.Hold, show func(context.Context, chat.Response)) error {
	store, err := hold.Part(ctx, n)
	if err != nil {
		return err
	}
	dealer, err := s.opts.Open(ctx, store, func(c chat.Community) bool { return partOf(c) == n })
	if err != nil {
		return errors.Join(err, store.Close())
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	p := &served{n: n, hold: hold, store: store, bot: dealer, since: time.Now(), stop: stop}
	// Before the clock shows its tables: an answer to what it shows may come at once.
	s.parts[n].Store(p)
	p.done.Go(func() {
		if err := dealer.Run(serving, show); err != nil && s.session.Alive() {
			s.opts.Log.Error("the clock of a part has stopped", "part", n, "error", err)
		}
	})
	p.done.Go(func() { dealer.Retain(serving) })
	p.done.Go(func() { dealer.RunTasks(serving) })
	p.done.Go(func() { dealer.Announce(serving, show) })
	return nil
}

// renewAll has those bots begin anew that have to.
func (s *Share) renewAll(ctx context.Context, show func(context.Context, chat.Response)) error {
	var all error
	for n := range s.parts {
		if p := s.parts[n].Load(); p != nil && p.stale.Load() {
			all = errors.Join(all, s.renew(ctx, p, show))
		}
	}
	return all
}

// renew has the bot of a part begin anew.
func (s *Share) renew(ctx context.Context, p *served, show func(context.Context, chat.Response)) error {
	s.empty(ctx, p)
	err := p.store.Close()
	if opened := s.open(ctx, p.n, p.hold, show); opened != nil {
		s.parts[p.n].CompareAndSwap(p, nil)
		err = errors.Join(err, opened)
	}
	if err != nil {
		return fmt.Errorf("serve part %d anew: %w", p.n, err)
	}
	return nil
}

// leave gives up a part: first no more requests come, then what is under way ends, then nothing is sent any more, and then others
// may have it.
func (s *Share) leave(ctx context.Context, p *served) error {
	s.empty(ctx, p)
	s.parts[p.n].CompareAndSwap(p, nil)
	err := p.store.Close()
	if s.session.Alive() {
		err = errors.Join(err, p.hold.Release(ctx))
	}
	if err != nil {
		return fmt.Errorf("give up part %d: %w", p.n, err)
	}
	return nil
}

// empty lets what a part's bot does come to its end, and what waits to be sent and whoever looks on be left.
func (s *Share) empty(ctx context.Context, p *served) {
	p.leaving.Store(true)
	p.mu.Lock() // Whatever is under way ends.
	p.stop()
	p.mu.Unlock() // What the clock is about to show may be told of, which is refused.
	p.done.Wait()
	gone := func(c chat.Community) bool { return partOf(c) == p.n }
	for _, one := range s.adapters() {
		one.Leave(ctx, gone)
	}
}
