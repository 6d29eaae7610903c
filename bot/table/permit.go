package table

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// Showing is a refusal that shows the table as it is: the one who asked may have seen it otherwise.
type Showing struct{ error }

// ShowTable makes a refusal one that shows the table as it is.
func ShowTable(err error) Showing { return Showing{err} }

// Unwrap is the refusal.
func (s Showing) Unwrap() error { return s.error }

// Manages reports whether the user is the table's host or an admin of the place.
func Manages(t *Table, who chat.User) bool {
	return who.Admin || t.Host != 0 && t.Host == who.ID
}

// MayPressFrom refuses a press from another place than the table's: anybody can write a token, even somebody who isn't in the
// place. Whoever is in a channel is in all its topics, and may press in each. In a private chat with the bot it is allowed to those who
// have a part in the table.
func MayPressFrom(t *Table, r chat.Request) error {
	if r.In.SameChannel(t.Place) {
		return nil
	}
	if !r.In.Private {
		return chat.ErrToken
	}
	if _, ok := t.SeatOf(r.Who.ID); !ok && !t.Waits(r.Who.ID) {
		return t.notSeated()
	}
	return nil
}

// notSeated refuses somebody who doesn't sit at the table, by the name of who plays there alone if somebody does.
func (t *Table) notSeated() error {
	i := slices.IndexFunc(t.Chairs, func(c Chair) bool { return c.User != 0 })
	if t.Phase != Playing || i < 0 || slices.ContainsFunc(t.Chairs[i+1:], func(c Chair) bool { return c.User != 0 }) {
		return ErrNotSeated
	}
	return words.Refuse("plays-alone", words.Blanks{"who": t.Chairs[i].Name})
}

// PlayerSeat is the seat of the user in the deal that is on.
func PlayerSeat(t *Table, user int64) (engine.Seat, error) {
	switch t.Phase {
	case Lobby, Cutting:
		return engine.Nobody, ErrNotDealt
	case Ended:
		return engine.Nobody, ShowTable(ErrEnded)
	}
	seat, ok := t.SeatOf(user)
	switch {
	case !ok:
		return engine.Nobody, t.notSeated()
	case t.Chairs[seat].Left:
		return engine.Nobody, ErrLeft
	}
	return seat, nil
}

// MaySkip is how many of the people who wait for Mover in the deal end that turn by asking for it: two once half of its time is over, one
// where a turn without a limit is overdue. It is 0 if they can't.
func (t *Table) MaySkip() int {
	n := 0
	for i := range t.Chairs {
		if t.waits(engine.Seat(i)) {
			n++
		}
	}
	switch {
	case t.Phase != Playing || !t.Skippable || t.Chairs[t.Mover].Computer() || t.Limit > 0 && n < 2:
		return 0
	case t.Limit == 0:
		return min(n, 1)
	}
	return 2
}

// waits reports whether a seat's person waits for Mover in the deal. Who is out waits for an end that no limit brings.
func (t *Table) waits(seat engine.Seat) bool {
	c := t.Chairs[seat]
	return int(seat) != t.Mover && !c.Computer() && (t.Limit == 0 || !c.Out)
}

// Waives reports whether the one who has asked for it that the turn ends still may.
func (t *Table) Waives() bool {
	seat, seated := t.SeatOf(t.Skipper)
	return seated && MaySkip(t, seat) == nil
}

// MaySkip refuses to ask for it that the turn of Mover ends to who isn't one of those who may.
func MaySkip(t *Table, seat engine.Seat) error {
	if t.MaySkip() == 0 || !t.waits(seat) {
		return ShowTable(ErrNoSkip)
	}
	return nil
}

// CutterSeat is the seat of a user who may add something to the cut. It refuses that to who doesn't sit there, and a second time.
func CutterSeat(t *Table, who chat.User) (engine.Seat, error) {
	seat, ok := MayCut(t, who.ID)
	switch {
	case ok:
		return seat, nil
	case t.Phase != Cutting:
		return seat, ShowTable(ErrNoCut)
	case seat != engine.Nobody && t.Chairs[seat].HasCut():
		return seat, ErrHasCut
	}
	return seat, ErrNotCutter
}

