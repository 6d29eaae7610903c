package day

import (
	"context"
	"fmt"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// sumAtOnce is how many communities one Sum goes through, and dealsAtOnce how many deals one transaction of it.
const sumAtOnce, dealsAtOnce = 4, 40

// Sum adds to what is known of all communities of a store what has come in some of them since, and lets leave what is too old to be
// asked for. It reports whether there may be more to do. It may be broken off anywhere: the next goes on.
func (d *Days) Sum(ctx context.Context, s storage.Store) (more bool, err error) {
	items, err := s.Scan(ctx, keyspace.DayUnsummed, "", sumAtOnce)
	if err != nil {
		return false, fmt.Errorf("look for patiences of a day to sum up: %w", err)
	}
	if len(items) > 0 {
		if err := d.leave(ctx, s, everywhere); err != nil {
			return false, err
		}
	}
	for _, item := range items {
		if err := d.sumOf(ctx, s, item); err != nil {
			return false, err
		}
	}
	return len(items) == sumAtOnce, nil
}

// sumOf sums up one community, of which the note is that there is something to sum up. The note goes with the last of it, if it is
// still the same: who counts writes it anew.
func (d *Days) sumOf(ctx context.Context, s storage.Store, note storage.Item) error {
	origin := strings.TrimPrefix(note.Key, keyspace.DayUnsummed)
	if err := d.leave(ctx, s, origin); err != nil {
		return err
	}
	keys, err := tallyKeys(ctx, s, origin)
	if err != nil {
		return err
	}
	for from := 0; ; from += dealsAtOnce {
		some, last := keys[min(from, len(keys)):min(from+dealsAtOnce, len(keys))], from+dealsAtOnce >= len(keys)
		err := storage.Update(ctx, s, func(tx storage.Tx) error {
			if last {
				now, err := tx.Get(note.Key)
				if err != nil {
					return err
				}
				if now[0].Rev == note.Rev {
					tx.Delete(note.Key)
				}
			}
			for _, key := range some {
				if err := addTo(tx, key, origin); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("sum up the patiences of a day of community %s: %w", origin, err)
		}
		if last {
			return nil
		}
	}
}

// addTo adds to the tally of all communities what one has counted since.
func addTo(tx storage.Tx, key, origin string) error {
	day, game, ok := parseTally(key, origin)
	own, err := storage.GetJSON[stored](tx, key)
	if err != nil || !ok {
		return err
	}
	news := own.minus(own.Summed)
	if news.isZero() {
		return nil
	}
	all, err := storage.GetJSON[Tally](tx, keyTally(everywhere, day, game))
	if err != nil {
		return err
	}
	own.Summed = own.Tally
	if err := storage.PutJSON(tx, keyTally(everywhere, day, game), all.Plus(news)); err != nil {
		return err
	}
	return storage.PutJSON(tx, key, own)
}

// tallyKeys are the keys of a community's tallies.
func tallyKeys(ctx context.Context, s storage.Store, origin string) ([]string, error) {
	var keys []string
	for items, err := range storage.Pages(ctx, s, keyspace.DayTallies+origin+"/") {
		if err != nil {
			return nil, fmt.Errorf("read the patiences of a day of community %s: %w", origin, err)
		}
		for _, item := range items {
			keys = append(keys, item.Key)
		}
	}
	return keys, nil
}

// leave lets the tallies of a community leave that are of days of which nobody's results are kept any more.
func (d *Days) leave(ctx context.Context, s storage.Store, origin string) error {
	items, err := s.Scan(ctx, keyspace.DayTallies+origin+"/", "", dealsAtOnce)
	if err != nil {
		return fmt.Errorf("look for old patiences of a day: %w", err)
	}
	oldest := d.Today() - kept
	err = storage.Update(ctx, s, func(tx storage.Tx) error {
		for _, item := range items {
			if day, _, ok := parseTally(item.Key, origin); ok && day < oldest {
				tx.Delete(item.Key)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("let old patiences of a day leave: %w", err)
	}
	return nil
}
