package patience

// sklep is Otwarty sklep, "the open shop" (RULES.md, section 3).
func sklep() declaration {
	return declaration{
		name: "sklep",
		lay: func(map[string]string) layout {
			return layout{
				groups: []group{
					{kind: foundation, n: 8, takes: "r w turned", starts: aBase, builds: upRound, full: 13},
					{kind: "r", n: 1},
					{kind: "w", n: 5, takes: "turned", starts: anyCard, builds: anything},
					{kind: turned, n: 1},
					{kind: stock, n: 1, shows: faceDown},
				},
				deal:   []portion{{18, "r1"}, {1, "f1"}},
				draw:   turned,
				plays:  sorter{games: 200, searches: []int{500, 4000, 16000}, rated: 1000},
				passes: []int{1},
			}
		},
	}
}
