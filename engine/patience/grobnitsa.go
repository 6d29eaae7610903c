package patience

import "zevaka/engine"

// grobnitsa is «Гробница», "the tomb" (RULES.md, section 8).
func grobnitsa() declaration {
	return declaration{
		name:    "grobnitsa",
		options: []engine.Option{{Name: "gather", Values: []string{"last-first", "first-first"}}},
		lay: func(options map[string]string) layout {
			return layout{
				groups: []group{
					{kind: foundation, n: 4, takes: "a b centre w", starts: aKing, builds: downRoundSuit, full: 26},
					{kind: centre, n: 1, takes: "a b w", starts: anAce, builds: upSuit},
					{kind: "a", n: 4, shows: topCard},
					{kind: "b", n: 4, takes: "a b centre w", starts: anyCard, builds: upSuitNotAce, refill: "a"},
					{kind: "w", n: 5},
					{kind: stock, n: 1, shows: faceDown},
				},
				deal:      []portion{{10, "a1"}, {10, "a2"}, {10, "a3"}, {10, "a4"}, {4, "b"}},
				draw:      "w",
				plays:     lookout{width: 16, depth: 8, patience: 12, value: tomb},
				passes:    []int{5, 4, 3, 2, 1},
				gather:    "w",
				lastFirst: options["gather"] != "first-first",
			}
		},
	}
}
