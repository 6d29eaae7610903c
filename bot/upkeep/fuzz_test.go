package upkeep

import (
	"testing"

	"zevaka/bot/keyspace"
	"zevaka/engine/games"
	"zevaka/storage/storagetest/stores"
)

// FuzzScores works scores out from anything that is stored of somebody who is being forgotten, and of a table.
func FuzzScores(f *testing.F) {
	f.Add("t1/11", []byte(`{"scores":true}`), []byte(`{"v":1,"phase":4,"chairs":[{"user":37,"name":"x"}]}`+"\n\x00"))
	f.Add("", []byte(`1`), []byte(`{"user":37,"v":1}`))
	f.Fuzz(func(t *testing.T, key string, mark, t1 []byte) {
		s, err := stores.Holding(t, map[string][]byte{keyspace.Forgetting + key: mark, keyspace.EndedTables + "t1/a": t1})
		if err == nil {
			_, _ = NewArchive(s, games.All()).Scores(t.Context())
		}
	})
}
