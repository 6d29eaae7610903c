package table

import (
	"slices"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/engine"
)

// cutTime is how long a pack waits for its cutter at most.
const cutTime = 20 * time.Second

// AwaitCut begins the time in which people cut.
func AwaitCut(t *Table, now Running) { t.Ends = now.Add(CutTime(t)) }

// CutTime is how long the table waits for its cutter.
func CutTime(t *Table) time.Duration {
	if limit := time.Duration(t.Limit) * time.Second; limit > 0 {
		return min(cutTime, limit)
	}
	return cutTime
}

// CutText is what somebody has typed as it goes into the cut; false if it can't: whoever checks the deal must be able to type what
// they read.
func CutText(typed string) (string, bool) {
	text := strings.Join(strings.Fields(typed), " ")
	return text, text != "" && len(text) <= engine.MaxCut && chat.Bare(text) == text && !strings.Contains(text, "`")
}

// HasCut reports whether the chair's person has added something to the cut, or has chosen not to.
func (c Chair) HasCut() bool { return c.Cut != "" || c.Plain }

// MayCut is the seat of a user who may add something to the cut; false if they can't, or have done so.
func MayCut(t *Table, user int64) (engine.Seat, bool) {
	seat, ok := t.SeatOf(user)
	return seat, ok && t.Phase == Cutting && !t.Chairs[seat].Computer() && !t.Chairs[seat].HasCut()
}

// AddCut notes what a seat adds to the cut, "" for nothing. CutEnds says whether the pack is to be dealt then.
func AddCut(t *Table, seat engine.Seat, text string) {
	t.Chairs = slices.Clone(t.Chairs)
	t.Chairs[seat].Cut, t.Chairs[seat].Plain = text, text == ""
}

// CutEnds reports whether the pack is dealt now: all people have cut, or the cutter has and the others had so long for it since
// they were asked. As long as only that time is missing, Ends is when it is over.
func CutEnds(t *Table, now Running, others time.Duration) bool {
	if !slices.ContainsFunc(t.Chairs, func(c Chair) bool { return !c.Computer() && !c.HasCut() }) {
		return true
	}
	if !t.Chairs[t.Cutter].HasCut() {
		return false
	}
	if fair := t.Ends.Add(others - CutTime(t)); !CutterWaits(t) {
		t.Ends, t.Hurry = min(t.Ends, max(fair, now)), true
	}
	return t.Ends <= now
}

// CutterWaits reports whether the cutter has cut, and the others still have time.
func CutterWaits(t *Table) bool { return t.Phase == Cutting && t.Hurry }

// cuts are what the seats have added to the cut.
func cuts(t *Table) []string {
	all := make([]string, len(t.Chairs))
	for i, c := range t.Chairs {
		all[i] = c.Cut
	}
	return all
}

// SettleCut settles the deal's cut by what the seats have added. Where several have, only a newer program can deal it.
func SettleCut(t *Table) {
	var shared []string
	if shared, t.Cut = engine.SharedCuts(cuts(t)); shared != nil {
		t.Format = sharedFormat
	}
	t.Ends, t.Hurry = 0, false
}

// SharedCuts are the cuts of the deal's seats where several have cut; nil where at most one has, whose text is Cut.
func SharedCuts(t *Table) []string {
	shared, _ := engine.SharedCuts(cuts(t))
	return shared
}

// ShufflerOf is the shuffler of the table's deal.
func ShufflerOf(t *Table) engine.Shuffler {
	return engine.Record{Seed: t.Seed, Cut: t.Cut, Cuts: SharedCuts(t)}.Shuffler()
}

// CutOf is what a seat added to the cut of the deal; "" where it added nothing.
func CutOf(t *Table, seat engine.Seat) string {
	if t.Chairs[seat].Cut == "" && SharedCuts(t) == nil && t.Cutter == int(seat) && !slices.ContainsFunc(t.Chairs, Chair.HasCut) {
		return t.Cut // It was cut when only the cutter could.
	}
	return t.Chairs[seat].Cut
}

// CutEvent tells how the pack was cut.
func CutEvent(t *Table) engine.Event {
	e := engine.Event{What: "cut", Seat: engine.Nobody, To: engine.Nobody}
	if SharedCuts(t) != nil {
		e.What, e.Seat = "cuts", engine.Seat(t.Cutter)
		return e
	}
	for i := range t.Chairs {
		if CutOf(t, engine.Seat(i)) != "" {
			e.Seat = engine.Seat(i)
		}
	}
	return e
}
