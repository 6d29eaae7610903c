package storage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Pending is the Rev that Tx.Get gives for a key which the same transaction has put: it exists, and its revision is
// not known before the commit.
const Pending uint64 = math.MaxUint64

const (
	// firstPause and lastPause bound how long Update waits, at random, before it tries again.
	firstPause = time.Millisecond
	lastPause  = 64 * time.Millisecond
	// maxResends is how often Update resends a transaction of unknown outcome to a store that is unavailable. It is
	// some three seconds.
	maxResends = 100
)

// Update runs fn on a transaction and commits what fn read and put, as one: if a key that was read has changed by
// then, fn runs again, on fresh reads, until ctx ends.
//
// Fn may be called several times, whether it returns an error or not. It must have no effect but through the
// transaction: variables outside are assigned, never appended to, and nothing is sent from inside.
//
// When fn has assumed an item, Update checks whatever fn returns in the same way, errors too.
//
// Update returns
//
//   - nil: fn returned nil, and its writes are durable.
//   - the error of fn, as it is: nothing was written.
//   - an error that is ErrConflict and the error of ctx: nothing was written.
//   - an error that is ErrUnavailable or ErrTooLarge: nothing was written. Update doesn't wait for a store to come
//     back.
//   - an error that is ErrUnknown, whatever else it is: the writes of one run may have been made, or may still be.
//
// A panic of fn goes on to the caller; nothing was written.
//
// When fn ends in a Refusal, or well but without writes, and has called on the store more than once, what it
// read may be of different moments. Update then checks that all reads still hold, and runs fn again when they don't.
//
// After ErrUnknown, Update resends the identical transaction until the store says that it was made or that it
// conflicts. A conflict may then be with itself: fn runs again and must see by its reads that its work is done
// already, by a request id that it keeps. A transaction that changes none of the keys it read may be made twice, with
// the same values.
func Update(ctx context.Context, s Store, fn func(Tx) error) error {
	_, err := UpdateRev(ctx, s, fn)
	return err
}

// UpdateRev is Update that returns also the revision of what the last run of fn put; 0 if it wrote nothing, or with an
// error.
func UpdateRev(ctx context.Context, s Store, fn func(Tx) error) (rev uint64, err error) {
	open := false // The outcome of an earlier run may be unknown.
	for try := 0; ; try++ {
		t := &tx{ctx: ctx, store: s}
		if m, ok := s.(*Memory); ok && try == 0 {
			t.memory = m
		}
		verdict := t.verdict(fn(t))
		txn, needed := t.txn(verdict)
		if !needed {
			return 0, final(verdict, open)
		}
		rev, lost, err := commit(ctx, s, txn)
		open = open || lost
		if err == nil {
			return rev, verdict
		}
		if !errors.Is(err, ErrConflict) {
			return 0, final(fmt.Errorf("update: %w", err), open)
		}
		if end := pause(ctx, try); end != nil {
			return 0, final(fmt.Errorf("update: %w: %w", err, end), open)
		}
	}
}

// final is err, which is ErrUnknown, too, when an earlier run may have been made and fn had no say after it.
func final(err error, open bool) error {
	if !open || err == nil || isRefusal(err) || errors.Is(err, ErrUnknown) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnknown, err)
}

// commit makes a transaction, or resends it while its outcome is unknown. It says whether the outcome was unknown at
// any time; a transaction without writes has none.
func commit(ctx context.Context, s Store, t Txn) (rev uint64, lost bool, err error) {
	for try := 0; ; try++ {
		rev, err = s.Commit(ctx, t)
		unknown := errors.Is(err, ErrUnknown)
		lost = lost || unknown
		again := unknown || lost && errors.Is(err, ErrUnavailable) && try < maxResends
		if again {
			if end := pause(ctx, try); end != nil {
				err, again = fmt.Errorf("%w: %w", err, end), false
			}
		}
		if again {
			continue
		}
		if len(t.Writes) == 0 && unknown {
			return 0, false, fmt.Errorf("%w: check of reads: %v", ErrUnavailable, err)
		}
		return rev, lost && len(t.Writes) > 0, err
	}
}

