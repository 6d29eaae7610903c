//go:build cluster

package bot_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/bot"
	"zevaka/bot/keyspace"
	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

// BenchmarkPressInACluster measures presses at 64 tables at once over a cluster of three members on this machine, beside a bare
// client that makes the transactions of the last presses again, under keys of its own, from as many goroutines: with the same
// conditions and values of the same bytes. They take turns, seven times each. It reports, for each, how many there were a second,
// how long they took, and as press/bare how the rates compare, the middle one of seven. Those who press choose, write and follow
// their moves in both.
func BenchmarkPressInACluster(b *testing.B) {
	const tables = 64
	for range b.N {
		c := etcdtest.New(b, etcdtest.Options{})
		store := newTaken(b, c)
		bench := benchOver(b, bot.Remember(store), 0)
		players := make([]*player, tables)
		for i := range players {
			players[i] = bench.sit(i+1, "limit=60s")
		}
		client := c.Client()
		writers := make([]*writer, tables)
		for i := range writers {
			thinks := &player{b: bench, rules: players[i].rules, rand: rand.New(rand.NewPCG(2, uint64(i)))}
			thinks.follow(1, "")
			writers[i] = &writer{client: client, thinks: thinks, fence: fenceOf(b, client)}
		}
		var took, bareTook spans
		var presses, bare, ratios []float64
		for range 7 {
			pressed := measure(func() int {
				return took.parallel(tables, func(i int) {
					if !players[i].move() {
						players[i] = bench.sit(tables+int(bench.request.Add(1)), "limit=60s")
					}
				})
			})
			for i := range writers {
				writers[i].made = store.madeAt("o/" + strings.Replace(players[i].name, ".", "/", 1))
			}
			wrote := measure(func() int {
				return bareTook.parallel(tables, func(i int) {
					if err := writers[i].write(b.Context()); err != nil {
						b.Error(err)
					}
				})
			})
			presses, bare, ratios = append(presses, pressed.rate), append(bare, wrote.rate), append(ratios, pressed.rate/wrote.rate)
		}
		took.report(b)
		b.ReportMetric(middle(presses), "presses/s")
		b.ReportMetric(middle(bare), "bare/s")
		b.ReportMetric(middle(ratios), "press/bare")
	}
}

// middle is the median.
func middle(of []float64) float64 { return slices.Sorted(slices.Values(of))[len(of)/2] }

// taken is a store in a cluster that one process holds. It keeps the last transactions made at each table.
type taken struct {
	storage.Store
	mu   sync.Mutex
	made map[string][]storage.Txn
}

// kept is how many transactions at a table are kept.
const kept = 16

// heldThing is what the process holds.
const heldThing = "benchmark"

func newTaken(b *testing.B, c *etcdtest.Cluster) *taken {
	s, err := etcd.Open(b.Context(), etcd.Address{Hosts: c.Hosts(), Prefix: "z"}, etcd.Options{New: true, Layout: keyspace.Community})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	session, err := s.Join(b.Context(), "one")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = session.Leave(context.Background()) })
	hold, err := session.Take(b.Context(), heldThing)
	if err != nil || hold == nil {
		b.Fatal(hold, err)
	}
	return &taken{Store: hold.Whole(), made: map[string][]storage.Txn{}}
}

// Commit implements storage.Store.
func (s *taken) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	rev, err := s.Store.Commit(ctx, t)
	if err == nil && len(t.Writes) > 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, w := range t.Writes {
			if strings.HasPrefix(w.Key, keyspace.OpenTables) {
				made := s.made[w.Key]
				s.made[w.Key] = append(made[max(0, len(made)-kept+1):], t)
			}
		}
	}
	return rev, err
}

func (s *taken) madeAt(key string) []storage.Txn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.made[key])
}

// fenceOf is what a commit by the process compares.
func fenceOf(b *testing.B, client *clientv3.Client) clientv3.Cmp {
	found, err := client.Get(b.Context(), "/z/held/"+heldThing)
	if err != nil || len(found.Kvs) != 1 {
		b.Fatal(found, err)
	}
	return clientv3.Compare(clientv3.CreateRevision(string(found.Kvs[0].Key)), "=", found.Kvs[0].CreateRevision)
}

// writer makes transactions that were made at a table again, under keys of its own.
type writer struct {
	client *clientv3.Client
	thinks *player
	fence  clientv3.Cmp
	made   []storage.Txn
	n      int
	revs   map[string]int64
}

// write makes the next of them.
func (w *writer) write(ctx context.Context) error {
	w.thinks.think()
	t := w.made[w.n%len(w.made)]
	w.n++
	if w.revs == nil {
		w.revs = map[string]int64{}
	}
	conditions := []clientv3.Cmp{w.fence}
	for _, r := range t.Reads {
		key := "/y/data/00/" + r.Key
		conditions = append(conditions, clientv3.Compare(clientv3.ModRevision(key), "=", w.revs[key]))
	}
	var ops []clientv3.Op
	for _, p := range t.Writes {
		op := clientv3.OpDelete("/y/data/00/" + p.Key)
		if p.Value != nil {
			op = clientv3.OpPut("/y/data/00/"+p.Key, string(p.Value))
		}
		ops = append(ops, op)
	}
	answer, err := w.client.Txn(ctx).If(conditions...).Then(ops...).Commit()
	if err != nil {
		return err
	}
	if !answer.Succeeded {
		return storage.ErrConflict
	}
	for _, p := range t.Writes {
		w.revs["/y/data/00/"+p.Key] = answer.Header.Revision
	}
	return nil
}
