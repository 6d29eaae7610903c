package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// lobby draws a table before the deal.
func (p *painter) lobby() {
	p.heading()
	t := p.table
	p.Phrase(chat.Faint, words.Phrase{Key: "lobby.seats", Blanks: words.Blanks{
		"n": len(t.Chairs), "min": p.info.MinSeats, "max": p.info.MaxSeats,
	}})
	p.Text("\n")
	p.digits(t.Draw)
	p.Text("\n")
	p.append(apartBy(p, []int{shortName}, func(p *painter) {
		p.people(func(_ int, c table.Chair) {
			if c.User != 0 && c.User == t.Host {
				p.Text(" ")
				p.Say(chat.Faint, "lobby.host")
			}
			if sign := c.Temper.Sign(); sign != "" {
				p.Text(" " + sign)
			}
		})
	}))
	if t.Practice {
		p.Text("\n")
		p.Say(chat.Faint, "practice.about")
	}
	for _, c := range t.Kept {
		p.kept(c)
	}
	if t.Rematch && len(t.Kept) > 0 {
		p.Text("\n")
		p.Say(chat.Plain, "lobby.rematch")
	}
	open := t.Panel && !t.HasOwnPanel() && !t.RulesStand(p.info.Banker, t.Host)
	if open {
		p.chosenSets()
	}
	switch {
	case t.Place.Private && t.Persons() > 0: // Nobody else can come.
	case t.Rematch:
		p.button(0, chat.Button{Label: p.Lang.Say("button.join-again"), Token: p.action(0, t.JoinAs(p.info.Banker)), Look: chat.Primary})
	default:
		p.button(0, chat.Button{Label: p.Lang.Say("button.join"), Token: p.action(0, t.JoinAs(p.info.Banker)), Look: chat.Primary})
	}
	p.lobbyButton(0, "leave", chat.Quiet)
	if len(p.info.Lessons) > 0 {
		learn := LessonButton(p.Lang, t.Place, p.info, 0)
		learn.Label = p.Lang.Say("button.lesson")
		p.button(0, learn)
	}
	if !p.info.Banker || t.Practice {
		label := strings.TrimSpace(p.Lang.Say("button.robot") + " " + t.Temper.Sign())
		p.button(1, chat.Button{Label: label, Token: p.action(0, "robot")})
	}
	if len(t.Chairs) > t.Persons() {
		p.lobbyButton(1, "norobot", chat.Quiet)
	}
	if open {
		p.button(1, chat.Button{Label: p.Lang.Say("button.panel-done"), Token: p.action(0, "panel"), Look: chat.Primary})
	} else {
		p.lobbyButton(1, "panel", chat.Quiet)
	}
	p.lobbyButton(1, "rules", chat.Quiet)
	p.lobbyButton(2, "deal", chat.Primary)
	p.lobbyButton(2, "stop", chat.Danger)
	p.lobbyButton(2, "check", chat.Quiet)
	if open {
		p.panel(t.Details, "details")
	}
}

// PanelPost is the panel of a lobby's switches for the one who asks alone, who is spoken to in the Drawing's language: with
// every option of the game if they have just pressed one of them, or asked for that.
func (d Drawing) PanelPost(r chat.Request, pressed string) chat.Post {
	p := d.painter()
	p.Say(chat.Plain, "lobby.panel")
	p.chosenSets()
	p.panel(pressed == "details" || pressed == "opt", "panel")
	p.button(lastRow+1, chat.Button{Label: p.Lang.Say("button.panel-done"), Token: p.action(0, "panel done"), Look: chat.Primary})
	return chat.Post{In: r.In, To: &r.Who, Open: chat.Personal, Message: chat.Message{Text: closed(p.Spans), Buttons: p.rows()}}
}

// panel draws the switches of a lobby, with every option of the game or with its named sets. Back is what leads from those to
// these.
func (p *painter) panel(all bool, back string) {
	switch {
	case p.table.RulesStand(p.info.Banker, p.table.Host): // There is nothing to switch.
	case all || len(p.info.Sets) == 0:
		p.details(back)
	default:
		p.sets()
	}
}

// chosenSets says what the sets of rules mean that are chosen, as far as a phone has room for it.
func (p *painter) chosenSets() {
	for _, set := range p.info.Sets {
		key := "set." + p.info.Name + "." + Slug(set)
		if !Chosen(p.table.Options, set) || !p.Lang.Has(key+".about") {
			continue
		}
		about := words.Writer{Lang: p.Lang}
		about.Say(chat.Strong, key)
		about.Text(": " + p.Lang.Say(key+".about"))
		if lines(p.Spans)+lines(about.Spans) <= phoneLines {
			p.Text("\n")
			p.append(about.Spans)
		}
	}
}

