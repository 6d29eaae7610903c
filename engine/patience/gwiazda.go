package patience

import "zevaka/engine"

// gwiazda is Gwiazda, "the star" (RULES.md, section 5).
func gwiazda() declaration {
	return declaration{
		name:    "gwiazda",
		options: []engine.Option{{Name: "suit", Values: []string{"any", "strict"}}},
		lay: func(options map[string]string) layout {
			builds := upRound
			if options["suit"] == "strict" {
				builds = upRoundSuit
			}
			return layout{
				groups: []group{
					{kind: foundation, n: 8, takes: "r w turned", starts: aBase, builds: builds, full: 13},
					{kind: "r", n: 1, takes: "w turned", builds: downRound, shows: topCard},
					{kind: "w", n: 5, takes: "turned", starts: anyCard, builds: anything},
					{kind: turned, n: 1},
					{kind: stock, n: 1, shows: faceDown},
				},
				deal:   []portion{{20, "r1"}, {1, "f1"}},
				draw:   turned,
				plays:  sorter{games: 200, searches: []int{500, 4000, 16000}, rated: 1000},
				passes: []int{1},
			}
		},
	}
}
