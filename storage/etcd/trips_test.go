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
	"zevaka/storage/mem"
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

// TestScanCosts: to read all of a divided store takes little more than what is stored, however it is spread over the parts.
func TestScanCosts(t *testing.T) {
	c := etcdtest.Shared(t)
	o := patient
	o.Layout = bySlash
	const items, size = 600, 1 << 10
	for _, of := range []int{1, 40, items} { // How many items a community has.
		s := opened(t, at(c), o)
		for from := 0; from < items; from += 40 {
			var some storage.Txn
			for i := from; i < from+40; i++ {
				some.Writes = append(some.Writes, storage.Write{Key: fmt.Sprintf("o/friends%03d/%d", i/of, i), Value: make([]byte, size)})
			}
			if _, err := s.Commit(t.Context(), some); err != nil {
				t.Fatal(err)
			}
		}
		read := func(name string, does func() error) {
			t.Helper()
			before := sent(t, c)
			if err := does(); err != nil {
				t.Fatal(err)
			}
			if n := sent(t, c) - before; n < items*size || n > 3*items*size/2 {
				t.Errorf("%s of %d bytes, %d items a community: %d bytes are sent", name, items*size, of, n)
			}
		}
		read("Pages", func() error {
			for _, err := range storage.Pages(t.Context(), s, "") {
				if err != nil {
					return err
				}
			}
			return nil
		})
		read("Copy", func() error {
			return s.View(t.Context(), func(r storage.Reader) error {
				return second(storage.Copy(t.Context(), mem.New(), r, storage.Copying{}))
			})
		})
	}
}

// requests are how many have asked the members for keys or changed some.
func requests(t *testing.T, c *etcdtest.Cluster) int {
	return counted(t, c, "grpc_server_started_total{", `"etcdserverpb.KV"`)
}

// sent is how many bytes the members have sent to clients.
func sent(t *testing.T, c *etcdtest.Cluster) int {
	return counted(t, c, "etcd_network_client_grpc_sent_bytes_total", "")
}

// counted is a sum of what members count by a name, with a label.
func counted(t *testing.T, c *etcdtest.Cluster, name, label string) (n int) {
	t.Helper()
	for _, host := range c.Hosts() {
		answer, err := http.Get("http://" + host + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if !strings.HasPrefix(lines.Text(), name) || !strings.Contains(lines.Text(), label) {
				continue
			}
			number, err := strconv.ParseFloat(lines.Text()[strings.LastIndex(lines.Text(), " ")+1:], 64)
			if err != nil {
				t.Fatal(err)
			}
			n += int(number)
		}
	}
	return n
}
