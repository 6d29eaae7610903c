package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/engine"
	"zevaka/storage"
)

// leaving is what is still stored of a table that has left: its postings, and the full chunks of its moves. It stands
// in the table's stead until these have left, too.
type leaving struct {
	id tableID
	// Ledger is the name under which the community's chips are kept, Home the table's id in the keys of its chunks.
	Ledger string `json:"ledger"`
	Home   string `json:"home"`
	Chunks int    `json:"chunks,omitempty"`
	// all says that nothing is left.
	all bool
}

const leavingPrefix = "d/"

func keyLeaving(id tableID) string { return leavingPrefix + id.String() }

func decodeLeaving(key string, value []byte) (leaving, error) {
	var l leaving
	id, ok := parseTableID(strings.TrimPrefix(key, leavingPrefix))
	if !ok {
		return l, fmt.Errorf("%s: no table has this key", key)
	}
	if err := json.Unmarshal(value, &l); err != nil {
		return l, fmt.Errorf("decode %s: %w", key, err)
	}
	l.id = id
	return l, nil
}

// take takes a table out of the store, and carries its finishes forward. What it leaves is nil if the table is gone, or
// isn't old any more. More says that it had too many finishes for one transaction, and must be taken again.
func (s *sweep) take(tx storage.Tx, old oldTable) (l *leaving, more bool, err error) {
	items, err := tx.Get(old.key)
	if err != nil || items[0].Rev == 0 {
		return nil, false, err
	}
	t, err := decodeTable(old.id, items[0].Value)
	if err != nil || t.Phase != ended || t.Ended >= s.before {
		return nil, false, err
	}
	if err := emptied(tx, t); err != nil {
		return nil, false, err
	}
	if more, err = s.carryFinishes(tx, t); err != nil {
		return nil, false, err
	}
	if more {
		value, err := t.encode()
		tx.Put(old.key, value)
		return nil, true, err
	}
	tx.Delete(old.key)
	l = &leaving{id: t.id, Ledger: t.ledger(), Home: t.chunksAt(), Chunks: t.Chunks}
	if t.Chips == nil && t.Chunks <= fewChunks {
		for n := range t.Chunks {
			tx.Delete(chunkKey(l.Home, n))
		}
		l.all = true
		return l, false, nil
	}
	value, err := json.Marshal(l)
	if err != nil {
		return nil, false, fmt.Errorf("encode what table %s leaves: %w", t.id, err)
	}
	tx.Put(keyLeaving(t.id), value)
	return l, false, nil
}

// emptied returns an error if chips still lie at the table.
func emptied(tx storage.Tx, t *table) error {
	if t.Chips == nil {
		return nil
	}
	held, err := purse.Ledger{Tx: tx, Community: t.ledger()}.Held(t.id.Name)
	if err == nil && len(held) > 0 {
		err = fmt.Errorf("chips still lie at table %s", t.id)
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
// its chips, those of a few chunks, and for each finish that of the scores and the one that says whether the person is
// being forgotten.
func keysOf(t *table, rules engine.Rules) int {
	return 3 + min(t.Chunks, fewChunks) + 2*min(len(t.finishes(rules.Info().MaxSeats)), maxFinishes)
}

// carryFinishes carries forward what ended at a table for whom, and takes it off the table. More says that there is more
// than one transaction can carry. Somebody who is just being forgotten keeps it waiting.
func (s *sweep) carryFinishes(tx storage.Tx, t *table) (more bool, err error) {
	carried := 0
	for _, f := range t.finishes(s.bot.games[t.Game].Info().MaxSeats) {
		if *f.n == 0 {
			continue
		}
		if carried == maxFinishes {
			return true, nil
		}
		carried++
		items, err := tx.Get(keyForgetting(t.ledger(), f.user))
		if err != nil {
			return false, fmt.Errorf("look whether a person is being forgotten: %w", err)
		}
		if items[0].Rev != 0 {
			return false, fmt.Errorf("a person is being forgotten who was at table %s", t.id)
		}
		if err := scores.CarryForward(tx, f.entry(t)); err != nil {
			return false, fmt.Errorf("carry the result of table %s forward: %w", t.id, err)
		}
		*f.n = 0
	}
	return false, nil
}

// finishLeaving lets leave what an earlier sweep has left of tables.
func (s *sweep) finishLeaving(ctx context.Context) error {
	for items, err := range storage.Pages(ctx, s.store, leavingPrefix) {
		if storage.IsDamaged(err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("look for what tables have left: %w", err)
		}
		for _, item := range items {
			l, err := decodeLeaving(item.Key, item.Value)
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
func (s *sweep) clear(ctx context.Context, l leaving) error {
	book := purse.Book{Store: s.store, Community: l.Ledger}
	for {
		postings, err := book.Postings(ctx, l.id.Name, storage.MaxKeys)
		if err != nil {
			return err
		}
		if len(postings) == 0 {
			return s.clearMoves(ctx, l)
		}
		if err := s.carry(ctx, l.Ledger, postings); err != nil {
			return err
		}
	}
}

// clearMoves takes the chunks of a table's moves out of the store, some at a time, and last what stands in its stead.
func (s *sweep) clearMoves(ctx context.Context, l leaving) error {
	const some = storage.MaxKeys - 1
	for first := 0; first <= l.Chunks; first += some {
		err := storage.Update(ctx, s.store, func(tx storage.Tx) error {
			for n := first; n < min(l.Chunks, first+some); n++ {
				tx.Delete(chunkKey(l.Home, n))
			}
			if first+some > l.Chunks {
				tx.Delete(keyLeaving(l.id))
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("take the moves of table %s out of the store: %w", l.id, err)
		}
	}
	return nil
}
