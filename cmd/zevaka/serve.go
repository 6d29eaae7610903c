package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"zevaka/adapters"
	"zevaka/adapters/web"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/cmd/zevaka/watch"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/etcd"
)

// addTime is how long a pack isn't dealt though its cutter has cut, so that the others can add something: RECORDS.md, "Cards, packs,
// shuffles".
const addTime = 5 * time.Second

// serve is the command that deals: in the room, and on the platforms whose tokens are set.
type serve struct {
	settings
	out io.Writer
	// fixed says that a file of settings names the database.
	fixed bool
	// told says what database was opened; nil says nothing.
	told func(context.Context)
	// tuned is what can be changed while it serves, and call how it was called; nil for nobody who could read that again.
	tuned tuning
	call  *kong.Context
	// ears are the adapters by which the bot hears, once they are there.
	ears atomic.Pointer[map[chat.Platform]adapters.Adapter]
}

// hearer is the adapter by which the bot hears from a platform; nil for one that always hears.
func (c *serve) hearer(of chat.Platform) adapters.Hearer {
	if all := c.ears.Load(); all != nil {
		one, _ := (*all)[of].(adapters.Hearer)
		return one
	}
	return nil
}

// deaf is for how long a community's platform has brought nothing.
func (c *serve) deaf(of chat.Community) time.Duration {
	if one := c.hearer(of.Platform); one != nil {
		return one.Deaf(of)
	}
	return 0
}

// late is for how long a table's platform has not shown, or did not before, whose turn it is, and for how long it has.
func (c *serve) late(in chat.Place, of table.ID) (late, shown time.Duration) {
	if one := c.hearer(in.Community.Platform); one != nil {
		return one.Late(in, of.String())
	}
	return 0, 0
}

// stopMost is how long a stop may take. Whatever somebody was told is on the disk, so what isn't done by then may be left.
const stopMost = 4500 * time.Millisecond

// sameWish is how soon after a signal another one is the same wish: wrappers tell a process and its group.
const sameWish = time.Second / 2

// Run serves until the process is told to stop. A second signal ends it at once, but for one that comes with the first.
func (c *serve) Run(call *kong.Context, std streams) error {
	c.call = call
	c.fixed = inFile(call, "db") || inFile(call, "store")
	heedMemory()
	signal.Ignore(syscall.SIGPIPE) // Nobody reading the log is no reason to stop dealing.
	said := newAside(std.err)
	defer said.end()
	std.err = said
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if term.IsTerminal(int(os.Stdin.Fd())) && !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP) // The terminal is closed.
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	context.AfterFunc(ctx, func() { time.AfterFunc(sameWish, stop) })
	return endInTime(ctx, c.log(std.err, &c.tuned.level), func() error { return c.serve(ctx, std) })
}

// endInTime calls run, and leaves what isn't done some seconds after ctx has ended. What goes wrong after that is said, and no failure:
// nobody has to do anything about it.
func endInTime(ctx context.Context, log *slog.Logger, run func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- run() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		if err != nil {
			log.Warn("it has stopped, and not all went well", "error", err)
		}
	case <-time.After(stopMost):
		log.Warn("it has stopped, and left what would have taken longer; nothing is lost that somebody was told")
	}
	return nil
}

// serve serves until ctx ends.
func (c *serve) serve(ctx context.Context, std streams) (err error) {
	c.out = std.out
	c.tuned.begin(c.settings)
	log := c.log(std.err, &c.tuned.level)
	defer c.minding(log)()
	if c.call != nil {
		for _, name := range unread(c.call.Model.Node) {
			log.Warn("no setting has this variable of the environment (zevaka config lists all)", "variable", name)
		}
	}
	build := thisBuild()
	traces, err := watch.NewTraces(build.version, log)
	if err != nil {
		return err
	}
	seen := watch.New(watch.Options{
		Log: log, Version: build.version, Revision: build.commit(), Go: build.golang, Traces: traces,
	})
	defer func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceTime)
		defer cancel()
		err = errors.Join(err, traces.Close(last))
	}()
	if err := c.Archive.check(); err != nil {
		return err
	}
	place, err := c.place()
	if err != nil {
		return err
	}
	whole, made, err := c.begin(ctx, place, log)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	c.told = func(ctx context.Context) { tellStore(ctx, whole, place, made, build, log) }
	defer func() {
		closing(whole, &err)
		if ctx.Err() != nil {
			log.Info("stopped")
		}
	}()
	if cluster, ok := whole.(*etcd.Store); ok {
		return c.together(ctx, cluster, seen, log)
	}
	return c.alone(ctx, whole, place, seen, log)
}

