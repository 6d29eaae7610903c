package patience

import "zevaka/engine"

// pauk is Паук, "the spider", also «змей» (RULES.md, section 10).
func pauk() declaration {
	return declaration{
		name: "pauk",
		options: []engine.Option{
			{Name: "deal", Values: []string{"whole", "rounds"}},
			{Name: "restrict", Values: []string{"sides", "adjacent", "none"}},
			{Name: "build", Values: []string{"any", "suit"}},
			{Name: "redeals", Values: []string{"2", "1", "0"}},
		},
		sets: []engine.Set{{
			Names:   []string{"строгий", "strict", "ścisły", "scisly"},
			Options: map[string]string{"deal": "rounds", "build": "suit"},
		}},
		lay: func(options map[string]string) layout {
			l := layout{
				groups: []group{
					{kind: foundation, n: 4, lies: "21 31 41 51", takes: "t", builds: upSuit},
					{kind: foundation, n: 4, lies: "22 32 42 52", takes: "t", builds: downSuit},
					{kind: "t", n: 12, lies: "10 11 20 30 40 50 60 61 53 43 33 23", takes: "t", builds: beside, shows: topCard},
					{kind: stock, n: 1, shows: faceDown},
				},
				arrange: basesFirst,
				deal:    []portion{{8, foundation}},
				draw:    "t",
				plays:   lookout{width: 32, depth: 12, patience: 48, value: spider, widths: []int{100, 400, 1200}, hasty: [4]int{6, 6, 100, 8}},
				passes:  []int{12, 12, 12},
				whole:   options["deal"] != "rounds",
				gather:  "t",
			}
			if options["build"] == "suit" {
				l.groups[2].builds = besideSuit
			}
			switch options["redeals"] {
			case "1":
				l.passes = l.passes[:2]
			case "0":
				l.passes = l.passes[:1]
			}
			rule := spiderRule{sides: options["restrict"] != "none", adjacent: options["restrict"] == "adjacent"}
			l.bars = rule.bars
			return l
		},
	}
}

// basesFirst brings the first ace of each suit and then the first king of each to the top, in the order of the suits,
// and leaves the others in theirs (RECORDS.md, Exactly 24).
func basesFirst(pack []engine.Card) []engine.Card {
	at := 0
	for _, rank := range []int{engine.Ace, engine.King} {
		for suit := engine.Spades; suit <= engine.Hearts; suit++ {
			base := engine.NewCard(rank, suit)
			i := at
			for pack[i] != base {
				i++
			}
			copy(pack[at+1:i+1], pack[at:i])
			pack[at] = base
			at++
		}
	}
	return nil
}

// spiderRule is which packets may give a card to which foundation.
type spiderRule struct {
	// sides says that until the first redeal the packets on the left feed aces only, those on the right kings only.
	sides bool
	// adjacent says that each of them feeds the foundation beside it only.
	adjacent bool
}

// bars keeps the rule, and while the cards are dealt in rounds lets only the last round's go, to foundations only
// (RECORDS.md, Exactly 24 to 26).
func (r spiderRule) bars(t *table, from, to int) error {
	home := to < t.plan.foundations
	if t.n[t.plan.stock] > 0 {
		if !home {
			return ErrRoundHomeOnly
		}
		if t.fresh>>from&1 == 0 {
			return ErrRoundLastOnly
		}
	}
	if !home || !r.sides || t.pass > 0 {
		return nil
	}
	var beside int
	switch n := t.plan.number[from]; {
	case n >= 3 && n <= 6:
		beside = n - 3
	case n >= 9:
		beside = 4 + 12 - n
	default:
		return nil
	}
	switch {
	case r.adjacent && to != beside:
		return ErrOnlyAdjacent
	case to/4 != beside/4:
		return ErrOnlyOwnSide
	}
	return nil
}
