package table_test

import (
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
