package watch

import (
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"zevaka/bot/testlog"
	"zevaka/storage/etcd"
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
