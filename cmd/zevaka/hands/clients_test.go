//go:build faults

package hands

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/storagetest/linear"
)

const (
	// clients write to the cluster beside the houses, to as many sets of keys as there are groups. In each, each client has one worker.
	clients = 4
	groups  = 2
	// rest is how long a worker pauses between two requests: people play on the same machine.
	rest = 5 * time.Millisecond
	// limit is how long something may take that happens in the end, and the checker for a group.
	limit = 90 * time.Second
)

// client is what a process has: a store of its own over links of its own, a session, and something that it holds, on which its
// writes rely.
type client struct {
	name  string
	whole *etcd.Store

	mu      sync.Mutex
	session *etcd.Session
	held    *etcd.Store
}

// newClients are some, which end with the test.
func newClients(c *club) (all []*client) {
	const prefix = "clients"
	s, err := etcd.Open(c.Context(), etcd.Address{Hosts: c.cluster.Hosts(), Prefix: prefix}, etcd.Options{New: true})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		c.Fatal(err)
	}
	for i := range clients {
		o := &client{name: fmt.Sprint("client", i)}
		if o.whole, err = etcd.Open(c.Context(), etcd.Address{Hosts: c.cluster.Doors(o.name), Prefix: prefix}, etcd.Options{}); err != nil {
			c.Fatal(err)
		}
		c.Cleanup(func() { _ = o.whole.Close() })
		if err := o.again(c.Context(), nil); err != nil {
			c.Fatal(err)
		}
		all = append(all, o)
	}
	return all
}

// now is the store by which the client writes.
func (c *client) now() *etcd.Store {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}

// keeps reports whether the client holds by its first session what it held by that store.
func (c *client) keeps(by *etcd.Store) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held == by && c.session.Alive()
}

// again has the client hold something again after it lost what it held with a store, as soon as nobody has it.
func (c *client) again(ctx context.Context, lost *etcd.Store) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held != lost {
		return nil
	}
	if c.session == nil || !c.session.Alive() {
		if c.session, err = c.whole.Join(ctx, c.name); err != nil {
			return err
		}
	}
	for {
		hold, err := c.session.Take(ctx, "errands/"+c.name)
		if hold != nil {
			c.held = hold.Whole()
			return nil
		}
		if err != nil && !errors.Is(err, storage.ErrUnavailable) || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// errands are what clients do while one thing goes wrong: each worker adds one to the sum of its group, again and again.
type errands struct {
	*testing.T
	clients []*client
	number  int
	history *linear.History

	mu              sync.Mutex
	answered, tried map[string]int // requests of each worker, by its key
}

// key is one of these errands' own.
func (e *errands) key(name string) string { return fmt.Sprintf("errands/%d/%s", e.number, name) }

func (e *errands) sum(group int) string { return e.key(fmt.Sprint(group, "/sum")) }

func (e *errands) worker(group int, c *client) string { return e.key(fmt.Sprint(group, "/", c.name)) }

// of are all keys of a group.
func (e *errands) of(group int) []string {
	keys := []string{e.sum(group)}
	for _, c := range e.clients {
		keys = append(keys, e.worker(group, c))
	}
	return keys
}

// start starts the workers, and one who looks at moments of the store, and returns what stops them and waits.
func (e *errands) start() (stop func()) {
	ctx, cancel := context.WithCancel(e.Context())
	var all sync.WaitGroup
	for _, c := range e.clients {
		for group := range groups {
			all.Go(func() {
				for n := 1; ctx.Err() == nil; n++ {
					if err := e.request(c, group, n); err != nil {
						e.Errorf("%s: request %d: %v", c.name, n, err)
						return
					}
					if n%3 == 0 { // It may fail: the next request says so.
						_, _ = e.history.Store(c.now()).Get(ctx, e.of(group)...)
					}
					time.Sleep(rest)
				}
			})
		}
	}
	all.Go(func() {
		for ctx.Err() == nil {
			if err := e.look(); err != nil && ctx.Err() == nil {
				e.Errorf("look: %v", err)
				return
			}
			time.Sleep(rest)
		}
	})
	return func() {
		cancel()
		all.Wait()
	}
}

// request adds one to the sum of a group, the n-th of this worker, again and again until it is answered.
func (e *errands) request(c *client, group, n int) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(e.Context()), limit)
	defer cancel()
	sum, mine := e.sum(group), e.worker(group, c)
	e.mu.Lock()
	e.tried[mine] = n
	e.mu.Unlock()
	for {
		held := c.now()
		err := storage.Update(ctx, e.history.Store(held), func(tx storage.Tx) error {
			items, err := tx.Get(sum, mine)
			if err != nil || sumIn(items[1]) >= n {
				return err
			}
			tx.Put(sum, fmt.Appendf(nil, "%d %s/%d", sumIn(items[0])+1, c.name, n))
			tx.Put(mine, fmt.Append(nil, n))
			return nil
		})
		switch {
		case err == nil:
			e.mu.Lock()
			e.answered[mine] = n
			e.mu.Unlock()
			return nil
		case ctx.Err() != nil:
			return err
		case errors.Is(err, etcd.ErrFenced):
			if err := c.again(ctx, held); err != nil {
				return err
			}
		}
		time.Sleep(4 * rest)
	}
}

// sumIn is what an item counts; 0 if there is none.
func sumIn(it storage.Item) int {
	text, _, _ := strings.Cut(string(it.Value), " ")
	n, _ := strconv.Atoi(text)
	return n
}

// look reads the groups at one moment.
func (e *errands) look() error {
	err := e.history.Store(e.clients[1].whole).View(e.Context(), func(from storage.Reader) error {
		for group := range groups {
			if _, err := from.Get(e.of(group)...); err != nil {
				return err
			}
		}
		_, err := from.Scan(e.key(""), "", 100)
		return err
	})
	if errors.Is(err, storage.ErrUnavailable) { // The members may be down, or write all of their files anew.
		return nil
	}
	return err
}

// goesOn waits until each worker was answered some more requests.
func (e *errands) goesOn() error {
	wanted := map[string]int{}
	e.mu.Lock()
	for worker, n := range e.tried {
		wanted[worker] = n + 2
	}
	e.mu.Unlock()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		e.mu.Lock()
		for worker, n := range wanted {
			if e.answered[worker] >= n {
				delete(wanted, worker)
			}
		}
		e.mu.Unlock()
		switch {
		case len(wanted) == 0:
			return nil
		case time.Since(begun) > limit:
			return fmt.Errorf("workers are not answered any more: %v", wanted)
		}
	}
}

// check compares what is stored with what was answered: each request that was is made once, and all that was seen could have
// happened one thing after the other.
func (e *errands) check() error {
	lost, doubled := 0, 0
	for group := range groups {
		items, err := e.history.Store(e.clients[0].now()).Get(e.Context(), e.of(group)...)
		if err != nil {
			return err
		}
		made := 0
		for _, it := range items[1:] {
			n := sumIn(it)
			made += n
			lost += max(0, e.answered[it.Key]-n)
			doubled += max(0, n-e.tried[it.Key])
		}
		lost += max(0, made-sumIn(items[0]))
		doubled += max(0, sumIn(items[0])-made)
	}
	if lost > 0 || doubled > 0 {
		return fmt.Errorf("of the workers' requests %d are lost, %d doubled", lost, doubled)
	}
	return e.history.Check(limit)
}
