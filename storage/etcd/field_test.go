//go:build cluster

package etcd

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
	"zevaka/storage/storagetest/linear"
)

const (
	// groups are how many sets of keys the clients write to. In each, each client has one worker.
	groups = 4
	// patience is how long a request may take that is answered in the end, and the checker for a group.
	patience = 90 * time.Second
)

// field is a cluster with its clients.
type field struct {
	*etcdtest.Cluster
	raw     *clientv3.Client
	clients []*client
}

func newField(t *testing.T, c *etcdtest.Cluster) *field {
	f := &field{Cluster: c, raw: c.Client()}
	opened(t, Address{Hosts: c.Hosts(), Prefix: "z"}, Options{New: true})
	for i := range 4 {
		f.clients = append(f.clients, newClient(t, c, fmt.Sprint("c", i)))
	}
	return f
}

// client is what a process has: a store of its own over links of its own, a session, and something that it holds, on which its
// writes rely.
type client struct {
	name  string
	whole *Store

	mu      sync.Mutex
	session *Session
	held    *Store
}

func newClient(t *testing.T, c *etcdtest.Cluster, name string) *client {
	t.Helper()
	o := &client{name: name, whole: opened(t, Address{Hosts: c.Doors(name), Prefix: "z"}, Options{})}
	if err := o.again(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.session.Leave(context.Background()) }) // It may have ended.
	return o
}

// thing is what the client holds.
func (c *client) thing() string { return "faults/" + c.name }

// now is the store by which the client writes.
func (c *client) now() *Store {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}

// again has the client hold something again after it lost what it held with a store.
func (c *client) again(ctx context.Context, lost *Store) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held != lost {
		return nil
	}
	return c.take(ctx, c.thing())
}

// take takes a thing in a new session, as soon as nobody has it.
func (c *client) take(ctx context.Context, thing string) (err error) {
	if c.session == nil || !c.session.Alive() {
		if c.session, err = c.whole.Join(ctx, c.name); err != nil {
			return err
		}
	}
	for {
		hold, err := c.session.Take(ctx, thing)
		if hold != nil {
			c.held = hold.Whole()
			return nil
		}
		if err != nil && !errors.Is(err, storage.ErrUnavailable) || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		sleep(ctx, 50*time.Millisecond)
	}
}

// round is one fault, with what the clients do meanwhile.
type round struct {
	*testing.T
	*field
	number  int
	history *linear.History

	mu              sync.Mutex
	answered, tried map[string]int // requests of each worker, by its key
	begun           time.Time      // when the fault began
	slowest         time.Duration
}

// findings are what came of a round.
type findings struct {
	commits, unknown, lost, doubled int
	slowest                         time.Duration
}

func (f *field) round(t *testing.T, number int) *round {
	return &round{
		T: t, field: f, number: number, history: new(linear.History), answered: map[string]int{}, tried: map[string]int{},
	}
}

// key is one of the round's own.
func (r *round) key(name string) string { return fmt.Sprintf("faults/%d/%s", r.number, name) }

func (r *round) sum(group int) string { return r.key(fmt.Sprint(group, "/sum")) }

func (r *round) worker(group int, c *client) string { return r.key(fmt.Sprint(group, "/", c.name)) }

// of are all keys of a group.
func (r *round) of(group int) []string {
	keys := []string{r.sum(group)}
	for _, c := range r.clients {
		keys = append(keys, r.worker(group, c))
	}
	return keys
}

