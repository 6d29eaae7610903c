package table

import (
	"cmp"
	"slices"
	"strconv"

	"zevaka/bot/chat"
	"zevaka/bot/scores"
	"zevaka/engine"
)

// HostName is the name of the table's host; empty if nobody is.
func (t *Table) HostName() string {
	seat, _ := t.SeatOf(t.Host)
	return t.Name(seat)
}

// Stops is the reason of a table that this user closes: its host, or else an admin.
func Stops(t *Table, user int64) string {
	if user == t.Host {
		return "stop-host"
	}
	return "stop-admin"
}

// Cutter is the seat that cuts: the first person, going round from the dealer's right. The dealer comes last. A banker
// deals from seat 0, another dealer from the last seat.
func Cutter(chairs []Chair, banker bool) int {
	n := len(chairs)
	dealer := n - 1
	if banker {
		dealer = 0
	}
	for i := range n {
		seat := (dealer - 1 - i + 2*n) % n
		if !chairs[seat].Computer() {
			return seat
		}
	}
	return dealer
}

// DealerSeat is where the dealer sits: the banker in seat 0, and else whoever sits last.
func (t *Table) DealerSeat(banker bool) int {
	if banker {
		return 0
	}
	return len(t.Chairs) - 1
}

// Waits reports whether the user sits down with the next deal.
func (t *Table) Waits(user int64) bool {
	return slices.ContainsFunc(t.Waiting, func(c Chair) bool { return c.User == user })
}

// Key names the chair in a token, whatever seat it has by then.
func (c Chair) Key() string {
	if c.User == 0 {
		return c.Name
	}
	return strconv.FormatInt(c.User, 36)
}

// PassHost gives the host's part to somebody else if the user, who leaves that seat, has it.
func (t *Table) PassHost(user int64, seat engine.Seat) {
	if user != 0 && user == t.Host {
		t.Host = t.NextHost(int(seat))
	}
}

// NextHost is the next person in seat order from the seat that was left; 0 if there is none.
func (t *Table) NextHost(seat int) int64 {
	for i := range t.Chairs {
		if c := t.Chairs[(seat+i)%len(t.Chairs)]; c.User != 0 && !c.Left && c.Leaving == Stays {
			return c.User
		}
	}
	return 0
}

// Helped notes that the computer has moved for the seat's person, if one sits there.
func (t *Table) Helped(seat engine.Seat) {
	if c := t.Chairs[seat]; c.User != 0 && !c.Helped {
		t.Chairs = slices.Clone(t.Chairs)
		t.Chairs[seat].Helped = true
	}
}

// Name is the name of who sits in the seat; empty for Nobody, and for a seat that there isn't.
func (t *Table) Name(s engine.Seat) string {
	if s < 0 || int(s) >= len(t.Chairs) {
		return ""
	}
	return t.Chairs[s].Name
}

// Chair is a seat with who sits in it.
type Chair struct {
	// User is the person's ID; 0 for a computer player.
	User int64  `json:"user,omitempty"`
	Name string `json:"name"`
	Lang string `json:"lang,omitempty"`
	// AtOnce is that of the person's Choices.
	AtOnce bool `json:"atonce,omitempty"`
	// Temper is how a computer player is, and Nick which of the names it has, counted from 1; 0 for a name that is a number.
	Temper Temper `json:"temper,omitempty"`
	Nick   int    `json:"nick,omitempty"`
	// Missed counts the turns in a row that the table made for the person.
	Missed int `json:"missed,omitempty"`
	// Away says that the computer plays for the person.
	Away bool `json:"away,omitempty"`
	// Left says that the person went for good, and may still come back.
	Left bool `json:"left,omitempty"`
	// Removed says that somebody else decided so, and that the person may not come back.
	Removed bool `json:"removed,omitempty"`
	// Lost says that it was decided for the person how a deal that counted ends before they were removed, since they had left a turn to the
	// computer or were out, or that they have put an end to somebody else's part in it: it counts for them, whoever else was removed.
	Lost bool `json:"lost,omitempty"`
	// Leaving is when the person leaves, if they have asked for it and must stay until then.
	Leaving Going `json:"goes,omitempty"`
	// Out says that the seat has nothing more to do in the deal.
	Out bool `json:"out,omitempty"`
	// N is which of the person's finished games of this kind this is, from 1; 0 as long as it hasn't ended.
	N int `json:"n,omitempty"`
	// Helped says that the computer has moved for the person: they can't win with this seat any more.
	Helped bool `json:"helped,omitempty"`
	// Was is the person's rating before the deal, once that has ended and was rated; it stays when the person is forgotten,
	// since it is a part of what the others' ratings follow from.
	Was scores.KeptRating `json:"was,omitzero"`
	// Feats are what the seat has done in the deal, once that has ended.
	Feats scores.Feats `json:"feats,omitempty"`
	// Passed says that the person won't bet on the hand in play.
	Passed bool `json:"passed,omitempty"`
	// Cut is what the person has added to the cut of the pack, Plain that they have chosen to add nothing.
	Cut   string `json:"cut,omitempty"`
	Plain bool   `json:"plain,omitempty"`
	// Tap is the press that the person made last where chips are at stake, else their first in the deal, and before that the one by which they
	// sat down, which has no User.
	Tap Tap `json:"tap,omitzero"`
}

