package bot

import (
	"context"

	"zevaka/bot/picture"
	"zevaka/engine"
)

// Picture is a table with its cards as one sees them. It is painted when it is asked for.
type Picture struct {
	// Alt says in words what is to be seen, for those who can't: at most 1,024 characters.
	Alt     string
	painter *picture.Painter
	board   picture.Board
	verbs   []engine.VerbInfo
	// token is the token of a move; "" for one that is not to be made on the picture.
	token func(engine.Move) string
}

// PNG appends the picture to dst as a PNG file, of at most 100 kB up to 1,200 pixels of width. The same Picture gives
// the same bytes.
func (p *Picture) PNG(dst []byte) []byte { return p.painter.Draw(dst, &p.board) }

// Wide is the same picture, so many pixels wide instead of 800: from 400 to 1,600.
func (p *Picture) Wide(pixels int) *Picture {
	q := *p
	q.board.Look.Width = pixels
	return &q
}

// Size is how many pixels wide and high the picture is.
func (p *Picture) Size() (width, height int) { return p.painter.Size(&p.board) }

// maxAlt is how many characters the words for a picture may have.
const maxAlt = 1024

// picture makes the picture of a game for one.
func (p *painter) picture(rules engine.Rules, view engine.View, epoch int) *Picture {
	alt := &painter{writer: writer{lang: p.lang}, bot: p.bot, table: p.table, info: p.info}
	alt.layout(view)
	board := picture.Board{Game: p.info.Name, View: view, Marked: p.table.marked(view), Captions: captions(view)}
	board.Look = picture.Look{FourColours: p.table.Four, Table: p.table.Cloth}
	for rank := 2; rank <= engine.Ace; rank++ {
		board.Ranks[rank] = p.lang.Rank(rank)
	}
	table := p.table.id
	shot := &Picture{Alt: shorten(flat(alt.spans), maxAlt), painter: p.bot.painter, board: board, verbs: p.info.Verbs}
	shot.token = func(move engine.Move) string {
		if shot.verbs[move.Verb-1].Name == quitMove {
			return ""
		}
		return token{Table: table, Epoch: epoch, Do: rules.Text(move)}.String()
	}
	return shot
}

// pictured reports whether the table is shown as a picture.
func (v *visit) pictured() bool {
	return isSolo(v.rules.Info()) && v.bot.painter != nil && !v.table.Plain
}

// lastPosition is the picture of a game for one as it was played to its end; nil if there is none.
func (v *visit) lastPosition(ctx context.Context, p *painter) (*Picture, error) {
	if !v.pictured() || v.table.Result == nil || v.table.Rev != p.info.Rev {
		return nil, nil
	}
	state, err := v.play(ctx)
	if err != nil {
		return nil, err
	}
	view := state.View(engine.Nobody)
	view.Offers = nil
	return p.picture(v.rules, view, 0), nil
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
func (t *table) marked(view engine.View) []string {
	var names []string
	for _, e := range t.Last {
		switch e.What {
		case "laid", "home", "filled":
			if n := int(e.N); n >= 0 && n < len(view.Piles) {
				names = append(names, view.Piles[n].Name)
			}
		case "drawn":
			names = append(names, "turned")
		}
	}
	return names
}
