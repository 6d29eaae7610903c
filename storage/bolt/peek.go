package bolt

import (
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// Peek says which format a file has, and how large it is, without reading its items. It refuses what Open does: a file that isn't
// ours, isn't whole, is of a later format, or is used by another process; and one with nothing in it.
func Peek(path string) (Report, error) {
	r, err := peek(path)
	if err != nil {
		return r, fmt.Errorf("bolt: look at %s: %w", path, err)
	}
	return r, nil
}

func peek(path string) (r Report, err error) {
	fresh, err := IsNew(path)
	switch {
	case err != nil:
		return r, err
	case fresh:
		return r, errNothingThere
	}
	db, err := openRead(path, Options{})
	if err != nil {
		return r, err
	}
	err = db.View(func(tx *bbolt.Tx) error {
		v, err := readVersion(tx, format)
		r.Format, r.Old, r.Size = v.format, v.old, tx.Size()
		return err
	})
	return r, errors.Join(err, db.Close())
}
