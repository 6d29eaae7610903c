package patience

import "zevaka/engine"

// The field of Большой Паганини: eight rows of column 0, where the aces go, and thirteen more.
const (
	rows    = 8
	columns = 14
	cells   = rows * columns
)

// gaps is how the cards of a deal of Паганини lie. It holds no pointers: an assignment copies it.
type gaps struct {
	at [cells]id
	// cell is where each card lies.
	cell [maxID]uint8
	// empty are the eight empty cells, in no order.
	empty [rows]uint8
	// run is how many cards of each row follow each other in suit from an ace in column 0.
	run [rows]uint8
	// out is how many aces lie in column 0.
	out uint8
	// reshuffles is how many are left.
	reshuffles uint8
	// acesLast says that an ace moves only when nothing else can.
	acesLast bool
	end      ending
}

// newGaps lays out a shuffled pack (RECORDS.md, Exactly 22).
func newGaps(pack []engine.Card) gaps {
	var g gaps
	var seen set
	for i, card := range pack {
		copied := id(card)
		if seen.has(card) {
			copied |= secondCopy
		}
		seen |= 1 << card
		g.place(copied, i/13*columns+i%13+1)
	}
	for row := range rows {
		g.empty[row] = uint8(row * columns)
	}
	return g
}

func (g *gaps) place(card id, cell int) {
	g.at[cell] = card
	g.cell[card] = uint8(cell)
}

// awaited is the card that belongs into a gap behind column 0: the next above its left neighbour in suit; zero when
// the neighbour is a king or a gap.
func (g *gaps) awaited(gap int) engine.Card {
	left := g.at[gap-1].card()
	if left == 0 || left.Rank() == engine.King {
		return 0
	}
	return engine.NewCard(above(left.Rank()), left.Suit())
}

// moves are the legal moves but quit.
func (g *gaps) moves(into []engine.Move) []engine.Move {
	into = g.puts(into)
	if g.mayRedeal() {
		into = append(into, engine.Move{Verb: Redeal})
	}
	return into
}

// puts appends the legal puts: those that fill gaps, then those of aces.
func (g *gaps) puts(into []engine.Move) []engine.Move {
	before := len(into)
	for _, gap := range g.empty {
		if gap%columns == 0 {
			continue
		}
		if card := g.awaited(int(gap)); card != 0 {
			into = append(into,
				engine.Move{Verb: Put, From: int16(g.cell[id(card)]), To: int16(gap)},
				engine.Move{Verb: Put, From: int16(g.cell[id(card)|secondCopy]), To: int16(gap)})
		}
	}
	if g.out == rows || g.acesLast && len(into) > before {
		return into
	}
	for _, gap := range g.empty {
		if gap%columns != 0 {
			continue
		}
		for suit := engine.Spades; suit <= engine.Hearts; suit++ {
			ace := id(engine.NewCard(engine.Ace, suit))
			for _, from := range []uint8{g.cell[ace], g.cell[ace|secondCopy]} {
				if from%columns != 0 {
					into = append(into, engine.Move{Verb: Put, From: int16(from), To: int16(gap)})
				}
			}
		}
	}
	return into
}

// put moves a card into an empty cell.
func (g *gaps) put(from, to int) {
	card := g.at[from]
	g.at[from] = 0
	g.place(card, to)
	for i := range g.empty {
		if int(g.empty[i]) == to {
			g.empty[i] = uint8(from)
		}
	}
	if to%columns == 0 {
		g.out++
	}
	g.count(from / columns)
	g.count(to / columns)
}

// count finds a row's run.
func (g *gaps) count(row int) {
	line := g.at[row*columns : (row+1)*columns]
	n := 0
	if line[0] != 0 {
		n = 1
		for next := line[0].card() - engine.NewCard(engine.Ace, 0) + engine.NewCard(2, 0); n < 13 && line[n].card() == next; n++ {
			next += 4
		}
	}
	g.run[row] = uint8(n)
}

// score is how many cards lie in the runs.
func (g *gaps) score() int {
	n := 0
	for _, run := range g.run {
		n += int(run)
	}
	return n
}

func (g *gaps) mayRedeal() bool { return g.reshuffles > 0 && g.out == rows && g.score() < packSize }

// gather takes up the cards that stand in no run, row by row.
func (g *gaps) gather(list []engine.Card) []engine.Card {
	for row := range rows {
		for cell := row*columns + int(g.run[row]); cell < (row+1)*columns; cell++ {
			if g.at[cell] != 0 {
				list = append(list, g.at[cell].card())
				g.at[cell] = 0
			}
		}
	}
	return list
}

// lay makes a redeal of the gathered cards: a gap behind each run, then the cards (RECORDS.md, Exactly 23).
func (g *gaps) lay(list []engine.Card) {
	var there set
	for _, card := range g.at {
		if card != 0 && card&secondCopy == 0 {
			there |= 1 << card.card()
		}
	}
	for row := range rows {
		gap := row*columns + int(g.run[row])
		g.empty[row] = uint8(gap)
		for cell := gap + 1; cell < (row+1)*columns; cell++ {
			card := id(list[0])
			if there.has(list[0]) {
				card |= secondCopy
			}
			there |= 1 << list[0]
			g.place(card, cell)
			list = list[1:]
		}
		g.count(row)
	}
	g.reshuffles--
}

// finish finds out whether the deal is over.
func (g *gaps) finish() {
	var some [maxMoves]engine.Move
	switch {
	case g.score() == packSize:
		g.end = solved
	case len(g.moves(some[:0])) == 0:
		g.end = noMoves
	}
}

// judge returns the move as it goes into the log, or why it isn't legal.
func (g *gaps) judge(step engine.Step) (engine.Move, error) {
	m := step.Move
	if err := g.end.check(step); err != nil {
		return m, err
	}
	switch m.Verb {
	case Draw:
		return m, ErrNoStock
	case Redeal:
		switch {
		case g.reshuffles == 0:
			return m, ErrNoPasses
		case g.out < rows:
			return m, ErrAcesFirst
		}
		return m, nil
	case Put:
		return g.judgePut(m)
	}
	return m, nil
}

// judgePut judges a put, and writes one that names the place of a cell's only card without it.
func (g *gaps) judgePut(m engine.Move) (engine.Move, error) {
	from, to := int(m.From), int(m.To)
	switch {
	case from < 0 || from >= cells || to < 0 || to >= cells:
		return m, ErrNoPile
	case from == to:
		return m, ErrSamePile
	case m.N < 0 || m.N > 1 || g.at[from] == 0:
		return m, ErrNoCard
	case g.at[to] != 0:
		return m, ErrCellTaken
	}
	m.N = 0
	if g.at[from].card().Rank() == engine.Ace {
		return m, g.judgeAce(from, to)
	}
	switch {
	case to%columns == 0:
		return m, ErrFrontAcesOnly
	case g.at[to-1] == 0:
		return m, ErrGapBehindGap
	case g.awaited(to) == 0:
		return m, ErrOnKing
	case g.awaited(to) != g.at[from].card():
		return m, ErrNotNextInSuit
	}
	return m, nil
}

func (g *gaps) judgeAce(from, to int) error {
	switch {
	case from%columns == 0:
		return ErrAceStays
	case to%columns != 0:
		return ErrAceToFront
	case g.acesLast && g.fillable():
		return ErrAcesWhenStuck
	}
	return nil
}

// fillable reports that some gap behind column 0 can be filled.
func (g *gaps) fillable() bool {
	for _, gap := range g.empty {
		if gap%columns != 0 && g.awaited(int(gap)) != 0 {
			return true
		}
	}
	return false
}
