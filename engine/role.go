package engine

// Roles say what a table must know of verbs, piles and events, whatever a game calls them: no table knows a game, or
// anything of one, by its name. The package enginetest holds every game to what is promised here.

// VerbRole is what a verb does beside changing the position.
type VerbRole uint8

const (
	// VerbPlays does nothing beside that.
	VerbPlays VerbRole = iota
	// VerbDeals deals cards from the stock, or gathers cards to be dealt again: players make such a move at the stock, where
	// the game has one. Its Aim is AimNone.
	VerbDeals
	// VerbQuits ends the deal as it lies. Every game for one has one such verb, with AimNone, which is legal until the
	// deal is over; no other game has any.
	VerbQuits
	// VerbLeaves throws the mover's hand in: the seat goes out (EventGoesOut), and the deal goes on without it. Every game
	// with a banker has one such verb, with AimNone; no other game has any. It is among the seat's own Offers whenever
	// it is legal.
	VerbLeaves
)

// PileRole is what a pile is for. Every pile has one.
type PileRole uint8

const (
	// PileStock lies face down, and nobody may look into it: cards are drawn from it.
	PileStock PileRole = 1 + iota
	// PileTurned has at most one card: one turned up that waits until it is played. Its Seat is whoever it waits for, Nobody
	// in a game for one.
	PileTurned
	// PileWaste has the cards laid aside. What its own player, or the stock, lays there need not fit.
	PileWaste
	// PileFoundation is where cards go for good. In a game for one that has any, the score is how many lie there.
	PileFoundation
	// PileTableau lies on the table to be played with.
	PileTableau
	// PileReserve was laid out in the deal, to be played from its top.
	PileReserve
	// PileCell has room for one card, at a Row and Column of a field. The cells of a field follow each other in
	// View.Piles, row by row, and in each row from column 0 on.
	PileCell
	// PileHand has the cards that its Seat holds.
	PileHand
	// PileCapture has the cards that its Seat has won.
	PileCapture
)

// EventInfo is what a table must know to tell an event.
type EventInfo struct {
	// Name is Event.What. Events of one name are told in the same words, whatever the game.
	Name string
	Role EventRole
}

// EventRole is what an event means to a table beside its words.
type EventRole uint8

const (
	// EventHappens is told, and no more.
	EventHappens EventRole = iota
	// EventAdds adds to the event before it, which the same move has caused, and is told with it.
	EventAdds
	// EventLists says that Card is one of several of Seat's. Such events that follow each other, of one name and one seat,
	// are told as one.
	EventLists
	// EventArrives says that Card now lies uppermost on pile N of View.Piles.
	EventArrives
	// EventTurnsUp says that Card now lies on the pile with the role PileTurned.
	EventTurnsUp
	// EventGoesOut says that Seat has nothing more to do in the deal. It happens to a seat once at most.
	EventGoesOut
	// EventStops says why the deal was stopped before its end: it is over. Seat is Nobody.
	EventStops
	// EventOverlooks says that Seat could have laid Card elsewhere: on On of To's, or on a foundation where To is Nobody.
	EventOverlooks
)

// VerbOf is the game's first verb with that role; zero if it has none.
func (i Info) VerbOf(role VerbRole) Verb {
	for v, verb := range i.Verbs {
		if verb.Role == role {
			return Verb(v + 1)
		}
	}
	return 0
}

// EventRole is the role of the event of that name: EventHappens for one that the game doesn't tell, as a table's own.
func (i Info) EventRole(name string) EventRole {
	for _, event := range i.Events {
		if event.Name == name {
			return event.Role
		}
	}
	return EventHappens
}
