// Package keyspace lists all that lies in the database: the prefix of its keys, who writes it, and what keeps it from
// growing without end. Nothing is stored under a key that isn't listed here. With each change of it storage.Format rises.
//
// In a key COMMUNITY is a community's short text form as it is now, such as t-1001234567, and ORIGIN the one that it had
// at first: chips, scores and what is kept about people stay under that, whatever the platform calls the community later.
// Where * stands in its place, the item is of all communities that lie in the same database.
// TABLE is a table's name, and USER a user's number to the base of 36.
package keyspace

import (
	"slices"
	"strings"
)

// The prefixes of keys. Each has two bytes, so that a key's family can be read off its beginning.
const (
	OpenTables     = "o/"
	EndedTables    = "f/"
	Moves          = "l/"
	Leftovers      = "d/"
	Places         = "p/"
	Chains         = "n/"
	OpenParts      = "j/"
	EndedParts     = "i/"
	Names          = "u/"
	CalledSo       = "v/"
	Offers         = "w/"
	Decisions      = "g/"
	Draws          = "q/"
	Origins        = "m/"
	Questions      = "y/"
	Personal       = "P/"
	Wishes         = "C/"
	Ratings        = "J/"
	Forgetting     = "x/"
	Process        = "c/"
	Accounts       = "a/"
	Postings       = "e/"
	History        = "h/"
	CarriedChips   = "k/"
	Richest        = "t/"
	Tallies        = "s/"
	Boards         = "b/"
	CarriedTallies = "r/"
	DayTallies     = "D/"
	DayPosts       = "E/"
	DayPeople      = "F/"
	DayUnsummed    = "G/"
	Played         = "H/"
	Ways           = "R/"
	Seasons        = "S/"
	Numbers        = "T/"
	Tellings       = "M/"
)

// Everywhere stands in a key for all communities of a database together. None is called so.
const Everywhere = "*"

// The keys of Process.
const (
	RunningTime = Process + "running"
	IndexState  = Process + "index"
	Blocked     = Process + "blocked"
	// LastRest was written by programs before the end of November 2026, and is of no use.
	LastRest = Process + "rest"
)

// Family is what lies under one prefix.
type Family struct {
	// Prefix begins its keys, Key is one of them with the parts in capitals that differ.
	Prefix, Key string
	// What says what an item is, and Value how it is written.
	What, Value string
	// Writer is the package that writes it, Bound what bounds how many items there are.
	Writer, Bound string
	// Found says that whoever wants all communities with something about people goes through this one: each such community
	// has an item in one of these families.
	Found bool
}

// Community is the community, by its present ID or its first, that a key stands under, as its text form is; empty for a key of
// Process. Whole says that the key goes on behind it, so that all keys which begin like it stand under the same.
func Community(key string) (community string, whole bool) {
	if strings.HasPrefix(key, Process) || len(key) < 2 {
		return "", false
	}
	community, _, whole = strings.Cut(key[2:], "/")
	return community, whole && community != ""
}

// All are the families, each once.
func All() []Family {
	return slices.Concat(tables(), people(), chips(), results(), days())
}

