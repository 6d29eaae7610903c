package patience

import "zevaka/engine"

// polusharia is «Полушарія», "the hemispheres" (RULES.md, section 7).
func polusharia() declaration {
	return declaration{
		name:    "polusharia",
		options: []engine.Option{{Name: "space", Values: []string{"any", "talon"}}},
		lay: func(options map[string]string) layout {
			l := layout{
				groups: []group{
					{kind: foundation, n: 8, takes: "t w turned", starts: anAce, builds: upSuit},
					{kind: "t", n: 10, takes: "t w turned", starts: anyCard, builds: downSuit},
					{kind: "w", n: 1, takes: "turned", starts: anyCard, builds: anything},
					{kind: turned, n: 1},
					{kind: stock, n: 1, shows: faceDown},
				},
				deal:   []portion{{40, "t"}},
				draw:   turned,
				plays:  lookout{width: 64, depth: 12, patience: 12, value: hemispheres, widths: []int{24, 256}, hasty: [4]int{10, 6, 30, 12}},
				passes: []int{1},
			}
			if options["space"] == "talon" {
				l.bars = spaceFromTalon
			}
			return l
		},
	}
}

// spaceFromTalon keeps the cards of other columns out of an empty one.
func spaceFromTalon(t *table, from, to int) error {
	if t.n[to] == 0 && t.plan.group[to].kind == "t" && t.plan.group[from].kind == "t" {
		return ErrSpaceFromTalon
	}
	return nil
}
