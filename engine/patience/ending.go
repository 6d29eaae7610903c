package patience

import "zevaka/engine"

// check refuses what is no move of the one player's, whatever lies on the table.
func (e ending) check(step engine.Step) error {
	m := step.Move
	switch {
	case e != notOver:
		return engine.ErrOver
	case m.Verb < Draw || m.Verb > Quit || m.Verb != Put && (m != engine.Move{Verb: m.Verb}):
		return engine.ErrMoveText
	case step.Seat != 0:
		return engine.ErrNotYourTurn
	}
	return nil
}

// tell tells how the deal has ended, with so many cards on the foundations; nothing while it goes on.
func (e ending) tell(tell func(what string, card engine.Card, n int), score int) {
	switch e {
	case solved:
		tell(EventSolved, 0, 0)
	case noMoves:
		tell(EventNoMoves, 0, score)
	case gaveUp:
		tell(EventGaveUp, 0, score)
	}
}

// result is whether the patience came out, and its score; false while the deal goes on.
func (e ending) result(score int) (engine.Result, bool) {
	if e == notOver {
		return engine.Result{}, false
	}
	return engine.Result{Patience: &engine.Patience{Solved: e == solved, Score: score}}, true
}

// note is the remark on a deal that has ended so; empty while it goes on.
func (e ending) note() string {
	switch e {
	case solved:
		return NoteSolved
	case noMoves:
		return NoteNoMoves
	case gaveUp:
		return NoteGaveUp
	}
	return ""
}