// people are those at the table by their numbers, on as many lines as it takes, each with what belongs behind the name.
func (p *painter) people(behind func(seat int, c table.Chair)) {
	for seat, c := range p.table.Chairs {
		if seat > 0 {
			p.Text(" · ")
		}
		p.Text(strconv.Itoa(seat+1) + ". " + c.Name)
		behind(seat, c)
	}
}

// kept names somebody for whom a seat is kept.
func (p *painter) kept(c table.Chair) {
	p.Text(" · ")
	p.Name(chat.Plain, c.Name, c.User)
	p.Text(" ")
	p.Say(chat.Faint, "lobby.kept")
}

// lobbyButton adds one of the lobby's buttons, named after what it does.
func (p *painter) lobbyButton(row int, do string, look chat.Look) {
	p.button(row, chat.Button{Label: p.Lang.Say("button." + do), Token: p.action(0, do), Look: look})
}

// sets draws the sets of rules below the lobby's own buttons, and the switches of the table.
func (p *painter) sets() {
	t, name := p.table, p.info.Name
	for _, set := range p.info.Sets {
		button := chat.Button{Label: p.Lang.Say("set." + name + "." + Slug(set)), Token: p.action(0, "set "+Slug(set)), Look: chat.Quiet}
		if Chosen(t.Options, set) {
			button.Label, button.Look = "✓ "+button.Label, chat.Primary
		}
		p.button(3, button)
	}
	p.switches()
	p.lobbyButton(4, "details", chat.Quiet)
}

// details draws every option there that can be turned: what it stands at is on the button.
func (p *painter) details(back string) {
	for _, o := range p.info.Options {
		if _, ok := p.info.NextValue(p.table.Options, o.Name); !ok {
			continue
		}
		p.button(3, chat.Button{Label: optionLabel(p.info.Name, p.table, p.Lang, o), Token: p.action(0, "opt "+o.Name)})
	}
	if len(p.info.Sets) == 0 {
		p.switches()
		return
	}
	p.button(3, chat.Button{Label: p.Lang.Say("button.details-done"), Token: p.action(0, back)})
}

// switches draws those of the table.
func (p *painter) switches() {
	for _, name := range []string{"limit", "rounds", "fast", "temper"} {
		if (name == "rounds" && !p.info.Banker) || (name == "fast" && p.info.Banker) ||
			(name == "temper" && p.info.Banker && !p.table.Practice) {
			continue
		}
		p.button(4, chat.Button{Label: switchLabel(p.table, p.Lang, name), Token: p.action(0, name)})
	}
}

// switchLabel is what one of the table's switches stands at.
func switchLabel(t *table.Table, lang *words.Lang, name string) string {
	switch {
	case name == "limit":
		return "⏱ " + LimitPhrase(t.Limit).Flat(lang)
	case name == "rounds":
		return words.Phrase{Key: "button.rounds", N: t.Rounds, Blanks: words.Blanks{"n": t.Rounds}}.Flat(lang)
	case name == "temper":
		how := strings.TrimSpace(lang.Say(t.Temper.Key()) + " " + t.Temper.Sign())
		return words.Phrase{Key: "button.temper", Blanks: words.Blanks{"what": words.Text(how)}}.Flat(lang)
	case t.Fast:
		return lang.Say("button.fast-on")
	}
	return lang.Say("button.fast-off")
}

// optionLabel is what an option of the game stands at, with its name.
func optionLabel(game string, t *table.Table, lang *words.Lang, o engine.Option) string {
	return lang.Say("option."+game+"."+o.Name) + ": " + shortValue(game, o.Name, t.Options[o.Name], lang)
}

// Switched tells whoever has pressed a switch of the lobby what came of it. The argument is the set or the option.
func (d Drawing) Switched(name, arg string) *words.Phrase {
	info, t, now := d.Rules.Info(), d.Table, ""
	switch name {
	case "panel", "details":
		key := "done." + name
		if name == "panel" && !t.Panel || name == "details" && !t.Details {
			key += "-off"
		}
		return &words.Phrase{Key: key}
	case "set":
		set, _ := FindSet(info, arg)
		value := "value.off"
		if Chosen(t.Options, set) {
			value = "value.on"
		}
		now = d.Lang.Say("set."+info.Name+"."+Slug(set)) + ": " + d.Lang.Say(value)
	case "opt":
		i := slices.IndexFunc(info.Options, func(o engine.Option) bool { return o.Name == arg })
		now = optionLabel(info.Name, t, d.Lang, info.Options[i])
	default:
		now = switchLabel(t, d.Lang, name)
	}
	return &words.Phrase{Key: "done.switch", Blanks: words.Blanks{"what": words.Text(now)}}
}

