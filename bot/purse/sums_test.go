package purse

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// TestSum adds up a small ledger with one thing wrong after another.
func TestSum(t *testing.T) {
	a := "a/" + community + "/"
	for _, test := range []struct {
		name string
		// Old is replaced by new in the value under key; an empty old is all of it.
		key, old, new string
		want          Sums
	}{
		{"nothing", a + "u1", "{", "{", Sums{2, 3, 9350, 0, 0, 0}},
		{"a chip too much", a + "u1", ":3150", ":3151", Sums{2, 3, 9351, 1, 1, 0}},
		{"a chip too few", a + "u1", ":3150", ":3149", Sums{2, 3, 9349, 1, 1, 0}},
		{"a chip at a table", a + "tk7", "50", "51", Sums{2, 3, 9350, 1, 1, 0}},
		{"the house", "a/" + community + "0/house", ":-3100", ":-3000", Sums{2, 3, 9350, 100, 1, 0}},
		{"no purse", a + "u1", "", "[]", Sums{2, 2, 6200, 0, 0, 1}},
		{"nothing at a table", a + "tk7", "50", "0", Sums{2, 3, 9350, 0, 0, 1}},
		{"a strange account", a + "x", "", `{"balance":1,"entries":1}`, Sums{2, 3, 9350, 0, 0, 1}},
		{"a community of its own", "a/x/u1", "", `{"balance":1,"entries":1}`, Sums{3, 4, 9351, 1, 1, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := mem.New()
			small(t, s)
			must(t, s, func(l Ledger) error {
				items, err := l.Tx.Get(test.key)
				value := string(items[0].Value)
				if test.old != "" && !strings.Contains(value, test.old) {
					t.Fatalf("%s is %s", test.key, value)
				}
				if test.old == "" {
					value = test.new
				} else {
					value = strings.Replace(value, test.old, test.new, 1)
				}
				l.Tx.Put(test.key, []byte(value))
				return err
			})
			got, err := Sum(t.Context(), s)
			if err != nil || got != test.want {
				t.Errorf("%+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

// TestSumWhilePlaying adds up a community of many pages while chips go from one end of it to the other. It is never
// uneven, and none is missing.
func TestSumWhilePlaying(t *testing.T) {
	const users = 3 * page
	s := stores.Bolt(t)
	for first := int64(1); first <= users; first += 20 {
		must(t, s, func(l Ledger) error {
			for user := first; user < first+20; user++ {
				if _, err := l.Open(user, ""); err != nil {
					return err
				}
			}
			return nil
		})
	}
	var all sync.WaitGroup
	stop := make(chan struct{})
	for g := range int64(4) {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 5))
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				err := at(t, s, noon, func(l Ledger) error {
					_, err := l.Give(fmt.Sprint("gift", g, "/", n), r.Int64N(users)+1, r.Int64N(users)+1, 1)
					return err
				})
				if err != nil && !errors.Is(err, ErrSelf) && !errors.Is(err, ErrShort) {
					t.Error(err)
				}
			}
		})
	}
	for range 50 {
		if got, err := Sum(t.Context(), s); err != nil || got.Off != 0 || got.Uneven != 0 || got.Purses != users {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	close(stop)
	all.Wait()
	if got, err := Sum(t.Context(), s); err != nil || got.Chips != users*firstChips {
		t.Errorf("%+v, %v", got, err)
	}
}

// gaps is a store in which an item is damaged.
type gaps struct {
	storage.Store
	key string
}

func (g gaps) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	items, err := g.Store.Scan(ctx, prefix, after, limit)
	for i, item := range items {
		if item.Key == g.key {
			return items[:i], fmt.Errorf("%w: %w", storage.ErrUnavailable, storage.Damaged{Key: g.key})
		}
	}
	return items, err
}

// TestSumOfDamage: an item that is damaged is said so, and all others count.
func TestSumOfDamage(t *testing.T) {
	for _, test := range []struct {
		key  string
		want Sums
	}{
		{"a/" + community + "/house", Sums{2, 3, 9350, 0, 0, 1}},
		{"a/" + community + "/u1", Sums{2, 2, 6200, 0, 0, 1}},
		{"a/" + community + "/u2", Sums{2, 2, 6250, 0, 0, 1}},
		{"a/" + community + "0/house", Sums{2, 3, 9350, 0, 0, 1}},
		{"a/" + community + "0/u1", Sums{2, 2, 6250, 0, 0, 1}},
	} {
		s := mem.New()
		small(t, s)
		if got, err := Sum(t.Context(), gaps{s, test.key}); err != nil || got != test.want {
			t.Errorf("%s: %+v, %v; want %+v", test.key, got, err, test.want)
		}
	}
	if _, err := Sum(t.Context(), closed(t)); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("of a store that is closed: %v", err)
	}
}

func closed(t *testing.T) storage.Store {
	s := mem.New()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkSum adds up a thousand purses.
func BenchmarkSum(b *testing.B) {
	s := stores.Bolt(b)
	for first := int64(1); first <= 1000; first += 20 {
		must(b, s, func(l Ledger) error {
			for user := first; user < first+20; user++ {
				if _, err := l.Open(user, "Somebody"); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for b.Loop() {
		if got, err := Sum(b.Context(), s); err != nil || got.Purses != 1000 {
			b.Fatal(got, err)
		}
	}
}
