package play

import (
	"maps"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience/deals"
)

// Opening is a table that somebody asks for.
type Opening struct {
	Rules   engine.Rules
	Options map[string]string
	Limit   int
	Fast    bool
	// Ruled says that somebody has chosen Options, and Paced that they have chosen Limit, Fast or Rounds.
	Ruled, Paced bool
	// Deal is the number of the deal; nil for one that nobody knows.
	Deal *int64
	// Known says that the deal is to be one that is known to come out, of that Level, the zero one being any: Dealt chooses it.
	Known bool
	Level deals.Level
	// Day is the number of the day whose patience it is, with its Deal; 0 for any other.
	Day int
	// Rounds is how often everybody is to hold the bank; 0 is once.
	Rounds int
	// Computers are how many computer players sit down at once. Now says that the cards are dealt then, to them and the one
	// who asks; if no number was chosen, they are as many as the game needs.
	Computers int
	Now       bool
	// Practice says that a bank is held for the table's own chips.
	Practice bool
	// Lesson says that the table teaches the game, by its lesson Part, from 0.
	Lesson bool
	Part   int
	// Temper is how they are. Company are those of them who sat together before, as they were.
	Temper  table.Temper
	Company []table.Chair
	// Kept are people for whom a seat is kept.
	Kept []table.Chair
	// Name is the table's name; empty for one that follows from the request. Link is where it stands in a chain.
	Name string
	Link Link
	// Lang is the language of the table, unless another was chosen for its place; empty for that of the place and of the one
	// who asks.
	Lang string
	// Typed is what was typed behind the command, with single spaces.
	Typed string
	// Asked says that the one who asks has chosen where to play, or to open another table, and ReportTo, if not nil, that the place is to hear how it
	// ends.
	Asked    bool
	ReportTo *chat.Place
	// Board is the message in whose place the table is shown; empty for a new one.
	Board chat.Ref
}

// Link is where in a chain a table is opened: First is the name of its first table, and Newest that of the newest as
// it was stored before, empty if none was.
type Link struct{ First, Newest string }

// Limits are the turn limits offered, in seconds; 0 is none. They are in the order in which a button goes through them.
func Limits() []int { return []int{60, 120, 300, 3600, 86400, 0, 15, 30} }

// DefaultLimit is the time for a turn, in seconds, where nobody has chosen another.
const DefaultLimit = 60

// MaxRounds is how often everybody can be asked to hold the bank in one session.
const MaxRounds = 5

// Spoken is the language of the table in the request's place; empty if nothing tells. Where nobody has chosen one for the place,
// it is that of the opening, or, of a game for one, the player's: it concerns nobody else.
func (o Opening) Spoken(record table.PlaceRecord, all *words.Catalogue, r chat.Request) string {
	switch {
	case record.Lang != "":
	case o.Lang != "":
		return o.Lang
	case o.Rules.Info().ForOne() && r.Who.Lang != "":
		return all.Lang(r.Who.Lang).Tag
	}
	return record.Spoken(all, r)
}

// Filled is the opening for a place of which this is known: what nobody has chosen is as the game was played there last. Where
// it never was, people who play it between other things, in a chat, get a game that ends the same evening.
func (o Opening) Filled(record table.PlaceRecord, in chat.Place) Opening {
	info := o.Rules.Info()
	last, played := record.Played[info.Name]
	if played && !o.Paced {
		o.Limit, o.Fast, o.Rounds = last.Limit, last.Fast, last.Rounds
	}
	if record.Pace != nil && !o.Paced && !info.ForOne() {
		o.Limit = *record.Pace
	}
	if o.Ruled || info.ForOne() {
		return o
	}
	if options, err := info.Complete(last.Options); played && err == nil {
		o.Options = options
		return o
	}
	for _, set := range info.Sets {
		if set.Brief && in.Community.Platform != chat.Web {
			o.Options = maps.Clone(o.Options)
			maps.Copy(o.Options, set.Options)
		}
	}
	return o
}
