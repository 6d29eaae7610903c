package upkeep

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// leftover is what is still stored of a table that is gone: its postings, the full chunks of its moves, and people's parts.
// It stands in the table's stead until these are gone, too.
type leftover struct {
	id table.ID
	// Community is the community's origin, ChunksAt the table's id in the keys of its chunks.
	Community string `json:"ledger"`
	ChunksAt  string `json:"home"`
	Chunks    int    `json:"chunks,omitempty"`
	// People are whose parts in the table are still stored, under what EndedAs says.
	People  []int64 `json:"people,omitempty"`
	EndedAs string  `json:"as,omitempty"`
	// all says that nothing is left.
	all bool
}

func keyLeftover(id table.ID) string { return keyspace.Leftovers + id.String() }

func decodeLeftover(key string, value []byte) (leftover, error) {
	var l leftover
	id, ok := table.ParseID(strings.TrimPrefix(key, keyspace.Leftovers))
	if !ok {
		return l, fmt.Errorf("%s: no table has this key", key)
	}
	if err := json.Unmarshal(value, &l); err != nil {
		return l, fmt.Errorf("decode %s: %w", key, err)
	}
	l.id = id
	return l, nil
}

// remove takes a table out of the store, and carries its finishes forward. What it leaves is nil if the table is gone, or
// isn't old any more. More says that it had too many finishes for one transaction, and must be taken again.
func (s *sweep) remove(tx storage.Tx, old oldTable) (l *leftover, more bool, err error) {
	items, err := tx.Get(old.key)
	if err != nil || items[0].Rev == 0 {
		return nil, false, err
	}
	t, err := table.Decode(old.id, items[0].Value)
	if err != nil || t.Phase != table.Ended || t.Ended >= s.until {
		return nil, false, err
	}
	if err := emptied(tx, t); err != nil {
		return nil, false, err
	}
	if more, err = s.carryFinishes(tx, t); err != nil {
		return nil, false, err
	}
	if more {
		value, err := t.Encode()
		tx.Put(old.key, value)
		return nil, true, err
	}
	play.LeaveResults(tx, t)
	tx.Delete(old.key)
	if table.IsListed(t) {
		tx.Delete(table.KeyPlayed(t))
	}
	l = &leftover{id: t.ID, Community: t.Origin(), ChunksAt: t.ChunksAt(), Chunks: t.Chunks}
	if !t.Wagered() && t.Chunks <= fewChunks {
		for n := range t.Chunks {
			tx.Delete(table.ChunkKey(l.ChunksAt, n))
		}
		for _, user := range t.People() {
			for _, key := range l.partsOf(user, table.EndedAs(t)) {
				tx.Delete(key)
			}
		}
		l.all = true
		return l, false, nil
	}
	l.People, l.EndedAs = t.People(), table.EndedAs(t)
	return l, false, storage.PutJSON(tx, keyLeftover(t.ID), l)
}

// emptied returns an error if chips still lie at the table.
func emptied(tx storage.Tx, t *table.Table) error {
	if !t.Wagered() {
		return nil
	}
	held, err := purse.Ledger{Tx: tx, Community: t.Origin()}.Held(t.ID.Name)
	if err == nil && len(held) > 0 {
		err = fmt.Errorf("chips still lie at table %s", t.ID)
	}
	return err
}

const (
	// maxFinishes is how many finishes of a table one transaction carries forward.
	maxFinishes = 40
	// fewChunks is how many chunks of moves leave together with their table, if it had no chips.
	fewChunks = 16
)

// keysOf is how many keys the transaction may have that lets a table leave: its own, that of what is left of it, that of
// its chips, those of the number of its deal and of the list of games, those of a few chunks, and for each finish that of the
// scores and the one that says
// whether the person is being forgotten; and three for each person's part, where these leave with the table.
func keysOf(t *table.Table, rules engine.Rules) int {
	parts := 0
	if !t.Wagered() {
		parts = partKeys * len(t.People())
	}
	return 5 + parts + min(t.Chunks, fewChunks) + 2*min(len(t.Finishes(rules.Info().MaxSeats)), maxFinishes)
}