// MaxPeople is how many people can sit down in one session. What it has brought each of them is recorded in the one
// transaction that ends it, and their parts in it move in the one that lays it among the ended tables.
const MaxPeople = MaxParts

// RulesStand reports whether somebody other than the user has sat down, or has a seat kept, to play for chips by the rules of a lobby and in the
// time for a turn, which the user doesn't change any more then: who holds the bank lays out as much as they saw, for as long.
func (t *Table) RulesStand(banker bool, user int64) bool {
	other := func(c Chair) bool { return c.User != user }
	return banker && !t.Practice && (slices.ContainsFunc(t.Chairs, other) || slices.ContainsFunc(t.Kept, other))
}

// JoinAs is what a button does by which somebody sits down. At the lobby of a bank for chips it names the rules and the time for a turn that were
// shown with it, so that nobody finds others that are named alike.
func (t *Table) JoinAs(banker bool) string {
	if !banker || t.Practice || t.Phase != Lobby {
		return "join"
	}
	return "join " + t.rulesName()
}

// PlaysBy reports whether a table goes by the rules that a button named which JoinAs made, be it that it has been dealt since; empty names any.
func (t *Table) PlaysBy(rules string) bool { return rules == "" || rules == t.rulesName() }

func (t *Table) rulesName() string {
	return strconv.FormatUint(HashNumber(fmt.Sprint(t.Options, t.Limit, t.Rounds)), 36)
}

// MaySitDown refuses a seat to a person who has none. Late says that one may sit down for the next deal while one is on; most
// is how many seats there are.
func MaySitDown(t *Table, who chat.User, late bool, most int) error {
	switch {
	case who.Anonymous:
		return ErrAnonymous
	case t.Phase == Ended:
		return ShowTable(ErrEnded)
	case t.Phase != Lobby && (!late || t.Lesson):
		return ShowTable(ErrStarted)
	case t.Waits(who.ID):
		return ErrSeated
	case t.Closing != nil:
		return ErrCloses
	}
	if err := HasRoom(t, who.ID, most); err != nil {
		return err
	}
	return admits(t, who.ID)
}

// HasRoom refuses one more seat to the user, or to a computer player, which is 0, where none is left of that many.
func HasRoom(t *Table, user int64, most int) error {
	switch {
	case len(t.Chairs)+len(t.Waiting) >= most:
		return ErrFull
	case t.Taken(user) >= most:
		return ErrKept
	}
	return nil
}

// admits refuses a seat in the next deal of the table's session.
func admits(t *Table, user int64) error {
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
		return ErrRemoved
	case len(known) > MaxPeople:
		return ErrFull
	}
	return nil
}

// MayVacate refuses to end a part that has ended.
func MayVacate(t *Table, seat engine.Seat) error {
	if c := t.Chairs[seat]; t.Phase != Lobby && (c.Left || c.User == 0) {
		return ErrLeft
	}
	return nil
}

// MayComeBack is the seat of the user, who wants to go on in it.
func MayComeBack(t *Table, user int64) (engine.Seat, error) {
	seat, ok := t.SeatOf(user)
	switch {
	case t.Phase == Ended:
		return seat, ShowTable(ErrEnded)
	case !ok:
		return seat, ErrNotSeated
	case t.Chairs[seat].Removed:
		return seat, ErrRemoved
	case t.Phase == Lobby || !t.Chairs[seat].Computer() && t.Chairs[seat].Leaving == Stays && !t.Asleep:
		return seat, ErrNotAway
	}
	return seat, nil
}

// StopsOthers reports whether others than the user lose something if the table ends: a deal, chips, or a place among others.
func StopsOthers(t *Table, user int64) bool {
	return t.Phase == Playing || t.Chips != nil || slices.ContainsFunc(slices.Concat(t.Chairs, t.Waiting), func(c Chair) bool {
		return c.User != 0 && !c.Left && c.User != user
	})
}

// NotForgotten refuses whoever is being forgotten in the community with that origin: nothing is kept of them meanwhile.
func NotForgotten(from storage.Getter, origin string, user int64) error {
	items, err := from.Get(KeyForgetting(origin, user))
	switch {
	case err != nil:
		return fmt.Errorf("look whether a person is being forgotten: %w", err)
	case items[0].Rev != 0:
		return ErrForgetting
	}
	return nil
}

