// Package zevaka deals Зевака ("the gaper"), a Russian game of attention for two to six (RULES.md, section 1).
//
// The pack of 36 (6 to ace) or 52 is dealt out one card at a time, and nobody looks: each player's cards are his closed
// pile, face down. Beside it grows his open pile, face up, of which everybody sees the top. Nobody may leaf through
// either. Whoever gets rid of all his cards first wins; the last to hold any is the зевака.
//
// A player on turn may turn up ("flip") the top of his closed pile. If the closed pile is empty, his open pile is
// turned over and becomes the closed one, its oldest card on top. The flipped card must be placed before anything else is done:
//
//   - on the open pile of another player still in, if it is the next rank above that pile's top, in any suit
//     (a ten takes a jack, an ace takes the lowest rank); an empty open pile takes nothing; or
//   - in the centre, which the lowest spade starts, which then runs up in suit to the ace, and which goes on with the
//     lowest card of any other suit; cards in the centre stay there; or
//   - on his own open pile, whatever it is: the turn ends.
//
// After a card placed elsewhere the turn goes on. As long as no flipped card is waiting, he may play the top of his own
// open pile in the same way, even before the first flip, except to himself. A turn always ends with a kept card or with
// the last card. Nobody has to play a card that fits: overlooking it is what the game is named for.
//
// Variants, which combine freely (RULES.md 1.3; RECORDS.md, Exactly 27 to 32):
//
//   - deal=stock (21.б): nothing is dealt. The pack lies on the table, its first card starts the centre, and one flips
//     from the pack while it lasts. The centre runs up by rank, in any suit, round from the ace to the lowest. In
//     this first phase others=off forbids laying on other players. A player who holds nothing goes out once the pack is used up.
//   - centre=rank (21.в): the centre takes the next rank in any suit, but still starts with the lowest spade, since all
//     other rules are those of 21.а. centre=free: a game without suits asks for no spade either, and any card of the
//     lowest rank starts it.
//   - open=off: the top of one's own open pile may not be played. open=later, in a stock deal: not in the first phase,
//     in which only the drawn card is laid, as the source tells 21.б word by word; afterwards it may, by the rules of 21.а.
//   - penalty: who kept a card that fitted, or flipped while the top of his open pile fitted and did not play that
//     card later in the turn, has made a mistake. Everybody else gives him the top of his open pile. With penalty=auto
//     the table finds mistakes, and pays when the next player begins; with penalty=call a player must claim them
//     ("yawn") during the next player's turn, each player once. Until the next player begins, a card
//     kept by mistake may be taken back ("fix") and must then be placed. What was overlooked is told to all when it is
//     paid for; a mistake that nobody claims is never told.
//   - end=first: the first player out ends the deal; the others are placed by the cards they hold.
//
// A deal in which no card reaches the centre for ten times as many turns as the pack has cards is stopped, and placed
// in the same way (RULES.md 1.2, "Termination").
//
// Where engine/RULES.md and engine/RECORDS.md leave room, the package reads them so: the turn change at a penalty that takes
// the next player's last card is counted once with penalty=auto, where his turn had not begun, and his turn's end once more
// with penalty=call; a wrong claim is used up, and a move like any other after which those who hold nothing go out; a card
// of one's own given away in a penalty has not been played, so a mistake made with it stands. With penalty=call the table
// offers fix after every kept card, legal or not: a button that came only with a mistake would tell of it.
package zevaka

import (
	"zevaka/engine"
)

// The verbs of the game, in the order of Info.Verbs (RECORDS.md, "Verbs and piles").
const (
	Flip engine.Verb = 1 + iota
	Put
	Centre
	Keep
	Fix
	Take
	Yawn
)

const (
	minSeats = 2
	maxSeats = 6
	maxPack  = 52
)

// Rules are the rules of Зевака.
type Rules struct{}

