package table_test

import (
	"fmt"
	"testing"

	"zevaka/bot/table"
	"zevaka/engine"
)

// TestPlayed: computers wait for who still has something to do, be it that somebody else is out; once somebody is, not for who has left it
// to them.
func TestPlayed(t *testing.T) {
	here, away, out, computer := table.Chair{User: 1}, table.Chair{User: 2, Away: true}, table.Chair{User: 3, Out: true}, table.Chair{}
	for _, test := range []struct {
		chairs            []table.Chair
		bank, played, won bool
	}{
		{[]table.Chair{here, computer}, false, true, false},
		{[]table.Chair{away, computer}, false, true, false},
		{[]table.Chair{here, away, out}, false, true, true},
		{[]table.Chair{away, out, computer}, false, false, true},
		{[]table.Chair{out, computer}, false, false, true},
		{[]table.Chair{away, out}, true, true, false},
	} {
		one := &table.Table{Phase: table.Playing, Chairs: test.chairs}
		if test.bank {
			one.Chips = &engine.Chips{}
		}
		if one.Played() != test.played || one.Won() != test.won {
			t.Errorf("%+v: played %v, won %v", test.chairs, one.Played(), one.Won())
		}
	}
}

// TestAt: who waits for the next deal has a part in the table as who sits there, and who was removed has none.
func TestAt(t *testing.T) {
	one := &table.Table{Chairs: []table.Chair{{User: 1}, {User: 2, Left: true}, {User: 3, Left: true, Removed: true}}}
	one.Waiting = []table.Chair{{User: 4}}
	for user, want := range map[int64]bool{1: true, 2: true, 3: false, 4: true, 5: false} {
		if one.At(user) != want {
			t.Errorf("%d: %v", user, !want)
		}
	}
}

// TestPlayers: who only waits at a table, or is waited for, is one of its people and none of its players.
func TestPlayers(t *testing.T) {
	one := table.Table{Chairs: []table.Chair{{User: 1}, {}, {User: 2}}}
	one.Waiting, one.Kept = []table.Chair{{User: 3}, {User: 2}}, []table.Chair{{User: 4}}
	one.Session = &table.Session{People: []table.Player{{User: 5}, {User: 1}, {}}}
	if players, people := one.Players(), one.People(); fmt.Sprint(players) != "[1 2 5]" || fmt.Sprint(people) != "[1 2 5 3 4]" {
		t.Errorf("players %v, people %v", players, people)
	}
}
