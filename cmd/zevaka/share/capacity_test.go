package share

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters"
	"zevaka/bot/keyspace"
	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

var cellCounts = flag.String("cells", "", "how many cells to simulate from times that are measured here, as 10,100,1000; none if empty")

const (
	// communitiesOfCell is how many communities a cell has in the simulation.
	communitiesOfCell = 10_000
	// roomLeft is the share of what a directory can answer that it is asked for.
	roomLeft = 0.6
)

// TestSimulateCells measures commits, hops and looks into the directory, and prints what so many cells would do.
func TestSimulateCells(t *testing.T) {
	if *cellCounts == "" {
		t.Skip("-cells 10,100,1000 asks for it")
	}
	c := newClub(t)
	m := measured{commits: map[int][]time.Duration{}}
	var most float64
	for _, n := range []int{1, 8, 64} {
		var rate float64
		m.commits[n], rate = c.commits(n)
		most = max(most, rate)
		t.Logf("%2d commits at once: %.0f a second, half within %v, 95%% within %v", n, rate, quantile(m.commits[n], 0.5), quantile(m.commits[n], 0.95))
	}
	m.hop = c.hops()
	t.Logf("a hop to another process: half within %v, 95%% within %v", quantile(m.hop, 0.5), quantile(m.hop, 0.95))
	var looks float64
	m.looks, looks = c.looks()
	r := rand.New(rand.NewPCG(1, 2))
	for text := range strings.SplitSeq(*cellCounts, ",") {
		cells, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, load := range []float64{0.3, 0.6} {
			w := world{
				cells: cells, communities: cells * communitiesOfCell, processes: 3, presses: load * most * float64(cells),
				lasts: 20 * time.Second, alpha: 1.2, most: 60, remembers: maxHomes, directories: 1,
			}
			s := simulate(m, w, r)
			// As many as it takes for each to have some room.
			if w.directories = int(math.Ceil(s.offered * s.looks / (looks * roomLeft))); w.directories > 1 {
				s = simulate(m, w, r)
			}
			w.directories = max(w.directories, 1)
			t.Logf("%5d cells, %8d communities, load %.1f: %8.0f presses/s offered, %8.0f answered, half within %v, 95%% within %v; in the busiest cell %.0f/s, 95%% within %v; %.0f looks/s into %d directories, the busiest %.0f/s, 95%% within %v, %.0f/s not answered",
				cells, w.communities, load, s.offered, s.carried, s.p50.Round(100*time.Microsecond), s.p95.Round(100*time.Microsecond),
				s.busiest, s.worst.Round(100*time.Microsecond), s.looks*s.offered, w.directories, s.busy, s.looked.Round(100*time.Microsecond), s.lost)
		}
	}
}

