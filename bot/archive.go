package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"zevaka/bot/scores"
	"zevaka/engine"
	"zevaka/storage"
)

// Archive reads all tables of a store, for checks and reports. Nothing else may write to the store meanwhile.
type Archive struct {
	store storage.Store
	games map[string]engine.Rules
	// bot is only there to read moves.
	bot *Bot
}

// NewArchive is an archive of the tables of these games.
func NewArchive(store storage.Store, games []engine.Rules) *Archive {
	a := &Archive{store: store, games: map[string]engine.Rules{}, bot: &Bot{store: store}}
	for _, rules := range games {
		a.games[rules.Info().Name] = rules
	}
	return a
}

// each calls fn on every table, the open ones first.
func (a *Archive) each(ctx context.Context, fn func(key string, t *table, rules engine.Rules) error) error {
	return a.items(ctx, func(key string, t *table, rules engine.Rules, err error) error {
		if err != nil {
			return err
		}
		return fn(key, t, rules)
	})
}

// items calls fn on every table, the open ones first, also on those that can't be read, with why.
func (a *Archive) items(ctx context.Context, fn func(string, *table, engine.Rules, error) error) error {
	for _, prefix := range []string{openPrefix, endedPrefix} {
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

func (a *Archive) decode(item storage.Item, prefix string) (*table, engine.Rules, error) {
	id, ok := parseTableID(strings.TrimPrefix(item.Key, prefix))
	if !ok {
		return nil, nil, fmt.Errorf("%s: no table has this key", item.Key)
	}
	t, err := decodeTable(id, item.Value)
	if err != nil {
		return nil, nil, err
	}
	rules := a.games[t.Game]
	if rules == nil {
		return nil, nil, fmt.Errorf("%s: no game is called %q", item.Key, t.Game)
	}
	return t, rules, nil
}

// record is a table's deal as RECORDS.md has it; without an outcome if it was not played to its end.
func (a *Archive) record(ctx context.Context, t *table) (engine.Record, error) {
	moves, err := a.bot.line(ctx, t)
	if err != nil {
		return engine.Record{}, err
	}
	return engine.Record{
		Game: t.Game, Options: t.Options, Seats: len(t.Chairs), Seed: t.Seed, Cut: t.Cut, Moves: moves, Outcome: t.Result,
	}, nil
}

// Export calls each on the record of every deal that has ended, however it did.
func (a *Archive) Export(ctx context.Context, each func(engine.Record) error) error {
	return a.each(ctx, func(_ string, t *table, _ engine.Rules) error {
		if t.Phase != ended || t.Dealt == 0 {
			return nil
		}
		r, err := a.record(ctx, t)
		if err != nil {
			return err
		}
		return each(r)
	})
}

// Scores works out all scores again from what is carried forward and the tables that ended.
func (a *Archive) Scores(ctx context.Context) (*scores.Rebuilder, error) {
	again := scores.NewRebuilder()
	gone, err := a.forgotten(ctx)
	if err != nil {
		return nil, err
	}
	err = a.each(ctx, func(key string, t *table, rules engine.Rules) error {
		if t.Phase != ended {
			return nil
		}
		for _, f := range t.finishes(rules.Info().MaxSeats) {
			if *f.n == 0 || gone[keyForgetting(t.ledger(), f.user)] {
				continue // It ended before scores were kept, or the person is forgotten.
			}
			if err := again.Add(f.entry(t)); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return again, again.AddCarried(ctx, a.store)
}
