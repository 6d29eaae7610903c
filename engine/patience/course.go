package patience

import "zevaka/engine"

// course is what a deal keeps besides how its cards lie.
type course struct {
	shuffler engine.Shuffler
	epoch    int
	turn     [1]engine.Seat
	// events are what the newest move has caused.
	events []engine.Event
}

// maxEvents is more than any one move can cause: a card laid, a place filled and the end.
const maxEvents = 4

func newCourse(shuffler engine.Shuffler) course {
	return course{shuffler: shuffler, events: make([]engine.Event, 0, maxEvents)}
}

// Epoch rises at every move.
func (c *course) Epoch() int { return c.epoch }

// mover is seat 0, or nobody in a deal that has ended.
func (c *course) mover(end ending) []engine.Seat {
	if end != notOver {
		return nil
	}
	return c.turn[:]
}

// advance begins another move.
func (c *course) advance() {
	c.epoch++
	c.events = c.events[:0]
}

func (c *course) tell(what string, card engine.Card, n int) {
	c.events = append(c.events, engine.Event{What: what, To: engine.Nobody, Card: card, N: int32(n)})
}
