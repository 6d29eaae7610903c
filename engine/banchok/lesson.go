package banchok

import "zevaka/engine"

// lessons teach both sides of the bank, by three hands each. Whoever follows what is said loses the first, which is weak, for
// the least stake, and wins the other two; and then holds a bank that wins, loses and wins.
func lessons() []engine.Lesson {
	small := map[string]string{"bank": "100"}
	return []engine.Lesson{
		{
			Name: "stake", Options: small, Deal: 12815, Seats: 2, Learner: 1, Moves: 6,
			Moments: []engine.Moment{
				{Says: "aim", Verb: Stake, Until: 1, Least: true, Own: true},
				{Says: "weak", Verb: Stake, Least: true, Own: true},
				{Says: "strong", Verb: Stake, Own: true},
			},
		},
		{
			Name: "bank", Options: small, Deal: 2635, Seats: 2, Learner: banker, Moves: 6,
			Moments: []engine.Moment{
				{Says: "aim", Verb: Open, Until: 2},
				{Says: "open", Verb: Open},
			},
		},
	}
}
