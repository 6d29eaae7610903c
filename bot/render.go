package bot

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/words"
	"zevaka/engine"
)

// response puts together what there is to say after the visit: the table's picture first, then what belongs beside it.
func (v *visit) response(ctx context.Context) (Response, error) {
	r := Response{Alert: v.alert}
	reader := v.bot.words.Lang(v.req.Who.Lang)
	switch {
	case v.toast != nil:
		r.Toast = shorten(v.toast.flat(reader), maxToast)
	case v.picked && len(v.events) > 0:
		r.Toast = shorten(v.bot.label(v.table, reader)+": "+v.told(reader), maxToast)
	case v.req.Kind == Press && len(v.events) > 0:
		r.Toast = v.told(reader)
	}
	if v.shown {
		message, err := v.message(ctx)
		if err != nil {
			return r, err
		}
		t := v.table
		post := Post{
			In: t.Place, Edit: t.Board, Table: t.id.String(), Level: t.Level, Receipt: t.receipt(),
			Final: t.Phase == ended, Message: message,
		}
		post.Turn, post.Left = v.turn()
		if v.anew && t.Board != "" {
			post.Edit = ""
			r.Posts = append(r.Posts, Post{In: t.Place, Edit: t.Board, Message: Message{Text: message.Text}})
		}
		r.Posts = append(r.Posts, post)
	}
	r.Posts = append(r.Posts, v.posts...)
	return r, nil
}

// turn is the user who has to do something now, and how long there is for it.
func (v *visit) turn() (user int64, left time.Duration) {
	t := v.table
	switch {
	case t.Phase == cutting:
		user = t.Chairs[t.Cutter].User
	case t.Phase == playing && v.state != nil && !t.Asleep && len(v.state.Turn()) > 0:
		c := t.Chairs[v.state.Turn()[0]]
		if c.computer() || v.rules.Info().Banker && t.Chance != 0 {
			return 0, 0 // The table itself moves.
		}
		user = c.User
	default:
		return 0, 0
	}
	if t.Ends != 0 && (t.Phase == cutting || t.Limit > 0) {
		left = max(time.Duration(t.Ends-v.now)*time.Millisecond, time.Millisecond)
	}
	return user, left
}

// told is what the request made happen, in one line.
func (v *visit) told(lang *words.Lang) string {
	var parts []string
	lines := v.table.story(v.events)
	if isSolo(v.rules.Info()) && v.state != nil {
		lines = v.painter(lang).happened(v.events, v.state.View(engine.Nobody))
	}
	for _, line := range lines {
		for _, p := range line {
			parts = append(parts, p.flat(lang))
		}
	}
	return shorten(strings.Join(parts, " "), maxToast)
}

// message is the table's picture in the language of its place.
func (v *visit) message(ctx context.Context) (Message, error) {
	p := v.painter(v.bot.words.Lang(v.table.Lang))
	switch v.table.Phase {
	case lobby:
		p.lobby()
	case cutting:
		p.cutting()
	case playing:
		state, err := v.play(ctx)
		if err != nil {
			return Message{}, err
		}
		view, epoch := state.View(engine.Nobody), v.table.playEpoch(state)
		switch {
		case v.pictured():
			p.heading()
			p.news(view)
			p.moves(v.rules, view, epoch)
			p.shot = p.picture(v.rules, view, epoch)
		case isSolo(p.info):
			p.solitaire(v.rules, view, epoch)
		default:
			p.board(v.rules, view, epoch)
		}
	case ended:
		p.ended()
		shot, err := v.lastPosition(ctx, p)
		if err != nil {
			return Message{}, err
		}
		p.shot = shot
	}
	return Message{Text: p.spans, Picture: p.shot, Choices: p.lists, Buttons: p.rows()}, nil
}

// painter draws one table: what it is called and who sits there, what the View shows, and the buttons.
type painter struct {
	writer
	bot     *Bot
	table   *table
	info    engine.Info
	buttons [][]Button
	lists   []Menu
	shot    *Picture
}