func tables() []Family {
	return []Family{
		{
			Prefix: OpenTables, Key: "o/COMMUNITY/TABLE", Found: true, Writer: "play",
			What: "a table until its last picture was shown, or couldn't be for a day", Value: "table.Encode: a line of JSON, hashes of requests, moves",
			Bound: "table.MaxTables in a place; one that waits for people ends after Options.Keep",
		},
		{
			Prefix: EndedTables, Key: "f/COMMUNITY/TABLE", Found: true, Writer: "play",
			What: "a table that has ended", Value: "as an open table's",
			Bound: "it expires after Options.Keep, and the oldest of more than 100,000 in a community before that",
		},
		{
			Prefix: Moves, Key: "l/COMMUNITY/TABLE/NUMBER", Writer: "play",
			What: "a full chunk of a table's moves; the table's first ID stays in the key", Value: "moves as text, each with a semicolon after it",
			Bound: "play.Deps.MaxMoves moves at a table; it goes when the table expires",
		},
		{
			Prefix: Leftovers, Key: "d/COMMUNITY/TABLE", Writer: "upkeep",
			What: "what is still stored of a table that has expired", Value: "JSON",
			Bound: "one for each such table; it goes in the same sweep, or in the next one",
		},
		{
			Prefix: Places, Key: "p/COMMUNITY/CHANNEL/THREAD", Found: true, Writer: "play, shelf, account, upkeep",
			What: "a place's language, looks and open tables, and how its games were played last", Value: "table.PlaceRecord as JSON",
			Bound: "one for each place in which somebody has used the bot",
		},
		{
			Prefix: Chains, Key: "n/COMMUNITY/TABLE", Writer: "play",
			What: "the newest of the tables that follow the one in the key", Value: "that table's name",
			Bound: "one for each chain; it goes in the sweep after its newest table has expired",
		},
		{
			Prefix: Offers, Key: "w/COMMUNITY", Found: true, Writer: "play, account",
			What: "games for one that somebody was asked where to play", Value: "a list of table.Offered as JSON",
			Bound: "one for each community, the newest table.MaxOffers in it",
		},
		{
			Prefix: Origins, Key: "m/COMMUNITY", Writer: "upkeep",
			What: "the origin of a community that has got another ID", Value: "the origin's text form",
			Bound: "one for each ID that a platform has given a community",
		},
		{
			Prefix: Played, Key: "H/ORIGIN/KIND/TIME/TABLE", Writer: "shelf, index",
			What:  "a game that has ended, or a session that is over, the newest first; KIND says of which game and where, as a hash",
			Value: "the community in the table's key, nothing if that is the origin",
			Bound: "one for each table that has ended, at most; it goes when the table expires",
		},
		{
			Prefix: Process, Key: "c/running, c/rest, c/index, c/blocked", Writer: "clock, index, bot",
			What:  "the running time, that of the last start after a rest, how far a database was gone through that had no index of people, or of games that ended, and who may not play",
			Value: "JSON", Bound: "four, with at most 1,000 people in the last",
		},
	}
}

func people() []Family {
	return []Family{
		{
			Prefix: OpenParts, Key: "j/ORIGIN/USER/TABLE", Writer: "shelf, index",
			What: "that a person has a part at an open table", Value: "nothing",
			Bound: "one for each person at a table",
		},
		{
			Prefix: EndedParts, Key: "i/ORIGIN/USER/KIND/TIME/TABLE", Writer: "shelf, index",
			What: "that a person had a part at a table that has ended, the newest first of each KIND; without KIND and TIME in a database that was not gone through yet", Value: "the community in the table's key, nothing if that is the origin",
			Bound: "one for each person at a table; it goes when the table expires",
		},
		{
			Prefix: Names, Key: "u/ORIGIN/USER", Found: true, Writer: "roll",
			What: "what a person is called", Value: "the name",
			Bound: "one for each person; it goes when they are forgotten",
		},
		{
			Prefix: CalledSo, Key: "v/ORIGIN/HASH/USER", Writer: "roll",
			What: "that a person is called as the hash says", Value: "nothing",
			Bound: "one for each person, two where the name has several words; they go when they are called otherwise or forgotten",
		},
		{
			Prefix: Questions, Key: "y/ORIGIN/USER", Writer: "question",
			What: "what a person was asked before something is done", Value: "a list of table.Question as JSON",
			Bound: "one for each person, the newest 8 questions in it",
		},
		{
			Prefix: Personal, Key: "P/ORIGIN/USER", Found: true, Writer: "personal",
			What: "what a person has chosen for themselves", Value: "table.Choices as JSON",
			Bound: "one for each person who has chosen something; it goes when they are forgotten",
		},
		{
			Prefix: Wishes, Key: "C/ORIGIN", Found: true, Writer: "wishes",
			What: "who wants to be called when a table for several opens, and in which place", Value: "a list of table.Wish as JSON",
			Bound: "one for each community, the newest table.MaxWishes in it",
		},
		{
			Prefix: Ratings, Key: "J/*/PLATFORM/USER", Writer: "account",
			What: "nothing any more: in which communities the ratings of a person counted together", Value: "a list of origins as JSON",
			Bound: "what an earlier program has left; the first start takes it away",
		},
		{
			Prefix: Forgetting, Key: "x/ORIGIN/USER", Found: true, Writer: "account",
			What: "that a person is being forgotten", Value: "account.Forgetting as JSON",
			Bound: "one for each such person; it goes when they are forgotten",
		},
		{
			Prefix: Decisions, Key: "g/ORIGIN", Writer: "account",
			What: "what a community's admins have decided", Value: "table.Decisions as JSON",
			Bound: "one for each community",
		},
	}
}

