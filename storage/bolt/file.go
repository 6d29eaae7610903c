package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

const (
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
func open(path string, o Options) (db *bbolt.DB, file *os.File, id int, err error) {
	fresh, err := inspect(path, o)
	if err != nil {
		return nil, nil, 0, err
	}
	_, absent := os.Stat(path)
	b := settings(o)
	db, file, err = openBolt(path, b)
	for b.InitialMmapSize > 0 && errors.Is(err, syscall.ENOMEM) { // Where so much isn't to be had less is set aside.
		b.InitialMmapSize >>= 6
		db, file, err = openBolt(path, b)
	}
	if err != nil && errors.Is(absent, fs.ErrNotExist) {
		err = errors.Join(err, discard(path))
	}
	if err != nil {
		return nil, nil, 0, err
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	id, err = migrate(db, steps(), log)
	if err == nil && fresh {
		err = errors.Join(os.Chmod(path, 0o600), syncFolder(path)) // Who made an empty one may have let others read it.
	}
	if err != nil {
		return nil, nil, 0, errors.Join(err, db.Close())
	}
	return db, file, id, nil
}

// inspect looks at a file before it is opened for writing, and refuses one that isn't ours or isn't whole. Bbolt
// would crash the process on some of them.
func inspect(path string, o Options) (fresh bool, err error) {
	fresh, err = IsNew(path)
	if fresh || err != nil {
		return fresh, err
	}
	db, err := openRead(path, o)
	if err != nil {
		return false, err
	}
	err = db.View(func(tx *bbolt.Tx) error {
		_, err := readVersion(tx, format)
		return err
	})
	return false, errors.Join(err, db.Close())
}

// IsNew reports whether Open would make a file of that name: there is none yet, or an empty one.
func IsNew(path string) (bool, error) {
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
	}
	return info.Size() == 0, nil
}

// openRead opens a file that is there and isn't empty for reading, if all its pages are. Nobody can open it for writing
// meanwhile.
func openRead(path string, o Options) (*bbolt.DB, error) {
	if err := checkSize(path); err != nil {
		return nil, err
	}
	read := settings(o)
	read.ReadOnly, read.InitialMmapSize = true, 0
	db, _, err := openBolt(path, read)
	if err != nil {
		return nil, err
	}
	if err := checkPagesOf(path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// checkPagesOf checks the pages of a file that nobody changes meanwhile.
func checkPagesOf(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return explain(err)
	}
	defer f.Close()
	if err := checkPages(f); err != nil {
		return damaged(err)
	}
	return nil
}

// openBolt is bbolt.Open with its errors and panics in words, and with the file that bbolt has open.
func openBolt(path string, b *bbolt.Options) (db *bbolt.DB, file *os.File, err error) {
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
		return nil, nil, explain(err)
	}
	if err := stillAt(path, file); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, file, nil
}

// stillAt refuses a file that had another put in its place before it was locked.
func stillAt(path string, file *os.File) error {
	locked, err := file.Stat()
	if err != nil {
		return err
	}
	now, err := os.Stat(path)
	if err != nil {
		return explain(err)
	}
	if !os.SameFile(locked, now) {
		return errors.New("another file was put in its place just now: start again")
	}
	return nil
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
		return ErrInUse
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch):
		return fmt.Errorf("this is not a file of zevaka (%w): give the name of another file", err)
	case errors.Is(err, bolterrors.ErrChecksum):
		return damaged(err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("make its folder first: %w", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("let the user that runs zevaka write the file and its folder: %w", err)
	case slices.ContainsFunc(ofShares(), func(one syscall.Errno) bool { return errors.Is(err, one) }):
		return fmt.Errorf("it can't be locked or mapped there: keep the file on a disk of this machine, not on a share: %w", err)
	}
	return err
}

// ofShares are the errors of file systems that can't lock files or map them.
func ofShares() []syscall.Errno {
	return []syscall.Errno{syscall.ENODEV, syscall.EINVAL, syscall.ENOSYS, syscall.EOPNOTSUPP, syscall.ENOTSUP, syscall.ENOLCK}
}

// ErrInUse is the error for a file that another process has open.
var ErrInUse = errors.New("another zevaka is using it: stop that one, or give this one a file of its own")

func damaged(why any) error {
	return fmt.Errorf("the file is damaged (%v): restore a backup, or, if it is so since the machine stopped, see zevaka restore --without-last", why)
}
