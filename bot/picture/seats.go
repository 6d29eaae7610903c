package picture

import (
	"slices"
	"strconv"
	"strings"

	"zevaka/engine"
)

// nextCaption is added to the name of a pile to name the cards that it takes next.
const nextCaption = ".next"

// maxTold is how many cards are told that a pile takes next.
const maxTold = 4

// wanted are the cards that are told to be taken next; nil where there is no room for them.
func (p *plan) wanted(b *Board) []engine.Card {
	if p.next.pile == "" || b.View.Over {
		return nil
	}
	i := slices.IndexFunc(b.View.Piles, func(pile engine.Pile) bool { return pile.Name == p.next.pile })
	if i < 0 {
		return nil
	}
	cards := b.View.Piles[i].Next
	return cards[:min(len(cards), maxTold)]
}

// nexts draws the cards that a pile takes next, two in a row.
func (br *brush) nexts(b *Board) {
	p := &br.plan
	x, y := p.even(p.next.x), p.scale(p.next.y)
	gap := p.even(6)
	told := p.wanted(b)
	if text := b.Captions[p.next.pile+nextCaption]; len(told) > 0 {
		br.text.caption(&br.canvas, text, box{x, y - br.text.size/2, p.scale(180), atStart}, [4]byte{0, 0, inkPale, inkPale})
	}
	for i, c := range told {
		k := br.kits[little]
		br.canvas.blit(br.decks[little][faceWhole].sprite(c, k.back), x+i%2*(k.w+gap), y+i/2*(k.h+gap))
	}
}

// seats draws a panel for each seat: the name at its head, golden for the one who is to move, and the place of one
// who has ended.
func (br *brush) seats(b *Board) {
	p := &br.plan
	for seat := range min(len(p.panels), len(b.Seats)) {
		at := p.scaled(p.panels[seat])
		radius, edge := p.scale(8), p.scale(4)
		moves := len(b.View.Turn) > 0 && int(b.View.Turn[0]) == seat
		if frame := br.frame(b, seat, moves); frame != inkDeep {
			br.canvas.rounded(panel{at.x - edge, at.y - edge, at.w + 2*edge, at.h + 2*edge}, radius+edge, frame)
		}
		br.canvas.rounded(at, radius, inkDeep)
		inks := [4]byte{0, 0, inkPale, inkWhite}
		if moves {
			inks = [4]byte{0, 0, inkSpade2, inkSpade}
			br.canvas.rounded(panel{at.x, at.y, at.w, lineHeight(p.text)}, radius, inkMark)
			for y := at.y + radius; y < at.y+lineHeight(p.text); y++ {
				br.canvas.line(at.x, at.x+at.w, y, inkMark)
			}
		}
		br.head(b, seat, at, inks)
		br.stake(&b.Seats[seat], at)
	}
}

// frame is the ink of the frame around a seat's panel: of the one who is to move or has won, of whose hand is bet on and of
// the last; inkDeep where there is none.
func (br *brush) frame(b *Board, seat int, moves bool) byte {
	switch {
	case moves, b.Seats[seat].Place == 1:
		return inkMark
	case b.Seats[seat].Yawns, b.View.Chips != nil && int(b.View.Backed) == seat:
		return inkPale
	}
	return inkDeep
}

