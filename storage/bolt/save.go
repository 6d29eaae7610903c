package bolt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

// syncEvery is after how many bytes Save waits for the disk, so that a long write doesn't make short ones wait at its
// end.
const syncEvery = 4 << 20

// Copy writes a copy of a file that nobody has open for writing.
func Copy(path string, w io.Writer) error {
	if err := copyFile(path, w); err != nil {
		return fmt.Errorf("bolt: copy %s: %w", path, err)
	}
	return nil
}

// copyFile is Copy with errors that don't name the file.
func copyFile(path string, w io.Writer) error {
	fresh, err := IsNew(path)
	if err != nil {
		return err
	}
	if fresh {
		return errNothingThere
	}
	db, err := openRead(path, Options{})
	if err != nil {
		return err
	}
	err = db.View(func(tx *bbolt.Tx) error {
		if _, err := readVersion(tx, format); err != nil {
			return err
		}
		_, err := tx.WriteTo(w)
		return err
	})
	return errors.Join(err, db.Close())
}

var errNothingThere = errors.New("there is nothing in it, or no such file")

// Backup is Save of a copy of a database that goes on: CopiedAt tells when it was made, by a clock that is asked once nothing more is read, of
// whatever is made of the file. Values that are damaged are taken along as they are; a file that has some, which the Report names, is called
// path with BackupDamaged behind it, so that a good one of that path stays.
func Backup(path string, over bool, now func() time.Time, write func(io.Writer) error) (Report, error) {
	path = resolved(path)
	return save(path, over, write, func(temp string, r Report) (string, error) {
		if err := noteCopied(temp, now()); err != nil || len(r.Damaged) == 0 {
			return path, err
		}
		return path + BackupDamaged, nil
	})
}

// BackupDamaged ends the name of a backup in which values are damaged.
const BackupDamaged = ".damaged"

// Save writes a database to a file, which appears only when it is whole, on the disk, and Check finds nothing in it.
// Until then it has a name that ends in .part. Save replaces a file of that name only if over is true.
func Save(path string, over bool, write func(io.Writer) error) (Report, error) {
	path = resolved(path)
	return save(path, over, write, func(_ string, r Report) (string, error) {
		if len(r.Damaged) > 0 {
			return path, unsound(storage.Damaged{Key: r.Damaged[0]})
		}
		return path, nil
	})
}

// save gives what was written the name that name returns, which may note something in it.
func save(path string, over bool, write func(io.Writer) error, name func(temp string, r Report) (string, error)) (Report, error) {
	release, err := replaceable(path, over)
	if err != nil {
		return Report{}, fmt.Errorf("bolt: save %s: %w", path, err)
	}
	fill := func(temp string) error {
		f, err := os.OpenFile(temp, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		w := &syncing{file: f}
		return errors.Join(write(w), f.Close())
	}
	r, err := build(path, fill, func(temp string, r Report) error {
		called, err := name(temp, r)
		switch {
		case err != nil:
			return err
		case over:
			return os.Rename(temp, called)
		}
		if err = appear(temp, called); err != nil && called != path {
			err = fmt.Errorf("name it %s: %w", called, err)
		}
		return err
	})
	if err = errors.Join(err, release()); err != nil {
		return r, fmt.Errorf("bolt: save %s: %w", path, err)
	}
	return r, nil
}

// noteCopied notes when a sound file was copied.
func noteCopied(path string, at time.Time) error {
	o := settings(Options{})
	o.InitialMmapSize = 0
	db, _, err := openBolt(path, o)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		meta := tx.Bucket([]byte(metaBucket))
		if meta == nil {
			return nil // Nothing was ever committed.
		}
		return meta.Put([]byte(copiedKey), strconv.AppendInt(nil, at.Unix(), 10))
	})
	return errors.Join(err, db.Close())
}

// replaceable refuses a file that is there, or, if it may be replaced, one that is in use; until release is called
// nobody can begin to use it.
func replaceable(path string, over bool) (release func() error, err error) {
	if over {
		return hold(path)
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, ErrExists
	}
	return func() error { return nil }, nil
}

// ErrExists is the error for the name of a new file that another one has.
var ErrExists = errors.New("there is such a file already: give another name")

// appear gives a file a name that no other has.
func appear(temp, path string) error {
	err := os.Link(temp, path)
	if errors.Is(err, fs.ErrExist) {
		return ErrExists
	}
	return err // Who made the file removes its first name.
}

// syncing is a file that is synced every now and then.
type syncing struct {
	file    *os.File
	pending int
}

func (s *syncing) Write(b []byte) (int, error) {
	n, err := s.file.Write(b)
	if s.pending += n; err != nil || s.pending < syncEvery {
		return n, err
	}
	s.pending = 0
	return n, s.file.Sync()
}

// build makes a file under a temporary name beside path: fill writes it; when it is sound and on the disk, put gives it
// its name. Only a process that was killed leaves the temporary file.
func build(path string, fill func(temp string) error, put func(temp string, r Report) error) (Report, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return Report{}, explain(err)
	}
	temp := f.Name()
	defer os.Remove(temp)
	if err := f.Close(); err != nil {
		return Report{}, err
	}
	if err := fill(temp); err != nil {
		return Report{}, err
	}
	r, err := sound(temp)
	if err == nil {
		err = syncFile(temp)
	}
	if err == nil {
		err = put(temp, r)
	}
	if err == nil {
		err = syncFolder(path)
	}
	return r, err
}

// sound refuses a file in which Check finds anything but damaged values.
func sound(path string) (Report, error) {
	return nothing(func(found func(error)) (Report, error) { return examine(path, nil, found) })
}

// nothing makes an error of the first thing that a check finds, but for damaged values: the Report names them.
func nothing(check func(found func(error)) (Report, error)) (Report, error) {
	var first error
	var keys []string
	r, err := check(func(err error) {
		var damaged storage.Damaged
		switch {
		case errors.As(err, &damaged):
			keys = append(keys, damaged.Key)
		case first == nil:
			first = err
		}
	})
	r.Damaged = keys
	if err == nil {
		err = first
	}
	if err != nil {
		return r, unsound(err)
	}
	return r, nil
}

func unsound(why error) error { return fmt.Errorf("it doesn't pass zevaka check: %w", why) }

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
