package purse

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/storage"
)

// Named returns the purses whose users were called so when seen last, whatever the case of the letters, in order of
// their keys. It reads all purses of the community.
func (b Book) Named(ctx context.Context, name string) ([]Purse, error) {
	var found []Purse
	prefix := accountPrefix + b.Community + "/"
	for items, err := range storage.Pages(ctx, b.Store, prefix+"u") {
		if err != nil {
			return nil, fmt.Errorf("look for purses by name: %w", err)
		}
		for _, item := range items {
			if plain, ok := nameIn(item.Value); ok && !strings.EqualFold(plain, name) {
				continue
			}
			p, err := decodePurse(item.Key, item.Value)
			if err != nil {
				return nil, err
			}
			if strings.EqualFold(p.Name, name) {
				p.User, _ = Account(strings.TrimPrefix(item.Key, prefix)).User()
				found = append(found, p)
			}
		}
	}
	return found, nil
}

// nameIn is the name that a stored purse says at once, and false where it takes decoding to know. It takes a fraction of
// the time.
func nameIn(value []byte) (name string, ok bool) {
	_, rest, found := bytes.Cut(value, []byte(`,"name":"`))
	text, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(text), !found || !bytes.Contains(text, []byte(`\`))
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
	for items, err := range storage.Pages(ctx, b.Store, postingPrefix+b.Community+"/"+table+"/") {
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
		items, err := s.Scan(ctx, postingPrefix, after, 1)
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
		after = postingPrefix + community + "/" + first + "0"
	}
}
