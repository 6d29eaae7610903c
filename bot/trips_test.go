package bot

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
	"zevaka/storage/storagetest/stores"
)

// farAway is a store that counts how often it is asked for something.
type farAway struct {
	stores.Reads
	trips int
}

func newFarAway(s storage.Store) *farAway {
	f := &farAway{}
	trip := func(items []storage.Item, err error) ([]storage.Item, error) {
		f.trips++
		return items, err
	}
	f.Reads = stores.Reads{Store: s, Got: trip, Scanned: trip}
	return f
}

// Commit implements storage.Store.
func (f *farAway) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	f.trips++
	return f.Store.Commit(ctx, t)
}

// TestTrips: a press at a game in play asks a store that is far away once where the bot has at hand what it needs, and twice where
// it has nothing of the table; at a bank, where it asks for the purses of those whom it finds there, three times.
func TestTrips(t *testing.T) {
	far := newFarAway(stores.Bolt(t))
	testTrips(t, far, 150, func() int { return far.trips })
}

// TestTripsToACluster: a press is as many requests to a cluster of etcd as the bot asks its store.
func TestTripsToACluster(t *testing.T) {
	c := etcdtest.New(t, etcdtest.Options{})
	s, err := etcd.Open(t.Context(), etcd.Address{Hosts: c.Hosts(), Prefix: "trips"}, etcd.Options{New: true, Layout: keyspace.Community})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	session, err := s.Join(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	community := hallPlace(1).Community.String()
	hold, err := session.Take(t.Context(), community)
	if err != nil || hold == nil {
		t.Fatal(hold, err)
	}
	part, err := hold.Part(t.Context(), etcd.PartOf(community))
	if err != nil {
		t.Fatal(err)
	}
	defer part.Close()
	testTrips(t, part, 6, func() int { return requests(t, c) })
}

// requests are how many have asked the members for keys or changed some.
func requests(t *testing.T, c *etcdtest.Cluster) int {
	t.Helper()
	n := 0
	for _, host := range c.Hosts() {
		answer, err := http.Get("http://" + host + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(body)) {
			if !strings.HasPrefix(line, "grpc_server_started_total{") || !strings.Contains(line, `"etcdserverpb.KV"`) {
				continue
			}
			_, number, _ := strings.Cut(strings.TrimSpace(line), "} ")
			calls, err := strconv.ParseFloat(number, 64)
			if err != nil {
				t.Fatal(err)
			}
			n += int(calls)
		}
	}
	return n
}

func testTrips(t *testing.T, s storage.Store, presses int, count func() int) {
	h := &hall{t: t, store: s, remembers: true}
	h.restart()
	h.must(1, 1, chat.Command, "/zevaka limit=none")
	h.must(1, 2, chat.Press, table.Token{Table: h.table(1).ID, Do: "!join"}.String())
	h.must(1, 1, chat.Press, table.Token{Table: h.table(1).ID, Do: "!deal"}.String())
	h.cut(1)
	h.sit(2, "300 limit=none", 1, 2, 3)
	h.must(3, 1, chat.Command, "/tecza deal=7")
	r := rand.New(rand.NewPCG(1, 1))
	press := func(channel int64) (trips int, what string) {
		one := h.table(channel)
		state := h.state(one)
		seat := state.Turn()[0]
		moves := state.Moves(seat, nil)
		rules := h.bot.games[one.Game]
		moves = slices.DeleteFunc(moves, func(m engine.Move) bool { return rules.Info().Verbs[m.Verb-1].Role == engine.VerbQuits })
		do := rules.Text(moves[r.IntN(min(len(moves), 3))])
		before := count()
		answer := h.ask(channel, one.Chairs[seat].User, chat.Press, table.Token{Table: one.ID, Epoch: one.Epoch(state), Do: do}.String())
		return count() - before, fmt.Sprintf("%s by seat %d of %s with %d chunks: %q", do, seat, one.Game, one.Chunks, strings.TrimSpace(answer.Toast))
	}
	for _, test := range []struct {
		game       string
		channel    int64
		most, cold int
	}{
		{"zevaka", 1, 150, 2},
		{"banchok", 2, 30, 3},
		{"a patience", 3, 40, 2},
	} {
		press(test.channel)
		for range min(presses, test.most) {
			if n, what := press(test.channel); n != 1 {
				t.Errorf("at hand, %d trips: %s", n, what)
			}
			if h.table(test.channel).Phase != table.Playing {
				t.Fatalf("%s has ended too early to be measured", test.game)
			}
		}
		for range 3 {
			h.restart()
			if n, what := press(test.channel); n > test.cold {
				t.Errorf("not at hand, %d trips: %s", n, what)
			}
		}
	}
}
