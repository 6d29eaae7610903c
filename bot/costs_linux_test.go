package bot_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
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
	h := bottest.StreetIn(b, store)
	bottest.Crowd(b, h.Store, h.Place(1).Community, tables, people)
	for user := int64(1); user <= 2; user++ {
		h.Must(1, user, chat.Command, "/balance")
	}
	presses := pressed(b, h)
	c, now := bottest.NewCounter(h.Store), h.Running
	h.Store = c
	times := map[string]time.Duration{}
	n := 0
	try := func(what string, r chat.Request) {
		var took []time.Duration
		for range 9 {
			h.Restart()
			h.Running = now + 5e9
			n++
			r.ID, c.Written, c.Before = fmt.Sprint("try ", n), nil, map[string]storage.Item{}
			begun := storagetest.Spent()
			bottest.Seen(b.Context(), h.Bot, r)
			took = append(took, storagetest.Spent()-begun)
			undo(h, c)
		}
		slices.Sort(took)
		times[what] = took[len(took)/2]
	}
	for _, line := range lines(b, h.Bot) {
		for _, user := range []int64{1, 99} {
			try(fmt.Sprint(line, " by ", map[int64]string{1: "a player", 99: "an admin"}[user]),
				chat.Request{Kind: chat.Command, Who: bottest.User(user), In: h.Place(1), Data: line})
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
func undo(h *bottest.Hall, c *bottest.Counter) {
	h.T.Helper()
	keys := c.Written
	kept := map[string]string{}
	for key, item := range c.Before {
		if item.Rev != 0 {
			kept[key] = string(item.Value)
		}
	}
	c.Before = nil
	restore(h, kept, keys)
}
