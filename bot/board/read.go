package board

import (
	"slices"
	"strings"
	"unicode/utf8"

	"zevaka/bot/words"
	"zevaka/engine"
)

const (
	errAmbiguous engine.Refusal = "which-move"
	errNoMove    engine.Refusal = "no-such-move"
	errMoveWords engine.Refusal = "move-words"
)

// Reader reads moves as people type them.
type Reader struct {
	Rules engine.Rules
	Words *words.Catalogue
}

// Meant is the move that somebody typed: as in a record, by the word for it in any language, or by cards and places, as
// "7s 8s", "3 f1", "t3 t5", or as it is offered or told. If that is no legal move, it is the likeliest one, so that the game can say why not.
func (r Reader) Meant(view engine.View, text string) (engine.Move, error) {
	if move, err := r.Said(text); err == nil {
		return move, nil
	}
	text = strings.NewReplacer("->", "→", "\ufe0e", "", "\ufe0f", "").Replace(text) // What chooses the look of a suit means nothing.
	if move, ok := r.offered(view, text); ok {
		return move, nil
	}
	from, to, arrow := strings.Cut(text, "→")
	if !arrow {
		from, to, _ = strings.Cut(strings.TrimSpace(text), " ")
	}
	a, b := strings.Fields(from), strings.Fields(to)
	if len(a) == 0 || len(b) == 0 || !arrow && len(b) > 1 {
		return engine.Move{}, errMoveWords
	}
	var found []engine.Move
	for _, m := range view.Offers {
		if r.movesCard(m) && r.names(a, view.Piles[m.From], cardOf(view, m)) && r.names(b, view.Piles[m.To], landmark(view, m.To)) {
			found = append(found, m)
		}
	}
	switch {
	case len(found) == 0:
		return r.guess(view, a, b)
	case !alike(view, found):
		return engine.Move{}, errAmbiguous
	}
	return found[0], nil
}

// Said is the move that somebody typed as in a record, or by the word for it in any language. Anything else is
// engine.ErrMoveText.
func (r Reader) Said(text string) (engine.Move, error) {
	move, err := r.Rules.Parse(text)
	if verb := r.verbCalled(text); err != nil && verb != 0 {
		return engine.Move{Verb: verb}, nil
	}
	return move, err
}

// verbCalled is the verb that says it all and is called so, on its button or in short, in any language; 0 if there is none.
func (r Reader) verbCalled(text string) engine.Verb {
	info := r.Rules.Info()
	return engine.Verb(slices.IndexFunc(info.Verbs, func(verb engine.VerbInfo) bool {
		return text != "" && verb.Aim == engine.AimNone && slices.ContainsFunc(words.Tags(), func(tag string) bool {
			lang := r.Words.Lang(tag)
			return strings.EqualFold(text, nameOf(lang, "verb", info.Name, verb.Name)) || strings.EqualFold(text, nameOf(lang, "typed", info.Name, verb.Name))
		})
	}) + 1)
}

// offered is the move of a card that is offered or told in those words, in any language; false if there is none, or several that
// differ.
func (r Reader) offered(view engine.View, text string) (engine.Move, bool) {
	const longest = 120
	if len(text) > longest || !strings.Contains(text, "→") {
		return engine.Move{}, false
	}
	var found []engine.Move
	for _, m := range view.Offers {
		if r.movesCard(m) && slices.ContainsFunc(words.Tags(), func(tag string) bool {
			lang, info := r.Words.Lang(tag), r.Rules.Info()
			if !strings.Contains(strings.ToLower(text), strings.ToLower(lang.Card(cardOf(view, m)))) {
				return false // Every label has the card that moves.
			}
			return slices.ContainsFunc(labels(), func(how label) bool { return strings.EqualFold(how.of(lang, info, view, m), text) }) ||
				strings.EqualFold(MoveTold(lang, info, view, m).Flat(lang), text)
		}) {
			found = append(found, m)
		}
	}
	if len(found) == 0 || !alike(view, found) {
		return engine.Move{}, false
	}
	return found[0], true
}

