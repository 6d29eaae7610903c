package scores

import (
	"slices"
	"time"

	"zevaka/engine"
)

// Finish is how something ended for one seat: a deal, or all deals of a session at one table.
type Finish struct {
	// Won counts for streaks; Last, in a game with places, is the seat that all the others beat.
	Won  bool
	Last bool
	// Place is 1 for the first; seats that tie share the better place. It is 0 in a game without places.
	Place int
	// Chips are the net change, Bank the most that a bank held by the seat came to; 0 in a game without chips.
	Chips int64
	Bank  int64
	// Solved and Score are those of a patience.
	Solved bool
	Score  int64
	// Seconds are how long it took; Moves, Undos and Hints how many there were of the seat.
	Seconds int64
	Moves   int64
	Undos   int64
	Hints   int64
	// Level is how hard a deal was that is known to come out, from 1, the easiest, to MaxLevel; 0 for any other.
	Level int
	// Looked says that the player may have known the cards: the time and the moves set no record.
	Looked bool
	// Was is the rating that the user had before, Rating the one after; both zero for what isn't rated.
	Was, Rating KeptRating
	// At is when it ended, in seconds since 1970, UTC.
	At int64
	// Feats are what there is to remember of it.
	Feats Feats
}

// Feats are things that somebody has done, each a bit: the first of FeatNames is the lowest.
type Feats uint8

// The feats that any game can have: Clean of a patience that came out without a move taken back or a hint, Crowd of who was first
// of five people or more.
const (
	Clean = "clean"
	Crowd = "crowd"
)

// MaxFeats is how many feats there are at most.
const MaxFeats = 8

// FeatNames are what feats are called: those of any game, then those that games tell of (engine.Info). A new one comes last,
// since they are stored by their places.
func FeatNames() []string { return []string{Clean, Crowd, "awake", "broke", "tripled"} }

// FeatsOf are the feats with these names; one that isn't known is none.
func FeatsOf(names ...string) (all Feats) {
	for _, name := range names {
		if i := slices.Index(FeatNames(), name); i >= 0 {
			all |= 1 << i
		}
	}
	return all
}

// MonthOf is the month of a time in seconds since 1970, UTC: how many there were before it since the year 0.
func MonthOf(at int64) int64 {
	const months = 12
	t := time.Unix(at, 0).UTC()
	return int64(t.Year())*months + int64(t.Month()-time.January)
}

// FinishOf is what a deal's result says of one of its seats. A seat has won that is first, has won chips, or has solved
// its patience; when all seats tie, nobody has won and nobody is last. What the result doesn't tell is zero.
func FinishOf(r engine.Result, s engine.Seat) Finish {
	var f Finish
	if r.Patience != nil {
		f.Solved, f.Score, f.Won = r.Patience.Solved, int64(r.Patience.Score), r.Patience.Solved
	}
	if i := int(s); i >= 0 && i < len(r.Chips) {
		f.Chips, f.Won = r.Chips[i], r.Chips[i] > 0
	}
	if i := slices.Index(r.Places, s); i >= 0 {
		first, last := i, i
		for _, tie := range r.Ties {
			if slices.Contains(tie, s) {
				first = slices.IndexFunc(r.Places, func(other engine.Seat) bool { return slices.Contains(tie, other) })
				last = first + len(tie) - 1
			}
		}
		f.Place = first + 1
		f.Last = first > 0 && last == len(r.Places)-1
		f.Won = first == 0 && last < len(r.Places)-1
	}
	return f
}

// Tally is what one user has finished in one game.
type Tally struct {
	// Name is what the user was called at the last finish.
	Name  string
	Games int64
	Wins  int64
	// Places count the places: Places[0] the first ones, the last of them those after it, too.
	Places [MaxPlaces]int64
	// Last is how often all the others were better.
	Last int64
	// Streak is how many wins there were in a row up to now, Longest the most there ever were.
	Streak  int64
	Longest int64
	// Chips are all net changes together, BestChips the best one, which may be a loss, and Bank the largest bank held.
	Chips     int64
	BestChips int64
	Bank      int64
	// Solved is how many patiences came out, Fastest the seconds and Fewest the moves of the best ones, each at least
	// 1, and 0 while none came out whose cards nobody could know. Score is the best score, of one that came out or not.
	Solved  int64
	Fastest int64
	Fewest  int64
	Score   int64
	// Seconds, Undos and Hints are those of all finishes together.
	Seconds int64
	Undos   int64
	Hints   int64
	// Rating is that of the last rated finish; zero where none was.
	Rating KeptRating
	// Month is what was finished in the newest month with a rated finish.
	Month Monthly
	// Levels are the deals of each Level that were finished, the easiest first.
	Levels [MaxLevel]Graded
	// Firsts are when the first finish with each of the Feats was, in seconds since 1970, UTC; 0 while none was.
	Firsts [MaxFeats]int64
}

