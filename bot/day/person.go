package day

import (
	"slices"

	"zevaka/bot/chat"
)

// kept is of how many days, up to the newest that a person has seen, results are kept. A table waits for its player for a week: so
// one that was begun in time is counted for its day whenever it ends.
const kept = 10

// tellable is for how many days after its own others may be told of a result.
const tellable = 2

// Result is how one patience of a day ended for a person.
type Result struct {
	Day    int    `json:"d"`
	Game   string `json:"g"`
	Solved bool   `json:"ok,omitempty"`
	Moves  int    `json:"m"`
	Undos  int    `json:"u,omitempty"`
	Hints  int    `json:"h,omitempty"`
	// Seconds are how long it took.
	Seconds int64 `json:"s"`
	// From is the place where others may be told of it: where it was asked for, or else played. It is nil where nobody else is, and
	// some days later.
	From *chat.Place `json:"from,omitempty"`
	// Shared is a hash of the request by which the person has told the others; 0 as long as they haven't.
	Shared uint64 `json:"told,omitempty"`
}

// Person is what is kept of somebody in a community.
type Person struct {
	// Newest is the newest day that was seen. Run is how many days in a row were solved up to the last one of which no results are
	// kept, Longest the most days in a row that ever were.
	Newest  int `json:"day"`
	Run     int `json:"run,omitempty"`
	Longest int `json:"longest,omitempty"`
	// Played and Solved count all results.
	Played int `json:"played"`
	Solved int `json:"solved,omitempty"`
	// Results are those of the newest days, the oldest first.
	Results []Result `json:"results,omitempty"`
}

// Of is the result of a game on a day; nil if there is none.
func (p Person) Of(day int, game string) *Result {
	i := slices.IndexFunc(p.Results, func(r Result) bool { return r.Day == day && r.Game == game })
	if i < 0 {
		return nil
	}
	return &p.Results[i]
}

// Streak is how many days in a row, up to today, the person has solved a patience of the day, whichever. Today needn't be among them
// yet.
func (p Person) Streak(today int) int {
	day, n := today, 0
	if !p.solved(day) {
		day--
	}
	if day > p.Newest || day <= p.Newest-kept {
		return 0
	}
	for ; day > p.Newest-kept; day-- {
		if !p.solved(day) {
			return n
		}
		n++
	}
	return n + p.Run
}

// solved reports whether the person has solved a patience of that day, of which results are kept.
func (p Person) solved(day int) bool {
	return slices.ContainsFunc(p.Results, func(r Result) bool { return r.Day == day && r.Solved })
}

// add adds a result, and reports whether it counts: the first one of its game and day does, if results of that day are still kept. The
// person's own slice stays as it is.
func (p *Person) add(r Result, today int) bool {
	newest := max(r.Day, today)
	if newest <= p.Newest-kept {
		// All that is kept is of days to come: the clock was wrong when it was noted, so that it tells of no streak.
		*p = Person{Longest: p.Longest, Played: p.Played, Solved: p.Solved}
	}
	p.advance(max(newest, p.Newest))
	if r.Day <= p.Newest-kept || p.Of(r.Day, r.Game) != nil {
		return false
	}
	after := slices.IndexFunc(p.Results, func(other Result) bool { return other.Day > r.Day })
	if after < 0 {
		after = len(p.Results)
	}
	p.Results = slices.Insert(slices.Clone(p.Results), after, r)
	for i := range p.Results {
		if p.Results[i].Day < p.Newest-tellable {
			p.Results[i].From = nil
		}
	}
	p.Played++
	if r.Solved {
		p.Solved++
	}
	p.Longest = max(p.Longest, p.longest())
	return true
}

// advance lets what is too old leave, once a newer day has come.
func (p *Person) advance(newest int) {
	if p.Newest == 0 {
		p.Newest = newest
	}
	oldest := newest - kept
	for day := p.Newest - kept + 1; day <= min(oldest, p.Newest); day++ {
		if p.solved(day) {
			p.Run++
		} else {
			p.Run = 0
		}
	}
	if oldest > p.Newest {
		p.Run = 0
	}
	p.Newest = newest
	p.Results = slices.DeleteFunc(slices.Clone(p.Results), func(r Result) bool { return r.Day <= oldest })
}

// longest is the most days in a row of which there are results, with those before them.
func (p *Person) longest() int {
	most, run := p.Run, p.Run
	for day := p.Newest - kept + 1; day <= p.Newest; day++ {
		if p.solved(day) {
			run++
		} else {
			run = 0
		}
		most = max(most, run)
	}
	return most
}
