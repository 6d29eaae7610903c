package patience

import "zevaka/engine"

// grobnitsa is «Гробница», "the tomb" (RULES.md, section 8).
//
// "The pile so formed", which is one on a working card, "may be carried to the base": it goes up in suit and the base
// goes down, so that its cards go there one by one from the uppermost, and the first that fits takes all others along.
// So the pile as a whole is no move of its own here and in records, but as many as it has cards; a table may make them
// at one press. The source lets no other pile go as one; that in the centre goes in the same way.
func grobnitsa() declaration {
	return declaration{
		name:    "grobnitsa",
		options: []engine.Option{{Name: "gather", Values: []string{"last-first", "first-first"}}},
		lay: func(options map[string]string) layout {
			return layout{
				groups: []group{
					{kind: foundation, n: 4, takes: "a b centre w", starts: aKing, builds: downRoundSuit, full: 26},
					{kind: centre, n: 1, takes: "a b w", starts: anAce, builds: upSuit, asOne: true},
					{kind: "a", n: 4, lies: "10 20 30 40", shows: topCard},
					{
						kind: "b", n: 4, lies: "11 21 31 41", takes: "a b centre w", starts: anyCard, builds: upSuitNotAce,
						refill: "a", asOne: true,
					},
					{kind: "w", n: 5},
					{kind: stock, n: 1, shows: faceDown},
				},
				deal:      []portion{{10, "a1"}, {10, "a2"}, {10, "a3"}, {10, "a4"}, {4, "b"}},
				draw:      "w",
				plays:     lookout{width: 16, depth: 8, patience: 12, value: tomb, widths: []int{8, 32, 256}, hasty: [4]int{8, 5, 60, 12}},
				passes:    []int{5, 4, 3, 2, 1},
				gather:    "w",
				lastFirst: options["gather"] != "first-first",
			}
		},
	}
}
