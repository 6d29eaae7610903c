package etcd

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
)

// TestOpen opens what is there, what isn't, and what is somebody else's.
func TestOpen(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	other := etcdtest.New(t, etcdtest.Options{Members: 1})
	raw := c.Client()
	for key, value := range map[string]string{
		"/theirs/config": "1", "/newer/format": "zevaka 9", "/cell/format": format, "/cell/label": "cell one", "/cell/data/common/c/running": "1",
	} {
		if _, err := raw.Put(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	ours := opened(t, Address{Hosts: c.Hosts(), Prefix: "ours"}, Options{New: true})
	if _, err := ours.Commit(t.Context(), storage.Txn{Writes: []storage.Write{{Key: "a", Value: []byte("1")}}}); err != nil {
		t.Fatal(err)
	}
	both := append(c.Hosts(), other.Hosts()...)
	tests := []struct {
		name   string
		hosts  []string
		prefix string
		fresh  bool
		want   error
		says   string
	}{
		{"ours", c.Hosts(), "ours", false, nil, ""},
		{"ours, as if new", c.Hosts(), "ours", true, nil, ""},
		{"empty", c.Hosts(), "nothing", false, ErrEmpty, "--new"},
		{"the beginning of our prefix", c.Hosts(), "our", false, ErrEmpty, "--new"},
		{"theirs", c.Hosts(), "theirs", true, ErrForeign, "another prefix"},
		{"newer", c.Hosts(), "newer", true, ErrForeign, "zevaka 9"},
		{"a cell", c.Hosts(), "cell", false, ErrCell, `its name is "cell one"`},
		{"two clusters", both, "ours", true, ErrClusters, c.Hosts()[0]},
	}
	for _, k := range tests {
		t.Run(k.name, func(t *testing.T) {
			s, err := Open(t.Context(), Address{Hosts: k.hosts, Prefix: k.prefix}, Options{New: k.fresh})
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

// TestOpenWaits: a cluster that isn't there yet is waited for, and the log says why, by the host.
func TestOpenWaits(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{Members: 1})
	c.Members[0].Kill()
	var said bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
	defer cancel()
	o := Options{New: true, Log: slog.New(slog.NewTextHandler(&said, nil))}
	a := Address{Hosts: c.Hosts(), Prefix: "z"}
	if _, err := Open(ctx, a, o); !errors.Is(err, storage.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Open: %v", err)
	}
	if !strings.Contains(said.String(), c.Hosts()[0]) || !strings.Contains(said.String(), "refused") {
		t.Errorf("the log says: %s", said.String())
	}
	time.AfterFunc(time.Second, c.Members[0].Start)
	opened(t, a, o)
}

// TestTooFew: who names the one member that lives of three is told to look for the others.
func TestTooFew(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{})
	for _, m := range c.Members[1:] {
		m.Kill()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	_, err := Open(ctx, Address{Hosts: c.Hosts()[:1], Prefix: "z"}, Options{})
	if !errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), "more than half of the members run") {
		t.Errorf("Open: %v", err)
	}
}
