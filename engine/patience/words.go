package patience

import "zevaka/engine"

// What a player may be told instead of a move. Each names a sentence in the catalogues of words.
const (
	// ErrNoPile refuses a pile that the patience, or its form played, doesn't have.
	ErrNoPile engine.Refusal = "no-such-pile"
	// ErrSamePile refuses to put a card where it lies.
	ErrSamePile engine.Refusal = "same-pile"
	// ErrNoCard refuses to take a card where none lies.
	ErrNoCard engine.Refusal = "no-card-there"
	// ErrCovered refuses a card that lies under others.
	ErrCovered engine.Refusal = "covered"
	// ErrFromStock refuses to take a card from the stock otherwise than by a draw.
	ErrFromStock engine.Refusal = "stock-only-drawn"
	// ErrFromFoundation refuses to take a card back from a foundation.
	ErrFromFoundation engine.Refusal = "foundation-keeps"
	// ErrTakesNothing refuses to lay anything on a pile that only the deal or a draw lays cards on.
	ErrTakesNothing engine.Refusal = "pile-takes-nothing"
	// ErrNotFromThere refuses to lay a card on a pile that takes none from where it lies.
	ErrNotFromThere engine.Refusal = "not-from-there"
	// ErrFull refuses a card on a foundation that has all its cards.
	ErrFull engine.Refusal = "foundation-full"
	// ErrFoundationOrder refuses an empty foundation while one before it is empty.
	ErrFoundationOrder engine.Refusal = "first-empty-foundation"
	// ErrNeedsAce refuses any card but an ace in an empty place.
	ErrNeedsAce engine.Refusal = "needs-ace"
	// ErrNeedsKing refuses any card but a king in an empty place.
	ErrNeedsKing engine.Refusal = "needs-king"
	// ErrNeedsBase refuses any card but one of the first foundation's rank in an empty place.
	ErrNeedsBase engine.Refusal = "needs-base-rank"
	// ErrBaseOut refuses a second king of a suit in an empty place.
	ErrBaseOut engine.Refusal = "base-of-suit-out"
	// ErrStaysEmpty refuses an empty place that nothing may be laid in.
	ErrStaysEmpty engine.Refusal = "stays-empty"
	// ErrSpaceFromTalon refuses an empty column to a card of another column («Полушарія», space=talon).
	ErrSpaceFromTalon engine.Refusal = "space-from-talon"
	// ErrRoundHomeOnly refuses to lay a card on a packet while the stock lasts (Паук, deal=rounds).
	ErrRoundHomeOnly engine.Refusal = "round-home-only"
	// ErrRoundLastOnly refuses a card that the last round didn't deal while the stock lasts (Паук, deal=rounds).
	ErrRoundLastOnly engine.Refusal = "round-last-only"
	// ErrOnlyOwnSide refuses a king's foundation to the packets on the left, and an ace's to those on the right, until
	// the first redeal (Паук).
	ErrOnlyOwnSide engine.Refusal = "only-own-side"
	// ErrOnlyAdjacent refuses a packet at the side any foundation but the one beside it, until the first redeal (Паук,
	// restrict=adjacent).
	ErrOnlyAdjacent engine.Refusal = "only-adjacent"
	// ErrNotNext refuses a card that isn't one rank higher.
	ErrNotNext engine.Refusal = "not-next-rank"
	// ErrNotNextInSuit refuses a card that isn't one rank higher in suit.
	ErrNotNextInSuit engine.Refusal = "not-next-in-suit"
	// ErrNotLower refuses a card that isn't one rank lower.
	ErrNotLower engine.Refusal = "not-lower-rank"
	// ErrNotLowerInSuit refuses a card that isn't one rank lower in suit.
	ErrNotLowerInSuit engine.Refusal = "not-lower-in-suit"
	// ErrNotBeside refuses a card that isn't one rank higher or lower.
	ErrNotBeside engine.Refusal = "not-beside-rank"
	// ErrNotBesideInSuit refuses a card that isn't one rank higher or lower in suit.
	ErrNotBesideInSuit engine.Refusal = "not-beside-in-suit"
	// ErrOnAce refuses any card on an ace on which nothing may be laid.
	ErrOnAce engine.Refusal = "nothing-on-ace"
	// ErrOnKing refuses any card on a king on which nothing may be laid.
	ErrOnKing engine.Refusal = "nothing-on-king"
	// ErrCellTaken refuses to put a card where another lies (Паганини).
	ErrCellTaken engine.Refusal = "cell-taken"
	// ErrAceStays refuses to move an ace away from column 0 (Паганини).
	ErrAceStays engine.Refusal = "ace-stays"
	// ErrAceToFront refuses to put an ace anywhere but in column 0 (Паганини).
	ErrAceToFront engine.Refusal = "ace-to-front"
	// ErrAcesWhenStuck refuses to move an ace while a gap can be filled (Паганини, aces=stuck).
	ErrAcesWhenStuck engine.Refusal = "aces-when-stuck"
	// ErrFrontAcesOnly refuses any card but an ace in column 0 (Паганини).
	ErrFrontAcesOnly engine.Refusal = "front-aces-only"
	// ErrGapBehindGap refuses a card in a gap that has another on its left (Паганини).
	ErrGapBehindGap engine.Refusal = "gap-behind-gap"
	// ErrAcesFirst refuses to redeal before all aces lie in column 0 (Паганини).
	ErrAcesFirst engine.Refusal = "all-aces-first"
	// ErrTurnedWaits refuses to draw or redeal while a turned card waits to be placed.
	ErrTurnedWaits engine.Refusal = "place-turned-first"
	// ErrNoStock refuses to draw in a patience without a stock.
	ErrNoStock engine.Refusal = "no-stock"
	// ErrStockEmpty refuses to draw from an empty stock.
	ErrStockEmpty engine.Refusal = "stock-empty"
	// ErrStockLeft refuses to redeal while the stock has cards.
	ErrStockLeft engine.Refusal = "stock-not-empty"
	// ErrNoPasses refuses to redeal when all passes have been made.
	ErrNoPasses engine.Refusal = "no-passes-left"
	// ErrNothingToGather refuses to redeal when there is no card to gather.
	ErrNothingToGather engine.Refusal = "nothing-to-gather"
)

