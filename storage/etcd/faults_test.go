//go:build cluster

package etcd

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
)

// TestMembersDie counts at many keys while members die and freeze: what was answered is there once, and nothing that was
// refused. How long a commit took at most is logged.
func TestMembersDie(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{})
	s := opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, Options{New: true})
	faults := []struct {
		name string
		do   func()
		mend func()
	}{
		{"leader killed", nil, nil},
		{"leader frozen", nil, nil},
		{"follower killed", nil, nil},
	}
	var member *etcdtest.Member
	faults[0].do = func() { member = c.Leader(); member.Kill() }
	faults[0].mend = func() { member.Start() }
	faults[1].do = func() { member = c.Leader(); member.Pause() }
	faults[1].mend = func() { member.Resume() }
	faults[2].do = func() { member = c.Follower(); member.Kill() }
	faults[2].mend = func() { member.Start() }
	for i, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			w := &counting{store: s, round: i}
			stop := w.start(t.Context(), 16)
			time.Sleep(300 * time.Millisecond)
			f.do()
			time.Sleep(4 * time.Second)
			f.mend()
			c.Ready()
			time.Sleep(300 * time.Millisecond)
			stop()
			w.check(t)
		})
	}
}

// counting adds to counters, one for each worker, each time with the number of the addition as its request.
type counting struct {
	store *Store
	round int

	mu              sync.Mutex
	answered, tried map[string]int
	unavailable     int
	slowest         time.Duration
}

// start starts workers, and returns what stops them and waits.
func (c *counting) start(ctx context.Context, workers int) (stop func()) {
	c.answered, c.tried = map[string]int{}, map[string]int{}
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			key := fmt.Sprintf("count/%d/%d", c.round, w)
			for n := 1; ctx.Err() == nil; n++ {
				c.add(context.WithoutCancel(ctx), key, n)
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// add makes the n-th addition, again and again until it is made.
func (c *counting) add(ctx context.Context, key string, n int) {
	began := time.Now()
	err := error(storage.ErrUnavailable)
	for errors.Is(err, storage.ErrUnavailable) {
		err = storage.Update(ctx, c.store, func(tx storage.Tx) error {
			items, err := tx.Get(key)
			if err != nil || len(items[0].Value) >= n {
				return err
			}
			tx.Put(key, append(items[0].Value, 'x'))
			return nil
		})
		c.mu.Lock()
		if err != nil {
			c.unavailable++
		}
		c.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tried[key] = n
	if err == nil {
		c.answered[key] = n
		c.slowest = max(c.slowest, time.Since(began))
	}
}

func (c *counting) check(t *testing.T) {
	t.Helper()
	sum := 0
	for key, n := range c.tried {
		items, err := c.store.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		has := len(items[0].Value)
		if has < c.answered[key] || has > n {
			t.Errorf("%s is %d after %d of %d additions were answered", key, has, c.answered[key], n)
		}
		sum += has
	}
	if sum < 100 {
		t.Errorf("only %d additions were made", sum)
	}
	t.Logf("%d additions, %d calls unavailable, the slowest answer after %v", sum, c.unavailable, c.slowest.Round(time.Millisecond))
}
