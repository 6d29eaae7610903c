package bot

import (
	"fmt"
	"slices"

	"zevaka/engine"
)

// seatAll closes the lobby: the dealer is drawn, the seats are fixed, and the bot commits to the seed of the deal
// before anybody cuts.
func (v *visit) seatAll() error {
	t := v.table
	if len(t.Chairs) < v.rules.Info().MinSeats || t.persons() == 0 {
		if v.rules.Info().Banker {
			return errTooFewPeople
		}
		return errTooFew
	}
	d, banker := drawDealer(t.Draw, len(t.Chairs)), v.rules.Info().Banker
	t.Drawn = d.cards
	first := d.first(banker)
	t.Chairs = append(slices.Clone(t.Chairs[first:]), t.Chairs[:first]...)
	t.Cutter = cutter(t.Chairs, banker)
	t.Seed = v.bot.seed()
	t.Phase, t.Panel = cutting, false
	t.Ends = v.now + cutTime
	v.changed, v.shown = true, true
	if banker {
		return v.begin()
	}
	return nil
}

// draw is how the dealer was found: what each seat drew, in order of joining, and who deals.
type draw struct {
	cards  []engine.Card
	dealer int
}

// first is who sits in seat 0, in order of joining: a banker himself, or else the one after the dealer.
func (d draw) first(banker bool) int {
	if banker {
		return d.dealer
	}
	return (d.dealer + 1) % len(d.cards)
}

// drawDealer lets seats draw cards for the deal, the lowest dealing (RECORDS.md, Exactly 40). The card kept for a seat
// is the one it drew last.
func drawDealer(seed engine.Seed, seats int) draw {
	pack := engine.Pack(2)
	engine.NewShuffler(seed, "").Shuffle(pack)
	d := draw{cards: make([]engine.Card, seats)}
	var tied []int
	for i := range seats {
		tied = append(tied, i)
	}
	for next := 0; len(tied) > 1; {
		lowest := engine.Ace + 1
		var low []int
		for _, seat := range tied {
			d.cards[seat] = pack[next]
			next++
			switch rank := d.cards[seat].Rank(); {
			case rank < lowest:
				lowest, low = rank, []int{seat}
			case rank == lowest:
				low = append(low, seat)
			}
		}
		tied = low
	}
	d.dealer = tied[0]
	return d
}

// cutter is the seat that cuts: the first person from the dealer's right on. The dealer comes last; a banker sits in
// seat 0, another dealer last.
func cutter(chairs []chair, banker bool) int {
	n := len(chairs)
	dealer := n - 1
	if banker {
		dealer = 0
	}
	for i := range n {
		seat := (dealer - 1 - i + 2*n) % n
		if !chairs[seat].computer() {
			return seat
		}
	}
	return dealer
}

// deal deals the cards with the cut.
func (v *visit) deal(cut string) error {
	t := v.table
	state, err := v.rules.Deal(t.setup(), engine.NewShuffler(t.Seed, cut))
	if err != nil {
		return fmt.Errorf("deal table %s: %w", t.id, err)
	}
	t.Cut, t.Phase, t.Dealt = cut, playing, v.bot.now().Unix()
	v.state = state
	t.Ends = 0 // The cut's time is over.
	if t.Numbered == nil {
		v.posts = append(v.posts, Post{In: t.Place, Message: Message{Text: v.dealNote()}})
	}
	return v.settle(state, engine.Nobody)
}

// dealNote is the message that stays in the channel for whoever wants to check the deal.
func (v *visit) dealNote() []Span {
	t := v.table
	w := writer{lang: v.bot.words.Lang(t.Lang)}
	if !isSolo(v.rules.Info()) {
		v.dealer(&w)
	}
	switch t.Cut {
	case "":
		w.say(Plain, "deal.no-cut")
	default:
		w.phrase(Plain, phrase{key: "deal.cut", blanks: blanks{"who": t.Chairs[t.Cutter].Name, "cut": t.Cut}})
	}
	w.text("\n")
	w.say(Faint, "deal.commitment")
	w.text(" ")
	w.add(Code, t.Seed.Commitment())
	return w.spans
}

// dealer says who deals, and how that was drawn.
func (v *visit) dealer(w *writer) {
	t, banker, key := v.table, v.rules.Info().Banker, "deal.dealer"
	if banker {
		key = "deal.banker"
	}
	w.phrase(Plain, phrase{key: key, blanks: blanks{"who": t.Chairs[t.dealerSeat(banker)].Name}})
	if len(t.Drawn) == 0 { // The bank has passed on.
		w.text("\n")
		return
	}
	w.text(" ")
	w.say(Plain, "deal.drawn")
	n := len(t.Chairs)
	first := drawDealer(t.Draw, n).first(banker)
	for i, c := range t.Drawn {
		if i > 0 {
			w.text(",")
		}
		// The draw is in order of joining.
		w.text(" " + t.Chairs[(i-first+n)%n].Name + " ")
		w.card(c)
	}
	w.text(". ")
	w.say(Faint, "end.seed")
	w.text(" ")
	w.add(Code, hexSeed(t.Draw))
	w.text("\n")
}

// dealerSeat is where the dealer sits: the banker in seat 0, and else whoever sits last.
func (t *table) dealerSeat(banker bool) int {
	if banker {
		return 0
	}
	return len(t.Chairs) - 1
}

// end closes the table: why names the reason of a stop, result is that of a deal played to its end.
func (v *visit) end(why string, result *engine.Result) {
	t := v.table
	t.Phase, t.Why, t.Result = ended, why, result
	t.Ended = v.bot.now().Unix()
	// The picture that follows bears the level that save gives.
	t.EndedAt = t.Level + 1
	t.Asleep, t.Warn, t.Chance = false, 0, 0
	t.Ends = v.now + lastPicture
	v.changed, v.shown, v.ending = true, true, true
	v.unlisted = true
}

// lastPicture is after how long, in milliseconds, a table's last picture is drawn again that nobody said was shown.
const lastPicture = 60 * 1000