// MaxLevel is how many levels of known deals there are.
const MaxLevel = 3

// Graded is how many deals of a level were finished, and how many of them came out.
type Graded struct {
	Games  int64 `json:"games"`
	Solved int64 `json:"solved"`
}

// First is when somebody has done something for the first time, by its name; 0 if they never have.
func (t Tally) First(feat string) int64 {
	if i := slices.Index(FeatNames(), feat); i >= 0 {
		return t.Firsts[i]
	}
	return 0
}

// Monthly is what somebody has finished of a game in one month, as MonthOf has it: how many rated deals, how many of these they
// won, and in how many they were last. The zero Monthly is of none.
type Monthly struct {
	Month int64 `json:"month"`
	Games int64 `json:"games"`
	Wins  int64 `json:"wins"`
	Last  int64 `json:"last"`
}

// and is what two of them come to: those of the newer month, and of both if they are of one.
func (m Monthly) and(o Monthly) Monthly {
	switch {
	case o.Month > m.Month:
		return o
	case o.Month == m.Month:
		return Monthly{m.Month, m.Games + o.Games, m.Wins + o.Wins, m.Last + o.Last}
	}
	return m
}

const (
	// MaxPlaces is how many places a tally tells apart.
	MaxPlaces = 12
	// maxGames bounds a tally's finishes.
	maxGames = 1<<31 - 1
)

// Rated reports whether the finish has changed a rating.
func (f Finish) Rated() bool { return f.Rating.Games > 0 }

// add is the tally with one finish more. The tally itself stays as it is.
func (t Tally) add(f Finish) Tally {
	t = t.count(f)
	if f.Rated() {
		t.Rating = f.Rating
	}
	return t.follow(f.Won)
}

// count is the tally with what doesn't depend on the order of finishes.
func (t Tally) count(f Finish) Tally {
	t.Chips += f.Chips
	if t.Games == 0 || f.Chips > t.BestChips {
		t.BestChips = f.Chips
	}
	t.Games++
	t.Bank = max(t.Bank, f.Bank)
	t.Score = max(t.Score, f.Score)
	t.Seconds += f.Seconds
	t.Undos += f.Undos
	t.Hints += f.Hints
	var month Monthly
	if f.Rated() {
		month = Monthly{Month: MonthOf(f.At), Games: 1}
	}
	if f.Won {
		t.Wins++
		month.Wins = month.Games
	}
	if f.Last {
		t.Last++
		month.Last = month.Games
	}
	t.Month = t.Month.and(month)
	if f.Level > 0 {
		level := &t.Levels[min(f.Level, MaxLevel)-1]
		level.Games++
		if f.Solved {
			level.Solved++
		}
	}
	if f.Solved {
		t.Solved++
		if !f.Looked {
			t.Fastest = least(t.Fastest, f.Seconds)
			t.Fewest = least(t.Fewest, f.Moves)
		}
	}
	if f.Place > 0 {
		t.Places[min(f.Place, MaxPlaces)-1]++
	}
	for i := range t.Firsts {
		if f.Feats&(1<<i) != 0 {
			t.Firsts[i] = least(t.Firsts[i], f.At)
		}
	}
	return t
}

// least is the least number so far, 0 if there was none yet.
func least(before, n int64) int64 {
	n = max(n, 1)
	if before == 0 {
		return n
	}
	return min(before, n)
}

// follow is the tally with the streak that the next finish makes.
func (t Tally) follow(won bool) Tally {
	if !won {
		t.Streak = 0
		return t
	}
	t.Streak++
	t.Longest = max(t.Longest, t.Streak)
	return t
}