// button adds a button to a row.
func (p *painter) button(row int, b Button) {
	for len(p.buttons) <= row {
		p.buttons = append(p.buttons, nil)
	}
	p.buttons[row] = append(p.buttons[row], b)
}

// rows are the rows of buttons that have any, none longer than five.
func (p *painter) rows() [][]Button {
	var rows [][]Button
	for _, row := range p.buttons {
		for len(row) > maxRow {
			half := (len(row) + 1) / 2
			rows = append(rows, row[:min(half, maxRow)])
			row = row[min(half, maxRow):]
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// maxRow is how many buttons stand in one row.
const maxRow = 5

// wish is the token of one of the table's own buttons.
func (p *painter) wish(epoch int, do string) string {
	return token{Table: p.table.id, Epoch: epoch, Do: "!" + do}.String()
}

// heading is the first line: the game, its rules in short, the time for a turn.
func (p *painter) heading() {
	p.add(Strong, p.bot.title(p.table, p.lang))
	if isSolo(p.info) {
		p.alone()
		return
	}
	if p.table.Rounds > 1 {
		p.text("   🏦 ×" + strconv.Itoa(p.table.Rounds))
	}
	p.text("   ⏱ ")
	p.phrase(Plain, limitPhrase(p.table.Limit))
	if p.table.Fast {
		p.text(" ⚡")
	}
	p.text("\n")
}

// eventPhrase is an event in words.
func (t *table) eventPhrase(e engine.Event) phrase {
	key := "event." + e.What
	if e.Seat == engine.Nobody {
		key += "-nobody"
	}
	return phrase{key: key, n: int(e.N), blanks: blanks{
		"who": t.name(e.Seat), "to": t.name(e.To), "card": e.Card, "n": int(e.N), "percent": int(e.N+5) / 10,
	}}
}

func (t *table) name(s engine.Seat) string {
	if s < 0 || int(s) >= len(t.Chairs) {
		return ""
	}
	return t.Chairs[s].Name
}

// board draws a deal in progress from what everybody may see.
func (p *painter) board(rules engine.Rules, view engine.View, epoch int) {
	p.heading()
	if view.Chips != nil {
		p.bank(*view.Chips)
	}
	for _, pile := range view.Piles {
		if pile.Seat == engine.Nobody && (len(pile.Cards) > 0 || pile.Next != nil) {
			p.say(Plain, "pile."+pile.Kind)
			p.text("  ")
			p.pile(pile)
			p.text("\n")
		}
	}
	for seat := range p.table.Chairs {
		p.seat(view, engine.Seat(seat))
	}
	p.waiting()
	p.news(view)
	p.offers(rules, view, epoch)
	if view.Chips != nil {
		p.bankButtons(view, epoch)
	}
	if slices.ContainsFunc(p.table.Chairs, func(c chair) bool { return c.User != 0 && c.computer() && !c.Removed }) {
		p.button(4, Button{Label: p.lang.Say("button.back"), Token: p.wish(epoch, "back")})
	}
}

// pile draws one pile: how many cards lie face down, and those that may be seen.
func (p *painter) pile(pile engine.Pile) {
	if len(pile.Cards) == 0 {
		p.add(Faint, "–")
	}
	if top := len(pile.Cards) - 1; top >= 0 {
		switch first := runStart(pile.Cards); {
		case pile.Cards[top] == 0:
			p.text("🂠 " + strconv.Itoa(len(pile.Cards)))
		case pile.Kind == "hand":
			for i, c := range pile.Cards {
				if i > 0 {
					p.text(" ")
				}
				p.card(c)
			}
		case pile.Next == nil && top > 0:
			p.card(pile.Cards[top])
			p.add(Faint, " ×"+strconv.Itoa(len(pile.Cards)))
		default:
			for _, c := range pile.Cards[:first] {
				if c.Rank() == engine.Ace {
					p.add(Faint, words.Suit(c.Suit())+"✓ ")
				}
			}
			if first < top {
				p.card(pile.Cards[first])
				p.text(" … ")
			}
			p.card(pile.Cards[top])
			if pile.Cards[0] == 0 {
				p.add(Faint, " ×"+strconv.Itoa(len(pile.Cards)))
			}
		}
	}
	p.next(pile.Next)
}

// runStart is where the run of one suit begins that the pile's top ends.
func runStart(cards []engine.Card) int {
	i := len(cards) - 1
	for i > 0 && cards[i-1] != 0 && cards[i-1].Suit() == cards[i].Suit() && cards[i-1].Rank()+1 == cards[i].Rank() {
		i--
	}
	return i
}

// next draws what a pile takes next: one card, a rank of any suit, or some cards.
func (p *painter) next(cards []engine.Card) {
	if len(cards) == 0 {
		return
	}
	p.text("   ")
	p.say(Faint, "pile.next")
	p.text(" ")
	if len(cards) == 4 {
		p.text(p.lang.Rank(cards[0].Rank()))
		return
	}
	for i, c := range cards {
		if i > 0 {
			p.text(" ")
		}
		p.card(c)
	}
}

// seat draws the line of one seat: whether it is to move, its name, its piles.
func (p *painter) seat(view engine.View, s engine.Seat) {
	c := p.table.Chairs[s]
	mark, style := "   ", Plain
	if len(view.Turn) > 0 && view.Turn[0] == s {
		mark, style = "▶ ", Strong
	}
	p.text(mark)
	p.add(style, c.Name)
	if c.User != 0 && c.computer() {
		p.text(" 💤")
	}
	empty := true
	for _, pile := range view.Piles {
		if pile.Seat != s || len(pile.Cards) == 0 {
			continue
		}
		empty = false
		p.text("   ")
		if key := "pile." + pile.Kind; p.lang.Has(key) {
			p.say(Plain, key)
			p.text(" ")
		}
		p.pile(pile)
	}
	switch {
	case view.Chips != nil:
		p.chips(*view.Chips, s)
	case empty:
		p.add(Faint, "   –")
	}
	p.text("\n")
}

// news tells what happened last, and what is special about the position.
func (p *painter) news(view engine.View) {
	lines := p.table.story(p.table.Last)
	if isSolo(p.info) {
		lines = p.happened(p.table.Last, view)
	}
	for _, line := range lines {
		p.text("\n")
		for i, sentence := range line {
			if i > 0 {
				p.text(" ")
			}
			p.phrase(Faint, sentence)
		}
	}
	switch {
	case p.table.Asleep:
		p.text("\n")
		p.say(Strong, "asleep")
	case view.Note != "":
		p.text("\n")
		p.say(Strong, "note."+view.Note)
	}
}

// offers draws the buttons of the moves that the table offers, in the game's rows.
func (p *painter) offers(rules engine.Rules, view engine.View, epoch int) {
	for _, move := range view.Offers {
		verb := p.info.Verbs[move.Verb-1]
		button := Button{
			Label: p.lang.Say("verb." + p.info.Name + "." + verb.Name),
			Token: token{Table: p.table.id, Epoch: epoch, Do: rules.Text(move)}.String(),
		}
		switch verb.Aim {
		case engine.AimSeat:
			button.Label = p.table.name(engine.Seat(move.To))
		case engine.AimSelf:
			button.Label = p.table.name(view.Turn[0])
		case engine.AimAmount:
			button.Label = p.amountLabel(move, view.Chips)
		}
		if verb.Row == 0 {
			button.Look = Primary
		}
		p.button(verb.Row, button)
	}
}

// refusalPhrase is a Refusal in words.
func refusalPhrase(err error) *phrase {
	p := phrase{key: err.Error()}
	if own, ok := err.(refusal); ok {
		p = own.phrase
	}
	p.key = fmt.Sprint("no.", p.key)
	return &p
}
