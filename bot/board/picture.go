package board

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"zevaka/bot/chat"
	"zevaka/bot/picture"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// maxAlt is how many characters the words for a picture may have.
const maxAlt = 1024

// picture makes the picture of a game for one.
func (p *painter) picture(view engine.View) *picture.Picture {
	return p.Drawing.shot(picture.Board{View: view, Marked: p.marked(view), Captions: captions(view)}, p.Drawing.Piles(view))
}

// shot is the picture of a board, which these words describe.
func (d Drawing) shot(board picture.Board, alt []chat.Span) *picture.Picture {
	board.Game, board.Look = d.Rules.Info().Name, picture.Look{FourColours: d.Table.Four, Table: d.Table.Cloth}
	for rank := 2; rank <= engine.Ace; rank++ {
		board.Ranks[rank] = d.Lang.Rank(rank)
	}
	return &picture.Picture{Alt: chat.Shorten(words.Flat(alt), maxAlt), Painter: d.Pictures, Board: board}
}

// captions are the names of piles that there are several of, as moves call them. Cells are numbered by row and column.
func captions(view engine.View) map[string]string {
	names := map[string]string{}
	for _, pile := range view.Piles {
		if pile.Kind != pile.Name && !isCell(pile) {
			names[pile.Name] = placeName(pile)
		}
	}
	return names
}

// marked are the piles where something arrived last.
func (p *painter) marked(view engine.View) []string {
	var names []string
	for _, e := range p.table.Last {
		switch p.info.EventRole(e.What) {
		case engine.EventArrives:
			if n := int(e.N); n >= 0 && n < len(view.Piles) {
				names = append(names, view.Piles[n].Name)
			}
		case engine.EventTurnsUp:
			for _, pile := range view.Piles {
				if pile.Role == engine.PileTurned {
					names = append(names, pile.Name)
				}
			}
		}
	}
	return names
}

// several makes the picture of a game for several: what lies there, whose turn it is, and what happened last in words.
func (p progress) several() *picture.Picture {
	view := p.view
	view.Offers = nil
	if p.table.Asleep {
		view.Turn = nil
	}
	board := picture.Board{View: view, Marked: p.arrived(), Captions: p.called(), Seats: p.seats()}
	for i := range story(p.table, p.info, p.table.Last) {
		board.News = append(board.News, p.newsLine(i))
	}
	if chips := view.Chips; chips != nil {
		board.Bank = p.bankNow().Flat(p.Lang)
		if chips.Goal > 0 {
			board.Goal = words.Phrase{Key: "bank.goal", Blanks: words.Blanks{"n": int(chips.Goal)}}.Flat(p.Lang)
		}
	}
	apart := progress{p.Drawing.painter(), view}
	apart.position()
	for _, line := range board.News {
		apart.Text(line + "\n")
	}
	return p.Drawing.shot(board, apart.Spans)
}

// newsLine is a line of what happened last: where it is too long for the two lines of a picture, without what only adds to it, and then
// with short names.
func (p progress) newsLine(i int) string {
	const most = 60
	text := ""
	for _, t := range []*table.Table{p.table, briefly(p.table, shortName)} {
		line := story(t, p.info, t.Last)[i]
		for n := len(line); n > 0; n-- {
			one := painter{Writer: words.Writer{Lang: p.Lang}}
			one.sentences(line[:n])
			if text = words.Flat(one.Spans); utf8.RuneCountInString(text) <= most {
				return text
			}
		}
	}
	return text
}

// maxCaption is how many characters may stand under a picture.
const maxCaption = 1000

// final makes the last picture of a game for several, which shows who has come where, or what everybody has won. The text
// tells that, too: where it is too long for a picture there is none.
func (p progress) final() {
	if length(p.Spans) > maxCaption {
		short := p.Drawing
		short.Table = briefly(p.table, shortName)
		brief := short.painter()
		brief.ended()
		p.Spans = brief.Spans
	}
	if length(p.Spans) > maxCaption {
		return
	}
	p.view.Turn = nil
	p.shot = p.several()
	p.shot.Spare, p.shot.Board.Marked = true, nil
	if p.table.Chips != nil {
		p.winners(p.shot.Board.Seats)
	} else if p.table.Result != nil {
		p.medals(p.shot.Board.Seats)
	}
}

// length is how many characters a text has.
func length(text []chat.Span) int { return utf8.RuneCountInString(words.Flat(text)) }

// medals gives each seat the place in which it has ended; the last one is called so.
func (p progress) medals(seats []picture.Seat) {
	for _, s := range ranking(*p.table.Result, p.info, p.Lang) {
		one := &seats[s.seat]
		one.Place = s.place
		if s.last {
			one.Yawns, one.Word = true, p.Lang.Say("medal."+p.info.Name)
		}
	}
}

// winners tells what each seat has won or lost, and puts whoever has won most on the first place.
func (p progress) winners(seats []picture.Seat) {
	most := slices.Max(p.table.Chips.Seats)
	for s := range seats {
		net := p.table.Chips.Seats[s]
		seats[s].Note, seats[s].Word, seats[s].Stake = Signed(net), "", ""
		if net == most && net > 0 {
			seats[s].Place = 1
		}
	}
}

// seats are the people as a picture shows them.
func (p progress) seats() []picture.Seat {
	seats := make([]picture.Seat, len(p.table.Chairs))
	for i, c := range p.table.Chairs {
		s := &seats[i]
		s.Name = c.Name
		if chips := p.view.Chips; chips != nil {
			if net := chips.Seats[i]; i > 0 && net != 0 {
				s.Note = Signed(net)
			}
			if stake := chips.Stakes[i]; stake != 0 {
				s.Stake, s.On = strconv.FormatInt(stake, 10), p.backs(engine.Seat(i))
			}
			if i == 0 {
				s.Word = p.Lang.Say("seat.banker")
			}
		}
		if c.User != 0 && c.Computer() {
			s.Name = "🤖 " + s.Name
		}
	}
	return seats
}

// called are the names of the piles that are nobody's own.
func (p progress) called() map[string]string {
	names := map[string]string{}
	for _, pile := range p.view.Piles {
		if key := "pile." + pile.Kind; pile.Kind == pile.Name && p.Lang.Has(key) {
			names[pile.Name] = p.Lang.Say(key)
			names[pile.Name+".next"] = p.Lang.Say("pile.next")
		}
	}
	return names
}

// arrived are the piles where the card lies that the newest event tells of.
func (p progress) arrived() []string {
	for _, e := range slices.Backward(p.table.Last) {
		if e.Card == 0 {
			continue
		}
		i := slices.IndexFunc(p.view.Piles, func(pile engine.Pile) bool { return top(pile) == e.Card })
		if i < 0 {
			return nil
		}
		return []string{p.view.Piles[i].Name}
	}
	return nil
}
