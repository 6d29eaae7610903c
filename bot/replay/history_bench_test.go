package replay_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
)

var historyTables = flag.Int("history-tables", 20_000, "how many games have ended where BenchmarkHistory asks for the last ones")

// BenchmarkHistory asks for pages of the list of games where very many have ended, all in one place.
func BenchmarkHistory(b *testing.B) {
	store, err := bolt.Open(filepath.Join(b.TempDir(), "history.bolt"), bolt.Options{NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	at := bottest.PlaceOf(1)
	const each = 24
	err = storage.Update(b.Context(), store, func(tx storage.Tx) error {
		tx.Put(keyspace.IndexState, []byte(`{"done":true,"generation":2}`))
		return nil
	})
	for first := 0; first < *historyTables && err == nil; first += each {
		err = storage.Update(b.Context(), store, func(tx storage.Tx) error {
			for i := first; i < min(first+each, *historyTables); i++ {
				t := &table.Table{
					ID: table.ID{Community: at.Community, Name: table.NameFor(fmt.Sprint("history ", i))}, Format: table.Format, Phase: table.Ended,
					Agreed: table.Agreed{Place: at, Game: []string{"tecza", "zaba", "pauk"}[i%3], Rev: 1},
					Chairs: []table.Chair{{User: int64(1 + i%2), Name: "P"}}, LogState: table.LogState{Moves: 1}, Tail: []byte("0 draw;"),
					End: table.End{Opened: 1, Dealt: int64(i), Ended: int64(i + 10)},
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
	}
	if err != nil {
		b.Fatal(err)
	}
	bot, err := bot.New(b.Context(), bot.Options{Store: store, Games: games.All(), Now: func() time.Time { return time.Unix(2_000_000, 0) }})
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for _, line := range []string{"/history", "/history tecza", "/history <@1>", "/history zaba <@2>"} {
		b.Run(line, func(b *testing.B) {
			for b.Loop() {
				n++
				r := bot.Handle(b.Context(), chat.Request{ID: fmt.Sprint("ask ", n), Kind: chat.Command, Who: bottest.User(1), In: at, Data: line})
				if r.Alert || len(shows(r)) != 8 {
					b.Fatalf("%s is answered %+v", line, r)
				}
			}
		})
	}
}
