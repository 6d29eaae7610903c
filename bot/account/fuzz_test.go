package account

import (
	"log/slog"
	"testing"
	"time"

	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage/storagetest/stores"
)

// FuzzForgetting reads anything as what is stored of somebody who is being forgotten, and of a table that they sat at.
func FuzzForgetting(f *testing.F) {
	f.Add("t1/11", []byte(`{"scores":true}`), []byte(`{"v":1,"phase":4,"chairs":[{"user":37,"name":"x"}]}`+"\n\x00"))
	f.Add("", []byte(`1`), []byte(`{"user":37,"v":1}`))
	catalogue, err := words.Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, key string, mark, t1 []byte) {
		s, err := stores.Holding(t, map[string][]byte{keyspace.Forgetting + key: mark, keyspace.EndedTables + "t1/a": t1})
		if err != nil {
			return
		}
		found := table.NewIndex(s, slog.New(slog.DiscardHandler))
		e := &eraser{House: table.NewHouse(s, games.All(), catalogue, slog.New(slog.DiscardHandler), time.Now), Index: found}
		_ = e.resume(t.Context())
	})
}
