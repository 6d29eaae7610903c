package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"zevaka/bot"
	"zevaka/cmd/zevaka/watch"
	"zevaka/engine/games"
	"zevaka/storage/etcd"
)

// serve is the command that deals: in the room, and on the platforms whose tokens are set.
type serve struct{ settings }

// Run serves until the process is told to stop. A second signal ends it at once.
func (c *serve) Run() (err error) {
	signal.Ignore(syscall.SIGPIPE) // Nobody reading the log is no reason to stop dealing.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := c.log(os.Stderr)
	context.AfterFunc(ctx, stop)
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
	whole, err := c.open(ctx, c.New, log)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() {
		closing(whole, &err)
		if ctx.Err() != nil {
			log.Info("stopped")
		}
	}()
	store, held, leave, err := turn(ctx, whole, log)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	defer leave(&err)
	closeAdmin, err := openAdmin(socketOf(place.file), store, log)
	if err != nil {
		return err
	}
	defer closeAdmin()
	dealer, err := bot.New(held, bot.Options{
		Store: seen.Store(store), Games: games.All(), Pictures: true, Log: log, Observer: seen,
		Keep: time.Duration(c.Keep), SaveRecords: c.Archive.saver(), Contact: string(c.Contact), RoomOpen: c.RoomOpen,
	})
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("start the bot: %w", err)
	}
	all := c.house(dealer, dealer.Rested(held), seen, log)
	if cluster, ok := whole.(*etcd.Store); ok {
		all.members = cluster.Members
	}
	return all.run(held)
}

// traceTime is how long the last traces may take to be sent when the program ends.
const traceTime = time.Second

// welcome says where the room is. The address has the secret of its admins in it, so it goes to who has started the
// program, and to no log.
func welcome(url string) {
	fmt.Printf("Зевака deals at %s (Ctrl-C stops)\n", url)
}
