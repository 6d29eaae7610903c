package board

import (
	"zevaka/bot/chat"
	"zevaka/bot/picture"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// maxAlt is how many characters the words for a picture may have.
const maxAlt = 1024

// picture makes the picture of a game for one.
func (p *painter) picture(view engine.View, epoch int) *picture.Picture {
	alt, rules := p.Drawing.Piles(view), p.Drawing.Rules
	board := picture.Board{Game: p.info.Name, View: view, Marked: p.marked(view), Captions: captions(view)}
	board.Look = picture.Look{FourColours: p.table.Four, Table: p.table.Cloth}
	for rank := 2; rank <= engine.Ace; rank++ {
		board.Ranks[rank] = p.Lang.Rank(rank)
	}
	id := p.table.ID
	shot := &picture.Picture{Alt: chat.Shorten(words.Flat(alt), maxAlt), Painter: p.Drawing.Pictures, Board: board, Verbs: p.info.Verbs}
	shot.Token = func(move engine.Move) string {
		if shot.Verbs[move.Verb-1].Role == engine.VerbQuits {
			return ""
		}
		return table.Token{Table: id, Epoch: epoch, Do: rules.Text(move)}.String()
	}
	return shot
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