// start starts the workers, and returns what stops them and waits.
func (r *round) start() (stop func()) {
	ctx, cancel := context.WithCancel(r.Context())
	var all sync.WaitGroup
	for _, c := range r.clients {
		for group := range groups {
			all.Go(func() {
				for n := 1; ctx.Err() == nil; n++ {
					if err := r.request(c, group, n); err != nil {
						r.Errorf("%s: request %d: %v", c.name, n, err)
						return
					}
					if n%3 == 0 { // It may fail: the next request says so.
						_, _ = r.history.Store(c.now()).Get(ctx, r.of(group)...)
					}
				}
			})
		}
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// request adds one to the sum of a group, the n-th of this worker, again and again until it is answered.
func (r *round) request(c *client, group, n int) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), patience)
	defer cancel()
	sum, mine := r.sum(group), r.worker(group, c)
	r.mu.Lock()
	r.tried[mine] = n
	r.mu.Unlock()
	for began := time.Now(); ; {
		held := c.now()
		err := storage.Update(ctx, r.history.Store(held), func(tx storage.Tx) error {
			items, err := tx.Get(sum, mine)
			if err != nil || number(items[1]) >= n {
				return err
			}
			tx.Put(sum, fmt.Appendf(nil, "%d %s/%d", number(items[0])+1, c.name, n))
			tx.Put(mine, fmt.Append(nil, n))
			return nil
		})
		switch {
		case err == nil:
			r.answer(mine, n, began)
			return nil
		case ctx.Err() != nil:
			return err
		case errors.Is(err, ErrFenced):
			if err := c.again(ctx, held); err != nil {
				return err
			}
		}
		sleep(ctx, 20*time.Millisecond)
	}
}

func (r *round) answer(worker string, n int, began time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answered[worker] = n
	if !r.begun.IsZero() {
		r.slowest = max(r.slowest, time.Since(began))
	}
}

// number is what an item counts; 0 if there is none.
func number(it storage.Item) int {
	text, _, _ := strings.Cut(string(it.Value), " ")
	n, _ := strconv.Atoi(text)
	return n
}

// fault has it happen.
func (r *round) fault(happens func(*round)) {
	r.mu.Lock()
	r.begun = time.Now()
	r.mu.Unlock()
	happens(r)
	r.Ready()
}

// goesOn waits until each worker was answered some more requests.
func (r *round) goesOn() {
	r.Helper()
	wanted := map[string]int{}
	r.mu.Lock()
	for worker, n := range r.tried {
		wanted[worker] = n + 2
	}
	r.mu.Unlock()
	for begun := time.Now(); !r.Failed(); time.Sleep(20 * time.Millisecond) {
		r.mu.Lock()
		for worker, n := range wanted {
			if r.answered[worker] >= n {
				delete(wanted, worker)
			}
		}
		r.mu.Unlock()
		if len(wanted) == 0 {
			return
		}
		if time.Since(begun) > patience {
			r.Errorf("not answered any more: %v", wanted)
		}
	}
}

// check compares what is stored with what was answered, and checks the history.
func (r *round) check() findings {
	r.Helper()
	f := findings{slowest: r.slowest}
	for group := range groups {
		items, err := r.history.Store(r.clients[0].now()).Get(r.Context(), r.of(group)...)
		if err != nil {
			r.Fatal(err)
		}
		made := 0
		for _, it := range items[1:] {
			n := number(it)
			made += n
			f.lost += max(0, r.answered[it.Key]-n)
			f.doubled += max(0, n-r.tried[it.Key])
		}
		f.lost += max(0, made-number(items[0]))
		f.doubled += max(0, number(items[0])-made)
	}
	if f.lost > 0 || f.doubled > 0 {
		r.Errorf("%d lost, %d doubled", f.lost, f.doubled)
	}
	if err := r.history.Check(patience); err != nil {
		r.Error(err)
	}
	counts := r.history.Counts()
	f.commits, f.unknown = counts.Made, counts.Unknown
	return f
}

// look reads two groups at one moment.
func (r *round) look() error {
	err := r.history.Store(r.clients[1].whole).View(r.Context(), func(from storage.Reader) error {
		for group := range 2 {
			if _, err := from.Get(r.of(group)...); err != nil {
				return err
			}
		}
		_, err := from.Scan(r.key(""), "", 100)
		return err
	})
	if errors.Is(err, storage.ErrUnavailable) { // All of a member's file is written anew at times.
		return nil
	}
	return err
}
