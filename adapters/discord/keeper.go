package discord

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/sync/errgroup"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// maxLooks is how many shards that are others' are looked at in a row, restLooks how many looks a process lets pass after it
	// has given a shard to one that had none.
	maxLooks  = 16
	restLooks = 5
	// wantedThing is what a process has that would like to have a shard and has none.
	wantedThing = "discord/shard/wanted"
	// awayTime is how long none of a process's shards is connected until one that has none may have them.
	awayTime = time.Minute
	// releaseTime is how long it may take to let go of something, agreeTime to ask how many shards there are.
	releaseTime = 3 * time.Second
	agreeTime   = 10 * time.Second
)

// keeper holds this process's part of the shards, among several processes that share them. All must count on as many: they ask
// whichever serves a community that nobody has.
type keeper struct {
	*Adapter
	recommended int
	turns       *sharedTurns
	known       chan string
	// first, last and count are the shards that there are to hold, and how many there are of all; count is 0 as long as
	// that isn't known.
	first, last, count int
	fixed              bool
	held               map[int]*tenure
	// wanted is wantedThing while this process has it; else nil.
	wanted adapters.Hold
	// agreed is when the count was asked last, gaveBack when a shard was given back, asked when it was asked last whether a
	// process has none, resting until when this one takes none, and down since when none of its shards is connected; zero where one is.
	agreed, gaveBack, asked, resting, down time.Time
	// away says that this process has given its shards to others as it didn't reach Discord, and takes none before it does.
	away bool
}

// tenure is the time of a shard in this process.
type tenure struct {
	hold adapters.Hold
	end  context.CancelFunc
	// ending says that it was told to end, done is closed when it has; then err is why the process can't go on.
	ending bool
	done   chan struct{}
	err    error
}

func newKeeper(a *Adapter, info discordgo.GatewayBotResponse) *keeper {
	k := &keeper{
		Adapter: a, recommended: max(info.Shards, 1), turns: newSharedTurns(a, info.SessionStartLimit.MaxConcurrency), known: make(chan string, 1),
		held: map[int]*tenure{},
	}
	if first, last, count, err := parseShards(a.opts.Shards); err == nil && count > 0 {
		k.first, k.last, k.count, k.fixed = first, last, count, true
		a.count.Store(int64(count))
	}
	return k
}

// run holds shards until ctx ends, or an error says why that can't be.
func (k *keeper) run(ctx context.Context) error {
	group, serving := errgroup.WithContext(ctx)
	group.Go(func() error {
		if app := (registrar{k.core}).identify(serving); app != "" {
			k.app.Store(&app)
			select {
			case k.known <- app:
			default: // A shard was faster.
			}
		}
		k.register(serving, k.known)
		return nil
	})
	group.Go(func() error { k.saySilent(serving); return nil })
	group.Go(func() error { return k.keep(serving) })
	return group.Wait()
}

// keep looks after the shards again and again.
func (k *keeper) keep(ctx context.Context) error {
	defer func() {
		k.endAll()
		k.stopWanting()
	}()
	for {
		if err := k.reap(); err != nil {
			return err
		}
		if k.agree(ctx) {
			k.balance(ctx)
		}
		k.links.Store(int64(len(k.held)))
		if !outbox.Sleep(ctx, lookEvery) {
			return nil
		}
	}
}

// reap forgets the shards that have ended. The error is that of one.
func (k *keeper) reap() error {
	for id, t := range k.held {
		select {
		case <-t.done:
			if t.err != nil {
				return t.err
			}
			delete(k.held, id)
		default:
		}
	}
	return nil
}

// endAll ends all shards, and waits until they have.
func (k *keeper) endAll() {
	for _, t := range k.held {
		t.ending = true
		t.end()
	}
	for _, t := range k.held {
		<-t.done
	}
}

// assembly is a community that nobody has. Whoever serves it says how many shards there are.
func assembly() chat.Community { return chat.Community{Platform: chat.Discord} }

