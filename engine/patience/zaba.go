package patience

import "zevaka/engine"

// zaba is Żaba, "the frog" (RULES.md, section 4).
func zaba() declaration {
	return declaration{
		name:    "zaba",
		lessons: []engine.Lesson{zabaLesson()},
		options: []engine.Option{{Name: "rows", Values: []string{"1", "2"}}},
		lay: func(options map[string]string) layout {
			two := options["rows"] == "2"
			l := layout{
				groups: []group{
					{kind: foundation, n: 8, takes: "r w turned", starts: anAce, builds: upRound, full: 13},
					{kind: "r", n: 1, deep: aces},
					{kind: "w", n: 5, takes: "turned", starts: anyCard, builds: anything},
					{kind: turned, n: 1},
					{kind: stock, n: 1, shows: faceDown},
					{kind: "r", n: 1, absent: !two},
				},
				deal:   []portion{{13, "r1"}},
				draw:   turned,
				plays:  sorter{games: 200, searches: []int{500, 4000, 16000}, rated: 1000},
				passes: []int{1},
			}
			if two {
				l.groups[1].deep = 0
				l.deal = []portion{{13, "r1"}, {13, "r2"}}
			}
			return l
		},
	}
}

// zabaLesson shows what there is in Żaba by the first moves of an easy deal.
func zabaLesson() engine.Lesson {
	return engine.Lesson{
		Name: "play", Deal: 2178, Seats: 1,
		Course: []engine.Lead{
			{Says: "ace", Move: "put r1@9 f1"},
			{Says: "ace-too", Move: "put r1@5 f2"},
			{Says: "draw", Move: "draw"},
			{Says: "aside", Move: "put turned w1"},
			{Says: "draw-on", Move: "draw"},
			{Says: "home", Move: "put turned f1"},
			{Says: "frog", Move: "put r1 f1"},
			{Says: "top", Move: "put w1 f1"},
		},
		Strayed: "strayed", Free: "free",
	}
}
