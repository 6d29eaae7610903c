// Package discord is the bot's way into Discord: slash commands, buttons and modals come in over the gateway, and the
// answer to a press is the new board, in one call.
//
// What the library's REST half can't do is done here: every call takes a context, obeys the limits that Discord names,
// and never sleeps where a press waits. The gateway half is the library's, one Session per shard, looked after from
// outside: it is opened again whenever it is lost, where Discord says, through a proxy if one is set, and never
// identifies out of turn. What is left of the library's ways: after each lost connection it rests for a second.
//
// Several processes can share a Discord: each holds some of the shards, and what happens in a community goes, as it came, to the
// process that serves it.
//
// Those who look at a live table inside Discord, as an Activity, come in by its Door.
package discord

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// maxSeen is how many interactions are remembered.
const maxSeen = 4096

// Adapter is the bot on Discord. Its methods may be called from anywhere.
type Adapter struct {
	*core
	sender *sender
	// proxy is the proxy that a connection to the gateway goes through.
	proxy func(*http.Request) (*url.URL, error)
	// seen are the interactions that came lately.
	seen *outbox.Memory[string, struct{}]
	// launches are whom Discord showed which table lately, entrance is the door to those.
	launches *launches
	entrance *entrance
	// passing is how many interactions are on their way to other processes.
	passing atomic.Int64
	// count is how many shards all processes count on; 0 as long as this one doesn't know.
	count atomic.Int64
	// links is how many connections to the gateway there should be, up how many stand; spare says that other processes have
	// them all.
	links, up atomic.Int64
	spare     atomic.Bool
}

// New is an adapter that isn't connected yet. The handler h must be given.
func New(h chat.Handler, o Options) *Adapter {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	c := newCore(h, o)
	a := &Adapter{
		core: c, sender: newSender(c), proxy: http.ProxyFromEnvironment, seen: outbox.NewMemory[string, struct{}](maxSeen),
		launches: newLaunches(),
	}
	a.entrance = newEntrance(a.sender, a.launches)
	a.links.Store(1)
	return a
}

// Run connects, registers the commands if they changed, and serves until ctx ends; then it returns nil once what was
// begun is done. An error says in one line why it can't go on. It runs once.
func (a *Adapter) Run(ctx context.Context) error {
	defer func() {
		a.Close(stopTime)
		a.rest.close()
	}()
	first, last, count, err := parseShards(a.opts.Shards)
	if err != nil {
		return err
	}
	a.guilds.first.Set(false)
	info, err := a.gateway(ctx)
	if err != nil {
		return err
	}
	a.guilds.first.Set(true)
	if !a.alone {
		return newKeeper(a, info).run(ctx)
	}
	if count == 0 {
		last, count = max(info.Shards, 1)-1, max(info.Shards, 1)
	}
	a.links.Store(int64(last - first + 1))
	g := newIdentifyLimit(info.SessionStartLimit, identifyApart, a.log)
	group, serving := errgroup.WithContext(ctx)
	register := make(chan string, 1)
	for id := first; id <= last; id++ {
		s := &shard{adapter: a, id: id, count: count, limit: g, ready: register}
		group.Go(func() error { return s.run(serving) })
	}
	group.Go(func() error { a.register(serving, register); return nil })
	return group.Wait()
}

// register tells Discord of the commands and of the bot once the application is known.
func (a *Adapter) register(ctx context.Context, known <-chan string) {
	defer a.Recover()
	select {
	case app := <-known:
		registrar{a.core}.register(ctx, app)
		registrar{a.core}.introduce(ctx, app)
	case <-ctx.Done():
	}
}

// Show delivers what the bot has to say that answers nobody: the posts of its clock. It returns at once; what can't be
// delivered now is shown with the table's next picture. Posts of other platforms are left alone.
func (a *Adapter) Show(_ context.Context, resp chat.Response) {
	end := a.countErrands(resp.Posts)
	if !a.Admit(func() { defer end(); a.sender.deliver(delivery{posts: resp.Posts, id: a.nextID()}) }) {
		end()
	}
}

// Late implements adapters.Hearer. A guest's message comes to who presses.
func (a *Adapter) Late(in chat.Place, table string) (late, shown time.Duration) {
	if in.Guest {
		return 0, 0
	}
	a.sender.boards.mu.Lock()
	defer a.sender.boards.mu.Unlock()
	if b, ok := a.sender.boards.tables.Get(table); ok {
		return b.Late()
	}
	return 0, 0
}

// Deaf implements adapters.Hearer.
func (a *Adapter) Deaf(c chat.Community) time.Duration { return a.guilds.deaf(c.ID) }

// Pulse is how the adapter is: its connections are the shards. Where other processes have them all it only calls.
func (a *Adapter) Pulse() chat.Pulse {
	p := chat.Pulse{
		Links: int(a.links.Load()), Up: int(a.up.Load()), Waiting: a.in.Waiting(),
		Unshown: a.sender.out.Waiting() + a.sender.boards.unshown() + int(a.sender.lasting.Load()),
	}
	if a.spare.Load() {
		p.Links, p.Up = 1, 1
	}
	return p
}
