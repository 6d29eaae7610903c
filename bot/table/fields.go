package table

import (
	"zevaka/bot/chat"
	"zevaka/engine"
)

// Agreed is where a table is, and what was agreed on before the deal.
type Agreed struct {
	Place chat.Place `json:"place"`
	// Lang is the language of the place.
	Lang string `json:"lang"`
	Game string `json:"game"`
	Rev  int    `json:"rev"`
	// Limit is the time for a turn in seconds; 0 is no limit.
	Limit int `json:"limit"`
	// Fast says that a card is kept without a press where that is the only move.
	Fast bool `json:"fast,omitempty"`
	// Rounds is how often everybody is to hold the bank; 0 in a game without.
	Rounds int `json:"rounds,omitempty"`
	// Practice says that a bank is held for chips of the table's own, which are nobody's anywhere else: no purse pays for them or
	// gets them, and no score counts them. It never changes.
	Practice bool `json:"practice,omitempty"`
	// Lesson says that the table teaches the game to who sits there, and nothing counts; Part is which of the game's lessons that is,
	// from 0.
	Lesson bool `json:"lesson,omitempty"`
	Part   int  `json:"part,omitempty"`
	// Temper is how the computer players are who sit down next.
	Temper Temper `json:"temper,omitempty"`
	// Panel says that the lobby shows its switches; Details that it shows every option, and not the named sets. They mean
	// nothing where the table HasOwnPanel.
	Panel   bool `json:"panel,omitempty"`
	Details bool `json:"details,omitempty"`
}

// HasOwnPanel reports whether the lobby's switches stand in a message that the host alone sees, and not in the board. Where the
// bot is a guest they stand in the board: a press elsewhere is no way to change what the others see.
func (a Agreed) HasOwnPanel() bool {
	return a.Place.Community.Platform.HasEphemerals() && !a.Place.Guest
}

// Cards are what the cards follow from.
type Cards struct {
	// Draw is the seed of the draw for the dealer (RECORDS.md, Exactly 40). Seed and Cut decide the deal; where several have
	// cut, Seed and what the chairs have of it, and Cut is empty.
	Draw engine.Seed `json:"draw"`
	Seed engine.Seed `json:"seed,omitzero"`
	Cut  string      `json:"cut,omitempty"`
	// Stands says that nothing was drawn, since an earlier draw stands.
	Stands bool `json:"stands,omitempty"`
	// Cutter is the seat whose cut has the pack dealt.
	Cutter int `json:"cutter,omitempty"`
}

// Names are other names of a table and of its community, and the names of the tables before and after it.
type Names struct {
	// FormerID is the ID that the table had when its first chunk was written; empty if it has that still.
	FormerID string `json:"home,omitempty"`
	// FormerCommunity is the origin of the community; empty if the community still has that name.
	FormerCommunity string `json:"ledger,omitempty"`
	// Next is the name of the table that the session goes on at; empty if there is none.
	Next string `json:"next,omitempty"`
	// Chain is the name of the first of the tables that follow each other by "Again"; empty at that one.
	Chain string `json:"chain,omitempty"`
	// Offer is the name of the offer whose link opened the table; empty if none did, or one of all games.
	Offer string `json:"offer,omitempty"`
}

// LogState is how much was played.
type LogState struct {
	// Moves are how many entries the log has. Chunks is how many full chunks of them lie under keys of their own.
	Moves  int `json:"moves,omitempty"`
	Chunks int `json:"chunks,omitempty"`
	// Quiet counts the turns since a person last did anything.
	Quiet  int  `json:"quiet,omitempty"`
	Asleep bool `json:"asleep,omitempty"`
}

