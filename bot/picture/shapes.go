package picture

import "zevaka/engine"

// suit draws the suit's sign into the pen's box.
func (p *pen) suit(s engine.Suit) {
	switch s {
	case engine.Spades:
		p.move(.5, 0)
		p.curves(.58, .17, .98, .38, .98, .63, .98, .78, .87, .86, .76, .86, .67, .86, .60, .82, .55, .74,
			.56, .86, .61, .94, .71, 1)
		p.lines(.29, 1)
		p.curves(.39, .94, .44, .86, .45, .74, .40, .82, .33, .86, .24, .86, .13, .86, .02, .78, .02, .63,
			.02, .38, .42, .17, .5, 0)
	case engine.Clubs:
		p.circle(.5, .24, .235)
		p.circle(.245, .59, .235)
		p.circle(.755, .59, .235)
		p.circle(.5, .5, .12)
		p.move(.5, .36)
		p.curves(.53, .55, .53, .60, .55, .66, .56, .84, .61, .94, .71, 1)
		p.lines(.29, 1)
		p.curves(.39, .94, .44, .84, .45, .66, .47, .60, .47, .55, .5, .36)
	case engine.Diamonds:
		p.move(.5, 0)
		p.curves(.60, .19, .74, .36, .91, .5, .74, .64, .60, .81, .5, 1, .40, .81, .26, .64, .09, .5,
			.26, .36, .40, .19, .5, 0)
	case engine.Hearts:
		p.move(.5, 1)
		p.curves(.42, .80, .02, .60, .02, .30, .02, .12, .14, .03, .27, .03, .38, .03, .46, .10, .5, .22,
			.54, .10, .62, .03, .73, .03, .86, .03, .98, .12, .98, .30, .98, .60, .58, .80, .5, 1)
	}
}

// crown draws what the court cards wear into the pen's box, which is twice as wide as it is high: the king a crown
// of points, the queen a diadem, the jack a cap with a feather.
func (p *pen) crown(rank int) {
	switch rank {
	case engine.King:
		p.move(.16, .78)
		p.lines(.05, .22, .28, .48, .5, .10, .72, .48, .95, .22, .84, .78)
		p.ball(.05, .15, .05)
		p.ball(.5, .06, .05)
		p.ball(.95, .15, .05)
		p.box(.16, .86, .84, 1)
	case engine.Queen:
		p.move(.12, .80)
		p.curves(.10, .55, .08, .45, .03, .34, .20, .44, .28, .40, .33, .24, .38, .40, .44, .36, .5, .12,
			.56, .36, .62, .40, .67, .24, .72, .40, .80, .44, .97, .34, .92, .45, .90, .55, .88, .80,
			.64, .70, .36, .70, .12, .80)
		p.ball(.33, .16, .04)
		p.ball(.5, .05, .045)
		p.ball(.67, .16, .04)
		p.move(.12, .90)
		p.curves(.36, .79, .64, .79, .88, .90)
		p.lines(.88, 1)
		p.curves(.64, .89, .36, .89, .12, 1)
	case engine.Jack:
		p.move(.17, .80)
		p.curves(.14, .54, .28, .42, .5, .42, .72, .42, .86, .54, .83, .80, .62, .88, .38, .88, .17, .80)
		p.move(.02, .84)
		p.curves(.30, .97, .70, .97, .98, .84)
		p.lines(.98, .95)
		p.curves(.70, 1.06, .30, 1.06, .02, .95)
		p.move(.24, .38)
		p.curves(.34, .04, .66, -.08, .97, .04, .90, .26, .64, .34, .44, .29, .36, .27, .29, .31, .24, .38)
	}
}

// robot draws a head with an antenna, as high as a capital whose origin is the pen's.
func (p *pen) robot() {
	p.box(.56, -1.05, .64, -.75)
	p.circle(.6, -1.05, .1)
	p.move(.05, -.8)
	p.lines(1.15, -.8, 1.15, .05, .05, .05)
	// What is drawn the other way round is a hole.
	for _, hole := range [...][4]float32{{.25, -.6, .45, -.38}, {.75, -.6, .95, -.38}, {.32, -.24, .88, -.12}} {
		p.move(hole[0], hole[1])
		p.lines(hole[0], hole[3], hole[2], hole[3], hole[2], hole[1])
	}
}

// ball is a circle in a box twice as wide as high.
func (p *pen) ball(x, y, r float32) {
	sy := p.sy
	p.sy, p.oy = p.sx, p.oy+y*(sy-p.sx)
	p.circle(x, y, r)
	p.oy -= y * (sy - p.sx)
	p.sy = sy
}

func (p *pen) box(x0, y0, x1, y1 float32) {
	p.move(x0, y0)
	p.lines(x1, y0, x1, y1, x0, y1)
}