// Info tells what the game needs and knows.
func (Rules) Info() engine.Info {
	return engine.Info{
		Name: "zevaka", MinSeats: minSeats, MaxSeats: maxSeats, Rev: 1,
		Verbs: []engine.VerbInfo{
			{Name: "flip"},
			{Name: "put", Aim: engine.AimSeat, Row: 1},
			{Name: "centre"},
			{Name: "keep", Aim: engine.AimSelf, Row: 1},
			{Name: "fix", Row: 2},
			{Name: "take", Row: 2},
			{Name: "yawn", Row: 2},
		},
		Events: events(),
		Options: []engine.Option{
			{Name: "pack", Values: []string{"36", "52"}},
			{Name: "deal", Values: []string{"hands", "stock"}},
			{Name: "centre", Values: []string{"suit", "rank", "free"}, Needs: engine.Need{Option: "deal", Is: "hands"}},
			{Name: "open", Values: []string{"on", "off", "later"}, Needs: engine.Need{Only: "later", Option: "deal", Is: "stock"}},
			{Name: "others", Values: []string{"on", "off"}, Needs: engine.Need{Only: "off", Option: "deal", Is: "stock"}},
			{Name: "penalty", Values: []string{"off", "auto", "call"}},
			{Name: "end", Values: []string{"last", "first"}},
		},
		Sets:    sets(),
		Lessons: lessons(),
		Feats:   []string{FeatAwake},
	}
}

// sets are the forms of the game that people ask for by name (RECORDS.md, "Options"). How many
// moves they have is the middle of 61 games of computer players, which differs little for 2 to 6 of them.
func sets() []engine.Set {
	return []engine.Set{
		{
			Names:   []string{"21а", "21a", "сданная", "rozdana"},
			Options: map[string]string{"deal": "hands", "centre": "suit"},
			Moves:   540,
		},
		{
			Names:   []string{"21б", "21b", "несданная", "stock", "nierozdana"},
			Options: map[string]string{"deal": "stock"},
			Brief:   true,
			Moves:   240,
		},
		{
			Names:   []string{"21в", "21c", "21v", "без масти", "безмасти", "nosuit", "bez koloru"},
			Options: map[string]string{"centre": "rank"},
			Moves:   260,
		},
		{
			Names:   []string{"строгая", "strict", "ścisła", "scisla"},
			Options: map[string]string{"open": "off"},
			Moves:   810,
		},
		{
			Names:   []string{"со штрафом", "штраф", "penalty", "z karą", "kara"},
			Options: map[string]string{"penalty": "auto"},
			Moves:   480,
		},
	}
}

// Deal shuffles and deals (RULES.md 1.1 and 1.3). The error is ErrSeats or ErrOption.
func (r Rules) Deal(setup engine.Setup, shuffler engine.Shuffler) (engine.State, error) {
	values, err := r.Info().Accept(setup)
	if err != nil {
		return nil, err
	}
	opts := newOptions(values)
	pack := engine.Pack(int(opts.low))
	shuffler.Shuffle(pack)
	return newState(opts, setup.Seats, pack), nil
}

// Parse reads a move, as "flip" or "put 2". Anything else is ErrMoveText.
func (Rules) Parse(text string) (engine.Move, error) {
	switch text {
	case "flip":
		return engine.Move{Verb: Flip}, nil
	case "centre":
		return engine.Move{Verb: Centre}, nil
	case "keep":
		return engine.Move{Verb: Keep}, nil
	case "fix":
		return engine.Move{Verb: Fix}, nil
	case "take":
		return engine.Move{Verb: Take}, nil
	case "yawn":
		return engine.Move{Verb: Yawn}, nil
	}
	if len(text) == len("put 0") && text[:4] == "put " && text[4] >= '0' && text[4] < '0'+maxSeats {
		return engine.Move{Verb: Put, To: int16(text[4] - '0')}, nil
	}
	return engine.Move{}, engine.ErrMoveText
}

// Text writes a move as Parse reads it; "" for what is no move.
func (Rules) Text(m engine.Move) string {
	switch m.Verb {
	case Flip:
		return "flip"
	case Put:
		if m.To >= 0 && m.To < maxSeats {
			return "put " + string(rune('0'+m.To))
		}
	case Centre:
		return "centre"
	case Keep:
		return "keep"
	case Fix:
		return "fix"
	case Take:
		return "take"
	case Yawn:
		return "yawn"
	}
	return ""
}

// Next reports false: each deal stands by itself.
func (Rules) Next(setup engine.Setup, _ engine.Result, _ []engine.Standing) (engine.Setup, bool) {
	return setup, false
}
