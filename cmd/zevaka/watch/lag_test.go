package watch

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot/testlog"
	"zevaka/engine/enginetest"
	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

// lagging is a cluster of which one member can be made to lag, with what is said of it.
type lagging struct {
	*testing.T
	cluster *etcdtest.Cluster
	member  *etcdtest.Member
	store   *etcd.Store
	watch   *Watch
	members *members
	log     *testlog.Log
	written int
}

func newLagging(t *testing.T) *lagging {
	t.Helper()
	x := &lagging{T: t, cluster: etcdtest.New(t, etcdtest.Options{Links: true}), log: new(testlog.Log)}
	x.member = x.cluster.Follower()
	store, err := etcd.Open(t.Context(), etcd.Address{Hosts: x.cluster.Hosts(), Prefix: "z"}, etcd.Options{New: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	x.store, x.watch = store, New(Options{Log: slog.New(slog.NewTextHandler(x.log, nil))})
	x.members = x.watch.newMembers()
	x.watch.registry.MustRegister(x.members.all()...)
	return x
}

// write makes so many commits. Those that are under way when a member begins to lag may be made only when they are tried again.
func (x *lagging) write(n int) {
	x.Helper()
	const atOnce = 64
	var all sync.WaitGroup
	var again atomic.Int64
	begun := time.Now()
	for i := range atOnce {
		all.Go(func() {
			for k := i; k < n && x.Context().Err() == nil; k += atOnce {
				one := storage.Txn{Writes: []storage.Write{{Key: fmt.Sprint("k", x.written+k), Value: []byte("v")}}}
				for _, err := x.store.Commit(x.Context(), one); err != nil && x.Context().Err() == nil; _, err = x.store.Commit(x.Context(), one) {
					again.Add(1)
				}
			}
		})
	}
	all.Wait()
	x.written += n
	x.Logf("%d commits in %v, %d of them tried again", n, time.Since(begun).Round(time.Millisecond), again.Load())
}

// look asks the members how they are, and returns what is said of the one, and what the metrics are.
func (x *lagging) look() (said string, behind, up float64) {
	x.Helper()
	before := len(x.log.String())
	for _, one := range x.store.Members(x.Context()) {
		x.members.see(one)
	}
	for line := range strings.Lines(x.log.String()[before:]) {
		if !strings.Contains(line, x.member.Host) {
			x.Errorf("of another member is said: %s", line)
		}
		said += line
	}
	page := httptest.NewRecorder()
	x.watch.Handler().ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	metric := func(name string) float64 {
		found := regexp.MustCompile(name + `\{host="` + regexp.QuoteMeta(x.member.Host) + `"\} (\S+)`).FindStringSubmatch(page.Body.String())
		if found == nil {
			return -1
		}
		value, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			x.Error(err)
		}
		return value
	}
	return said, metric("zevaka_store_member_behind"), metric("zevaka_store_member_up")
}

// until looks until that is said.
func (x *lagging) until(what string) {
	x.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		said, behind, up := x.look()
		if strings.Contains(said, what) {
			x.Logf("behind %v, up %v: %s", behind, up, said)
			return
		}
		if time.Now().After(end) {
			x.Fatalf("it is never said that it %s; behind %v, up %v", what, behind, up)
		}
	}
}

// TestLags: a member that doesn't hear the others lags, one that is frozen doesn't answer, and that is said once; commits go on
// meanwhile. When it has caught up, that is said, too.
func TestLags(t *testing.T) {
	enginetest.Long(t)
	x := newLagging(t)
	x.write(100)
	if said, behind, up := x.look(); said != "" || behind < 0 || up != 1 {
		t.Fatalf("all is well, and it says %q, behind %v, up %v", said, behind, up)
	}
	var mends []func()
	for _, other := range x.cluster.Members {
		if other != x.member {
			mends = append(mends, x.cluster.Links.Cut(other.Name, x.member.Name), x.cluster.Links.Cut(x.member.Name, other.Name))
		}
	}
	x.write(behindMost / 2)
	if said, behind, up := x.look(); said != "" || behind < behindMost/20 || up != 1 {
		t.Errorf("not far behind, it says %q, behind %v, up %v", said, behind, up)
	}
	x.write(behindMost)
	x.until("lags behind the others")
	x.write(100)
	if said, behind, _ := x.look(); said != "" || behind < behindMost {
		t.Errorf("again it says %q, behind %v", said, behind)
	}
	for _, mend := range mends {
		mend()
	}
	x.until("well again")
	x.member.Pause()
	x.until("doesn't answer")
	x.write(1000)
	x.member.Resume()
	x.until("well again")
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if _, behind, up := x.look(); behind == 0 && up == 1 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("it never catches up")
		}
	}
}