func chips() []Family {
	return []Family{
		{
			Prefix: Accounts, Key: "a/ORIGIN/ACCOUNT", Found: true, Writer: "purse",
			What: "a purse, the house, or all accounts at a table", Value: "JSON",
			Bound: "one for each person, one for the house; that of a table goes when it is settled",
		},
		{
			Prefix: Postings, Key: "e/ORIGIN/ID", Writer: "purse",
			What: "a posting", Value: "JSON",
			Bound: "it is carried forward after Options.Keep, or when its table expires",
		},
		{
			Prefix: History, Key: "h/ORIGIN/ACCOUNT/NUMBER", Writer: "purse",
			What: "a posting as a purse saw it, the newest first", Value: "purse.Line as JSON",
			Bound: "one for each purse in a posting; it goes with that",
		},
		{
			Prefix: CarriedChips, Key: "k/ORIGIN/ACCOUNT", Writer: "purse",
			What: "what the postings of an account come to that are not kept any more", Value: "purse.Carried as JSON",
			Bound: "one for each purse, one for the house; that of a table goes with its last posting",
		},
		{
			Prefix: Richest, Key: "t/ORIGIN/rich", Writer: "purse",
			What: "who may be among the richest", Value: "JSON, at most 90 people in it",
			Bound: "one for each community",
		},
		{
			Prefix: Draws, Key: "q/ORIGIN", Writer: "till",
			What: "draws for the bank that still stand", Value: "a list of table.KeptDraw as JSON",
			Bound: "one for each community, the newest table.MaxDraws in it",
		},
	}
}

func results() []Family {
	return []Family{
		{
			Prefix: Tallies, Key: "s/ORIGIN/GAME/USER", Found: true, Writer: "scores",
			What: "what a person has finished of a game", Value: "numbers, places and the name, with / between them",
			Bound: "one for each person and game; it goes when the person is forgotten",
		},
		{
			Prefix: Boards, Key: "b/ORIGIN/GAME", Writer: "scores",
			What: "the best of a game", Value: "two lists as JSON",
			Bound: "one for each community and game",
		},
		{
			Prefix: CarriedTallies, Key: "r/ORIGIN/GAME/USER", Found: true, Writer: "scores",
			What: "what the finishes of a tally come to whose tables are not kept any more", Value: "JSON",
			Bound: "one for each tally; it goes with that",
		},
		{
			Prefix: Ways, Key: "R/ORIGIN/GAME/USER", Writer: "scores",
			What: "a rating after each of the last rated games", Value: "JSON, at most 60 steps in it",
			Bound: "one for each tally of a rated game; it goes with that",
		},
		{
			Prefix: Seasons, Key: "S/ORIGIN/GAME", Writer: "scores",
			What: "the best of the newest month in which a game was rated", Value: "JSON, at most ten people in it",
			Bound: "one for each community and rated game",
		},
		{
			Prefix: Numbers, Key: "T/ORIGIN/GAME/USER/NUMBER", Writer: "results",
			What: "that a person has finished the deal of that number", Value: "nothing",
			Bound: "one for each such table; it expires with that",
		},
		{
			Prefix: Tellings, Key: "M/ORIGIN", Writer: "results",
			What: "where a community is told who was best in a month, and what was told last", Value: "JSON",
			Bound: "one for each community in which a game was rated",
		},
	}
}

func days() []Family {
	return []Family{
		{
			Prefix: DayTallies, Key: "D/ORIGIN/DAY/GAME", Writer: "day",
			What: "how the deal of a game and day went in a community; with * in its place, in all that lie in the same database", Value: "JSON, numbers of people by moves and time",
			Bound: "one for each game and day; it goes some ten days later, when something is summed up",
		},
		{
			Prefix: DayPosts, Key: "E/COMMUNITY/CHANNEL/THREAD", Found: true, Writer: "today, account",
			What: "that a place wants the patience of the day told, when, of which day it was told last, and how often in a row that couldn't be seen", Value: "JSON",
			Bound: "one for each place whose admins have asked for it",
		},
		{
			Prefix: DayPeople, Key: "F/ORIGIN/USER", Found: true, Writer: "day, today",
			What: "how the patiences of the last ten days ended for a person, and how many days in a row one came out", Value: "day.Person as JSON",
			Bound: "one for each person; it goes when they are forgotten",
		},
		{
			Prefix: DayUnsummed, Key: "G/ORIGIN", Writer: "day",
			What: "that something was counted in a community which isn't summed up yet", Value: "nothing",
			Bound: "one for each community; it goes within minutes",
		},
	}
}
