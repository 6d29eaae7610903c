//go:build cluster

package etcd

import (
	"errors"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
)

// TestMinority: a member that is left alone makes nothing, and as soon as it knows that it is alone, it can be told that nothing
// will be made later. Another one that comes back is enough.
func TestMinority(t *testing.T) {
	c := etcdtest.Shared(t)
	s := opened(t, at(c), Options{New: true})
	c.Members[0].Kill()
	c.Members[1].Kill()
	write := storage.Txn{Writes: []storage.Write{{Key: "a", Value: []byte("1")}}}
	for begun := time.Now(); ; {
		_, err := s.Commit(t.Context(), write)
		if errors.Is(err, storage.ErrUnavailable) && !errors.Is(err, storage.ErrUnknown) {
			break
		}
		if err == nil || time.Since(begun) > 30*time.Second {
			t.Fatalf("Commit by a minority: %v", err)
		}
	}
	if _, err := s.Get(t.Context(), "a"); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Get of a minority: %v", err)
	}
	c.Members[0].Start()
	c.Ready()
	err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
		tx.Put("a", []byte("2"))
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestOldRead: a member that hears nothing of the others doesn't answer with what it knew before.
func TestOldRead(t *testing.T) {
	c := etcdtest.Shared(t)
	deaf, leader := c.Follower(), c.Leader()
	a := at(c)
	through := func(m *etcdtest.Member) *Store {
		return opened(t, Address{Hosts: []string{m.Host}, Prefix: a.Prefix}, Options{New: true})
	}
	writer, reader := through(leader), through(deaf)
	write := func(value string) {
		t.Helper()
		if _, err := writer.Commit(t.Context(), storage.Txn{Writes: []storage.Write{{Key: "a", Value: []byte(value)}}}); err != nil {
			t.Fatal(err)
		}
	}
	write("old")
	for _, other := range c.Members {
		c.Links.Cut(other.Name, deaf.Name)
	}
	write("new")
	if items, err := reader.Get(t.Context(), "a"); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Get: %v, %v", items, err)
	}
}

// TestConflictWhenFull: where there is no space a transaction that conflicts is told so, after one of which nothing can be told
// perhaps, and one that doesn't that nothing is written.
func TestConflictWhenFull(t *testing.T) {
	c := etcdtest.Shared(t)
	s := opened(t, at(c), Options{New: true})
	write := storage.Txn{Reads: []storage.Item{{Key: "a"}}, Writes: []storage.Write{{Key: "a", Value: []byte("1")}}}
	rev, err := s.Commit(t.Context(), write)
	if err != nil {
		t.Fatal(err)
	}
	c.Fill()
	if _, err := s.Commit(t.Context(), write); !errors.Is(err, storage.ErrConflict) && !errors.Is(err, storage.ErrUnknown) {
		t.Errorf("Commit in conflict: %v", err)
	}
	if _, err := s.Commit(t.Context(), write); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("Commit in conflict, once more: %v", err)
	}
	write.Reads[0].Rev = rev
	if _, err := s.Commit(t.Context(), write); !errors.Is(err, storage.ErrUnavailable) || errors.Is(err, storage.ErrUnknown) {
		t.Errorf("Commit: %v", err)
	}
	c.Drain()
	if _, err := s.Commit(t.Context(), write); err != nil {
		t.Errorf("Commit, with space: %v", err)
	}
}
