// Package table is a table as it is stored: who sits there, people and computer players, what was agreed, the moves made so far; under which
// keys it lies, and how it is found by its place, its people and its end; what the tokens of its buttons say. It decides who may do what
// there, and says no by a Refusal whose sentence is in bot/words, under "no." and its text.
package table

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"zevaka/bot/keyspace"
	"zevaka/engine"
	"zevaka/storage"
)

// Format is the format of a stored table. A table of another format is not read.
const Format = 1

// sharedFormat is that of a table whose pack several have cut: a program that can't deal it must not play on there.
const sharedFormat = 2

// Phase is how far a table has come.
type Phase uint8

const (
	// Lobby is when people sit down and the host chooses the rules.
	Lobby Phase = iota + 1
	// Cutting is when seats, dealer and seed are fixed, and people cut.
	Cutting
	// Playing is when the cards are dealt.
	Playing
	// Ended is when the deal is over, or was stopped. Nothing changes any more but where the last picture stands.
	Ended
)

// PhaseName is the phase in one English word: "lobby", "cutting", "playing" or "ended".
func PhaseName(p Phase) string {
	return [...]string{Lobby: "lobby", Cutting: "cutting", Playing: "playing", Ended: "ended"}[p]
}

// Table is one table as it is stored: who sits there, what was agreed, and the moves made so far. The cards are not stored:
// they follow from the seed, the cut and the moves. Whoever changes what a slice, a map or a pointer of a table refers to
// must replace it, but may append to a slice: a picture of the table as it was may still have to be drawn.
type Table struct {
	ID ID `json:"-"`

	Format int   `json:"v"`
	Phase  Phase `json:"phase"`
	// Level counts the changes of the table; every picture bears the level that it shows.
	Level uint64 `json:"level"`
	Agreed
	Options map[string]string `json:"options"`
	Looks
	Cards
	Names
	// Host is the user who may deal, stop and remove; 0 when no person is left.
	Host int64 `json:"host"`
	// Chairs are in order of joining, and from the deal on in order of seats.
	Chairs []Chair `json:"chairs"`
	// Kept are people for whom a lobby keeps a seat until Warn.
	Kept []Chair `json:"reserved,omitempty"`
	// Rematch says that the lobby was opened for those who sat at the table before: as soon as nobody of Kept is missing, the
	// deal begins by itself.
	Rematch bool `json:"rematch,omitempty"`
	LogState
	Solo
	Banked
	Shown
	Deadlines
	// Tap is the press made last, but for those that chairs keep.
	Tap Tap `json:"tap,omitzero"`
	// Last are the newest events, oldest first.
	Last []engine.Event `json:"last,omitempty"`
	End

	// Seen are the hashes of the requests applied last, oldest first, 8 bytes each.
	Seen []byte `json:"-"`
	// Tail are the moves after the full chunks.
	Tail []byte `json:"-"`

	// written is what Encode wrote of that which seldom changes; nil at first.
	written *written
}

// MaxSeen is how many requests a table remembers.
const MaxSeen = 64

// MaxTail is how many bytes of moves a table carries itself: with it the whole value stays under 2,016 bytes, so that
// two tables fit into one page of the store.
const MaxTail = 640

// KeyOpen is where a table lies until its last picture was shown. Open tables have a range of keys to themselves, so that
// the pages that are written lie together.
func KeyOpen(id ID) string { return keyspace.OpenTables + id.String() }

// KeyEnded is where a table lies after its last picture was shown.
func KeyEnded(id ID) string { return keyspace.EndedTables + id.String() }

// IsUnused reports whether no table has that ID, open or ended.
func IsUnused(tx storage.Tx, id ID) (bool, error) {
	items, err := tx.Get(KeyOpen(id), KeyEnded(id))
	if err != nil {
		return false, fmt.Errorf("look for table %s: %w", id, err)
	}
	return items[0].Rev == 0 && items[1].Rev == 0, nil
}

// KeyChunk is where the n-th full chunk of a table's moves lies for ever, counted from 0.
func KeyChunk(t *Table, n int) string { return ChunkKey(t.ChunksAt(), n) }

// ChunkKey is the KeyChunk of a table that isn't at hand, by what its ChunksAt is.
func ChunkKey(at string, n int) string { return fmt.Sprintf("%s%s/%05d", keyspace.Moves, at, n) }

// ChunksAt is the table's id in the keys of its chunks.
func (t *Table) ChunksAt() string {
	if t.FormerID == "" {
		return t.ID.String()
	}
	return t.FormerID
}

// ErrUnreadable is a stored table that this program doesn't understand.
var ErrUnreadable = errors.New("no table is like that")