// Stopped tells whoever has ended the table, in that phase and before its time, that it has ended.
func Stopped(t *table.Table, phase table.Phase) words.Phrase {
	switch {
	case byHand(t) && phase == table.Playing:
		return words.Phrase{Key: "done.stop-game"}
	case byHand(t):
		return words.Phrase{Key: "done.stop"}
	}
	return words.Phrase{Key: t.Why}
}

func byHand(t *table.Table) bool { return t.Why == "stop-host" || t.Why == "stop-admin" }

// Why says why a table ended before its time, and who closed it, if they sat there as its host.
func Why(t *table.Table) words.Phrase {
	if who := t.HostName(); who != "" && t.Why == "stop-host" {
		return words.Phrase{Key: "stop-by", Blanks: words.Blanks{"who": who}}
	}
	return words.Phrase{Key: t.Why}
}

// shortValue is what an option stands at, short enough for a button.
func shortValue(game, option, value string, lang *words.Lang) string {
	for _, key := range []string{"value." + game + "." + option + "." + value, "value." + value} {
		if lang.Has(key) {
			return lang.Say(key)
		}
	}
	return value
}

// cutting draws a table whose seats are fixed and whose cards wait for the cut.
func (p *painter) cutting() {
	t := p.table
	p.subject()
	if !p.info.ForOne() {
		p.drawing()
	}
	p.digits(t.Seed)
	p.Text("\n\n")
	asked := "cut.ask"
	switch {
	case table.CutterWaits(t):
		asked = "cut.waits"
	case p.info.ForOne():
		asked = "cut.ask-alone"
	}
	p.Phrase(chat.Strong, words.Phrase{Key: asked, Blanks: words.Blanks{"who": t.Chairs[t.Cutter].Name, "n": int(table.CutTime(t) / time.Second)}})
	if added := Added(t); added != nil {
		p.Text("\n")
		p.Phrase(chat.Plain, *added)
	}
	p.closing()
	for _, n := range []string{"7", "13", "99", "365", "777"} {
		p.button(0, chat.Button{Label: n, Token: p.action(1, "cut "+n), Look: chat.Primary})
	}
	p.button(1, chat.Button{Label: p.Lang.Say("button.own-cut"), Token: p.action(1, "cut"), Ask: p.Lang.Say("ask.cut")})
	p.button(1, chat.Button{Label: p.Lang.Say("button.no-cut"), Token: p.action(1, "no-cut")})
	p.button(2, chat.Button{Label: p.Lang.Say("button.stop"), Token: p.action(1, "stop"), Look: chat.Danger})
	p.button(2, chat.Button{Label: p.Lang.Say("button.check"), Token: p.action(1, "check")})
	progress{painter: p}.backButton(1)
}

// Added says what people have added to the cut so far; nil where nobody has added anything.
func Added(t *table.Table) *words.Phrase {
	if !slices.ContainsFunc(t.Chairs, table.Chair.HasCut) {
		return nil
	}
	return &words.Phrase{Key: "cut.added", Blanks: words.Blanks{"cuts": words.Text(cutsOf(t))}}
}

// cutsOf lists what people have added to the cut, in order of seats, as far as a line has room for it.
func cutsOf(t *table.Table) string {
	const most = 16
	var all []string
	for _, c := range t.Chairs {
		switch {
		case c.Cut != "":
			all = append(all, c.Name+" "+chat.CleanText(chat.Shorten(c.Cut, most)))
		case c.Plain:
			all = append(all, c.Name+" –")
		}
	}
	return strings.Join(all, " · ")
}

// subject is the first line of a table whose rules are settled: in one line, but for a game for one.
func (p *painter) subject() {
	if p.info.ForOne() {
		p.heading()
		return
	}
	p.append(progress{painter: p}.footer())
	p.Text("\n")
}

// drawing tells who deals, and who sits there with the cards that they drew.
func (p *painter) drawing() {
	d, t, n := p.Drawing, p.table, len(p.table.Chairs)
	d.dealer(&p.Writer)
	drawn := table.DrawDealer(t.Draw, n)
	if d.drawn() {
		p.Text(" ")
		p.Say(chat.Plain, "deal.drawn")
	}
	p.Text("\n")
	p.append(apartBy(p, []int{shortName}, func(p *painter) {
		p.people(func(seat int, c table.Chair) {
			if c.User != 0 && c.Computer() {
				p.Text(" 💤")
			}
			if d.drawn() {
				drew(&p.Writer, drawn.Cards[(seat+drawn.First(p.info.Banker))%n])
			}
		})
	}))
	p.Text("\n")
}

