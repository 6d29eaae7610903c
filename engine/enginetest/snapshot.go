package enginetest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"zevaka/engine"
)

// snapshot is all that can be asked about a position.
type snapshot struct {
	// Views are those of Referee, Nobody, and each seat.
	Views  []engine.View
	Moves  []moveList
	Turn   []engine.Seat
	Epoch  int
	Result engine.Result
	Over   bool
	// Feats are those of each seat, if the State is a Chronicle.
	Feats [][]string
}

// capture asks all of it. Lists of moves may be long: they are read into scratch, which grows as needed.
func capture(st engine.State, seats int, scratch *[]engine.Move) snapshot {
	s := snapshot{Turn: slices.Clone(st.Turn()), Epoch: st.Epoch()}
	s.Result, s.Over = st.Result()
	for seat := engine.Referee; seat < engine.Seat(seats); seat++ {
		s.Views = append(s.Views, st.View(seat))
		*scratch = st.Moves(seat, (*scratch)[:0])
		s.Moves = append(s.Moves, newMoveList(*scratch))
	}
	if told, ok := st.(engine.Chronicle); ok {
		for seat := range engine.Seat(seats) {
			s.Feats = append(s.Feats, told.Feats(seat))
		}
	}
	return s
}

func (s snapshot) referee() engine.View { return s.Views[0] }

// legal are the moves of a seat, of Nobody and of Referee: there should be none of the last two.
func (s snapshot) legal(seat engine.Seat) moveList { return s.Moves[seat-engine.Referee] }

// check reports what contradicts itself in a position.
func (s snapshot) check(rules engine.Rules, luck *rand.Rand) error {
	if s.Over != (len(s.Turn) == 0) {
		return fmt.Errorf("over is %v and the turn %v", s.Over, s.Turn)
	}
	for i, moves := range s.Moves {
		seat := engine.Seat(i) + engine.Referee
		if slices.Contains(s.Turn, seat) != (len(moves) > 0) {
			return fmt.Errorf("turn %v, and seat %d may make the moves %v", s.Turn, seat, moves)
		}
		for _, m := range moves.some(luck) {
			text := rules.Text(m)
			if back, err := rules.Parse(text); err != nil || back != m {
				return fmt.Errorf("the legal move %+v is written %q and read as %+v, %v", m, text, back, err)
			}
		}
		for j, r := range moves {
			if slices.ContainsFunc(moves[:j], r.overlaps) {
				return fmt.Errorf("a legal move from %q on is listed twice", rules.Text(r.first))
			}
		}
	}
	for i, view := range s.Views {
		if err := s.checkView(rules, view, i == 0); err != nil {
			return fmt.Errorf("view of seat %d: %w", engine.Seat(i)+engine.Referee, err)
		}
	}
	if err := s.checkRoles(rules.Info()); err != nil {
		return err
	}
	for seat, feats := range s.Feats {
		for _, feat := range feats {
			if !s.Over || !slices.Contains(rules.Info().Feats, feat) {
				return fmt.Errorf("seat %d has done %q, over %t", seat, feat, s.Over)
			}
		}
	}
	return s.checkResult()
}

// checkView compares a view with the Referee's: the same piles, with cards face up only where they are what they seem.
func (s snapshot) checkView(rules engine.Rules, view engine.View, referee bool) error {
	if view.Over != s.Over || !slices.Equal(view.Turn, s.Turn) {
		return fmt.Errorf("over %v, turn %v; the state says %v, %v", view.Over, view.Turn, s.Over, s.Turn)
	}
	for _, m := range view.Offers {
		text := rules.Text(m)
		if back, err := rules.Parse(text); err != nil || back != m || len(text) > maxOffer {
			return fmt.Errorf("the offer %+v is written %q and read as %+v, %v", m, text, back, err)
		}
	}
	for _, try := range view.Tries {
		if try.Seat == s.Turn[0] || !slices.Contains(view.Offers, try.Move) {
			return fmt.Errorf("turn %v, offers %v, and seat %d may try %+v", s.Turn, view.Offers, try.Seat, try.Move)
		}
	}
	if view.Tries != nil && slices.ContainsFunc(s.Turn[1:], func(seat engine.Seat) bool {
		return !slices.ContainsFunc(view.Tries, func(try engine.Step) bool { return try.Seat == seat })
	}) {
		return fmt.Errorf("turn %v, and only %v may try something", s.Turn, view.Tries)
	}
	if view.Over && len(view.Offers) > 0 {
		return fmt.Errorf("offers %v after the end", view.Offers)
	}
	all := s.referee()
	if len(view.Piles) != len(all.Piles) {
		return fmt.Errorf("%d piles, not %d", len(view.Piles), len(all.Piles))
	}
	for i, pile := range view.Piles {
		want := all.Piles[i]
		if !samePlace(pile, want) || len(pile.Cards) != len(want.Cards) {
			return fmt.Errorf("pile %s with %d cards, not %s with %d", pile.Name, len(pile.Cards), want.Name, len(want.Cards))
		}
		for j, card := range pile.Cards {
			if card != 0 && card != want.Cards[j] {
				return fmt.Errorf("pile %s shows %s where %s lies", pile.Name, card, want.Cards[j])
			}
			if card != 0 && pile.Role == engine.PileStock && !referee {
				return fmt.Errorf("pile %s lies face down and shows %s", pile.Name, card)
			}
		}
	}
	if c := view.Chips; c != nil {
		sum := c.Bank
		for _, n := range c.Seats {
			sum += n
		}
		if sum != 0 {
			return fmt.Errorf("the chips add up to %d", sum)
		}
	}
	return nil
}

// samePlace reports whether two views mean the same pile.
func samePlace(a, b engine.Pile) bool {
	a.Cards, a.Next, b.Cards, b.Next = nil, nil, nil, nil
	return reflect.DeepEqual(a, b)
}

func (s snapshot) checkResult() error {
	if !s.Over {
		return nil
	}
	seats := len(s.Views) - 2
	if p := s.Result.Places; p != nil {
		sorted := slices.Clone(p)
		slices.Sort(sorted)
		for i, seat := range sorted {
			if int(seat) != i {
				return fmt.Errorf("places %v are not the %d seats", p, seats)
			}
		}
		if len(p) != seats {
			return fmt.Errorf("places %v are not the %d seats", p, seats)
		}
	}
	for _, tie := range s.Result.Ties {
		if len(tie) < 2 || !slices.IsSorted(tie) {
			return fmt.Errorf("tie %v", tie)
		}
	}
	if n, any := s.onFoundations(); any && s.Result.Patience != nil && s.Result.Patience.Score != n {
		return fmt.Errorf("score %d, and %d cards on the foundations", s.Result.Patience.Score, n)
	}
	if c := s.Result.Chips; c != nil {
		var sum int64
		for _, n := range c {
			sum += n
		}
		if sum != 0 || len(c) != seats {
			return fmt.Errorf("chips %v", c)
		}
	}
	return nil
}

// pack are all the cards of a position, as counts.
func (s snapshot) pack() [256]int {
	var counts [256]int
	for _, pile := range s.referee().Piles {
		for _, card := range pile.Cards {
			counts[card]++
		}
	}
	return counts
}

// wholePacks reports that the counts are one or more whole packs.
func wholePacks(counts [256]int) bool {
	for _, low := range []int{2, 6} {
		pack := engine.Pack(low)
		packs := counts[pack[len(pack)-1]]
		for _, card := range pack {
			if counts[card] != packs {
				packs = 0
			}
			counts[card] -= packs
		}
		if packs > 0 {
			return counts == [256]int{}
		}
	}
	return false
}
