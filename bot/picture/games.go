package picture

import "strconv"

// layouts are the tables of the games, by the game's name. Where there are several the first counts that has a place
// for every pile of the View.
func layouts() map[string][]*layout {
	return map[string][]*layout{
		"zevaka":     zevakas(),
		"banchok":    banchoks(),
		"tecza":      {tecza()},
		"sklep":      {sklep()},
		"zaba":       {zaba(1), zaba(2)},
		"gwiazda":    {gwiazda()},
		"polusharia": {polusharia()},
		"grobnitsa":  {grobnitsa()},
		"paganini":   {paganini()},
		"pauk":       {pauk()},
	}
}

// zevakas are the tables for two to six: above the common piles with what the centre takes next, below each player's
// closed and open one.
func zevakas() []*layout {
	var all []*layout
	for seats := 2; seats <= 6; seats++ {
		l := &layout{card: 108, big: 140, little: 56, text: 22, next: nexts{pile: "centre", x: 146, y: 46}}
		l.put("centre", spot{x: 22, y: 46, face: faceWhole, name: 130})
		l.put("flipped", spot{x: 330, y: 46, face: faceFull, free: true, size: big, name: 220})
		l.put("stock", spot{x: 600, y: 46, face: faceWhole, free: true, name: 180})
		l.seats(seats, 250, 206)
		for seat, p := range l.panels {
			left := p.x + (p.w-2*l.card-14)/2
			l.put("closed"+strconv.Itoa(seat), spot{x: left, y: p.y + 46, face: faceWhole})
			l.put("open"+strconv.Itoa(seat), spot{x: left + l.card + 14, y: p.y + 46, face: faceWhole})
		}
		all = append(all, l)
	}
	return all
}

// seats gives each seat its panel, so high, from y on: as many in a row as keep rows few, names readable and the last row full.
func (l *layout) seats(n, y, high int) {
	const margin, gap = 10, 8
	across := min(n, 3)
	if n == 4 {
		across = 2
	}
	wide := (unit - 2*margin - (across-1)*gap) / across
	for seat := range n {
		l.panels = append(l.panels, panel{margin + seat%across*(wide+gap), y + seat/across*(high+gap), wide, high})
	}
	rows := (n + across - 1) / across
	l.height = y + rows*(high+gap) + margin - gap
}

// banchoks are the tables for one to twelve punters: above the bank with the pack, the turned card and what was thrown,
// below the hands.
func banchoks() []*layout {
	var all []*layout
	for punters := 1; punters <= 12; punters++ {
		l := &layout{card: 64, big: 116, text: 22, bank: panel{112, 66, 220, 120}}
		l.seats(punters, 222, 144)
		l.panels = append([]panel{{10, 10, 330, 200}}, l.panels...)
		l.put("pack", spot{x: 28, y: 72, side: untold})
		l.put("turned", spot{x: 364, y: 46, free: true, size: big, face: faceWhole, name: 170})
		l.put("table", spot{x: 514, y: 46, fan: right, room: 204, face: faceSide, free: true, name: 100})
		for k, p := range l.panels[1:] {
			l.put("hand"+strconv.Itoa(k+1), spot{x: p.x + 12, y: p.y + 48, fan: right, room: 92, face: faceSide, free: true})
		}
		all = append(all, l)
	}
	return all
}

// tecza has the rainbow over the player's piles and the foundations below (RULES.md, section 2).
func tecza() *layout {
	l := &layout{card: 76, height: 640}
	l.put("r1", spot{x: 10, y: 12, fan: arch, room: 704, rise: 220, face: faceSide})
	l.put("stock", spot{x: 164, y: 190})
	l.put("turned", spot{x: 256, y: 190, free: true})
	l.line("w", 3, spot{x: 364, y: 190, fan: down, room: 190}, 92)
	l.line("f", 8, spot{x: 40, y: 526}, 92)
	return l
}

// sklep has the open shop as a column at the left (RULES.md, section 3).
func sklep() *layout {
	l := &layout{card: 78, height: 742}
	l.put("r1", spot{x: 14, y: 34, fan: down, room: 590})
	l.besideReserve(126, 84, 440)
	return l
}

// zaba is the same with a shorter column, or two (RULES.md, section 4).
func zaba(columns int) *layout {
	l := &layout{card: 78, height: 600}
	x, step := 126, 84
	if columns == 2 {
		l.card, x, step = 70, 186, 76
	}
	l.line("r", columns, spot{x: 14, y: 34, fan: down, room: 450}, 80)
	l.besideReserve(x, step, 300)
	return l
}

