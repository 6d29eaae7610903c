package discord

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/testlog"
)

func TestPortion(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		shards int
		of     float64
		want   int
	}{
		{1, 1, 1}, {1, .25, 1}, {8, .5, 4}, {8, 1. / 3, 3}, {49, 1. / 49, 1}, {10, .1, 1}, {10, .7, 7}, {3, 1, 3}, {4, 1. / 3, 2}, {3, 2, 3},
	} {
		if n := portion(one.shards, one.of); n != one.want {
			t.Errorf("%v of %d shards are %d", one.of, one.shards, n)
		}
	}
}

// TestShardsDivided has processes come and go: each has its part of the shards, and no two identify too soon one after the other.
func TestShardsDivided(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, discordtest.Options{Shards: 6, Concurrency: 3, Identify: 5 * time.Second})
		connected := func(want map[*process]int) {
			t.Helper()
			w.server.Until("the shards are divided", func() bool {
				for p, n := range want {
					if p.shards() != n || p.Pulse().Links != n {
						return false
					}
				}
				return len(w.server.Shards()) == 6
			})
			time.Sleep(identifyApart) // Whoever ends sooner gives a turn to identify back too early.
		}
		first := w.join(1000, nil)
		connected(map[*process]int{first: 6})
		second := w.join(500, nil)
		first.portion.Store(500)
		connected(map[*process]int{first: 3, second: 3})
		third := w.join(333, nil)
		first.portion.Store(333)
		second.portion.Store(333)
		connected(map[*process]int{first: 2, second: 2, third: 2})
		second.die()
		first.portion.Store(500)
		third.portion.Store(500)
		connected(map[*process]int{first: 3, third: 3})
		first.end()
		third.portion.Store(1000)
		connected(map[*process]int{third: 6})
		for i, shard := range w.server.Shards() {
			if shard != [2]int{i, 6} {
				t.Errorf("shard %d is %v", i, shard)
			}
		}
		w.quietly()
	})
}

// TestShardForEach gives a shard to each process, where there are enough, though others hold no more than their portion.
func TestShardForEach(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, discordtest.Options{Shards: 4})
		first := w.join(1000, nil)
		w.server.Until("the first has all", func() bool { return first.shards() == 4 })
		second := w.join(500, nil)
		first.portion.Store(500)
		w.server.Until("each has two", func() bool { return first.shards() == 2 && second.shards() == 2 })
		for _, p := range w.all {
			p.portion.Store(334)
		}
		third := w.join(334, nil)
		w.server.Until("each has one or two", func() bool {
			return third.shards() > 0 && first.shards() > 0 && second.shards() > 0 && len(w.server.Shards()) == 4
		})
		w.quietly()
	})
}

// TestSpare is well while another process has the only shard.
func TestSpare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, _, second := two(t, discordtest.Options{}, nil)
		w.server.Until("it only calls", func() bool { return second.Pulse().Links == 1 && second.Pulse().Up == 1 })
		if second.shards() != 0 {
			t.Error("it has a shard")
		}
		w.quietly()
	})
}

// TestLostShard closes a shard at once that another process may have.
func TestLostShard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, discordtest.Options{})
		first := w.join(1000, nil)
		w.server.Until("it is connected", func() bool { return first.shards() == 1 })
		second := w.join(1000, nil)
		w.occupy("discord/shard/0 of 1", second).end()
		w.server.Until("the shard has moved", func() bool { return first.shards() == 0 && second.shards() == 1 && w.server.Connected() == 1 })
		if _, known := first.guilds.own(number(discordtest.Guild)); known {
			t.Error("the first process still knows the servers of the shard")
		}
		w.quietly()
	})
}

