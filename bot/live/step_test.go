package live

import (
	"fmt"
	"strings"
	"testing"

	"zevaka/engine"
)

// piles reads "7S -- | TH |": cards with spaces between, piles with bars.
func piles(text string) []engine.Pile {
	var all []engine.Pile
	for part := range strings.SplitSeq(text, "|") {
		var pile engine.Pile
		for word := range strings.FieldsSeq(part) {
			card := engine.Card(0)
			for c := range 256 {
				if word != "--" && engine.Card(c).String() == word {
					card = engine.Card(c)
				}
			}
			pile.Cards = append(pile.Cards, card)
		}
		all = append(all, pile)
	}
	return all
}

func TestMoved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, before, after, want string }{
		{"nothing", "7S | --", "7S | --", ""},
		{"a card that everybody sees", "7S 8S | 9H", "7S | 9H 8S", "0>1:8S"},
		{"one that is turned up", "-- -- |", "-- | 8S", "0>1:8S"},
		{"what lay below is seen now", "-- 8S |", "7S | 8S", "0>1:8S"},
		{"one that stays hidden", "-- -- |", "-- | --", "0>1:--"},
		{"a run", "7S 6H 5C | 8D", "7S | 8D 6H 5C", "0>1:6H 5C"},
		{"a run turned round", "7S 6H 5C | 8D", "7S | 8D 5C 6H", "0>1:5C 6H"},
		{"two hands from one pack", "-- -- -- -- | |", "-- -- | -- | 7S", "0>1:--; 0>2:7S"},
		{"two ways", "7S | 8H | |", "| | 8H | 7S", "1>2:8H; 0>3:7S"},
		{"all to one", "7S | 8H | --", "| | -- 7S 8H", "0>2:7S; 1>2:8H"},
		{"out of nowhere", "| 7S", "8S | 7S", ""},
	} {
		var got []string
		for _, m := range moved(piles(c.before), piles(c.after)) {
			got = append(got, fmt.Sprintf("%d>%d:%s", m.From, m.To, m.Cards))
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
