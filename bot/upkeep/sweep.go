package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// Saved is the record of a deal that is about to leave the store: when it ended, and its line of JSON (RECORDS.md,
// "A record"), without the newline.
type Saved struct {
	Ended time.Time
	Line  []byte
}

// sweep looks through the store and lets leave what may. Each transaction of it leaves a store that an audit finds
// clean, so it may be broken off between any two; the next one goes on.
type sweep struct {
	Swept
	keeper  *Keeper
	store   storage.Store
	archive *Archive
	// before is the time, in seconds since 1970: what is older leaves.
	before int64
	// ended are the tables of community that ended, and until is the time before which of these leave.
	community string
	ended     []oldTable
	until     int64
}

// maxEnded is how many tables of one community that ended stay.
const maxEnded = 100_000

// oldTable is a table that ended: where it lies, when it ended, and how many keys it has to do with at most.
type oldTable struct {
	key   string
	id    table.ID
	ended int64
	keys  int
}

func (b *Keeper) sweepIn(ctx context.Context, store storage.Store) (Swept, error) {
	s := &sweep{
		keeper: b, store: store, archive: NewArchive(store, b.games), before: b.now().Add(-b.keep).Unix(),
	}
	if err := s.clearLeftovers(ctx); err != nil {
		return s.Swept, err
	}
	if err := s.sweepTables(ctx); err != nil {
		return s.Swept, err
	}
	if err := s.sweepChains(ctx); err != nil {
		return s.Swept, err
	}
	oldest, err := purse.Older(ctx, store, s.before, func(community string, postings []storage.Item) error {
		err := s.carry(ctx, community, postings)
		if err == nil {
			s.Postings += len(postings)
		}
		return s.stays(postings[0].Key, err)
	})
	s.note(oldest)
	return s.Swept, err
}

// note takes down a time of something that stays.
func (s *sweep) note(at int64) {
	if at != 0 && (s.Oldest == 0 || at < s.Oldest) {
		s.Oldest = at
	}
}

