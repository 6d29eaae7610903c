package bot

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
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
// finished tables, which it stores first: "p99-ms" is the time that an answer took at most in 99 of 100 cases. It needs
// 4 GB of disk for three minutes.
func BenchmarkReads(b *testing.B) {
	store := stores.Bolt(b)
	bot, err := New(b.Context(), Options{Store: store, Games: games.All()})
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
		"/scores Nobody", "/balance", "/balance Player 77",
	} {
		b.Run(strings.ReplaceAll(line, " ", "_"), func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				n++
				who := chat.User{ID: r.Int64N(readPlayers) + 1, Lang: "en"}
				begun := time.Now()
				answer := bot.seen(b.Context(), chat.Request{ID: fmt.Sprint(n), Kind: chat.Command, Who: who, In: readPlace(), Data: line})
				took = append(took, time.Since(begun))
				if answer.Alert != strings.HasSuffix(line, "Nobody") || answer.Toast == "" && len(answer.Posts) == 0 {
					b.Fatalf("%s is answered %+v", line, answer)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
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

// storeTallies gives every player a few finishes in every game.
func storeTallies(b *testing.B, s storage.Store) {
	const batch = 50
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
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// storeTables stores copies of a bank that three have played.
func storeTables(b *testing.B, s storage.Store) {
	t := &table.Table{
		Format: table.Format, Phase: table.Ended, Level: 77,
		Agreed:   table.Agreed{Place: readPlace(), Lang: "en", Game: "banchok", Rev: 1, Limit: 60, Rounds: 1},
		Options:  map[string]string{"bank": "300", "min": "5", "side": "on", "dealer": "player"},
		Chairs:   []table.Chair{{User: 1, Name: "Player 1"}, {User: 2, Name: "Player 2"}, {User: 3, Name: "Player 3"}},
		LogState: table.LogState{Moves: 60}, Tail: bytes.Repeat([]byte("1 stake 25;0 open;"), 30),
		End: table.End{Opened: 1_700_000_000, Ended: 1_700_000_000},
	}
	value, err := t.Encode()
	if err != nil {
		b.Fatal(err)
	}
	for first := 0; first < readTables; first += storage.MaxKeys {
		var txn storage.Txn
		for i := first; i < first+storage.MaxKeys; i++ {
			id := table.ID{Community: readPlace().Community, Name: table.NameFor(fmt.Sprint(i))}
			txn.Writes = append(txn.Writes, storage.Write{Key: table.KeyEnded(id), Value: value})
		}
		if _, err := s.Commit(context.Background(), txn); err != nil {
			b.Fatal(err)
		}
	}
}
