package bot

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"zevaka/engine"
)

// tableFormat is the format of a stored table. A table of another format is not read.
const tableFormat = 1

// phase is how far a table has come.
type phase uint8

const (
	// lobby: people sit down, the host chooses the rules.
	lobby phase = iota + 1
	// cutting: seats, dealer and seed are fixed; a player cuts.
	cutting
	// playing: the cards are dealt.
	playing
	// ended: the deal is over, or was stopped. Nothing changes any more but where its last picture stands.
	ended
)

// table is one table as it is stored: who sits there, what was agreed, and the moves made so far. The cards are not
// stored: they follow from the seed, the cut and the moves.
type table struct {
	id tableID

	Format int   `json:"v"`
	Phase  phase `json:"phase"`
	// Level counts the changes of the table; every picture bears the level that it shows.
	Level uint64 `json:"level"`
	Place Place  `json:"place"`
	// Lang is the language of the place.
	Lang    string            `json:"lang"`
	Game    string            `json:"game"`
	Rev     int               `json:"rev"`
	Options map[string]string `json:"options"`
	// Limit is the time for a turn in seconds; 0 is no limit.
	Limit int `json:"limit"`
	// Fast says that a flipped card that can go nowhere else is kept without a press.
	Fast bool `json:"fast,omitempty"`
	// Rounds is how often everybody is to hold the bank; 0 in a game without.
	Rounds int `json:"rounds,omitempty"`
	// Panel says that the lobby shows its switches.
	Panel bool `json:"panel,omitempty"`
	// Host is the user who may deal, stop and remove; 0 when no person is left.
	Host int64 `json:"host"`
	// Chairs are in order of joining, and from the deal on in order of seats.
	Chairs []chair `json:"chairs"`
	// Draw is the seed of the draw for the dealer; Seed and Cut decide the deal (RECORDS.md, Exactly 40).
	Draw engine.Seed `json:"draw"`
	Seed engine.Seed `json:"seed,omitzero"`
	Cut  string      `json:"cut,omitempty"`
	// Drawn are the cards of the draw, in order of joining.
	Drawn []engine.Card `json:"drawn,omitempty"`
	// Cutter is the seat that cuts.
	Cutter int `json:"cutter,omitempty"`
	// Moves are how many moves were made; Chunks of them are full and lie under keys of their own.
	Moves  int `json:"moves,omitempty"`
	Chunks int `json:"chunks,omitempty"`
	// Numbered is the number of the deal, if everybody can know it by that; nil elsewhere.
	Numbered *int64 `json:"deal,omitempty"`
	// Line is how many moves stand and Undone how many were taken back and can be made again, in a game for one; Undos
	// and Hints count what its player asked for, and Page is the page of moves on show.
	Line   int `json:"line,omitempty"`
	Undone int `json:"undone,omitempty"`
	Undos  int `json:"undos,omitempty"`
	Hints  int `json:"hints,omitempty"`
	Page   int `json:"page,omitempty"`
	// Aside is the place that is told how a game for one has ended that was played elsewhere; nil if none is.
	Aside *Place `json:"aside,omitempty"`
	looks
	// Home is the table's id as it was when its first chunk was written, if the community has had another ID since.
	Home string `json:"home,omitempty"`
	// Ledger is the community's first name, if that is not its name now.
	Ledger string `json:"ledger,omitempty"`
	// Board is the message that bears the table's picture, first shown there at the level Boarded.
	Board   Ref    `json:"board,omitempty"`
	Boarded uint64 `json:"boarded,omitempty"`
	// Ends, Warn and Chance are when the turn is over, when its player is warned and when the computer players move,
	// in milliseconds of running time; 0 is never.
	Ends   int64 `json:"ends,omitempty"`
	Warn   int64 `json:"warn,omitempty"`
	Chance int64 `json:"chance,omitempty"`
	// Mover is the seat whose deadline Ends is.
	Mover int `json:"mover,omitempty"`
	// Quiet counts the turns since a person last did anything.
	Quiet  int  `json:"quiet,omitempty"`
	Asleep bool `json:"asleep,omitempty"`
	// Tap is the press made last, but for those that chairs keep.
	Tap tap `json:"tap,omitzero"`
	// Window is until when, in milliseconds of running time, people may bet on somebody's hand; 0 is not now.
	Window int64 `json:"window,omitempty"`
	// Chips are those of the deal as they were posted last; nil before anything was laid out.
	Chips *engine.Chips `json:"chips,omitempty"`
	// Session is what the deal belongs to; nil in a game of single deals, and before the first deal.
	Session *session `json:"session,omitempty"`
	// Waiting are people who sit down with the next deal of the session.
	Waiting []chair `json:"waiting,omitempty"`
	// Next is the name of the table that the session goes on at; empty if there is none.
	Next string `json:"next,omitempty"`
	// Last are the newest events, oldest first.
	Last []engine.Event `json:"last,omitempty"`
	// Result is how the deal ended; nil while it goes on, and after a stop.
	Result *engine.Result `json:"result,omitempty"`
	// Why names the reason of a stop; empty for a deal that was played to its end.
	Why string `json:"why,omitempty"`
	// EndedAt is the level of the last picture.
	EndedAt uint64 `json:"endedat,omitempty"`
	// Opened, Dealt and Ended are times in seconds since 1970, UTC; 0 is not yet.
	Opened int64 `json:"opened"`
	Dealt  int64 `json:"dealt,omitempty"`
	Ended  int64 `json:"ended,omitempty"`

	// seen are the hashes of the requests applied last, oldest first, 8 bytes each.
	seen []byte
	// tail are the moves after the full chunks.
	tail []byte
}

