package table

import (
	"testing"
	"time"
)

// TestCalls: when the one whose turn it is gets called, by what the place and they themselves have chosen.
func TestCalls(t *testing.T) {
	const never = -1
	for _, test := range []struct {
		name  string
		calls Calls
		own   bool
		// limit and want are in seconds.
		limit, want int
		stale, solo bool
	}{
		{name: "soon", limit: 60, want: 15},
		{name: "soon, a little time", limit: 30, want: 15},
		{name: "soon, so little time that it runs out before", limit: 15, want: 10},
		{name: "soon, an hour", limit: 3600, want: 15},
		{name: "soon, no limit", want: 15},
		{name: "late", calls: CallLate, limit: 60, want: 40},
		{name: "late, so little time", calls: CallLate, limit: 15, want: 10},
		{name: "late, an hour", calls: CallLate, limit: 3600, want: 2400},
		{name: "late, a day", calls: CallLate, limit: 86400, want: 84600},
		{name: "late, no limit", calls: CallLate, want: 300},
		{name: "at once", calls: CallAtOnce, limit: 60},
		{name: "at once, no limit", calls: CallAtOnce},
		{name: "at once, within a turn", calls: CallAtOnce, limit: 60, stale: true, want: 15},
		{name: "one's own", own: true, limit: 60},
		{name: "one's own, within a turn", own: true, limit: 60, stale: true, want: 15},
		{name: "one's own where others are called late", calls: CallLate, own: true, limit: 60},
		{name: "one's own where others are called late, within a turn", calls: CallLate, own: true, limit: 60, stale: true, want: 15},
		{name: "nobody waits", own: true, limit: 60, solo: true, want: 40},
		{name: "nobody waits, no limit", calls: CallAtOnce, solo: true, want: never},
	} {
		const begins = Running(1_000_000)
		one := Table{Chairs: []Chair{{User: 1}, {User: 2, AtOnce: test.own}}, Looks: Looks{Calls: test.calls}, Deadlines: Deadlines{Mover: 1}}
		if test.solo {
			one.Chairs[0] = Chair{}
		}
		one.Limit = test.limit
		one.LimitFrom(begins, test.limit, !test.stale)
		got := int(begins.Until(one.Warn) / time.Second)
		if one.Warn == 0 {
			got = never
		}
		if got != test.want {
			t.Errorf("%s: the call comes after %d s, want %d", test.name, got, test.want)
		}
	}
	if s := (Looks{Calls: CallLate, Closed: true, Cloth: "blue"}).Seen(); s != (Looks{Cloth: "blue"}) {
		t.Errorf("of the looks %+v is seen", s)
	}
}