// head writes the head of a seat's panel: name and note, and the place.
func (br *brush) head(b *Board, seat int, at panel, inks [4]byte) {
	s, l := &b.Seats[seat], br.text
	pad := l.size / 2
	left, right := at.x+pad, at.x+at.w-pad
	base := at.y + (lineHeight(l.size)+l.size)/2
	if n := br.medal(b, engine.Seat(seat)); n != 0 {
		r := lineHeight(l.size) * 2 / 5
		if body := at.h - lineHeight(l.size); br.bare(b, seat) {
			br.token(s, n, at.x+at.w/2, at.y+at.h-body/2, body*2/5, br.kits[big].count)
		} else {
			br.token(s, n, right-r, base-l.size/2, r, l)
			right -= 2*r + pad
		}
	}
	if room := right - left - 3*pad; s.Note == "" && l.width(s.Name)+l.width(s.Word)+l.width("►") <= room {
		l.caption(&br.canvas, s.Word, box{left, base, right - left, atEnd}, inks)
		right -= l.width(s.Word) + pad
	} else if s.Note != "" {
		w := min(l.width(s.Note), at.w/2)
		l.caption(&br.canvas, s.Note, box{right - w, base, w, atEnd}, inks)
		right -= w + pad
	}
	if inks[3] == inkSpade {
		l.caption(&br.canvas, "►", box{left, base, l.size * 2, atStart}, inks)
		left += l.width("►") + pad/2
	}
	if l.width(s.Name) > 0 && strings.TrimSpace(s.Name) != "" {
		l.caption(&br.canvas, s.Name, box{left, base, right - left, atStart}, inks)
		return
	}
	var digits [8]byte
	number := strconv.AppendInt(digits[:0], int64(seat)+1, 10)
	l.caption(&br.canvas, string(number), box{left, base, right - left, atStart}, inks)
}

// medal is the place of a seat that has ended; 0 of one that hasn't, and where there are no panels.
func (br *brush) medal(b *Board, s engine.Seat) int {
	if s < 0 || int(s) >= len(b.Seats) || int(s) >= len(br.plan.panels) {
		return 0
	}
	return b.Seats[s].Place
}

// bare reports whether nothing lies on the seat's panel.
func (br *brush) bare(b *Board, seat int) bool {
	return (b.Bank == "" || seat > 0) && !slices.ContainsFunc(b.View.Piles, func(p engine.Pile) bool { return int(p.Seat) == seat && len(p.Cards) > 0 })
}

// token draws a place around a point: a medal with its number, or a face that yawns.
func (br *brush) token(s *Seat, n, x, y, r int, l *letters) {
	ink := byte(inkLight)
	if n == 1 || s.Yawns {
		ink = inkMark
	}
	br.canvas.disc(x, y, r, r, ink)
	if s.Yawns {
		br.canvas.disc(x-r*4/10, y-r*3/10, r*2/10, max(1, r/14), inkSpade)
		br.canvas.disc(x+r*4/10, y-r*3/10, r*2/10, max(1, r/14), inkSpade)
		br.canvas.disc(x, y+r*3/10, r*3/10, r*4/10, inkSpade)
		return
	}
	var digits [8]byte
	number := strconv.AppendInt(digits[:0], int64(n), 10)
	l.caption(&br.canvas, string(number), box{x: x - r, y: y + l.size/2, w: 2 * r}, [4]byte{0, 0, inkSpade2, inkSpade})
}

// stake draws what somebody has at stake in the lower right corner of their panel: below a golden coin what stands on their own hand,
// and beside a smaller, pale one, below the name, what stands on somebody else's.
func (br *brush) stake(s *Seat, at panel) {
	if s.Stake == "" {
		return
	}
	l, inks := br.text, [4]byte{0, 0, inkPale, inkWhite}
	top := at.y + lineHeight(l.size) + l.size
	if s.On == "" {
		w, r := br.plan.scale(84), l.size*2/3
		x := at.x + at.w - w
		br.coin(x+w/2, top+r, r, inkMark)
		l.caption(&br.canvas, s.Stake, box{x: x, y: top + 2*r + l.size*3/2, w: w}, inks)
		return
	}
	r, right := l.size/2, at.x+at.w-l.size/2
	w := right - at.x - br.plan.scale(136) // Beside the hand.
	on := "→ " + s.On
	if l.width(on) > w {
		on = s.On
	}
	l.caption(&br.canvas, on, box{right - w, top + l.size, w, atEnd}, [4]byte{0, 0, inkPale, inkPale})
	sum := min(l.width(s.Stake), w-3*r)
	base := top + l.size*17/6
	l.caption(&br.canvas, s.Stake, box{right - sum, base, sum, atEnd}, inks)
	br.coin(right-sum-2*r, base-r, r, inkLight)
}

// coin draws a coin around a point.
func (br *brush) coin(x, y, r int, ink byte) {
	br.canvas.disc(x, y, r, r, ink)
	br.canvas.disc(x, y, r*7/10, r*7/10, inkDeep)
	br.canvas.disc(x, y, r*5/10, r*5/10, ink)
}