// ended draws a table's last picture: the places, or why it was stopped.
func (p *painter) ended() {
	p.subject()
	t := p.table
	if t.Why != "" {
		p.Phrase(chat.Strong, Why(t))
		p.Text("\n")
	}
	switch {
	case t.Chips != nil:
		p.result()
	case t.Result != nil && t.Result.Patience != nil:
		p.finish(*t.Result.Patience)
	case t.Result != nil:
		p.standings(*t.Result)
		tellRatings(p)
	}
	if t.Practice && t.Chips != nil && !t.Lesson {
		p.Text("\n")
		p.Say(chat.Faint, "practice.about")
		p.Text("\n")
	}
	for _, e := range t.Last {
		if p.info.EventRole(e.What) == engine.EventStops {
			p.Phrase(chat.Plain, eventPhrase(t, e))
			p.Text("\n")
		}
	}
	if t.Chips != nil && (t.Result != nil || t.Lesson && t.Why == Done) {
		for _, line := range (progress{painter: p}).happenedLast(progress{painter: p}.room() - 1) {
			p.Text("\n")
			p.append(line)
		}
		p.Text("\n")
	}
	if t.Dealt == 0 {
		return
	}
	if _, ok := LessonOf(p.info, t); ok {
		taught(p)
		return
	}
	if t.IsNothing() {
		if p.info.ForOne() && t.Why == "stop-unplayed" {
			p.button(0, chat.Button{Label: p.Lang.Say("button.again"), Token: p.anew(), Look: chat.Primary})
		}
		return
	}
	if t.Next == "" {
		p.button(0, chat.Button{Label: p.Lang.Say("button.again"), Token: p.action(0, "again"), Look: chat.Primary})
	}
	row := 0
	if t.HasSame(p.info) {
		row = 1
		p.button(0, chat.Button{Label: p.Lang.Say("button.restart"), Token: p.action(0, "same")})
	}
	p.button(row, chat.Button{Label: p.Lang.Say("button.replay"), Token: p.action(0, "replay")})
	p.button(row, chat.Button{Label: p.Lang.Say("button.check"), Token: p.action(0, "check")})
}

// taught is the end of a lesson: what comes next, with the buttons that lead there.
func taught(p *painter) {
	p.Text("\n" + p.Drawing.Taught() + "\n")
	for i, row := range NextLessons(p.Lang, p.info, p.table) {
		for _, b := range row {
			p.button(i, b)
		}
	}
}

// anew is the token of a button that opens another game for one like this, of which nothing will be left. Of its options those
// stand there for which there is room.
func (p *painter) anew() string {
	token := table.Token{Table: table.ID{Community: p.table.ID.Community, Name: table.NoTable}, Do: "!patience " + p.info.Name}
	for _, o := range p.info.Options {
		longer := token
		longer.Do += " " + o.Name + "=" + p.table.Options[o.Name]
		if p.table.Options[o.Name] != o.Values[0] && len(longer.String()) <= table.MaxToken {
			token = longer
		}
	}
	return token.String()
}

// standings lists the seats from the winner to the last. Seats that tie share a place.
func (p *painter) standings(result engine.Result) {
	for _, s := range ranking(result, p.info, p.Lang) {
		switch {
		case s.all:
			p.Text("🤝 ")
		case s.place == 1:
			p.Text("🏆 ")
		case s.last:
			p.Text("🥱 ")
		default:
			p.Text(strconv.Itoa(s.place) + ". ")
		}
		p.Add(chat.Strong, p.table.Name(s.seat))
		if s.last {
			p.Text(" ")
			p.Say(chat.Plain, "last."+p.info.Name)
		}
		p.Text("\n")
	}
}

// tellRatings tells, in a quiet line, what the deal has made of the ratings that people are shown.
func tellRatings(p *painter) {
	any, now := false, *p.table // Finishes replaces the chairs, and others may look at this table.
	for _, f := range now.Finishes(p.info.MaxSeats) {
		if *f.N == 0 || !f.Rating.Known() {
			continue
		}
		if !any {
			p.Say(chat.Faint, "rated")
		}
		separator := ", "
		if !any {
			separator, any = " ", true
		}
		change := ""
		if f.Was.Known() {
			change = " (" + Signed(int64(f.Rating.Points()-f.Was.Points())) + ")"
		}
		p.Add(chat.Faint, fmt.Sprintf("%s%s %d%s", separator, f.Name, f.Rating.Points(), change))
	}
	if any {
		p.Text("\n")
	}
}

// standing is where a seat has ended: in which place, with all the others, or as the last, where that is called something.
type standing struct {
	seat      engine.Seat
	place     int
	all, last bool
}

// ranking is where the seats have ended, from the winner to the last.
func ranking(result engine.Result, info engine.Info, lang *words.Lang) []standing {
	var all []standing
	last := len(result.Places)
	for i := 0; i < last; {
		group := 1
		for _, tie := range result.Ties {
			if tie[0] == result.Places[i] {
				group = len(tie)
			}
		}
		called := i+group == last && group < last && lang.Has("last."+info.Name)
		for _, seat := range result.Places[i : i+group] {
			all = append(all, standing{seat, i + 1, group == last, called})
		}
		i += group
	}
	return all
}
