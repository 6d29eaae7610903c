package purse

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// TakeOver moves what people hold beyond First in one community to another that turns out to be the same: as a grant what the house gave there, and
// paid back what they won. Each purse moves in one transaction, so that nothing is there twice however often it is called. It returns how many
// purses that are, and how many chips. What keeps a purse where it is goes to report; the error is one after which the others can't be read either.
func TakeOver(ctx context.Context, s storage.Store, from, to string, now int64, report func(key string, err error)) (purses int, chips int64, err error) {
	prefix := keyspace.Accounts + from + "/"
	for items, err := range storage.Pages(ctx, s, prefix+"u") {
		if err != nil && !storage.IsDamaged(err) {
			return purses, chips, fmt.Errorf("read the purses of %s: %w", from, err)
		}
		for _, item := range items {
			user, ok := Account(strings.TrimPrefix(item.Key, prefix)).User()
			if !ok {
				continue
			}
			more := int64(0)
			err := storage.Update(ctx, s, func(tx storage.Tx) (err error) {
				more, err = takeOver(Ledger{Tx: tx, Community: from, Now: now}, Ledger{Tx: tx, Community: to, Now: now}, user)
				return err
			})
			switch {
			case errors.Is(err, storage.ErrUnavailable) || ctx.Err() != nil:
				return purses, chips, fmt.Errorf("take purse %s over: %w", item.Key, err)
			case err != nil:
				report(item.Key, err)
			case more > 0:
				purses, chips = purses+1, chips+more
			}
		}
	}
	return purses, chips, nil
}

// takeOver moves what a user holds beyond First, and returns how much that is.
func takeOver(from, to Ledger, user int64) (more int64, err error) {
	all, err := from.Purses(user)
	if err != nil {
		return 0, err
	}
	p := all[0]
	if more = min(p.Balance-firstChips, MaxAmount); more <= 0 {
		return 0, nil
	}
	if _, err = to.Open(user, p.Name); err == nil {
		err = SeenName(to.Tx, to.Community, user, p.Name)
	}
	if err != nil {
		return 0, err
	}
	id, given := "moved/"+from.Community+"/"+strconv.FormatInt(user, 36)+"/"+strconv.FormatInt(p.Entries, 36), min(more, p.Given)
	for _, part := range []struct {
		ledger Ledger
		kind   string
		amount int64
	}{{from, KindRefund, -more}, {to, KindGrant, given}, {to, KindRefund, more - given}} {
		if part.amount == 0 {
			continue
		}
		_, err := part.ledger.Post(id+"/"+part.kind, Cause{Kind: part.kind}, Leg{Account: House, Amount: -part.amount}, Leg{Account: User(user), Amount: part.amount})
		if err != nil {
			return 0, err
		}
	}
	return more, nil
}
