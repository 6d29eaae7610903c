package patience

import (
	"strconv"
	"strings"

	"zevaka/engine"
)

// Paganini are the rules of Большой Паганини (RULES.md, section 9).
type Paganini struct{}

// Info tells what the patience needs and knows.
func (Paganini) Info() engine.Info {
	return engine.Info{
		Name: "paganini", MinSeats: 1, MaxSeats: 1, Rev: 1, Verbs: verbs(), Events: events(),
		Options: []engine.Option{
			{Name: "reshuffles", Values: []string{"0", "1", "2"}},
			{Name: "aces", Values: []string{"any", "stuck"}},
		},
		Sets: []engine.Set{{
			Names:   []string{"облегчённый", "облегченный", "light", "łatwiejszy", "latwiejszy"},
			Options: map[string]string{"reshuffles": "2"},
		}},
	}
}

// Deal shuffles and deals. The error is ErrSeats or ErrOption.
func (p Paganini) Deal(setup engine.Setup, shuffler engine.Shuffler) (engine.State, error) {
	options, err := p.Info().Accept(setup)
	if err != nil {
		return nil, err
	}
	pack := twoPacks()
	shuffler.Shuffle(pack)
	st := &paganini{
		gaps:   newGaps(pack),
		course: newCourse(shuffler),
		width:  paganiniWidth,
		depth:  paganiniDepth,
	}
	st.reshuffles = options["reshuffles"][0] - '0'
	st.acesLast = options["aces"] == "stuck"
	st.finish()
	return st, nil
}

// Parse reads a move, as "put g2.4 g1.0". Anything else is ErrMoveText.
func (Paganini) Parse(text string) (engine.Move, error) {
	if verb := plainVerb(text); verb != 0 {
		return engine.Move{Verb: verb}, nil
	}
	from, at, to, ok := cutPut(text)
	a, okA := cellIndex(from)
	b, okB := cellIndex(to)
	if !ok || !okA || !okB {
		return engine.Move{}, engine.ErrMoveText
	}
	return engine.Move{Verb: Put, From: int16(a), To: int16(b), N: at}, nil
}

// Text writes a move as Parse reads it; "" for what is no move.
func (Paganini) Text(m engine.Move) string {
	if m.Verb != Put {
		return plainText(m)
	}
	return putText(cellName(int(m.From)), m.N, cellName(int(m.To)))
}

// Next reports false: each deal stands by itself.
func (Paganini) Next(setup engine.Setup, _ engine.Result, _ []engine.Standing) (engine.Setup, bool) {
	return setup, false
}

// cellName is the name of a cell, as g1.13; "" for none.
func cellName(cell int) string {
	if cell < 0 || cell >= cells {
		return ""
	}
	return "g" + strconv.Itoa(cell/columns+1) + "." + strconv.Itoa(cell%columns)
}

// cellIndex finds a cell by its name, and reports whether there is one.
func cellIndex(name string) (int, bool) {
	row, column, _ := strings.Cut(name, ".")
	if len(row) != 2 || row[0] != 'g' {
		return 0, false
	}
	r, okR := digits(row[1:])
	c, okC := digits(column)
	if !okR || !okC || r < 1 || r > rows || c >= columns {
		return 0, false
	}
	return (r-1)*columns + c, true
}

// paganini is one deal.
type paganini struct {
	gaps
	course
	// width and depth are how far the computer player looks, way is the way that it has found.
	width, depth int
	way          way
}

// Turn is seat 0 until the deal is over.
func (st *paganini) Turn() []engine.Seat { return st.mover(st.end) }

// Moves appends the legal moves: the puts, a redeal, and quit.
func (st *paganini) Moves(s engine.Seat, into []engine.Move) []engine.Move {
	if s != 0 || st.end != notOver {
		return into
	}
	return append(st.moves(into), engine.Move{Verb: Quit})
}

// Apply makes a move or refuses it.
func (st *paganini) Apply(step engine.Step) (engine.Outcome, error) {
	move, err := st.judge(step)
	if err != nil {
		return engine.Outcome{}, err
	}
	st.advance()
	switch move.Verb {
	case Put:
		st.put(int(move.From), int(move.To))
		st.tell(EventLaid, st.at[move.To].card(), int(move.To))
	case Redeal:
		list := st.gather(nil)
		st.shuffler.Shuffle(list)
		st.lay(list)
		st.tell(EventRedealt, 0, len(list))
	case Quit:
		st.end = gaveUp
	}
	if st.end == notOver {
		st.finish()
	}
	st.end.tell(st.tell, st.score())
	return engine.Outcome{Move: move, Events: st.events}, nil
}

// Result is whether the patience came out, and how many cards lie in the runs from column 0.
func (st *paganini) Result() (engine.Result, bool) { return st.end.result(st.score()) }

// View shows every cell, in the order of their indices in moves. Next is the card that belongs into a gap.
func (st *paganini) View(engine.Seat) engine.View {
	view := engine.View{
		Piles:  make([]engine.Pile, cells),
		Turn:   append([]engine.Seat(nil), st.Turn()...),
		Offers: st.Moves(0, nil),
		Note:   st.note(),
		Over:   st.end != notOver,
	}
	for cell := range view.Piles {
		cards := []engine.Card{}
		if st.at[cell] != 0 {
			cards = append(cards, st.at[cell].card())
		}
		view.Piles[cell] = engine.Pile{
			Name: cellName(cell), Kind: "g", Role: engine.PileCell, Row: int16(cell/columns + 1), Column: int16(cell % columns),
			Seat: engine.Nobody, Cards: cards, Next: st.next(cell),
		}
	}
	return view
}

// next are the cards that may be laid into a gap; nil where there are none.
func (st *paganini) next(cell int) []engine.Card {
	switch {
	case st.end != notOver || st.at[cell] != 0:
		return nil
	case cell%columns == 0:
		var list []engine.Card
		for suit := engine.Spades; suit <= engine.Hearts; suit++ {
			list = append(list, engine.NewCard(engine.Ace, suit))
		}
		return list
	}
	if card := st.awaited(cell); card != 0 {
		return []engine.Card{card}
	}
	return nil
}

// note is the remark that belongs to the position.
func (st *paganini) note() string {
	if st.end != notOver {
		return st.end.note()
	}
	var some [maxMoves]engine.Move
	if len(st.puts(some[:0])) == 0 {
		return NoteMayRedeal
	}
	return ""
}
