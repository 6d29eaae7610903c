package bolt

import (
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

// A Report says what a file has.
type Report struct {
	// Format is the format of the file, the newest of any item.
	Format int
	// Old is the format of the items that a migration under way hasn't come to; the same as Format if none is.
	Old int
	// Items is how many items there are.
	Items int
	// Size is how many bytes the file has.
	Size int64
	// Damaged are the keys of the items whose values aren't as they were written. Check, which tells of each, leaves it empty.
	Damaged []string
}

// Check reads a whole file that nobody has open for writing, and tells found of each thing that is wrong: a page, a key
// or value over the limits, a value that isn't as it was written. Each item that is good is given to item, unless that
// is nil: its error is told to found as well. Check returns an error if the file can't be read to its end, and changes
// nothing.
func Check(path string, item func(storage.Item) error, found func(error)) (Report, error) {
	r, err := examine(path, item, found)
	if err != nil {
		return r, fmt.Errorf("bolt: check %s: %w", path, err)
	}
	return r, nil
}

// examine is Check with errors that don't name the file.
func examine(path string, item func(storage.Item) error, found func(error)) (Report, error) {
	fresh, err := IsNew(path)
	if err != nil {
		return Report{}, err
	}
	if fresh {
		return Report{}, errNothingThere
	}
	db, err := openRead(path, Options{})
	if err != nil {
		return Report{}, err
	}
	r, err := checkDB(db, item, found)
	return r, errors.Join(err, db.Close())
}

// checkDB is Check of a file that is open. Nobody may write to it meanwhile.
func checkDB(db *bbolt.DB, item func(storage.Item) error, found func(error)) (Report, error) {
	c := checker{item: item, found: found}
	f, err := os.Open(db.Path())
	if err != nil {
		return c.Report, explain(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return c.Report, err
	}
	c.Size = info.Size()
	for page := range int64(2) {
		if _, ok := readMeta(f, page*int64(db.Info().PageSize)); !ok {
			found(fmt.Errorf("page %d can't be read: the last commit may be missing", page))
		}
	}
	if err := db.View(c.check); err != nil {
		return c.Report, err
	}
	return c.Report, db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			found(fmt.Errorf("pages: %w", err))
		}
		return nil
	})
}

// A checker goes through the items of a file.
type checker struct {
	Report
	item  func(storage.Item) error
	found func(error)
}

func (c *checker) check(tx *bbolt.Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged(p)
		}
	}()
	v, err := readVersion(tx, format)
	c.Format, c.Old = v.format, v.old
	if err != nil || v.format == 0 {
		return err
	}
	err = tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
		if n := string(name); n != itemBucket && n != metaBucket {
			c.found(fmt.Errorf("unknown bucket %q", n))
		}
		return nil
	})
	if err != nil {
		return err
	}
	items := tx.Bucket([]byte(itemBucket))
	return items.ForEach(func(key, stored []byte) error {
		c.Items++
		if err := c.one(key, stored, v.of(key), items.Sequence()); err != nil {
			c.found(err)
		}
		return nil
	})
}

// one checks what is stored under a key in that format, when newest is the newest revision.
func (c *checker) one(key, stored []byte, format int, newest uint64) error {
	if stored == nil {
		return fmt.Errorf("a bucket %q is among the items", key)
	}
	stored, err := through(steps()[format-firstFormat:], key, stored)
	if stored == nil || err != nil {
		return err
	}
	value, rev, err := unpack(key, stored)
	if err != nil {
		return err
	}
	if rev == 0 || rev > newest {
		return fmt.Errorf("the revision of %q is %d, and the newest is %d", key, rev, newest)
	}
	it := storage.Item{Key: string(key), Value: value, Rev: rev}
	if err := (storage.Txn{Writes: []storage.Write{{Key: it.Key, Value: value}}}).Check(); err != nil {
		return err
	}
	if c.item == nil {
		return nil
	}
	if err := c.item(it); err != nil {
		return fmt.Errorf("%q: %w", key, err)
	}
	return nil
}
