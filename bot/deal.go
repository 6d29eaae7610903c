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
	if len(t.Chairs) < v.rules.Info().MinSeats {
		return errTooFew
	}
	d := drawDealer(t.Draw, len(t.Chairs))
	t.Drawn = d.cards
	first := (d.dealer + 1) % len(t.Chairs)
	t.Chairs = append(slices.Clone(t.Chairs[first:]), t.Chairs[:first]...)
	t.Cutter = cutter(t.Chairs)
	t.Seed = v.bot.seed()
	t.Phase, t.Panel = cutting, false
	t.Ends = v.now + cutTime
	v.changed, v.shown = true, true
	return nil
}

// draw is how the dealer was found: what each seat drew, in order of joining, and who deals.
type draw struct {
	cards  []engine.Card
	dealer int
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

// cutter is the seat that cuts: the first person from the dealer's right on. The dealer, who sits last, comes last.
func cutter(chairs []chair) int {
	n := len(chairs)
	for i := range n {
		seat := ((n-2-i)%n + n) % n
		if !chairs[seat].computer() {
			return seat
		}
	}
	return n - 1
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
	v.posts = append(v.posts, Post{In: t.Place, Message: Message{Text: v.dealNote()}})
	v.settle(state, engine.Nobody)
	return nil
}

// dealNote is the message that stays in the channel for whoever wants to check the deal.
func (v *visit) dealNote() []Span {
	t := v.table
	w := writer{lang: v.bot.words.Lang(t.Lang)}
	n := len(t.Chairs)
	w.phrase(Plain, phrase{key: "deal.dealer", blanks: blanks{"who": t.Chairs[n-1].Name}})
	w.text(" ")
	w.say(Plain, "deal.drawn")
	for i, c := range t.Drawn {
		if i > 0 {
			w.text(",")
		}
		// The draw is in order of joining; the first to join sits as far behind seat 0 as the dealer joined late.
		w.text(" " + t.Chairs[t.joined(i)].Name + " ")
		w.card(c)
	}
	w.text(". ")
	w.say(Faint, "end.seed")
	w.text(" ")
	w.add(Code, hexSeed(t.Draw))
	w.text("\n")
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

// joined is the seat of the one who joined i-th.
func (t *table) joined(i int) int {
	n := len(t.Chairs)
	first := (drawDealer(t.Draw, n).dealer + 1) % n
	return (i - first + n) % n
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
	v.changed, v.shown = true, true
	v.unlisted = true
}

// lastPicture is after how long, in milliseconds, a table's last picture is drawn again that nobody said was shown.
const lastPicture = 60 * 1000
