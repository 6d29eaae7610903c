package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"

	"github.com/alecthomas/kong"
	"golang.org/x/sync/errgroup"

	"zevaka/adapters"
	"zevaka/adapters/discord"
	"zevaka/adapters/door"
	"zevaka/adapters/relay"
	"zevaka/adapters/telegram"
	"zevaka/adapters/web"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/pace"
	"zevaka/bot/upkeep"
	"zevaka/cmd/zevaka/watch"
	"zevaka/storage/etcd"
)

// platforms are the chats where people can play, each with settings of its own. One more is one more line.
func platforms() []adapters.Platform {
	return []adapters.Platform{
		&discord.Options{},
		&telegram.Options{},
	}
}

// plugged are the platforms as the parser of the command line takes them.
func plugged() kong.Plugins {
	var all kong.Plugins
	for _, p := range platforms() {
		all = append(all, p)
	}
	return all
}

// chats are the platforms with their settings.
func (s *settings) chats() []adapters.Platform {
	var all []adapters.Platform
	for _, p := range s.Platforms {
		all = append(all, p.(adapters.Platform))
	}
	return all
}

// secrets are what no log may show.
func (s *settings) secrets() []string {
	all := []string{s.StorePassword}
	for _, p := range s.chats() {
		all = append(all, p.Secrets()...)
	}
	return all
}

// house is all that runs while the bot serves.
type house struct {
	platforms map[chat.Platform]adapters.Adapter
	// deal does what is done without a request until its context ends, and gives what there is to say to show. Count counts what
	// is stored.
	deal  func(ctx context.Context, show func(context.Context, chat.Response)) error
	count func(context.Context) (upkeep.Counts, error)
	// told says what database was opened; nil says nothing.
	told func(context.Context)
	// failed returns an error when this process can't go on, as with a database on a disk that has failed; nil if nothing can fail so.
	failed func(context.Context) error
	// begun is closed when the platforms may be served.
	begun <-chan struct{}
	seen  *watch.Watch
	// members are those of the database's cluster; nil for a file.
	members func(context.Context) []etcd.Member
	// metrics is where those are served, or off.
	metrics string
	log     *slog.Logger
}

// noPlatform is the error of a start with nothing to serve.
func noPlatform() error {
	var variables, names []string
	for _, p := range platforms() {
		variables, names = append(variables, strings.ToUpper(p.Name())+"_TOKEN"), append(names, p.Name()+"-token")
	}
	return fmt.Errorf("nobody could play: the room is off, and no token is set (%s; in a file %s)",
		strings.Join(variables, ", "), strings.Join(names, ", "))
}

// dealer is what the requests of the platforms go to.
type dealer struct {
	chat.Handler
	// menu are the commands and the words.
	menu *bot.Menu
	// tables are what is looked at in a community; nil where nothing can be.
	tables func(chat.Community) *live.Tables
	// share is what is dealt by this process, elsewhere the rooms of others; nil if there are none.
	share     adapters.Share
	elsewhere relay.Elsewhere
	// key is a secret that all processes know; zero if there is only one.
	key [32]byte
	// ready is told the room's address, with the secret of its admins in it.
	ready func(url string)
	// tuned is told of what guards it.
	tuned *tuning
}

// house has the room, unless it is off, and the platforms whose tokens are set.
func (s *settings) house(d dealer, seen *watch.Watch, log *slog.Logger) house {
	gate := pace.NewGate(d, s.rates(), d.menu.Words(), seen)
	d.tuned.guard(gate)
	all := map[chat.Platform]adapters.Adapter{}
	for _, p := range s.chats() {
		if p.Wanted() {
			all[p.Letter()] = p.Adapter(adapters.Program{
				Handler: gate, Log: log, Commands: d.menu.Commands, Words: d.menu.Words(), Observer: seen,
				Door: string(s.PublicURL), Share: d.share, Bound: web.MachinesPort().Bound,
			})
		}
	}
	if s.Listen != off {
		all[chat.Web] = web.New(gate, web.Options{
			Listen: s.Listen, Open: s.RoomOpen, Proxies: s.RoomProxy, Log: log, Commands: completions(d.menu), Ready: d.ready,
			Observer: seen, Tables: d.tables, Elsewhere: d.elsewhere, Key: d.key, Doors: doorsOf(all), Public: string(s.PublicURL),
		})
	}
	return house{platforms: all, seen: seen, metrics: s.Metrics, log: log}
}

// doorsOf are the doors of the platforms that have one.
func doorsOf(all map[chat.Platform]adapters.Adapter) []door.Door {
	var doors []door.Door
	for _, one := range all {
		if has, ok := one.(interface{ Door() door.Door }); ok && has.Door() != nil {
			doors = append(doors, has.Door())
		}
	}
	return doors
}

// run serves all platforms, the clock and the operator, and lets leave what ended long ago. A platform that can't go on
// is left behind, as long as another goes on; the room is what the operator looks at, so its failure ends the rest.
func (h house) run(ctx context.Context) error {
	if len(h.platforms) == 0 {
		return noPlatform()
	}
	// The platforms are served until what is dealt has come to its end.
	open, shut := context.WithCancel(context.WithoutCancel(ctx))
	defer shut()
	group, serving := errgroup.WithContext(open)
	dealing, end := context.WithCancel(serving)
	defer end()
	stop := context.AfterFunc(ctx, func() {
		h.seen.End()
		end()
	})
	defer stop()
	group.Go(func() error {
		defer shut()
		return h.deal(dealing, h.show)
	})
	if h.told != nil {
		group.Go(func() error { h.told(serving); return nil })
	}
	group.Go(func() error { h.seen.Count(serving, h.count); return nil })
	if h.failed != nil {
		group.Go(func() error {
			err := h.failed(serving)
			if err != nil {
				h.log.Error("it can't go on, and ends", "error", err)
			}
			return err
		})
	}
	if h.members != nil {
		group.Go(func() error { h.seen.Members(serving, h.members); return nil })
	}
	for kind, one := range h.platforms {
		h.seen.Adapter(kind, one.Pulse)
	}
	if h.metrics != off {
		group.Go(func() error { return h.seen.Serve(serving, h.metrics) })
	}
	var left atomic.Int64
	left.Store(int64(len(h.platforms)))
	for kind, one := range h.platforms {
		group.Go(func() error {
			select {
			case <-h.begun:
			case <-serving.Done():
				return nil
			}
			err := one.Run(serving)
			if err == nil || kind == chat.Web || left.Add(-1) == 0 {
				return err
			}
			h.log.Error("a platform is not served", "platform", kind.Name(), "error", err)
			return nil
		})
	}
	return group.Wait()
}

// show gives what the clock has to say to the platform of its place.
func (h house) show(ctx context.Context, r chat.Response) {
	if len(r.Posts) == 0 {
		return
	}
	if one := h.platforms[r.Posts[0].In.Community.Platform]; one != nil {
		one.Show(ctx, r)
	}
}
