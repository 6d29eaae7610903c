//go:build cluster

package etcd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
)

// TestOpen opens what is there, what isn't, and what is somebody else's.
func TestOpen(t *testing.T) {
	c := etcdtest.Shared(t)
	raw := c.Client()
	for key, value := range map[string]string{
		"/theirs/config": "1", "/newer/format": fmt.Sprint("zevaka ", storage.Format+1), "/cell/format": format(), "/cell/label": "cell one", "/cell/data/common/c/running": "1",
	} {
		if _, err := raw.Put(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	ours := opened(t, Address{Hosts: c.Hosts(), Prefix: "ours"}, patient)
	if _, err := ours.Commit(t.Context(), storage.Txn{Writes: []storage.Write{{Key: "a", Value: []byte("1")}}}); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		prefix string
		fresh  bool
		want   error
		says   string
	}{
		{"ours", "ours", false, nil, ""},
		{"ours, as if new", "ours", true, nil, ""},
		{"empty", "nothing", false, ErrEmpty, "--new"},
		{"the beginning of our prefix", "our", false, ErrEmpty, "--new"},
		{"theirs", "theirs", true, ErrForeign, "another prefix"},
		{"newer", "newer", true, ErrForeign, "run the zevaka that wrote them"},
		{"a cell", "cell", false, ErrCell, `its name is "cell one"`},
	}
	for _, k := range tests {
		t.Run(k.name, func(t *testing.T) {
			s, err := Open(t.Context(), Address{Hosts: c.Hosts(), Prefix: k.prefix}, Options{New: k.fresh})
			if !errors.Is(err, k.want) || err != nil && !strings.Contains(err.Error(), k.says) {
				t.Fatalf("Open: %v, want %v and %q", err, k.want, k.says)
			}
			if err != nil {
				return
			}
			defer s.Close()
			if items, err := s.Get(t.Context(), "a"); err != nil || string(items[0].Value) != "1" {
				t.Errorf("Get: %v, %v", items, err)
			}
		})
	}
}

// TestEarlierFormat: a store of an earlier format is read as it is, and brought to today's by who takes part in serving it, unless
// others still serve it by the earlier one.
func TestEarlierFormat(t *testing.T) {
	c := etcdtest.Shared(t)
	a := at(c)
	key := "/" + a.Prefix + "/" + formatKey
	if _, err := c.Client().Put(t.Context(), key, "zevaka 1"); err != nil {
		t.Fatal(err)
	}
	said := func() string {
		found, err := c.Client().Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return string(found.Kvs[0].Value)
	}
	s := opened(t, a, Options{})
	held := s.heldKey("process/an earlier one")
	if _, err := c.Client().Put(t.Context(), held, "1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Join(t.Context(), "one"); !errors.Is(err, ErrOlder) || said() != "zevaka 1" {
		t.Errorf("Join while it is served: %v, the format is %q", err, said())
	}
	if _, err := c.Client().Delete(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	one := joined(t, s, "one")
	taken(t, one, "part/1")
	joined(t, s, "two")
	if said() != format() {
		t.Errorf("the format is %q", said())
	}
}

// brief is how long tests wait for a store that doesn't open: longer than it takes to find out why.
const brief = 3 * time.Second

// TestOpenWaits: a cluster that isn't there yet is waited for, and the log says why, by the host.
func TestOpenWaits(t *testing.T) {
	c := etcdtest.Shared(t)
	for _, m := range c.Members {
		m.Kill()
	}
	var said bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), brief)
	defer cancel()
	o := Options{New: true, Log: slog.New(slog.NewTextHandler(&said, nil))}
	a := at(c)
	if _, err := Open(ctx, a, o); !errors.Is(err, storage.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Open: %v", err)
	}
	if !strings.Contains(said.String(), c.Hosts()[0]) || !strings.Contains(said.String(), "refused") {
		t.Errorf("the log says: %s", said.String())
	}
	for _, m := range c.Members {
		time.AfterFunc(time.Second, m.Start)
	}
	opened(t, a, o)
}

// TestTooFew: who names the one member that lives of three is told to look for the others.
func TestTooFew(t *testing.T) {
	c := etcdtest.Shared(t)
	for _, m := range c.Members[1:] {
		m.Kill()
	}
	ctx, cancel := context.WithTimeout(t.Context(), brief)
	defer cancel()
	_, err := Open(ctx, Address{Hosts: c.Hosts()[:1], Prefix: "z"}, Options{})
	if !errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), "more than half of the members run") {
		t.Errorf("Open: %v", err)
	}
}
