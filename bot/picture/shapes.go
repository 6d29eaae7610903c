package picture

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

func (p *pen) box(x0, y0, x1, y1 float32) {
	p.move(x0, y0)
	p.lines(x1, y0, x1, y1, x0, y1)
}
