package bot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/words"
	"zevaka/engine"
)

// maxMoves is how many moves one list offers.
const maxMoves = MaxItems

// moves offers what can be done: the plain moves as buttons, those of cards in a list, and what belongs to any game for
// one.
func (p *painter) moves(rules engine.Rules, view engine.View, epoch int) {
	var list []Button
	for _, named := range p.named(view) {
		do := token{Table: p.table.id, Epoch: epoch, Do: rules.Text(named.move)}.String()
		list = append(list, Button{Label: named.label, Token: do})
	}
	for _, move := range view.Offers {
		if verb := p.info.Verbs[move.Verb-1]; verb.Aim != engine.AimPiles && verb.Name != quitMove {
			do := token{Table: p.table.id, Epoch: epoch, Do: rules.Text(move)}.String()
			p.button(0, Button{Label: moveLabel(p.lang, p.info, view, move, false), Token: do, Look: Primary})
		}
	}
	pages := (len(list) + maxMoves - 1) / maxMoves
	if pages > 1 {
		page := p.table.Page % pages
		list = list[page*maxMoves : min(len(list), (page+1)*maxMoves)]
		label := phrase{key: "button.page", blanks: blanks{"n": page + 1, "of": pages}}.flat(p.lang)
		p.button(1, Button{Label: label, Token: p.wish(epoch, "page")})
	}
	p.lists = Menus(p.lang.Say("choose-move"), list)
	if _, ok := homeward(p.info, view); ok {
		p.button(0, Button{Label: p.lang.Say("button.home"), Token: p.wish(epoch, "home"), Look: Primary})
	}
	if p.table.Line > 0 {
		p.button(1, Button{Label: p.lang.Say("button.undo"), Token: p.wish(epoch, "undo")})
	}
	if p.table.Undone > 0 {
		p.button(1, Button{Label: p.lang.Say("button.redo"), Token: p.wish(epoch, "redo")})
	}
	if !view.Over {
		p.button(1, Button{Label: p.lang.Say("button.hint"), Token: p.wish(epoch, "hint")})
	}
	p.button(1, Button{Label: p.lang.Say("button.giveup"), Token: p.wish(epoch, "giveup")})
}

// quitMove is the move that ends a game for one.
const quitMove = "quit"

// namedMove is a move with what it is called.
type namedMove struct {
	move  engine.Move
	label string
}

// named are the moves of cards, each called differently: first those to foundations, then pile by pile. Last come the
// aces that may begin a row, before all those that would stand in front of their two.
func (p *painter) named(view engine.View) []namedMove {
	var all []namedMove
	called := map[string]int{}
	for _, move := range view.Offers {
		if p.info.Verbs[move.Verb-1].Aim == engine.AimPiles {
			label := moveLabel(p.lang, p.info, view, move, false)
			all = append(all, namedMove{move, label})
			called[label]++
		}
	}
	for i := range all {
		if called[all[i].label] > 1 {
			all[i].label = moveLabel(p.lang, p.info, view, all[i].move, true)
		}
	}
	class := func(m engine.Move) int {
		switch to := view.Piles[m.To]; {
		case to.Kind == foundation:
			return 0
		case !strings.HasSuffix(to.Name, ".0"):
			return 1
		case landmark(view, m.To) == engine.NewCard(2, moved(view, m).Suit()):
			return 2
		}
		return 3
	}
	slices.SortStableFunc(all, func(a, b namedMove) int {
		return cmp.Or(class(a.move)-class(b.move), int(a.move.From-b.move.From), int(a.move.N-b.move.N))
	})
	return all
}

// moveLabel is a move in cards and places, as "7♠ → 8♠ t3"; from says where the card comes from, too, as in
// "7♠ t4 → 8♠ t3". Of a gap in a row the neighbour is told, and both ways always.
func moveLabel(lang *words.Lang, info engine.Info, view engine.View, m engine.Move, from bool) string {
	verb := info.Verbs[m.Verb-1]
	if verb.Aim != engine.AimPiles {
		return own(lang, "verb", info.Name, verb.Name)
	}
	source, target := view.Piles[m.From], view.Piles[m.To]
	label := lang.Card(moved(view, m))
	if from && source.Kind != source.Name || isCell(source) {
		label += " " + placeName(source)
		if m.N > 0 {
			label += "@" + strconv.Itoa(int(m.N)-1)
		}
	}
	label += " → "
	if card := landmark(view, m.To); card != 0 && target.Kind != foundation {
		label += lang.Card(card) + " "
	}
	return label + spoken(lang, info.Name, target)
}

// spoken is what a pile is called in moves: by its kind if there is but one of that, or else as in typed moves.
func spoken(lang *words.Lang, game string, pile engine.Pile) string {
	if name := own(lang, "pile", game, pile.Kind); pile.Kind == pile.Name && name != "" {
		return name
	}
	return placeName(pile)
}

// sayMove is a sentence with a move in it.
func (v *visit) sayMove(key string, view engine.View, m engine.Move) *phrase {
	label := moveLabel(v.bot.words.Lang(v.req.Who.Lang), v.rules.Info(), view, m, true)
	return &phrase{key: key, blanks: blanks{"move": phrase{key: label}}}
}

// happened are the events of a game for one in words, with the piles that they name, on one line.
func (p *painter) happened(events []engine.Event, view engine.View) [][]phrase {
	var line []phrase
	for _, e := range events {
		told := p.table.eventPhrase(e)
		if n := int(e.N); n >= 0 && n < len(view.Piles) {
			told.blanks["pile"] = phrase{key: spoken(p.lang, p.info.Name, view.Piles[n])}
		}
		line = append(line, told)
	}
	if line == nil {
		return nil
	}
	return [][]phrase{line}
}
