package storagetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"zevaka/storage"
)

// A model is what a store should hold, and the highest revision seen in it.
type model struct {
	items map[string]storage.Item
	stale map[string]storage.Item // what some keys were before
	last  uint64
}

// testModel makes random transactions and compares the store with a map after each.
func testModel(t *testing.T, s storage.Store) {
	r := Rand(t)
	m := &model{items: make(map[string]storage.Item), stale: make(map[string]storage.Item)}
	for step := range 400 {
		txn, holds := m.random(r)
		err := Commit(t.Context(), s, txn)
		switch {
		case holds && err == nil:
			m.learn(t, s, txn)
		case !holds && errors.Is(err, storage.ErrConflict):
		default:
			t.Fatalf("step %d: Commit: %v, while its conditions hold is %v: %+v", step, err, holds, txn)
		}
		m.compare(t, s, r)
		if t.Failed() {
			t.Fatalf("step %d: %+v", step, txn)
		}
	}
}

// random is a random transaction, and whether its conditions hold.
func (m *model) random(r *rand.Rand) (txn storage.Txn, holds bool) {
	holds = true
	for range r.IntN(4) {
		key := randomKey(r)
		it := m.items[key]
		if old, ok := m.stale[key]; ok && r.IntN(4) == 0 {
			it = old
		}
		txn.Reads = append(txn.Reads, storage.Item{Key: key, Rev: it.Rev})
		holds = holds && it.Rev == m.items[key].Rev
	}
	used := make(map[string]bool)
	for range r.IntN(4) {
		w := storage.Write{Key: randomKey(r)}
		if r.IntN(3) > 0 {
			w.Value = make([]byte, r.IntN(300)*r.IntN(20))
			for i := range w.Value {
				w.Value[i] = byte(r.Uint32())
			}
		}
		if !used[w.Key] {
			txn.Writes = append(txn.Writes, w)
		}
		used[w.Key] = true
	}
	return txn, holds
}

func randomKey(r *rand.Rand) string { return fmt.Sprintf("%c/%d", 'a'+r.IntN(3), r.IntN(10)) }

// learn brings the model up to date after a transaction was made.
func (m *model) learn(t *testing.T, s storage.Store, txn storage.Txn) {
	t.Helper()
	highest := m.last
	for _, w := range txn.Writes {
		m.stale[w.Key] = m.items[w.Key]
		it := get(t, s, w.Key)[0]
		if w.Value == nil {
			delete(m.items, w.Key)
			continue
		}
		if it.Rev <= m.last {
			t.Errorf("revision %d of %q isn't above %d", it.Rev, w.Key, m.last)
		}
		highest = max(highest, it.Rev)
		m.items[w.Key] = storage.Item{Key: w.Key, Value: w.Value, Rev: it.Rev}
	}
	m.last = highest
}

// compare compares the whole store, by one Scan from a random place, and some keys, by Get.
func (m *model) compare(t *testing.T, s storage.Store, r *rand.Rand) {
	t.Helper()
	prefix, after, limit := "", "", 1+r.IntN(40)
	if r.IntN(2) == 0 {
		prefix = string(rune('a' + r.IntN(3)))
	}
	if r.IntN(2) == 0 {
		after = randomKey(r)
	}
	var keys []string
	for k := range m.items {
		if k > after && len(k) >= len(prefix) && k[:len(prefix)] == prefix {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	keys = keys[:min(limit, len(keys))]
	found, err := s.Scan(t.Context(), prefix, after, limit)
	if err != nil || len(found) != len(keys) {
		t.Fatalf("Scan(%q, %q, %d): %d items, %v; want %d", prefix, after, limit, len(found), err, len(keys))
	}
	wanted := append(keys, randomKey(r), randomKey(r))
	found = append(found, get(t, s, wanted[len(keys):]...)...)
	for i, it := range found {
		want := m.items[wanted[i]]
		same := bytes.Equal(it.Value, want.Value) && (it.Value == nil) == (want.Value == nil)
		if it.Key != wanted[i] || it.Rev != want.Rev || !same {
			t.Errorf("found %+v, want %+v", it, want)
		}
	}
}

// fill makes so many accounts, each with so much in it.
func fill(t *testing.T, s storage.Store, n int, each uint64) []string {
	t.Helper()
	accounts := manyKeys(n)
	var writes []storage.Write
	for _, a := range accounts {
		writes = append(writes, storage.Write{Key: a, Value: amount(each)})
	}
	commit(t, s, nil, writes...)
	return accounts
}

// testTransfers moves amounts between accounts from many goroutines. Every Get of all accounts finds the same sum,
// and revisions of an account only rise.
func testTransfers(t *testing.T, s storage.Store) {
	const start = 1000
	accounts := fill(t, s, 6, start)
	last := make([]uint64, len(accounts))
	for range moving(t, s, accounts) {
		var sum uint64
		for i, it := range get(t, s, accounts...) {
			sum += binary.BigEndian.Uint64(it.Value)
			if it.Rev < last[i] {
				t.Errorf("revision of %q fell from %d to %d", it.Key, last[i], it.Rev)
			}
			last[i] = it.Rev
		}
		if want := uint64(start * len(accounts)); sum != want {
			t.Errorf("accounts have %d together, want %d", sum, want)
		}
	}
}

// moving has many goroutines move amounts between accounts at random. The channel says that something has been moved since it was
// looked at, and is closed when all is moved: whoever looks then looks at most as often as something was written.
func moving(t *testing.T, s storage.Store, accounts []string) <-chan struct{} {
	const workers, transfers = 8, 25
	seed := Rand(t).Uint64()
	moved := make(chan struct{}, 1)
	var movers sync.WaitGroup
	for w := range workers {
		r := rand.New(rand.NewPCG(seed, uint64(w)))
		movers.Go(func() {
			for range transfers {
				from, to := r.IntN(len(accounts)), r.IntN(len(accounts)-1)
				if to >= from {
					to++
				}
				if err := transfer(t.Context(), s, accounts[from], accounts[to]); err != nil {
					t.Errorf("transfer: %v", err)
				}
				select {
				case moved <- struct{}{}:
				default:
				}
			}
		})
	}
	go func() {
		movers.Wait()
		close(moved)
	}()
	return moved
}

func transfer(ctx context.Context, s storage.Store, from, to string) error {
	return storage.Update(ctx, s, func(tx storage.Tx) error {
		items, err := tx.Get(from, to)
		if err != nil {
			return err
		}
		have, got := binary.BigEndian.Uint64(items[0].Value), binary.BigEndian.Uint64(items[1].Value)
		tx.Put(from, amount(have-1))
		tx.Put(to, amount(got+1))
		return nil
	})
}

func amount(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// testRace commits many transactions that read the same revision: exactly one is made.
func testRace(t *testing.T, s storage.Store) {
	const racers = 16
	for round := range 10 {
		read := get(t, s, "prize")
		won := make(chan string, racers)
		var all sync.WaitGroup
		for i := range racers {
			all.Go(func() {
				name := fmt.Sprint(round, "/", i)
				err := Commit(t.Context(), s, storage.Txn{Reads: read, Writes: []storage.Write{put("prize", name)}})
				if err == nil {
					won <- name
				} else if !errors.Is(err, storage.ErrConflict) {
					t.Errorf("Commit: %v", err)
				}
			})
		}
		all.Wait()
		if len(won) != 1 {
			t.Fatalf("round %d: %d winners", round, len(won))
		}
		has(t, s, "prize", []byte(<-won))
	}
}
