package enginetest

import (
	"fmt"

	"zevaka/engine"
)

// checkVerbs checks that a game has the verbs that every game of its family has.
func checkVerbs(info engine.Info) error {
	n := map[engine.VerbRole]int{}
	for _, verb := range info.Verbs {
		n[verb.Role]++
		if verb.Role > engine.VerbLeaves || verb.Role != engine.VerbPlays && verb.Aim != engine.AimNone {
			return fmt.Errorf("verb %s has role %d and aim %d", verb.Name, verb.Role, verb.Aim)
		}
	}
	once := map[bool]int{true: 1}
	if quits := n[engine.VerbQuits]; quits != once[info.MaxSeats == 1] {
		return fmt.Errorf("a game for %d has %d verbs that quit", info.MaxSeats, quits)
	}
	if leaves := n[engine.VerbLeaves]; leaves != once[info.Banker] {
		return fmt.Errorf("a game with a banker (%v) has %d verbs that leave", info.Banker, leaves)
	}
	return nil
}

// checkRoles checks that each pile of a position has the role that it seems to have, and lies in one place.
func (s snapshot) checkRoles(info engine.Info) error {
	roles := map[string]engine.PileRole{}
	taken := map[[2]int16]string{}
	for i, pile := range s.referee().Piles {
		if was, known := roles[pile.Kind]; pile.Role == 0 || pile.Role > engine.PileCapture || known && was != pile.Role {
			return fmt.Errorf("pile %s has role %d, and one of its kind %d", pile.Name, pile.Role, was)
		}
		roles[pile.Kind] = pile.Role
		if pile.Role == engine.PileHand && !info.Hands {
			return fmt.Errorf("pile %s is a hand in a game without", pile.Name)
		}
		single := pile.Role == engine.PileTurned || pile.Role == engine.PileCell
		owned := pile.Role == engine.PileHand || pile.Role == engine.PileCapture
		if single && len(pile.Cards) > 1 || owned && pile.Seat < 0 {
			return fmt.Errorf("pile %s of seat %d with role %d has %d cards", pile.Name, pile.Seat, pile.Role, len(pile.Cards))
		}
		if pile.Row == 0 {
			if pile.Column != 0 || pile.Role == engine.PileCell {
				return fmt.Errorf("pile %s with role %d lies in column %d of no row", pile.Name, pile.Role, pile.Column)
			}
			continue
		}
		place := [2]int16{pile.Row, pile.Column}
		if taken[place] != "" || pile.Row < 0 || pile.Column < 0 {
			return fmt.Errorf("pile %s lies at %d as pile %s does", pile.Name, place, taken[place])
		}
		taken[place] = pile.Name
		before := s.referee().Piles[max(i-1, 0)]
		if pile.Role == engine.PileCell && pile.Column > 0 && (before.Row != pile.Row || before.Column != pile.Column-1) {
			return fmt.Errorf("cell %s follows pile %s", pile.Name, before.Name)
		}
	}
	for place, name := range taken {
		if place[1] > 0 && taken[[2]int16{place[0], place[1] - 1}] == "" || place[0] > 1 && taken[[2]int16{place[0] - 1, 0}] == "" {
			return fmt.Errorf("nothing lies before pile %s, at %d", name, place)
		}
	}
	return nil
}

// checkEvents checks that what a move in the state caused is what the roles of its events say.
func (g *game) checkEvents(st engine.State, events []engine.Event) error {
	info := g.rules.Info()
	for i, event := range events {
		role := info.EventRole(event.What)
		switch {
		case !declared(info, event.What):
			return fmt.Errorf("%+v is not among the events of the game", event)
		case role == engine.EventAdds && i == 0:
			return fmt.Errorf("%+v adds to nothing", event)
		case role == engine.EventLists && (event.Seat < 0 || event.Card == 0):
			return fmt.Errorf("%+v lists no card", event)
		case role == engine.EventArrives && !arrived(st, int(event.N), event.Card):
			return fmt.Errorf("%+v, and the card lies elsewhere", event)
		case role == engine.EventTurnsUp && !turnedUp(st, event.Card):
			return fmt.Errorf("%+v, and the card is not turned up", event)
		case role == engine.EventStops && (len(st.Turn()) > 0 || event.Seat != engine.Nobody):
			return fmt.Errorf("%+v, and the deal goes on, or it is somebody's", event)
		case role == engine.EventOverlooks && (event.Seat < 0 || event.Card == 0 || (event.To == engine.Nobody) != (event.On == 0)):
			return fmt.Errorf("%+v doesn't say what was overlooked", event)
		case role == engine.EventGoesOut && (event.Seat < 0 || g.out[event.Seat]):
			return fmt.Errorf("%+v, for the second time", event)
		case role == engine.EventGoesOut:
			g.out[event.Seat] = true
		}
	}
	for seat := range g.out {
		if legal := g.legal(st, seat); len(legal) > 0 {
			return fmt.Errorf("seat %d is out, and may %v", seat, legal)
		}
	}
	return nil
}

