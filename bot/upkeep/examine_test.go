package upkeep

import (
	"maps"
	"slices"
	"testing"

	"zevaka/bot/keyspace"
	"zevaka/engine/games"
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