// TestShardCount keeps to the count that the others have.
func TestShardCount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, discordtest.Options{Shards: 2})
		log := &testlog.Log{}
		w.log = slog.New(slog.NewTextHandler(log, nil))
		first := w.join(1000, nil)
		w.server.Until("both shards are connected", func() bool { return first.shards() == 2 })
		w.server.Recommend(3)
		second := w.join(500, nil)
		first.portion.Store(500)
		w.server.Until("each has a shard", func() bool { return first.shards() == 1 && second.shards() == 1 })
		for _, shard := range w.server.Shards() {
			if shard[1] != 2 {
				t.Errorf("a shard is %v", shard)
			}
		}
		for range 2 {
			w.server.Invalidate()
			w.server.Until("they are back", func() bool { return first.shards() == 1 && second.shards() == 1 && len(w.server.Shards()) == 2 })
		}
		if n := strings.Count(log.String(), "Discord recommends more shards"); n != 2 { // Each process says so.
			t.Errorf("that there are too few is said %d times:\n%s", n, log.String())
		}
		second.count.Store(3) // Whoever is asked now has forgotten.
		w.mu.Lock()
		w.usual = second
		w.mu.Unlock()
		w.server.Until("all keep to another count", func() bool {
			all := w.server.Shards()
			return len(all) == 3 && all[0][1] == 3 && first.shards()+second.shards() == 3
		})
		w.quietly()
	})
}

// TestNoStartsLeft waits for the next day.
func TestNoStartsLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, discordtest.Options{})
		w.server.Starts(0, 30*time.Second)
		p := w.join(1000, nil)
		w.server.Until("it is connected", func() bool { return p.shards() == 1 })
		w.quietly()
	})
}

// TestTurnOfOneUnreached: a process that doesn't reach Discord keeps no shard of another from identifying.
func TestTurnOfOneUnreached(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, discordtest.Options{Shards: 2, Identify: 5 * time.Second})
		var away atomic.Bool
		first := w.join(500, func(a *Adapter) {
			a.rest.http.Transport = offline{a.rest.http.Transport, &away}
		})
		second := w.join(500, nil)
		w.server.Until("each has a shard", func() bool { return first.shards() == 1 && second.shards() == 1 })
		away.Store(true)
		for range 2 { // At the second time, at the latest, the first has asked for its turn before the other does.
			w.server.Invalidate()
			time.Sleep(2 * time.Minute)
		}
		if first.shards() != 0 || second.shards() != 1 {
			t.Errorf("the one has %d shards, the other %d", first.shards(), second.shards())
		}
		away.Store(false)
		time.Sleep(2 * time.Minute)
		if first.shards() != 1 {
			t.Error("the first isn't back")
		}
		w.quietly()
	})
}

// offline is a way to Discord that doesn't lead there while it is away.
type offline struct {
	http.RoundTripper
	away *atomic.Bool
}

func (u offline) RoundTrip(r *http.Request) (*http.Response, error) {
	if u.away.Load() {
		return nil, errors.New("no route to host")
	}
	return u.RoundTripper.RoundTrip(r)
}

// TestShardOfOneUnreached: where the process that has the only shard doesn't reach Discord another one serves it; and where none does, whichever
// reaches it first.
func TestShardOfOneUnreached(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, discordtest.Options{Shards: 1, Identify: 5 * time.Second})
		var away [2]atomic.Bool
		var all [2]*process
		for i := range all {
			all[i] = w.join(500, func(a *Adapter) { a.rest.http.Transport = offline{a.rest.http.Transport, &away[i]} })
		}
		w.server.Until("one has it", func() bool { return all[0].shards()+all[1].shards() == 1 })
		first := 0
		if all[1].shards() == 1 {
			first = 1
		}
		cut := func(n int, is bool) {
			away[n].Store(is)
			if is {
				w.server.Invalidate()
			}
		}
		cut(first, true)
		time.Sleep(4 * time.Minute)
		if all[1-first].shards() != 1 {
			t.Error("nobody serves it")
		}
		cut(1-first, true)
		time.Sleep(10 * time.Minute)
		cut(first, false)
		time.Sleep(4 * time.Minute)
		if all[first].shards() != 1 {
			t.Error("both were away, and who is back doesn't serve it")
		}
		cut(1-first, false)
		time.Sleep(3 * time.Minute)
		w.quietly()
	})
}
