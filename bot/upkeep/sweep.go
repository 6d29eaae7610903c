package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"zevaka/bot/keyspace"
	"zevaka/bot/pace"
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

// maxEnded is how many tables of one community that ended stay, maxPostings how many of its postings at no table.
const maxEnded, maxPostings = 100_000, 100_000

// oldTable is a table that ended: where it lies, when it ended, and how many keys it has to do with at most.
type oldTable struct {
	key   string
	id    table.ID
	ended int64
	keys  int
}

func (b *Keeper) sweepIn(ctx context.Context, store storage.Store) (Swept, error) {
	s := &sweep{
		keeper: b, store: store, archive: NewArchive(store, b.Order), before: b.Now().Add(-b.Keep.Get()).Unix(),
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
	err := purse.Older(ctx, store, s.before, b.MaxPostings, func(community string, postings []storage.Item) error {
		err := s.carry(ctx, community, postings)
		if err == nil {
			s.Postings += len(postings)
		}
		return s.stays(postings[0].Key, err)
	})
	return s.Swept, err
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
	if many := len(old) - s.keeper.MaxEnded; many > 0 {
		s.until = max(s.until, old[many-1].ended+1)
	}
	if stay := slices.IndexFunc(old, func(t oldTable) bool { return t.ended >= s.until }); stay >= 0 {
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
	s.keeper.Log.Error("what ended long ago can't leave", "key", key, "error", err)
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
	if s.keeper.SaveRecords == nil {
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
	if err := s.keeper.SaveRecords(ctx, all); err != nil {
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
	r, err := s.archive.record(ctx, s.keeper.Games[t.Game], t)
	if err != nil {
		return nil, err
	}
	line, err := r.Marshal(s.keeper.Games[t.Game].Info())
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

// sweepChains lets go of the chains whose newest table has left.
func (s *sweep) sweepChains(ctx context.Context) error {
	const atOnce = storage.MaxKeys / 3
	for items, err := range storage.Pages(ctx, s.store, keyspace.Chains) {
		if storage.IsDamaged(err) {
			continue // It is made anew by whoever wants to know.
		}
		if err != nil {
			return fmt.Errorf("look for chains of tables: %w", err)
		}
		for some := range slices.Chunk(items, atOnce) {
			err := storage.Update(ctx, s.store, func(tx storage.Tx) error { return unchain(tx, some) })
			if err != nil {
				return fmt.Errorf("let go of chains of tables: %w", err)
			}
		}
	}
	return nil
}

// unchain deletes those of the items whose newest table isn't there.
func unchain(tx storage.Tx, items []storage.Item) error {
	for _, item := range items {
		origin, ok := table.ParseID(strings.TrimPrefix(item.Key, keyspace.Chains))
		newest := table.ID{Community: origin.Community, Name: string(item.Value)}
		there, err := tx.Get(item.Key, table.KeyOpen(newest), table.KeyEnded(newest))
		if err != nil {
			return err
		}
		if !ok || string(there[0].Value) == newest.Name && there[1].Rev == 0 && there[2].Rev == 0 {
			tx.Delete(item.Key)
		}
	}
	return nil
}

// examineChain wants a chain to be of a table, and its newest to be called like one.
func examineChain(item storage.Item) error {
	if _, ok := table.ParseID(strings.TrimPrefix(item.Key, keyspace.Chains)); !ok {
		return errNoKey
	}
	if !table.IsName(string(item.Value)) {
		return fmt.Errorf("%s: no table is called %.40q", item.Key, item.Value)
	}
	return nil
}

const (
	// firstSweep is how long after a start the store is first looked through for what may leave, sweepEvery how far
	// apart that is done, sweepAgain after how long one is tried again that couldn't be made to its end, and sweepSure
	// after how long a time of day is believed that has jumped ahead.
	firstSweep, sweepEvery, sweepAgain, sweepSure = 10 * time.Minute, 24 * time.Hour, 10 * time.Minute, time.Hour
	// ahead is how much faster than time goes the time of day may get on from one look to the next: it does where a machine sleeps.
	ahead = 24 * time.Hour
)

// Swept is what has left the store in a sweep.
type Swept struct {
	// Tables are those that ended, Postings those of the ledger that belonged to none of these.
	Tables   int
	Postings int
	// Stayed is how many tables couldn't leave; which and why stands in the log.
	Stayed int
}

// Retain lets leave, until ctx ends, what ended longer ago than Options.Keep, and what is too much: tables, and postings of the ledger. It
// looks through the store once a day. Where the time of day has jumped ahead since it looked last it waits an hour, once: nothing brings back what a clock
// that goes wrong lets leave. Whoever calls it waits for it.
func (b *Keeper) Retain(ctx context.Context) {
	seen, at, doubted := time.Now(), b.Now().Unix(), false
	for wait := firstSweep; b.Keep.Wait(ctx, wait); {
		jump := time.Duration(b.Now().Unix()-at)*time.Second - time.Since(seen)
		seen, at, doubted = time.Now(), b.Now().Unix(), jump > ahead && !doubted
		if doubted {
			b.Log.Warn("the clock has jumped ahead, or the machine slept: what ended long ago stays for an hour more", "by", jump.Round(time.Second))
			wait = sweepSure
			continue
		}
		if b.Keep.Get() == 0 {
			wait = sweepEvery
			continue
		}
		slow := pace.Slow(b.Store)
		begun := time.Now()
		swept, err := b.sweepIn(ctx, slow)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			b.Log.Warn("what ended long ago could not leave", "error", err)
			wait = sweepAgain
			continue
		case swept.Tables+swept.Postings+swept.Stayed > 0:
			b.Log.Info("what ended long ago has left", "tables", swept.Tables, "postings", swept.Postings,
				"stayed", swept.Stayed, "took", time.Since(begun).Round(time.Millisecond))
		}
		wait = sweepEvery
	}
}

// Sweep lets leave at once what ended longer ago than Options.Keep.
func (b *Keeper) Sweep(ctx context.Context) (Swept, error) {
	if b.Keep.Get() == 0 {
		return Swept{}, nil
	}
	return b.sweepIn(ctx, b.Store)
}
