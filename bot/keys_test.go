package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/storage"
)

// meter is a store that measures transactions: how many keys each has, and how many people's chips it moves.
type meter struct {
	storage.Store
	mu   sync.Mutex
	seen []metered
}

// metered is one transaction: its keys, the owners of the chips that it moves, and the table that it leads to.
type metered struct {
	keys   map[string]bool
	owners map[string]bool
	next   bool
	scores int
	parts  int
}

// Commit measures what is committed.
func (m *meter) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	rev, err := m.Store.Commit(ctx, t)
	if err != nil || len(t.Writes) == 0 {
		return rev, err
	}
	one := metered{keys: map[string]bool{}, owners: map[string]bool{}}
	tables := 0
	for _, r := range t.Reads {
		one.keys[r.Key] = true
	}
	for _, w := range t.Writes {
		one.keys[w.Key] = true
		switch w.Key[:2] {
		case keyspace.OpenTables:
			tables++
		case "s/":
			one.scores++
		case keyspace.OpenParts, keyspace.EndedParts:
			one.parts++
		case "e/":
			var posting struct{ Legs []purse.Leg }
			if err := json.Unmarshal(w.Value, &posting); err != nil {
				return 0, err
			}
			for _, leg := range posting.Legs {
				owner := string(leg.Account)
				if _, at, ok := leg.Account.Table(); ok {
					owner = string(at)
				}
				one.owners[owner] = true
			}
		}
	}
	one.next = tables > 1
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, one)
	return rev, nil
}

// TestKeys: a settlement has at most 8 keys and 3 for each person whose chips it moves, also that which ends a bank and
// lays out the next one. There is one more for each person who gets a part in that, or whose result is recorded where the
// session ends.
func TestKeys(t *testing.T) {
	h := bottest.NewHall(t)
	m := &meter{Store: h.Store}
	h.Store = m
	h.Restart()
	people := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	now := h.Sit(1, "100 side limit=none", people...)
	h.Must(1, 12, chat.Press, table.Token{Table: now.ID, Epoch: 2, Do: "!join"}.String())
	m.seen = nil
	banks, ends := 0, 0
	for h.Look(now.ID).Next != "" || h.Look(now.ID).Phase != table.Ended {
		if now = h.Look(now.ID); now.Phase == table.Ended {
			now = h.Table(1)
			h.Cut(1)
		}
		switch bank := h.Look(now.ID).Chips.Bank; {
		case h.Look(now.ID).Moves%7 == 3:
			h.Move(1, now.Chairs[0].User, "open")
			h.Move(1, h.Turn(1), fmt.Sprint("stake ", max(1, bank/2)))
		default:
			punter := h.Turn(1)
			h.Move(1, punter, fmt.Sprint("stake ", max(min(5, bank), bank/3)))
			for _, c := range h.Look(now.ID).Chairs[1:] {
				if c.User != punter {
					h.Ask(1, c.User, chat.Command, "/bet 2")
				}
			}
			h.Pass(11e9)
			h.Move(1, now.Chairs[0].User, "open")
		}
	}
	most := map[string]int{}
	origin := now.Origin() + "/"
	for _, one := range m.seen {
		for key := range one.keys {
			if !strings.HasPrefix(key[2:]+"/", origin) {
				t.Errorf("%s is of another community", key)
			}
		}
		allowed, kind := 8+3*len(one.owners)+one.scores+one.parts, "move"
		switch {
		case one.scores > 0:
			kind = "end of the session"
			ends++
		case one.next:
			kind = "end of a bank"
			banks++
		}
		most[kind] = max(most[kind], len(one.keys)-3*len(one.owners)-one.scores-one.parts)
		if len(one.owners) > 0 && len(one.keys) > allowed || len(one.keys) > storage.MaxKeys {
			t.Errorf("%s: %d keys for %d whose chips move and %d results: %v", kind, len(one.keys), len(one.owners), one.scores, one.keys)
		}
	}
	if banks < 8 || ends != 1 {
		t.Errorf("%d banks and %d sessions ended", banks, ends)
	}
	t.Logf("keys beside 3 for each seat, at most: %v, in %d transactions", most, len(m.seen))
	if all := h.Audit(); all.Laid != 0 {
		t.Errorf("%d are still laid out", all.Laid)
	}
}
