package upkeep

import (
	"maps"
	"slices"
	"testing"

	"zevaka/bot/keyspace"
	"zevaka/engine/games"
	"zevaka/storage/storagetest/stores"
)

// TestExaminers: every family of keys has somebody who looks at its items, and nobody looks at what isn't listed.
func TestExaminers(t *testing.T) {
	var want []string
	for _, f := range keyspace.All() {
		want = append(want, f.Prefix)
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(NewArchive(nil, games.All()).examiners())); !slices.Equal(got, want) {
		t.Errorf("%v are looked at, and %v are listed", got, want)
	}
}

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
