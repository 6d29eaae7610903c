package live

import (
	"slices"

	"zevaka/engine"
)

// Made is a move that was made, as somebody saw it.
type Made struct {
	// N numbers the moves of the table, from 1.
	N int
	engine.Step
	// Computer says that the computer has moved.
	Computer bool
	// Events tell what happened; they don't change any more.
	Events []engine.Event
	// Before and After are what the seat Eyes saw, engine.Nobody for who only looks on.
	Before, After engine.View
	Eyes          engine.Seat
}

// Step is the move as the scene has it, in the viewer's language.
func (s Sight) Step(m Made) Step {
	k := &sketch{of: s, t: s.Table, lang: s.Lang, info: s.Rules.Info(), view: m.After}
	step := Step{N: m.N, Seat: int(m.Seat), Computer: m.Computer, Moved: moved(m.Before.Piles, m.After.Piles)}
	if v := int(m.Move.Verb) - 1; v >= 0 && v < len(k.info.Verbs) {
		step.Do = k.info.Verbs[v].Name
	}
	var named *engine.View
	if k.info.ForOne() {
		named = &m.After
	}
	step.Said = s.Lines(m.Events, named)
	for _, e := range m.Events {
		if k.info.Banker && e.Card != 0 && e.To != engine.Nobody {
			step.Turned = e.Card.String()
		}
		if k.info.EventRole(e.What) != engine.EventOverlooks {
			continue
		}
		could := Could{Card: e.Card.String(), Seat: int(e.To)}
		if e.On != 0 {
			could.On = e.On.String()
		}
		step.Could = append(step.Could, could)
	}
	for i, after := range m.After.Piles {
		if i < len(m.Before.Piles) && slices.Equal(m.Before.Piles[i].Cards, after.Cards) && slices.Equal(m.Before.Piles[i].Next, after.Next) {
			continue
		}
		if step.Piles == nil {
			step.Piles = map[int]Pile{}
		}
		step.Piles[i] = k.pile(m.After, i)
	}
	return step
}

// moved is what went from the top of which pile to the top of which other, as far as the piles tell: from where what is more
// than before can have come. A pile as high as before has neither given nor got anything.
func moved(before, after []engine.Pile) []Moved {
	if len(before) != len(after) {
		return nil
	}
	gone := make([]int, len(before)) // how many cards a pile has given that nobody has got yet
	for i := range before {
		gone[i] = len(before[i].Cards) - len(after[i].Cards)
	}
	var all []Moved
	for to := range after {
		got := -gone[to]
		if got <= 0 {
			continue
		}
		fresh := after[to].Cards[len(after[to].Cards)-got:]
		for len(fresh) > 0 {
			from, n := source(before, gone, fresh)
			if n == 0 {
				break
			}
			all = append(all, Moved{From: from, To: to, Cards: cards(fresh[:n])})
			gone[from] -= n
			fresh = fresh[n:]
		}
	}
	return all
}

// source is which pile the first of the new cards have come from, and how many of them; none if that can't be told. A pile
// that had one of them on its top comes before one whose cards nobody saw.
func source(before []engine.Pile, gone []int, fresh []engine.Card) (from, n int) {
	for i, left := range gone {
		if left <= 0 {
			continue
		}
		given := before[i].Cards[len(before[i].Cards)-left:]
		if same := slices.Contains(given, fresh[0]) && fresh[0] != 0; same {
			return i, min(left, len(fresh))
		}
		if n == 0 && given[len(given)-1] == 0 {
			from, n = i, min(left, len(fresh))
		}
	}
	return from, n
}