// pause waits before the next try, not at all before the first again, and returns the error of ctx when that ends.
func pause(ctx context.Context, try int) error {
	if try == 0 {
		return ctx.Err()
	}
	wait := min(firstPause<<min(try-1, 10), lastPause)
	timer := time.NewTimer(rand.N(wait))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Refusal is an error by which the fn of an Update says no to a wish because of what it has read, where any other says that
// something went wrong. Somebody is told a refusal: so Update makes sure that what was read is of one moment, and where an earlier
// run may have been made it stays an answer.
type Refusal interface {
	error
	// Refuses does nothing.
	Refuses()
}

func isRefusal(err error) bool {
	var r Refusal
	return errors.As(err, &r)
}

// A tx is one run of fn. It holds few keys, so it looks for them one by one.
type tx struct {
	ctx     context.Context
	store   Store
	memory  *Memory // nil where nothing is remembered, or to be believed
	reads   []Item
	writes  []Write
	gets    int   // how often the store was asked
	assumes bool  // whether something was assumed
	err     error // the first error of the store
}

func (t *tx) Get(keys ...string) ([]Item, error) {
	if t.err != nil {
		return nil, t.err
	}
	if len(keys) > MaxKeys {
		t.err = CheckKeys(keys)
		return nil, t.err
	}
	var missing []string
	for _, k := range keys {
		if _, ok := t.seen(k); !ok && !t.recalls(k) {
			missing = append(missing, k)
		}
	}
	if err := t.read(missing); err != nil {
		t.err = err
		return nil, err
	}
	items := make([]Item, len(keys))
	for i, k := range keys {
		items[i], _ = t.seen(k)
	}
	return items, nil
}

func (t *tx) Assume(item Item) bool {
	if _, ok := t.seen(item.Key); ok {
		return false
	}
	t.reads = append(t.reads, item)
	t.assumes = true
	return true
}

// recalls reports whether a key is remembered, and assumes it as it is.
func (t *tx) recalls(key string) bool {
	if t.memory == nil {
		return false
	}
	item, ok := t.memory.recall(key)
	return ok && t.Assume(item)
}

func (t *tx) Put(key string, value []byte) {
	if value == nil {
		value = []byte{}
	}
	t.write(Write{key, value})
}

func (t *tx) Delete(key string) { t.write(Write{Key: key}) }

func (t *tx) write(w Write) {
	for i := range t.writes {
		if t.writes[i].Key == w.Key {
			t.writes[i] = w
			return
		}
	}
	t.writes = append(t.writes, w)
}

// read asks the store for keys and makes them conditions.
func (t *tx) read(keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	items, err := t.store.Get(t.ctx, keys...)
	if err != nil {
		return err
	}
	t.gets++
	for _, it := range items {
		if _, ok := t.seen(it.Key); !ok {
			t.reads = append(t.reads, it)
		}
	}
	return nil
}

// seen is what the transaction knows of a key, its own writes first.
func (t *tx) seen(key string) (Item, bool) {
	for _, w := range t.writes {
		if w.Key != key {
			continue
		}
		if w.Value == nil {
			return Item{Key: key}, true
		}
		return Item{key, w.Value, Pending}, true
	}
	for _, it := range t.reads {
		if it.Key == key {
			return it, true
		}
	}
	return Item{}, false
}

// verdict is the error fn returned, or that of the store when fn took no notice of it.
func (t *tx) verdict(err error) error {
	if t.err != nil && (err == nil || isRefusal(err)) {
		return fmt.Errorf("update: %w", t.err)
	}
	return err
}

// txn is the transaction to commit after fn returned err, if one is needed.
func (t *tx) txn(err error) (txn Txn, needed bool) {
	switch {
	case err == nil && len(t.writes) > 0:
		return Txn{t.reads, t.writes}, true
	case t.assumes:
		return Txn{Reads: t.reads}, true
	case err == nil || isRefusal(err):
		return Txn{Reads: t.reads}, t.gets > 1
	default:
		return Txn{}, false
	}
}
