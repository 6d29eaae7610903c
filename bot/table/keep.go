package table

import (
	"slices"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// KeepSeats is how long a lobby keeps the seats of those who sat at the table before it.
const KeepSeats = time.Minute

// stayed reports whether the chair's person sat there to the end.
func stayed(c Chair) bool { return c.User != 0 && !c.Left && !c.Removed }

// LastedAlone reports whether the user sat at the table, which has ended, to the end, and no other person did.
func LastedAlone(t *Table, user int64) bool {
	others := slices.ContainsFunc(t.Chairs, func(c Chair) bool { return stayed(c) && c.User != user })
	seat, seated := t.SeatOf(user)
	return seated && stayed(t.Chairs[seat]) && !others
}

// Called are those who may be called to another table after this one, which has ended, when the user asks for that at the
// time, in seconds since 1970: those who sat there to the end. It is nobody where the user didn't, or the table was opened
// less than KeepSeats ago: then its own people have just been called. A session's next table calls nobody: the session counts.
func (t *Table) Called(user, now int64) []Chair {
	seat, seated := t.SeatOf(user)
	opened := t.Opened
	if t.Session != nil {
		opened = min(opened, t.Session.Began)
	}
	since := now - opened // Below 0 the clock was ahead.
	if !seated || !stayed(t.Chairs[seat]) || since >= 0 && since < int64(KeepSeats/time.Second) {
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

// Keep keeps seats in a lobby, from now on, and has the deal begin when nobody of them is missing.
func (t *Table) Keep(seats []Chair, now Running) {
	if t.Kept = seats; len(seats) > 0 {
		t.Warn, t.Rematch = now.Add(KeepSeats), true
	}
}

// KeepsFor reports whether a seat is kept for the user.
func KeepsFor(t *Table, user int64) bool {
	return slices.ContainsFunc(t.Kept, func(c Chair) bool { return c.User == user })
}

// GiveUp gives up the seat that is kept for the user, or all where that is 0: then the deal begins when the host says so.
func (t *Table) GiveUp(user int64) {
	t.Rematch = t.Rematch && user != 0
	t.Kept = slices.DeleteFunc(slices.Clone(t.Kept), func(c Chair) bool { return user == 0 || c.User == user })
	if len(t.Kept) > 0 {
		return
	}
	t.Kept = nil
	if t.Phase == Lobby {
		t.Warn = 0
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

// Awaited is a sentence with those in it for whom a seat is kept.
func Awaited(t *Table, key string) *words.Phrase {
	var names []string
	for _, c := range t.Kept {
		names = append(names, c.Name)
	}
	return &words.Phrase{Key: key, Blanks: words.Blanks{"who": strings.Join(names, ", ")}}
}
