package linear

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest"
)

var _ = flag.Uint64("seed", 1, "seed of the random tests")

// TestRecordedIsAStore runs the contract against a store that is recorded, and checks what was recorded.
func TestRecordedIsAStore(t *testing.T) {
	storagetest.Run(t, func(t *testing.T) storage.Store {
		h := new(History)
		t.Cleanup(func() {
			if err := h.Check(time.Minute); err != nil {
				t.Error(err)
			}
		})
		return h.Store(mem.New())
	})
}

// TestCheck has many clients use stores that keep their word, and stores that don't, and wants the checker to know which do.
func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		sick func(s *sickly, ctx context.Context, t storage.Txn) (uint64, error)
		old  bool // Some reads are of old.
		fine bool
	}{
		{"sound", nil, false, true},
		{"answers lost, made or not or later", (*sickly).loses, false, true},
		{"refuses", func(s *sickly, ctx context.Context, t storage.Txn) (uint64, error) {
			return 0, storage.ErrUnavailable
		}, false, true},
		{"reads from an old copy", nil, true, false},
		{"in conflict, and made", func(s *sickly, ctx context.Context, t storage.Txn) (uint64, error) {
			return made(s, ctx, t, storage.ErrConflict)
		}, false, false},
		{"unavailable, and made", func(s *sickly, ctx context.Context, t storage.Txn) (uint64, error) {
			return made(s, ctx, t, storage.ErrUnavailable)
		}, false, false},
		{"unavailable, and made later", func(s *sickly, ctx context.Context, t storage.Txn) (uint64, error) {
			s.later(ctx, storage.Txn{Writes: t.Writes}, 0)
			return 0, storage.ErrUnavailable
		}, false, false},
		{"doesn't compare one read", func(s *sickly, ctx context.Context, t storage.Txn) (uint64, error) {
			s.overtaken(ctx, t.Reads[0])
			return s.commit(ctx, storage.Txn{Reads: t.Reads[1:], Writes: t.Writes})
		}, false, false},
		{"acknowledges what it never makes", func(s *sickly, _ context.Context, _ storage.Txn) (uint64, error) {
			return 1 << 40, nil
		}, false, false},
		{"leaves out one write", func(s *sickly, ctx context.Context, t storage.Txn) (uint64, error) {
			return s.commit(ctx, storage.Txn{Reads: t.Reads, Writes: t.Writes[1:]})
		}, false, false},
		{"makes a commit twice", func(s *sickly, ctx context.Context, t storage.Txn) (uint64, error) {
			rev, err := s.commit(ctx, t)
			if err == nil {
				_, _ = s.commit(ctx, storage.Txn{Writes: t.Writes})
			}
			return rev, err
		}, false, false},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			h, err := errands(t, c.sick, c.old)
			if c.fine && err != nil || !c.fine && !errors.Is(err, ErrNot) {
				t.Errorf("Check: %v; linearizable is %v", err, c.fine)
			}
			t.Logf("%+v; %v", h.Counts(), err)
		})
	}
}

