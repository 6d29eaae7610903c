// Package banchok deals Польский банчок ("Polish bank"), a Russian game for chips for two to twelve (RULES.md, section 6).
//
// One player is the banker, seat 0; the others are punters, from his left. The banker lays out the bank and deals three
// cards to each punter, one at a time, from two packs of 52. In turn each punter, who alone sees his cards, names a
// stake, anything from the least one to the whole bank; there is no passing. The banker turns the top card of the pack
// for him: if the punter holds a card of its suit that is no lower (ace high), the bank pays him his stake, else it
// gets it. Hand and turned card are thrown on the table. After the last punter the table is shuffled under the pack,
// and three cards each are dealt again.
//
// The bank ends as soon as it is three times what it began with, or nothing; what there is goes to the banker. He can
// neither add to it nor take from it. A deal is one bank: in a session the next player holds the next one (Rules.Next).
//
//   - dealer=player: the banker turns the card, and may do so too early, before the stake is named: then the punter bets
//     knowing it, on up to half the bank. dealer=bot: the card turns itself once the stake is named.
//   - side=on: between stake and card the other punters may bet on the hand, too, against the bank; all together no more
//     than the bank. Who does not allow it on his own hand may not do it. The punter may show his hand.
//
// # Chips
//
// All amounts are kopecks, as int64. View.Chips are those of records (RECORDS.md, Exactly 34): the net changes, the banker
// beginning at minus the bank, move when a hand is settled. Purses are moved by the Outcome's Transfers, and by them alone:
//
//   - The bank itself is laid out at the deal, before the first move: the first View.Chips say so, the bot takes it.
//   - A stake or a side bet goes from its seat to Nobody when it is named, so that nobody can spend it twice.
//   - Won, it comes back from Nobody doubled, in one transfer. Lost, nothing moves: it lies on the table already.
//   - At the end of the bank what it holds goes from Nobody to seat 0.
//
// What lies on the table is thus always Chips.Bank and all of Chips.Stakes; at the end, nothing. A deal that is broken off
// is undone fairly by giving each seat its Stakes and seat 0 the Bank.
//
// Deals know no purses (RECORDS.md, Exactly 33): whoever keeps them must refuse what a purse doesn't hold before the
// move is made. The same goes for computer players: whenever Auto returns a stake or a side bet of N, any smaller one down
// to the least is as legal (Idle names the least stake; the least side bet is 1). A punter who can't pay the least stake
// must leave as soon as it is his turn: once a card has been turned for him too early he can't any more.
//
// # Readings
//
// Where engine/RULES.md and engine/RECORDS.md leave room, the package reads them so. A round has begun when its first
// stake has been named, whoever named it: until then allow may be changed, also after the player on turn has left. Showing
// one's hand is allowed where the whole bank is at stake, too, and where one allows no side bets. The odds told after a hand are
// those of a punter who has watched everything: see state.odds. The table is collected by the last punter still in. A player
// who has to hold the next bank and can't has left the game; a punter who can't pay the least stake of the next bank
// sits that one out.
package banchok

import (
	"strconv"
	"strings"

	"zevaka/engine"
)

// The verbs of the game, in the order of Info.Verbs (RECORDS.md, "Verbs and piles").
const (
	Stake engine.Verb = 1 + iota
	Open
	Side
	AllowOn
	AllowOff
	Show
	Leave
)

const (
	minSeats = 2
	// maxSeats is fewer than the cards allow: four for each punter, so 26 punters. But a bank is longer the more play: of
	// 300, between computer players, it lasts 85 hands with five seats, 275 with twelve and 557 with sixteen, and each
	// seat's turn comes round more slowly; who sits last in a round sees four cards of each punter before him, with 24 of
	// these all but five of the pack, and stakes on certainty. And what ends a session must be written at once: eight
	// keys, three for each seat and one for each of up to fifty people, at most a hundred, which fifteen seats exceed.
	maxSeats = 12
	packSize = 104
	handSize = 3
	// maxBank is how much a bank may begin with.
	maxBank = 100_000
	// maxDigits is how long an amount may be. It is more than any bank ever holds.
	maxDigits = 9
	maxAmount = 999_999_999
)

// Rules are the rules of Польский банчок.
type Rules struct{}

// Info tells what the game needs and knows.
func (Rules) Info() engine.Info {
	return engine.Info{
		Name: "banchok", MinSeats: minSeats, MaxSeats: maxSeats, Rev: 1, Banker: true, Hands: true,
		Verbs: []engine.VerbInfo{
			{Name: "stake", Aim: engine.AimAmount, Row: 1},
			{Name: "open", Early: true},
			{Name: "side", Aim: engine.AimAmount, Row: 1},
			{Name: "allow on", Row: 2},
			{Name: "allow off", Row: 2},
			{Name: "show", Row: 5, Final: true},
			{Name: "leave", Role: engine.VerbLeaves, Row: 2},
		},
		Events: events(),
		Feats:  []string{FeatBroke, FeatTripled},
		Options: []engine.Option{
			{Name: "bank", Values: []string{"300", "100", "200", "500"}, Min: 20, Max: maxBank},
			{Name: "min", Values: []string{"5"}, Min: 1, Max: maxBank},
			{Name: "side", Values: []string{"off", "on"}},
			{Name: "dealer", Values: []string{"player", "bot"}},
		},
		Lessons: lessons(),
	}
}

// Deal shuffles and deals the first round (RULES.md 6.1). The error is ErrSeats or ErrOption.
func (r Rules) Deal(setup engine.Setup, shuffler engine.Shuffler) (engine.State, error) {
	values, err := r.Info().Accept(setup)
	if err != nil {
		return nil, err
	}
	cards := append(engine.Pack(2), engine.Pack(2)...)
	shuffler.Shuffle(cards)
	st := newState(newOptions(values), setup.Seats, shuffler)
	st.pack.layUnder(cards)
	st.dealRound()
	return st, nil
}

// Parse reads a move, as "stake 50" or "allow off". Anything else is ErrMoveText.
func (Rules) Parse(text string) (engine.Move, error) {
	switch text {
	case "open":
		return engine.Move{Verb: Open}, nil
	case "allow on":
		return engine.Move{Verb: AllowOn}, nil
	case "allow off":
		return engine.Move{Verb: AllowOff}, nil
	case "show":
		return engine.Move{Verb: Show}, nil
	case "leave":
		return engine.Move{Verb: Leave}, nil
	}
	verb, amount, _ := strings.Cut(text, " ")
	n, ok := parseAmount(amount)
	switch {
	case ok && verb == "stake":
		return engine.Move{Verb: Stake, N: n}, nil
	case ok && verb == "side":
		return engine.Move{Verb: Side, N: n}, nil
	}
	return engine.Move{}, engine.ErrMoveText
}

// parseAmount reads a whole number of kopecks, written without a sign and without zeros in front.
func parseAmount(text string) (int32, bool) {
	if len(text) > maxDigits {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 31)
	return int32(n), err == nil && strconv.FormatUint(n, 10) == text
}

// Text writes a move as Parse reads it; "" for what is no move.
func (Rules) Text(m engine.Move) string {
	switch m.Verb {
	case Stake:
		return amountText("stake ", m.N)
	case Open:
		return "open"
	case Side:
		return amountText("side ", m.N)
	case AllowOn:
		return "allow on"
	case AllowOff:
		return "allow off"
	case Show:
		return "show"
	case Leave:
		return "leave"
	}
	return ""
}

func amountText(verb string, n int32) string {
	if n < 0 || n > maxAmount {
		return ""
	}
	return verb + strconv.Itoa(int(n))
}
