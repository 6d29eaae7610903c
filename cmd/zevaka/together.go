package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/web"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/upkeep"
	"zevaka/cmd/zevaka/share"
	"zevaka/cmd/zevaka/watch"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/etcd"
)

const (
	// leaveTime is how long letting go may take at the end.
	leaveTime = 2 * time.Second
	// partStates is how many tables of a part are kept in memory with their states.
	partStates = 100
)

// together serves a database in a cluster with all other processes that do: each its share of it.
func (c *serve) together(ctx context.Context, cluster *etcd.Store, seen *watch.Watch, log *slog.Logger) (err error) {
	operator := &admin{missing: seen.Missing, log: log}
	closeAdmin, err := operator.open(c.socket(place{}))
	if err != nil {
		return err
	}
	defer closeAdmin()
	menu, err := bot.NewMenu(games.All())
	if err != nil {
		return err
	}
	key, err := cluster.Secret(ctx)
	if err != nil {
		return err
	}
	options := c.bot(seen, log)
	options.States, options.SaveRecords, options.Beside = partStates, oneByOne(options.SaveRecords), etcd.Parts-1
	mine, err := share.Join(ctx, cluster, share.Options{
		Listen: c.PeersListen, Address: c.PeersAddress, Words: menu.Words(), Log: log, Obey: operator.obey,
		Open: func(ctx context.Context, part storage.Store, serves func(chat.Community) bool) (*bot.Bot, error) {
			own := options
			own.Serves, own.Store = serves, bot.Remember(seen.Timed(part))
			return c.tuned.open(ctx, own)
		},
	})
	if err != nil {
		return err
	}
	defer func() {
		cause := context.Cause(mine.Context())
		denied := errors.Is(cause, etcd.ErrDenied)
		if denied || errors.Is(cause, etcd.ErrLost) {
			err = errors.Join(err, cause)
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		defer cancel()
		if failed := mine.Leave(last); failed != nil && !denied {
			log.Warn("others take over only in a while", "error", failed)
		}
	}()
	seen.Probe(cluster)
	all := c.house(dealer{Handler: mine, menu: menu, tables: mine.Live, share: mine, elsewhere: mine, key: key, ready: c.welcome(log), tuned: &c.tuned}, seen, log)
	all.deal, all.count, all.told, all.failed, all.members, all.begun = mine.Run, mine.Count, c.told, mine.Failed, cluster.Members, mine.Begun()
	c.ears.Store(&all.platforms)
	sharing := map[chat.Platform]adapters.Shared{}
	var room http.Handler
	for kind, one := range all.platforms {
		if shared, ok := one.(adapters.Shared); ok {
			sharing[kind] = shared
		}
		if r, ok := one.(*web.Room); ok {
			room = r.Relayed()
			operator.room.Store(r)
		}
	}
	mine.Serve(sharing, room)
	c.tuned.deals(mine.Bots)
	operator.deals.Store(&dealing{bots: mine.Bots, serves: mine.Serves, platforms: all.platforms, everywhere: mine.Everywhere, tuned: &c.tuned})
	return all.run(mine.Context())
}

// oneByOne saves records of one deal after the other: a folder is for one that writes.
func oneByOne(save func(context.Context, []upkeep.Saved) error) func(context.Context, []upkeep.Saved) error {
	if save == nil {
		return nil
	}
	var mu sync.Mutex
	return func(ctx context.Context, records []upkeep.Saved) error {
		mu.Lock()
		defer mu.Unlock()
		return save(ctx, records)
	}
}
