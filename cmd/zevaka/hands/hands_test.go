//go:build faults

package hands

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
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
	hands = flag.Int("hands", 0, "how many hands are played while everything goes wrong; 0 is a few")
	chats = flag.Int64("chats", 16, "in how many chats")
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// TestHands has hands played while members of the cluster and houses that serve it go wrong in all ways, one of each kind at a time,
// and nothing lost by it, nor done twice.
func TestHands(t *testing.T) {
	p := &play{history: &history{zero: time.Now()}}
	c := newClub(t, p)
	p.door = c
	all, wanted, most := *hands > 0 || !enginetest.Brief(), 100, 20*time.Second
	if all {
		wanted, most = 3000, 40*time.Second
	}
	p.wanted.Store(int64(cmp.Or(*hands, wanted)))
	playing := t.Context()
	if *hands == 0 { // A slow machine may play fewer.
		var enough context.CancelFunc
		playing, enough = context.WithTimeout(playing, most)
		defer enough()
	}
	ctx, stop := context.WithCancel(playing) // What is begun at the end of the time comes to its end.
	defer stop()
	var people, wrong sync.WaitGroup
	begun := time.Now()
	happened := map[string]int{}
	var mu sync.Mutex
	begin := func(faults []fault) {
		wrong.Go(func() {
			c.goesWrong(ctx, faults, func(name string) {
				mu.Lock()
				defer mu.Unlock()
				happened[name]++
			})
		})
	}
	if all {
		begin(ofMembers())
		begin(ofHouses())
	} else {
		begin(ofMembers()[:1])
	}
	for _, one := range p.chats(*chats) {
		people.Go(func() { one.run(playing, t.Context()) })
	}
	played := make(chan struct{})
	go func() {
		defer close(played)
		people.Wait()
	}()
	c.tell(played)
	stop()
	wrong.Wait()
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
	for _, name := range slices.Sorted(maps.Keys(happened)) {
		fmt.Fprintf(&table, "\n| %s | %d |", name, happened[name])
	}
	t.Logf("%d hands in %v, %.0f a second; checked in %v\n| | |\n|---|--:|\n| Presses | %d |\n| delivered again | %d |\n| answered by the table alone | %d |\n"+
		"| Moves that people were told to count | %d |\n| Lost | %d |\n| Doubled | %d |\n| Drift | %d |\n| Histories of tables | %d |\n| Histories of purses | %d |"+
		"\n| Balances read | %d |\n| Tables looked at | %d |%s",
		p.hands.Load(), took.Round(time.Second), float64(p.hands.Load())/took.Seconds(), (time.Since(begun) - took).Round(time.Second),
		len(p.presses), p.retried, p.quiet, found.moves, found.lost, found.doubled, found.drift, found.tables, found.purses,
		len(p.readings), len(p.looks), &table)
}

// goesWrong has one fault after the other happen until ctx ends, with some time in which people can play between.
func (c *club) goesWrong(ctx context.Context, faults []fault, happened func(string)) {
	order := rand.Perm(len(faults))
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(500*time.Millisecond + rand.N(2*time.Second)):
		}
		one := faults[order[n%len(order)]]
		one.happens(c)
		happened(one.name)
		if len(faults) == 1 { // A short run has one.
			return
		}
		c.cluster.Ready()
	}
}

// tell says how far people have come, now and then, until they have played.
func (c *club) tell(played <-chan struct{}) {
	for begun := time.Now(); ; {
		select {
		case <-played:
			return
		case <-time.After(30 * time.Second):
			c.Logf("%v: %d hands", time.Since(begun).Round(time.Second), c.hands.Load())
		}
	}
}
