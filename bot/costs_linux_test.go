package bot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/storage"
	"zevaka/storage/storagetest"
	"zevaka/storage/storagetest/stores"
)

// BenchmarkCosts prints the processor time of every command and every button, at tables of all kinds that were just read
// from the store, in a community with 1,000 tables that ended and as many purses, and in one with 100,000 and 200,000: the
// middle one of nine, in milliseconds, the dearest first. It stores these first, in a minute.
func BenchmarkCosts(b *testing.B) {
	for range b.N {
		small, large := timesOfAll(b, 1000, 1000), timesOfAll(b, 100_000, 200_000)
		var all []string
		for what := range large {
			all = append(all, what)
		}
		slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(large[b], large[a]), cmp.Compare(a, b)) })
		for _, what := range all {
			fmt.Printf("%8.3f %8.3f  %s\n", small[what].Seconds()*1000, large[what].Seconds()*1000, what)
		}
		b.ReportMetric(large[all[0]].Seconds()*1000, "most-ms")
		b.ReportMetric(float64(len(all)), "things")
	}
}

// timesOfAll are the processor times of all commands and buttons.
func timesOfAll(b *testing.B, tables, people int) map[string]time.Duration {
	store := stores.Bolt(b)
	h := streetIn(b, store)
	crowd(b, h.store, h.place(1).Community, tables, people)
	for user := int64(1); user <= 2; user++ {
		h.must(1, user, chat.Command, "/balance")
	}
	presses := pressed(b, h)
	c, now := newCounter(h.store), h.running
	h.store = c
	times := map[string]time.Duration{}
	n := 0
	try := func(what string, r chat.Request) {
		var took []time.Duration
		for range 9 {
			h.restart()
			h.running = now + 5e9
			n++
			r.ID, c.written, c.before = fmt.Sprint("try ", n), nil, map[string]storage.Item{}
			begun := storagetest.Spent()
			h.bot.seen(b.Context(), r)
			took = append(took, storagetest.Spent()-begun)
			h.undo(c)
		}
		slices.Sort(took)
		times[what] = took[len(took)/2]
	}
	for _, line := range lines(b, h.bot) {
		for _, user := range []int64{1, 99} {
			try(fmt.Sprint(line, " by ", map[int64]string{1: "a player", 99: "an admin"}[user]),
				chat.Request{Kind: chat.Command, Who: hallUser(user), In: h.place(1), Data: line})
		}
	}
	kinds := []string{"", "lobby", "cut", "Зевака", "bank", "patience"}
	for _, r := range presses {
		_, do, _ := strings.Cut(strings.TrimPrefix(r.Data, "1."), ".")
		_, do, _ = strings.Cut(do, ".")
		_, do, _ = strings.Cut(do, ".")
		try(fmt.Sprintf("[%s] %s", do, kinds[r.In.Channel]), r)
	}
	return times
}

// undo makes what was written since the counter began what it was.
func (h *hall) undo(c *counter) {
	h.t.Helper()
	keys := c.written
	kept := map[string]string{}
	for key, item := range c.before {
		if item.Rev != 0 {
			kept[key] = string(item.Value)
		}
	}
	c.before = nil
	h.restore(kept, keys)
}