// Decode reads a table as Encode writes it. The table refers to the value, which must not be changed afterwards. What can't
// be a table, or is of another format, is ErrUnreadable.
func Decode(id ID, value []byte) (*Table, error) {
	t, err := decode(id, value)
	if err != nil {
		return nil, err
	}
	return t, t.valid()
}

// GameOf is the game of a table as Encode writes it; empty where it can't be read.
func GameOf(value []byte) string {
	line, _, _ := bytes.Cut(value, []byte{'\n'})
	var t struct{ Game string }
	_ = json.Unmarshal(line, &t) // What can't be read is told of where the table is needed.
	return t.Game
}

func decode(id ID, value []byte) (*Table, error) {
	line, rest, _ := bytes.Cut(value, []byte{'\n'})
	t := &Table{}
	if err := json.Unmarshal(line, t); err != nil {
		return nil, fmt.Errorf("decode table %s: %w: %w", id, ErrUnreadable, err)
	}
	if t.Format != Format && t.Format != sharedFormat {
		return nil, fmt.Errorf("decode table %s: %w: format %d, and this program reads %d", id, ErrUnreadable, t.Format, Format)
	}
	if len(rest) == 0 || len(rest) < 1+8*int(rest[0]) {
		return nil, fmt.Errorf("decode table %s: %w: it is cut short", id, ErrUnreadable)
	}
	n := 1 + 8*int(rest[0])
	t.ID, t.Seen, t.Tail = id, rest[1:n:n], rest[n:len(rest):len(rest)]
	return t, nil
}

// Hash is 8 bytes of SHA-256 of the text.
func Hash(text string) [8]byte {
	sum := sha256.Sum256([]byte(text))
	return [8]byte(sum[:8])
}

// Applied reports whether the table remembers the request whose ID has that Hash.
func (t *Table) Applied(request [8]byte) bool {
	for i := 0; i+8 <= len(t.Seen); i += 8 {
		if [8]byte(t.Seen[i:]) == request {
			return true
		}
	}
	return false
}

// Remember makes the table remember the request whose ID has that Hash, and forget the oldest when it remembers too many.
func (t *Table) Remember(request [8]byte) {
	if len(t.Seen) >= 8*MaxSeen {
		t.Seen = t.Seen[8:]
	}
	t.Seen = append(t.Seen, request[:]...)
}

// IsFree reports whether nobody but its host sits at the table, and nothing was done there yet.
func (t *Table) IsFree() bool {
	alone := t.Phase == Lobby || len(t.Chairs) == 1
	return alone && t.Phase != Ended && t.Persons() <= 1 && t.Moves == 0 && t.Chips == nil
}

// HashNumber is a hash of the text as a number.
func HashNumber(text string) uint64 {
	h := Hash(text)
	return binary.BigEndian.Uint64(h[:])
}

// Epoch is the epoch of tokens in a deal. It rises when a move is taken back, too. In the lobby it is 0, in the cut 1.
func (t *Table) Epoch(state engine.State) int { return 2 + state.Epoch() + 2*t.Undos }

// IsKnown reports whether the cards of a game of several may be known to them, or the seed before the pack is cut: it had been chosen when the
// backup was made that the bot goes on from, and they may have played on before they were taken back.
func (t *Table) IsKnown(copied time.Time) bool {
	begun := t.Phase == Cutting || t.Phase == Playing
	return begun && t.Persons() > 1 && !copied.IsZero() && cmp.Or(t.Sealed, t.Dealt) <= copied.Unix()
}

// IsForeseen reports whether the draw of a table that waits for the first deal of several may be known to them: it stood when the backup was made
// that the bot goes on from.
func (t *Table) IsForeseen(copied time.Time) bool {
	return t.Phase == Lobby && t.Persons()+len(t.Kept) > 1 && !copied.IsZero() && t.Opened <= copied.Unix()
}

// HasSame reports whether the cards of the table, a patience that has ended, can be dealt once more.
func (t *Table) HasSame(info engine.Info) bool {
	return t.Phase == Ended && info.ForOne() && t.Rev == info.Rev && t.Dealt != 0 && !t.Lesson && !t.IsNothing()
}

// Receipt is what comes back when the table's picture stands in a message.
func (t *Table) Receipt() string {
	return string(strconv.AppendUint(append(t.ID.append(make([]byte, 0, longID)), ' '), t.Level, 10))
}

// IsNothing reports whether a table that ended holds nothing that anybody could ask for later: no move was made and no
// chips have moved. Such a table is deleted when its last picture was shown, so that opening and closing tables fills no
// disk.
func (t *Table) IsNothing() bool {
	return t.Phase == Ended && t.Moves == 0 && t.Chips == nil && t.Result == nil && t.Next == "" && t.Session == nil
}
