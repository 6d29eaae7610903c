package table_test

import (
	"testing"

	"zevaka/bot/table"
	"zevaka/bot/words"
)

// TestRead: each temper is read by its own word and by that of each language; who teaches can't be asked for.
func TestRead(t *testing.T) {
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	names := words.NewNames(all, nil)
	for _, one := range append(table.Tempers(), table.Mixed) {
		typed := []string{one.Word()}
		for _, tag := range words.Tags() {
			typed = append(typed, all.Lang(tag).Say(one.Key()))
		}
		for _, word := range typed {
			if got, ok := table.ReadTemper(names, word); !ok || got != one {
				t.Errorf("%q is %q, %v", word, got, ok)
			}
		}
	}
	if _, ok := table.ReadTemper(names, "patient"); ok {
		t.Error("anybody can have who teaches")
	}
}

// TestSwitch: the switch goes round through all tempers.
func TestSwitch(t *testing.T) {
	at, seen := table.Mixed, map[table.Temper]bool{}
	for range 1 + len(table.Tempers()) {
		seen[at] = true
		at = at.Next()
	}
	if at != table.Mixed || len(seen) != 4 || seen[table.Patient] {
		t.Errorf("%v, then %q", seen, at)
	}
}

// TestWays: the sleepy overlook most and the sharp least, the eager move first and the sleepy last, and everybody leaves time
// to put something right.
func TestWays(t *testing.T) {
	eager, sleepy, sharp := table.Eager.Ways(), table.Sleepy.Ways(), table.Sharp.Ways()
	if sleepy.Skill >= eager.Skill || eager.Skill >= sharp.Skill || eager.Thinks >= sharp.Thinks || sharp.Thinks >= sleepy.Thinks {
		t.Errorf("eager %+v, sleepy %+v, sharp %+v", eager, sleepy, sharp)
	}
	for _, one := range append(table.Tempers(), table.Mixed, table.Patient) {
		if w := one.Ways(); w.Considers < sharp.Considers || w.Thinks > table.SlowestThought {
			t.Errorf("%q: %+v", one, w)
		}
	}
}
