package upkeep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"zevaka/bot/account"
	"zevaka/bot/keyspace"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// Archive reads all tables of a store, for checks and reports. Nothing else may write to the store meanwhile.
type Archive struct {
	store storage.Store
	games map[string]engine.Rules
	// seats is how many each game has at most.
	seats map[string]int
	// Apart calls do with each of the numbers from 0 to n-1, maybe several at a time, and returns when all are done. It may be nil:
	// then that is done one after the other.
	Apart func(n int, do func(i int))
	// bot is only there to read moves.
	index *table.Index
}

// NewArchive is an archive of the tables of these games.
func NewArchive(store storage.Store, games []engine.Rules) *Archive {
	a := &Archive{store: store, games: map[string]engine.Rules{}, seats: map[string]int{}, index: table.NewIndex(store, slog.New(slog.DiscardHandler))}
	for _, rules := range games {
		info := rules.Info()
		a.games[info.Name], a.seats[info.Name] = rules, info.MaxSeats
	}
	return a
}

// Each calls fn on every table, the open ones first.
func (a *Archive) Each(ctx context.Context, fn func(key string, t *table.Table, rules engine.Rules) error) error {
	return a.items(ctx, func(key string, t *table.Table, rules engine.Rules, err error) error {
		if err != nil {
			return err
		}
		return fn(key, t, rules)
	})
}

// items calls fn on every table, the open ones first, also on those that can't be read, with why.
func (a *Archive) items(ctx context.Context, fn func(string, *table.Table, engine.Rules, error) error) error {
	for _, prefix := range []string{keyspace.OpenTables, keyspace.EndedTables} {
		for items, err := range storage.Pages(ctx, a.store, prefix) {
			var damaged storage.Damaged
			switch {
			case errors.As(err, &damaged):
				if err := fn(damaged.Key, nil, nil, err); err != nil {
					return err
				}
			case err != nil:
				return fmt.Errorf("read the tables: %w", err)
			}
			for _, item := range items {
				t, rules, err := a.decode(item, prefix)
				if err := fn(item.Key, t, rules, err); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (a *Archive) decode(item storage.Item, prefix string) (*table.Table, engine.Rules, error) {
	id, ok := table.ParseID(strings.TrimPrefix(item.Key, prefix))
	if !ok {
		return nil, nil, fmt.Errorf("%s: no table has this key", item.Key)
	}
	t, err := table.Decode(id, item.Value)
	if err != nil {
		return nil, nil, err
	}
	rules := a.games[t.Game]
	if rules == nil {
		return nil, nil, fmt.Errorf("%s: no game is called %q", item.Key, t.Game)
	}
	return t, rules, nil
}

// record is a table's deal (RECORDS.md, "A record"); without an outcome if it is not over.
func (a *Archive) record(ctx context.Context, rules engine.Rules, t *table.Table) (engine.Record, error) {
	moves, err := table.ReadLine(ctx, a.store, t)
	if err != nil {
		return engine.Record{}, err
	}
	return table.RecordOf(rules, t, moves), nil
}

// Export calls each on the record of every deal that has ended, however it did. What can't be read of one keeps no other from it: the
// error names them in the end.
func (a *Archive) Export(ctx context.Context, each func(engine.Record) error) error {
	var failed error
	err := a.items(ctx, func(_ string, t *table.Table, rules engine.Rules, err error) error {
		if err == nil && (t.Phase != table.Ended || t.Dealt == 0) {
			return nil
		}
		var r engine.Record
		if err == nil {
			r, err = a.record(ctx, rules, t)
		}
		switch {
		case errors.Is(err, storage.ErrUnavailable) && !storage.IsDamaged(err):
			return err
		case err != nil:
			failed = errors.Join(failed, err)
			return nil
		}
		return each(r)
	})
	return errors.Join(err, failed)
}

// Scores works out all scores again from what is carried forward and the tables that ended.
func (a *Archive) Scores(ctx context.Context) (*scores.Rebuilder, error) {
	again := scores.NewRebuilder()
	gone, err := a.forgotten(ctx)
	if err != nil {
		return nil, err
	}
	err = a.finishes(ctx, gone, again.Add)
	if err != nil {
		return nil, err
	}
	return again, again.AddCarried(ctx, a.store)
}

// finishes calls each on what the scores count of all tables that ended, but for those who are gone. Tables are read apart from
// each other, a page at a time, and what is said of them comes in their order.
func (a *Archive) finishes(ctx context.Context, gone map[string]bool, each func(scores.Entry) error) error {
	apart := a.Apart
	if apart == nil {
		apart = func(n int, do func(int)) {
			for i := range n {
				do(i)
			}
		}
	}
	for _, prefix := range []string{keyspace.OpenTables, keyspace.EndedTables} {
		for items, err := range storage.Pages(ctx, a.store, prefix) {
			if err != nil {
				return fmt.Errorf("read the tables: %w", err)
			}
			entries, failed := make([][]scores.Entry, len(items)), make([]error, len(items))
			apart(len(items), func(i int) { entries[i], failed[i] = a.counted(items[i], prefix, gone) })
			for i, item := range items {
				if failed[i] != nil {
					return failed[i]
				}
				for _, e := range entries[i] {
					if err := each(e); err != nil {
						return fmt.Errorf("%s: %w", item.Key, err)
					}
				}
			}
		}
	}
	return nil
}

// counted are what the scores count of a table, but for those who are gone.
func (a *Archive) counted(item storage.Item, prefix string, gone map[string]bool) (entries []scores.Entry, err error) {
	t, _, err := a.decode(item, prefix)
	if err != nil || t.Phase != table.Ended {
		return nil, err
	}
	for _, f := range t.Finishes(a.seats[t.Game]) {
		if *f.N == 0 || len(gone) > 0 && gone[table.KeyForgetting(t.Origin(), f.User)] {
			continue // It ended before scores were kept, or the person is forgotten.
		}
		entries = append(entries, f.Entry(t))
	}
	return entries, nil
}

// forgotten are those whose scores are gone though tables may still tell of them.
func (a *Archive) forgotten(ctx context.Context) (map[string]bool, error) {
	gone := map[string]bool{}
	for items, err := range storage.Pages(ctx, a.store, keyspace.Forgetting) {
		if err != nil {
			return nil, fmt.Errorf("read who is being forgotten: %w", err)
		}
		for _, item := range items {
			var f account.Forgetting
			if err := json.Unmarshal(item.Value, &f); err != nil {
				return nil, fmt.Errorf("decode %s: %w", item.Key, err)
			}
			gone[item.Key] = f.Scores
		}
	}
	return gone, nil
}
