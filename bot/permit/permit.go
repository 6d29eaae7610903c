// Package permit decides who may do what at a table: it looks at who asks, from where, and how far the table has come, and
// changes nothing. It returns the refusal that the one who asks reads, or nil.
package permit

import (
	"fmt"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/index"
	"zevaka/bot/refusal"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// Showing is a refusal that shows the table as it is: the one who asked may have seen it otherwise.
type Showing struct{ error }

// Show makes a refusal one that shows the table as it is.
func Show(err error) Showing { return Showing{err} }

// Unwrap is the refusal.
func (s Showing) Unwrap() error { return s.error }

// Manages reports whether the user is the table's host or an admin of the place.
func Manages(t *table.Table, who chat.User) bool {
	return who.Admin || t.Host != 0 && t.Host == who.ID
}

// FromHere refuses a press from another place than the table's: anybody can write a token, even somebody who isn't in the
// place. In a private chat with the bot it is allowed to those who have a part in the table.
func FromHere(t *table.Table, r chat.Request) error {
	if r.In.Same(t.Place) {
		return nil
	}
	if !r.In.Private {
		return chat.ErrToken
	}
	if _, ok := t.SeatOf(r.Who.ID); !ok && !t.Waits(r.Who.ID) {
		return refusal.NotSeated
	}
	return nil
}

// Play is the seat of the user in the deal that is on.
func Play(t *table.Table, user int64) (engine.Seat, error) {
	switch t.Phase {
	case table.Lobby, table.Cutting:
		return engine.Nobody, refusal.NotDealt
	case table.Ended:
		return engine.Nobody, Show(refusal.Ended)
	}
	seat, ok := t.SeatOf(user)
	switch {
	case !ok:
		return engine.Nobody, refusal.NotSeated
	case t.Chairs[seat].Left:
		return engine.Nobody, refusal.Left
	}
	return seat, nil
}

// Arrange refuses to change the lobby where there is none any more, and to those who may not. Alone says that an admin
// mustn't either, only the host.
func Arrange(t *table.Table, who chat.User, alone bool) error {
	switch {
	case t.Phase != table.Lobby:
		return Show(refusal.Stale)
	case alone && t.Host != 0 && t.Host != who.ID:
		return words.Refuse(string(refusal.NotTheirs), words.Blanks{"who": t.HostName()})
	case !Manages(t, who):
		return refusal.NotHost
	}
	return nil
}

// Remove refuses to take others from a table that has ended, and to those who may not.
func Remove(t *table.Table, who chat.User) error {
	switch {
	case t.Phase == table.Ended:
		return refusal.Ended
	case !Manages(t, who):
		return refusal.NotHost
	}
	return nil
}

// Cut is the seat of a user who may add something to the cut. It refuses that to who doesn't sit there, and a second time.
func Cut(t *table.Table, who chat.User) (engine.Seat, error) {
	seat, ok := table.MayCut(t, who.ID)
	switch {
	case ok:
		return seat, nil
	case t.Phase != table.Cutting:
		return seat, Show(refusal.NoCut)
	case seat != engine.Nobody && t.Chairs[seat].HasCut():
		return seat, refusal.HasCut
	}
	return seat, refusal.NotCutter
}

// MaxPeople is how many people can sit down in one session. What it has brought each of them is recorded in the one
// transaction that ends it, and their parts in it move in the one that lays it among the ended tables.
const MaxPeople = index.MaxParts

// SitDown refuses a seat to a person who has none. Late says that one may sit down for the next deal while one is on; most
// is how many seats there are.
func SitDown(t *table.Table, who chat.User, late bool, most int) error {
	switch {
	case who.Anonymous:
		return refusal.Anonymous
	case t.Phase == table.Ended:
		return Show(refusal.Ended)
	case t.Phase != table.Lobby && (!late || t.Lesson):
		return Show(refusal.Started)
	case t.Waits(who.ID):
		return refusal.Seated
	case t.Closing != nil:
		return refusal.Closes
	}
	if err := Room(t, who.ID, most); err != nil {
		return err
	}
	return admits(t, who.ID)
}

// Room refuses one more seat to the user, or to a computer player, which is 0, where none is left of that many.
func Room(t *table.Table, user int64, most int) error {
	switch {
	case len(t.Chairs)+len(t.Waiting) >= most:
		return refusal.Full
	case t.Taken(user) >= most:
		return refusal.Kept
	}
	return nil
}

// admits refuses a seat in the next deal of the table's session.
func admits(t *table.Table, user int64) error {
	s := t.Session
	if s == nil {
		return nil
	}
	known := map[int64]bool{user: true}
	for _, c := range slices.Concat(t.Chairs, t.Waiting) {
		known[c.User] = true
	}
	for _, p := range s.People {
		known[p.User] = true
	}
	switch {
	case s.Person(user).Removed:
		return refusal.Removed
	case len(known) > MaxPeople:
		return refusal.Full
	}
	return nil
}

// Vacate refuses to end a part that has ended.
func Vacate(t *table.Table, seat engine.Seat) error {
	if c := t.Chairs[seat]; t.Phase != table.Lobby && (c.Left || c.User == 0) {
		return refusal.Left
	}
	return nil
}

// ComeBack is the seat of the user, who wants to go on in it.
func ComeBack(t *table.Table, user int64) (engine.Seat, error) {
	seat, ok := t.SeatOf(user)
	switch {
	case t.Phase == table.Ended:
		return seat, Show(refusal.Ended)
	case !ok:
		return seat, refusal.NotSeated
	case t.Chairs[seat].Removed:
		return seat, refusal.Removed
	case t.Phase == table.Lobby || !t.Chairs[seat].Computer() && t.Chairs[seat].Goes == table.Stays && !t.Asleep:
		return seat, refusal.NotAway
	}
	return seat, nil
}

// StopsOthers reports whether others than the user lose something if the table ends: a deal, chips, or a place among others.
func StopsOthers(t *table.Table, user int64) bool {
	return t.Phase == table.Playing || t.Chips != nil || slices.ContainsFunc(slices.Concat(t.Chairs, t.Waiting), func(c table.Chair) bool {
		return c.User != 0 && !c.Left && c.User != user
	})
}

// Known refuses whoever is being forgotten in the community with that origin: nothing is kept of them meanwhile.
func Known(from storage.Getter, origin string, user int64) error {
	items, err := from.Get(table.KeyForgetting(origin, user))
	switch {
	case err != nil:
		return fmt.Errorf("look whether a person is being forgotten: %w", err)
	case items[0].Rev != 0:
		return refusal.Forgetting
	}
	return nil
}

// Open refuses to open a table in a place where only admins do. This is known of the place.
func Open(record table.PlaceRecord, r chat.Request) error {
	if record.Guarded && !r.Who.Admin && !r.In.Private {
		return refusal.AdminsOpen
	}
	return nil
}

// Stop refuses to stop a table for several in a place where only admins do. This is known of the table's place.
func Stop(record table.PlaceRecord, t *table.Table, who chat.User) error {
	if record.Guarded && !who.Admin && !t.Place.Private {
		return refusal.AdminsStop
	}
	return nil
}
