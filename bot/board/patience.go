package board

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// solitaire draws a game for one: every pile by its name, the moves to choose from, and what else can be done.
func (p *painter) solitaire(rules engine.Rules, view engine.View, epoch int) {
	p.heading()
	sayTip(p)
	p.layout(view)
	p.news(view)
	p.moves(rules, view, epoch)
}

// nameOf is what a game for one calls something: by a word of its own, or by that of all such games; empty if there is
// none.
func nameOf(lang *words.Lang, what, game, name string) string {
	if key := keyOf(lang, what, game, name); key != "" {
		return lang.Say(key)
	}
	return ""
}

// keyOf is the key of that word; empty if there is none.
func keyOf(lang *words.Lang, what, game, name string) string {
	for _, key := range []string{what + "." + game + "." + name, what + ".patience." + name, what + "." + name} {
		if lang.Has(key) {
			return key
		}
	}
	return ""
}

// layout draws the piles kind by kind. Piles that show at most one card each share a line, as do those that lie side by
// side on the table. The others have lines of their own.
func (p *painter) layout(view engine.View) {
	done := map[string]bool{}
	for _, pile := range view.Piles {
		if done[pile.Kind] {
			continue
		}
		block := beside(view, pile)
		if block == nil {
			block = kindOf(view, pile.Kind)
		}
		p.block(block)
		for _, line := range block {
			for _, pile := range line {
				done[pile.Kind] = true
			}
		}
	}
}

// beside are the rows of the piles that lie side by side, whatever their kind, if this is one of them; nil for others.
func beside(view engine.View, first engine.Pile) [][]engine.Pile {
	if first.Row == 0 {
		return nil
	}
	piles := slices.DeleteFunc(slices.Clone(view.Piles), func(pile engine.Pile) bool { return pile.Row == 0 })
	slices.SortFunc(piles, func(a, b engine.Pile) int { return cmp.Or(int(a.Row-b.Row), int(a.Column-b.Column)) })
	var block [][]engine.Pile
	for len(piles) > 0 {
		end := slices.IndexFunc(piles, func(pile engine.Pile) bool { return pile.Row != piles[0].Row })
		if end < 0 {
			end = len(piles)
		}
		block, piles = append(block, wrapped(piles[:end])...), piles[end:]
	}
	return block
}

// wrapped is a row in as many lines as it takes, equally long.
func wrapped(row []engine.Pile) [][]engine.Pile {
	const most = 7 // What a phone shows in a line, where each shows a card.
	lines := (len(row) + most - 1) / most
	return slices.Collect(slices.Chunk(row, (len(row)+lines-1)/lines))
}

// kindOf are the lines of the piles of a kind.
func kindOf(view engine.View, kind string) [][]engine.Pile {
	piles := slices.DeleteFunc(slices.Clone(view.Piles), func(pile engine.Pile) bool { return pile.Kind != kind })
	switch {
	case piles[0].Role == engine.PileFoundation:
		begun := slices.IndexFunc(piles, func(pile engine.Pile) bool { return len(pile.Cards) == 0 })
		if begun < 0 {
			begun = len(piles) - 1
		}
		return [][]engine.Pile{piles[:begun+1]} // Only the first empty one takes anything.
	case slices.ContainsFunc(piles, func(pile engine.Pile) bool { return visible(pile) > 1 }):
		return slices.Collect(slices.Chunk(piles, 1))
	}
	return [][]engine.Pile{piles}
}

// isCell reports whether the pile is a cell of a field.
func isCell(pile engine.Pile) bool { return pile.Role == engine.PileCell }

// visible is how many of the pile's cards can be seen.
func visible(pile engine.Pile) int { return len(pile.Cards) - hidden(pile) }

// hidden is how many cards lie face down at the bottom.
func hidden(pile engine.Pile) int {
	n := 0
	for n < len(pile.Cards) && pile.Cards[n] == 0 {
		n++
	}
	return n
}

// block draws lines of piles under the name of their kind.
func (p *painter) block(lines [][]engine.Pile) {
	first := lines[0][0]
	if first.Kind == first.Name && len(first.Cards) == 0 && first.Next == nil {
		return // Nothing lies where something lies now and then.
	}
	name := nameOf(p.Lang, "pile", p.info.Name, first.Kind)
	if first.Kind == first.Name {
		name = cmp.Or(name, first.Name)
	}
	switch {
	case name != "" && len(lines) > 1:
		p.Text(name + ":\n")
	case name != "":
		p.Text(name + " ")
	}
	for _, line := range lines {
		for i, pile := range line {
			switch {
			case i > 0 && isCell(pile):
				p.Text(" ")
			case i > 0:
				p.Text("  ")
			}
			if pile.Kind != pile.Name && (i == 0 || !isCell(pile)) {
				p.Add(chat.Faint, placeName(pile)+" ")
			}
			p.cards(pile)
		}
		p.Text("\n")
	}
}

