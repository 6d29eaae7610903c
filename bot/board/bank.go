package board

import (
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// barLength is how many signs the bar has that shows how far the bank has come.
const barLength = 9

// bank draws what lies in the bank, and how far it is from what ends it.
func (p progress) bank() {
	chips := p.view.Chips
	p.Phrase(chat.Strong, p.bankNow())
	if chips.Goal > 0 {
		full := int(min(chips.Bank, chips.Goal) * barLength / chips.Goal)
		p.Text("  " + strings.Repeat("▰", full) + strings.Repeat("▱", barLength-full) + "  ")
		p.Phrase(chat.Faint, words.Phrase{Key: "bank.goal", Blanks: words.Blanks{"n": int(chips.Goal)}})
	}
	p.Text("\n")
}

// bankNow says how much lies in the bank, and which chips these are.
func (p progress) bankNow() words.Phrase {
	key := "bank.now"
	if p.table.Practice {
		key = "practice.bank"
	}
	return words.Phrase{Key: key, Blanks: words.Blanks{"n": int(p.view.Chips.Bank)}}
}

// chips draws what a seat has won so far in this bank, and what it has at stake, on its own hand or on somebody else's.
func (p progress) chips(s engine.Seat) {
	chips := p.view.Chips
	if s == 0 {
		p.Text("   ")
		p.Say(chat.Faint, "seat.banker")
		return
	}
	if net := chips.Seats[s]; net != 0 {
		p.Text("   " + Signed(net))
	}
	if chips.Stakes[s] == 0 && len(p.thrown(s)) == 0 && slices.Contains(chips.Apart, s) {
		p.Text("   ")
		p.Say(chat.Faint, "seat.apart")
	}
	if stake := chips.Stakes[s]; stake != 0 {
		p.Text("   ")
		said := words.Phrase{Key: "seat.stake", Blanks: words.Blanks{"n": int(stake)}}
		if on := p.backs(s); on != "" {
			said = words.Phrase{Key: "seat.side", Blanks: words.Blanks{"n": int(stake), "who": words.Text(on)}}
		}
		p.Phrase(chat.Plain, said)
	}
}

// backs is the name of whoever holds the hand on which a seat's stake stands, if that isn't its own; else empty.
func (p progress) backs(s engine.Seat) string {
	if on := p.view.Backed; on != s && on != engine.Nobody {
		return chat.Shorten(p.table.Name(on), shortName)
	}
	return ""
}

// leaving tells that somebody leaves later, if they do.
func (p progress) leaving(c table.Chair) {
	if c.Leaving == table.Stays {
		return
	}
	key := "seat.goes-hand"
	if c.Leaving == table.AfterBank {
		key = "seat.goes-bank"
	}
	p.Text("   ")
	p.Say(chat.Faint, key)
}

// closing tells that the table closes, when, and who asked for it.
func (p *painter) closing() {
	if p.table.Closing != nil {
		p.Text("\n")
		p.Phrase(chat.Strong, *Closes(p.table))
	}
}

// Signed is an amount that was won or lost.
func Signed(amount int64) string {
	switch {
	case amount > 0:
		return "+" + strconv.FormatInt(amount, 10)
	case amount < 0:
		return "−" + strconv.FormatInt(-amount, 10)
	}
	return "0"
}

// handRow is the row of the button with which people see the cards in their hand.
const handRow = 3

// handButton is there where people hold cards.
func (p *painter) handButton(epoch int) {
	if p.info.Hands {
		p.button(handRow, chat.Button{Label: p.Lang.Say("button.hand"), Token: p.action(epoch, "hand")})
	}
}

// bankButtons are the buttons that only a banker's table has. While others may bet along, the buttons for staying out and
// for sitting down stand in a row of their own: so the button that shows a card to all isn't beside the button for one's
// own cards.
func (p *painter) bankButtons(view engine.View, epoch int) {
	row := handRow
	if slices.ContainsFunc(view.Offers, func(m engine.Move) bool { return p.info.Verbs[m.Verb-1].Aim == engine.AimAmount }) {
		p.button(row, chat.Button{Label: p.Lang.Say("button.bet"), Token: p.action(epoch, "bet"), Ask: p.Lang.Say("ask.bet")})
	}
	if view.Brief {
		row++
		p.button(row, chat.Button{Label: p.Lang.Say("button.pass"), Token: p.action(epoch, "pass")})
	}
	open := p.table.Closing == nil && !p.table.Lesson && !p.table.Place.Private
	if open && len(p.table.Chairs)+len(p.table.Waiting) < p.info.MaxSeats {
		p.button(row, chat.Button{Label: p.Lang.Say("button.join"), Token: p.action(epoch, "join")})
	}
}

// waiting names those who sit down with the next deal, as many as stand in a line; no deal follows
// at a table that closes.
func (p progress) waiting() {
	w := words.Writer{Lang: p.Lang}
	w.Say(chat.Faint, "bank.waiting")
	for i, c := range p.table.Waiting {
		more := words.Writer{Lang: p.Lang, Spans: slices.Clone(w.Spans)}
		more.Text(strings.Repeat(",", min(i, 1)) + " ")
		more.Name(chat.Plain, chat.Shorten(c.Name, shortName), c.User)
		if i > 0 && lines(more.Spans) > 1 {
			w.Text(" +" + strconv.Itoa(len(p.table.Waiting)-i))
			break
		}
		w = more
	}
	if len(p.table.Waiting) > 0 && p.table.Closing == nil {
		p.append(w.Spans)
		p.Text("\n")
	}
}

// amountLabel is what stands on the button of a move with an amount.
func (p *painter) amountLabel(move engine.Move, chips *engine.Chips) string {
	key := "amount." + p.info.Name + "." + p.info.Verbs[move.Verb-1].Name
	if all := key + ".all"; chips != nil && int64(move.N) == chips.Bank && p.Lang.Has(all) {
		key = all
	}
	return words.Phrase{Key: key, Blanks: words.Blanks{"n": int(move.N)}}.Flat(p.Lang)
}

// result lists what a deal has brought to whom, and the session when that is over: at a crowded table, and at one that was stopped, the session alone.
func (p *painter) result() {
	t := p.table
	var seats []table.Player
	for i, c := range t.Chairs {
		seats = append(seats, table.Player{User: c.User, Nick: c.Nick, Name: c.Name, Net: t.Chips.Seats[i]})
	}
	over := t.Next == "" && t.Session.Deal > 1
	if !over || len(seats) <= usual && t.Why == "" {
		p.nets(seats)
		if over || t.Next != "" {
			p.Text("\n")
		}
	}
	switch {
	case t.Next != "":
		p.Say(chat.Plain, "session.goes-on")
		p.Text("\n")
	case over:
		p.Phrase(chat.Strong, words.Phrase{Key: "session.over", N: t.Session.Deal, Blanks: words.Blanks{"n": t.Session.Deal}})
		p.Text("\n")
		p.nets(t.Session.People)
	}
}

// nets lists people by what they have won, the one who won most first.
func (p *painter) nets(people []table.Player) {
	people = slices.Clone(people)
	slices.SortStableFunc(people, func(a, b table.Player) int { return int(b.Net - a.Net) })
	for i, one := range people {
		switch {
		case i == 0 && one.Net > 0:
			p.Text("🏆 ")
		default:
			p.Text("   ")
		}
		p.Add(chat.Strong, one.Name)
		p.Text("  " + Signed(one.Net) + "\n")
	}
}

// story tells events in order, line by line. What adds to an event stands on its line, and the cards of a list are one
// phrase.
func story(t *table.Table, info engine.Info, events []engine.Event) [][]words.Phrase {
	var lines [][]words.Phrase
	for i, e := range events {
		p := eventPhrase(t, e)
		switch {
		case info.EventRole(e.What) == engine.EventLists && adds(info, events, i):
		case info.EventRole(e.What) == engine.EventLists:
			p.Blanks = words.Blanks{"cards": listOf(events[i:])}
			lines = append(lines, []words.Phrase{p})
		case i > 0 && adds(info, events, i):
			lines[len(lines)-1] = append(lines[len(lines)-1], p)
		default:
			lines = append(lines, []words.Phrase{p})
		}
	}
	return lines
}

// listOf are the cards of the list with which the events begin.
func listOf(events []engine.Event) []engine.Card {
	var cards []engine.Card
	for _, e := range events {
		if e.What != events[0].What || e.Seat != events[0].Seat {
			break
		}
		cards = append(cards, e.Card)
	}
	return cards
}

// Closes tells when the table closes, and who asked for it.
func Closes(t *table.Table) *words.Phrase {
	if t.Closing.Bank {
		return &words.Phrase{Key: "closing.bank", Blanks: words.Blanks{"who": t.Name(t.Closing.By)}}
	}
	return &words.Phrase{Key: "closing.hand"}
}
