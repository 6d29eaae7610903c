package board

import (
	"cmp"
	"slices"
	"strconv"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// maxDirect is how many moves of cards are offered at once. Where there are more one chooses first the card, and then where
// it goes, unless there is one such place only.
const maxDirect = 10

// moves offers what can be done: moves of cards in a list, moves without a card as buttons, and the buttons of every game
// for one. Once a card was chosen only the places are offered where it can go. A bare drawing has no moves of cards.
func (p *painter) moves(rules engine.Rules, view engine.View, epoch int) {
	if !p.Drawing.Bare && p.cardMoves(rules, view, epoch) {
		return
	}
	for _, move := range view.Offers {
		if verb := p.info.Verbs[move.Verb-1]; verb.Aim != engine.AimPiles && verb.Role != engine.VerbQuits {
			button := p.moveButton(rules, move, MoveLabel(p.Lang, p.info, view, move), epoch)
			if verb.Row == 0 || !movesCards(p.info, view) { // Where a card can still be moved, nobody is led to gather them all.
				button.Look = chat.Primary
			}
			p.button(0, button)
		}
	}
	if _, ok := FoundationMove(p.info, view); ok || view.Finishes {
		label := p.Lang.Say("button.home")
		if view.Finishes {
			label = p.Lang.Say("button.finish")
		}
		p.button(0, chat.Button{Label: label, Token: p.action(epoch, "home"), Look: chat.Primary})
	}
	if p.table.Line > 0 {
		p.button(1, chat.Button{Label: p.Lang.Say("button.undo"), Token: p.action(epoch, "undo")})
	}
	if p.table.Undone > 0 {
		p.button(1, chat.Button{Label: p.Lang.Say("button.redo"), Token: p.action(epoch, "redo")})
	}
	if p.table.Line > 0 && (view.Over || p.Drawing.Bare) && !p.table.Lesson {
		p.button(1, chat.Button{Label: p.Lang.Say("button.restart"), Token: p.action(epoch, "restart")})
	}
	if !view.Over {
		p.button(1, chat.Button{Label: p.Lang.Say("button.hint"), Token: p.action(epoch, "hint")})
	}
	p.button(1, chat.Button{Label: p.Lang.Say("button.rules"), Token: p.action(epoch, "rules")})
	if p.table.Lesson {
		lessonEnd(p, 1, epoch)
		return
	}
	p.button(1, chat.Button{Label: p.Lang.Say("button.giveup"), Token: p.action(epoch, "giveup")})
}

// movesCards reports whether a card can be moved.
func movesCards(info engine.Info, view engine.View) bool {
	return slices.ContainsFunc(view.Offers, func(m engine.Move) bool { return info.Verbs[m.Verb-1].Aim == engine.AimPiles })
}

// cardMoves lists the moves of cards, or, where a card was chosen, the places where it can go, which it reports.
func (p *painter) cardMoves(rules engine.Rules, view engine.View, epoch int) (chosen bool) {
	all := p.named(view)
	several := severalPlaces(view, all)
	if n := p.table.Page; 0 < n && n <= len(several) {
		p.places(rules, view, epoch, several[n-1])
		return true
	}
	var list []chat.Button
	for _, named := range all {
		if i := slices.IndexFunc(several, func(moves []namedMove) bool { return slices.Contains(moves, named) }); i >= 0 {
			if several[i][0] == named {
				label := p.sourceLabel(view, several, i)
				list = append(list, chat.Button{Label: label, Token: p.action(epoch, "page "+strconv.Itoa(i+1))})
			}
			continue
		}
		list = append(list, p.moveButton(rules, named.move, named.label, epoch))
		if WholePile(p.info, view, named.move) > 0 {
			from, to := view.Piles[named.move.From].Name, view.Piles[named.move.To].Name
			label := PileLabel(p.Lang, p.info, view, named.move)
			list = append(list, chat.Button{Label: label, Token: p.action(epoch, "pile "+from+" "+to)})
		}
	}
	p.lists = chat.Menus(p.Lang.Say("choose-move"), list)
	return false
}

// moveButton is a button that makes a move.
func (p *painter) moveButton(rules engine.Rules, move engine.Move, label string, epoch int) chat.Button {
	return chat.Button{Label: label, Token: table.Token{Table: p.table.ID, Epoch: epoch, Do: rules.Text(move)}.String()}
}

// severalPlaces are the moves among which one chooses by the card first, card by card, where all moves are too many to be
// offered at once: of the cards that can go to several places, and if that is not enough, of those that lie there twice.
// What goes to a foundation is always offered at once.
func severalPlaces(view engine.View, all []namedMove) [][]namedMove {
	if len(all) <= maxDirect {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(m namedMove) bool { return view.Piles[m.move.To].Role == engine.PileFoundation })
	several, single := group(rest, sameCard)
	if len(all)-len(rest)+len(several)+len(single) > maxDirect {
		twice, _ := group(single, func(a, b engine.Move) bool { return cardOf(view, a) == cardOf(view, b) })
		several = append(several, twice...)
	}
	return several
}

// group puts moves together that are alike, and tells which are like no other.
func group(all []namedMove, alike func(a, b engine.Move) bool) (several [][]namedMove, single []namedMove) {
	var groups [][]namedMove
	for _, named := range all {
		i := slices.IndexFunc(groups, func(moves []namedMove) bool { return alike(moves[0].move, named.move) })
		if i < 0 {
			groups = append(groups, []namedMove{named})
		} else {
			groups[i] = append(groups[i], named)
		}
	}
	for _, moves := range groups {
		if len(moves) > 1 {
			several = append(several, moves)
		} else {
			single = append(single, moves[0])
		}
	}
	return several, single
}

// sameCard reports whether two moves take the same card from the same place.
func sameCard(a, b engine.Move) bool { return a.From == b.From && a.N == b.N }

// sourceLabel is what the card is called that can go to several places, as "A♣ …", or "A♣ 2.11 …" if there is another one.
func (p *painter) sourceLabel(view engine.View, several [][]namedMove, i int) string {
	move := several[i][0].move
	alone := !slices.ContainsFunc(several, func(moves []namedMove) bool {
		return !sameCard(moves[0].move, move) && cardOf(view, moves[0].move) == cardOf(view, move)
	})
	if alone {
		return p.Lang.Card(cardOf(view, move)) + " …"
	}
	return placesOf(numbered, p.Lang, p.info, view).from(move, true).Flat(p.Lang) + " …"
}

// places offers the places to which the card that was chosen can go.
func (p *painter) places(rules engine.Rules, view engine.View, epoch int, moves []namedMove) {
	p.Text("\n")
	p.Phrase(chat.Strong, words.Phrase{Key: "choose-place", Blanks: words.Blanks{"card": cardOf(view, moves[0].move)}})
	slices.SortStableFunc(moves, func(a, b namedMove) int { return int(a.move.To - b.move.To) })
	var list []chat.Button
	for _, named := range moves {
		label := named.label
		if sameCard(moves[0].move, moves[len(moves)-1].move) {
			label = placesOf(numbered, p.Lang, p.info, view).to(named.move, true).Flat(p.Lang)
		}
		list = append(list, p.moveButton(rules, named.move, label, epoch))
	}
	p.lists = chat.Menus(p.Lang.Say("choose-move"), list)
	p.button(0, chat.Button{Label: p.Lang.Say("button.other-card"), Token: p.action(epoch, "page 0")})
}

// namedMove is a move with what it is called.
type namedMove struct {
	move  engine.Move
	label string
}

// named are the moves of cards, each called differently: first those to foundations, then pile by pile. Last come the
// cards that may begin a row of cells, before all those that would stand in front of the next of their suit.
func (p *painter) named(view engine.View) []namedMove {
	var all []namedMove
	var alike []int // that are called as others so far
	for _, move := range view.Offers {
		if p.info.Verbs[move.Verb-1].Aim == engine.AimPiles {
			all, alike = append(all, namedMove{move: move}), append(alike, len(all))
		}
	}
	called := map[string]int{}
	for _, how := range labels() {
		for _, i := range alike {
			all[i].label = how.of(p.Lang, p.info, view, all[i].move)
			called[all[i].label]++
		}
		alike = slices.DeleteFunc(alike, func(i int) bool { return called[all[i].label] == 1 })
	}
	class := func(m engine.Move) int {
		switch to := view.Piles[m.To]; {
		case to.Role == engine.PileFoundation:
			return 0
		case !isCell(to) || to.Column > 0:
			return 1
		case landmark(view, m.To) == successor(cardOf(view, m)):
			return 2
		}
		return 3
	}
	slices.SortStableFunc(all, func(a, b namedMove) int {
		return cmp.Or(class(a.move)-class(b.move), int(a.move.From-b.move.From), int(a.move.N-b.move.N))
	})
	return all
}

// successor is the next card of a card's suit, round from the king over the ace to the two.
func successor(c engine.Card) engine.Card {
	if c.Rank() == engine.Ace {
		return engine.NewCard(2, c.Suit())
	}
	return engine.NewCard(c.Rank()+1, c.Suit())
}

// HandMoves are the lists of moves with the cards that only the seat sees whose view it is.
func HandMoves(lang *words.Lang, rules engine.Rules, t *table.Table, view engine.View, epoch int) []chat.Menu {
	info := rules.Info()
	var list []chat.Button
	for _, m := range view.Offers {
		if info.Verbs[m.Verb-1].Aim == engine.AimPiles && view.Piles[m.From].Role == engine.PileHand {
			do := table.Token{Table: t.ID, Epoch: epoch, Do: rules.Text(m)}.String()
			list = append(list, chat.Button{Label: MoveLabel(lang, info, view, m), Token: do})
		}
	}
	return chat.Menus(lang.Say("choose-move"), list)
}

// happened are the events of a game for one in words, with the piles that they name, on one line.
func (p *painter) happened(events []engine.Event, view engine.View) [][]words.Phrase {
	var line []words.Phrase
	for _, e := range events {
		told := eventPhrase(p.table, e)
		if n := int(e.N); p.info.EventRole(e.What) == engine.EventArrives && n >= 0 && n < len(view.Piles) {
			told.Blanks = words.Blanks{"pile": placesOf(named, p.Lang, p.info, view).place(n)}
		}
		line = append(line, told)
	}
	if line == nil {
		return nil
	}
	return [][]words.Phrase{line}
}