// MayOpen refuses to open a table in a place where only admins do. This is known of the place.
func MayOpen(record PlaceRecord, r chat.Request) error {
	if record.Guarded && !r.Who.Admin && !r.In.Private {
		return ErrAdminsOpen
	}
	return nil
}

// MayStop refuses to stop a table for several in a place where only admins do. This is known of the table's place.
func MayStop(record PlaceRecord, t *Table, who chat.User) error {
	if record.Guarded && !who.Admin && !t.Place.Private {
		return ErrAdminsStop
	}
	return nil
}

// openingMoves are how many it takes at least until it can show how a deal may end.
const openingMoves = 15

// Counts reports whether a deal of several people is past its opening.
func (t *Table) Counts() bool {
	persons := 0
	for _, c := range t.Chairs {
		if c.User != 0 {
			persons++
		}
	}
	return t.Phase == Playing && persons > 1 && (t.Moves > openingMoves || t.Won())
}

// Contested reports whether a deal Counts, and does so for several people still: not for those who were removed from it in time.
func (t *Table) Contested() bool {
	left := slices.DeleteFunc(slices.Clone(t.Chairs), func(c Chair) bool { return c.User == 0 || c.spared() })
	return t.Counts() && len(left) > 1
}

// MayEnd refuses to end a deal that counts and that somebody else plays on in, MayRemove to remove who does: whoever has a part in it could
// gain by that, even after they have left. Who has left, or a turn to the computer, doesn't play on; who is out has what they have won to lose.
func (t *Table) MayEnd(user int64) error {
	for i := range t.Chairs {
		if err := t.MayRemove(user, engine.Seat(i)); err != nil {
			return err
		}
	}
	return nil
}

// MayRemove is told at MayEnd.
func (t *Table) MayRemove(user int64, seat engine.Seat) error {
	c := t.Chairs[seat]
	_, plays := t.SeatOf(user)
	if t.Counts() && plays && c.User != 0 && c.User != user && (c.Out || !c.Left && !c.Helped) {
		return ErrCounts
	}
	return nil
}

// BarOutside returns why somebody who asks from outside a community may do only what concerns nobody else: they must be a
// member now, and the platform must say so. It is nil for members, and for whoever asks from inside. Why a platform didn't
// say it is logged.
func BarOutside(ctx context.Context, log *slog.Logger, r chat.Request, c chat.Community) error {
	if !r.FromOutside && r.In.Community == c {
		return nil
	}
	if r.Member == nil {
		return ErrUnsure
	}
	in, err := r.Member(ctx, c)
	switch {
	case err != nil:
		log.Info("whether somebody is in a community is not known", "request", r.ID, "chat", c, "error", err)
		return ErrUnsure
	case !in:
		return ErrOutside
	}
	return nil
}

// BarNamed is BarOutside for a community that whoever asks has named, and may have made up: no platform is asked about one in which nothing
// is stored, since nobody is in it.
func (h House) BarNamed(ctx context.Context, r chat.Request, c chat.Community) error {
	if r.Member != nil && r.In.Community != c {
		known, err := h.knows(ctx, c)
		if err != nil {
			h.Log.Warn("whether anything is stored in a community can't be read", "request", r.ID, "chat", c, "error", err)
			return ErrUnsure
		}
		if !known {
			return ErrOutside
		}
	}
	return BarOutside(ctx, h.Log, r, c)
}

// knows reports whether anything is stored in a community.
func (h House) knows(ctx context.Context, c chat.Community) (bool, error) {
	for _, family := range keyspace.All() {
		if !family.Found {
			continue
		}
		prefix := family.Prefix + c.String()
		items, err := h.Store.Scan(ctx, prefix, "", 1)
		if err != nil && !storage.IsDamaged(err) {
			return false, fmt.Errorf("look for community %s: %w", c, err)
		}
		if err != nil || len(items) > 0 && (items[0].Key == prefix || strings.HasPrefix(items[0].Key, prefix+"/")) {
			return true, nil
		}
	}
	return false, nil
}
