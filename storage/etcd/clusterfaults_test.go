//go:build cluster

package etcd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
)

// fault is something that goes wrong with a cluster while clients write to it.
type fault struct {
	name string
	// long says that it happens in a long test alone.
	long bool
	// happens has it happen, and be over.
	happens func(*round)
}

// faults are all that a cluster is put through.
func faults() []fault {
	leader := func(r *round) *etcdtest.Member { return r.Leader() }
	follower := func(r *round) *etcdtest.Member { return r.Follower() }
	return []fault{
		{"nothing", true, func(*round) { time.Sleep(trouble) }},
		{"leader killed (SIGKILL)", false, killed(leader)},
		{"follower killed (SIGKILL)", true, killed(follower)},
		{"leader frozen (SIGSTOP)", true, frozenFor(leader, trouble)},
		{"follower frozen (SIGSTOP)", true, frozenFor(follower, trouble)},
		{"leader apart from the rest", false, apart(leader, true, true)},
		{"leader is not heard", true, apart(leader, true, false)},
		{"leader does not hear", true, apart(leader, false, true)},
		{"follower apart from the rest", true, apart(follower, true, true)},
		{"client is not heard by a member", true, deaf(true, false)},
		{"client does not hear a member", false, deaf(false, true)},
		{"follower frozen for longer than a session", true, sessionsLast(frozenFor(follower, SessionTime+3*time.Second))},
		{"each client apart from a member for as long", true, sessionsLast(oneEach)},
		{"members hear each other late", true, late},
		{"connections reset", true, resets},
		{"all down and up", false, allDown},
		{"rolling restart", true, rolling},
		{"compacted, defragmented", false, compacted},
		{"no space, by an alarm", false, alarmed},
		{"no space, by the quota", true, full},
		{"two owners", true, twoOwners},
	}
}

const (
	// trouble is how long a fault lasts that lasts as long as one likes: longer than the members take to elect a leader.
	trouble = 2500 * time.Millisecond
	// space is how large the members' files may become. All faults but one stay far below.
	space = 48 << 20
)

// TestClusterFaults has three members and four clients, each of which holds something, meet all that can be made to go wrong.
// Whatever it is, each write that was answered is there, none twice, and what the clients saw could have happened one after
// the other. A table says what came of it; how long the slowest answer took is told there, and nothing is asked of it.
func TestClusterFaults(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{
		Links: true, Election: time.Second, Args: []string{"--quota-backend-bytes", fmt.Sprint(space)},
	})
	f := newField(t, c)
	var table strings.Builder
	for i, one := range faults() {
		t.Run(one.name, func(t *testing.T) {
			r := f.round(t, i)
			stop := r.start()
			time.Sleep(300 * time.Millisecond)
			r.fault(one.happens)
			r.goesOn()
			stop()
			found := r.check()
			fmt.Fprintf(&table, "\n| %s | %d | %d | %d | %d | %d ms |", one.name,
				found.commits, found.unknown, found.lost, found.doubled, found.slowest.Milliseconds())
			r.compact()
		})
	}
	t.Logf("\n| Fault | Commits | Unknown | Lost | Doubled | Slowest after |\n|---|--:|--:|--:|--:|--:|%s", &table)
}

// member picks one.
type member func(*round) *etcdtest.Member

func killed(which member) func(*round) {
	return func(r *round) {
		m := which(r)
		m.Kill()
		time.Sleep(trouble)
		m.Start()
	}
}

func frozenFor(which member, long time.Duration) func(*round) {
	return func(r *round) {
		m := which(r)
		m.Pause()
		time.Sleep(long)
		m.Resume()
	}
}

// sessionsLast wants each client to hold at the end what it held before.
func sessionsLast(happens func(*round)) func(*round) {
	return func(r *round) {
		var were []*Store
		for _, c := range r.clients {
			were = append(were, c.now())
		}
		happens(r)
		for i, c := range r.clients {
			if c.now() != were[i] || !c.session.Alive() {
				r.Errorf("%s lost its session", c.name)
			}
		}
	}
}

// apart cuts what a member says to the others, what they say to it, or both.
func apart(which member, says, hears bool) func(*round) {
	return func(r *round) {
		m := which(r)
		for _, other := range r.Members {
			if other == m {
				continue
			}
			if says {
				defer r.Links.Cut(m.Name, other.Name)()
			}
			if hears {
				defer r.Links.Cut(other.Name, m.Name)()
			}
		}
		time.Sleep(trouble)
	}
}

// deaf cuts what a client says to the leader, or what it hears of it.
func deaf(says, hears bool) func(*round) {
	return func(r *round) {
		c, m := r.clients[0].name, r.Leader().Name
		if says {
			defer r.Links.Cut(c, m)()
		}
		if hears {
			defer r.Links.Cut(m, c)()
		}
		time.Sleep(trouble)
	}
}

// oneEach cuts each client off from another member.
func oneEach(r *round) {
	for i, c := range r.clients {
		m := r.Members[i%len(r.Members)]
		defer r.Links.Cut(c.name, m.Name)()
		defer r.Links.Cut(m.Name, c.name)()
	}
	time.Sleep(SessionTime + 3*time.Second)
}

