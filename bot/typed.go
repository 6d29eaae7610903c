package bot

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"zevaka/bot/words"
	"zevaka/engine"
)

const (
	errAmbiguous engine.Refusal = "which-move"
	errNoMove    engine.Refusal = "no-such-move"
	// errAtMove says which of several moves was refused, and why.
	errAtMove engine.Refusal = "at-move"
)

// typed makes the moves that somebody typed: one, or in a game for one several with commas between them, of which all
// are made or none. Epoch is that of the button, where the table had to be asked for.
func (v *visit) typed(ctx context.Context, epoch int, text string) error {
	state, seat, err := v.seated(ctx)
	if err != nil {
		return err
	}
	if err := v.stillMeant(state, epoch); err != nil {
		return err
	}
	if !isSolo(v.rules.Info()) {
		move, err := v.rules.Parse(text)
		if err != nil {
			return err
		}
		return v.makeMove(state, seat, move)
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' })
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if isOver(state) {
			err = errStuck
		} else if move, failed := v.meant(state.View(engine.Nobody), part); failed != nil {
			err = failed
		} else {
			err = v.step(state, engine.Step{Seat: seat, Move: move})
		}
		if err != nil && len(parts) > 1 {
			return refuse(string(errAtMove), blanks{"what": shorten(part, 20), "why": *refusalPhrase(err)})
		}
		if err != nil {
			return err
		}
	}
	v.back(seat)
	return v.settle(state, seat)
}

// meant is the move that somebody typed: as it is written in a record, or by cards and places, as "7s 8s", "3 f1",
// "t3 t5", "7♠ t4 → 8♠". What is no legal move is guessed at, so that the game can say why.
func (v *visit) meant(view engine.View, text string) (engine.Move, error) {
	if move, err := v.rules.Parse(text); err == nil {
		return move, nil
	}
	from, to, arrow := strings.Cut(strings.ReplaceAll(text, "->", "→"), "→")
	if !arrow {
		from, to, _ = strings.Cut(strings.TrimSpace(text), " ")
	}
	a, b := strings.Fields(from), strings.Fields(to)
	if len(a) == 0 || len(b) == 0 || !arrow && len(b) > 1 {
		return engine.Move{}, engine.ErrMoveText
	}
	var found []engine.Move
	for _, m := range view.Offers {
		if v.movesCard(m) && v.names(a, view.Piles[m.From], moved(view, m)) && v.names(b, view.Piles[m.To], landmark(view, m.To)) {
			found = append(found, m)
		}
	}
	switch {
	case len(found) == 0:
		return v.guess(view, a, b)
	case !alike(view, found):
		return engine.Move{}, errAmbiguous
	}
	return found[0], nil
}

// movesCard reports whether the move takes a card from one pile to another.
func (v *visit) movesCard(m engine.Move) bool {
	return v.rules.Info().Verbs[m.Verb-1].Aim == engine.AimPiles
}

// guess is the move, legal or not, from the first place that is called so to the first that is.
func (v *visit) guess(view engine.View, from, to []string) (engine.Move, error) {
	verb := slices.IndexFunc(v.rules.Info().Verbs, func(verb engine.VerbInfo) bool { return verb.Aim == engine.AimPiles })
	m := engine.Move{Verb: engine.Verb(verb + 1), From: -1, To: -1}
	for i, pile := range view.Piles {
		if m.To < 0 && v.names(to, pile, landmark(view, int16(i))) {
			m.To = int16(i)
		}
		switch k := slices.IndexFunc(pile.Cards, func(c engine.Card) bool { return c != 0 && v.names(from, pile, c) }); {
		case v.names(from, pile, top(pile)) && (m.From < 0 || m.N > 0):
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

// alike reports whether the moves are as good as one: the same card, to places that are all empty, or to foundations
// that have come equally far.
func alike(view engine.View, moves []engine.Move) bool {
	first := moves[0]
	return !slices.ContainsFunc(moves, func(m engine.Move) bool {
		a, b := view.Piles[first.To], view.Piles[m.To]
		same := a.Kind == b.Kind && (len(a.Cards)+len(b.Cards) == 0 || a.Kind == foundation && asFar(a, b))
		return m != first && (m.From != first.From || m.N != first.N || !same)
	})
}

// asFar reports whether two foundations have come equally far.
func asFar(a, b engine.Pile) bool {
	return len(a.Cards) == len(b.Cards) && top(a).Rank() == top(b).Rank()
}

// moved is the card that the move moves.
func moved(view engine.View, m engine.Move) engine.Card {
	pile := view.Piles[m.From]
	if m.N > 0 && int(m.N) <= len(pile.Cards) {
		return pile.Cards[m.N-1]
	}
	return top(pile)
}

// top is the pile's uppermost card; zero if there is none.
func top(pile engine.Pile) engine.Card {
	if len(pile.Cards) == 0 {
		return 0
	}
	return pile.Cards[len(pile.Cards)-1]
}

// landmark is the card by which people know a place: the one that lies there, and of a gap in a row the card before it,
// or the one behind it at the head of the row; zero if there is none.
func landmark(view engine.View, place int16) engine.Card {
	pile := view.Piles[place]
	if row, column, isCell := strings.Cut(pile.Name, "."); isCell && row != "" && len(pile.Cards) == 0 {
		if column == "0" {
			return top(view.Piles[place+1])
		}
		return top(view.Piles[place-1])
	}
	return top(pile)
}

// names reports whether each of the words names the pile or the card: the pile's name, with or without its letter, its
// kind or what that is called, or the card.
func (v *visit) names(called []string, pile engine.Pile, card engine.Card) bool {
	return !slices.ContainsFunc(called, func(word string) bool {
		return !v.namesPile(strings.ToLower(word), pile) && !v.namesCard(word, card)
	})
}

func (v *visit) namesPile(word string, pile engine.Pile) bool {
	if word == pile.Name || word == pile.Kind || pile.Kind != foundation && pile.Kind+word == pile.Name {
		return true
	}
	return slices.ContainsFunc(words.Tags(), func(tag string) bool {
		return strings.EqualFold(word, own(v.bot.words.Lang(tag), "pile", v.table.Game, pile.Kind))
	})
}

// namesCard reports whether people call the card so: its rank as in any language of the house or in records, then the
// sign of its suit or a letter for it.
func (v *visit) namesCard(word string, card engine.Card) bool {
	if card == 0 {
		return false
	}
	rank := strings.TrimRight(strings.ToLower(word), "\ufe0e\ufe0f")
	suit, size := utf8.DecodeLastRuneInString(rank)
	if rank = rank[:len(rank)-size]; !strings.ContainsRune(suitLetters(card.Suit()), suit) {
		return false
	}
	return strings.EqualFold(rank, card.String()[:1]) || slices.ContainsFunc(words.Tags(), func(tag string) bool {
		return strings.EqualFold(rank, v.bot.words.Lang(tag).Rank(card.Rank()))
	})
}

// suitLetters are the sign of a suit and the letters for it that no other suit has, in records and in Russian.
func suitLetters(suit engine.Suit) string {
	return [...]string{"♠sп", "♣cтк", "♦dб", "♥hч"}[suit]
}
