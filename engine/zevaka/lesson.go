package zevaka

import "zevaka/engine"

// lessons teach the game by the first minutes of a deal. Whoever follows what is said keeps a card, lays one of their own
// open pile and flipped ones on the other player, who does so, too, and builds up the centre: all in three turns.
func lessons() []engine.Lesson {
	return []engine.Lesson{{
		Name: "play", Deal: 14786, Seats: 2, Learner: 0, Moves: 24,
		Moments: []engine.Moment{
			{Says: "aim", Verb: Flip, Until: 1},
			{Says: "own", Verb: Put, Task: TaskFlipOrPlay},
			{Says: "own-centre", Verb: Centre, Task: TaskFlipOrPlay},
			{Says: "again", Verb: Flip, Task: TaskFlipOrPlay},
			{Says: "flip", Verb: Flip},
			{Says: "put", Verb: Put},
			{Says: "centre", Verb: Centre},
			{Says: "keep", Verb: Keep},
			{Says: "missed-put", Verb: Put, Instead: Keep},
			{Says: "missed-put", Verb: Put, Instead: Flip},
			{Says: "missed-centre", Verb: Centre, Instead: Keep},
			{Says: "missed-centre", Verb: Centre, Instead: Flip},
		},
	}}
}
