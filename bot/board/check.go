package board

import (
	"slices"
	"strconv"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// Digits are what is shown of a seed's checksum at the table: enough to know it again, and too many to look for another seed with them while
// the pack is cut. What they are worth stands in engine/RECORDS.md, "Who chooses the order".
func Digits(seed engine.Seed) string {
	sum := seed.Commitment()
	return sum[:4] + " " + sum[4:8] + " " + sum[8:12] + " " + sum[12:16]
}

// digits are those on a board.
func (p *painter) digits(seed engine.Seed) {
	p.Text("🔒 ")
	p.Add(chat.Code, Digits(seed))
}

// Check is what anybody who wants to check the shuffle is told: before the seats are fixed the checksum of the draw's seed,
// before the deal is over the draw, its seed and the checksum of the shuffle's, afterwards also that seed, the cut, and how
// to check all of it. No seed is told as long as something hidden follows from it. Of a deal that has a number, or is a lesson's,
// nothing is secret.
func (d Drawing) Check() []chat.Span {
	t, w := d.Table, words.Writer{Lang: d.Lang}
	if t.Phase == table.Ended && t.Dealt == 0 {
		w.Say(chat.Plain, "check.nothing")
		return w.Spans
	}
	if t.Phase == table.Lobby {
		w.Say(chat.Plain, "check.lobby")
		d.labelled(&w, "check.draw-sum", t.Draw.Commitment())
		return w.Spans
	}
	switch {
	case t.Lesson:
		w.Say(chat.Plain, "check.lesson")
		return w.Spans
	case t.Numbered != nil:
		w.Phrase(chat.Plain, words.Phrase{Key: "check.deal", Blanks: words.Blanks{"n": words.Exact(strconv.FormatInt(*t.Numbered, 10))}})
	case t.Known:
		w.Say(chat.Plain, "check.known")
	case t.Phase != table.Ended:
		w.Say(chat.Plain, "check.before")
	default:
		w.Say(chat.Plain, "check.after")
	}
	d.labelled(&w, "check.sum", t.Seed.Commitment())
	if t.Phase == table.Ended {
		d.labelled(&w, "check.seed", hexSeed(t.Seed))
	}
	if t.Phase != table.Cutting {
		d.cuts(&w)
	}
	if t.Numbered != nil {
		w.Text("\n")
		w.Phrase(chat.Plain, words.Phrase{Key: "check.numbered", Blanks: words.Blanks{"name": words.Exact(d.deal())}})
	}
	if !d.Rules.Info().ForOne() {
		w.Text("\n\n")
		d.dealer(&w)
	}
	if d.drawn() {
		w.Text(" ")
		d.draw(&w)
		d.labelled(&w, "check.draw-sum", t.Draw.Commitment())
		d.labelled(&w, "check.draw-seed", hexSeed(t.Draw))
	}
	if t.Phase == table.Ended {
		how, command := "check.how", "echo "+hexSeed(t.Seed)+" | xxd -r -p | sha256sum"
		if t.Numbered != nil {
			how, command = "check.how-deal", "printf "+d.deal()+" | sha256sum"
		}
		w.Text("\n\n")
		w.Phrase(chat.Faint, words.Phrase{Key: how, Blanks: words.Blanks{"command": words.Exact(command)}})
	}
	return w.Spans
}

// deal is the name of a numbered deal, whose checksum is its seed.
func (d Drawing) deal() string { return d.Table.Game + ":" + strconv.FormatInt(*d.Table.Numbered, 10) }

// CheckPost is Check for the one who asks, who is spoken to in the Drawing's language.
func (d Drawing) CheckPost(r chat.Request) chat.Post {
	return chat.Post{In: r.In, To: &r.Who, Open: chat.Common, Message: chat.Message{Text: d.Check()}}
}

// cuts tells what the pack was cut with: a text, or, where several have cut, that of each seat in order.
func (d Drawing) cuts(w *words.Writer) {
	shared := table.SharedCuts(d.Table)
	if shared == nil {
		d.labelled(w, "check.cut", strconv.Quote(d.Table.Cut))
		return
	}
	w.Text("\n")
	w.Say(chat.Faint, "check.cut")
	for seat, cut := range shared {
		w.Text("\n" + strconv.Itoa(seat+1) + ". " + d.Table.Chairs[seat].Name + " ")
		w.Add(chat.Code, strconv.Quote(cut))
	}
}

// labelled tells one of the numbers to be copied, on a line of its own.
func (d Drawing) labelled(w *words.Writer, key, value string) {
	w.Text("\n")
	w.Say(chat.Faint, key)
	w.Text(" ")
	w.Add(chat.Code, value)
}

// drawn reports whether the dealer of this deal was drawn at this table: there is none to draw in a game for one, and a
// bank that passes on goes to the next.
func (d Drawing) drawn() bool {
	t := d.Table
	return !d.Rules.Info().ForOne() && !t.Stands && (t.Session == nil || t.Session.Deal == 1)
}

// dealer says who deals, and whether by an earlier draw.
func (d Drawing) dealer(w *words.Writer) {
	banker, key := d.Rules.Info().Banker, "deal.dealer"
	if banker {
		key = "deal.banker"
	}
	w.Phrase(chat.Plain, words.Phrase{Key: key, Blanks: words.Blanks{"who": d.Table.Chairs[d.Table.DealerSeat(banker)].Name}})
	if d.Table.Stands {
		w.Text(" ")
		w.Say(chat.Plain, "deal.stands")
	}
}

// draw tells all cards of the draw, in order of joining.
func (d Drawing) draw(w *words.Writer) {
	w.Say(chat.Plain, "deal.drawn")
	t, n := d.Table, len(d.Table.Chairs)
	drawn := table.DrawDealer(t.Draw, n)
	first := drawn.First(d.Rules.Info().Banker)
	for i, cards := range drawn.Cards {
		if i > 0 {
			w.Text(",")
		}
		w.Text(" " + t.Chairs[(i-first+n)%n].Name)
		drew(w, cards)
	}
	if slices.ContainsFunc(drawn.Cards, func(own []engine.Card) bool { return len(own) > 1 }) {
		w.Text(" ")
		w.Say(chat.Plain, "deal.drawn-again")
	}
	w.Text(".")
}

// drew tells the cards that a seat has drawn: several where it tied.
func drew(w *words.Writer, cards []engine.Card) {
	for k, c := range cards {
		w.Text([...]string{" ", " → "}[min(k, 1)])
		w.Card(c)
	}
}

func hexSeed(seed engine.Seed) string {
	text, _ := seed.MarshalText() // It never fails.
	return string(text)
}
