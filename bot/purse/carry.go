package purse

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Carried is what the postings of an account come to that are not kept any more.
type Carried struct {
	Amount int64 `json:"amount"`
	// Entries is how many they were; 0 for an account at a table.
	Entries int64 `json:"entries,omitempty"`
}

// keyCarried is where what is carried forward of an account lies. All of a community sums to zero, as its accounts do.
func keyCarried(community string, a Account) string {
	return keyspace.CarriedChips + community + "/" + string(a)
}

// CarryForward takes postings out of the ledger, with their lines of history, and adds what they moved to what is
// carried forward of their accounts: no balance changes, and each stays the sum of what is carried and of what is kept.
// It takes the first of the postings given, as read from the store, as many as fit into the transaction, and returns how
// many; one that is gone already counts as taken. Its keys are all that the transaction may have.
func (l Ledger) CarryForward(postings []storage.Item) (n int, err error) {
	c, n, err := l.carrying(postings)
	if err != nil {
		return 0, err
	}
	kept, err := l.get(c.postings)
	if err != nil {
		return 0, fmt.Errorf("read postings to carry forward: %w", err)
	}
	sums, err := l.carried(slices.Sorted(maps.Keys(c.accounts)))
	if err != nil {
		return 0, err
	}
	for _, item := range kept {
		if item.Rev == 0 {
			continue
		}
		p, err := decodePosting(item.Key, item.Value)
		if err != nil {
			return 0, err
		}
		for _, leg := range p.Legs {
			sum := sums[leg.Account]
			sum.Amount += leg.Amount
			if leg.N != 0 {
				sum.Entries++
			}
			sums[leg.Account] = sum
		}
	}
	return n, c.write(l, sums)
}

// carrying are the keys that some postings have to do with.
type carrying struct {
	postings []string
	lines    []string
	accounts map[Account]bool
}

// carrying looks which of the postings fit into one transaction.
func (l Ledger) carrying(postings []storage.Item) (c carrying, n int, err error) {
	c.accounts = map[Account]bool{}
	for _, item := range postings {
		p, err := decodePosting(item.Key, item.Value)
		if err != nil {
			return c, 0, err
		}
		accounts := maps.Clone(c.accounts)
		lines := c.lines
		for _, leg := range p.Legs {
			accounts[leg.Account] = true
			if _, ok := leg.Account.User(); ok {
				lines = append(lines, keyLine(l.Community, leg.Account, leg.N))
			}
		}
		if len(c.postings)+1+len(lines)+len(accounts) > storage.MaxKeys {
			break
		}
		c.postings, c.lines, c.accounts = append(c.postings, item.Key), lines, accounts
	}
	if len(c.postings) == 0 {
		return c, 0, fmt.Errorf("none of %d postings fits into a transaction", len(postings))
	}
	return c, len(c.postings), nil
}

// carried is what is carried forward of the accounts.
func (l Ledger) carried(accounts []Account) (map[Account]Carried, error) {
	keys := make([]string, len(accounts))
	for i, a := range accounts {
		keys[i] = keyCarried(l.Community, a)
	}
	items, err := l.get(keys)
	if err != nil {
		return nil, fmt.Errorf("read what is carried forward: %w", err)
	}
	sums := map[Account]Carried{}
	for i, item := range items {
		if item.Rev == 0 {
			continue
		}
		if sums[accounts[i]], err = decodeCarried(item.Key, item.Value); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// write puts the sums into the transaction, and takes the postings and lines out.
func (c carrying) write(l Ledger, sums map[Account]Carried) error {
	for _, key := range slices.Concat(c.postings, c.lines) {
		l.Tx.Delete(key)
	}
	for _, a := range slices.Sorted(maps.Keys(sums)) {
		key, sum := keyCarried(l.Community, a), sums[a]
		if sum == (Carried{}) {
			l.Tx.Delete(key)
			continue
		}
		value, err := json.Marshal(sum)
		if err != nil {
			return fmt.Errorf("encode %s: %w", key, err)
		}
		if _, err := decodeCarried(key, value); err != nil {
			return err
		}
		l.Tx.Put(key, value)
	}
	return nil
}

func decodeCarried(key string, value []byte) (Carried, error) {
	var c Carried
	if err := json.Unmarshal(value, &c); err != nil {
		return Carried{}, fmt.Errorf("decode %s: %w", key, err)
	}
	if c == (Carried{}) || c.Amount < -maxBalance || c.Amount > maxBalance || c.Entries < 0 || c.Entries >= lastLine {
		return Carried{}, fmt.Errorf("decode %s: nothing like that can be carried forward", key)
	}
	return c, nil
}

// Carried is what is carried forward of a user's purse; zero if all its postings are kept.
func (b Book) Carried(ctx context.Context, user int64) (Carried, error) {
	items, err := b.Store.Get(ctx, keyCarried(b.Community, User(user)))
	if err != nil || items[0].Rev == 0 {
		return Carried{}, err
	}
	return decodeCarried(items[0].Key, items[0].Value)
}

// Postings returns at most limit postings of a table, in order of their keys.
func (b Book) Postings(ctx context.Context, table string, limit int) ([]storage.Item, error) {
	items, err := b.Store.Scan(ctx, keyspace.Postings+b.Community+"/"+table+"/", "", limit)
	if err != nil {
		return nil, fmt.Errorf("read the postings of table %s: %w", table, err)
	}
	return items, nil
}

// Older calls each on the postings of a community, some at a time, that were made at no table before a time, or of which so many others of
// the community were made since that no more may stay. Those that can't be read are left to Audit.
func Older(ctx context.Context, s storage.Store, before int64, most int, each func(community string, postings []storage.Item) error) error {
	community, times := "", []int64(nil)
	early := func() error {
		many := len(times) - most
		if many <= 0 {
			return nil
		}
		slices.Sort(times)
		return older(ctx, s, keyspace.Postings+community+"/", times[many-1]+1, each, func(string, int64) error { return nil })
	}
	err := older(ctx, s, keyspace.Postings, before, each, func(of string, at int64) (err error) {
		if of != community {
			err = early()
			community, times = of, times[:0]
		}
		times = append(times, at)
		return err
	})
	if err != nil {
		return err
	}
	return early()
}

// older calls each on the postings at no table, of all whose keys begin so, that were made before a time, and stays on when each other was.
func older(
	ctx context.Context, s storage.Store, prefix string, before int64,
	each func(community string, postings []storage.Item) error, stays func(community string, at int64) error,
) error {
	for items, err := range storage.Pages(ctx, s, prefix) {
		if err != nil {
			if storage.IsDamaged(err) {
				continue
			}
			return fmt.Errorf("look for old postings: %w", err)
		}
		var old []storage.Item
		for _, item := range items {
			p, err := decodePosting(item.Key, item.Value)
			switch {
			case err != nil || p.Table != "":
			case p.Time < before:
				old = append(old, item)
			default:
				if err := stays(communityOf(item.Key), p.Time); err != nil {
					return err
				}
			}
		}
		for len(old) > 0 {
			community := communityOf(old[0].Key)
			n := slices.IndexFunc(old, func(item storage.Item) bool { return communityOf(item.Key) != community })
			if n < 0 {
				n = len(old)
			}
			if err := each(community, old[:n]); err != nil {
				return err
			}
			old = old[n:]
		}
	}
	return nil
}

// communityOf is the community of a key of the ledger.
func communityOf(key string) string {
	parts := strings.SplitN(key, "/", 3)
	return parts[1]
}
