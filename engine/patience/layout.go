package patience

import (
	"strconv"
	"strings"

	"zevaka/engine"
)

// layout is what a patience declares of itself, for one choice of options.
type layout struct {
	groups []group
	// deal lays the cards of the shuffled pack, from the top; the rest becomes the stock.
	deal []portion
	// arrange puts some cards of the shuffled pack into another place before the deal, and returns those that everybody
	// saw and that the deal doesn't lay out; nil where there is no such rule.
	arrange func(pack []engine.Card) (shown []engine.Card)
	// draw is the kind of pile that a draw lays cards on.
	draw string
	// passes are the runs through the stock: on how many of those piles each draw of a run lays a card.
	passes []int
	// whole says that the stock is laid out to the end at once, in the deal and after each redeal.
	whole bool
	// gather is the kind of pile that a redeal makes a new stock of, the first pile's bottom card to be drawn first.
	gather string
	// lastFirst says that the last pile's bottom card is drawn first.
	lastFirst bool
	// shuffles says that a redeal shuffles.
	shuffles bool
	// bars refuses to move a card that fits; nil where there is no such rule.
	bars func(t *table, from, to int) error
	// plays is how a computer plays.
	plays player
}

// group are piles alike. Kinds of one letter are numbered from 1, and on from group to group of the same kind.
type group struct {
	kind string
	n    int
	// takes are the kinds of pile from which cards may come; none for a pile that nothing may be laid on.
	takes string
	// starts is what may be laid in an empty place, builds what on a card.
	starts start
	builds build
	// full is at how many cards a pile takes no more; 0 where only its build rule says so.
	full int
	// deep are the cards that may leave from under others.
	deep set
	// refill is the kind of pile whose like-numbered one fills a place at once that becomes empty.
	refill string
	shows  shows
	// lies are the row, from 1, and the column, from 0, of each pile, where they lie side by side with others: two digits
	// for each, as "21 31". It is empty where they don't.
	lies string
	// asOne says that the whole pile goes to a foundation whenever its uppermost card may.
	asOne bool
	// absent says that the options leave these piles out. Their group stands last.
	absent bool
}

// shows is what everybody sees of a pile.
type shows uint8

const (
	allCards shows = iota
	topCard
	faceDown
)

// portion are cards laid in a deal: all on one pile, as "r1", or by turns on the piles of a kind, as "t".
type portion struct {
	cards int
	onto  string
}

// The kinds of pile that the machine knows by name.
const (
	foundation = "f"
	centre     = "centre"
	turned     = "turned"
	stock      = "stock"
)

// role is what piles of a kind are for (RECORDS.md, "Verbs and piles").
func role(kind string) engine.PileRole {
	switch kind {
	case foundation:
		return engine.PileFoundation
	case stock:
		return engine.PileStock
	case turned:
		return engine.PileTurned
	case "w":
		return engine.PileWaste
	case "r", "a":
		return engine.PileReserve
	}
	return engine.PileTableau
}

// maxPiles is how many piles a patience may have.
const maxPiles = 24

// nowhere is the index of no pile.
const nowhere = -1

// plan is a layout with its piles counted out. It never changes; the copies of a table share it.
type plan struct {
	layout
	// group and number of each pile, by index: the order of the groups.
	group  [maxPiles]*group
	number [maxPiles]int
	piles  int
	// row and column are where each pile lies side by side with others (engine.Pile).
	row, column [maxPiles]int16
	// to are the piles that each pile's cards may go to, as bits.
	to [maxPiles]uint32
	// refill is the pile that fills each pile's place; nowhere for most.
	refill [maxPiles]int8
	// foundations are the first piles of all.
	foundations   int
	stock, turned int
	// draws and gathers are the first pile of their kind, and how many of it there are.
	draws, gathers span
}

// span are n piles from the first.
type span struct{ first, n int }

// newPlan counts out a layout.
func newPlan(l layout) *plan {
	p := &plan{layout: l, stock: nowhere, turned: nowhere}
	for i := range l.groups {
		g := &l.groups[i]
		if g.absent {
			continue
		}
		for k := range g.n {
			p.group[p.piles], p.number[p.piles] = g, earlier(l.groups[:i], g.kind)+k+1
			p.row[p.piles], p.column[p.piles] = g.place(k)
			p.piles++
		}
	}
	p.foundations = p.span(foundation).n
	if s := p.span(stock); s.n > 0 {
		p.stock = s.first
	}
	if s := p.span(turned); s.n > 0 {
		p.turned = s.first
	}
	p.draws, p.gathers = p.span(l.draw), p.span(l.gather)
	p.route()
	return p
}

// place is the row and the column of the group's k-th pile, from 0.
func (g *group) place(k int) (row, column int16) {
	if g.lies == "" {
		return 0, 0
	}
	return int16(g.lies[3*k] - '0'), int16(g.lies[3*k+1] - '0')
}

// route finds where each pile's cards may go.
func (p *plan) route() {
	var takers uint32
	for from := range p.piles {
		if from == 0 || p.group[from] != p.group[from-1] {
			takers = p.takers(p.group[from].kind)
		}
		p.to[from] = takers &^ (1 << from)
		p.refill[from] = nowhere
		if kind := p.group[from].refill; kind != "" {
			p.refill[from] = int8(p.span(kind).first + p.number[from] - 1)
		}
	}
}

// takers are the piles that take cards from those of a kind, as bits.
func (p *plan) takers(kind string) uint32 {
	var piles uint32
	for to := range p.piles {
		if p.group[to].takesFrom(kind) {
			piles |= 1 << to
		}
	}
	return piles
}

// span are the piles of a kind.
func (p *plan) span(kind string) span {
	var s span
	for i := range p.piles {
		if p.group[i].kind == kind {
			if s.n == 0 {
				s.first = i
			}
			s.n++
		}
	}
	return s
}

func (g *group) takesFrom(kind string) bool {
	for word := range strings.FieldsSeq(g.takes) {
		if word == kind {
			return true
		}
	}
	return false
}

// pileName is the name of a pile by its index, also of one that the options leave out; "" for none.
func pileName(groups []group, index int) string {
	if index < 0 {
		return ""
	}
	for i := range groups {
		if g := &groups[i]; index < g.n {
			if g.numbered() {
				return g.kind + strconv.Itoa(earlier(groups[:i], g.kind)+index+1)
			}
			return g.kind
		}
		index -= groups[i].n
	}
	return ""
}

// pileIndex finds a pile by its name, and reports whether there is one.
func pileIndex(groups []group, name string) (int, bool) {
	first := 0
	for i := range groups {
		g := &groups[i]
		if !g.numbered() && name == g.kind {
			return first, true
		}
		if g.numbered() && len(name) > 1 && name[:1] == g.kind {
			n, ok := digits(name[1:])
			if n -= earlier(groups[:i], g.kind); ok && n >= 1 && n <= g.n {
				return first + n - 1, true
			}
		}
		first += g.n
	}
	return 0, false
}

// digits reads a number of one or two digits, written one way only.
func digits(text string) (int, bool) {
	if len(text) == 0 || len(text) > 2 || len(text) == 2 && text[0] == '0' {
		return 0, false
	}
	n := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = 10*n + int(text[i]-'0')
	}
	return n, true
}

// numbered reports that the group's piles bear numbers.
func (g *group) numbered() bool { return len(g.kind) == 1 }

// earlier is how many piles of a kind there are in the groups.
func earlier(groups []group, kind string) int {
	n := 0
	for i := range groups {
		if groups[i].kind == kind {
			n += groups[i].n
		}
	}
	return n
}
