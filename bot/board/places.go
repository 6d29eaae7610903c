package board

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"zevaka/bot/words"
	"zevaka/engine"
)

// MoveLabel is a move as its button has it, as "7♠ → 8♠", or what the button says of a move without a card.
func MoveLabel(lang *words.Lang, info engine.Info, view engine.View, m engine.Move) string {
	verb := info.Verbs[m.Verb-1]
	if verb.Aim != engine.AimPiles {
		return cmp.Or(nameOf(lang, "verb", info.Name, verb.Name), verb.Name)
	}
	places := placesOf(numbered, lang, info, view)
	return places.move(m, false, false).Flat(lang)
}

// label is one way of calling a move of a card on its button: with where it lies, and where its aim lies.
type label struct {
	manner
	from, to bool
}

// labels are all such ways, the shortest first.
func labels() []label {
	var all []label
	for _, manner := range []manner{numbered, named} {
		all = append(all, label{manner, false, false}, label{manner, false, true}, label{manner, true, false}, label{manner, true, true})
	}
	return all
}

// of is what a move is called in that way.
func (l label) of(lang *words.Lang, info engine.Info, view engine.View, m engine.Move) string {
	return placesOf(l.manner, lang, info, view).move(m, l.from, l.to).Flat(lang)
}

// PileLabel is the move of a whole pile as its button has it, as "7♦…5♦ (wall 1) → foundation".
func PileLabel(lang *words.Lang, info engine.Info, view engine.View, m engine.Move) string {
	return PileTold(lang, info, view, m).Flat(lang)
}

// MoveTold is a move as one tells it to a person who looks at the cards, as "7♠ (column 4) → 8♠ (column 3)". The Lang is any:
// the phrase can be read in all.
func MoveTold(lang *words.Lang, info engine.Info, view engine.View, m engine.Move) words.Phrase {
	verb := info.Verbs[m.Verb-1]
	if key := keyOf(lang, "verb", info.Name, verb.Name); verb.Aim != engine.AimPiles && key != "" {
		return words.Phrase{Key: key}
	}
	if verb.Aim != engine.AimPiles {
		return words.Phrase{Key: "place.number", Blanks: words.Blanks{"n": words.Text(verb.Name)}}
	}
	places := placesOf(told, lang, info, view)
	return places.move(m, true, true)
}

// PileTold is the move of a whole pile to a foundation, as one tells it. The Lang is any.
func PileTold(lang *words.Lang, info engine.Info, view engine.View, m engine.Move) words.Phrase {
	places := placesOf(told, lang, info, view)
	cards := view.Piles[m.From].Cards
	all := words.Phrase{Key: "move.cards", Blanks: words.Blanks{"from": cards[len(cards)-1], "to": cards[0]}}
	return toward(lying(all, places.place(int(m.From))), places.to(m, false))
}

// PileName is what people call the view's i-th pile; empty where there is no word for it.
func PileName(lang *words.Lang, info engine.Info, view engine.View, i int) string {
	pile := view.Piles[i]
	if pile.Kind == pile.Name || pile.Seat != engine.Nobody {
		return nameOf(lang, "pile", info.Name, pile.Kind)
	}
	return placesOf(told, lang, info, view).place(i).Flat(lang)
}

// manner is how a pile is called.
type manner int

const (
	// numbered: beside a card a pile goes by its number alone, as on the board.
	numbered manner = iota
	// named: every pile goes by a word and its number.
	named
	// told: in a sentence, where a cell goes by words, too.
	told
)

// places finds words for the piles of a game for one.
type places struct {
	manner
	lang *words.Lang
	game string
	view engine.View
}

func placesOf(manner manner, lang *words.Lang, info engine.Info, view engine.View) places {
	return places{manner: manner, lang: lang, game: info.Name, view: view}
}

// toward is a move between two places.
func toward(from, to words.Phrase) words.Phrase {
	return words.Phrase{Key: "move", Blanks: words.Blanks{"from": from, "to": to}}
}

// lying is a card, or several, and where they lie.
func lying(card any, place words.Phrase) words.Phrase {
	return words.Phrase{Key: "move.at", Blanks: words.Blanks{"card": card, "place": place}}
}

// plainly is a card alone.
func plainly(card engine.Card) words.Phrase {
	return words.Phrase{Key: "move.card", Blanks: words.Blanks{"card": card}}
}

// move is a move of a card, with where it lies and with where its aim lies as asked for.
func (p places) move(m engine.Move, from, to bool) words.Phrase {
	target, aim := p.view.Piles[m.To], p.to(m, to)
	if n, ok := aim.Blanks["n"].(int); ok && from && p.manner == numbered && target.Kind == p.view.Piles[m.From].Kind && !isCell(target) {
		aim = circled(n)
	}
	return toward(p.from(m, from), aim)
}

