package upkeep

import (
	"maps"
	"slices"
	"testing"
	"time"

	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage/storagetest/stores"
)

// TestNextSweep: the store is looked through when something may leave, but not more than once a day.
func TestNextSweep(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Unix(1_800_000_000, 0)
	b := &Keeper{Options: Options{House: table.House{Keep: table.NewKeeping(30 * day), Now: func() time.Time { return now }}, MaxEnded: 500}}
	ago := func(d time.Duration) int64 { return now.Add(-d).Unix() }
	for _, test := range []struct {
		swept Swept
		want  time.Duration
	}{
		{Swept{}, 30 * day},
		{Swept{Oldest: ago(10 * day)}, 20 * day},
		{Swept{Oldest: ago(30 * day)}, day},
		{Swept{Most: 5}, 30 * day},
		{Swept{Most: 6}, day},
	} {
		if got := b.nextSweep(test.swept); got != test.want {
			t.Errorf("after %+v it is %v, want %v", test.swept, got, test.want)
		}
	}
}

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