// pairs calls each with the names of all members that speak to each other.
func pairs(r *round, each func(from, to string)) {
	for _, a := range r.Members {
		for _, b := range r.Members {
			if a != b {
				each(a.Name, b.Name)
			}
		}
	}
}

func late(r *round) {
	pairs(r, func(from, to string) { r.Links.Slow(from, to, 50*time.Millisecond) })
	time.Sleep(trouble)
	pairs(r, func(from, to string) { r.Links.Slow(from, to, 0) })
}

func resets(r *round) {
	for begun := time.Now(); time.Since(begun) < trouble; time.Sleep(200 * time.Millisecond) {
		pairs(r, r.Links.Reset)
		for _, c := range r.clients {
			for _, m := range r.Members {
				r.Links.Reset(c.name, m.Name)
			}
		}
	}
}

func allDown(r *round) {
	for _, m := range r.Members {
		m.Kill()
	}
	time.Sleep(time.Second)
	for _, m := range r.Members {
		m.Start()
	}
}

func rolling(r *round) {
	for _, m := range r.Members {
		m.Stop()
		m.Start()
		r.Ready()
	}
}

// compacted has etcd let go of all that is old, and write its files anew, again and again, while a client also reads at one
// moment, which may be too old for it in the middle.
func compacted(r *round) {
	ctx, cancel := context.WithCancel(r.Context())
	done := make(chan error)
	go func() {
		var err error
		for ctx.Err() == nil && err == nil {
			err = r.look()
		}
		done <- err
	}()
	for begun := time.Now(); time.Since(begun) < trouble; {
		r.compact()
		for _, m := range r.Members {
			r.defragment(m)
		}
	}
	cancel()
	if err := <-done; err != nil {
		r.Error(err)
	}
}

func (r *round) compact() {
	r.Helper()
	now, err := r.raw.Get(r.Context(), "now")
	if err == nil {
		_, err = r.raw.Compact(r.Context(), now.Header.Revision, clientv3.WithCompactPhysical())
	}
	if err != nil {
		r.Error(err)
	}
}

func (r *round) defragment(m *etcdtest.Member) {
	r.Helper()
	if _, err := r.raw.Defragment(r.Context(), m.Host); err != nil {
		r.Error(err)
	}
}

func alarmed(r *round) {
	r.Fill()
	time.Sleep(time.Second)
	r.Drain()
}

// full fills the cluster up to its quota, and makes room again as the page for operators says.
func full(r *round) {
	value := strings.Repeat("v", storage.MaxValue)
	for n := 0; ; n++ {
		var ops []clientv3.Op
		for i := range 16 {
			ops = append(ops, clientv3.OpPut(fmt.Sprintf("junk/%d/%d", n, i), value))
		}
		_, err := r.raw.Txn(r.Context()).Then(ops...).Commit()
		if errors.Is(err, rpctypes.ErrNoSpace) {
			break
		}
		if err != nil || n > 2*space/len(value)/16 {
			r.Fatalf("not full after %d: %v", n, err)
		}
	}
	time.Sleep(time.Second)
	if _, err := r.raw.Delete(r.Context(), "junk/", clientv3.WithPrefix()); err != nil {
		r.Error(err)
	}
	r.compact()
	for _, m := range r.Members {
		r.defragment(m)
	}
	r.Drain()
}

// twoOwners cuts a client off that writes by what it holds, in the middle of a commit, until another has taken what it held, and
// lets it go on.
func twoOwners(r *round) {
	away, heir := newClient(r.T, r.Cluster, "away"), newClient(r.T, r.Cluster, "heir")
	over := make(chan int)
	go func() { over <- r.untilFenced(away.now()) }()
	time.Sleep(500 * time.Millisecond)
	var mends []func()
	for _, m := range r.Members {
		mends = append(mends, r.Links.Cut(away.name, m.Name), r.Links.Cut(m.Name, away.name))
	}
	failed := heir.take(r.Context(), away.thing())
	if away.session.Alive() {
		r.Error("what is held was taken by another, and its holder thinks that it holds it")
	}
	before, err := r.count(heir.now())
	for _, mend := range mends {
		mend()
	}
	n := <-over
	after, again := r.count(heir.now())
	if err := errors.Join(failed, err, again); err != nil || n == 0 || before <= n || after != before+1 {
		r.Errorf("%d writes by the one were answered, then there were %d, then %d; %v", n, before, after, err)
	}
}

// untilFenced counts until it may not any more, and returns how often it was answered; 0 if it always may.
func (r *round) untilFenced(held *Store) (answered int) {
	for begun := time.Now(); time.Since(begun) < patience; {
		_, err := r.count(held)
		switch {
		case errors.Is(err, ErrFenced):
			return answered
		case err == nil:
			answered++
		}
	}
	return 0
}

// count adds one to what is counted by whoever holds that, and returns how much it is.
func (r *round) count(held *Store) (n int, err error) {
	err = storage.Update(r.Context(), r.history.Store(held), func(tx storage.Tx) error {
		items, err := tx.Get(r.key("own"))
		if err != nil {
			return err
		}
		n = number(items[0]) + 1
		tx.Put(r.key("own"), fmt.Appendf(nil, "%d %s", n, held.hold.session.name))
		return nil
	})
	return n, err
}