// carryFinishes carries forward what ended at a table for whom, and takes it off the table. More says that there is more
// than one transaction can carry. Somebody who is just being forgotten keeps it waiting.
func (s *sweep) carryFinishes(tx storage.Tx, t *table.Table) (more bool, err error) {
	carried := 0
	for _, f := range t.Finishes(s.keeper.Games[t.Game].Info().MaxSeats) {
		if *f.N == 0 {
			continue
		}
		if carried == maxFinishes {
			return true, nil
		}
		carried++
		items, err := tx.Get(table.KeyForgetting(t.Origin(), f.User))
		if err != nil {
			return false, fmt.Errorf("look whether a person is being forgotten: %w", err)
		}
		if items[0].Rev != 0 {
			return false, fmt.Errorf("a person is being forgotten who was at table %s", t.ID)
		}
		if err := scores.CarryForward(tx, f.Entry(t)); err != nil {
			return false, fmt.Errorf("carry the result of table %s forward: %w", t.ID, err)
		}
		*f.N = 0
	}
	return false, nil
}

// clearLeftovers lets leave what an earlier sweep has left of tables.
func (s *sweep) clearLeftovers(ctx context.Context) error {
	for items, err := range storage.Pages(ctx, s.store, keyspace.Leftovers) {
		if storage.IsDamaged(err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("look for what tables have left: %w", err)
		}
		for _, item := range items {
			l, err := decodeLeftover(item.Key, item.Value)
			if err == nil {
				err = s.clear(ctx, l)
			}
			if err := s.stays(item.Key, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// clear carries forward what is still posted of a table that has left, and takes its moves out of the store.
func (s *sweep) clear(ctx context.Context, l leftover) error {
	book := purse.Book{Store: s.store, Community: l.Community}
	for {
		postings, err := book.Postings(ctx, l.id.Name, storage.MaxKeys)
		if err != nil {
			return err
		}
		if len(postings) == 0 {
			return s.clearMoves(ctx, l)
		}
		if err := s.carry(ctx, l.Community, postings); err != nil {
			return err
		}
	}
}

// partKeys is how many keys a person's part in a table may have.
const partKeys = 3

// partsOf are the keys that a person's part may have in a table that has ended: by what EndedAs says, if that is known, by its
// name alone in a database that is not gone through yet, and as long as it was open.
func (l leftover) partsOf(user int64, endedAs string) []string {
	keys := []string{
		table.KeyPart(keyspace.EndedParts, l.Community, user, l.id.Name),
		table.KeyPart(keyspace.OpenParts, l.Community, user, l.id.Name),
	}
	if endedAs != "" {
		keys = append(keys, table.KeyPart(keyspace.EndedParts, l.Community, user, endedAs))
	}
	return keys
}

// clearParts takes people's parts in a table that has left out of the store.
func (s *sweep) clearParts(ctx context.Context, l leftover) error {
	for len(l.People) > 0 {
		some := l.People[:min(len(l.People), storage.MaxKeys/partKeys)]
		l.People = l.People[len(some):]
		value, err := json.Marshal(l)
		if err != nil {
			return fmt.Errorf("encode what table %s leaves: %w", l.id, err)
		}
		err = storage.Update(ctx, s.store, func(tx storage.Tx) error {
			for _, user := range some {
				for _, key := range l.partsOf(user, l.EndedAs) {
					tx.Delete(key)
				}
			}
			tx.Put(keyLeftover(l.id), value)
			return nil
		})
		if err != nil {
			return fmt.Errorf("take parts in table %s out of the store: %w", l.id, err)
		}
	}
	return nil
}

// clearMoves takes the chunks of a table's moves out of the store, some at a time, and last what stands in its stead.
func (s *sweep) clearMoves(ctx context.Context, l leftover) error {
	const some = storage.MaxKeys - 1
	if err := s.clearParts(ctx, l); err != nil {
		return err
	}
	for origin := 0; origin <= l.Chunks; origin += some {
		err := storage.Update(ctx, s.store, func(tx storage.Tx) error {
			for n := origin; n < min(l.Chunks, origin+some); n++ {
				tx.Delete(table.ChunkKey(l.ChunksAt, n))
			}
			if origin+some > l.Chunks {
				tx.Delete(keyLeftover(l.id))
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("take the moves of table %s out of the store: %w", l.id, err)
		}
	}
	return nil
}
