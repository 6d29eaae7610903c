package purse

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"zevaka/storage"
)

// rich says who may be among a community's richest, so that nobody has to read all purses to see them: whoever holds
// more than Floor is one of Users. Postings keep it so. It is made by whoever first wants to see the richest.
type rich struct {
	Floor int64   `json:"floor"`
	Users []int64 `json:"users,omitempty"`
	// Making says that it isn't finished: Users are only those whose purses have moved since it was begun.
	Making bool `json:"making,omitempty"`
}

const (
	richPrefix = "t/"
	// richNew is of how many a new list is, and richMost how many it can have; a longer one is thrown away.
	richNew, richMost = 30, 90
)

func keyRich(community string) string { return richPrefix + community + "/rich" }

// IsList reports whether a list of the richest lies under the key. It can be deleted: whoever wants to see the richest
// makes it anew.
func IsList(key string) bool { return strings.HasPrefix(key, richPrefix) }

func decodeRich(item storage.Item) (*rich, error) {
	if item.Rev == 0 {
		return nil, nil
	}
	r := &rich{}
	if err := json.Unmarshal(item.Value, r); err != nil {
		return nil, fmt.Errorf("decode %s: %w", item.Key, err)
	}
	if r.Floor < -1 || len(r.Users) > richMost {
		return nil, fmt.Errorf("decode %s: no list of the richest is like that", item.Key)
	}
	return r, nil
}

// rise lists a user who holds more than the floor. It reports whether the user wasn't listed.
func (r *rich) rise(user, balance int64) bool {
	at, listed := slices.BinarySearch(r.Users, user)
	if listed || balance <= r.Floor {
		return false
	}
	r.Users = slices.Insert(r.Users, at, user)
	return true
}

// put stores the list, unless it has become too long.
func (r *rich) put(tx storage.Tx, key string) error {
	if len(r.Users) > richMost {
		tx.Delete(key)
		return nil
	}
	value, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode %s: %w", key, err)
	}
	tx.Put(key, value)
	return nil
}

// Richest returns at most limit purses, the fullest first. It reads all purses of the community only where the list of
// the richest is missing, or too many of those have spent their chips.
func (b Book) Richest(ctx context.Context, limit int) ([]Purse, error) {
	top, ok, err := b.listed(ctx, limit)
	if err != nil || ok {
		return top, err
	}
	err = b.updateRich(ctx, func(r *rich) *rich {
		if r != nil && r.Making {
			return r
		}
		return &rich{Floor: -1, Making: true}
	})
	if err != nil {
		return nil, err
	}
	if top, err = b.scanned(ctx, max(limit, richNew)); err != nil {
		return nil, err
	}
	err = b.updateRich(ctx, func(r *rich) *rich {
		if r == nil || !r.Making {
			return r
		}
		r.Making = false
		for _, p := range top {
			r.rise(p.User, p.Balance)
		}
		if len(top) >= richNew {
			r.Floor = top[len(top)-1].Balance
		}
		return r
	})
	return top[:min(len(top), limit)], err
}

// listed are the richest of the list; not ok where it doesn't tell who they are.
func (b Book) listed(ctx context.Context, limit int) (top []Purse, ok bool, err error) {
	items, err := b.Store.Get(ctx, keyRich(b.Community))
	if err != nil {
		return nil, false, fmt.Errorf("read who is rich: %w", err)
	}
	r, err := decodeRich(items[0])
	if err != nil || r == nil || r.Making {
		return nil, false, err
	}
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) (err error) {
		top, err = Ledger{Tx: tx, Community: b.Community}.Purses(r.Users...)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	slices.SortFunc(top, func(p, q Purse) int {
		return cmp.Or(cmp.Compare(q.Balance, p.Balance), cmp.Compare(User(p.User), User(q.User)))
	})
	ok = r.Floor < 0 || len(top) >= limit && limit > 0 && top[limit-1].Balance >= r.Floor
	return top[:min(len(top), limit)], ok, nil
}

// updateRich makes the list what fn makes of it; nil is none.
func (b Book) updateRich(ctx context.Context, fn func(*rich) *rich) error {
	key := keyRich(b.Community)
	err := storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		items, err := tx.Get(key)
		if err != nil {
			return err
		}
		r, err := decodeRich(items[0])
		if err != nil {
			return err
		}
		if r = fn(r); r == nil {
			return nil
		}
		return r.put(tx, key)
	})
	if err != nil {
		return fmt.Errorf("note who is rich: %w", err)
	}
	return nil
}
