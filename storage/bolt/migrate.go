package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log/slog"
	"slices"

	"go.etcd.io/bbolt"
)

const (
	// turnItems and turnBytes bound what one transaction of a migration changes.
	turnItems = 1000
	turnBytes = 4 << 20
)

// A step brings what is stored under a key to the next format; nil removes it. It knows no type of the present program,
// since those change and the step must not: it reads and writes bytes. A step that is nil leaves all as it is.
type step func(key, stored []byte) ([]byte, error)

// steps are all there are: the first from format 1 to 2, and so on. A new format is one more step here, format one
// higher, and one more file in testdata that the format before has written.
func steps() []step {
	return []step{addSum, nil, nil, nil, nil}
}

// addSum brings an item to format 2.
func addSum(key, stored []byte) ([]byte, error) {
	return append(binary.BigEndian.AppendUint32(nil, sum(key, stored)), stored...), nil
}

// migrate makes the buckets of a new file, or brings all items of an old one to the newest format, in many transactions.
// What ends it in the middle leaves a file whose next migration goes on where this one stopped, and that an older zevaka
// refuses. It returns the id of its last transaction, which is made in any case.
func migrate(db *bbolt.DB, steps []step, log *slog.Logger) (id int, err error) {
	newest, turns := firstFormat+len(steps), 0
	for more := true; more; turns++ {
		err := db.Update(func(tx *bbolt.Tx) (err error) {
			id = tx.ID()
			more, err = turn(tx, steps)
			return err
		})
		if err != nil {
			return 0, fmt.Errorf("bring the file to format %d (start again to go on with it): %w", newest, err)
		}
		if more && turns == 0 {
			log.Info("the database is brought to a new format: this takes a while, and may be interrupted", "format", newest)
		}
	}
	if turns > 1 {
		log.Info("the database has the new format", "format", newest)
	}
	return id, nil
}

// turn is one transaction of a migration. It reports whether there is more to do.
func turn(tx *bbolt.Tx, steps []step) (more bool, err error) {
	newest := firstFormat + len(steps)
	v, err := readVersion(tx, newest)
	if err != nil || v.old == newest {
		return false, err
	}
	if v.format == 0 {
		return false, found(tx, newest)
	}
	if v.old == v.format {
		v = version{format: newest, old: v.old}
	}
	items, todo := tx.Bucket([]byte(itemBucket)), steps[v.old-firstFormat:v.format-firstFormat]
	keys, values := slice(items, v.done)
	if !slices.ContainsFunc(todo, func(s step) bool { return s != nil }) {
		keys = nil
	}
	for i, key := range keys {
		if err := bring(items, key, values[i], todo); err != nil {
			return false, fmt.Errorf("%q: %w", key, err)
		}
	}
	if len(keys) == 0 {
		v.old = v.format
	} else {
		v.done = keys[len(keys)-1]
	}
	return v.old < newest, v.write(tx.Bucket([]byte(metaBucket)))
}

// slice is what one transaction changes: the keys after one, and what is stored under them. They are part of the file.
func slice(b *bbolt.Bucket, after []byte) (keys, values [][]byte) {
	c, size := b.Cursor(), 0
	k, v := c.Seek(after)
	if k != nil && bytes.Equal(k, after) {
		k, v = c.Next()
	}
	for ; k != nil && len(keys) < turnItems && size < turnBytes; k, v = c.Next() {
		keys, values = append(keys, k), append(values, v)
		size += len(k) + len(v)
	}
	return keys, values
}

// bring takes an item through some steps, and writes it.
func bring(b *bbolt.Bucket, key, stored []byte, steps []step) error {
	stored, err := through(steps, key, stored)
	if err != nil {
		return err
	}
	if stored == nil {
		return b.Delete(key)
	}
	return b.Put(key, stored)
}

// through takes an item through some steps, until one removes it.
func through(steps []step, key, stored []byte) (_ []byte, err error) {
	for _, step := range steps {
		if step == nil {
			continue
		}
		if stored, err = step(key, stored); stored == nil || err != nil {
			return nil, err
		}
	}
	return stored, nil
}