func declared(info engine.Info, what string) bool {
	for _, event := range info.Events {
		if event.Name == what {
			return true
		}
	}
	return false
}

// arrived reports whether the card lies uppermost on the pile of that index.
func arrived(st engine.State, index int, card engine.Card) bool {
	piles := st.View(engine.Referee).Piles
	return index >= 0 && index < len(piles) && isTop(piles[index], card)
}

// turnedUp reports whether the card lies on the pile for it.
func turnedUp(st engine.State, card engine.Card) bool {
	for _, pile := range st.View(engine.Referee).Piles {
		if pile.Role == engine.PileTurned && isTop(pile, card) {
			return true
		}
	}
	return false
}

func isTop(pile engine.Pile, card engine.Card) bool {
	top := len(pile.Cards) - 1
	return top >= 0 && pile.Cards[top] == card
}

// checkKept checks that no move has taken a card from a foundation.
func (g *game) checkKept(st engine.State) error {
	for _, pile := range st.View(engine.Referee).Piles {
		if pile.Role != engine.PileFoundation {
			continue
		}
		if n := g.kept[pile.Name]; len(pile.Cards) < n {
			return fmt.Errorf("pile %s had %d cards and has %d", pile.Name, n, len(pile.Cards))
		}
		g.kept[pile.Name] = len(pile.Cards)
	}
	return nil
}

// onFoundations is how many cards lie on foundations, and false where there are none.
func (s snapshot) onFoundations() (n int, any bool) {
	for _, pile := range s.referee().Piles {
		if pile.Role == engine.PileFoundation {
			n, any = n+len(pile.Cards), true
		}
	}
	return n, any
}

// checkRoleMoves makes the moves whose verb or pile has a role that tells what comes of them: each in a position of
// its own after n moves.
func (g *game) checkRoleMoves(n int) {
	info, s := g.rules.Info(), g.samples[n]
	for _, seat := range s.Turn {
		quit, leave := engine.Move{Verb: info.VerbOf(engine.VerbQuits)}, engine.Move{Verb: info.VerbOf(engine.VerbLeaves)}
		if quit.Verb != 0 {
			g.checkQuits(n, engine.Step{Seat: seat, Move: quit})
		}
		if leave.Verb != 0 && s.legal(seat).contains(leave) {
			g.checkLeaves(n, engine.Step{Seat: seat, Move: leave})
		}
		for _, r := range s.legal(seat) {
			if g.goesAsOne(s, r.first) {
				g.checkAsOne(n, engine.Step{Seat: seat, Move: r.first})
			}
		}
	}
}

// checkQuits checks that a deal for one can be given up, and is over then.
func (g *game) checkQuits(n int, step engine.Step) {
	st := g.at(n)
	_, err := st.Apply(step)
	result, over := st.Result()
	if err != nil || !over || result.Patience == nil || result.Patience.Solved {
		g.Errorf("after %d moves quitting gives %v, %+v, %v", n, err, result, over)
	}
}

// checkLeaves checks that whoever may leave is offered it, and is out then.
func (g *game) checkLeaves(n int, step engine.Step) {
	st := g.at(n)
	offered := false
	for _, m := range st.View(step.Seat).Offers {
		offered = offered || m == step.Move
	}
	outcome, err := st.Apply(step)
	out := 0
	for _, event := range outcome.Events {
		if g.rules.Info().EventRole(event.What) == engine.EventGoesOut && event.Seat == step.Seat {
			out++
		}
	}
	if err != nil || !offered || out != 1 {
		g.Errorf("after %d moves seat %d leaves: offered %v, out %d times, %v", n, step.Seat, offered, out, err)
	}
}

// goesAsOne reports whether the move takes the uppermost card to a foundation from a pile that may go there as one.
func (g *game) goesAsOne(s snapshot, m engine.Move) bool {
	piles := s.referee().Piles
	return g.rules.Info().Verbs[m.Verb-1].Aim == engine.AimPiles && m.N == 0 && piles[m.From].AsOne &&
		piles[m.To].Role == engine.PileFoundation
}

// checkAsOne checks that all cards of the pile go, one after the other.
func (g *game) checkAsOne(n int, step engine.Step) {
	st := g.at(n)
	for range g.samples[n].referee().Piles[step.Move.From].Cards {
		if _, err := st.Apply(step); err != nil {
			g.Errorf("after %d moves not the whole pile goes with %s: %v", n, engine.StepText(g.rules, step), err)
			return
		}
	}
}