// Person is who sits there, as they are mentioned.
func (c Chair) Person() *chat.User { return &chat.User{ID: c.User, Name: c.Name} }

// Quit reports whether the person left the deal to the computer, be it for a single move. Who had left when a deal ended from before
// ratings were kept, but no computer had moved for them, hadn't.
func (c Chair) Quit() bool { return c.Helped || c.Was.IsRated() && c.Left && !c.Out }

// spared reports whether the person was removed from a deal for places and it doesn't count for them.
func (c Chair) spared() bool { return c.Removed && !c.Lost }

// Computer reports whether the computer moves for the chair now.
func (c Chair) Computer() bool { return c.User == 0 || c.Away || c.Left }

// Ways are how the computer plays in the chair. One that sits in for a person overlooks nothing.
func (c Chair) Ways() Ways {
	w := c.Temper.Ways()
	if c.User != 0 {
		w.Skill = 1
	}
	return w
}

// Tap is a press: by whom, of what button to do what, and when.
type Tap struct {
	User  int64   `json:"u,omitempty"`
	Token uint64  `json:"k,omitempty"`
	Do    uint64  `json:"do,omitempty"`
	At    Running `json:"at,omitempty"`
}

// SeatOf is the seat of the user; false if the user doesn't sit at the table.
func (t *Table) SeatOf(user int64) (engine.Seat, bool) {
	for i, c := range t.Chairs {
		if c.User != 0 && c.User == user {
			return engine.Seat(i), true
		}
	}
	return engine.Nobody, false
}

// At reports whether the user has a part in the table: a seat from which nobody has removed them, or will only when the bank ends, or the
// next one.
func (t *Table) At(user int64) bool {
	seat, sits := t.SeatOf(user)
	return sits && (!t.Chairs[seat].Removed || !t.Chairs[seat].Left) || t.Waits(user)
}

// Persons is how many people sit at the table who have not left.
func (t *Table) Persons() int {
	n := 0
	for _, c := range t.Chairs {
		if c.User != 0 && !c.Left {
			n++
		}
	}
	return n
}

// Played reports whether a person still has something to do in the deal. Who has left it to the computer hasn't once somebody waits for its end.
func (t *Table) Played() bool {
	won := t.Won()
	return slices.ContainsFunc(t.Chairs, func(c Chair) bool { return c.User != 0 && !c.Out && (!won || !c.Computer()) })
}

// Won reports whether a person is out of a deal for places that is on, and may have won it: it is played to its end, whoever leaves it.
func (t *Table) Won() bool {
	return t.Phase == Playing && t.Chips == nil && slices.ContainsFunc(t.Chairs, func(c Chair) bool { return c.User != 0 && c.Out })
}

// FreeName is the name, or guest for nobody's, or if somebody at the table has it already, the name with a number.
func (t *Table) FreeName(name, guest string) string {
	name = cmp.Or(name, guest)
	free := name
	for n := 2; slices.ContainsFunc(slices.Concat(t.Chairs, t.Waiting, t.Kept), func(c Chair) bool { return c.Name == free }); n++ {
		free = chat.Isolated(chat.Bare(name) + " " + strconv.Itoa(n))
	}
	return free
}