// movesCard reports whether the move takes a card from one pile to another.
func (r Reader) movesCard(m engine.Move) bool {
	return r.Rules.Info().Verbs[m.Verb-1].Aim == engine.AimPiles
}

// pileVerb is the verb that takes a card from one pile to another.
func (r Reader) pileVerb() engine.Verb {
	aimed := func(verb engine.VerbInfo) bool { return verb.Aim == engine.AimPiles }
	return engine.Verb(slices.IndexFunc(r.Rules.Info().Verbs, aimed) + 1)
}

// Between is the move of the uppermost card from one pile to another, legal or not. The text names both piles, as in a record;
// any other is engine.ErrMoveText.
func (r Reader) Between(view engine.View, text string) (engine.Move, error) {
	from, to, _ := strings.Cut(text, " ")
	m := engine.Move{Verb: r.pileVerb(), From: -1, To: -1}
	for i, pile := range view.Piles {
		if pile.Name == from {
			m.From = int16(i)
		}
		if pile.Name == to {
			m.To = int16(i)
		}
	}
	if m.From < 0 || m.To < 0 {
		return m, engine.ErrMoveText
	}
	return m, nil
}

// guess is a move, legal or not, from the first place of that name to the first place of the other.
func (r Reader) guess(view engine.View, from, to []string) (engine.Move, error) {
	m := engine.Move{Verb: r.pileVerb(), From: -1, To: -1}
	for i, pile := range view.Piles {
		if m.To < 0 && r.names(to, pile, landmark(view, int16(i))) {
			m.To = int16(i)
		}
		switch k := slices.IndexFunc(pile.Cards, func(c engine.Card) bool { return c != 0 && r.names(from, pile, c) }); {
		case r.names(from, pile, top(pile)) && (m.From < 0 || m.N > 0):
			m.From, m.N = int16(i), 0
		case m.From < 0 && k >= 0:
			m.From, m.N = int16(i), int32(k)+1
		}
	}
	if m.From < 0 || m.To < 0 {
		return m, errNoMove
	}
	return m, nil
}

// names reports whether each word names the pile or the card. A pile is named by its name, with or without the letter, or
// by its kind in any language.
func (r Reader) names(called []string, pile engine.Pile, card engine.Card) bool {
	return !slices.ContainsFunc(called, func(word string) bool {
		return !r.namesPile(strings.ToLower(word), pile) && !r.namesCard(word, card)
	})
}

func (r Reader) namesPile(word string, pile engine.Pile) bool {
	if word == pile.Name || word == pile.Kind || pile.Role != engine.PileFoundation && pile.Kind+word == pile.Name {
		return true
	}
	return slices.ContainsFunc(words.Tags(), func(tag string) bool {
		lang := r.Words.Lang(tag)
		row := words.Phrase{Key: "place.row", Blanks: words.Blanks{"n": int(pile.Row)}}.Flat(lang)
		head := isHead(pile) && slices.Contains(strings.Fields(row), word)
		return head || strings.EqualFold(word, nameOf(lang, "pile", r.Rules.Info().Name, pile.Kind))
	})
}

// namesCard reports whether people call the card so: its rank as in any language of the house or in records, then the
// sign of its suit or a letter for it.
func (r Reader) namesCard(word string, card engine.Card) bool {
	if card == 0 {
		return false
	}
	rank := strings.ToLower(word)
	suit, size := utf8.DecodeLastRuneInString(rank)
	if rank = rank[:len(rank)-size]; !strings.ContainsRune(suitLetters(card.Suit()), suit) {
		return false
	}
	return strings.EqualFold(rank, card.String()[:1]) || slices.ContainsFunc(words.Tags(), func(tag string) bool {
		return strings.EqualFold(rank, r.Words.Lang(tag).Rank(card.Rank()))
	})
}

// suitLetters are the sign of a suit and the letters for it that no other suit has, in records and in Russian.
func suitLetters(suit engine.Suit) string {
	return [...]string{"♠sп", "♣cтк", "♦dб", "♥hч"}[suit]
}