// The names of the events (engine.Event.What). Seat is always the player; N is an index in Piles where that is said.
const (
	// EventDrawn: Card was turned up.
	EventDrawn = "drawn"
	// EventRound: N cards were dealt on packets.
	EventRound = "round"
	// EventLaid: Card went to pile N.
	EventLaid = "laid"
	// EventHome: Card went to foundation N.
	EventHome = "home"
	// EventFilled: Card, from a wall, filled the place N.
	EventFilled = "filled"
	// EventRedealt: N cards were gathered for the next pass.
	EventRedealt = "redealt"
	// EventSolved: the patience has come out.
	EventSolved = "solved"
	// EventNoMoves: nothing can be moved any more; N cards are on the foundations.
	EventNoMoves = "no-moves"
	// EventGaveUp: the player has given up; N cards are on the foundations.
	EventGaveUp = "gave-up"
)

// events are all of them, with what they mean to a table.
func events() []engine.EventInfo {
	return []engine.EventInfo{
		{Name: EventDrawn, Role: engine.EventTurnsUp}, {Name: EventRound}, {Name: EventLaid, Role: engine.EventArrives},
		{Name: EventHome, Role: engine.EventArrives}, {Name: EventFilled, Role: engine.EventArrives}, {Name: EventRedealt},
		{Name: EventSolved}, {Name: EventNoMoves}, {Name: EventGaveUp},
	}
}

// The remarks on a position (engine.View.Note).
const (
	// NotePlaceTurned: the turned card waits to be placed.
	NotePlaceTurned = "place-turned"
	// NoteMayDraw: nothing on the table can be moved, but the stock goes on.
	NoteMayDraw = "stuck-can-draw"
	// NoteMayRedeal: nothing on the table can be moved, but the cards may be gathered for another pass.
	NoteMayRedeal = "stuck-can-redeal"
	// NoteSolved: the patience has come out.
	NoteSolved = "solved"
	// NoteNoMoves: nothing can be moved any more.
	NoteNoMoves = "no-moves"
	// NoteGaveUp: the player has given up.
	NoteGaveUp = "gave-up"
)