// sweepTables lets the tables leave that ended, community after community, in each those first that ended first: what is
// carried forward of scores is short only where their order is kept.
func (s *sweep) sweepTables(ctx context.Context) error {
	err := s.archive.items(ctx, func(key string, t *table.Table, rules engine.Rules, err error) error {
		if err != nil {
			return nil // It is set aside; zevaka check names it.
		}
		community := strings.TrimSuffix(key, t.ID.Name)
		if community != s.community {
			if err := s.expireAll(ctx); err != nil {
				return err
			}
			s.community = community
		}
		if t.Phase == table.Ended {
			s.ended = append(s.ended, oldTable{key, t.ID, t.Ended, keysOf(t, rules)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.expireAll(ctx)
}

// expireAll lets the tables leave that were found in a community.
func (s *sweep) expireAll(ctx context.Context) error {
	old := s.ended
	s.ended = nil
	slices.SortFunc(old, func(a, b oldTable) int { return cmp.Or(cmp.Compare(a.ended, b.ended), cmp.Compare(a.key, b.key)) })
	s.until = s.before
	if many := len(old) - s.keeper.maxEnded; many > 0 {
		s.until = max(s.until, old[many-1].ended+1)
	}
	stay := slices.IndexFunc(old, func(t oldTable) bool { return t.ended >= s.until })
	if stay >= 0 {
		s.note(old[stay].ended)
		s.Most = max(s.Most, len(old)-stay)
		old = old[:stay]
	}
	for len(old) > 0 {
		n, keys := 0, 0
		for n < len(old) && (n == 0 || keys+old[n].keys <= storage.MaxKeys) {
			keys += old[n].keys
			n++
		}
		if err := s.expireSome(ctx, old[:n]); err != nil {
			return err
		}
		old = old[n:]
	}
	return nil
}

// expireSome lets some tables leave in one transaction. Where one of them must stay the others leave one by one.
func (s *sweep) expireSome(ctx context.Context, tables []oldTable) error {
	err := s.expire(ctx, tables)
	if len(tables) == 1 {
		return s.stays(tables[0].key, err)
	}
	if err == nil || !concernsOne(err) {
		return err
	}
	for i := range tables {
		if err := s.expireSome(ctx, tables[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// stays says of an item why it stays, if the error concerns it alone; another error is returned.
func (s *sweep) stays(key string, err error) error {
	if err == nil || !concernsOne(err) {
		return err
	}
	s.Stayed++
	s.keeper.log.Error("what ended long ago can't leave", "key", key, "error", err)
	return nil
}

// errUnsaved is a record that could not be saved.
var errUnsaved = errors.New("records that are to leave could not be saved")

// concernsOne reports whether an error is one of a single item, so that others can leave.
func concernsOne(err error) bool {
	all := []error{errUnsaved, storage.ErrUnavailable, storage.ErrUnknown, storage.ErrConflict, context.Canceled, context.DeadlineExceeded}
	return storage.IsDamaged(err) || !slices.ContainsFunc(all, func(target error) bool { return errors.Is(err, target) })
}

// expire saves the records of some tables, takes the tables out of the store, and then what is left of them.
func (s *sweep) expire(ctx context.Context, tables []oldTable) error {
	if err := s.save(ctx, tables); err != nil {
		return err
	}
	for more := true; more; {
		var gone []leftover
		err := storage.Update(ctx, s.store, func(tx storage.Tx) error {
			gone, more = nil, false
			for _, old := range tables {
				l, rest, err := s.remove(tx, old)
				if err != nil {
					return err
				}
				if l != nil {
					gone = append(gone, *l)
				}
				more = more || rest
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("let tables leave that ended: %w", err)
		}
		s.Tables += len(gone)
		for _, l := range gone {
			if l.all {
				continue
			}
			if err := s.stays(keyLeftover(l.id), s.clear(ctx, l)); err != nil {
				return err
			}
		}
	}
	return nil
}

// save has the records of tables saved, if anybody wants them.
func (s *sweep) save(ctx context.Context, tables []oldTable) error {
	if s.keeper.save == nil {
		return nil
	}
	var all []Saved
	for _, old := range tables {
		items, err := s.store.Get(ctx, old.key)
		if err != nil {
			return fmt.Errorf("read table %s: %w", old.id, err)
		}
		if items[0].Rev == 0 {
			continue
		}
		one, err := s.record(ctx, old.id, items[0].Value)
		if err != nil {
			return fmt.Errorf("make the record of table %s: %w", old.id, err)
		}
		if one != nil {
			all = append(all, *one)
		}
	}
	if len(all) == 0 {
		return nil
	}
	if err := s.keeper.save(ctx, all); err != nil {
		return fmt.Errorf("%w: %w", errUnsaved, err)
	}
	return nil
}

// record is the record of a table; nil if nothing was dealt there.
func (s *sweep) record(ctx context.Context, id table.ID, value []byte) (*Saved, error) {
	t, err := table.Decode(id, value)
	if err != nil || t.Phase != table.Ended || t.Dealt == 0 {
		return nil, err
	}
	r, err := s.archive.record(ctx, t)
	if err != nil {
		return nil, err
	}
	line, err := r.Marshal(s.keeper.rules[t.Game].Info())
	return &Saved{time.Unix(t.Ended, 0).UTC(), line}, err
}

// carry carries postings of a community forward.
func (s *sweep) carry(ctx context.Context, community string, postings []storage.Item) error {
	for len(postings) > 0 {
		n := 0
		err := storage.Update(ctx, s.store, func(tx storage.Tx) (err error) {
			n, err = purse.Ledger{Tx: tx, Community: community}.CarryForward(postings)
			return err
		})
		if err != nil {
			return fmt.Errorf("carry postings of community %s forward: %w", community, err)
		}
		postings = postings[n:]
	}
	return nil
}
