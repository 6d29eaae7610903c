package bot

import (
	"slices"
	"strconv"
	"strings"

	"zevaka/engine"
)

// barLength is how many signs the bar has that shows how far the bank has come.
const barLength = 9

// bank draws what lies in the bank, and how far it is from what ends it.
func (p *painter) bank(chips engine.Chips) {
	p.phrase(Strong, phrase{key: "bank.now", blanks: blanks{"n": int(chips.Bank)}})
	if chips.Goal > 0 {
		full := int(min(chips.Bank, chips.Goal) * barLength / chips.Goal)
		p.text("  " + strings.Repeat("▰", full) + strings.Repeat("▱", barLength-full) + "  ")
		p.phrase(Faint, phrase{key: "bank.goal", blanks: blanks{"n": int(chips.Goal)}})
	}
	p.text("\n")
}

// chips draws what a seat has won so far in this bank, and what it has at stake.
func (p *painter) chips(chips engine.Chips, s engine.Seat) {
	if s == 0 {
		p.text("   ")
		p.say(Faint, "seat.banker")
		return
	}
	if net := chips.Seats[s]; net != 0 {
		p.text("   " + signed(net))
	}
	if stake := chips.Stakes[s]; stake != 0 {
		p.text("   ")
		p.phrase(Plain, phrase{key: "seat.stake", blanks: blanks{"n": int(stake)}})
	}
}

// signed is an amount that was won or lost.
func signed(amount int64) string {
	switch {
	case amount > 0:
		return "+" + strconv.FormatInt(amount, 10)
	case amount < 0:
		return "−" + strconv.FormatInt(-amount, 10)
	}
	return "0"
}

// bankButtons are the buttons that only a banker's table has.
func (p *painter) bankButtons(view engine.View, epoch int) {
	const own = 3
	p.button(own, Button{Label: p.lang.Say("button.hand"), Token: p.wish(epoch, "hand")})
	if slices.ContainsFunc(view.Offers, func(m engine.Move) bool { return p.info.Verbs[m.Verb-1].Aim == engine.AimAmount }) {
		p.button(own, Button{Label: p.lang.Say("button.bet"), Token: p.wish(epoch, "bet"), Ask: p.lang.Say("ask.bet")})
	}
	if view.Brief {
		p.button(own, Button{Label: p.lang.Say("button.pass"), Token: p.wish(epoch, "pass")})
	}
	if len(p.table.Chairs)+len(p.table.Waiting) < p.info.MaxSeats {
		p.button(own, Button{Label: p.lang.Say("button.join"), Token: p.wish(epoch, "join")})
	}
}

// waiting names those who sit down with the next deal.
func (p *painter) waiting() {
	for i, c := range p.table.Waiting {
		if i == 0 {
			p.say(Faint, "bank.waiting")
			p.text(" ")
		} else {
			p.text(", ")
		}
		p.text(c.Name)
	}
	if len(p.table.Waiting) > 0 {
		p.text("\n")
	}
}

// amountLabel is what stands on the button of a move with an amount.
func (p *painter) amountLabel(move engine.Move, chips *engine.Chips) string {
	key := "amount." + p.info.Name + "." + p.info.Verbs[move.Verb-1].Name
	if all := key + ".all"; chips != nil && int64(move.N) == chips.Bank && p.lang.Has(all) {
		key = all
	}
	return phrase{key: key, blanks: blanks{"n": int(move.N)}}.flat(p.lang)
}

// result lists what a deal has brought to whom, and the session when that is over.
func (p *painter) result() {
	t := p.table
	var seats []player
	for i, c := range t.Chairs {
		seats = append(seats, player{User: c.User, Name: c.Name, Net: t.Chips.Seats[i]})
	}
	p.nets(seats)
	switch {
	case t.Next != "":
		p.text("\n")
		p.say(Plain, "session.goes-on")
		p.text("\n")
	case t.Session.Deal > 1:
		p.text("\n")
		p.phrase(Strong, phrase{key: "session.over", n: t.Session.Deal, blanks: blanks{"n": t.Session.Deal}})
		p.text("\n")
		p.nets(t.Session.People)
	}
}

// nets lists people by what they have won, the one who won most first.
func (p *painter) nets(people []player) {
	people = slices.Clone(people)
	slices.SortStableFunc(people, func(a, b player) int { return int(b.Net - a.Net) })
	for i, one := range people {
		switch {
		case i == 0 && one.Net > 0:
			p.text("🏆 ")
		default:
			p.text("   ")
		}
		p.add(Strong, one.Name)
		p.text("  " + signed(one.Net) + "\n")
	}
}

// story tells events in order, line by line: what adds to something stands behind it, and the cards of a hand are one
// phrase.
func (t *table) story(events []engine.Event) [][]phrase {
	var lines [][]phrase
	for i, e := range events {
		p := t.eventPhrase(e)
		isHand := e.What == "hand"
		if isHand && i > 0 && events[i-1].What == e.What && events[i-1].Seat == e.Seat {
			continue
		}
		if isHand {
			p.blanks["cards"] = handOf(events[i:])
		}
		if i > 0 && belongs(e.What) && !isHand {
			lines[len(lines)-1] = append(lines[len(lines)-1], p)
			continue
		}
		lines = append(lines, []phrase{p})
	}
	return lines
}

// handOf are the cards of the hand with which the events begin.
func handOf(events []engine.Event) []engine.Card {
	var cards []engine.Card
	for _, e := range events {
		if e.What != events[0].What || e.Seat != events[0].Seat {
			break
		}
		cards = append(cards, e.Card)
	}
	return cards
}
