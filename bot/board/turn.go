package board

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// progress draws a deal in progress from what everybody may see.
type progress struct {
	*painter
	view engine.View
}

// turn is the first line of a deal in progress, which a notification and a list of chats show: who is to do what. What is
// bet on stands in a line below it.
func (p progress) turn() {
	view := p.view
	switch {
	case p.table.Asleep:
		p.Say(chat.Strong, "asleep")
		p.Text("\n")
		return
	case len(view.Turn) == 0 || lines(p.Spans) > 1: // A long name is called above.
		return
	}
	p.short(func(p *painter) {
		p.Text("👉 ")
		p.Phrase(chat.Strong, progress{p, view}.task())
		p.Text("\n")
	})
	if about := p.Drawing.about(view); about != "" {
		p.Add(chat.Faint, about)
		p.Text("\n")
	}
}

// task is what the seat is to do that must move. A card that lies turned up waits to be laid, or else the top of the
// seat's own waste may.
func (p progress) task() words.Phrase {
	view := p.view
	s := view.Turn[0]
	told := words.Phrase{Key: "turn." + view.Task, Blanks: words.Blanks{"who": p.table.Name(s), "to": p.table.Name(view.Backed)}}
	for _, pile := range view.Piles {
		if pile.Seat == s && (pile.Role == engine.PileWaste || pile.Role == engine.PileTurned) && len(pile.Cards) > 0 {
			told.Blanks["card"] = top(pile)
		}
	}
	switch {
	case p.table.Chairs[s].Computer() && (view.Chips == nil || !view.Brief): // Others may bet then.
		told.Key = "turn.computer"
	case !p.Lang.Has(told.Key), view.Task == "flip-or-play" && p.Drawing.Tip != "": // A lesson says which of both.
		told.Key = "turn"
	}
	return told
}

const (
	// phoneLine is how many characters a line of a phone has, and phoneLines are the lines of a board that stand on its
	// screen with the buttons below them. Each seat beyond the usual ones takes a line more, and so does each line of what happened
	// beyond the usual.
	phoneLine  = 35
	phoneLines = 12
	usual      = 4
	usualLast  = 6
)

// lines is how many lines of a phone a text takes.
func lines(text []chat.Span) int {
	n := 0
	for line := range strings.Lines(words.Flat(text)) {
		n += max(1, (len([]rune(strings.TrimRight(line, " \n")))+phoneLine-1)/phoneLine)
	}
	return n
}

// short draws something that is to take one line of a phone: with full names if that fits, else with short ones.
func (p *painter) short(draw func(*painter)) { p.append(p.apart(draw)) }

// apart is what short draws.
func (p *painter) apart(draw func(*painter)) []chat.Span {
	return apartBy(p, []int{shortName, 9, 6}, draw)
}

// apartBy draws something with full names if that fits in one line of a phone, else with names of as many letters as the first
// of these with which it does, or as the last.
func apartBy(p *painter, shorter []int, draw func(*painter)) []chat.Span {
	try := *p
	try.Spans = nil
	draw(&try)
	for _, letters := range shorter {
		if lines(try.Spans) > 1 {
			try.Spans, try.table = nil, briefly(p.table, letters)
			draw(&try)
		}
	}
	return try.Spans
}

// append adds what was drawn apart.
func (p *painter) append(spans []chat.Span) {
	for _, span := range spans {
		p.Name(span.Style, span.Text, span.Of)
	}
}

// briefly is the table with names of at most so many letters.
func briefly(t *table.Table, letters int) *table.Table {
	brief := *t
	brief.Chairs = make([]table.Chair, len(t.Chairs))
	for i, c := range t.Chairs {
		most := letters
		if c.User == 0 {
			most += len([]rune("🤖 x")) // What shows that it is no person isn't part of the name.
		}
		c.Name = chat.Shorten(c.Name, most)
		brief.Chairs[i] = c
	}
	return &brief
}

// footer is the last line of a deal in progress: the game, as many of its rules as stand in one line, the time for a turn.
func (p progress) footer() []chat.Span {
	w := words.Writer{Lang: p.Lang}
	w.Phrase(chat.Faint, LimitPhrase(p.table.Limit))
	limit := "   ⏱ " + words.Flat(w.Spans)
	if p.table.Fast {
		limit += " ⚡"
	}
	if p.table.Rounds > 1 {
		limit = "   🏦 ×" + strconv.Itoa(p.table.Rounds) + limit
	}
	parts := strings.Split(Title(p.info, p.table, p.Lang), " · ")
	title := parts[0]
	for _, part := range parts[1:] {
		if longer := title + " · " + part; len([]rune(longer+limit)) <= phoneLine {
			title = longer
		}
	}
	return []chat.Span{{Text: title + limit, Style: chat.Faint}}
}

