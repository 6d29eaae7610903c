// Package board draws a table: it turns what is stored of it, and a View of its cards, into a message; it reads the
// moves that people type by what they see there; and it says what a table teaches at each turn of a lesson.
package board

import (
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/picture"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// Drawing is a table as it is to be drawn, in one language.
type Drawing struct {
	Table *table.Table
	Rules engine.Rules
	Lang  *words.Lang
	// Pictures makes the pictures; nil if there are to be none.
	Pictures *picture.Painter
	// Call is a line to stand above the table; nil if there is none.
	Call *words.Phrase
	// Tip is what a lesson says of the position; empty elsewhere.
	Tip string
	// Bare says that of a deal in progress only the buttons are wanted, and nothing of what stands above them.
	Bare bool
}

// NeedsView reports whether message shows a position: in a deal in progress, and after one that is shown as a picture.
func (d Drawing) NeedsView() bool {
	return d.Table.Phase == table.Playing || d.Table.Phase == table.Ended && d.Pictured()
}

// Message is what a seat may see of the table, or everybody. The view is that of the seat, or of Nobody, and zero where NeedsView
// is false; the epoch is that of the buttons.
func (d Drawing) Message(view engine.View, epoch int) chat.Message {
	p := d.painter()
	if d.Call != nil {
		p.Phrase(chat.Plain, *d.Call)
		p.Text("\n")
	}
	switch d.Table.Phase {
	case table.Lobby:
		p.lobby()
	case table.Cutting:
		p.cutting()
	case table.Playing:
		p.deal(view, epoch)
	case table.Ended:
		p.ended()
		switch {
		case !d.Pictured():
		case p.info.ForOne():
			view.Offers = nil
			p.shot = p.picture(view)
		default:
			progress{p, view}.final()
		}
	}
	return chat.Message{Text: closed(p.Spans), Picture: p.shot, Choices: p.lists, Buttons: p.rows()}
}

// closed is a text without the line breaks at its end.
func closed(text []chat.Span) []chat.Span {
	for n := len(text); n > 0; n = len(text) {
		last := &text[n-1]
		if last.Text = strings.TrimRight(last.Text, "\n"); last.Text != "" {
			break
		}
		text = text[:n-1]
	}
	return text
}

// News is what happened, in one line of at most chat.MaxToast characters. The view is that of Nobody; nil if there is none.
func (d Drawing) News(events []engine.Event, view *engine.View) string {
	var parts []string
	info := d.Rules.Info()
	lines := story(d.Table, info, events)
	if info.ForOne() && view != nil {
		lines = d.painter().happened(events, *view)
	}
	for _, line := range lines {
		for _, p := range line {
			parts = append(parts, p.Flat(d.Lang))
		}
	}
	return chat.Shorten(strings.Join(parts, " "), chat.MaxToast)
}

// Finish tells how a game for one has ended that was played to its end.
func (d Drawing) Finish() []chat.Span {
	p := d.painter()
	p.heading()
	p.finish(*d.Table.Result.Patience)
	return p.Spans
}

// Piles are the piles of a game for one in words, as they are shown without a picture.
func (d Drawing) Piles(view engine.View) []chat.Span {
	p := d.painter()
	p.layout(view)
	return p.Spans
}

// Pictured reports whether the table as it is now is shown as a picture: a deal for one, a deal for several where pictures
// were chosen, even if it was stopped, and the end of any deal that was played out.
func (d Drawing) Pictured() bool {
	t, info := d.Table, d.Rules.Info()
	switch {
	case d.Pictures == nil || t.Plain || !info.ForOne() && t.Place.Community.Platform.DrawsTables():
		return false
	case t.Phase == table.Ended:
		return t.Rev == info.Rev && (t.Result != nil || t.Pictures && !info.ForOne() && t.Dealt != 0)
	}
	return t.Phase == table.Playing && (info.ForOne() || t.Pictures)
}

func (d Drawing) painter() *painter {
	return &painter{Writer: words.Writer{Lang: d.Lang}, Drawing: d, info: d.Rules.Info(), table: d.Table}
}

// painter draws one table: what it is called and who sits there, what the View shows, and the buttons.
type painter struct {
	words.Writer
	Drawing Drawing
	table   *table.Table
	info    engine.Info
	buttons [][]chat.Button
	lists   []chat.Menu
	shot    *picture.Picture
}

// deal draws a deal in progress.
func (p *painter) deal(view engine.View, epoch int) {
	switch rules := p.Drawing.Rules; {
	case p.Drawing.Bare && p.info.ForOne():
		p.moves(rules, view, epoch)
	case p.Drawing.Bare:
		progress{p, view}.choices(rules, epoch)
	case p.Drawing.Pictured() && p.info.ForOne():
		p.heading()
		sayTip(p)
		p.news(view)
		p.moves(rules, view, epoch)
		p.shot = p.picture(view)
	case p.info.ForOne():
		p.solitaire(rules, view, epoch)
	default:
		progress{p, view}.draw(rules, epoch)
	}
}

// lessonEnd adds the button with which a lesson ends.
func lessonEnd(p *painter, row, epoch int) {
	p.button(row, chat.Button{Label: p.Lang.Say("button.enough"), Token: p.action(epoch, "enough")})
}

// sayTip says what a lesson says of a game for one.
func sayTip(p *painter) {
	if tip := p.Drawing.Tip; tip != "" {
		p.Text(tip + "\n")
	}
}

// button adds a button to a row.
func (p *painter) button(row int, b chat.Button) {
	for len(p.buttons) <= row {
		p.buttons = append(p.buttons, nil)
	}
	p.buttons[row] = append(p.buttons[row], b)
}

// rows are the rows of buttons that have any, none longer than five.
func (p *painter) rows() [][]chat.Button {
	var rows [][]chat.Button
	for _, row := range p.buttons {
		for len(row) > MaxRow {
			half := (len(row) + 1) / 2
			rows = append(rows, row[:min(half, MaxRow)])
			row = row[min(half, MaxRow):]
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// MaxRow is how many buttons stand in one row.
const MaxRow = 5

// action is the token of one of the table's own buttons.
func (p *painter) action(epoch int, do string) string {
	return table.Token{Table: p.table.ID, Epoch: epoch, Do: "!" + do}.String()
}

// heading is the first line: the game, its rules in short, the time for a turn.
func (p *painter) heading() {
	p.Add(chat.Strong, Title(p.info, p.table, p.Lang))
	if p.info.ForOne() {
		p.alone()
		return
	}
	if p.table.Rounds > 1 {
		p.Text("   🏦 ")
		p.Phrase(chat.Plain, words.Phrase{Key: "bank.rounds", N: p.table.Rounds, Blanks: words.Blanks{"n": p.table.Rounds}})
	}
	p.Text("   ⏱ ")
	p.Phrase(chat.Plain, LimitPhrase(p.table.Limit))
	if p.table.Fast {
		p.Text(" ⚡")
	}
	p.Text("\n")
}

// eventPhrase is an event in words.
func eventPhrase(t *table.Table, e engine.Event) words.Phrase {
	key := "event." + e.What
	if e.Seat == engine.Nobody {
		key += "-nobody"
	}
	return words.Phrase{Key: key, N: int(e.N), Find: func(blank string) any {
		switch blank {
		case "who":
			return t.Name(e.Seat)
		case "to":
			return t.Name(e.To)
		case "card":
			return e.Card
		case "on":
			return e.On
		case "n":
			return int(e.N)
		case "percent":
			return int(e.N+5) / 10
		case "cut":
			return words.Exact(t.Cut)
		case "cuts":
			return words.Text(cutsOf(t))
		}
		return nil
	}}
}

// draw draws it all.
func (p progress) draw(rules engine.Rules, epoch int) {
	p.turn()
	if p.Drawing.Pictured() {
		p.waiting()
		for _, line := range append(p.remarks(), p.footer()) {
			p.append(line)
			p.Text("\n")
		}
		p.shot = p.several()
	} else {
		p.position()
		p.waiting()
		p.below()
	}
	p.choices(rules, epoch)
}

// choices are the buttons of what may be done.
func (p progress) choices(rules engine.Rules, epoch int) {
	view := p.view
	if !p.table.Lesson || len(view.Turn) > 0 && !p.table.Chairs[view.Turn[0]].Computer() { // A learner waits, and isn't asked.
		p.offers(rules, view, epoch)
	}
	p.handButton(epoch)
	if view.Chips != nil {
		p.bankButtons(view, epoch)
	}
	p.skipButton(epoch)
	p.backButton(epoch)
	if p.Drawing.Bare {
		p.button(lastRow, chat.Button{Label: p.Lang.Say("button.rules"), Token: p.action(epoch, "rules")})
	}
	if p.table.Lesson {
		lessonEnd(p.painter, lastRow, epoch)
		return
	}
	p.button(lastRow, chat.Button{Label: p.Lang.Say("button.leave"), Token: p.action(epoch, "leave ask")})
}

// position draws what lies on the table.
func (p progress) position() {
	if p.view.Chips != nil {
		p.bank()
	}
	p.common()
	for seat := range p.table.Chairs {
		p.short(func(one *painter) { progress{one, p.view}.seat(engine.Seat(seat)) })
	}
}

// skipButton is there for those who may end the turn of who sleeps, and counts those who have pressed it.
func (p progress) skipButton(epoch int) {
	if p.table.MaySkip() == 0 {
		return
	}
	who := words.Text(chat.Shorten(p.table.Chairs[p.table.Mover].Name, shortName))
	label := words.Phrase{Key: "button.skip", Blanks: words.Blanks{"who": who}}.Flat(p.Lang)
	if p.table.Waives() {
		label += " (1/2)"
	}
	p.button(lastRow, chat.Button{Label: label, Token: p.action(epoch, "skip "+strconv.Itoa(p.table.Mover))})
}

// backButton is there for those who may come back, and names them.
func (p progress) backButton(epoch int) {
	var who []string
	for _, c := range p.table.Chairs {
		if c.User != 0 && (c.Computer() || c.Leaving == table.AfterHand) && !c.Removed {
			who = append(who, chat.Shorten(c.Name, shortName))
		}
	}
	if len(who) > 0 {
		label := words.Phrase{Key: "button.back-who", Blanks: words.Blanks{"who": words.Text(strings.Join(who, ", "))}}.Flat(p.Lang)
		p.button(lastRow, chat.Button{Label: chat.Shorten(label, maxBack), Token: p.action(epoch, "back")})
	}
}

// maxBack is how many characters stand on the button of those who may come back.
const maxBack = 48

// pile draws one pile: how many cards lie face down, and those that may be seen.
func (p *painter) pile(pile engine.Pile) {
	if len(pile.Cards) == 0 {
		p.Add(chat.Faint, "–")
	}
	if top := len(pile.Cards) - 1; top >= 0 {
		switch first := runStart(pile.Cards); {
		case pile.Cards[top] == 0:
			p.Text("🂠 " + strconv.Itoa(len(pile.Cards)))
		case pile.Role == engine.PileHand, pile.Role == engine.PileTableau:
			for i, c := range pile.Cards {
				if i > 0 {
					p.Text(" ")
				}
				p.Card(c)
			}
		case pile.Next == nil && top > 0:
			p.Card(pile.Cards[top])
			p.Add(chat.Faint, " ("+strconv.Itoa(len(pile.Cards))+")")
		default:
			for _, c := range pile.Cards[:first] {
				if c.Rank() == engine.Ace {
					p.Add(chat.Faint, words.Suit(c.Suit())+"✓ ")
				}
			}
			if first < top {
				p.Card(pile.Cards[first])
				p.Text(" … ")
			}
			p.Card(pile.Cards[top])
			if pile.Cards[0] == 0 {
				p.Add(chat.Faint, " ("+strconv.Itoa(len(pile.Cards))+")")
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

// next draws what a pile takes next: one card, any card of a rank, or one of some cards.
func (p *painter) next(cards []engine.Card) {
	if len(cards) == 0 {
		return
	}
	p.Text("   ")
	p.Say(chat.Faint, "pile.next")
	p.Text(" ")
	if len(cards) == 4 {
		p.Text(p.Lang.Rank(cards[0].Rank()))
		return
	}
	for i, c := range cards {
		if i > 0 {
			p.Text(" ")
		}
		p.Card(c)
	}
}

// seat draws the line of one seat: whether it is to move, its name, its piles.
func (p progress) seat(s engine.Seat) {
	view := p.view
	c := p.table.Chairs[s]
	mark, style := "   ", chat.Plain
	if len(view.Turn) > 0 && view.Turn[0] == s && (view.Chips == nil || !view.Brief) { // Others may bet then.
		mark, style = "▶ ", chat.Strong
	}
	p.Text(mark)
	p.Add(style, c.Name)
	if c.User != 0 && c.Computer() {
		p.Text(" 💤")
	}
	empty := true
	for _, pile := range view.Piles {
		if pile.Seat != s || len(pile.Cards) == 0 {
			continue
		}
		empty = false
		p.Text("   ")
		if key := "pile." + pile.Kind; p.Lang.Has(key) {
			p.Say(chat.Plain, key)
			p.Text(" ")
		}
		p.pile(pile)
	}
	for i, card := range p.thrown(s) {
		p.Text(strings.Repeat(" ", max(1, 3-2*i)))
		p.Card(card)
	}
	switch {
	case view.Chips != nil:
		p.chips(s)
		p.leaving(c)
	case empty && c.Out:
		p.Text("   ")
		p.Say(chat.Faint, "seat.out")
	case empty:
		p.Add(chat.Faint, "   –")
	}
	p.Text("\n")
}

// news tells what happened last, and what is special about the position.
func (p *painter) news(view engine.View) {
	happened := story(p.table, p.info, p.table.Last)
	if p.info.ForOne() {
		happened = p.happened(p.table.Last, view)
	}
	for _, line := range happened {
		p.Text("\n")
		p.sentences(line)
	}
	switch {
	case p.table.Asleep:
		p.Text("\n")
		p.Say(chat.Strong, "asleep")
	case view.Note != "":
		p.Text("\n")
		p.Phrase(chat.Strong, Note(p.table, view))
	}
}

// sentences writes one line of what happened.
func (p *painter) sentences(line []words.Phrase) {
	for i, sentence := range line {
		if i > 0 {
			p.Text(" ")
		}
		p.Phrase(chat.Faint, sentence)
	}
}

// shortName is how many letters of a name stand on a button that says more than the name.
const shortName = 12

// lastRow is the row of the ways out, and of what is too early.
const lastRow = 4

// offers draws the buttons of the moves that the table offers, in the game's rows; what would come too early stands last.
func (p *painter) offers(rules engine.Rules, view engine.View, epoch int) {
	for _, move := range view.Offers {
		verb := p.info.Verbs[move.Verb-1]
		button := chat.Button{
			Label: p.Lang.Say("verb." + p.info.Name + "." + verb.Name),
			Token: table.Token{Table: p.table.ID, Epoch: epoch, Do: rules.Text(move)}.String(),
		}
		switch verb.Aim {
		case engine.AimSeat:
			button.Label = "→ " + p.table.Name(engine.Seat(move.To))
		case engine.AimSelf:
			who := words.Text(chat.Shorten(p.table.Name(view.Turn[0]), shortName))
			button.Label = words.Phrase{Key: "verb." + p.info.Name + "." + verb.Name, Blanks: words.Blanks{"who": who}}.Flat(p.Lang)
		case engine.AimAmount:
			button.Label = p.amountLabel(move, view.Chips)
		}
		row := verb.Row
		switch {
		case view.Early && verb.Early:
			row = lastRow
		case row == 0:
			button.Look = chat.Primary
		}
		p.button(row, button)
	}
}

// Newest are the last of the events, as many as make at most n lines; a part of them, not a copy. The first of them begins
// a line.
func Newest(info engine.Info, events []engine.Event, n int) []engine.Event {
	first := len(events)
	for i := len(events) - 1; i >= 0 && n > 0; i-- {
		if !adds(info, events, i) {
			first, n = i, n-1
		}
	}
	return events[first:]
}

// Lines are how many lines the events make.
func Lines(info engine.Info, events []engine.Event) (n int) {
	for i := range events {
		if !adds(info, events, i) {
			n++
		}
	}
	return n
}

// adds reports whether an event only adds to the one before: it belongs to that, or is another card of the same list.
func adds(info engine.Info, events []engine.Event, i int) bool {
	switch info.EventRole(events[i].What) {
	case engine.EventLists:
		return i > 0 && events[i-1].What == events[i].What && events[i-1].Seat == events[i].Seat
	case engine.EventAdds:
		return true
	}
	return false
}

// Chosen reports whether the options hold all that the set asks for.
func Chosen(options map[string]string, set engine.Set) bool {
	for name, value := range set.Options {
		if options[name] != value {
			return false
		}
	}
	return true
}

// FindSet is the game's set that is called so, in whatever letters; false if there is none.
func FindSet(info engine.Info, name string) (engine.Set, bool) {
	for _, set := range info.Sets {
		if slices.ContainsFunc(set.Names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return set, true
		}
	}
	return engine.Set{}, false
}
