package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

const (
	// itemBucket has the items. Its sequence is the newest revision.
	itemBucket = "items"
	// metaBucket says under formatKey what the file is: formatName and the number of the format.
	metaBucket = "meta"
	formatKey  = "format"
	formatName = "zevaka"
	format     = 1

	// mapSize is how much address space is set aside, so that the file can grow without waiting for readers.
	mapSize int64 = 16 << 30
)

// settings are the options of bbolt, for the reasons measured in its favour: see Options of bbolt for what they do.
func settings(o Options) *bbolt.Options {
	b := &bbolt.Options{
		Timeout:        o.Wait,
		NoSync:         o.NoSync,
		NoFreelistSync: true,
		FreelistType:   bbolt.FreelistMapType,
		NoStatistics:   true,
	}
	if b.Timeout == 0 {
		b.Timeout = time.Second
	}
	if size := mapSize; strconv.IntSize == 64 && runtime.GOOS != "windows" {
		b.InitialMmapSize = int(size)
	}
	return b
}

// open opens a file of ours, or makes it, and returns the newest transaction of bbolt in it. It ends with a commit,
// so that all there is to read is on the disk: the last process may have died between write and sync.
func open(path string, o Options) (db *bbolt.DB, id int, err error) {
	fresh, err := inspect(path, o)
	if err != nil {
		return nil, 0, err
	}
	db, err = openBolt(path, settings(o))
	if err != nil {
		return nil, 0, err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		id = tx.ID()
		return prepare(tx)
	})
	if err == nil && fresh {
		err = syncFolder(path)
	}
	if err != nil {
		return nil, 0, errors.Join(err, db.Close())
	}
	return db, id, nil
}

// inspect looks at a file before it is opened for writing, and refuses one that isn't ours or isn't whole. Bbolt
// would crash the process on some of them.
func inspect(path string, o Options) (fresh bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, explain(err)
	case info.IsDir():
		return false, errors.New("this is a folder: give the name of a file")
	case !info.Mode().IsRegular():
		return false, errors.New("this is a device or a pipe: give the name of a file")
	case info.Size() == 0:
		return true, nil
	}
	if err := checkSize(path); err != nil {
		return false, err
	}
	read := settings(o)
	read.ReadOnly, read.InitialMmapSize = true, 0
	db, err := openBolt(path, read)
	if err != nil {
		return false, err
	}
	err = walk(db)
	return false, errors.Join(err, db.Close())
}

// openBolt is bbolt.Open with its errors and panics in words.
func openBolt(path string, b *bbolt.Options) (db *bbolt.DB, err error) {
	var file *os.File
	b.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
		f, err := os.OpenFile(name, flag, mode)
		file = f
		return f, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = errors.Join(damaged(p), file.Close())
		}
	}()
	db, err = bbolt.Open(path, 0o600, b)
	if err != nil {
		return nil, explain(err)
	}
	return db, nil
}

// walk reads every page that counts, and refuses a file of somebody else.
func walk(db *bbolt.DB) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged(p)
		}
	}()
	return db.View(func(tx *bbolt.Tx) error {
		if err := checkFormat(tx); err != nil {
			return err
		}
		return tx.ForEach(func(_ []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(_, _ []byte) error { return nil })
		})
	})
}

// checkFormat refuses a database that isn't ours or is of a later format. One without buckets is ours: the first
// commit never came.
func checkFormat(tx *bbolt.Tx) error {
	first, _ := tx.Cursor().First()
	meta := tx.Bucket([]byte(metaBucket))
	if meta == nil && first == nil {
		return nil
	}
	var stored string
	if meta != nil {
		stored = string(meta.Get([]byte(formatKey)))
	}
	number, ours := strings.CutPrefix(stored, formatName+" ")
	n, err := strconv.Atoi(number)
	switch {
	case !ours || err != nil || tx.Bucket([]byte(itemBucket)) == nil:
		return errors.New("this is the bbolt database of another program: give the name of another file")
	case n > format:
		return fmt.Errorf("the file has format %d and this zevaka knows none later than %d: use the zevaka that wrote "+
			"it, or a newer one", n, format)
	}
	return nil
}

// prepare makes the buckets of a new file. In an old one it changes nothing.
func prepare(tx *bbolt.Tx) error {
	if err := checkFormat(tx); err != nil {
		return err
	}
	if tx.Bucket([]byte(metaBucket)) != nil {
		return nil
	}
	if _, err := tx.CreateBucket([]byte(itemBucket)); err != nil {
		return fmt.Errorf("make the bucket of items: %w", err)
	}
	meta, err := tx.CreateBucket([]byte(metaBucket))
	if err != nil {
		return fmt.Errorf("make the meta bucket: %w", err)
	}
	return meta.Put([]byte(formatKey), []byte(formatName+" "+strconv.Itoa(format)))
}

// syncFolder makes the name of a new file durable.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("sync its folder: %w", err)
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// explain puts an error of bbolt.Open in words that say what to do.
func explain(err error) error {
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return errors.New("another zevaka is using it: stop that one, or give this one a file of its own")
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch):
		return fmt.Errorf("this is not a file of zevaka (%w): give the name of another file", err)
	case errors.Is(err, bolterrors.ErrChecksum):
		return damaged(err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("make its folder first: %w", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("let the user that runs zevaka write the file and its folder: %w", err)
	}
	return err
}

func damaged(why any) error {
	return fmt.Errorf("the file is damaged (%v): restore a backup", why)
}

// Where the meta pages of bbolt, pages 0 and 1, have what is needed here. Numbers are in the machine's byte order.
const (
	metaAt      = 16 // after the header of the page
	metaSize    = 64
	magicAt     = 0
	pageSizeAt  = 8
	endAt       = 40 // the first page that was never used
	txidAt      = 48
	sumAt       = 56
	magic       = 0xED0CDAED
	maxPageSize = 16 << 20
)

// A meta is what a meta page says.
type meta struct {
	pageSize, end int64
	txid          uint64
}

// checkSize refuses a file that ends before its last page. Reading beyond the end would kill the process. A file
// whose meta pages can't be read is left to bbolt.
func checkSize(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return explain(err)
	}
	defer f.Close()
	m, ok := readMeta(f, 0)
	pageSize := int64(os.Getpagesize())
	if ok {
		pageSize = m.pageSize
	}
	if m1, ok1 := readMeta(f, pageSize); ok1 && (!ok || m1.txid > m.txid) {
		m, ok = m1, true
	}
	info, err := f.Stat() // after the pages were read: another process may be making the file longer
	if err != nil {
		return err
	}
	if need := m.end * m.pageSize; ok && info.Size() < need {
		return fmt.Errorf("the file was cut off: it has %d bytes and needs %d: restore a backup, or copy it again",
			info.Size(), need)
	}
	return nil
}

// readMeta reads the meta page at an offset, if there is a good one.
func readMeta(f *os.File, offset int64) (meta, bool) {
	var b [metaSize]byte
	if _, err := f.ReadAt(b[:], offset+metaAt); err != nil {
		return meta{}, false
	}
	u32, u64 := binary.NativeEndian.Uint32, binary.NativeEndian.Uint64
	sum := fnv.New64a()
	sum.Write(b[:sumAt])
	if u32(b[magicAt:]) != magic || u64(b[sumAt:]) != sum.Sum64() {
		return meta{}, false
	}
	m := meta{pageSize: int64(u32(b[pageSizeAt:])), end: int64(u64(b[endAt:])), txid: u64(b[txidAt:])}
	return m, m.pageSize > 0 && m.pageSize <= maxPageSize && m.end >= 0
}
