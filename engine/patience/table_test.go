package patience

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// A position is written as it lies on the table, every pile bottom first, those left out empty:
//
//	f1 3S 4H
//	r1 KD 5C
//	w2 9H
//	turned 7D
//	stock 2S JC
//	pass 2
//
// A deal that is over ends in "over solved", "over no-moves" or "over gave-up".

type play = enginetest.Play

// position is how positions are laid and drawn.
func position(rules engine.Rules) enginetest.Table[engine.State] {
	return enginetest.Table[engine.State]{
		Rules: rules,
		Lay: func(t *testing.T, options, text string) engine.State {
			if rules, ok := rules.(Rules); ok {
				return lay(t, rules, options, text)
			}
			return layCells(t, options, text)
		},
		Draw: draw,
	}
}

// lay puts the cards on the table.
func lay(t *testing.T, rules Rules, options, text string) *state {
	t.Helper()
	p := newPlan(rules.declare().lay(enginetest.Options(t, rules, options)))
	st := &state{table: table{plan: p}, course: newCourse(enginetest.Unshuffled{})}
	used := map[engine.Card]bool{}
	for _, line := range strings.Split(enginetest.Tidy(text), "\n") {
		words := strings.Fields(line)
		if words[0] == "pass" {
			st.pass = words[1][0] - '1'
			continue
		}
		pile, ok := pileIndex(p.groups, words[0])
		if !ok {
			t.Fatalf("there is no pile %s", words[0])
		}
		for _, c := range enginetest.ParseCards(t, strings.Join(words[1:], " ")) {
			copied := id(c)
			if used[c] {
				copied |= secondCopy
			}
			used[c] = true
			st.push(pile, copied)
			if p.group[pile].shows == allCards {
				st.look(pile)
			}
			if pile < p.foundations {
				st.score++
				if pile == 0 && st.n[0] == 1 {
					st.base = uint8(c.Rank())
				}
			}
		}
	}
	for i := range p.piles {
		st.want(i)
		st.look(i)
	}
	st.finish()
	return st
}

// stacked is a shuffler that puts some cards in certain places, and the others in the order of two packs.
type stacked map[int]string

func (s stacked) Shuffle(cards []engine.Card) {
	for place, text := range s {
		for _, word := range strings.Fields(text) {
			for i := range cards {
				if cards[i].String() == word && !s.holds(i, place) {
					cards[place], cards[i] = cards[i], cards[place]
					break
				}
			}
			place++
		}
	}
}

// holds reports that a place before the one given is stacked.
func (s stacked) holds(at, before int) bool {
	for place, text := range s {
		if at >= place && at < place+len(strings.Fields(text)) && at < before {
			return true
		}
	}
	return false
}

// dealt is the position after the deal.
func dealt(t testing.TB, rules engine.Rules, options string, shuffler engine.Shuffler) engine.State {
	t.Helper()
	return enginetest.Deal(t, rules, engine.Setup{Seats: 1, Options: enginetest.Options(t, rules, options)}, shuffler)
}

// numbered is a numbered deal.
func numbered(t testing.TB, rules engine.Rules, options string, n int64) engine.State {
	t.Helper()
	return dealt(t, rules, options, engine.NewShuffler(engine.NumberedSeed(rules.Info().Name, n), ""))
}

// draw writes a position.
func draw(st engine.State) string {
	var lines []string
	view := st.View(engine.Referee)
	for _, pile := range view.Piles {
		if len(pile.Cards) > 0 {
			lines = append(lines, pile.Name+" "+enginetest.Cards(pile.Cards))
		}
	}
	if st, ok := st.(*state); ok && st.pass > 0 {
		lines = append(lines, fmt.Sprintf("pass %d", st.pass+1))
	}
	if view.Over {
		lines = append(lines, "over "+view.Note)
	}
	return strings.Join(lines, "\n")
}

// pile is one pile of a position, in words.
func pile(st engine.State, name string) string {
	for _, pile := range st.View(engine.Referee).Piles {
		if pile.Name == name {
			return enginetest.Cards(pile.Cards)
		}
	}
	return "no pile"
}

// layCells puts the cards named into their cells, as "g1.0 AS", leaves those named without a card empty, and fills the
// others with the rest of the two packs.
func layCells(t *testing.T, options, text string) *paganini {
	t.Helper()
	st := dealt(t, Paganini{}, options, enginetest.Unshuffled{}).(*paganini)
	st.at = [cells]id{}
	named := map[int]bool{}
	rest := twoPacks()
	used := map[engine.Card]bool{}
	set := func(cell int, c engine.Card) {
		copied := id(c)
		if used[c] {
			copied |= secondCopy
		}
		used[c] = true
		st.place(copied, cell)
	}
	empty := 0
	for _, line := range strings.Split(enginetest.Tidy(text), "\n") {
		words := strings.Fields(line)
		cell, ok := cellIndex(words[0])
		if !ok {
			t.Fatalf("there is no cell %s", words[0])
		}
		for i, word := range words[1:] {
			named[cell+i] = true
			if word == "--" {
				st.empty[empty] = uint8(cell + i)
				empty++
				continue
			}
			c := enginetest.ParseCards(t, word)[0]
			set(cell+i, c)
			at := slices.Index(rest, c)
			rest = slices.Delete(rest, at, at+1)
		}
	}
	if empty != rows {
		t.Fatalf("%d cells are empty", empty)
	}
	for cell := range cells {
		if !named[cell] {
			set(cell, rest[0])
			rest = rest[1:]
		}
	}
	for row := range rows {
		if st.at[row*columns] != 0 {
			st.out++
		}
		st.count(row)
	}
	st.finish()
	return st
}
