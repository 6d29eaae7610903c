package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

const (
	// itemBucket has the items. Its sequence is the newest revision.
	itemBucket = "items"
	// metaBucket says under formatKey what the file is: formatName and the number of its format. While a file is brought
	// to that format, turnKey has the number of the format it had and the last key done, with a space between. In a backup
	// copiedKey has when that was made, in seconds since 1970.
	metaBucket = "meta"
	formatKey  = "format"
	turnKey    = "migrating"
	copiedKey  = "copied"
	formatName = "zevaka"

	// firstFormat had no checksums.
	firstFormat = 1
	// format is the newest: one more than there are steps.
	format = storage.Format
)

// A version says in which format the items of a file are.
type version struct {
	format int    // of the items up to the key done, or of all; 0: a file without buckets
	old    int    // of the items after the key done; the same as format when no migration is under way
	done   []byte // the last key that a migration has brought to format
}

// of is the format of the item with that key.
func (v version) of(key []byte) int {
	if v.old < v.format && bytes.Compare(key, v.done) > 0 {
		return v.old
	}
	return v.format
}

// readVersion refuses a database that isn't ours or is of a later format. One without buckets is ours: the first commit
// never came.
func readVersion(tx *bbolt.Tx, newest int) (version, error) {
	first, _ := tx.Cursor().First()
	meta := tx.Bucket([]byte(metaBucket))
	if meta == nil && first == nil {
		return version{}, nil
	}
	if meta == nil || tx.Bucket([]byte(itemBucket)) == nil {
		return version{}, errForeign
	}
	name, number, _ := strings.Cut(string(meta.Get([]byte(formatKey))), " ")
	n, err := strconv.Atoi(number)
	switch {
	case name != formatName || err != nil || n < firstFormat:
		return version{}, errForeign
	case n > newest:
		return version{}, fmt.Errorf("the file has format %d and this zevaka knows none later than %d: use the zevaka "+
			"that wrote it, or a newer one, or restore a backup of before", n, newest)
	}
	v := version{format: n, old: n}
	turn := meta.Get([]byte(turnKey))
	if turn == nil {
		return v, nil
	}
	from, done, _ := bytes.Cut(turn, []byte(" "))
	v.old, err = strconv.Atoi(string(from))
	v.done = bytes.Clone(done)
	if err != nil || v.old < firstFormat || v.old >= n {
		return version{}, damaged(fmt.Sprintf("it is being brought to format %d from %q", n, from))
	}
	return v, nil
}

var errForeign = errors.New("this is the bbolt database of another program: give the name of another file")

// write notes the version in the meta bucket.
func (v version) write(meta *bbolt.Bucket) error {
	if err := meta.Put([]byte(formatKey), []byte(formatName+" "+strconv.Itoa(v.format))); err != nil {
		return fmt.Errorf("write the format: %w", err)
	}
	if v.old == v.format {
		return meta.Delete([]byte(turnKey))
	}
	return meta.Put([]byte(turnKey), append([]byte(strconv.Itoa(v.old)+" "), v.done...))
}

// found makes the buckets of a new file.
func found(tx *bbolt.Tx, format int) error {
	if _, err := tx.CreateBucket([]byte(itemBucket)); err != nil {
		return fmt.Errorf("make the bucket of items: %w", err)
	}
	meta, err := tx.CreateBucket([]byte(metaBucket))
	if err != nil {
		return fmt.Errorf("make the meta bucket: %w", err)
	}
	return version{format: format, old: format}.write(meta)
}
