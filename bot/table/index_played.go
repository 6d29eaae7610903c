package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/storage"
)

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
