//go:build cluster

package etcd

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"zevaka/storage"
	"zevaka/storage/etcd/etcdtest"
)

// TestTrips: each call on a part, and each transaction of Update that reads once, is one request to the cluster.
func TestTrips(t *testing.T) {
	c := etcdtest.Shared(t)
	o := patient
	o.Layout = bySlash
	s := opened(t, at(c), o)
	p := part(t, taken(t, joined(t, s, "one"), "mine"), PartOf("friends"))
	write := storage.Txn{Reads: []storage.Item{{Key: "o/friends/1"}}}
	for i := range 5 {
		write.Writes = append(write.Writes, storage.Write{Key: fmt.Sprint("o/friends/", i), Value: []byte("x")})
	}
	for _, call := range []struct {
		name string
		does func(context.Context) error
		want int
	}{
		{"Commit", func(ctx context.Context) error { return second(p.Commit(ctx, write)) }, 1},
		{"Get", func(ctx context.Context) error { return second(p.Get(ctx, "o/friends/1", "o/strangers/1", "c/own")) }, 1},
		{"Scan", func(ctx context.Context) error { return second(p.Scan(ctx, "o/friends/", "", 10)) }, 1},
		{"Update", func(ctx context.Context) error {
			return storage.Update(ctx, p, func(tx storage.Tx) error {
				_, err := tx.Get("o/friends/1", "o/friends/2")
				tx.Put("o/friends/1", []byte("y"))
				return err
			})
		}, 2},
	} {
		before := requests(t, c)
		if err := call.does(t.Context()); err != nil {
			t.Fatalf("%s: %v", call.name, err)
		}
		if n := requests(t, c) - before; n != call.want {
			t.Errorf("%s: %d requests, want %d", call.name, n, call.want)
		}
	}
}

// requests are how many have asked the members for keys or changed some.
func requests(t *testing.T, c *etcdtest.Cluster) (n int) {
	t.Helper()
	for _, host := range c.Hosts() {
		answer, err := http.Get("http://" + host + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if !strings.HasPrefix(lines.Text(), "grpc_server_started_total{") || !strings.Contains(lines.Text(), `"etcdserverpb.KV"`) {
				continue
			}
			_, number, _ := strings.Cut(lines.Text(), "} ")
			calls, err := strconv.ParseFloat(number, 64)
			if err != nil {
				t.Fatal(err)
			}
			n += int(calls)
		}
	}
	return n
}