// placeName is what people call a pile: as in typed moves, a cell by its row and column alone.
func placeName(pile engine.Pile) string {
	if isCell(pile) {
		return strings.TrimPrefix(pile.Name, pile.Kind)
	}
	return pile.Name
}

// cards draws the cards of a pile: those that can be seen, or how many there are. Of a foundation only the top is drawn,
// and in a gap that waits for one card that card, in brackets.
func (p *painter) cards(pile engine.Pile) {
	switch down, n := hidden(pile), len(pile.Cards); {
	case n == 0 && isCell(pile) && len(pile.Next) == 1:
		p.Text("(")
		p.Card(pile.Next[0])
		p.Text(")")
	case n == 0 && isCell(pile):
		p.Add(chat.Faint, "··")
	case n == 0:
		p.Add(chat.Faint, "–")
	case pile.Role == engine.PileFoundation:
		p.Card(top(pile))
	case down == n:
		p.Text("🂠 " + strconv.Itoa(n))
	case down > 0:
		p.Card(top(pile))
		p.Add(chat.Faint, " ×"+strconv.Itoa(n))
	default:
		for i, c := range pile.Cards {
			if i > 0 {
				p.Text(" ")
			}
			p.Card(c)
		}
	}
}

// finish says how a game for one has ended.
func (p *painter) finish(result engine.Patience) {
	t := p.table
	p.Add(chat.Strong, t.Chairs[0].Name)
	p.Text(": ")
	p.Add(chat.Strong, Outcome(p.Lang, result))
	p.Text("\n")
	p.Phrase(chat.Plain, words.Phrase{Key: "patience.moves", N: t.Line, Blanks: words.Blanks{"n": t.Line}})
	p.Text(" · " + ClockText(t.Ended-t.Dealt))
	for _, part := range []struct {
		key string
		n   int
	}{{"patience.undos", t.Undos}, {"patience.hints", t.Hints}} {
		if part.n > 0 {
			p.Text(" · ")
			p.Phrase(chat.Plain, words.Phrase{Key: part.key, N: part.n, Blanks: words.Blanks{"n": part.n}})
		}
	}
	p.Text("\n")
	switch {
	case t.Known:
		p.Say(chat.Faint, "patience.known")
		p.Text("\n")
	case t.Numbered != nil && t.Day == 0:
		p.Say(chat.Faint, "patience.numbered")
		p.Text("\n")
	}
}

// Apart tells a game for one from another of the same player: by the number of its deal, and the number of its moves.
func Apart(t *table.Table, lang *words.Lang) string {
	text := ""
	if t.Day != 0 {
		text = " · " + OfDay(t.Day, lang)
	} else if t.Numbered != nil {
		text = " · " + ofNumber(*t.Numbered).Flat(lang)
	}
	if t.Line > 0 {
		text += " · " + words.Phrase{Key: "patience.moves", N: t.Line, Blanks: words.Blanks{"n": t.Line}}.Flat(lang)
	}
	return text
}

// ClockText is a time as "4:07", or "1:02:33".
func ClockText(seconds int64) string {
	h, m, s := seconds/3600, seconds/60%60, seconds%60
	two := func(n int64) string { return strconv.FormatInt(n/10, 10) + strconv.FormatInt(n%10, 10) }
	if h > 0 {
		return strconv.FormatInt(h, 10) + ":" + two(m) + ":" + two(s)
	}
	return strconv.FormatInt(m, 10) + ":" + two(s)
}

// OfDay says of which day a patience of the day is, in a language.
func OfDay(day int, lang *words.Lang) string { return ofDay(day).Flat(lang) }

func ofDay(day int) words.Phrase {
	return words.Phrase{Key: "day-of", Blanks: words.Blanks{"n": day}}
}

// ofNumber is the number of a deal.
func ofNumber(n int64) words.Phrase {
	return words.Phrase{Key: "deal-number", Blanks: words.Blanks{"n": words.Text(strconv.FormatInt(n, 10))}}
}

// alone is the rest of the first line of a game for one: its day or the number of its deal, and whose it is.
func (p *painter) alone() {
	if p.table.Day != 0 {
		p.Text(" ")
		p.Phrase(chat.Strong, ofDay(p.table.Day))
	} else if n := p.table.Numbered; n != nil {
		p.Text("   ")
		p.Phrase(chat.Plain, ofNumber(*n))
	}
	if len(p.table.Chairs) > 0 {
		p.Text("   ")
		p.Text(p.table.Chairs[0].Name)
	}
	p.Text("\n")
}
