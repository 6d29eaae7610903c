package table

import (
	"slices"
	"strconv"
	"time"

	"zevaka/bot/chat"
)

// KeepSeats is how long a lobby keeps the seats of those who sat at the table before it.
const KeepSeats = time.Minute

// Called are those who may be called to another table after this one, which has ended, when the user asks for that at the
// time, in seconds since 1970: those who sat there to the end. It is nobody where the user didn't, or the table was opened
// less than KeepSeats ago: then its own people have just been called.
func (t *Table) Called(user, now int64) []Chair {
	stayed := func(c Chair) bool { return c.User != 0 && !c.Left && !c.Removed }
	seat, seated := t.SeatOf(user)
	if !seated || !stayed(t.Chairs[seat]) || now < t.Opened+int64(KeepSeats/time.Second) {
		return nil
	}
	var all []Chair
	for _, c := range t.Chairs {
		if stayed(c) && c.User != user {
			all = append(all, Chair{User: c.User, Name: c.Name})
		}
	}
	return all
}

// Keep keeps seats in a lobby, from now on.
func (t *Table) Keep(seats []Chair, now Running) {
	if t.Kept = seats; len(seats) > 0 {
		t.Warn = now.Add(KeepSeats)
	}
}

// GiveUp gives up the seat that is kept for the user, or all where that is 0.
func (t *Table) GiveUp(user int64) {
	t.Kept = slices.DeleteFunc(slices.Clone(t.Kept), func(c Chair) bool { return user == 0 || c.User == user })
	if len(t.Kept) == 0 {
		t.Kept, t.Warn = nil, 0
	}
}

// Taken is how many seats the user can't have: somebody sits there, waits for it, or it is kept for somebody else.
func (t *Table) Taken(user int64) int {
	n := len(t.Chairs) + len(t.Waiting)
	for _, c := range t.Kept {
		if c.User != user {
			n++
		}
	}
	return n
}

// KeptFor are those for whom a seat is kept, as they are mentioned.
func (t *Table) KeptFor() []chat.User {
	var all []chat.User
	for _, c := range t.Kept {
		all = append(all, *c.Person())
	}
	return all
}

// AddComputer has one more computer player sit down.
func (t *Table) AddComputer() {
	for n := 1; ; n++ {
		name := "🤖 " + strconv.Itoa(n)
		if !slices.ContainsFunc(t.Chairs, func(c Chair) bool { return c.Name == name }) {
			t.Chairs = append(slices.Clone(t.Chairs), Chair{Name: name})
			return
		}
	}
}

// DropComputer takes the computer player from the table that sat down last; false if there is none.
func (t *Table) DropComputer() bool {
	i := len(t.Chairs) - 1
	for i >= 0 && t.Chairs[i].User != 0 {
		i--
	}
	if i >= 0 {
		t.Chairs = slices.Delete(slices.Clone(t.Chairs), i, i+1)
	}
	return i >= 0
}
