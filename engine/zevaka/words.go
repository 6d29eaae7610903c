package zevaka

import "zevaka/engine"

// What a player may be told instead of a move. Each names a sentence in the catalogues of words.
const (
	// ErrPending refuses a flip while a flipped card waits to be placed.
	ErrPending engine.Refusal = "place-flipped-first"
	// ErrNothingFlipped refuses to keep when no card is flipped.
	ErrNothingFlipped engine.Refusal = "keep-needs-flipped"
	// ErrMustPlace refuses to keep a card again that was taken back to be placed.
	ErrMustPlace engine.Refusal = "must-place-fixed"
	// ErrOpenOff refuses the top of one's own open pile where the variant forbids it.
	ErrOpenOff engine.Refusal = "open-off"
	// ErrOpenLater refuses it while the stock lasts, where the variant forbids it as long.
	ErrOpenLater engine.Refusal = "open-later"
	// ErrNoOwnCard refuses a play when no card is flipped and one's own open pile is empty.
	ErrNoOwnCard engine.Refusal = "no-card-to-play"
	// ErrNoSeat refuses a seat that isn't at the table.
	ErrNoSeat engine.Refusal = "no-such-seat"
	// ErrOwnPile refuses to put a card on one's own open pile: a flipped one is kept there.
	ErrOwnPile engine.Refusal = "own-pile"
	// ErrSeatOut refuses to put a card on a player who is out.
	ErrSeatOut engine.Refusal = "seat-out"
	// ErrOthersOff refuses other players' piles while the stock lasts, where the variant forbids them.
	ErrOthersOff engine.Refusal = "others-off"
	// ErrEmptyPile refuses a player's open pile with no card to lay on.
	ErrEmptyPile engine.Refusal = "empty-pile"
	// ErrNoFit refuses a card that isn't the next rank above the top of that open pile.
	ErrNoFit engine.Refusal = "does-not-fit"
	// ErrCentreStart refuses any card but the six of spades in an empty centre, ErrCentreStart52 any but the two in a pack of 52.
	ErrCentreStart   engine.Refusal = "centre-needs-low-spade"
	ErrCentreStart52 engine.Refusal = "centre-needs-low-spade-52"
	// ErrCentreStartFree refuses any card but one of the lowest rank in an empty centre, where its suit is free.
	ErrCentreStartFree engine.Refusal = "centre-needs-low"
	// ErrCentreNoFit refuses a card that the centre doesn't take next.
	ErrCentreNoFit engine.Refusal = "does-not-fit-centre"
	// ErrYouAreOut refuses a move by a player who is out.
	ErrYouAreOut engine.Refusal = "you-are-out"
	// ErrNothingToFix refuses to take a card back when it fitted nowhere, or when the last turn was not one's own.
	ErrNothingToFix engine.Refusal = "nothing-to-fix"
	// ErrTooLateToFix refuses to take a card back after the next player's first move.
	ErrTooLateToFix engine.Refusal = "too-late-to-fix"
	// ErrNothingToTake refuses take when no mistake waits for it.
	ErrNothingToTake engine.Refusal = "nothing-to-take"
	// ErrNoClaim refuses a claim when there is no turn to judge.
	ErrNoClaim engine.Refusal = "no-claim-now"
	// ErrClaimEarly refuses a claim before the next player's first move.
	ErrClaimEarly engine.Refusal = "claim-too-early"
	// ErrOwnMistake refuses a claim against oneself.
	ErrOwnMistake engine.Refusal = "own-mistake"
	// ErrClaimed refuses a second claim about the same turn.
	ErrClaimed engine.Refusal = "claimed-already"
)

// FeatAwake names that a seat has overlooked nothing that it didn't put right (engine.Chronicle).
const FeatAwake = "awake"

// The names of the events (engine.Event.What), with the fields that count. Seat always does.
const (
	// EventFlipped: Seat turned up Card.
	EventFlipped = "flipped"
	// EventTurned: Seat turned over his open pile of N cards, before flipping.
	EventTurned = "turned"
	// EventPut: Seat laid Card on To's open pile.
	EventPut = "put"
	// EventCentre: Seat laid Card in the centre.
	EventCentre = "centre"
	// EventKept: Seat dropped Card on his own open pile.
	EventKept = "kept"
	// EventMissed: Seat has made a mistake, and To may take the turn (penalty=auto).
	EventMissed = "missed"
	// EventCouldPut: Seat has overlooked that Card could go on On, the top of To's open pile. It is told when that can't be
	// put right any more and is paid for.
	EventCouldPut = "could-put"
	// EventCouldCentre: the same of the centre.
	EventCouldCentre = "could-centre"
	// EventFixed: Seat took Card back and must place it.
	EventFixed = "fixed"
	// EventClaimedRight: Seat claimed a mistake of To's, and there was one.
	EventClaimedRight = "claimed-right"
	// EventClaimedWrong: Seat claimed a mistake of To's, and there was none.
	EventClaimedWrong = "claimed-wrong"
	// EventPenalty: Seat is given N cards; each follows as EventGiven.
	EventPenalty = "penalty"
	// EventGiven: Seat gave Card to To's open pile.
	EventGiven = "given"
	// EventOut: Seat has got rid of all his cards and is Nth.
	EventOut = "out"
	// EventGuard: the deal is stopped after N turns without a card to the centre; Seat is Nobody.
	EventGuard = "guard"
	// EventOver: the deal is over and Seat is the зевака, Nobody where several share the last place.
	EventOver = "over"
)

// events are all of them, with what they mean to a table.
func events() []engine.EventInfo {
	return []engine.EventInfo{
		{Name: EventFlipped, Role: engine.EventTurnsUp}, {Name: EventTurned}, {Name: EventPut}, {Name: EventCentre},
		{Name: EventKept}, {Name: EventMissed}, {Name: EventFixed},
		{Name: EventCouldPut, Role: engine.EventOverlooks}, {Name: EventCouldCentre, Role: engine.EventOverlooks},
		{Name: EventClaimedRight}, {Name: EventClaimedWrong}, {Name: EventPenalty},
		{Name: EventGiven, Role: engine.EventAdds}, {Name: EventOut, Role: engine.EventGoesOut},
		{Name: EventGuard, Role: engine.EventStops}, {Name: EventOver},
	}
}

// The remarks on a position (engine.View.Note).
const (
	// NoteMustPlace: the mover has taken the flipped card back and may not keep it.
	NoteMustPlace = "must-place"
	// NoteMissed: the last turn had a mistake and its player may take the card back; the next one may take the turn, and
	// then it is paid (penalty=auto).
	NoteMissed = "missed"
	// NoteMissedLate: the same, but for that no card can be taken back: the mistake was made with a card of the open pile.
	NoteMissedLate = "missed-late"
	// NoteMayFix: the last mover may still take his card back, if it fitted (penalty=call).
	NoteMayFix = "may-fix"
	// NoteMayClaim: a mistake of the last turn may be claimed (penalty=call).
	NoteMayClaim = "may-claim"
)

// What the mover is to do (engine.View.Task).
const (
	// TaskFlip: to flip a card.
	TaskFlip = "flip"
	// TaskFlipOrPlay: to flip a card, or to play the top of one's own open pile.
	TaskFlipOrPlay = "flip-or-play"
	// TaskPlace: to lay the flipped card somewhere, or to keep it, which ends the turn.
	TaskPlace = "place"
	// TaskPlaceBack: to lay the card somewhere that was taken back.
	TaskPlaceBack = "place-back"
	// TaskTake: to take the turn, which makes the last one's mistake final (penalty=auto).
	TaskTake = "take"
)
