package banchok

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestNext passes the bank on (RULES.md 6.3). A standing is a purse, with "!" behind it for who owes a bank, or "-" for who has left.
func TestNext(t *testing.T) {
	for _, test := range []struct {
		name, options string
		standings     string
		// order is empty when the session is over.
		order string
	}{
		{"to the left neighbour; the old banker sits last", "", "900 900 900 900", "1 2 3 0"},
		{"of two players it alternates", "", "0005 300", "1 0"},
		{"who has left is not waited for", "", "900 - 900 -", "2 0"},
		{"who can't lay it out has left the game", "", "900 299 300 5", "2 3 0"},
		{"and so has everybody who had to before somebody could", "", "900 299 0 300", "3 0"},
		{"another bank needs another purse", "bank=500", "900 499 500 5", "2 3 0"},
		{"who can't pay the least stake sits it out", "", "4 300 4 5", "1 3"},
		{"another least stake", "min=50", "49 300 50 5", "1 2"},
		{"the least stake is never above the bank", "bank=20 min=100000", "19 20 20", "1 2"},
		{"nobody holds it twice running", "", "900 299 299", ""},
		{"nobody is left to hold it", "", "900 - -", ""},
		{"nobody is left to play against", "", "- 900 -", ""},
		{"nobody at all", "", "- -", ""},
		{"a newcomer sits before the old banker", "", "900 900 900 77", "1 2 3 0"},
		{"a newcomer may hold the bank", "", "900 - 300", "2 0"},
		{"who owes a bank comes back to hold it", "", "900 900 900 300!", "3 1 2 0"},
		{"or not at all", "", "900 900 900 299!", "1 2 0"},
		{"of two who owe one, the one who sat down first", "", "900 900 300! 300!", "2 3 1 0"},
		{"no more than twelve sit down", "", "9 300 9 9 9 9 9 9 9 9 9 9 9", "1 2 3 4 5 6 7 8 9 10 11 0"},
	} {
		var standings []engine.Standing
		for _, word := range strings.Fields(test.standings) {
			purse, owes := strings.CutSuffix(word, "!")
			chips, err := strconv.ParseInt(purse, 10, 64)
			standings = append(standings, engine.Standing{Stays: err == nil, Chips: chips, Owes: owes})
		}
		setup := engine.Setup{Seats: 2, Options: enginetest.Options(t, Rules{}, test.options)}
		next, ok := Rules{}.Next(setup, engine.Result{}, standings)
		if got := strings.Trim(fmt.Sprint(next.Order), "[]"); got != test.order || ok != (test.order != "") {
			t.Errorf("%s: the order is %s, %v, not %s", test.name, got, ok, test.order)
		}
		if ok && (next.Seats != len(next.Order) || next.Options["bank"] != setup.Options["bank"]) {
			t.Errorf("%s: the next deal is %+v", test.name, next)
		}
	}
}
