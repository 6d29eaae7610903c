package watch

import (
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"zevaka/bot/testlog"
	"zevaka/storage/etcd"
	"zevaka/storage/mem"
)

// TestMembers: what has to be done about a member is said when it begins, once, and so is its end.
func TestMembers(t *testing.T) {
	well := etcd.Member{Host: "db1:2379", Size: 40, Used: 30, Quota: 100}
	with := func(change func(*etcd.Member)) etcd.Member {
		one := well
		change(&one)
		return one
	}
	seen := []struct {
		member etcd.Member
		says   string // nothing if empty
	}{
		{well, ""},
		{with(func(m *etcd.Member) { m.Size = 60 }), "defrag"},
		{with(func(m *etcd.Member) { m.Size = 61 }), ""},
		{with(func(m *etcd.Member) { m.Size, m.Used = 70, 51 }), "more than half of its quota: keep"},
		{with(func(m *etcd.Member) { m.Full = true }), "none takes writes"},
		{well, "well again"},
		{etcd.Member{Host: "db1:2379", Err: errors.New("refused")}, "doesn't answer"},
		{with(func(m *etcd.Member) { m.Behind = behindMost + 1 }), "lags behind"},
		{well, "well again"},
		{well, ""},
	}
	said := new(testlog.Log)
	w := New(Options{Log: slog.New(slog.NewTextHandler(said, nil))})
	members := w.newMembers()
	for i, k := range seen {
		before := len(said.String())
		members.see(k.member)
		now := said.String()[before:]
		if k.says == "" && now != "" || !strings.Contains(now, k.says) || strings.Count(now, "\n") > 1 {
			t.Errorf("%d: said %q, want %q", i, now, k.says)
		}
	}
	w.registry.MustRegister(members.all()...)
	page := httptest.NewRecorder()
	promhttp.HandlerFor(w.registry, promhttp.HandlerOpts{}).ServeHTTP(page, httptest.NewRequest("GET", "/", nil))
	for _, want := range []string{
		`zevaka_store_member_up{host="db1:2379"} 1`, `zevaka_store_member_bytes{host="db1:2379"} 40`,
		`zevaka_store_member_used_bytes{host="db1:2379"} 30`, `zevaka_store_member_quota_bytes{host="db1:2379"} 100`,
		`zevaka_store_member_behind{host="db1:2379"} 0`,
	} {
		if !strings.Contains(page.Body.String(), want+"\n") {
			t.Errorf("%s isn't told", want)
		}
	}
}

// TestFullIsNotReady: a cluster that takes no more writes isn't ready, though it takes what writes nothing, until there is room again.
func TestFullIsNotReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(Options{})
		w.Probe(mem.New())
		var full atomic.Bool
		ctx, stop := context.WithCancel(t.Context())
		var watching sync.WaitGroup
		watching.Go(func() {
			w.Members(ctx, func(context.Context) []etcd.Member {
				return []etcd.Member{{Host: "db1:2379", Full: full.Load()}, {Host: "db2:2379"}}
			})
		})
		for _, now := range []bool{false, true, false} {
			full.Store(now)
			time.Sleep(membersEvery + time.Second)
			if said := strings.Join(w.Missing(ctx), "\n"); strings.Contains(said, "quota") != now {
				t.Errorf("full is %v, and it says %q", now, said)
			}
		}
		stop()
		watching.Wait()
	})
}
