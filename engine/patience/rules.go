package patience

import (
	"strconv"
	"strings"

	"zevaka/engine"
)

// The verbs of every patience, in the order of Info.Verbs (RECORDS.md, "Verbs and piles").
const (
	// Draw turns the next card of the stock, or lays out the next round.
	Draw engine.Verb = 1 + iota
	// Put moves one card: From and To are indices in View.Piles. N is 0 for the uppermost card, and one more than the
	// card's place from the bottom, 0 first, for a card named by its place: "put r1@4 f2" has N = 5.
	Put
	// Redeal gathers cards for the next pass.
	Redeal
	// Quit ends the deal as it lies.
	Quit
)

// Rules are one of the patiences that the machine plays, by its place among the declarations.
type Rules uint8

// The patiences of the machine that are known here by name. Paganini has rules of its own.
const (
	Tecza Rules = 1 + iota
	Sklep
	Zaba
	Gwiazda
	Polusharia
	Grobnitsa
	Pauk
)

// declarations are the rules pages of the machine's patiences. One more patience is one more of them, behind the others.
func declarations() []func() declaration {
	return []func() declaration{tecza, sklep, zaba, gwiazda, polusharia, grobnitsa, pauk}
}

// All are the rules of every patience, in the order in which they are offered.
func All() []engine.Rules {
	all := []engine.Rules{Tecza, Sklep, Zaba, Gwiazda, Polusharia, Grobnitsa, Paganini{}}
	for r := range declarations()[len(all)-1:] {
		all = append(all, Pauk+Rules(r))
	}
	return all
}

// declaration is what a patience says of itself: its rules page.
type declaration struct {
	name    string
	options []engine.Option
	// sets are named choices of them; nil where there are none.
	sets []engine.Set
	// lay is the layout with the options given, complete and valid.
	lay func(options map[string]string) layout
	// lessons teach it; nil where there are none.
	lessons []engine.Lesson
}

func (r Rules) declare() declaration { return declarations()[r-1]() }

// groups are the patience's piles, whatever the options.
func (r Rules) groups() []group { return r.declare().lay(nil).groups }

// verbs are those of every patience.
func verbs() []engine.VerbInfo {
	return []engine.VerbInfo{
		{Name: "draw", Role: engine.VerbDeals},
		{Name: "put", Aim: engine.AimPiles, Row: 1},
		{Name: "redeal", Role: engine.VerbDeals, Row: 2},
		{Name: "quit", Role: engine.VerbQuits, Row: 2, Final: true},
	}
}

// Info tells what the patience needs and knows.
func (r Rules) Info() engine.Info {
	d := r.declare()
	return engine.Info{
		Name: d.name, MinSeats: 1, MaxSeats: 1, Rev: 1, Verbs: verbs(), Events: events(), Options: d.options,
		Sets: d.sets, Lessons: d.lessons,
	}
}

// Deal shuffles and deals. The error is ErrSeats or ErrOption.
func (r Rules) Deal(setup engine.Setup, shuffler engine.Shuffler) (engine.State, error) {
	options, err := r.Info().Accept(setup)
	if err != nil {
		return nil, err
	}
	return newState(newPlan(r.declare().lay(options)), shuffler), nil
}

// Parse reads a move, as "draw" or "put w2 f1". Anything else is ErrMoveText.
func (r Rules) Parse(text string) (engine.Move, error) {
	if verb := plainVerb(text); verb != 0 {
		return engine.Move{Verb: verb}, nil
	}
	from, at, to, ok := cutPut(text)
	if !ok {
		return engine.Move{}, engine.ErrMoveText
	}
	groups := r.groups()
	a, okA := pileIndex(groups, from)
	b, okB := pileIndex(groups, to)
	if !okA || !okB {
		return engine.Move{}, engine.ErrMoveText
	}
	return engine.Move{Verb: Put, From: int16(a), To: int16(b), N: at}, nil
}

// Text writes a move as Parse reads it; "" for what is no move.
func (r Rules) Text(m engine.Move) string {
	if m.Verb != Put {
		return plainText(m)
	}
	groups := r.groups()
	return putText(pileName(groups, int(m.From)), m.N, pileName(groups, int(m.To)))
}

// Next reports false: each deal stands by itself.
func (Rules) Next(setup engine.Setup, _ engine.Result, _ []engine.Standing) (engine.Setup, bool) {
	return setup, false
}

// plainVerb is the verb of a text that is a verb alone; zero for other texts.
func plainVerb(text string) engine.Verb {
	switch text {
	case "draw":
		return Draw
	case "redeal":
		return Redeal
	case "quit":
		return Quit
	}
	return 0
}

// plainText is the text of a move that is a verb alone; "" for other moves.
func plainText(m engine.Move) string {
	switch m.Verb {
	case Draw:
		return "draw"
	case Redeal:
		return "redeal"
	case Quit:
		return "quit"
	}
	return ""
}

// cutPut reads "put FROM TO" or "put FROM@K TO"; at is K+1, or 0 where no place is named.
func cutPut(text string) (from string, at int32, to string, ok bool) {
	rest, ok := strings.CutPrefix(text, "put ")
	if !ok {
		return "", 0, "", false
	}
	if from, to, ok = strings.Cut(rest, " "); !ok {
		return "", 0, "", false
	}
	if name, place, named := strings.Cut(from, "@"); named {
		k, isNumber := digits(place)
		return name, int32(k) + 1, to, isNumber
	}
	return from, 0, to, true
}

// putText writes a put; "" unless both piles have names and the place can be written.
func putText(from string, at int32, to string) string {
	switch {
	case from == "" || to == "" || at < 0 || at > 100:
		return ""
	case at > 0:
		return "put " + from + "@" + strconv.Itoa(int(at)-1) + " " + to
	}
	return "put " + from + " " + to
}