// agree asks from time to time how many shards all processes count on, and reports whether that is known. If they count on others
// than this one, it ends its own.
func (k *keeper) agree(ctx context.Context) bool {
	if k.fixed || k.count > 0 && time.Since(k.agreed) < agreeEvery {
		return true
	}
	ask := k.count
	if ask == 0 {
		ask = k.recommended
	}
	asking, cancel := context.WithTimeout(ctx, agreeTime)
	defer cancel()
	said, err := k.share.Pass(asking, assembly(), adapters.Parcel{Kind: parcelCount, Body: strconv.AppendInt(nil, int64(ask), 10)})
	n, broken := strconv.ParseUint(string(said), 10, 15)
	switch {
	case err != nil && ctx.Err() == nil:
		k.log.Warn("how many shards there are is not known", "error", err)
	case err == nil && broken == nil && n > 0:
		if k.count != 0 && k.count != int(n) {
			k.log.Warn("there are not as many shards any more", "were", k.count, "are", n)
			k.endAll()
			k.held = map[int]*tenure{}
		}
		k.first, k.last, k.count, k.agreed = 0, int(n)-1, int(n), time.Now()
		k.Adapter.count.Store(int64(n))
	}
	return k.count > 0
}

// portion is how many of so many shards a process holds at most.
func portion(shards int, of float64) int {
	const blur = 1e-9 // 49 times a 49th is less than one.
	return max(1, min(shards, int(math.Ceil(float64(shards)*of-blur))))
}

// balance takes shards that are free while this process holds fewer than its portion, and gives one back if it holds more: no
// sooner than another process can have identified with the one before.
func (k *keeper) balance(ctx context.Context) {
	most := portion(k.last-k.first+1, k.share.Portion())
	looked := false
	switch now := time.Now(); {
	case len(k.held) > most:
		if now.Sub(k.gaveBack) >= identifyApart {
			k.giveBack()
		}
	case len(k.held) < most && now.After(k.resting) && k.reaches(ctx):
		looked = k.takeFree(ctx, most)
	}
	k.spare.Store(looked && len(k.held) == 0)
	k.evenOut(ctx)
}

// reaches reports whether Discord is reached from here; it is asked only where it wasn't.
func (k *keeper) reaches(ctx context.Context) bool {
	if k.away {
		_, err := k.askGateway(ctx)
		k.away = err != nil
	}
	return !k.away
}

// takeFree takes shards that are free until it holds most. False: which are free isn't known.
func (k *keeper) takeFree(ctx context.Context, most int) bool {
	looks := 0
	for _, i := range rand.Perm(k.last - k.first + 1) {
		id := k.first + i
		if k.held[id] != nil {
			continue
		}
		if len(k.held) >= most || looks >= maxLooks {
			return true
		}
		hold, err := k.share.Take(ctx, fmt.Sprintf("discord/shard/%d of %d", id, k.count))
		switch {
		case err != nil:
			if ctx.Err() == nil {
				k.log.Warn("which shards are free is not known", "error", err)
			}
			return false
		case hold == nil:
			looks++
		default:
			k.begin(ctx, id, hold)
		}
	}
	return true
}

// evenOut says to other processes that this one has no shard, while it has none and could have one; and, where it has several, or for long none of
// them is connected, gives one to a process that has none.
func (k *keeper) evenOut(ctx context.Context) {
	if len(k.held) > 0 || k.wanted != nil && k.wanted.Context().Err() != nil {
		k.stopWanting()
	}
	now := time.Now()
	if k.up.Load() > 0 || len(k.held) == 0 {
		k.down = time.Time{}
	} else if k.down.IsZero() {
		k.down = now
	}
	lost := !k.down.IsZero() && now.Sub(k.down) > awayTime
	begs := len(k.held) == 0 && k.wanted == nil && !k.away
	if !begs && (len(k.held) < 2 && !lost || now.Sub(k.asked) < agreeEvery) {
		return
	}
	k.asked = now
	if lost { // Else it is Discord's gateway that is away, for all.
		_, err := k.askGateway(ctx)
		lost = err != nil
	}
	if !begs && len(k.held) < 2 && !lost {
		return
	}
	hold, err := k.share.Take(ctx, wantedThing)
	switch {
	case err != nil:
		k.log.Debug("which processes have no shard is not known", "error", err)
	case begs:
		k.wanted = hold
	case hold != nil:
		k.release(hold)
	default:
		k.resting, k.away = now.Add(restLooks*lookEvery), lost
		k.giveBack()
	}
}

