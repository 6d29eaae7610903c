package patience

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"zevaka/engine"
)

// sorter plays the patiences in which the player sorts the stock into piles. Cards go to the foundations and on the
// reserve as they can. Where to lay a turned card it finds out by playing the deal to its end by rule of thumb, many
// times, each time with the unseen cards in another order.
type sorter struct {
	// games is how many times it plays to the end before a move.
	games int
	// searches are how many games the attempts of Win play.
	searches []int
	// rated is in how many games in a hurry a deal is rated, and weighs how many games to the end those weigh before a card is laid.
	rated, weighs int
}

const (
	// tried is how many places it weighs against each other, the best by rule of thumb.
	tried = 6
	// winning is what a deal that comes out counts, in cards on the foundations.
	winning = 200
)

func (s sorter) move(t *table, skill float64, r *rand.Rand, been map[uint64]bool) engine.Move {
	var buffer, chosen [maxMoves]engine.Move
	moves := slices.DeleteFunc(t.sortings(buffer[:0]), func(m engine.Move) bool { return t.returns(m, been) })
	if len(moves) == 0 {
		return engine.Move{Verb: Quit}
	}
	choice := t.rivals(moves, chosen[:0])
	games := int(skill * float64(s.games))
	if len(choice) == 1 || games == 0 {
		return moves[0]
	}
	return contest{games: games, r: r}.decide(t, choice)
}

// sortings appends the moves that make sense, the best by rule of thumb first.
func (t *table) sortings(into []engine.Move) []engine.Move {
	var worths [maxMoves]int
	moves := t.moves(into)
	n := 0
	for _, m := range moves {
		if m.Verb == Put && t.changesNothing(m) {
			continue
		}
		worth, i := t.worth(m), n
		for ; i > 0 && worths[i-1] < worth; i-- {
			worths[i], moves[i] = worths[i-1], moves[i-1]
		}
		worths[i], moves[i] = worth, m
		n++
	}
	return moves[:n]
}

// rivals appends the moves to weigh against the first: where that brings a card to a foundation, the others of its
// rank that might go there; else the next best.
func (t *table) rivals(moves, into []engine.Move) []engine.Move {
	first := moves[0]
	if t.worth(first) < home {
		return append(into, moves[:min(tried, len(moves))]...)
	}
	into = append(into, first)
	rank := t.cardAt(int(first.From), t.place(first)).Rank()
	for _, m := range moves[1:] {
		if m.Verb == Put && m.From != into[len(into)-1].From && int(m.To) < t.plan.foundations &&
			t.cardAt(int(m.From), t.place(m)).Rank() == rank {
			into = append(into, m)
		}
	}
	return into
}

const (
	// home is the worth of a card on a foundation, extended that of one on the reserve.
	home     = 1000
	extended = 100
)

// worth is what a move is worth by rule of thumb.
func (t *table) worth(m engine.Move) int {
	switch {
	case m.Verb == Draw:
		return 0
	case m.Verb == Redeal:
		return -home
	case int(m.To) < t.plan.foundations:
		return home
	case t.plan.group[m.To].kind == "r":
		return extended
	}
	return t.sorted(int(m.From), int(m.To))
}

// sorted is what it is worth to lay a card on a pile: nothing lies better than on the next card above; an empty pile
// counts as one with the last card of all; and it is bad to cover cards that are needed earlier.
func (t *table) sorted(from, to int) int {
	place := t.inRun(t.top[from].card())
	if t.n[to] == 0 {
		return -4 * (12 - place)
	}
	if over := t.inRun(t.top[to].card()) - place; over >= 0 {
		return -5 * over
	}
	worth, last := -70, 0
	for card := t.top[to]; card != 0; card = t.under[card] {
		if last = max(last, t.inRun(card.card())); last >= place {
			break
		}
		worth -= 20 + 12*(place-last)
	}
	return worth
}

// inRun is a card's place in the run of its foundation, from 0.
func (t *table) inRun(c engine.Card) int {
	base := max(1, int(t.base))
	if base == engine.Ace {
		base = 1
	}
	if place := low(c) - base; place >= 0 {
		return place
	}
	return low(c) - base + 13
}

// contest finds the best of some moves by games played to the end.
type contest struct {
	games int
	r     *rand.Rand
}

// decide lets the better half of the moves through, again and again, until one is left. All moves of a round are tried
// on the same orders of the unseen cards.
func (c contest) decide(t *table, moves []engine.Move) engine.Move {
	var totals [maxMoves]int
	rounds := bits.Len(uint(len(moves) - 1))
	for len(moves) > 1 {
		for range max(1, c.games/rounds/len(moves)) {
			order := *t
			c.guess(&order)
			for i, m := range moves {
				end := order
				c.make(&end, m)
				totals[i] += c.playOut(&end)
			}
		}
		for i := range moves {
			for j := i; j > 0 && totals[j] > totals[j-1]; j-- {
				totals[j], totals[j-1] = totals[j-1], totals[j]
				moves[j], moves[j-1] = moves[j-1], moves[j]
			}
		}
		moves = moves[:(len(moves)+1)/2]
	}
	return moves[0]
}

// playOut plays to the end by rule of thumb, and returns what that is worth.
func (c contest) playOut(t *table) int {
	var buffer [maxMoves]engine.Move
	for {
		moves := t.moves(buffer[:0])
		if len(moves) == 0 {
			break
		}
		c.make(t, t.bestSorting(moves))
	}
	if t.score == packSize {
		return packSize + winning
	}
	return int(t.score)
}

// bestSorting is the move of the greatest worth.
func (t *table) bestSorting(moves []engine.Move) engine.Move {
	best, most := moves[0], math.MinInt
	for _, m := range moves {
		worth := t.worth(m)
		if worth > most {
			best, most = m, worth
		}
		if worth == home {
			break
		}
	}
	return best
}

func (c contest) make(t *table, m engine.Move) {
	switch m.Verb {
	case Draw:
		t.draw()
	case Put:
		t.put(int(m.From), t.place(m), int(m.To))
	case Redeal:
		var buffer [packSize]id
		cards := t.gather(buffer[:0])
		c.shuffle(cards)
		t.redeal(cards)
	}
}

func (c contest) shuffle(cards []id) {
	c.r.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
}

// guess brings the cards that haven't been seen into another order, which doesn't depend on their true one.
func (c contest) guess(t *table) {
	var others, taken [packSize]id
	unseen, lying := others[:0], taken[:0]
	for card := firstID; card < maxID; card++ {
		if t.unseen(card) {
			unseen = append(unseen, card)
		}
	}
	piles := t.n
	for pile := range t.plan.piles {
		for t.plan.group[pile].shows != allCards && t.n[pile] > 0 {
			lying = append(lying, t.pop(pile))
		}
	}
	c.shuffle(unseen)
	for pile := t.plan.piles - 1; pile >= 0; pile-- {
		for t.n[pile] < piles[pile] {
			card := lying[len(lying)-1]
			lying = lying[:len(lying)-1]
			if !t.isKnown(card) {
				card = unseen[len(unseen)-1]
				unseen = unseen[:len(unseen)-1]
			}
			t.push(pile, card)
		}
	}
}
