package bot

import (
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/words"
	"zevaka/engine"
)

// painter draws the visit's table in a language.
func (v *visit) painter(lang *words.Lang) *painter {
	return &painter{writer: writer{lang: lang}, bot: v.bot, table: v.table, info: v.rules.Info()}
}

// solitaire draws a game for one: every pile by its name, the moves to choose from, and what else can be done.
func (p *painter) solitaire(rules engine.Rules, view engine.View, epoch int) {
	p.heading()
	p.layout(view)
	p.news(view)
	p.moves(rules, view, epoch)
}

// own is what a game for one calls something in the language: by a word of its own, or else as all of them do; empty if
// there is no word for it.
func own(lang *words.Lang, what, game, name string) string {
	for _, key := range []string{what + "." + game + "." + name, what + ".patience." + name, what + "." + name} {
		if lang.Has(key) {
			return lang.Say(key)
		}
	}
	return ""
}

// layout draws the piles kind by kind. Those that show no more than one card each stand on one line, as do those that
// lie side by side on the table; the others have lines of their own.
func (p *painter) layout(view engine.View) {
	done := map[string]bool{}
	for _, pile := range view.Piles {
		if done[pile.Kind] {
			continue
		}
		block := p.beside(view, pile)
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

// beside are the lines of piles of several kinds that begin with this one and lie side by side: the ring of Паук around
// its bases, and in Гробница each wall with its working cards. Nil for other piles.
func (p *painter) beside(view engine.View, first engine.Pile) [][]engine.Pile {
	var lines []string
	switch p.info.Name + " " + first.Name {
	case "pauk f1":
		lines = []string{"t1 t2", "t3 f1 f5 t12", "t4 f2 f6 t11", "t5 f3 f7 t10", "t6 f4 f8 t9", "t7 t8"}
	case "grobnitsa a1":
		lines = []string{"a1 b1", "a2 b2", "a3 b3", "a4 b4"}
	}
	var block [][]engine.Pile
	for _, names := range lines {
		var line []engine.Pile
		for name := range strings.FieldsSeq(names) {
			i := slices.IndexFunc(view.Piles, func(pile engine.Pile) bool { return pile.Name == name })
			line = append(line, view.Piles[i])
		}
		block = append(block, line)
	}
	return block
}

// kindOf are the lines of the piles of a kind. The cells of a row make two lines of seven.
func kindOf(view engine.View, kind string) [][]engine.Pile {
	piles := slices.DeleteFunc(slices.Clone(view.Piles), func(pile engine.Pile) bool { return pile.Kind != kind })
	const half = 7
	switch {
	case isCell(piles[0]):
		return slices.Collect(slices.Chunk(piles, half))
	case kind == foundation:
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

// isCell reports whether the pile is a cell in a row: g3.7 is the one in column 7 of row 3.
func isCell(pile engine.Pile) bool { return strings.Contains(pile.Name, ".") }

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
	name := own(p.lang, "pile", p.info.Name, first.Kind)
	switch {
	case name != "" && len(lines) > 1:
		p.text(name + ":\n")
	case name != "":
		p.text(name + " ")
	}
	for _, line := range lines {
		for i, pile := range line {
			switch {
			case i > 0 && isCell(pile):
				p.text(" ")
			case i > 0:
				p.text("  ")
			}
			if pile.Kind != pile.Name && (i == 0 || !isCell(pile)) {
				p.add(Faint, placeName(pile)+" ")
			}
			p.cards(pile)
		}
		p.text("\n")
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
		p.text("(")
		p.card(pile.Next[0])
		p.text(")")
	case n == 0 && isCell(pile):
		p.add(Faint, "··")
	case n == 0:
		p.add(Faint, "–")
	case pile.Kind == foundation:
		p.card(top(pile))
	case down == n:
		p.text("🂠 " + strconv.Itoa(n))
	case down > 0:
		p.card(top(pile))
		p.add(Faint, " ×"+strconv.Itoa(n))
	default:
		for i, c := range pile.Cards {
			if i > 0 {
				p.text(" ")
			}
			p.card(c)
		}
	}
}

// finish says how a game for one has ended.
func (p *painter) finish(result engine.Patience) {
	t := p.table
	key := "patience.lost"
	if result.Solved {
		key = "patience.solved"
	}
	p.add(Strong, t.Chairs[0].Name)
	p.text(": ")
	p.phrase(Strong, phrase{key: key, n: result.Score, blanks: blanks{"n": result.Score}})
	p.text("\n")
	p.phrase(Plain, phrase{key: "patience.moves", n: t.Line, blanks: blanks{"n": t.Line}})
	p.text(" · " + clockText(t.Ended-t.Dealt))
	for _, part := range []struct {
		key string
		n   int
	}{{"patience.undos", t.Undos}, {"patience.hints", t.Hints}} {
		if part.n > 0 {
			p.text(" · ")
			p.phrase(Plain, phrase{key: part.key, n: part.n, blanks: blanks{"n": part.n}})
		}
	}
	p.text("\n")
}

// apart is what tells a game for one from another of the same player's: the number of its deal, and how far it has come.
func (t *table) apart(lang *words.Lang) string {
	text := ""
	if t.Numbered != nil {
		text = " · № " + strconv.FormatInt(*t.Numbered, 10)
	}
	if t.Line > 0 {
		text += " · " + phrase{key: "patience.moves", n: t.Line, blanks: blanks{"n": t.Line}}.flat(lang)
	}
	return text
}

// clockText is a time as "4:07", or "1:02:33".
func clockText(seconds int64) string {
	h, m, s := seconds/3600, seconds/60%60, seconds%60
	two := func(n int64) string { return strconv.FormatInt(n/10, 10) + strconv.FormatInt(n%10, 10) }
	if h > 0 {
		return strconv.FormatInt(h, 10) + ":" + two(m) + ":" + two(s)
	}
	return strconv.FormatInt(m, 10) + ":" + two(s)
}

// alone is the rest of the first line of a game for one: the number of its deal, and whose it is.
func (p *painter) alone() {
	if n := p.table.Numbered; n != nil {
		p.text("   № " + strconv.FormatInt(*n, 10))
	}
	if len(p.table.Chairs) > 0 {
		p.text("   ")
		p.text(p.table.Chairs[0].Name)
	}
	p.text("\n")
}