// Solo is what only a game for one needs; it is empty elsewhere.
type Solo struct {
	// Line is how many moves stand and Undone how many were taken back and can be made again; Undos and Hints count what
	// the player asked for, and Page, if not 0, which card was chosen, whose places are shown.
	Line   int `json:"line,omitempty"`
	Undone int `json:"undone,omitempty"`
	Undos  int `json:"undos,omitempty"`
	Hints  int `json:"hints,omitempty"`
	Page   int `json:"page,omitempty"`
	// Numbered is the number of the deal; nil for a deal without one, whose cards nobody can know.
	Numbered *int64 `json:"deal,omitempty"`
	// Grade is how hard the deal is, if it is known to come out, as deals.Level has it; else 0.
	Grade int `json:"grade,omitempty"`
	// Day is the number of the day whose patience this is, from 1; 0 for any other deal.
	Day int `json:"day,omitempty"`
	// Known says that a deal without a number is that of a table which had ended: its cards are known, and nothing counts.
	Known bool `json:"known,omitempty"`
	// Once says that a numbered deal has counted in the scores, being the first of its number that its player has finished.
	Once bool `json:"once,omitempty"`
	// ReportTo is the place where the game was asked for, if it is played elsewhere: it is told how the game ends. Else it
	// is nil.
	ReportTo *chat.Place `json:"aside,omitempty"`
}

// Banked is what only a game with a banker needs; it is empty elsewhere.
type Banked struct {
	// Window is until when, in running time, the others may bet on a hand; 0 if they can't now.
	Window Running `json:"window,omitempty"`
	// Chips are those of the deal as they were posted last; nil before anything was laid out.
	Chips *engine.Chips `json:"chips,omitempty"`
	// Session is what the deal belongs to; nil before the first deal.
	Session *Session `json:"session,omitempty"`
	// Waiting are people who sit down with the next deal of the session.
	Waiting []Chair `json:"waiting,omitempty"`
	// Closing says that the table of a bank is about to close; nil if it isn't.
	Closing *Closing `json:"closing,omitempty"`
}

// Shown is the message that bears a table's picture.
type Shown struct {
	// Board is that message, first shown there at the level Boarded; this is 1 where somebody has pressed in the lobby before that was known.
	Board   chat.Ref `json:"board,omitempty"`
	Boarded uint64   `json:"boarded,omitempty"`
	// Pledged says that all 64 digits of the seed's checksum stand in a message for everybody.
	Pledged bool `json:"pledged,omitempty"`
	// Former is the message that bore it before somebody was called by a new one, and is taken away; empty if none was.
	Former chat.Ref `json:"former,omitempty"`
}

// Deadlines are when a table does something by itself.
type Deadlines struct {
	// Ends, Warn and Chance are when the turn is over, when its player is warned and when the computer players move,
	// in running time; 0 is never. In a lobby Warn is when seats are given up that are kept.
	Ends   Running `json:"ends,omitempty"`
	Warn   Running `json:"warn,omitempty"`
	Chance Running `json:"chance,omitempty"`
	// Mover is the seat whose deadline Ends is.
	Mover int `json:"mover,omitempty"`
	// Told says that Mover was told in this turn that the others wait, in whatever way they chose.
	Told bool `json:"told,omitempty"`
	// Skip is when the others may end the turn of Mover; 0 is never, or that it is Skippable. Skipper is the user who has asked for it;
	// 0 is nobody. Without a limit nobody ends it, but Mover can be removed by who plays in the deal.
	Skip      Running `json:"skip,omitempty"`
	Skippable bool    `json:"skippable,omitempty"`
	Skipper   int64   `json:"skipper,omitempty"`
	// Hurry says that this turn has a limit though the table has none, or of a pack that its cutter has cut and the others
	// still have time. In a game without a banker and without Ends it says
	// that the table makes the turn of Mover, who has slept, and goes on with it at Chance.
	Hurry bool `json:"hurry,omitempty"`
}

// End is when a table was opened and dealt, and how it ended.
type End struct {
	// Opened, Sealed, Dealt and Ended are times in seconds since 1970, UTC; 0 is not yet. Sealed is when the seed of a game was chosen
	// from which the pack is cut.
	Opened int64 `json:"opened"`
	Sealed int64 `json:"sealed,omitempty"`
	Dealt  int64 `json:"dealt,omitempty"`
	Ended  int64 `json:"ended,omitempty"`
	// Result is how the deal ended; nil while it goes on, and after a stop.
	Result *engine.Result `json:"result,omitempty"`
	// Why names the reason of a stop; empty for a deal that was played to its end.
	Why string `json:"why,omitempty"`
	// EndedAt is the level of the last picture.
	EndedAt uint64 `json:"endedat,omitempty"`
}
