package bot

import (
	"strconv"

	"zevaka/engine"
)

// lobby draws a table before the deal.
func (p *painter) lobby() {
	p.heading()
	t := p.table
	p.phrase(Faint, phrase{key: "lobby.seats", blanks: blanks{
		"n": len(t.Chairs), "min": p.info.MinSeats, "max": p.info.MaxSeats,
	}})
	p.text("\n")
	for i, c := range t.Chairs {
		p.text(strconv.Itoa(i+1) + ". " + c.Name)
		if c.User != 0 && c.User == t.Host {
			p.text(" ")
			p.say(Faint, "lobby.host")
		}
		p.text("\n")
	}
	p.say(Faint, "lobby.draw")
	p.text(" ")
	p.add(Code, t.Draw.Commitment())
	if t.Panel {
		p.panel()
		return
	}
	p.lobbyButton(0, "join", Primary)
	p.lobbyButton(0, "leave", Quiet)
	if !p.info.Banker {
		p.lobbyButton(1, "robot", Quiet)
	}
	if len(t.Chairs) > t.persons() {
		p.lobbyButton(1, "norobot", Quiet)
	}
	p.lobbyButton(1, "panel", Quiet)
	p.lobbyButton(1, "rules", Quiet)
	p.lobbyButton(2, "deal", Primary)
	p.lobbyButton(2, "stop", Danger)
}

// lobbyButton adds one of the lobby's buttons, named after what it does.
func (p *painter) lobbyButton(row int, do string, look Look) {
	p.button(row, Button{Label: p.lang.Say("button." + do), Token: p.wish(0, do), Look: look})
}

// panel draws the switches of the game and of the table: what is chosen stands on the button.
func (p *painter) panel() {
	t, name := p.table, p.info.Name
	for _, set := range p.info.Sets {
		look := Quiet
		if chosen(t.Options, set) {
			look = Primary
		}
		p.button(0, Button{Label: p.lang.Say("set." + name + "." + slug(set)), Token: p.wish(0, "set "+slug(set)), Look: look})
	}
	for _, o := range p.info.Options {
		if len(o.Values) < 2 {
			continue
		}
		label := p.lang.Say("option."+name+"."+o.Name) + ": " + p.shortValue(o)
		p.button(1, Button{Label: label, Token: p.wish(0, "opt "+o.Name)})
	}
	p.button(2, Button{Label: "⏱ " + limitPhrase(t.Limit).flat(p.lang), Token: p.wish(0, "limit")})
	switch {
	case p.info.Banker:
		label := phrase{key: "button.rounds", n: t.Rounds, blanks: blanks{"n": t.Rounds}}.flat(p.lang)
		p.button(2, Button{Label: label, Token: p.wish(0, "rounds")})
	case t.Fast:
		p.button(2, Button{Label: p.lang.Say("button.fast-on"), Token: p.wish(0, "fast")})
	default:
		p.button(2, Button{Label: p.lang.Say("button.fast-off"), Token: p.wish(0, "fast")})
	}
	p.lobbyButton(2, "join", Quiet)
	p.button(2, Button{Label: p.lang.Say("button.panel-done"), Token: p.wish(0, "panel"), Look: Primary})
}

// shortValue is what an option stands at, short enough for a button.
func (p *painter) shortValue(o engine.Option) string {
	value := p.table.Options[o.Name]
	for _, key := range []string{"value." + p.info.Name + "." + o.Name + "." + value, "value." + value} {
		if p.lang.Has(key) {
			return p.lang.Say(key)
		}
	}
	return value
}

// cutting draws a table whose seats are fixed and whose cards wait for the cut.
func (p *painter) cutting() {
	p.heading()
	t := p.table
	for i, c := range t.Chairs {
		p.text(strconv.Itoa(i+1) + ". " + c.Name)
		if c.User != 0 && c.computer() {
			p.text(" 💤")
		}
		if i == t.dealerSeat(p.info.Banker) && !isSolo(p.info) {
			p.text(" ")
			p.say(Faint, map[bool]string{false: "lobby.dealer", true: "seat.banker"}[p.info.Banker])
		}
		p.text("\n")
	}
	p.say(Faint, "deal.commitment")
	p.text(" ")
	p.add(Code, t.Seed.Commitment())
	p.text("\n\n")
	p.phrase(Strong, phrase{key: "cut.ask", blanks: blanks{"who": t.Chairs[t.Cutter].Name}})
	for _, n := range []string{"7", "13", "99", "365", "777"} {
		p.button(0, Button{Label: n, Token: p.wish(1, "cut "+n), Look: Primary})
	}
	p.button(1, Button{Label: p.lang.Say("button.own-cut"), Token: p.wish(1, "cut"), Ask: p.lang.Say("ask.cut")})
	p.button(1, Button{Label: p.lang.Say("button.no-cut"), Token: p.wish(1, "no-cut")})
	p.button(1, Button{Label: p.lang.Say("button.stop"), Token: p.wish(1, "stop"), Look: Danger})
}

// ended draws a table's last picture: the places, or why it was stopped, and what one needs to check the deal.
func (p *painter) ended() {
	p.heading()
	t := p.table
	if t.Why != "" {
		p.say(Strong, t.Why)
		p.text("\n")
	}
	switch {
	case t.Chips != nil:
		p.result()
	case t.Result != nil && t.Result.Patience != nil:
		p.finish(*t.Result.Patience)
	case t.Result != nil:
		p.places(*t.Result)
	}
	for _, e := range t.Last {
		if e.What == "guard" {
			p.phrase(Plain, t.eventPhrase(e))
			p.text("\n")
		}
	}
	if t.Chips != nil && t.Result != nil {
		p.news(engine.View{})
		p.text("\n")
	}
	if t.Dealt == 0 {
		return
	}
	for _, line := range []struct{ key, value string }{
		{"deal.commitment", t.Seed.Commitment()}, {"end.seed", hexSeed(t.Seed)}, {"end.cut", strconv.Quote(t.Cut)},
	} {
		p.text("\n")
		p.say(Faint, line.key)
		p.text(" ")
		p.add(Code, line.value)
	}
	if t.Next != "" {
		return
	}
	p.button(0, Button{Label: p.lang.Say("button.again"), Token: p.wish(0, "again"), Look: Primary})
}

func hexSeed(seed engine.Seed) string {
	text, _ := seed.MarshalText() // It never fails.
	return string(text)
}

// places lists the seats from the winner to the last. Seats that tie share a place.
func (p *painter) places(result engine.Result) {
	last := len(result.Places)
	for i := 0; i < len(result.Places); {
		group := 1
		for _, tie := range result.Ties {
			if tie[0] == result.Places[i] {
				group = len(tie)
			}
		}
		for _, seat := range result.Places[i : i+group] {
			switch {
			case group == last:
				p.text("🤝 ")
			case i == 0:
				p.text("🏆 ")
			case i+group == last:
				p.text("🥱 ")
			default:
				p.text(strconv.Itoa(i+1) + ". ")
			}
			p.add(Strong, p.table.name(seat))
			if i+group == last && group < last && p.lang.Has("last."+p.info.Name) {
				p.text(" ")
				p.say(Plain, "last."+p.info.Name)
			}
			p.text("\n")
		}
		i += group
	}
}
