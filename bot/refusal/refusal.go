// Package refusal lists what a table refuses to a player. The sentences are in bot/words, under "no." and the text of the refusal.
package refusal

import "zevaka/engine"

// The refusals of a table.
const (
	// Poor refuses to begin where somebody couldn't pay for a bank that they may have to hold.
	Poor engine.Refusal = "cannot-lay"
	// BankerStays refuses to let the banker leave while his bank is held.
	BankerStays engine.Refusal = "banker-stays"
	// SideTime refuses to turn a card as long as others may bet on the hand.
	SideTime engine.Refusal = "side-time"
	// NoPass refuses to stay out of a hand on which one can't bet.
	NoPass engine.Refusal = "nothing-to-pass"
	// NoRobots refuses computer players where chips are at stake.
	NoRobots engine.Refusal = "no-computers-here"
	// TooFewPeople refuses to deal where no computer could fill the table.
	TooFewPeople engine.Refusal = "too-few-people"
	// NoHand refuses to show a hand to somebody who has none.
	NoHand engine.Refusal = "no-hand"
	// NoBet refuses a stake where there is nothing to stake on.
	NoBet engine.Refusal = "nothing-to-bet"
	// NotDealt refuses what needs cards before there are any.
	NotDealt engine.Refusal = "not-dealt"
	// CommandLong refuses a command that is too long.
	CommandLong engine.Refusal = "command-long"

	// Away refuses a move of somebody for whom the computer plays, and says why.
	Away engine.Refusal = "away-refused"
	// NotHost refuses what only the host or an admin may do.
	NotHost engine.Refusal = "only-host"
	// NotTheirs refuses the lobby's switches to everybody but the host, who is named.
	NotTheirs engine.Refusal = "host-alone"
	// Seated refuses a second seat.
	Seated engine.Refusal = "seated-already"
	// Full refuses a seat where there is none left.
	Full engine.Refusal = "table-full"
	// Kept refuses a seat where the free ones are kept for others.
	Kept engine.Refusal = "seats-kept"
	// TooFew refuses to deal to too few.
	TooFew engine.Refusal = "too-few"
	// NotCutter refuses a cut by anybody who doesn't sit at the table.
	NotCutter engine.Refusal = "only-cutter"
	// HasCut refuses a second cut of the same pack.
	HasCut engine.Refusal = "has-cut"
	// NoCut refuses a cut where there is nothing to cut.
	NoCut engine.Refusal = "nothing-to-cut"
	// CutText refuses a cut that can't be shown as it is.
	CutText engine.Refusal = "cut-text"
	// NoComputer refuses to take a computer player from a table that has none.
	NoComputer engine.Refusal = "no-computer"
	// Started refuses a seat in a deal that runs.
	Started engine.Refusal = "deal-runs"
	// Closes refuses a seat at a table that closes.
	Closes engine.Refusal = "table-closes"
	// Action refuses an action that there isn't.
	Action engine.Refusal = "bad-button"
	// NoSeat refuses a seat that there isn't.
	NoSeat engine.Refusal = "no-seat"
	// NotPerson refuses to remove a computer player, or somebody who has left.
	NotPerson engine.Refusal = "not-a-person"
	// NotHere refuses to remove somebody who doesn't sit there.
	NotHere engine.Refusal = "not-here"
	// Removed refuses a seat to somebody who was removed.
	Removed engine.Refusal = "you-were-removed"
	// NotAway refuses to come back to somebody who wasn't away.
	NotAway engine.Refusal = "not-away"

	// Forgetting refuses a seat to somebody who is being forgotten.
	Forgetting engine.Refusal = "being-forgotten"
	// Anonymous refuses a seat and a purse, and what only those can do who have them, to somebody who speaks for the place
	// itself.
	Anonymous engine.Refusal = "anonymous"

	// AdminsOpen refuses to open a table where that is for admins, and AdminsStop to stop one.
	AdminsOpen engine.Refusal = "admins-open"
	AdminsStop engine.Refusal = "admins-stop"

	// Outside refuses what concerns the people of a community to somebody who asks from outside and isn't one of them
	// any more.
	Outside engine.Refusal = "not-a-member"
	// Unsure refuses what Outside does to somebody of whom the platform doesn't say whether they are there.
	Unsure engine.Refusal = "perhaps-no-member"
	// OwnTables refuses one more table to somebody who has so many, if none of them can be closed for it.
	OwnTables engine.Refusal = "own-tables"

	// Nothing refuses to lay cards on foundations where none fits.
	Nothing engine.Refusal = "nothing-home"
	// Stuck refuses a move where there is none left.
	Stuck engine.Refusal = "no-moves-left"
	// Stale refuses a button that was drawn before the table moved on.
	Stale engine.Refusal = "stale"
	// Ended refuses a press at a table where nothing is played any more.
	Ended engine.Refusal = "table-ended"
	// NotSeated refuses somebody who doesn't sit at the table.
	NotSeated engine.Refusal = "not-seated"
	// Left refuses a move by somebody whose seat the computer has taken.
	Left engine.Refusal = "you-left"
	// Gone refuses a press at a table that is not there any more.
	Gone engine.Refusal = "table-gone"
	// FinalAlone refuses among several moves one that its player is asked about again.
	FinalAlone engine.Refusal = "final-alone"
	// AtMove says which of several moves was refused, and why.
	AtMove engine.Refusal = "at-move"
	// NothingBack refuses to take back where nothing was done.
	NothingBack engine.Refusal = "nothing-to-undo"
	// NothingAgain refuses to do again where nothing was taken back.
	NothingAgain engine.Refusal = "nothing-to-redo"
	// NotAlone refuses what belongs to games for one.
	NotAlone engine.Refusal = "not-alone"
)
