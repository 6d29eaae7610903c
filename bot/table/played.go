package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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

// Search is which games somebody asks for that have ended.
type Search struct {
	// Origin is the community's, Place where they were played, Games are the names of the games.
	Origin string
	Place  chat.Place
	Games  []string
	// User is who had a part in them; 0 is anybody.
	User int64
	// Before is the Mark of a game: only older ones are wanted. Empty: the newest.
	Before string
}

// PlayedMark is where a game that has ended stands in the order of all, in few letters.
func PlayedMark(t *Table) string {
	return Backwards(t.Ended) + t.ID.Name[:min(len(t.ID.Name), markLetters)]
}

// markLetters is how many letters of a table's name tell it from others that have ended in the same second, in a Mark.
const markLetters = 4

// at begins the keys of one of the games, or is that after which older ones come.
func (a Search) at(game string) (prefix, after string) {
	prefix = PlayedAt(a.Origin)
	if a.User != 0 {
		prefix = PartsAt(keyspace.EndedParts, a.Origin, a.User)
	}
	prefix += Kind(game, a.Place) + "/"
	if n := len(Backwards(0)); len(a.Before) > n {
		after = prefix + a.Before[:n] + "/" + a.Before[n:] + "~" // No name has that letter, nor any that comes behind it.
	}
	return prefix, after
}

// Played are at most so many of the games asked for, the newest first, and whether there are older ones. What can't be read is
// left out. It reads as many keys of each game, and their tables, whatever there is besides.
func (b *Index) Played(ctx context.Context, a Search, most int) (found []*Table, more bool, err error) {
	listed, err := storage.Read(ctx, b.store, func(from storage.Reader) (all []storage.Item, err error) {
		for _, game := range a.Games {
			items, err := readable(from, a, game, most+1)
			if err != nil {
				return nil, err
			}
			all = append(all, items...)
		}
		return all, nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("look for games that ended: %w", err)
	}
	slices.SortFunc(listed, func(a, b storage.Item) int { return cmp.Compare(when(a.Key), when(b.Key)) })
	if more = len(listed) > most; more {
		listed = listed[:most]
	}
	for _, item := range listed {
		t, err := ListedTable(ctx, b.store, item)
		if err != nil {
			return nil, false, err
		}
		if t != nil && a.Has(t) {
			found = append(found, t)
		}
	}
	return found, more, nil
}

// Has reports whether the table is one of those that are asked for, be they older or newer: a key tells its place only in short.
func (a Search) Has(t *Table) bool {
	return IsListed(t) && slices.Contains(a.Games, t.Game) && Kind(t.Game, t.Place) == Kind(t.Game, a.Place) && SamePlace(t.Place, a.Place) &&
		(a.User == 0 || slices.Contains(t.People(), a.User))
}

// SamePlace reports whether two places are one, of the same community whatever ID it had.
func SamePlace(a, b chat.Place) bool {
	own := func(p chat.Place) bool { return p.Channel == p.Community.ID }
	return a.Thread == b.Thread && (a.Channel == b.Channel || own(a) && own(b))
}

// readable reads keys of a game, without those that are damaged.
func readable(from storage.Reader, a Search, game string, most int) ([]storage.Item, error) {
	const patience = 8
	prefix, after := a.at(game)
	var all []storage.Item
	for range patience {
		items, err := from.Scan(prefix, after, most-len(all))
		all = append(all, items...)
		var damaged storage.Damaged
		if !errors.As(err, &damaged) {
			return all, err
		}
		after = damaged.Key
	}
	return all, nil
}

// when is the end of a key, from its time on.
func when(key string) string {
	name := strings.LastIndexByte(key, '/')
	return key[strings.LastIndexByte(key[:name], '/')+1:]
}

// ListedTable reads the table of an item of the list of games, or of a person's part in one that has ended; nil if it can't be
// read.
func ListedTable(ctx context.Context, s storage.Store, item storage.Item) (*Table, error) {
	community := string(item.Value)
	if community == "" {
		community, _, _ = strings.Cut(item.Key[2:], "/")
	}
	id, ok := ParseID(community + "/" + NameIn(item.Key))
	if !ok {
		return nil, nil
	}
	items, err := s.Get(ctx, KeyEnded(id))
	switch {
	case storage.IsDamaged(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read a game that has ended: %w", err)
	case items[0].Rev == 0:
		return nil, nil
	}
	t, err := Decode(id, items[0].Value)
	if err != nil {
		return nil, nil
	}
	return t, nil
}
