package purse

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// rich says who may be among a community's richest, so that nobody has to read all purses to see them: whoever holds
// more than Floor is one of Users, but for idle purses: whoever has only asked what they hold isn't before all who have lost. Postings
// keep it so. It is made by whoever first wants to see the richest.
type rich struct {
	Floor int64   `json:"floor"`
	Users []int64 `json:"users,omitempty"`
	// Most is the most that each of the Users has held since they were listed; lists from before it was kept have none.
	Most []int64 `json:"most,omitempty"`
	// Making says that it isn't finished: Users are only those whose purses have moved since it was begun.
	Making bool `json:"making,omitempty"`
}

const (
	// richNew is of how many a new list is, and richMost how many it can have; of a longer one those stay who have held
	// most.
	richNew, richMost = 30, 90
)

func keyRich(community string) string { return keyspace.Richest + community + "/rich" }

// IsList reports whether a list of the richest lies under the key. It can be deleted: whoever wants to see the richest
// makes it anew.
func IsList(key string) bool { return strings.HasPrefix(key, keyspace.Richest) }

func decodeRich(item storage.Item) (*rich, error) {
	if item.Rev == 0 {
		return nil, nil
	}
	r := &rich{}
	if err := json.Unmarshal(item.Value, r); err != nil {
		return nil, fmt.Errorf("decode %s: %w", item.Key, err)
	}
	if r.Floor < -1 || len(r.Users) > richMost || len(r.Most) != 0 && len(r.Most) != len(r.Users) {
		return nil, fmt.Errorf("decode %s: no list of the richest is like that", item.Key)
	}
	return r, nil
}

// rise lists the user of a purse that holds more than the floor and isn't idle. It reports whether that changes the list.
func (r *rich) rise(p Purse) bool {
	user, balance := p.User, p.Balance
	at, listed := slices.BinarySearch(r.Users, user)
	switch known := len(r.Most) == len(r.Users); {
	case balance <= r.Floor, p.idle(), listed && !known:
		return false
	case listed:
		risen := balance > r.Most[at]
		r.Most[at] = max(r.Most[at], balance)
		return risen
	case known:
		r.Most = slices.Insert(r.Most, at, balance)
	}
	r.Users = slices.Insert(r.Users, at, user)
	return true
}

// shorten leaves on the list those who have held most, and raises the floor to what none of the others has held more of.
// It reports whether it knows who they are.
func (r *rich) shorten() bool {
	if len(r.Users) <= richMost {
		return true
	}
	if len(r.Most) != len(r.Users) {
		return false
	}
	most := slices.Sorted(slices.Values(r.Most))
	floor := max(r.Floor, most[len(most)-1-richNew])
	short := rich{Floor: floor, Making: r.Making}
	for i, user := range r.Users {
		// Of those who have held just so much as many stay as there is room for.
		if r.Most[i] > floor || r.Most[i] == floor && len(short.Users) < richNew {
			short.Users, short.Most = append(short.Users, user), append(short.Most, r.Most[i])
		}
	}
	*r = short
	return true
}

// put stores the list. One that has become too long is shortened; where that can't be done it goes.
func (r *rich) put(tx storage.Tx, key string) error {
	if !r.shorten() {
		tx.Delete(key)
		return nil
	}
	return storage.PutJSON(tx, key, r)
}

// Richest returns at most limit purses that aren't idle, the fullest first. It reads all purses of the community only where the list of
// the richest is missing, or too many of those have spent their chips.
func (b Book) Richest(ctx context.Context, limit int) (top []Purse, err error) {
	var ok bool
	err = b.Store.View(ctx, func(r storage.Reader) (err error) {
		top, ok, err = Listed(r, b.Community, limit)
		return err
	})
	if err != nil || ok {
		return top, err
	}
	if b.Most > 0 {
		if err := b.few(ctx); err != nil {
			return nil, err
		}
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
			r.rise(p)
		}
		if len(top) >= richNew {
			r.Floor = max(r.Floor, top[len(top)-1].Balance)
		}
		return r
	})
	return top[:min(len(top), limit)], err
}

// few returns ErrMany where the community has more purses than Most.
func (b Book) few(ctx context.Context) error {
	items, err := b.Store.Scan(ctx, keyspace.Accounts+b.Community+"/u", "", b.Most+1)
	if err == nil && len(items) > b.Most {
		err = ErrMany
	}
	return err
}

// ErrMany is what Richest returns where there are more purses than Most.
var ErrMany = errors.New("there are too many purses")

// Listed returns at most limit purses of a community's list of the richest, the fullest first. It is not sure where there is no
// list, or somebody else may hold more: then Richest makes it anew.
func Listed(from storage.Getter, community string, limit int) (top []Purse, sure bool, err error) {
	items, err := from.Get(keyRich(community))
	if err != nil {
		return nil, false, fmt.Errorf("read who is rich: %w", err)
	}
	r, err := decodeRich(items[0])
	if err != nil || r == nil {
		return nil, false, err
	}
	if top, err = Purses(from, community, r.Users...); err != nil {
		return nil, false, err
	}
	top = slices.DeleteFunc(top, Purse.idle)
	slices.SortFunc(top, func(p, q Purse) int {
		return cmp.Or(cmp.Compare(q.Balance, p.Balance), cmp.Compare(User(p.User), User(q.User)))
	})
	sure = !r.Making && (r.Floor < 0 || len(top) >= limit && limit > 0 && top[limit-1].Balance >= r.Floor)
	return top[:min(len(top), limit)], sure, nil
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