// commits has so many make commits of the shape of a press at once, and returns how long each took and how many there were a second.
func (c *club) commits(n int) (took []time.Duration, rate float64) {
	c.Helper()
	store, err := etcd.Open(c.Context(), c.at, etcd.Options{Layout: keyspace.Community, Movable: true, CallTime: time.Minute})
	if err != nil {
		c.Fatal(err)
	}
	defer store.Close()
	session, err := store.Join(c.Context(), "measure")
	if err != nil {
		c.Fatal(err)
	}
	hold, err := session.Take(c.Context(), "measure")
	if err != nil || hold == nil {
		c.Fatal(hold, err)
	}
	part, err := hold.Part(c.Context(), 0)
	if err != nil {
		c.Fatal(err)
	}
	const lasts = 5 * time.Second
	var mu sync.Mutex
	var all sync.WaitGroup
	begun := time.Now()
	for i := range n {
		all.Go(func() {
			keys := []string{fmt.Sprintf("o/tx%d/a", i), fmt.Sprintf("a/tx%d/1", i), fmt.Sprintf("a/tx%d/2", i)}
			value, small := make([]byte, 2<<10), make([]byte, 100)
			var rev uint64
			for k := 0; time.Since(begun) < lasts; k++ {
				t := storage.Txn{Writes: []storage.Write{{Key: fmt.Sprintf("e/tx%d/%d/%d", i, n, k), Value: small}}}
				for j, key := range keys {
					v := small
					if j == 0 {
						v = value
					}
					if k > 0 {
						t.Reads = append(t.Reads, storage.Item{Key: key, Rev: rev})
					}
					t.Writes = append(t.Writes, storage.Write{Key: key, Value: v})
				}
				at := time.Now()
				if rev, err = part.Commit(c.Context(), t); err != nil {
					c.Error(err)
					return
				}
				mu.Lock()
				took = append(took, time.Since(at))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if err := session.Leave(c.Context()); err != nil {
		c.Error(err)
	}
	return took, float64(len(took)) / time.Since(begun).Seconds()
}

// hops are how long it takes to pass something to another process and to have its answer.
func (c *club) hops() (took []time.Duration) {
	c.Helper()
	a, b := c.house(), c.house()
	shared(c.T, a, b)
	for id := int64(1); len(took) < 2000; id++ {
		if !b.Serves(community(id)) {
			continue
		}
		begun := time.Now()
		if _, err := a.Pass(c.Context(), community(id), adapters.Parcel{Kind: "echo"}); err != nil {
			c.Fatal(err)
		}
		took = append(took, time.Since(begun))
	}
	return took
}

// looks are how long it takes to look up where a community lives, when so many do at once, and how many such looks there are a
// second at most. It tells how large the directory becomes.
func (c *club) looks() (took map[int][]time.Duration, most float64) {
	c.Helper()
	const communities = 20_000
	hosts := etcdtest.New(c.T, etcdtest.Options{}).Hosts()
	x := &clubs{T: c.T}
	x.Directory = x.directory(etcd.Address{Hosts: hosts, Prefix: "directory"}, true)
	store := x.Store()
	cell := &club{T: c.T, at: etcd.Address{Hosts: hosts, Prefix: "cell"}, cell: "cell-100"}
	if err := x.Enter(c.Context(), cell.store(true), cell.cell, cell.at.String()); err != nil {
		c.Fatal(err)
	}
	before := store.Members(c.Context())[0].Used
	name := func(n int64) string { return community(1_000_000_000_000 + n).String() }
	var next atomic.Int64
	var settling sync.WaitGroup
	for range 64 {
		settling.Go(func() {
			for n := next.Add(1); n <= communities; n = next.Add(1) {
				if _, err := x.Settle(c.Context(), name(n), "cell-100"); err != nil {
					c.Error(err)
					return
				}
			}
		})
	}
	begun := time.Now()
	settling.Wait()
	c.Logf("%d communities settled, %.0f a second; %d bytes for each in the directory", communities, communities/time.Since(begun).Seconds(),
		(store.Members(c.Context())[0].Used-before)/communities)
	took = map[int][]time.Duration{}
	for _, n := range []int{1, 8, 64, 256} {
		const lasts = 5 * time.Second
		var mu sync.Mutex
		var all sync.WaitGroup
		begun := time.Now()
		for range n {
			all.Go(func() {
				for time.Since(begun) < lasts {
					at := time.Now()
					if _, err := x.Find(c.Context(), name(1+rand.Int64N(communities))); err != nil {
						c.Error(err)
						return
					}
					mu.Lock()
					took[n] = append(took[n], time.Since(at))
					mu.Unlock()
				}
			})
		}
		all.Wait()
		rate := float64(len(took[n])) / time.Since(begun).Seconds()
		most = max(most, rate)
		c.Logf("%3d looks into the directory at once: %.0f a second, half within %v, 95%% within %v", n, rate, quantile(took[n], 0.5), quantile(took[n], 0.95))
	}
	return took, most
}

// TestSimulation: where nobody waits a press takes what a commit, a hop and a look take; a cell of which more is asked than it can
// do does what it can; ten cells do ten times as much as one.
func TestSimulation(t *testing.T) {
	m := measured{
		commits: map[int][]time.Duration{1: {time.Millisecond}, 4: {4 * time.Millisecond}},
		looks:   map[int][]time.Duration{1: {100 * time.Millisecond}, 64: {100 * time.Millisecond}},
		hop:     []time.Duration{10 * time.Millisecond},
	}
	w := world{cells: 1, communities: 1000, processes: 1, presses: 5, lasts: time.Minute, alpha: 2, most: 1e9, remembers: 1000, directories: 1}
	r := rand.New(rand.NewPCG(1, 1))
	if s := simulate(m, w, r); s.p50 != time.Millisecond || s.looks != 0 || s.elsewhere != 0 || s.carried < 4 || s.carried > 6 {
		t.Errorf("one process, hardly anything: %+v", s)
	}
	w.remembers, w.processes = 1, 1_000_000
	if s := simulate(m, w, r); s.p50 != 111*time.Millisecond || s.looks < 0.9 || s.elsewhere < 0.9 {
		t.Errorf("many processes that remember nothing: %+v", s)
	}
	w.remembers, w.processes, w.presses = 1000, 1, 3000
	one := simulate(m, w, r)
	if one.carried < 900 || one.carried > 1100 || one.p95 < time.Second {
		t.Errorf("too much: %+v", one)
	}
	w.cells, w.communities, w.presses = 10, 10_000, 5000
	if ten := simulate(m, w, r); ten.carried < 4000 || ten.carried > 5100 || ten.busiest < 500 {
		t.Errorf("ten cells: %+v", ten)
	}
	// A directory answers 640 looks a second.
	w.remembers, w.presses = 1, 2500
	if one := simulate(m, w, r); one.lost < 1500 || one.looked < time.Second {
		t.Errorf("one directory for ten cells: %+v", one)
	}
	w.directories = 8
	if eight := simulate(m, w, r); eight.lost > 50 || eight.busy > 500 || eight.looked != 100*time.Millisecond {
		t.Errorf("eight directories for ten cells: %+v", eight)
	}
}
