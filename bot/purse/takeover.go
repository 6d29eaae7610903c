package purse

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// TakeOver gives people in one community what they hold beyond First in another that turns out to be the same: by a grant what the house gave there, and paid back what they won. Called again, as after
// a crash, it gives nobody the same again as long as postings are kept. The other's ledger stays as it is. It returns how many purses that are,
// and how many chips.
func TakeOver(ctx context.Context, s storage.Store, from, to string, now int64) (purses int, chips int64, err error) {
	prefix := keyspace.Accounts + from + "/"
	for items, err := range storage.Pages(ctx, s, prefix+"u") {
		if err != nil {
			return purses, chips, fmt.Errorf("read the purses of %s: %w", from, err)
		}
		for _, item := range items {
			p, err := decodePurse(item.Key, item.Value)
			if err != nil {
				return purses, chips, err
			}
			user, ok := Account(strings.TrimPrefix(item.Key, prefix)).User()
			if p.User = user; !ok || p.Balance <= firstChips {
				continue
			}
			posted := false
			err = storage.Update(ctx, s, func(tx storage.Tx) (err error) {
				posted, err = Ledger{Tx: tx, Community: to, Now: now}.takeOver(from, p)
				return err
			})
			if err != nil {
				return purses, chips, fmt.Errorf("take purse %s over: %w", item.Key, err)
			}
			if posted {
				purses, chips = purses+1, chips+p.Balance-firstChips
			}
		}
	}
	return purses, chips, nil
}

func (l Ledger) takeOver(from string, p Purse) (posted bool, err error) {
	id := "moved/" + from + "/" + strconv.FormatInt(p.User, 36)
	was, err := l.Tx.Get(keyPosting(l.Community, id), keyPosting(l.Community, id+"/given"))
	if err != nil || was[0].Rev != 0 || was[1].Rev != 0 {
		return false, err
	}
	if _, err = l.Open(p.User, p.Name); err == nil {
		err = SeenName(l.Tx, l.Community, p.User, p.Name)
	}
	if err != nil {
		return false, err
	}
	more := p.Balance - firstChips
	given := min(more, p.Given)
	if given > 0 {
		posted, err = l.Grant(id+"/given", p.User, given)
	}
	if err != nil || given == more {
		return posted, err
	}
	return l.Post(id, Cause{Kind: KindRefund}, Leg{Account: House, Amount: given - more}, Leg{Account: User(p.User), Amount: more - given})
}
