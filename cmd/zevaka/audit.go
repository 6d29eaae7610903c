package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
)

// archived are the settings of the commands that read a whole database: of a file that somebody serves they read a copy.
type archived struct{ database }

// read opens the database and calls fn on its tables.
func (c archived) read(fn func(ctx context.Context, store storage.Store, a *upkeep.Archive) error) error {
	return c.readIn(c.useCopy, fn)
}

// readIn is read of a database that is opened by use.
func (archived) readIn(use func(func(storage.Store) error) error, fn func(ctx context.Context, store storage.Store, a *upkeep.Archive) error) error {
	err := use(func(store storage.Store) error {
		a := upkeep.NewArchive(store, games.All())
		a.Apart = apart
		return fn(context.Background(), store, a)
	})
	if errors.Is(err, errInUse) {
		return fmt.Errorf("%w; while it serves read a backup", err)
	}
	return err
}

// apart calls do with each of the numbers from 0 to n-1, on all processors, and returns when all are done.
func apart(n int, do func(i int)) {
	var all sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		all.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	all.Wait()
}

// audit is the command that checks every chip.
type audit struct{ archived }

// errOff says how many things an audit or a comparison found; which was said before.
var errOff = errors.New("something is off")

// Run works out all balances again from the ledger, and every settlement from the moves, and prints the sums. What is
// off goes to standard error, one line each.
func (c *audit) Run(std streams) error {
	return c.read(func(ctx context.Context, _ storage.Store, a *upkeep.Archive) error {
		wrong := 0
		totals, err := a.Audit(ctx, func(p purse.Problem) {
			wrong++
			fmt.Fprintf(std.err, "zevaka: %s\n", p)
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(std.out, "%d communities, %d purses, %d postings, %d lines of history\n",
			totals.Communities, totals.Purses, totals.Postings, totals.Lines)
		fmt.Fprintf(std.out, "in purses %d + on tables %d + the house %d = %d chips\n",
			totals.Chips, totals.Laid, totals.House, totals.Chips+totals.Laid+totals.House)
		if wrong > 0 {
			return fmt.Errorf("%w: %d", errOff, wrong)
		}
		return nil
	})
}

// export is the command that prints the records of all deals that have ended.
type export struct{ archived }

// Run prints a record a line (RECORDS.md, "A record").
func (c *export) Run(std streams) error {
	return c.read(func(ctx context.Context, _ storage.Store, a *upkeep.Archive) error {
		out := bufio.NewWriter(std.out)
		err := a.Export(ctx, func(r engine.Record) error {
			rules, ok := games.ByName(r.Game)
			if !ok {
				return fmt.Errorf("no game is called %q", r.Game)
			}
			line, err := r.Marshal(rules.Info())
			if err != nil {
				return err
			}
			_, err = out.Write(append(line, '\n'))
			return err
		})
		return errors.Join(err, out.Flush())
	})
}

// rebuild is the command that works the scores out again from the tables.
type rebuild struct {
	archived
	Write bool `help:"Store what was worked out; without it the differences are only printed."`
}

// Run prints where the stored scores are not what the tables say, one line each, and stores the right ones if asked.
func (c *rebuild) Run(std streams) error {
	use := c.useCopy
	if c.Write {
		use = c.useAlone
	}
	return c.readIn(use, func(ctx context.Context, store storage.Store, a *upkeep.Archive) error {
		again, err := a.Scores(ctx)
		if err != nil {
			return err
		}
		wrong := 0
		err = again.Compare(ctx, store, func(d scores.Difference) {
			wrong++
			fmt.Fprintln(std.out, d)
		})
		if err != nil {
			return err
		}
		switch {
		case wrong == 0:
			fmt.Fprintln(std.out, "no difference")
		case c.Write:
			return again.Write(ctx, store)
		default:
			return fmt.Errorf("%w: %d", errOff, wrong)
		}
		return nil
	})
}
