package bolt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
)

// compactBytes is how much Compact writes at a time.
const compactBytes = 4 << 20

// Restore puts a copy of a backup in the place of a database that nobody uses, in one moment. The backup must pass
// Check, but for damaged values, which are taken along as they are and which the Report names. The file that was there
// before, whatever it is, stays beside it under the name that Restore returns, which has the time in it; the name is empty
// when there was none.
func Restore(path, backup string, now time.Time) (kept string, r Report, err error) {
	if SameFile(path, backup) {
		return "", r, fmt.Errorf("bolt: restore %s: this is the database itself: give the name of a backup", path)
	}
	return restore(path, backup, now, copyFile)
}

// RestoreWithoutLast is Restore of a file as it was before its last commit, which may be the database itself. It is for one that is
// damaged since the machine stopped: where a disk hadn't written all of that commit, though it had said so, all that was before is there,
// as bbolt takes its pages for nothing else until the next commit.
func RestoreWithoutLast(path, file string, now time.Time) (kept string, r Report, err error) {
	return restore(path, file, now, copyWithoutLast)
}

func restore(path, backup string, now time.Time, copied func(string, io.Writer) error) (kept string, r Report, err error) {
	path = resolved(path)
	release, err := hold(path)
	if err != nil {
		return "", r, fmt.Errorf("bolt: restore %s: %w", path, err)
	}
	old, err := os.Stat(path)
	if err == nil {
		kept = unused(path + "." + now.UTC().Format("20060102T150405Z"))
	}
	fill := func(temp string) error {
		f, err := os.OpenFile(temp, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(copied(backup, f), f.Close())
	}
	r, err = build(path, fill, func(temp string, _ Report) error {
		if old == nil {
			return appearLike(temp, path, filepath.Dir(path))
		}
		return keepAndReplace(temp, path, kept)
	})
	if err = errors.Join(err, release()); err != nil {
		return "", r, fmt.Errorf("bolt: restore %s from %s: %w", path, backup, err)
	}
	return kept, r, nil
}

// SameFile reports whether two names mean one file that is there.
func SameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// unused is a name, or, where there is something of that name, that with the first number behind it of which there is nothing.
func unused(name string) string {
	free := name
	for n := 2; ; n++ {
		if _, err := os.Lstat(free); err != nil {
			return free
		}
		free = fmt.Sprint(name, "-", n)
	}
}

// appearLike is appear with the owner of a folder.
func appearLike(temp, path, folder string) error {
	if err := ownLike(temp, folder); err != nil {
		return err
	}
	return appear(temp, path)
}

// copyWithoutLast writes a copy of a file as it was before its last commit: the meta page of that gets what the other one says.
func copyWithoutLast(path string, w io.Writer) error {
	release, err := hold(path)
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return errors.Join(explain(err), release())
	}
	return errors.Join(revert(f, w), f.Close(), release())
}

func revert(f *os.File, w io.Writer) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	first, ok := readMeta(f, 0)
	second, both := readMeta(f, first.pageSize)
	if !ok || !both {
		return errors.New("it doesn't say what was before its last commit: restore a backup")
	}
	last, before := int64(metaAt), first.pageSize+metaAt
	if second.txid > first.txid {
		last, before = before, last
	}
	behind := last + metaSize
	_, err = io.Copy(w, io.MultiReader(
		io.NewSectionReader(f, 0, last), io.NewSectionReader(f, before, metaSize), io.NewSectionReader(f, behind, info.Size()-behind),
	))
	return err
}

// keepAndReplace gives a file a second name and its first name to another. At each moment path is one of the two.
func keepAndReplace(temp, path, kept string) error {
	if err := ownLike(temp, path); err != nil {
		return err
	}
	if err := os.Link(path, kept); err != nil {
		return fmt.Errorf("keep the file that is there: %w", err)
	}
	return os.Rename(temp, path)
}

// Compact writes a database that nobody uses anew, without the room that deleted items left, and puts the new file in
// the place of the old one in one moment. It returns what Check says of both. The disk must have room for both. Damaged
// values are taken along as they are.
func Compact(path string) (before, after Report, err error) {
	path = resolved(path)
	before, after, err = compact(path)
	if err != nil {
		return before, after, fmt.Errorf("bolt: compact %s: %w", path, err)
	}
	return before, after, nil
}

func compact(path string) (before, after Report, err error) {
	fresh, err := inspect(path, Options{})
	if fresh {
		err = errNothingThere
	}
	if err != nil {
		return before, after, err
	}
	db, _, err := openBolt(path, settings(Options{}))
	if err != nil {
		return before, after, err
	}
	before, err = nothing(func(found func(error)) (Report, error) { return checkDB(db, nil, found) })
	if err == nil {
		after, err = build(path, func(temp string) error { return rewrite(temp, db) }, func(temp string, r Report) error {
			if r.Items != before.Items || r.Format != before.Format {
				return fmt.Errorf("the new file has %d items, want %d", r.Items, before.Items)
			}
			if err := ownLike(temp, path); err != nil {
				return err
			}
			return os.Rename(temp, path)
		})
	}
	return before, after, errors.Join(err, db.Close())
}

// rewrite writes all that a database has into an empty file.
func rewrite(temp string, db *bbolt.DB) error {
	o := settings(Options{NoSync: true})
	o.InitialMmapSize = 0
	into, _, err := openBolt(temp, o)
	if err != nil {
		return err
	}
	return errors.Join(bbolt.Compact(into, db, compactBytes), into.Close())
}

// hold keeps everybody from opening a file for writing until release is called. A file that nobody can open isn't held.
func hold(path string) (release func() error, err error) {
	none := func() error { return nil }
	fresh, err := IsNew(path)
	if fresh || err != nil {
		return none, err
	}
	read := settings(Options{})
	read.ReadOnly, read.InitialMmapSize = true, 0
	db, _, err := openBolt(path, read)
	switch {
	case errors.Is(err, ErrInUse), errors.Is(err, fs.ErrPermission):
		return none, err
	case err != nil:
		return none, nil
	}
	return db.Close, nil
}

// resolved is the file that a name means, so that a link stays one.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// ownLike gives a file the mode, user and group of another, or the user and group of a folder: the bot must be able to
// open what root has made for it.
func ownLike(path, like string) error {
	info, err := os.Stat(like)
	if err != nil {
		return err
	}
	if info.IsDir() && os.Geteuid() != 0 {
		return nil
	}
	if !info.IsDir() {
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := chown(path, info); err != nil {
		return fmt.Errorf("run this as the user to whom %s belongs: %w", like, err)
	}
	return nil
}
