package bot_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/storagetest"
	"zevaka/storage/storagetest/stores"
)

// The community of BenchmarkReads: its players have all played every game, and their purses have moved a hundred times
// each.
const (
	readPlayers = 10_000
	readEntries = 1_000_000
	readTables  = 1_000_000
)

// BenchmarkReads measures what a player may ask for in a community with a million entries in its ledger and a million
// finished tables, which it stores first: "p50-ms" and "p99-ms" are the times that an answer took at most in 50 and in 99 of 100
// cases. It needs 6 GB of disk for some minutes.
func BenchmarkReads(b *testing.B) {
	store := stores.Bolt(b)
	bot, err := bot.New(b.Context(), bot.Options{Store: store, Games: games.All()})
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	storeEntries(b, store)
	storeTallies(b, store)
	storeTables(b, store)
	b.Logf("stored in %v", time.Since(start).Round(time.Second))
	r := rand.New(rand.NewPCG(1, 1))
	n := 0
	for _, line := range []string{
		"/ledger", "/top", "/scores", "/scores banchok", "/scores zevaka", "/scores Player 77", "/scores banchok Player 77",
		"/scores Nobody", "/balance", "/balance Player 77", "/day", "/history", "/history tecza", "/history Player 77",
		"/history zevaka <@77>", "/history Nobody", "/daily",
	} {
		b.Run(strings.ReplaceAll(line, " ", "_"), func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				n++
				who := chat.User{ID: r.Int64N(readPlayers) + 1, Lang: "en"}
				begun := time.Now()
				answer := bottest.Seen(b.Context(), bot, chat.Request{ID: fmt.Sprint(n), Kind: chat.Command, Who: who, In: readPlace(), Data: line})
				took = append(took, time.Since(begun))
				if refused := strings.HasSuffix(line, "Nobody"); answer.Alert != refused && line != "/daily" || // Some ask twice for that.
					answer.Toast == "" && len(answer.Posts) == 0 {
					b.Fatalf("%s is answered %+v", line, answer)
				}
			}
			slices.Sort(took)
			for _, part := range []int{50, 99} {
				b.ReportMetric(float64(took[len(took)*part/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", part))
			}
		})
	}
}

func readPlace() chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
}

// storeEntries moves chips between neighbours until every purse has its share of the entries.
func storeEntries(b *testing.B, s storage.Store) {
	const batch, workers = 20, 8
	var all sync.WaitGroup
	for w := range int64(workers) {
		all.Go(func() {
			for n := w; n < readEntries/2/batch; n += workers {
				from := n%(readPlayers/2)*2 + 1
				err := storage.Update(b.Context(), s, func(tx storage.Tx) error {
					l := purse.Ledger{Tx: tx, Community: readPlace().Community.String(), Now: 1_700_000_000 + n}
					for user := from; n < readPlayers/2 && user < from+2; user++ {
						if _, err := l.Open(user, fmt.Sprint("Player ", user)); err != nil {
							return err
						}
					}
					for i := range batch {
						amount := (n%97 + 1) * int64(1-i%2*2)
						c := purse.Cause{Kind: purse.KindWin, Table: fmt.Sprint(n), Deal: 1, Move: i}
						legs := []purse.Leg{{Account: purse.User(from), Amount: amount}, {Account: purse.User(from + 1), Amount: -amount}}
						if _, err := l.Post(c.ID(), c, legs...); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// storeTallies gives every player a few finishes in every game, and puts them on the roll.
func storeTallies(b *testing.B, s storage.Store) {
	const batch = 25
	r := rand.New(rand.NewPCG(2, 2))
	for _, rules := range games.All() {
		for first := int64(1); first <= readPlayers; first += batch {
			f := scores.Finish{Won: r.IntN(3) == 0, Place: r.IntN(4) + 1, Chips: r.Int64N(2000) - 1000, Bank: r.Int64N(900), Seconds: 300}
			err := storage.Update(b.Context(), s, func(tx storage.Tx) error {
				for user := first; user < first+batch; user++ {
					k := scores.Key{Community: readPlace().Community.String(), Game: rules.Info().Name, User: user}
					if _, err := scores.Record(tx, k, fmt.Sprint("Player ", user), f); err != nil {
						return err
					}
					if rules.Info().Name != games.All()[0].Info().Name {
						continue
					}
					if err := purse.SeenName(tx, k.Community, user, fmt.Sprint("Player ", user)); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// storeTables stores tables that have ended one after the other, of three games, at each of which three have sat, as the list of
// games and everybody's parts have them.
func storeTables(b *testing.B, s storage.Store) {
	const batch, workers, sat = 20, 8, 3
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for first := w * batch; first < readTables; first += workers * batch {
				err := storage.Update(b.Context(), s, func(tx storage.Tx) error {
					for i := first; i < min(first+batch, readTables); i++ {
						t := &table.Table{
							ID:     table.ID{Community: readPlace().Community, Name: table.NameFor(fmt.Sprint(i))},
							Format: table.Format, Phase: table.Ended, Level: 77,
							Agreed:   table.Agreed{Place: readPlace(), Lang: "en", Game: []string{"banchok", "zevaka", "tecza"}[i%3], Rev: 1, Limit: 60, Rounds: 1},
							LogState: table.LogState{Moves: 60}, Tail: bytes.Repeat([]byte("1 stake 25;0 open;"), 30),
							End: table.End{Opened: 1_700_000_000, Dealt: 1_700_000_000 + int64(i), Ended: 1_700_000_300 + int64(i)},
						}
						for k := range sat {
							user := int64((i/100+k)%readPlayers + 1)
							t.Chairs = append(t.Chairs, table.Chair{User: user, Name: fmt.Sprint("Player ", user)})
						}
						value, err := t.Encode()
						if err != nil {
							return err
						}
						tx.Put(table.KeyEnded(t.ID), value)
						table.ListEnded(tx, t)
					}
					return nil
				})
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

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