// TestBefore: a history may begin with what a store had.
func TestBefore(t *testing.T) {
	s := mem.New()
	write := storage.Txn{Writes: []storage.Write{{Key: "a", Value: []byte("1")}}}
	if err := storagetest.Commit(t.Context(), s, write); err != nil {
		t.Fatal(err)
	}
	had, err := s.Get(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []*History{{Before: had}, {}} {
		if _, err := h.Store(s).Get(t.Context(), "a", "b"); err != nil {
			t.Fatal(err)
		}
		if err := h.Check(time.Minute); (err == nil) != (len(h.Before) > 0) {
			t.Errorf("Check: %v", err)
		}
	}
}

// TestDeletes: keys come and go, also by commits whose answers are lost.
func TestDeletes(t *testing.T) {
	h := new(History)
	s := &sickly{Store: mem.New(), chance: storagetest.Rand(t), sick: (*sickly).loses}
	synctest.Test(t, func(t *testing.T) { comeAndGo(t.Context(), h, s) })
	if err := h.Check(time.Minute); err != nil {
		t.Error(err)
	}
}

// comeAndGo has clients put a key where it isn't, and delete it where it is.
func comeAndGo(ctx context.Context, h *History, s *sickly) {
	var all sync.WaitGroup
	for c := range 4 {
		all.Go(func() {
			client := h.Store(s)
			for n := range 25 {
				_ = storage.Update(ctx, client, func(tx storage.Tx) error {
					items, err := tx.Get("a", "b")
					switch {
					case err != nil:
						return err
					case items[0].Rev > 0:
						tx.Delete("a")
					default:
						tx.Put("a", fmt.Appendf(nil, "%d/%d", c, n))
					}
					return nil
				})
			}
		})
	}
	all.Wait()
	s.rest.Wait()
}

// errands has clients use a new store, and checks what they saw.
func errands(t *testing.T, sick func(*sickly, context.Context, storage.Txn) (uint64, error), old bool) (*History, error) {
	h := new(History)
	s := &sickly{Store: mem.New(), chance: storagetest.Rand(t), sick: sick, old: old}
	synctest.Test(t, func(t *testing.T) {
		errand(t.Context(), h, s)
		s.rest.Wait()
	})
	return h, h.Check(10 * time.Second)
}

// errand has clients add to the keys of two groups, and look at them.
func errand(ctx context.Context, h *History, s storage.Store) {
	var all sync.WaitGroup
	for c := range 6 {
		all.Go(func() {
			client, group := h.Store(s), strconv.Itoa(c%2)
			for n := range 30 {
				who := fmt.Sprint("who/", group, "/", c)
				err := storage.Update(ctx, client, func(tx storage.Tx) error {
					items, err := tx.Get("sum/"+group, who)
					if err != nil {
						return err
					}
					tx.Put("sum/"+group, fmt.Appendf(nil, "%d,%d/%d", count(items[0])+1, c, n))
					tx.Put(who, fmt.Append(nil, n))
					return nil
				})
				if err == nil || n%2 == 0 {
					_, _ = client.Get(ctx, who, "sum/"+group)
				}
			}
		})
	}
	all.Wait()
}

func count(it storage.Item) int {
	text, _, _ := strings.Cut(string(it.Value), ",")
	n, _ := strconv.Atoi(text)
	return n
}

// sickly is a store that sometimes does something else.
type sickly struct {
	storage.Store
	sick func(s *sickly, ctx context.Context, t storage.Txn) (uint64, error)
	old  bool

	mu     sync.Mutex
	chance *rand.Rand
	copies map[string]storage.Item
	rest   sync.WaitGroup
}

// ill reports whether it does so now.
func (s *sickly) ill() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.chance.IntN(8) == 0
}

func (s *sickly) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if s.sick != nil && len(t.Writes) > 0 && s.ill() {
		return s.sick(s, ctx, t)
	}
	return s.Store.Commit(ctx, t)
}

func (s *sickly) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	items, err := s.Store.Get(ctx, keys...)
	if err != nil || !s.old {
		return items, err
	}
	ill := s.ill()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.copies == nil {
		s.copies = map[string]storage.Item{}
	}
	for i, it := range items {
		if was, ok := s.copies[it.Key]; ok && ill {
			items[i] = was
		}
		if !ill {
			s.copies[it.Key] = it
		}
	}
	return items, nil
}

// commit makes a transaction, also where the store refuses each first try.
func (s *sickly) commit(ctx context.Context, t storage.Txn) (rev uint64, err error) {
	for range 2 {
		if rev, err = s.Store.Commit(ctx, t); !errors.Is(err, storage.ErrConflict) {
			break
		}
	}
	return rev, err
}

// made makes a transaction and answers with an error all the same.
func made(s *sickly, ctx context.Context, t storage.Txn, answer error) (uint64, error) {
	if _, err := s.commit(ctx, t); err != nil {
		return 0, err
	}
	return 0, answer
}

// later makes a transaction after a while.
func (s *sickly) later(ctx context.Context, t storage.Txn, wait time.Duration) {
	s.rest.Go(func() {
		time.Sleep(wait)
		_, _ = s.commit(ctx, t)
	})
}

// overtaken waits until somebody has written a key again, but not for long: there may be nobody left.
func (s *sickly) overtaken(ctx context.Context, it storage.Item) {
	for range 100 {
		if now, err := s.Store.Get(ctx, it.Key); err != nil || now[0].Rev != it.Rev {
			return
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// loses loses the answer to a transaction, which is made at once, later, or never.
func (s *sickly) loses(ctx context.Context, t storage.Txn) (uint64, error) {
	s.mu.Lock()
	when := s.chance.IntN(3)
	s.mu.Unlock()
	switch when {
	case 0:
		_, _ = s.commit(ctx, t)
	case 1:
		s.later(ctx, t, time.Millisecond)
	}
	return 0, storage.ErrUnknown
}