// stopWanting lets another process say that it has no shard.
func (k *keeper) stopWanting() {
	if k.wanted != nil {
		k.release(k.wanted)
		k.wanted = nil
	}
}

// giveBack ends one of the shards that aren't ending yet. Those that are go first.
func (k *keeper) giveBack() {
	for _, t := range k.held {
		if t.ending {
			return
		}
	}
	for id, t := range k.held {
		k.log.Info("a shard is given to another process", "shard", id)
		k.gaveBack = time.Now()
		t.ending = true
		t.end()
		return
	}
}

// begin serves a shard for as long as it is held.
func (k *keeper) begin(ctx context.Context, id int, hold adapters.Hold) {
	ctx, end := context.WithCancel(ctx)
	t := &tenure{hold: hold, end: end, done: make(chan struct{})}
	k.held[id] = t
	s := &shard{adapter: k.Adapter, id: id, count: k.count, limit: k.turns, ready: k.known}
	k.Begin(func() {
		defer close(t.done)
		defer end()
		defer context.AfterFunc(hold.Context(), end)()
		t.err = s.run(ctx)
		k.guilds.end(s.id, s.count)
		k.release(hold)
	})
}

// release lets others have something.
func (c *core) release(hold adapters.Hold) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Life), releaseTime)
	defer cancel()
	if err := hold.Release(ctx); err != nil && hold.Context().Err() == nil {
		c.log.Warn("other processes must wait for something that is free", "error", err)
	}
}

// sharedTurns lets the shards of all processes identify no faster than Discord allows.
type sharedTurns struct {
	*Adapter
	// slots are those of which one shard at a time may identify, each with room for one of this process.
	slots []chan struct{}
	// urged is how many shards it was logged last that Discord recommends.
	urged atomic.Int64
}

func newSharedTurns(a *Adapter, slots int) *sharedTurns {
	t := &sharedTurns{Adapter: a}
	for range max(slots, 1) {
		t.slots = append(t.slots, make(chan struct{}, 1))
	}
	return t
}

// wait implements turns. The turn ends some time after the shard has identified.
func (t *sharedTurns) wait(ctx context.Context, shard int) (done func(identified bool), err error) {
	slot := shard % len(t.slots)
	select {
	case t.slots[slot] <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	hold, err := t.take(ctx, slot)
	if err != nil {
		<-t.slots[slot]
		return nil, err
	}
	end := sync.OnceFunc(func() {
		t.Begin(func() {
			defer func() { <-t.slots[slot] }()
			outbox.Sleep(t.Life, identifyApart)
			t.release(hold)
		})
	})
	return func(bool) { end() }, nil
}

// take takes a slot among all processes as soon as it is free and there are identifies left for the day. Where Discord isn't reached it is
// others' meanwhile.
func (t *sharedTurns) take(ctx context.Context, slot int) (adapters.Hold, error) {
	for {
		again := time.Now().Add(lookEvery/2 + rand.N(lookEvery/2+1))
		hold, err := t.share.Take(ctx, fmt.Sprintf("discord/identify/%d", slot))
		if err != nil && ctx.Err() == nil {
			t.log.Warn("which shard may identify is not known", "error", err)
		}
		if err == nil && hold != nil {
			info, err := t.askGateway(ctx)
			limit := info.SessionStartLimit
			if ctx.Err() == nil && err == nil && (limit.Total == 0 || limit.Remaining > 0) {
				if n, more := t.count.Load(), int64(info.Shards); more > n && t.urged.Swap(more) != more {
					t.log.Warn("Discord recommends more shards than there are: stop all processes before you start one again", "shards", n, "recommended", more)
				}
				return hold, nil
			}
			t.release(hold)
			if err != nil {
				_, err = t.gateway(ctx)
			} else if ctx.Err() == nil {
				again = time.Now().Add(time.Duration(limit.ResetAfter) * time.Millisecond)
				t.log.Warn("no shard may identify any more today", "until", again)
			}
			if err != nil {
				return nil, err
			}
		}
		if err := outbox.SleepUntil(ctx, again); err != nil {
			return nil, err
		}
	}
}
