package purse

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// NameIn is the name in the item of a purse, with whose it is in which community; an empty one if there is none.
func NameIn(item storage.Item) (community string, user int64, name string) {
	community, account, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.Accounts), "/")
	user, ok := Account(account).User()
	if !ok {
		return "", 0, ""
	}
	p, err := decodePurse(item.Key, item.Value)
	if err != nil {
		return "", 0, ""
	}
	return community, user, p.Name
}

// Settlement is what a posting at a table has changed in purses.
type Settlement struct {
	// Key is where the posting lies.
	Key string
	Cause
	// Purses are the changes by user.
	Purses map[int64]int64
}

// AtTable returns what the postings of a table have changed, in order of deals and moves: those whose ID is that of a
// Cause at the table, or begins with it. Those that can't be read are left to Audit.
func (b Book) AtTable(ctx context.Context, table string) ([]Settlement, error) {
	var all []Settlement
	for items, err := range storage.Pages(ctx, b.Store, keyspace.Postings+b.Community+"/"+table+"/") {
		if err != nil {
			return nil, fmt.Errorf("read the postings of table %s: %w", table, err)
		}
		for _, item := range items {
			p, err := decodePosting(item.Key, item.Value)
			if err != nil {
				continue
			}
			s := Settlement{Key: item.Key, Cause: p.Cause, Purses: map[int64]int64{}}
			for _, leg := range p.Legs {
				if user, ok := leg.Account.User(); ok {
					s.Purses[user] += leg.Amount
				}
			}
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Settlement) int {
		return cmp.Or(cmp.Compare(a.Deal, b.Deal), cmp.Compare(a.Move, b.Move), strings.Compare(a.Key, b.Key))
	})
	return all, nil
}

// Tables calls each on every table in the store at which chips have moved, by the postings. Those that can't be read are
// left to Audit.
func Tables(ctx context.Context, s storage.Store, each func(community, table string) error) error {
	for after := ""; ; {
		items, err := s.Scan(ctx, keyspace.Postings, after, 1)
		if err != nil {
			return fmt.Errorf("look for tables in the ledger: %w", err)
		}
		if len(items) == 0 {
			return nil
		}
		parts := strings.SplitN(items[0].Key, "/", 4)
		community, first := parts[1], parts[min(2, len(parts)-1)]
		p, err := decodePosting(items[0].Key, items[0].Value)
		if err == nil && p.Table == first {
			if err := each(community, p.Table); err != nil {
				return err
			}
		}
		// What begins with a key and "/" comes before the same key and "0".
		after = keyspace.Postings + community + "/" + first + "0"
	}
}