// minding has SIGHUP have the settings read again, until it is called. A terminal that is closed ends what was started in it, as ever.
func (c *serve) minding(log *slog.Logger) (stop func()) {
	if term.IsTerminal(int(os.Stdin.Fd())) {
		return func() {}
	}
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	var minds sync.WaitGroup
	minds.Go(func() {
		for range heard {
			if c.call != nil {
				c.call = c.tuned.reload(c.call, log)
			}
		}
	})
	return func() {
		signal.Stop(heard)
		close(heard)
		minds.Wait()
	}
}

// alone serves a database in a file, which has only one that does.
func (c *serve) alone(ctx context.Context, store storage.Store, at place, seen *watch.Watch, log *slog.Logger) error {
	operator := &admin{missing: seen.Missing, log: log, file: resolved(at.file)}
	operator.store, _ = store.(io.WriterTo)
	closeAdmin, err := operator.open(c.socket(at))
	if err != nil {
		return err
	}
	defer closeAdmin()
	options := c.bot(seen, log)
	options.Store = seen.Store(store)
	file, isFile := store.(*bolt.Store)
	if isFile {
		options.Copied = file.CopiedAt()
	}
	one, err := bot.New(ctx, options)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("start the bot: %w", err)
	}
	all := c.house(dealer{
		Handler: one, menu: one.Menu, tables: func(chat.Community) *live.Tables { return one.Live() }, share: adapters.Alone{}, ready: c.welcome(log), tuned: &c.tuned,
	}, seen, log)
	c.ears.Store(&all.platforms)
	if r, ok := all.platforms[chat.Web].(*web.Room); ok {
		operator.room.Store(r)
	}
	bots := func(chat.Community) ([]*bot.Bot, error) { return []*bot.Bot{one}, nil }
	c.tuned.deals(bots)
	operator.deals.Store(&dealing{
		bots: bots, serves: adapters.Alone{}.Serves, platforms: all.platforms, tuned: &c.tuned,
	})
	all.deal, all.count, all.told, all.begun = dealsAlone(one), one.Count, c.told, begun()
	if isFile {
		all.failed = file.Failed
	}
	return all.run(ctx)
}

// bot are the options of a bot, but for its store.
func (c *serve) bot(seen *watch.Watch, log *slog.Logger) bot.Options {
	keep, contact := c.tuned.kept()
	return bot.Options{
		Games: games.All(), Deals: calendar{}, Pictures: true, Log: log, Observer: seen,
		Keep: keep, AddTime: addTime, SaveRecords: c.Archive.saver(), Contact: contact, RoomOpen: c.RoomOpen,
		Deaf: c.deaf, Late: c.late,
	}
}

// begun is closed.
func begun() <-chan struct{} {
	now := make(chan struct{})
	close(now)
	return now
}

// dealsAlone is all that a bot does by itself.
func dealsAlone(one *bot.Bot) func(context.Context, func(context.Context, chat.Response)) error {
	return func(ctx context.Context, show func(context.Context, chat.Response)) error {
		group, serving := errgroup.WithContext(ctx)
		group.Go(func() error { return one.Run(serving, show) })
		group.Go(func() error { one.Retain(serving); return nil })
		group.Go(func() error { one.RunTasks(serving); return nil })
		group.Go(func() error { one.Announce(serving, show); return nil })
		return group.Wait()
	}
}

// traceTime is how long the last traces may take to be sent when the program ends.
const traceTime = time.Second / 2

// welcome says where the room is. The address has the secret of its admins in it, so all of it goes to a terminal alone: what else is
// printed ends in some log.
func (c *serve) welcome(log *slog.Logger) func(url string) {
	return func(url string) {
		terminal, ok := c.out.(*os.File)
		switch bare, _, _ := strings.Cut(url, "#"); {
		case ok && term.IsTerminal(int(terminal.Fd())):
			fmt.Fprintf(c.out, "Зевака deals at %s (Ctrl-C stops)\n", url)
		case c.LogFormat == "json":
			log.Info("the room is open; zevaka admin prints the address of its admin", "url", bare)
		default:
			fmt.Fprintf(c.out, "Зевака deals at %s (zevaka admin prints the address of its admin)\n", bare)
		}
	}
}
