package banchok

import "zevaka/engine"

// What a player may be told instead of a move. Each names a sentence in the catalogues of words.
const (
	// ErrBankerOnlyOpens refuses the banker all that punters do.
	ErrBankerOnlyOpens engine.Refusal = "banker-only-opens"
	// ErrBankerStays refuses the banker to leave his bank.
	ErrBankerStays engine.Refusal = "banker-stays"
	// ErrHaveLeft refuses a move by a punter who has left this bank.
	ErrHaveLeft engine.Refusal = "left-this-bank"
	// ErrNotBanker refuses a punter to turn a card.
	ErrNotBanker engine.Refusal = "not-the-banker"
	// ErrCardWaits refuses the banker another card while one turned too early waits for its stake.
	ErrCardWaits engine.Refusal = "open-card-waits"
	// ErrOpenAfterStake refuses to turn a card before the stake where the bot deals (dealer=bot).
	ErrOpenAfterStake engine.Refusal = "open-after-stake"
	// ErrStakeStands refuses a second stake on the same hand.
	ErrStakeStands engine.Refusal = "stake-stands"
	// ErrStakeLow refuses a stake below the least one.
	ErrStakeLow engine.Refusal = "stake-low"
	// ErrStakeHigh refuses a stake above the bank.
	ErrStakeHigh engine.Refusal = "stake-high"
	// ErrStakeHalf refuses a stake above half the bank on a card turned too early.
	ErrStakeHalf engine.Refusal = "stake-half"
	// ErrSideOff refuses side bets, and what belongs to them, where they are not played.
	ErrSideOff engine.Refusal = "side-off"
	// ErrSideNoStake refuses a side bet while no stake stands.
	ErrSideNoStake engine.Refusal = "side-no-stake"
	// ErrSideOwn refuses a side bet on one's own hand.
	ErrSideOwn engine.Refusal = "side-own"
	// ErrSideYouRefuse refuses side bets by a punter who allows none on his own hand.
	ErrSideYouRefuse engine.Refusal = "side-you-refuse"
	// ErrSideRefused refuses a side bet on the hand of a punter who allows none.
	ErrSideRefused engine.Refusal = "side-refused"
	// ErrSideLow refuses a side bet of nothing.
	ErrSideLow engine.Refusal = "side-low"
	// ErrSideHigh refuses a side bet that the bank couldn't pay beside those that stand.
	ErrSideHigh engine.Refusal = "side-high"
	// ErrAllowLate refuses to change allow after the first stake of a round, or while a card waits for it.
	ErrAllowLate engine.Refusal = "allow-late"
	// ErrAllowSame refuses to set allow to what it is.
	ErrAllowSame engine.Refusal = "allow-same"
	// ErrShowNoStake refuses to show one's hand before one's stake.
	ErrShowNoStake engine.Refusal = "show-no-stake"
	// ErrShownAlready refuses to show a hand twice.
	ErrShownAlready engine.Refusal = "shown-already"
	// ErrLeaveStake refuses to leave with a stake or a side bet on the table.
	ErrLeaveStake engine.Refusal = "leave-stake"
	// ErrLeaveCard refuses to leave a card turned too early.
	ErrLeaveCard engine.Refusal = "leave-card"
)

// The names of the feats (engine.Chronicle).
const (
	// FeatBroke: the seat's hand has broken the bank.
	FeatBroke = "broke"
	// FeatTripled: the seat's own bank has at least tripled.
	FeatTripled = "tripled"
)

// The names of the events (engine.Event.What), with the fields that count. Seat always does; amounts are kopecks.
const (
	// EventStake: Seat stakes N.
	EventStake = "stake"
	// EventEarly: Seat, the banker, has turned Card before To named his stake.
	EventEarly = "early"
	// EventOpened: Seat, the banker, turns Card for To; Nobody where the bot does.
	EventOpened = "opened"
	// EventHand: Card is one of the hand that Seat throws on the table. There is one event for each card, in order of
	// dealing, one after the other.
	EventHand = "hand"
	// EventCovered: Seat covers the turned card, On, with Card, the best that he can, and wins N.
	EventCovered = "covered"
	// EventBeaten: Seat can't cover Card, and loses N.
	EventBeaten = "beaten"
	// EventOdds: the hand that Seat has just thrown had N chances in a thousand, for somebody who has watched every
	// card. It is not told after a card turned too early.
	EventOdds = "odds"
	// EventSide: Seat bets N on the hand of To.
	EventSide = "side"
	// EventSideWon: Seat wins the N that he bet on the hand of To.
	EventSideWon = "side-won"
	// EventSideLost: Seat loses the N that he bet on the hand of To.
	EventSideLost = "side-lost"
	// EventAllows: Seat allows side bets on his hands again, and so may make them.
	EventAllows = "allows"
	// EventRefuses: Seat allows no side bets on his hands, and so can't make any.
	EventRefuses = "refuses"
	// EventShown: Seat shows his hand to everybody.
	EventShown = "shown"
	// EventLeft: Seat throws his hand in and plays no more in this bank; EventHand follows for each card he held.
	EventLeft = "quits-bank"
	// EventBankUp: the bank of Seat has grown to N.
	EventBankUp = "bank-up"
	// EventBankDown: the bank of Seat has fallen to N.
	EventBankDown = "bank-down"
	// EventCollected: everybody has played; Seat shuffles the N cards from the table under the pack, and three are
	// dealt to each.
	EventCollected = "collected"
	// EventBroken: the bank of Seat is broken: nothing is left, and it ends.
	EventBroken = "bank-broken"
	// EventTripled: the bank of Seat has at least tripled; it ends, and he takes N.
	EventTripled = "bank-tripled"
	// EventDeserted: no punter is left against the bank of Seat; it ends, and he takes N.
	EventDeserted = "bank-deserted"
)

// events are all of them, with what they mean to a table.
func events() []engine.EventInfo {
	return []engine.EventInfo{
		{Name: EventStake}, {Name: EventEarly, Role: engine.EventTurnsUp}, {Name: EventOpened},
		{Name: EventHand, Role: engine.EventLists}, {Name: EventCovered}, {Name: EventBeaten},
		{Name: EventOdds, Role: engine.EventAdds}, {Name: EventSide}, {Name: EventSideWon}, {Name: EventSideLost},
		{Name: EventAllows}, {Name: EventRefuses}, {Name: EventShown}, {Name: EventLeft, Role: engine.EventGoesOut},
		{Name: EventBankUp, Role: engine.EventAdds}, {Name: EventBankDown, Role: engine.EventAdds}, {Name: EventCollected, Role: engine.EventAdds},
		{Name: EventBroken}, {Name: EventTripled}, {Name: EventDeserted},
	}
}

// The remarks on a position (engine.View.Note).
const (
	// NoteEarly: a card turned too early waits for the punter's stake: at most half the bank.
	NoteEarly = "early-card"
	// NoteWholeBank: the whole bank is at stake.
	NoteWholeBank = "whole-bank"
	// NoteSideBets: bets may be made on the side until the card is turned.
	NoteSideBets = "side-bets"
)

// What the seat that must move is to do (engine.View.Task).
const (
	// TaskStake: the punter is to name a stake.
	TaskStake = "stake"
	// TaskStakeOpen: the punter is to name a stake, and the card lies open already.
	TaskStakeOpen = "stake-open"
	// TaskSide: the others may bet on the hand of View.Backed before the card is turned.
	TaskSide = "side"
	// TaskOpen: the banker is to turn a card.
	TaskOpen = "open"
	// TaskWait: nobody is to do anything, since cards turn by themselves (dealer=bot).
	TaskWait = "wait"
)
