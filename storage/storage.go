// Package storage keeps values under keys, with a revision for each key and one atomic commit: if these revisions
// still hold, make these writes. Every store (bolt, mem, later others) means the same by it; storagetest holds them
// to it.
package storage

import (
	"context"
	"errors"
	"fmt"
)

// Format is the number of the form in which programs leave a store: how its items lie there, and what lies under which key
// (keyspace). It rises with each change that an earlier program would break by not knowing it, so that none opens what a
// later one has written. Every store keeps it, brings what has a lower one to this, and refuses a higher one.
const Format = 6

// Limits of every store, enforced by every store with ErrTooLarge.
const (
	// MaxKey is how many bytes a key may have. It has at least one.
	MaxKey = 256
	// MaxValue is how many bytes a value may have.
	MaxValue = 64 << 10
	// MaxKeys is how many different keys a transaction may read and write, counted together, and how many one Get
	// may ask for.
	MaxKeys = 100
)

var (
	// ErrConflict says that a key read has another revision by now. Nothing was written. Read again and decide again. A
	// store may say so without need, but not for ever.
	ErrConflict = errors.New("storage: conflict")
	// ErrUnavailable says that nothing was written, and that the store can't serve now (closed, disk full, no majority).
	ErrUnavailable = errors.New("storage: unavailable")
	// ErrUnknown says that the commit may have been made, or may still be made later. Only the same transaction tried again
	// can tell.
	ErrUnknown = errors.New("storage: outcome unknown")
	// ErrTooLarge says that a key, a value or a transaction is over the limits, or a key is empty. Nothing was written.
	ErrTooLarge = errors.New("storage: over the limits")
)

// Damaged is the error for an item that isn't as it was written, because a bit flipped on the disk, say. A store that
// can tell gives it to whoever reads the item, wrapped together with ErrUnavailable; all other items are as good as
// ever. The key may still be written and deleted without being read.
type Damaged struct{ Key string }

func (d Damaged) Error() string { return fmt.Sprintf("storage: the value of %q is damaged", d.Key) }

// IsDamaged reports whether an error is that of a damaged item.
func IsDamaged(err error) bool {
	var d Damaged
	return errors.As(err, &d)
}

// Item is a key with its value and the revision at which it was last written. Rev 0 means that the key is absent;
// the Value is then nil. Revisions of a store only rise and are never used twice, not even for a key that was deleted
// and written again.
type Item struct {
	Key   string
	Value []byte
	Rev   uint64
}

// Write sets a key, or deletes it when Value is nil. An empty value that is not nil is a value.
type Write struct {
	Key   string
	Value []byte
}

// Txn is a transaction: it commits only if every item in Reads still has its Rev. The Values in Reads don't count.
// No key stands twice in Writes.
type Txn struct {
	Reads  []Item
	Writes []Write
}

// Store is an ordered map of keys that survives what its kind promises to survive. It is safe for use by many
// goroutines. Values returned belong to the caller; values given must not be changed while the call runs.
type Store interface {
	// Get returns one item for each key, in the order asked, absent ones with Rev 0. All of them are of one moment.
	Get(ctx context.Context, keys ...string) ([]Item, error)
	// Scan returns, in order of key, at most limit items whose keys begin with prefix and come after the key after.
	// A limit of 0 or less returns none. With an error that is Damaged come the items before that one; a Scan after
	// its key goes on.
	Scan(ctx context.Context, prefix, after string, limit int) ([]Item, error)
	// View calls fn with a Reader of the store as it is now; what is committed while fn runs, by anybody, fn doesn't see.
	// Fn must be short, and wait for nothing: a store may have to keep old items as long as it runs. It may be called
	// several times: variables outside are assigned, never appended to. View returns the error of fn, as it is. With
	// ErrUnavailable of its own, what fn read may not be durable, and must not be believed.
	View(ctx context.Context, fn func(Reader) error) error
	// Commit makes the transaction. Nil means that it is durable. Rev is then the revision that all keys have which it set;
	// 0 if it has no writes. The errors are ErrConflict, ErrUnavailable, ErrUnknown and ErrTooLarge, wrapped; a context
	// that ends while the outcome is open gives ErrUnknown, too.
	Commit(ctx context.Context, t Txn) (rev uint64, err error)
	// Close waits for what was begun and lets go of the store. Calls after it return ErrUnavailable.
	Close() error
}

// Getter gives items by their keys: a Tx, or a Reader. What only looks items up takes one, and serves both.
type Getter interface {
	// Get returns one item for each key, in the order asked, absent ones with Rev 0. The values must not be changed.
	Get(keys ...string) ([]Item, error)
}

// Reader reads a store as it was at one moment. It is for one goroutine, and of no use when the View is over: its calls
// return ErrUnavailable then.
type Reader interface {
	// Getter is like Store.Get. There is no limit on how many keys all calls together may ask for.
	Getter
	// Scan is like Store.Scan.
	Scan(prefix, after string, limit int) ([]Item, error)
}

// Scattered is a Reader of items that lie in several places. To read one place after the other costs less than to read all items in order.
type Scattered interface {
	Reader
	// Places are a Reader of each place, as of the same moment: each item is found by the Scan of one of them, in order there.
	Places() []Reader
}

// Tx is a transaction being put together by Update: reads see the store as it is plus what was put before.
type Tx interface {
	// Getter is like Store.Get and makes the keys conditions of the commit. A key that was read before has the same item
	// again. A key that was put before has Rev Pending, and one that was deleted before has Rev 0; these make no
	// conditions.
	Getter
	// Assume makes an item that is known from before a condition of the commit, as if Get had read it, without asking the
	// store. It may be out of date: whatever fn returns then counts for nothing, and fn runs again, which must Get the key.
	// It reports false, and does nothing, if the transaction knows the key already.
	Assume(Item) bool
	// Put sets a key when the transaction commits. The value must not be changed afterwards.
	Put(key string, value []byte)
	// Delete removes a key when the transaction commits.
	Delete(key string)
}
