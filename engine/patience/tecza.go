package patience

import "zevaka/engine"

// tecza is Tęcza, "the rainbow" (RULES.md, section 2).
func tecza() declaration {
	return declaration{
		name: "tecza",
		options: []engine.Option{
			{Name: "bases", Values: []string{"1", "8"}},
			{Name: "distinct", Values: []string{"off", "on"}, Needs: engine.Need{Only: "on", Option: "bases", Is: "8"}},
		},
		lay: func(options map[string]string) layout {
			l := layout{
				groups: []group{
					{kind: foundation, n: 8, takes: "r w turned", starts: aBase, builds: upRound, full: 13},
					{kind: "r", n: 1, takes: "w turned", builds: downRound},
					{kind: "w", n: 3, takes: "turned", starts: anyCard, builds: anything},
					{kind: turned, n: 1},
					{kind: stock, n: 1, shows: faceDown},
				},
				deal:     []portion{{26, "r"}, {1, "f1"}},
				draw:     turned,
				plays:    sorter{games: 200, searches: []int{600, 12000}, rated: 16, weighs: 2},
				passes:   []int{1, 1, 1},
				gather:   "w",
				shuffles: true,
			}
			if options["bases"] == "8" {
				l.deal = []portion{{26, "r"}, {8, foundation}}
				l.passes = []int{1, 1}
				if options["distinct"] == "on" {
					l.arrange = distinctBases
				}
			}
			return l
		},
	}
}

// distinctBases puts a base whose rank there is already at the bottom of the stock, and the next card in its place,
// until the eight after the rainbow differ (RECORDS.md, Exactly 13). It returns those put at the bottom.
func distinctBases(pack []engine.Card) (away []engine.Card) {
	var ranks set
	for at := 26; at < 26+8; {
		card := pack[at]
		if ranks.has(card) {
			away = append(away, card)
			copy(pack[at:], pack[at+1:])
			pack[len(pack)-1] = card
			continue
		}
		ranks |= ofRank(card.Rank())
		at++
	}
	return away
}