// besideReserve has, from x on, eight foundations, and below them the player's five piles and the stock.
func (l *layout) besideReserve(x, step, room int) {
	const top, lower = 34, 180
	l.line("f", 8, spot{x: x, y: top}, step)
	l.line("w", 5, spot{x: x, y: lower, fan: down, room: room}, step)
	l.put("stock", spot{x: x + 6*step, y: lower})
	l.put("turned", spot{x: x + 7*step, y: lower, free: true})
}

// gwiazda has the player's piles as rays below the reserve, each of them shown whole, and the bases above (RULES.md, section 5).
func gwiazda() *layout {
	l := &layout{card: 84, height: 700}
	l.line("f", 8, spot{x: 14, y: 34, face: faceWhole}, 98)
	l.put("r1", spot{x: 456, y: 180, face: faceWhole})
	for k, y := range [...]int{180, 252, 338, 252, 180} {
		l.put("w"+strconv.Itoa(k+1), spot{x: 260 + k*98, y: y, fan: down, room: 574 - y})
	}
	l.put("stock", spot{x: 14, y: 180, face: faceWhole})
	l.put("turned", spot{x: 112, y: 180, face: faceWhole, free: true})
	return l
}

// polusharia has ten columns under the foundations, and below them the stock and the waste (RULES.md, section 7).
func polusharia() *layout {
	l := &layout{card: 72, height: 760}
	l.line("f", 8, spot{x: 88, y: 34}, 79)
	l.line("t", 10, spot{x: 9, y: 166, fan: down, room: 346}, 79)
	l.put("stock", spot{x: 9, y: 652})
	l.put("turned", spot{x: 88, y: 652, free: true})
	l.put("w1", spot{x: 167, y: 652, fan: right, room: 553, face: faceSide})
	return l
}

// grobnitsa has the four walls around the centre, the bases in the corners between them, a working card outside each
// wall, and the packets at the right (RULES.md, section 8).
func grobnitsa() *layout {
	l := &layout{card: 84, height: 774}
	const left, top, wide, high = 12, 34, 98, 148
	cell := func(col, row int) spot { return spot{x: left + col*wide, y: top + row*high, face: faceWhole} }
	for k, at := range [...][2]int{{2, 1}, {3, 2}, {2, 3}, {1, 2}} {
		l.put("a"+strconv.Itoa(k+1), cell(at[0], at[1]))
	}
	for k, at := range [...][2]int{{2, 0}, {4, 2}, {2, 4}, {0, 2}} {
		l.put("b"+strconv.Itoa(k+1), cell(at[0], at[1]))
	}
	for k, at := range [...][2]int{{1, 1}, {3, 1}, {3, 3}, {1, 3}} {
		l.put("f"+strconv.Itoa(k+1), cell(at[0], at[1]))
	}
	l.put("centre", cell(2, 2))
	l.put("stock", cell(0, 0))
	for k := range 5 {
		l.put("w"+strconv.Itoa(k+1), spot{x: 522, y: top + k*high, fan: right, room: 182, face: faceSide})
	}
	return l
}

// paganini has eight rows of fourteen cells (RULES.md, section 9).
func paganini() *layout {
	l := &layout{card: 52, height: 640, grid: true}
	for row := range 8 {
		for col := range 14 {
			name := "g" + strconv.Itoa(row+1) + "." + strconv.Itoa(col)
			l.put(name, spot{x: 26 + col*55, y: 28 + row*76, face: faceWhole})
		}
	}
	return l
}

// pauk has twelve packets in a ring around the body of aces and kings (RULES.md, section 10).
func pauk() *layout {
	l := &layout{card: 84, height: 786}
	const top, high = 34, 121
	lone := func(x, row int, s side) spot { return spot{x: x, y: top + row*high, face: faceWhole, side: s} }
	// The sides of the ring stand out in the middle.
	for k, out := range [...]int{0, 44, 44, 0} {
		l.put("f"+strconv.Itoa(1+k), lone(306, 1+k, atLeft))
		l.put("f"+strconv.Itoa(5+k), lone(410, 1+k, atRight))
		l.put("t"+strconv.Itoa(3+k), lone(156-out, 1+k, atLeft))
		l.put("t"+strconv.Itoa(12-k), lone(560+out, 1+k, atRight))
	}
	l.put("t1", lone(306, 0, above))
	l.put("t2", lone(410, 0, above))
	l.put("t7", lone(306, 5, below))
	l.put("t8", lone(410, 5, below))
	l.put("stock", spot{x: 20, y: 34, face: faceWhole, free: true})
	return l
}
