package bot_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
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
	h := &bottest.Hall{T: t, Store: far, Remembers: true}
	h.Restart()
	h.Must(1, 1, chat.Command, "/zevaka limit=none")
	h.Must(1, 2, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!join"}.String())
	h.Must(1, 1, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!deal"}.String())
	h.Cut(1)
	h.Sit(2, "300 limit=none", 1, 2, 3)
	h.Must(3, 1, chat.Command, "/tecza deal=7")
	r := rand.New(rand.NewPCG(1, 1))
	press := func(channel int64) (trips int, what string) {
		one := h.Table(channel)
		state := h.State(one)
		seat := state.Turn()[0]
		moves := state.Moves(seat, nil)
		rules := h.Games[one.Game]
		moves = slices.DeleteFunc(moves, func(m engine.Move) bool { return rules.Info().Verbs[m.Verb-1].Role == engine.VerbQuits })
		do := rules.Text(moves[r.IntN(min(len(moves), 3))])
		before := far.trips
		answer := h.Ask(channel, one.Chairs[seat].User, chat.Press, table.Token{Table: one.ID, Epoch: one.Epoch(state), Do: do}.String())
		return far.trips - before, fmt.Sprintf("%s by seat %d of %s with %d chunks: %q", do, seat, one.Game, one.Chunks, strings.TrimSpace(answer.Toast))
	}
	for _, test := range []struct {
		game          string
		channel       int64
		presses, cold int
	}{
		{"zevaka", 1, 150, 2},
		{"banchok", 2, 30, 3},
		{"a patience", 3, 40, 2},
	} {
		press(test.channel)
		for range test.presses {
			if n, what := press(test.channel); n != 1 {
				t.Errorf("at hand, %d trips: %s", n, what)
			}
			if h.Table(test.channel).Phase != table.Playing {
				t.Fatalf("%s has ended too early to be measured", test.game)
			}
		}
		for range 3 {
			h.Restart()
			if n, what := press(test.channel); n > test.cold {
				t.Errorf("not at hand, %d trips: %s", n, what)
			}
		}
	}
}
