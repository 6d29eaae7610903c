//go:build faults

package hands

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/engine/enginetest"
)

var (
	rounds = flag.Int("rounds", 1, "how often each fault happens")
	hands  = flag.Int("hands", 0, "how many hands are played at least, with one round after the other")
	chats  = flag.Int64("chats", 8, "in how many chats")
	seed   = flag.Uint64("seed", 1, "seed of what people and chance do")
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// again is what to type to see it once more.
func again() string {
	return fmt.Sprintf("again: go test -tags faults ./cmd/zevaka/hands -run TestHands -v -rounds %d -hands %d -chats %d -seed %d", *rounds, *hands, *chats, *seed)
}

// dice are chance for many goroutines.
type dice struct {
	mu sync.Mutex
	by *rand.Rand
}

func (d *dice) IntN(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.by.IntN(n)
}

// Perm is an order of so many things.
func (d *dice) Perm(n int) []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.by.Perm(n)
}

// TestHands has hands played while members of the cluster and houses that serve it go wrong in all ways, one of each kind at a time,
// and nothing lost by it, nor done twice.
func TestHands(t *testing.T) {
	t.Log(again())
	p := &play{history: &history{zero: time.Now()}}
	p.wanted.Store(math.MaxInt64)
	c := newClub(t, p)
	p.door = c
	c.clients = newClients(c)
	c.opens()
	playing, enough := context.WithCancel(t.Context()) // What is begun at the end of the time comes to its end.
	defer enough()
	var people sync.WaitGroup
	begun := time.Now()
	for _, one := range p.chats(*chats) {
		people.Go(func() { one.run(playing, t.Context()) })
	}
	for round := 0; !t.Failed() && (round < *rounds || p.hands.Load() < int64(*hands)); round++ {
		var wrong sync.WaitGroup
		wrong.Go(func() { c.goesWrong(ofMembers(), c.clients) })
		wrong.Go(func() { c.goesWrong(ofHouses(), nil) })
		wrong.Wait()
		t.Logf("round %d, after %v: %d hands", round+1, time.Since(begun).Round(time.Second), p.hands.Load())
	}
	enough()
	people.Wait()
	took := time.Since(begun)
	c.cluster.Ready()
	c.rest()
	store := c.open(t.Context(), c.cluster.Hosts(), false)
	defer store.Close()
	found := newChecker(t, p.history, store).check(t)
	for _, one := range found.problems[:min(len(found.problems), 20)] {
		t.Error(one)
	}
	if found.moves == 0 || found.tables == 0 || len(p.readings) == 0 {
		t.Error("nothing was played")
	}
	var table strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.happened)) {
		fmt.Fprintf(&table, "\n| %s | %d |", name, c.happened[name])
	}
	t.Logf("%d hands in %v, %.0f a second; checked in %v\n| | |\n|---|--:|\n| Presses | %d |\n| delivered again | %d |\n| answered by the table alone | %d |\n"+
		"| Moves that people were told to count | %d |\n| Lost | %d |\n| Doubled | %d |\n| Drift | %d |\n| Histories of tables | %d |\n| Histories of purses | %d |"+
		"\n| Balances read | %d |\n| Tables looked at | %d |%s",
		p.hands.Load(), took.Round(time.Second), float64(p.hands.Load())/took.Seconds(), (time.Since(begun) - took).Round(time.Second),
		len(p.presses), p.retried, p.quiet, found.moves, found.lost, found.doubled, found.drift, found.tables, found.purses,
		len(p.readings), len(p.looks), &table)
}
