package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sync/errgroup"

	"zevaka/bot"
	"zevaka/bot/clock"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/etcd"
)

// copying is the command that moves a database which nobody serves: from a file to a cluster, or back.
type copying struct {
	access
	From string `arg:"" help:"The database: bolt:FILE, or etcd://HOST:PORT,HOST:PORT/PREFIX."`
	To   string `arg:"" help:"Where it goes, in the same way; there must be nothing yet."`
}

// Run copies, compares, audits what came of it, and says in one line how much it is.
func (c *copying) Run(std streams) error {
	ctx, stop := interrupted()
	defer stop()
	from, err := parsePlace(c.From)
	if err != nil {
		return err
	}
	to, err := parsePlace(c.To)
	if err != nil {
		return err
	}
	var items int
	source := database{DB: from.file, access: c.access}
	if from.file == "" {
		source.Store = c.From
	}
	err = source.useAlone(func(store storage.Store) error {
		if to.file != "" {
			items, err = toFile(ctx, to.file, store)
			return err
		}
		items, err = c.toCluster(ctx, to.cluster, store, std.err)
		if file, ok := store.(*bolt.Store); ok && err == nil && !file.CopiedAt().IsZero() {
			err = closeKnown(ctx, database{Store: c.To, access: c.access}, file.CopiedAt())
		}
		return err
	})
	if errors.Is(err, errInUse) {
		return fmt.Errorf("%w; stop it first, or what is played meanwhile isn't copied", err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s: %d items, compared and audited: all in order. Serve it with --store %s\n", to, items, c.To)
	return nil
}

// toFile copies a store to a file, which appears when all is in order.
func toFile(ctx context.Context, file string, from storage.Store) (int, error) {
	r, err := bolt.Save(file, false, func(w io.Writer) error {
		return errors.Join(audited(ctx, from), writeFile(ctx, from, file, w))
	})
	return r.Items, err
}

// toCluster copies a store to a part of a cluster, which can be opened when all is in order. It goes on with a copy that was broken off.
func (c *copying) toCluster(ctx context.Context, at etcd.Address, from storage.Store, out io.Writer) (items int, err error) {
	soon, cancel := context.WithTimeout(ctx, commandWait)
	defer cancel()
	to, err := c.openCluster(soon, at, etcd.Options{Filling: true, CallTime: commandWait})
	if err != nil {
		return 0, err
	}
	defer closing(to, &err)
	how := storage.Copying{GoOn: true, Apart: atOnce, Told: progress(out)}
	items, err = storage.Read(ctx, from, func(r storage.Reader) (int, error) { return storage.Copy(ctx, to, r, how) })
	if err == nil {
		err = carry(ctx, to, from)
	}
	if err != nil {
		return 0, err
	}
	if err := audited(ctx, to); err != nil {
		return 0, err
	}
	return items, to.Filled(ctx)
}

// closeKnown closes in a cluster the games that a bot closes which goes on from a backup, and the tables that wait for one: nothing tells that
// bot to draw anew.
func closeKnown(ctx context.Context, at database, copied time.Time) error {
	return at.useAlone(func(store storage.Store) error {
		one, err := bot.New(ctx, bot.Options{Store: store, Games: games.All(), Copied: copied})
		if err != nil {
			return fmt.Errorf("start the bot: %w", err)
		}
		chats, err := one.Chats(ctx)
		if err != nil {
			return err
		}
		for c := range chats {
			tables, err := one.OpenIn(ctx, c)
			if err != nil {
				return err
			}
			for _, t := range tables {
				if !t.IsKnown(copied) && (t.Phase != table.Lobby || t.Opened > copied.Unix()) {
					continue
				}
				if _, err := one.Close(ctx, t.ID); err != nil {
					return fmt.Errorf("close table %s: %w", t.ID, err)
				}
			}
		}
		return nil
	})
}

// copiesAtOnce is how many transactions of a copy are under way at a time.
const copiesAtOnce = 8

// atOnce calls do with each of the numbers from 0 to n-1, several at a time, and returns when all are done.
func atOnce(n int, do func(i int)) {
	var group errgroup.Group
	group.SetLimit(copiesAtOnce)
	for i := range n {
		group.Go(func() error { do(i); return nil })
	}
	_ = group.Wait() // None returns an error.
}

// copyTellsEvery is how far apart a copy says how far it is.
const copyTellsEvery = 2 * time.Second

// progress says now and then how much was copied.
func progress(out io.Writer) func(items int) {
	last := time.Now()
	return func(items int) {
		if time.Since(last) >= copyTellsEvery {
			last = time.Now()
			fmt.Fprintf(out, "zevaka: %d items so far\n", items)
		}
	}
}

// carry brings what each part of a cluster has for itself to a copy of it. The parts have clocks of their own; the copy has the one that is
// ahead, so that nobody has to wait longer for a turn to end. Who is blocked in one is blocked in the copy.
func carry(ctx context.Context, to, from storage.Store) error {
	cluster, ok := from.(*etcd.Store)
	if !ok {
		return nil
	}
	clocks, err := cluster.Own(ctx, keyspace.RunningTime)
	if err == nil && len(clocks) > 0 {
		err = clock.Carry(ctx, to, clocks)
	}
	if err != nil {
		return err
	}
	blocked, err := cluster.Own(ctx, keyspace.Blocked)
	if err == nil && len(blocked) > 0 {
		err = bot.CarryBlocked(ctx, to, blocked)
	}
	return err
}

// audited returns an error for the first thing that an audit finds.
func audited(ctx context.Context, store storage.Store) error {
	var first error
	_, err := upkeep.NewArchive(store, games.All()).Audit(ctx, func(p purse.Problem) {
		if first == nil {
			first = fmt.Errorf("the audit finds: %s", p)
		}
	})
	return errors.Join(err, first)
}
