package engine

// Lesson is how a game is taught to somebody who has never played it: a deal that everybody gets, so that what is to be learnt
// comes up, and what is said at which moment of it. Each thing said names a sentence in the catalogues of words.
type Lesson struct {
	// Name is the lesson's, other than those of the game's other lessons: the sentences are "board.GAME.NAME.…".
	Name string
	// Options are those that are played by; the others stand at their default. Deal is the number of the deal (NumberedSeed).
	Options map[string]string
	Deal    int64
	// Seats is how many play, and Learner who of them learns; computers have the other seats.
	Seats   int
	Learner Seat
	// Moves is after how many moves of all seats it is over, as soon as the learner's turn is over and nothing is at stake; 0 is
	// not before the deal is.
	Moves int
	// Moments are what is said in a game for several. At a turn of the learner's the first of them is said that fits.
	Moments []Moment
	// Course is what is shown in a game for one, move after move. Whoever has made all of it is let go; who has left it is told so.
	Course []Lead
	// Strayed is said to who has left the course, and Free to who has come to its end.
	Strayed, Free string
}

// Moment is a moment of a lesson: what must be so, and what is said then. The zero fields are whatever they may be.
type Moment struct {
	// Says names the sentence.
	Says string
	// Verb is what an attentive player would do there, as State.Auto with a skill of 1 has it.
	Verb Verb
	// Least says that this is what the table would do for who is away, too (State.Idle).
	Least bool
	// Task is what there is to do (View.Task).
	Task string
	// Until, where it isn't 0, says that fewer moves than that were made.
	Until int
	// Instead, where it isn't zero, makes it a moment afterwards: the learner has just done that, and not what an attentive
	// player would have.
	Instead Verb
	// Own says that it tells of cards which only the learner sees.
	Own bool
}

// Lead is a move of a lesson's course, in its text form, and the name of what is said before it.
type Lead struct{ Says, Move string }
