package picture

import "slices"

// palette is the sixteen colours of a picture, three bytes each.
type palette [48]byte

// rgb is one colour, as 0x1f6b45.
type rgb uint32

// cloth is a table colour and the card back that goes with it.
type cloth struct {
	name        string
	table, back rgb
}

// cloths are the tables there are, the first the one that stands where none is named.
func cloths() [4]cloth {
	return [...]cloth{
		{"green", 0x1e6b4a, 0x2b4a94},
		{"blue", 0x24537f, 0x9a2f3f},
		{"wine", 0x6d2b3c, 0x2d4f86},
		{"slate", 0x3a424d, 0x35609c},
	}
}

// Tables are the names of the table colours, the first the one that stands where none, or an unknown one, is named.
func Tables() []string {
	var names []string
	for _, c := range cloths() {
		names = append(names, c.name)
	}
	return names
}

// palette mixes the colours of a look. The pixels of a picture don't depend on it.
func (l Look) palette() palette {
	all := cloths()
	c := all[max(0, slices.IndexFunc(all[:], func(c cloth) bool { return c.name == l.Table }))]
	const white, black, red = 0xffffff, 0x15171c, 0xc9182b
	diamond, club := rgb(red), rgb(black)
	if l.FourColours {
		diamond, club = 0x1a5fd0, 0x0f7d3a
	}
	return palette{}.
		with(inkTable, c.table).with(inkPale, mix(c.table, white, 55)).with(inkDeep, mix(c.table, 0, 28)).
		with(inkWhite, white).with(inkLight, 0xc9ccd2).
		with(inkSpade, black).with(inkSpade2, mix(black, white, 46)).
		with(inkHeart, red).with(inkHeart2, mix(red, white, 46)).
		with(inkDiamond, diamond).with(inkDiamond2, mix(diamond, white, 46)).
		with(inkClub, club).with(inkClub2, mix(club, white, 46)).
		with(inkBack, c.back).with(inkBack2, mix(c.back, white, 40)).
		with(inkMark, 0xffc629)
}

func (p palette) with(ink int, c rgb) palette {
	p[3*ink], p[3*ink+1], p[3*ink+2] = byte(c>>16), byte(c>>8), byte(c)
	return p
}

// mix goes the given part of the way, in percent, from one colour to another.
func mix(from, to rgb, percent int) rgb {
	var out rgb
	for shift := 0; shift <= 16; shift += 8 {
		a, b := int(from>>shift&0xff), int(to>>shift&0xff)
		out |= rgb(a+(b-a)*percent/100) << shift
	}
	return out
}