// chair is a seat with who sits in it.
type chair struct {
	// User is the person's ID; 0 for a computer player.
	User int64  `json:"user,omitempty"`
	Name string `json:"name"`
	Lang string `json:"lang,omitempty"`
	// Missed counts the turns in a row that the table made for the person.
	Missed int `json:"missed,omitempty"`
	// Away says that the computer plays for the person.
	Away bool `json:"away,omitempty"`
	// Left says that the person went for good, and may still come back.
	Left bool `json:"left,omitempty"`
	// Removed says that somebody else decided so, and that the person may not come back.
	Removed bool `json:"removed,omitempty"`
	// Out says that the seat has nothing more to do in the deal.
	Out bool `json:"out,omitempty"`
	// N is which of the person's finished games of this kind this is, from 1; 0 as long as it isn't.
	N int `json:"n,omitempty"`
	// Passed says that the person won't bet on the hand in play.
	Passed bool `json:"passed,omitempty"`
	// Tap is the press that the person made last, where chips are at stake.
	Tap tap `json:"tap,omitzero"`
}

// computer reports whether the computer moves for the chair now.
func (c chair) computer() bool { return c.User == 0 || c.Away || c.Left }

// tap is a press: by whom, of what button to do what, and when in milliseconds of running time.
type tap struct {
	User  int64  `json:"u,omitempty"`
	Token uint64 `json:"k,omitempty"`
	Do    uint64 `json:"do,omitempty"`
	At    int64  `json:"at,omitempty"`
}

// maxSeen is how many requests a table remembers.
const maxSeen = 64

// maxTail is how many bytes of moves a table carries itself: with it the whole value stays under 2,016 bytes, so that
// two tables fit into one page of the store.
const maxTail = 640

// keyOpen is where a table lies until its last picture was shown, keyEnded where it lies afterwards, and keyChunk
// where the n-th full chunk of its moves lies for ever. Open tables have a range of keys to themselves, so that the
// pages that are written lie together.
func keyOpen(id tableID) string          { return openPrefix + id.String() }
func keyEnded(id tableID) string         { return endedPrefix + id.String() }
func keyChunk(t *table, n int) string    { return chunkKey(t.chunksAt(), n) }
func chunkKey(home string, n int) string { return fmt.Sprintf("%s%s/%05d", chunkPrefix, home, n) }

// chunksAt is the table's id in the keys of its chunks.
func (t *table) chunksAt() string {
	if t.Home == "" {
		return t.id.String()
	}
	return t.Home
}

const (
	openPrefix  = "o/"
	endedPrefix = "f/"
	chunkPrefix = "l/"
)

// encode writes the table: one line of JSON, the number of requests remembered, their hashes, and the moves.
func (t *table) encode() ([]byte, error) {
	line, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("encode table %s: %w", t.id, err)
	}
	value := make([]byte, 0, len(line)+2+len(t.seen)+len(t.tail))
	value = append(value, line...)
	value = append(value, '\n', byte(len(t.seen)/8))
	value = append(value, t.seen...)
	return append(value, t.tail...), nil
}

// errUnreadable is a stored table that this program doesn't understand.
var errUnreadable = errors.New("no table is like that")

func decodeTable(id tableID, value []byte) (*table, error) {
	line, rest, _ := bytes.Cut(value, []byte{'\n'})
	t := &table{}
	if err := json.Unmarshal(line, t); err != nil {
		return nil, fmt.Errorf("decode table %s: %w: %w", id, errUnreadable, err)
	}
	if t.Format != tableFormat {
		return nil, fmt.Errorf("decode table %s: %w: format %d, and this program reads %d", id, errUnreadable, t.Format, tableFormat)
	}
	if len(rest) == 0 || len(rest) < 1+8*int(rest[0]) {
		return nil, fmt.Errorf("decode table %s: %w: it is cut short", id, errUnreadable)
	}
	n := 1 + 8*int(rest[0])
	t.id, t.seen, t.tail = id, rest[1:n:n], rest[n:len(rest):len(rest)]
	return t, t.sound()
}

// hash is 8 bytes of SHA-256 of the text.
func hash(text string) [8]byte {
	sum := sha256.Sum256([]byte(text))
	return [8]byte(sum[:8])
}

// applied reports whether the table remembers the request.
func (t *table) applied(request string) bool {
	h := hash(request)
	for i := 0; i+8 <= len(t.seen); i += 8 {
		if bytes.Equal(t.seen[i:i+8], h[:]) {
			return true
		}
	}
	return false
}

// remember makes the table remember the request, and forget the oldest when it remembers too many.
func (t *table) remember(request string) {
	h := hash(request)
	if len(t.seen) >= 8*maxSeen {
		t.seen = t.seen[8:]
	}
	t.seen = append(t.seen[:len(t.seen):len(t.seen)], h[:]...)
}

// seatOf is the seat of the user; false if the user doesn't sit at the table.
func (t *table) seatOf(user int64) (engine.Seat, bool) {
	for i, c := range t.Chairs {
		if c.User != 0 && c.User == user {
			return engine.Seat(i), true
		}
	}
	return engine.Nobody, false
}

// persons is how many people sit at the table who have not left.
func (t *table) persons() int {
	n := 0
	for _, c := range t.Chairs {
		if c.User != 0 && !c.Left {
			n++
		}
	}
	return n
}

// played reports whether a person still has something to do in the deal.
func (t *table) played() bool {
	return slices.ContainsFunc(t.Chairs, func(c chair) bool { return c.User != 0 && !c.Out })
}

// due is when the clock must look at the table next, in milliseconds of running time; 0 is never.
func (t *table) due() int64 {
	due := int64(0)
	for _, at := range []int64{t.Ends, t.Warn, t.Chance} {
		if at != 0 && (due == 0 || at < due) {
			due = at
		}
	}
	return due
}
