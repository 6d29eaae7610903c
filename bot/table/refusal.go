package table

import (
	"errors"

	"zevaka/engine"
)

// ErrUntyped goes with the refusal of a press that was for a text to be asked for.
var ErrUntyped = errors.New("nothing was typed yet")

// The refusals of a table.
const (
	// ErrPoor refuses to begin where somebody couldn't pay for a bank that they may have to hold.
	ErrPoor engine.Refusal = "cannot-lay"
	// ErrBankerStays refuses to let the banker leave while his bank is held.
	ErrBankerStays engine.Refusal = "banker-stays"
	// ErrAgreed refuses to change for what others have sat down at a bank.
	ErrAgreed engine.Refusal = "others-agreed"
	// ErrSideTime refuses to turn a card as long as others may bet on the hand.
	ErrSideTime engine.Refusal = "side-time"
	// ErrNoPass refuses to stay out of a hand on which one can't bet.
	ErrNoPass engine.Refusal = "nothing-to-pass"
	// ErrNoSkip refuses to end somebody's turn, and ErrSkipped to ask for it twice.
	ErrNoSkip  engine.Refusal = "nothing-to-skip"
	ErrSkipped engine.Refusal = "has-skipped"
	// ErrNoRobots refuses computer players where chips are at stake.
	ErrNoRobots engine.Refusal = "no-computers-here"
	// ErrTooFewPeople refuses to deal where no computer could fill the table.
	ErrTooFewPeople engine.Refusal = "too-few-people"
	// ErrNoHand refuses to show a hand to somebody who has none.
	ErrNoHand engine.Refusal = "no-hand"
	// ErrNoBet refuses a stake where there is nothing to stake on.
	ErrNoBet engine.Refusal = "nothing-to-bet"
	// ErrNotDealt refuses what needs cards before there are any.
	ErrNotDealt engine.Refusal = "not-dealt"
	// ErrCommandLong refuses a command that is too long.
	ErrCommandLong engine.Refusal = "command-long"

	// ErrAway refuses a move of somebody for whom the computer plays, and says why.
	ErrAway engine.Refusal = "away-refused"
	// ErrNotAdmin refuses what only admins may do.
	ErrNotAdmin engine.Refusal = "only-admin"
	// ErrOfPart refuses to who manages a channel what holds in all of them.
	ErrOfPart engine.Refusal = "only-admin-of-all"
	// ErrNotHost refuses what only the host or an admin may do.
	ErrNotHost engine.Refusal = "only-host"
	// ErrNotTheirs refuses the lobby's switches to everybody but the host, who is named.
	ErrNotTheirs engine.Refusal = "host-alone"
	// ErrSeated refuses a second seat.
	ErrSeated engine.Refusal = "seated-already"
	// ErrFull refuses a seat where there is none left.
	ErrFull engine.Refusal = "table-full"
	// ErrKept refuses a seat where the free ones are kept for others.
	ErrKept engine.Refusal = "seats-kept"
	// ErrTooFew refuses to deal to too few.
	ErrTooFew engine.Refusal = "too-few"
	// ErrNotCutter refuses a cut by anybody who doesn't sit at the table.
	ErrNotCutter engine.Refusal = "only-cutter"
	// ErrHasCut refuses a second cut of the same pack.
	ErrHasCut engine.Refusal = "has-cut"
	// ErrNoCut refuses a cut where there is nothing to cut.
	ErrNoCut engine.Refusal = "nothing-to-cut"
	// ErrCutText refuses a cut that can't be shown as it is.
	ErrCutText engine.Refusal = "cut-text"
	// ErrNoComputer refuses to take a computer player from a table that has none.
	ErrNoComputer engine.Refusal = "no-computer"
	// ErrStarted refuses a seat in a deal that runs.
	ErrStarted engine.Refusal = "deal-runs"
	// ErrCloses refuses a seat at a table that closes.
	ErrCloses engine.Refusal = "table-closes"
	// ErrAction refuses an action that there isn't.
	ErrAction engine.Refusal = "bad-button"
	// ErrCounts refuses to end a deal that counts, or to remove somebody from it, to whoever plays in it.
	ErrCounts engine.Refusal = "deal-counts"
	// ErrNoSeat refuses a seat that there isn't.
	ErrNoSeat engine.Refusal = "no-seat"
	// ErrNotPerson refuses to remove a computer player, or somebody who has left.
	ErrNotPerson engine.Refusal = "not-a-person"
	// ErrNotHere refuses to remove somebody who doesn't sit there.
	ErrNotHere engine.Refusal = "not-here"
	// ErrRemoved refuses a seat to somebody who was removed.
	ErrRemoved engine.Refusal = "you-were-removed"
	// ErrNotAway refuses to come back to somebody who wasn't away.
	ErrNotAway engine.Refusal = "not-away"

	// ErrForgetting refuses a seat to somebody who is being forgotten.
	ErrForgetting engine.Refusal = "being-forgotten"
	// ErrAnonymous refuses a seat and a purse, and what only those can do who have them, to somebody who speaks for the place
	// itself.
	ErrAnonymous engine.Refusal = "anonymous"

	// ErrAdminsOpen refuses to open a table where that is for admins, and AdminsStop to stop one.
	ErrAdminsOpen engine.Refusal = "admins-open"
	ErrAdminsStop engine.Refusal = "admins-stop"

	// ErrOutside refuses what concerns the people of a community to somebody who asks from outside and isn't one of them
	// any more.
	ErrOutside engine.Refusal = "not-a-member"
	// ErrUnsure refuses what Outside does to somebody of whom the platform doesn't say whether they are there.
	ErrUnsure engine.Refusal = "perhaps-no-member"
	// ErrOwnTables refuses one more table to somebody who has so many, if none of them can be closed for it.
	ErrOwnTables engine.Refusal = "own-tables"

	// ErrNothing refuses to lay cards on foundations where none fits.
	ErrNothing engine.Refusal = "nothing-home"
	// ErrStuck refuses a move where there is none left.
	ErrStuck engine.Refusal = "no-moves-left"
	// ErrStale refuses a button that was drawn before the table moved on.
	ErrStale engine.Refusal = "stale"
	// ErrEnded refuses a press at a table where nothing is played any more.
	ErrEnded engine.Refusal = "table-ended"
	// ErrNotSeated refuses somebody who doesn't sit at the table.
	ErrNotSeated engine.Refusal = "not-seated"
	// ErrLeft refuses a move by somebody whose seat the computer has taken.
	ErrLeft engine.Refusal = "you-left"
	// ErrGone refuses a press at a table that is not there any more.
	ErrGone engine.Refusal = "table-gone"
	// ErrFinalAlone refuses among several moves one that its player is asked about again.
	ErrFinalAlone engine.Refusal = "final-alone"
	// ErrAtMove says which of several moves was refused, and why.
	ErrAtMove engine.Refusal = "at-move"
	// ErrNothingBack refuses to take back where nothing was done.
	ErrNothingBack engine.Refusal = "nothing-to-undo"
	// ErrNothingAgain refuses to do again where nothing was taken back.
	ErrNothingAgain engine.Refusal = "nothing-to-redo"
	// ErrNotAlone refuses what belongs to games for one.
	ErrNotAlone engine.Refusal = "not-alone"
)