// common draws the piles that are nobody's, on one line as far as they fit there.
func (p progress) common() {
	var line []chat.Span
	for _, pile := range p.view.Piles {
		if pile.Seat != engine.Nobody || len(pile.Cards) == 0 && pile.Next == nil {
			continue
		}
		played := p.view.Chips != nil && pile.Role == engine.PileWaste // What lies on top there is nothing that somebody has to beat.
		one := p.apart(func(p *painter) {
			p.Say(chat.Plain, "pile."+pile.Kind)
			p.Text("  ")
			if played {
				p.Text(strconv.Itoa(len(pile.Cards)))
				return
			}
			p.pile(pile)
		})
		if both := slices.Concat(line, []chat.Span{{Text: "   "}}, one); line != nil && lines(both) == 1 {
			line = both
			continue
		}
		if line != nil {
			p.append(line)
			p.Text("\n")
		}
		line = one
	}
	if line != nil {
		p.append(line)
		p.Text("\n")
	}
}

// room is how many lines more the board may take. It grows where a long turn was played for somebody who sleeps.
func (p progress) room() int {
	slept := max(0, Lines(p.info, p.table.Last)-usualLast)
	return phoneLines + max(0, len(p.table.Chairs)-usual) + slept - lines(p.Spans)
}

// below tells, under the seats of a deal in progress, what happened last, what is special about the position, and, where the
// newest event leaves room, the game.
func (p progress) below() {
	last := p.remarks()
	room := p.room() - 1
	for _, line := range last {
		room -= lines(line)
	}
	if room < 0 && len(last) > 1 { // That the table closes is told nowhere else.
		room += lines(last[0])
		last = last[1:]
	}
	told := p.happenedLast(room - 1)
	if room > 0 && (len(told) > 0 || len(p.table.Last) == 0) {
		last = append(last, p.footer())
	} else {
		told = p.happenedLast(room)
	}
	if room >= 0 {
		p.Text("\n")
	}
	for _, line := range append(told, last...) {
		p.append(line)
		p.Text("\n")
	}
}

// Note is the remark on a position that has one: it names who may put the last turn right, and who moves now.
func Note(t *table.Table, view engine.View) words.Phrase {
	next, before := engine.Nobody, engine.Nobody
	if len(view.Turn) > 0 {
		next = view.Turn[0]
	}
	switch {
	case len(view.Tries) > 0:
		before = view.Tries[0].Seat
	case len(view.Turn) > 1:
		before = view.Turn[1]
	}
	return words.Phrase{Key: "note." + view.Note, Blanks: words.Blanks{"n": int(table.SideTime / time.Second), "who": t.Name(before), "to": t.Name(next)}}
}

// remarks are what is special about the position, and that the table closes.
func (p progress) remarks() (lines [][]chat.Span) {
	if p.view.Note != "" && !p.table.Asleep {
		note := Note(p.table, p.view)
		lines = append(lines, p.apart(func(p *painter) { p.Phrase(chat.Strong, note) }))
	}
	if p.table.Closing != nil {
		lines = append(lines, p.apart(func(p *painter) { p.Phrase(chat.Strong, *Closes(p.table)) }))
	}
	return lines
}

// thrown are the cards with which a seat has played last, if it has no others yet: they lie on the table in its line as long as the deal
// goes on.
func (p progress) thrown(s engine.Seat) []engine.Card {
	first := func(e engine.Event) bool { return e.Seat == s && p.info.EventRole(e.What) == engine.EventLists }
	if i := slices.IndexFunc(p.table.Last, first); i >= 0 && !p.view.Over && !slices.ContainsFunc(p.view.Piles, func(pile engine.Pile) bool {
		return pile.Seat == s && len(pile.Cards) > 0
	}) {
		return listOf(p.table.Last[i:])
	}
	return nil
}

// happenedLast is what happened last but what lies in the line of its seat, in at most so many lines of a phone. What only adds to an event
// is told where there is room left.
func (p progress) happenedLast(room int) [][]chat.Span {
	var told [][]chat.Span
	last := slices.DeleteFunc(slices.Clone(p.table.Last), func(e engine.Event) bool {
		return p.info.EventRole(e.What) == engine.EventLists && p.thrown(e.Seat) != nil
	})
	all := story(p.table, p.info, last)
	line := func(i, sentences int) []chat.Span {
		return p.apart(func(p *painter) { p.sentences(story(p.table, p.info, last)[i][:sentences]) })
	}
	for i := len(all) - 1; i >= 0; i-- {
		short := line(i, 1)
		if lines(short) > room {
			break
		}
		room -= lines(short)
		told = slices.Insert(told, 0, short)
	}
	for i := len(all) - 1; i >= len(all)-len(told); i-- {
		short := &told[i-len(all)+len(told)]
		if full := line(i, len(all[i])); lines(full)-lines(*short) <= room {
			room -= lines(full) - lines(*short)
			*short = full
		}
	}
	return told
}