// bank tells what lies in the bank, and how far it is from its goal.
func (br *brush) bank(b *Board) {
	p, l := &br.plan, br.text
	if p.bank == (panel{}) || b.Bank == "" {
		return
	}
	at := p.scaled(p.bank)
	l.caption(&br.canvas, b.Bank, box{at.x, at.y + l.size + l.size/2, at.w, atStart}, [4]byte{0, 0, inkPale, inkWhite})
	if chips := b.View.Chips; chips != nil && chips.Goal > 0 {
		bar := panel{at.x, at.y + at.h/2 - l.size/4, at.w, l.size}
		br.canvas.rounded(bar, l.size/2, inkTable)
		if bar.w = int(int64(bar.w) * max(0, min(chips.Bank, chips.Goal)) / chips.Goal); bar.w >= l.size {
			br.canvas.rounded(bar, l.size/2, inkMark)
		}
	}
	l.caption(&br.canvas, b.Goal, box{at.x, at.y + at.h - l.size/4, at.w, atStart}, [4]byte{0, 0, inkPale, inkPale})
}

// news writes what happened last on the strip: the newest line whole, as far as it fits, and above it the one before, if
// there is room.
func (br *brush) news(b *Board) {
	p, l := &br.plan, br.text
	if p.strip == 0 {
		return
	}
	top := p.h - p.strip
	for y := top; y < p.h; y++ {
		br.canvas.line(0, p.w, y, inkDeep)
	}
	const margin = 16
	x, w := p.scale(margin), p.w-2*p.scale(margin)
	var rows [stripRows]string
	free, newest := stripRows, stripRows
	for i, text := range slices.Backward(b.News) {
		lines := l.lines(text, w)
		if i == len(b.News)-1 {
			lines = min(lines, stripRows)
		}
		if lines > free {
			break
		}
		free -= lines
		for k := range lines {
			if k == stripRows-1 { // What is too long ends in dots.
				rows[free+k] = text
				break
			}
			rows[free+k], text = l.cut(text, w)
		}
		if i == len(b.News)-1 {
			newest = free
		}
	}
	// What is less than there is room for stands in the middle.
	y := top + l.size/2 - free*lineHeight(l.size)/2 + lineHeight(l.size) - l.size/4
	for i, row := range rows {
		inks := [4]byte{0, 0, inkPale, inkWhite}
		if i < newest {
			inks[3] = inkPale
		}
		l.caption(&br.canvas, row, box{x, y + i*lineHeight(l.size), w, middle}, inks)
	}
}

// lines is how many lines so wide the text takes.
func (l *letters) lines(text string, w int) int {
	n := 0
	for text != "" {
		_, text = l.cut(text, w)
		n++
	}
	return n
}

// cut is as many words of a text as go into a line so wide, at least one, and the rest.
func (l *letters) cut(text string, w int) (line, rest string) {
	end, wide := 0, 0
	for end < len(text) {
		next := len(text)
		if i := strings.IndexByte(text[end+1:], ' '); i >= 0 {
			next = end + 1 + i
		}
		if wide += l.width(text[end:next]); end > 0 && wide > w {
			break
		}
		end = next
	}
	return text[:end], strings.TrimLeft(text[end:], " ")
}

// scaled is a panel in pixels.
func (p *plan) scaled(l panel) panel {
	return panel{p.scale(l.x), p.scale(l.y), p.scale(l.w), p.scale(l.h)}
}

// rounded fills a box with round corners.
func (c *canvas) rounded(at panel, radius int, ink byte) {
	for y := range at.h {
		in := corner(min(y, at.h-1-y), radius)
		c.line(at.x+in, at.x+at.w-in, at.y+y, ink)
	}
}

// disc fills an ellipse around a point.
func (c *canvas) disc(x, y, rx, ry int, ink byte) {
	for dy := -ry; dy <= ry; dy++ {
		half := rx
		if ry > 0 {
			half = rx * root((2*ry+1)*(2*ry+1)-4*dy*dy) / (2*ry + 1)
		}
		c.line(x-half, x+half+1, y+dy, ink)
	}
}
