package account

import (
	"zevaka/bot/picture"
	"zevaka/bot/scores"
	"zevaka/bot/words"
	"zevaka/engine"
)

// mark is something to which games give the occasion by themselves. It is told from what is kept of somebody anyhow: tallies, which
// rebuild-scores works out again from the tables that have ended, and patiences of a day. Its name is that of its words.
type mark struct {
	name string
	// sign is the suit on its medal: spades for games of several, diamonds for banks, clubs for patiences, hearts for the rest.
	sign   engine.Suit
	earned func(p profile, games []engine.Rules) bool
}

const (
	// fullWeek is how many days in a row make one, inRow how many wins make a series, and quickly in how many seconds a patience
	// comes out fast.
	fullWeek, inRow, quickly = 7, 3, 180
	// shownMarks is how many marks a card shows.
	shownMarks = 3
)

// marks are all of them, those first that are earned most seldom. A card shows the first ones that somebody has: these don't change
// places with what was done last, so that nobody has to do anything again.
func marks() []mark {
	one := func(like func(engine.Info) bool, done func(scores.Tally) bool) func(profile, []engine.Rules) bool {
		return func(p profile, games []engine.Rules) bool {
			for i, t := range p.tallies {
				if like(games[i].Info()) && done(t) {
					return true
				}
			}
			return false
		}
	}
	feat := func(name string) func(profile, []engine.Rules) bool {
		return one(func(engine.Info) bool { return true }, func(t scores.Tally) bool { return t.First(name) > 0 })
	}
	several := func(i engine.Info) bool { return !i.Banker && !i.ForOne() }
	banker := func(i engine.Info) bool { return i.Banker }
	return []mark{
		{"each", engine.Clubs, func(p profile, games []engine.Rules) bool {
			return !one(engine.Info.ForOne, func(t scores.Tally) bool { return t.Solved == 0 })(p, games)
		}},
		{"awake", engine.Spades, feat("awake")},
		{"week", engine.Hearts, func(p profile, _ []engine.Rules) bool { return p.days.Longest >= fullWeek }},
		{"crowd", engine.Spades, feat(scores.Crowd)},
		{"tripled", engine.Diamonds, feat("tripled")},
		{"broke", engine.Diamonds, feat("broke")},
		{"row", engine.Spades, one(several, func(t scores.Tally) bool { return t.Longest >= inRow })},
		{"quick", engine.Clubs, one(engine.Info.ForOne, func(t scores.Tally) bool { return t.Fastest > 0 && t.Fastest < quickly })},
		{"clean", engine.Clubs, feat(scores.Clean)},
		{"plus", engine.Diamonds, one(banker, func(t scores.Tally) bool { return t.BestChips > 0 })},
		{"first-out", engine.Clubs, one(engine.Info.ForOne, func(t scores.Tally) bool { return t.Solved > 0 })},
		{"win", engine.Spades, one(several, func(t scores.Tally) bool { return t.Wins > 0 })},
	}
}

// marks are the rarest that somebody has earned, so many at most.
func (p profile) marks(lang *words.Lang, games []engine.Rules, most int) (all []picture.Mark) {
	for _, m := range marks() {
		if len(all) < most && m.earned(p, games) {
			all = append(all, picture.Mark{Sign: m.sign, Name: lang.Say("mark." + m.name), Says: lang.Say("mark." + m.name + ".says")})
		}
	}
	return all
}
