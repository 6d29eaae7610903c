package board

import "zevaka/engine"

// Newest are the last of the events, as many as make at most n lines; a part of them, not a copy. The first of them begins
// a line.
func Newest(info engine.Info, events []engine.Event, n int) []engine.Event {
	first := len(events)
	for i := len(events) - 1; i >= 0 && n > 0; i-- {
		if !adds(info, events, i) {
			first, n = i, n-1
		}
	}
	return events[first:]
}

// adds reports whether an event only adds to the one before: it belongs to that, or is another card of the same list.
func adds(info engine.Info, events []engine.Event, i int) bool {
	switch info.EventRole(events[i].What) {
	case engine.EventLists:
		return i > 0 && events[i-1].What == events[i].What && events[i-1].Seat == events[i].Seat
	case engine.EventAdds:
		return true
	}
	return false
}
