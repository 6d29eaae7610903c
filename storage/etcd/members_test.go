//go:build cluster

package etcd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
)

func TestMembers(t *testing.T) {
	c := etcdtest.Shared(t)
	s := opened(t, at(c), Options{New: true})
	c.Members[1].Pause() // It says nothing, and nobody is told that it is gone.
	for i, m := range s.Members(t.Context()) {
		if m.Host != c.Members[i].Host || (m.Err != nil) != (i == 1) || m.Full {
			t.Errorf("%d: %+v", i, m)
		}
		if i != 1 && (m.Size == 0 || m.Used == 0 || m.Quota != etcdtest.Space) {
			t.Errorf("%d: %+v", i, m)
		}
	}
}

// TestBehind: a member that hears nothing of the others is behind them by what was written meanwhile, until it hears of it.
func TestBehind(t *testing.T) {
	const writes = 50
	c := etcdtest.Shared(t)
	s := opened(t, at(c), Options{New: true})
	deaf, leader := c.Follower(), c.Leader()
	behind := func() (of uint64) {
		t.Helper()
		for _, m := range s.Members(t.Context()) {
			switch {
			case m.Host == deaf.Host && m.Err == nil:
				of = m.Behind
			case m.Host == leader.Host && (m.Err != nil || m.Behind > 0):
				t.Errorf("the leader is %+v", m)
			}
		}
		return of
	}
	for _, other := range c.Members {
		c.Links.Cut(other.Name, deaf.Name)
	}
	writer := c.Client(leader)
	for n := range writes {
		if _, err := writer.Put(t.Context(), "behind", fmt.Sprint(n)); err != nil {
			t.Fatal(err)
		}
	}
	if n := behind(); n < writes {
		t.Errorf("it is behind by %d after %d writes", n, writes)
	}
	c.Links.Mend()
	c.Ready()
	for begun := time.Now(); behind() > 0; time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatal("it stays behind")
		}
	}
}

// TestFull fills a cluster to its quota: commits are refused then, as ones that nothing was written of, but for the one by which
// the cluster noticed, of which it can't be told; reads go on. When room was made as the operators' page says, commits are made
// again.
func TestFull(t *testing.T) {
	c := etcdtest.Shared(t)
	s := opened(t, at(c), Options{New: true})
	value := bytes.Repeat([]byte("v"), storage.MaxValue)
	put := func(key string, value []byte) error {
		_, err := s.Commit(t.Context(), storage.Txn{
			Reads: []storage.Item{{Key: key}}, Writes: []storage.Write{{Key: key, Value: value}},
		})
		return err
	}
	t.Cleanup(func() { makeRoom(t, c, s.data) })
	nearlyFull(t, c, s.data, string(value))
	refused := 0
	for last := 0; refused < 5; last++ {
		key := fmt.Sprint(last)
		err := put(key, value)
		items, failed := s.Get(t.Context(), "0", key)
		if failed != nil || items[0].Rev == 0 || last == 1000 {
			t.Fatalf("after %d items: %.80v, %v", last, items, failed)
		}
		written := items[1].Rev != 0
		switch {
		case err == nil && written && refused == 0:
		case errors.Is(err, storage.ErrUnavailable) && !errors.Is(err, storage.ErrUnknown) && !written:
			refused++
		case errors.Is(err, storage.ErrUnknown) && written && refused == 0:
		default:
			t.Errorf("%s, of which is written %v, after %d refused: %v", key, written, refused, err)
			refused++
		}
	}
	if m := s.Members(t.Context())[0]; !m.Full {
		t.Errorf("%+v", m)
	}
	makeRoom(t, c, s.data)
	if err := put("again", value); err != nil {
		t.Error(err)
	}
	if m := s.Members(t.Context())[0]; m.Full || m.Size > etcdtest.Space/2 {
		t.Errorf("%+v", m)
	}
}

// makeRoom deletes what has a prefix, and has the cluster take writes again.
func makeRoom(t *testing.T, c *etcdtest.Cluster, prefix string) {
	t.Helper()
	if _, err := c.Client().Delete(context.Background(), prefix, clientv3.WithPrefix()); err != nil {
		t.Fatal(err)
	}
	c.Tidy()
	c.Tidy() // Also where there is nothing to do.
	c.Drain()
}

// nearlyFull writes under a prefix until the files of the members are nearly as large as they may be. How large they are is known when
// they are written, somewhat later.
func nearlyFull(t *testing.T, c *etcdtest.Cluster, prefix, value string) {
	t.Helper()
	raw := c.Client()
	for n := 0; ; n++ {
		for _, m := range c.Members {
			status, err := raw.Status(t.Context(), m.Host)
			if err != nil || n > 2*etcdtest.Space/len(value) {
				t.Fatalf("not full after %d: %v", n, err)
			}
			if status.DbSize > etcdtest.Space*3/4 {
				return
			}
		}
		var ops []clientv3.Op
		for i := range 16 {
			ops = append(ops, clientv3.OpPut(fmt.Sprint(prefix, "/junk/", n, "/", i), value))
		}
		if _, err := raw.Txn(t.Context()).Then(ops...).Commit(); err != nil {
			t.Fatal(err)
		}
	}
}
