package table

import "time"

// Running is a moment of the bot's running time, in milliseconds. Running time only goes forward, and stands still while no
// process runs. 0 is never. Deadlines are in running time; times of day are a time.Time, or stored in seconds since 1970,
// UTC.
type Running int64

// Add is the moment so much later.
func (r Running) Add(d time.Duration) Running { return r + Running(d.Milliseconds()) }

// Until is how long it is from this moment to another one; below zero where that is over.
func (r Running) Until(other Running) time.Duration { return time.Duration(other-r) * time.Millisecond }

// Unhurried reports whether the table waits for people with no limit on their turn.
func (t *Table) Unhurried() bool {
	return t.Phase == Playing && (t.Asleep || t.Limit == 0 && !t.Hurry)
}

const (
	// SoonAfter is after how long somebody is called for whom others wait.
	SoonAfter = 15 * time.Second
	// CallAfter is after how long where people are called late and a turn has no end.
	CallAfter = 5 * time.Minute
	// SideTime is how long the others may bet on a hand before its card is turned.
	SideTime = 10 * time.Second
	// Overdue is after how long the others needn't wait any longer for a turn that has no limit.
	Overdue = 24 * time.Hour
)

// LimitFrom starts the time for a turn of so many seconds; 0 sets no deadline, but when its player is called: at once, if so, only where
// the turn is fresh.
func (t *Table) LimitFrom(begins Running, limit int, fresh bool) {
	if limit > 0 {
		t.Ends = begins.Add(time.Duration(limit) * time.Second)
		t.Warn = t.Ends.Add(-warning(limit))
	}
	if t.Persons() < 2 {
		return
	}
	switch {
	case t.Limit > 0:
		t.Skip = begins.Add(time.Duration(limit) * time.Second / 2)
	case limit == 0:
		t.Skip = begins.Add(Overdue)
	}
	after := SoonAfter
	switch {
	case fresh && (t.Calls == CallAtOnce || t.Chairs[t.Mover].AtOnce):
		after = 0
	case t.Calls == CallLate && !t.Chairs[t.Mover].AtOnce && t.Limit > 0:
		return
	case t.Calls == CallLate && !t.Chairs[t.Mover].AtOnce:
		after = CallAfter
	}
	if at := begins.Add(after); t.Warn == 0 || t.Warn > at {
		t.Warn = at
	}
}

// CallOnce has Mover called no more in a turn in which they were, as the deadline before says.
func CallOnce(t *Table, before Deadline) {
	if t.Told = before.called && before.mover == t.Mover; t.Told {
		t.Warn = 0
	}
}

// warning is how long before the end of a turn its player is warned, for a limit in seconds.
func warning(limit int) time.Duration { return min(time.Duration(limit)*time.Second/3, 30*time.Minute) }

// PutOff has the turn last so much longer, with all that happens in it but the computer's moves.
func (t *Table) PutOff(d time.Duration) {
	for _, at := range []*Running{&t.Ends, &t.Warn, &t.Skip} {
		if *at != 0 {
			*at = at.Add(d)
		}
	}
}

// TurnTime is how long a turn lasts, or the pack waits for its cutter; 0 where there is no limit.
func (t *Table) TurnTime() time.Duration {
	switch t.Phase {
	case Cutting:
		return CutTime(t)
	case Playing:
		return time.Duration(t.Limit) * time.Second
	}
	return 0
}

// Awaited is the seat for which the table waits: the mover's, or the cutter's.
func (t *Table) Awaited() int {
	if t.Phase == Cutting {
		return t.Cutter
	}
	return t.Mover
}

// Due is when the table must be looked at next; 0 is never.
func (t *Table) Due() Running {
	due := Running(0)
	for _, at := range []Running{t.Ends, t.Warn, t.Skip, t.Chance} {
		if at != 0 && (due == 0 || at < due) {
			due = at
		}
	}
	return due
}

// Deadline is when the turn of a seat is over, and when its player is warned.
type Deadline struct {
	ends, warn, skip, chance Running
	mover                    int
	called                   bool
	skippable                bool
	skipper                  int64
	slept                    bool
}

// Mover is the seat that the deadline was for.
func (d Deadline) Mover() int { return d.mover }

// Slept reports whether the table was making that turn, as its player has slept.
func (d Deadline) Slept() bool { return d.slept }

// Slept reports whether the table makes the turn of Mover, who has slept, and waits for those who may do something about the last one.
func (t *Table) Slept() bool { return t.Phase == Playing && t.Hurry && t.Ends == 0 }

// ClearDeadlines removes all deadlines, and returns the one of the turn.
func (t *Table) ClearDeadlines() Deadline {
	before := Deadline{t.Ends, t.Warn, t.Skip, t.Chance, t.Mover, t.Told, t.Skippable, t.Skipper, t.Slept()}
	t.Deadlines = Deadlines{Mover: t.Mover}
	return before
}

// KeepDeadline keeps the deadline that ran before for the seat that must move, if another seat, by, has moved meanwhile. It
// keeps none that is later than the new one.
func (t *Table) KeepDeadline(before Deadline, by int) {
	if before.ends == 0 || before.mover != t.Mover || by == t.Mover || before.ends > t.Ends {
		return
	}
	since := t.Ends.Until(before.ends)
	t.Ends = before.ends
	if before.warn != 0 || before.called || t.Warn == 0 {
		t.Warn = before.warn
	} else {
		t.Warn = t.Warn.Add(since)
	}
	if before.skip != 0 || before.skippable || t.Skip == 0 {
		t.Skip, t.Skippable, t.Skipper = before.skip, before.skippable, before.skipper
	} else {
		t.Skip = t.Skip.Add(since)
	}
}

// Unmoved keeps what runs where nobody has moved meanwhile: so nobody puts off the computer's move, a call, or what the others may do about
// the turn, and who has just left in their turn gains no time by coming back.
func (t *Table) Unmoved(before Deadline) {
	if before.mover != t.Mover {
		return
	}
	if before.skip != 0 || before.skippable {
		t.Skip, t.Skippable, t.Skipper = before.skip, before.skippable, before.skipper
	}
	if t.Limit == 0 && !t.Chairs[t.Mover].Computer() && before.warn != 0 {
		t.Warn = before.warn
	}
	if t.Chance != 0 && before.chance != 0 {
		t.Chance = min(t.Chance, before.chance)
	}
	if t.Chairs[t.Mover].Computer() {
		t.Told = before.called
		if t.Limit > 0 {
			t.Ends = before.ends
		}
	}
}
