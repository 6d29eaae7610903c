package bot

import (
	"context"
	"errors"
	"slices"

	"zevaka/engine"
)

// commandBet stakes a sum. Who sits at several tables of the place means the one where they can stake now, and is told
// which that is; where it can be several they are offered.
func (b *Bot) commandBet(ctx context.Context, r Request, arg string) (Response, error) {
	if _, err := parseAmount(arg); err != nil {
		return Response{}, err
	}
	tables, err := b.look(ctx, r.In)
	if err != nil {
		return Response{}, err
	}
	do, fits := "!bet "+arg, b.inDeal(r.Who.ID, true)
	tables = slices.DeleteFunc(tables, func(t *table) bool { return !fits(t) })
	if len(tables) < 2 {
		return b.choose(ctx, r, do, fits)
	}
	if tables, err = b.staking(ctx, r, tables); err != nil {
		return Response{}, err
	}
	switch len(tables) {
	case 0:
		return Response{}, errNoBet
	case 1:
		tok := token{Table: tables[0].id, Do: do}
		return b.at(ctx, r, tok.Table, func(v *visit) error {
			v.picked = true
			return v.do(ctx, tok)
		})
	}
	return b.choose(ctx, r, do, func(t *table) bool {
		return slices.ContainsFunc(tables, func(can *table) bool { return can.id == t.id })
	})
}

// staking are the tables at which the user can stake now; the one alone at which this very request has staked before.
func (b *Bot) staking(ctx context.Context, r Request, tables []*table) ([]*table, error) {
	var all []*table
	for _, t := range tables {
		if t.applied(r.ID) {
			return []*table{t}, nil
		}
		can := false
		_, err := b.at(ctx, r, t.id, func(v *visit) error {
			state, seat, err := v.seated(ctx)
			can = err == nil && v.amountVerb(state, seat) != ""
			return err
		})
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
