package table

import (
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// Role is who may ask for something.
type Role uint8

const (
	// ByAnybody is everybody in the place.
	ByAnybody Role = iota + 1
	// BySitter is who sits at the table, waits to, or has a seat kept.
	BySitter
	// ByPlayer is who has cards in the deal.
	ByPlayer
	// ByCutter is who sits at a table whose pack is cut, and has added nothing yet.
	ByCutter
	// ByHost is the table's host, or an admin of the place.
	ByHost
	// ByOwner is the table's host, and an admin of the place only where the table has no panel of the host's own.
	ByOwner
	// ByAdmin is an admin of the whole community.
	ByAdmin
	// ByChooser is an admin of the place, or whose private chat it is.
	ByChooser
	// ByFirst is an admin of the place, and who opened the bot there as long as nobody has decided; others decide for themselves
	// alone. What is asked for sees to that.
	ByFirst
	// ByAsked is whoever was asked the question that is answered, which the question sees to.
	ByAsked
)

// Asking is whether somebody is asked again before something is done. The question is stored for them.
type Asking uint8

const (
	// Never is for what costs nothing, can be made good again, or is the game itself.
	Never Asking = iota
	// IfLost asks only where somebody would lose something by it.
	IfLost
	// Always asks everybody again, every time.
	Always
)

// Action is something that people can ask for by a button or a command. Run does it; the door calls it only if the action Admits the one who
// asks, and at a table if Who does.
type Action[Run any] struct {
	Name string
	Who  Role
	Asks Asking
	// FromOutside says that it only reads, or ends what is one's own. It may be done from outside the place, too, even by who isn't in it
	// any more.
	FromOutside bool
	Run         Run
}

// NewAction is an action by all that it is made of.
func NewAction[Run any](name string, who Role, asks Asking, fromOutside bool, run Run) Action[Run] {
	return Action[Run]{name, who, asks, fromOutside, run}
}

// ActionNamed is the action of that name; nil if there is none.
func ActionNamed[Run any](all []Action[Run], name string) *Action[Run] {
	if i := slices.IndexFunc(all, func(a Action[Run]) bool { return a.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Admit refuses an action to who asks for it from where he may not, and what is for admins to others.
func (a Action[Run]) Admit(r chat.Request) error {
	switch {
	case r.Barred() != nil && !a.FromOutside:
		return r.Barred()
	case a.Who == ByAdmin && r.Who.OfPart:
		return ErrOfPart
	case a.Who == ByAdmin && !r.Who.Admin, a.Who == ByChooser && !r.Who.Admin && !r.In.Private:
		return ErrNotAdmin
	}
	return nil
}

// Admit refuses to who doesn't have the role at the table. At one that has ended sitters, the host and admins have nothing to do any more,
// which what they ask for tells them.
func (r Role) Admit(t *Table, who chat.User) error {
	if t.Phase == Ended && r != ByPlayer && r != ByCutter {
		return nil
	}
	switch _, seated := t.SeatOf(who.ID); r {
	case BySitter:
		if !seated && !t.Waits(who.ID) && !KeepsFor(t, who.ID) {
			return t.notSeated()
		}
	case ByPlayer:
		_, err := PlayerSeat(t, who.ID)
		return err
	case ByCutter:
		_, err := CutterSeat(t, who)
		return err
	case ByOwner:
		if t.HasOwnPanel() && t.Host != 0 && t.Host != who.ID {
			return words.Refuse(string(ErrNotTheirs), words.Blanks{"who": t.HostName()})
		}
		return ByHost.Admit(t, who)
	case ByHost:
		if !Manages(t, who) && t.HostName() != "" {
			return words.Refuse(string(ErrNotHost), words.Blanks{"who": t.HostName()})
		} else if !Manages(t, who) {
			return ErrNotAdmin
		}
	}
	return nil
}
