package table

import (
	"fmt"
	"strconv"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Games that have ended are found by when they did: all of one game in one place, and of these a person's own. So the keys
// of both lists end alike: KIND/TIME/TABLE, where KIND is a hash of game and place, and TIME counts down.

const (
	// lastSecond is the last time that a key can tell, in seconds since 1970: 36^7-1.
	lastSecond = 78364164095
	// timeDigits is how many digits a time has in a key, and kindDigits a kind.
	timeDigits, kindDigits = 7, 7
	// unlisted is the kind of tables that no list of games has.
	unlisted = "0"
)

// Kind is what a game's tables in a place have in common in the keys of those that ended. Two of them may have the same, though
// hardly ever do: who reads a table by it looks again. A place keeps it when its community gets another ID.
func Kind(game string, p chat.Place) string {
	channel := p.Channel
	if channel == p.Community.ID {
		channel = 0
	}
	text := fmt.Sprintf("kind %s %d/%d", game, channel, p.Thread)
	return digits(HashNumber(text)%(lastSecond+1), kindDigits)
}

// IsListed reports whether the table stands in the list of games that have ended: something was dealt, and it is neither a lesson
// nor a deal of a session that goes on.
func IsListed(t *Table) bool {
	return t.Phase == Ended && !t.Lesson && t.Next == "" && !t.IsNothing() && (t.Dealt != 0 || t.Session != nil && t.Session.Deal > 1)
}

// EndedAs is how the table, which has ended, is called in the keys by which it is found: those which begin alike come in the
// order in which they ended, the newest first.
func EndedAs(t *Table) string {
	kind := unlisted
	if IsListed(t) {
		kind = Kind(t.Game, t.Place)
	}
	return kind + "/" + Backwards(t.Ended) + "/" + t.ID.Name
}

// Backwards is a time in seconds since 1970 as a key has it: later ones come first.
func Backwards(seconds int64) string {
	return digits(uint64(max(0, lastSecond-max(0, seconds))), timeDigits)
}

func digits(n uint64, width int) string {
	text := strconv.FormatUint(n, 36)
	return strings.Repeat("0", max(0, width-len(text))) + text
}

// KeyPlayed is where it stands that the game at the table, which IsListed, has ended.
func KeyPlayed(t *Table) string { return PlayedAt(t.Origin()) + EndedAs(t) }

// ListEnded puts the table, which has ended, into the list of games if it IsListed, and what people had for parts in it where those
// of an ended table stand.
func ListEnded(tx storage.Tx, t *Table) {
	if IsListed(t) {
		tx.Put(KeyPlayed(t), t.PartValue())
	}
	for _, user := range t.People() {
		tx.Put(KeyEndedPart(t, user), t.PartValue())
	}
}

// PlayedAt begins the keys of the games that have ended in a community.
func PlayedAt(origin string) string { return keyspace.Played + origin + "/" }

// NameIn is the name of the table that a key ends with, by which it is found.
func NameIn(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

// IsEndedAs reports whether the text can be what EndedAs says, or as it was before there was a list of games: a name alone.
func IsEndedAs(text string) bool {
	parts := strings.Split(text, "/")
	switch len(parts) {
	case 1:
		return IsName(parts[0])
	case 3:
		kind := parts[0] == unlisted || len(parts[0]) == kindDigits && IsName(parts[0])
		return kind && len(parts[1]) == timeDigits && IsName(parts[1]) && IsName(parts[2])
	}
	return false
}