// circles are the numbers from 1 in circles.
const circles = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"

// circled is the number of a pile in a circle.
func circled(n int) words.Phrase {
	text := "(" + strconv.Itoa(n) + ")"
	if all := []rune(circles); n > 0 && n <= len(all) {
		text = string(all[n-1])
	}
	return words.Phrase{Key: "place.number", Blanks: words.Blanks{"n": words.Text(text)}}
}

// from is the card that a move moves; with exact it says where it lies, too, unless it was just turned up.
func (p places) from(m engine.Move, exact bool) words.Phrase {
	card := cardOf(p.view, m)
	if !exact || p.view.Piles[m.From].Role == engine.PileTurned {
		return plainly(card)
	}
	if p.twice(m) {
		place := p.place(int(m.From))
		return lying(card, words.Phrase{Key: "place.card", Blanks: words.Blanks{"place": place, "n": int(m.N)}})
	}
	return p.at(card, m.From)
}

// twice reports whether another card of the pile from which a move takes one looks the same.
func (p places) twice(m engine.Move) bool {
	n := 0
	for _, c := range p.view.Piles[m.From].Cards {
		if c == cardOf(p.view, m) {
			n++
		}
	}
	return m.N > 0 && n > 1
}

// to is where a move goes: the card by which people know the place, or the place itself where it is empty, or the only one of its kind; with
// exact both. A foundation is called so, and with exact by its card and number. A gap in a row is known by the card before it, its head by
// the row.
func (p places) to(m engine.Move, exact bool) words.Phrase {
	target, card := p.view.Piles[m.To], landmark(p.view, m.To)
	switch home := target.Role == engine.PileFoundation; {
	case isHead(target):
		return words.Phrase{Key: "place.row", Blanks: words.Blanks{"n": int(target.Row)}}
	case p.manner == told && isCell(target) && card != 0:
		return words.Phrase{Key: "place.after", Blanks: words.Blanks{"card": card, "row": int(target.Row)}}
	case home && !exact:
		return words.Phrase{Key: "place.foundation"}
	case home && p.manner == told && card == 0:
		return words.Phrase{Key: "place.foundation"}
	case home && p.manner == told:
		return lying(card, words.Phrase{Key: "place.foundation"})
	case card == 0, !exact && !isCell(target) && p.only(target):
		return p.place(int(m.To))
	case !exact:
		return plainly(card)
	}
	return p.at(card, m.To)
}

// isHead reports whether a pile is the empty place at the head of a row.
func isHead(pile engine.Pile) bool { return isCell(pile) && pile.Column == 0 && len(pile.Cards) == 0 }

// place is what a pile is called: by its kind if that has one pile only, and else by its kind and number.
func (p places) place(i int) words.Phrase {
	pile := p.view.Piles[i]
	if isCell(pile) {
		key := "place.cell-number"
		if p.manner == told {
			key = "place.cell"
		}
		return words.Phrase{Key: key, Blanks: words.Blanks{"row": int(pile.Row), "n": int(pile.Column)}}
	}
	n, err := strconv.Atoi(strings.TrimPrefix(pile.Name, pile.Kind))
	if key := keyOf(p.lang, "place", p.game, pile.Kind); err == nil && key != "" && !p.only(pile) {
		return words.Phrase{Key: key, Blanks: words.Blanks{"n": n}}
	}
	name := pile.Name
	if key := keyOf(p.lang, "pile", p.game, pile.Kind); key != "" && p.only(pile) {
		name = lowered(p.lang.Say(key)) // It is a heading elsewhere.
	}
	return words.Phrase{Key: "place.number", Blanks: words.Blanks{"n": words.Text(name)}}
}

// lowered is a name as it stands within a sentence.
func lowered(name string) string {
	first, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[n:]
}

// at is a card and where it lies.
func (p places) at(card engine.Card, i int16) words.Phrase {
	place := p.place(int(i))
	n, ok := place.Blanks["n"].(int)
	if p.manner != numbered || !ok {
		return lying(card, place)
	}
	number := place
	if !isCell(p.view.Piles[i]) {
		number = circled(n)
	}
	return words.Phrase{Key: "move.at-number", Blanks: words.Blanks{"card": card, "place": number}}
}

// only reports whether the pile is the only one of its kind.
func (p places) only(pile engine.Pile) bool {
	n := 0
	for _, q := range p.view.Piles {
		if q.Kind == pile.Kind {
			n++
		}
	}
	return n == 1
}
