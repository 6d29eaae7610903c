package play

import (
	"context"
	"errors"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// CommandBet stakes a sum. Who sits at several tables of the place means the one where they can stake now, and is told
// which that is; where it can be several they are offered.
func (b *Host) CommandBet(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	if _, err := words.ParseAmount(arg); err != nil {
		return chat.Response{}, err
	}
	tables, err := b.tables.Look(ctx, r.In)
	if err != nil {
		return chat.Response{}, err
	}
	do, fits := "!bet "+arg, b.InDeal(r.Who.ID, withBanker)
	tables = slices.DeleteFunc(tables, func(t *table.Table) bool { return !fits(t) })
	if len(tables) < 2 {
		return b.Choose(ctx, r, do, fits)
	}
	if tables, err = b.staking(ctx, r, tables); err != nil {
		return chat.Response{}, err
	}
	switch len(tables) {
	case 0:
		return chat.Response{}, table.ErrNoBet
	case 1:
		tok := table.Token{Table: tables[0].ID, Do: do}
		return b.tables.Do(ctx, r, tok, true)
	}
	return b.Choose(ctx, r, do, func(t *table.Table) bool {
		return slices.ContainsFunc(tables, func(can *table.Table) bool { return can.ID == t.ID })
	})
}

// staking are the tables at which the user can stake now; the one alone at which this very request has staked before.
func (b *Host) staking(ctx context.Context, r chat.Request, tables []*table.Table) ([]*table.Table, error) {
	var all []*table.Table
	for _, t := range tables {
		if t.Applied(table.Hash(r.ID)) {
			return []*table.Table{t}, nil
		}
		can, err := b.tables.CanBet(ctx, r, t.ID)
		var refused engine.Refusal
		if err != nil && !errors.As(err, &refused) {
			return nil, err
		}
		if can {
			all = append(all, t)
		}
	}
	return all, nil
}
