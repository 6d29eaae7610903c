package bolt

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

// fill makes a file with n items and closes it.
func fill(t *testing.T, n int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "z.db")
	s := reopen(t, path)
	for i := range n { // Each has a revision of its own.
		set(t, s, fmt.Sprintf("key/%04d", i), strings.Repeat("v", 1000))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func set(t *testing.T, s storage.Store, key, value string) {
	t.Helper()
	writes := []storage.Write{{Key: key, Value: []byte(value)}}
	if _, err := s.Commit(t.Context(), storage.Txn{Writes: writes}); err != nil {
		t.Fatal(err)
	}
}

func one(t *testing.T, s storage.Store, key string) storage.Item {
	t.Helper()
	items, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return items[0]
}

func TestReopen(t *testing.T) {
	path := fill(t, 3)
	var last uint64
	for i := range 5 {
		s := reopen(t, path)
		if i > 0 {
			if it := one(t, s, "key/0001"); string(it.Value) != fmt.Sprint(i-1) || it.Rev != last {
				t.Errorf("after opening again: %+v, want %d at %d", it, i-1, last)
			}
		}
		set(t, s, "gone", "1")
		gone := one(t, s, "gone").Rev
		if _, err := s.Commit(t.Context(), storage.Txn{Writes: []storage.Write{{Key: "gone"}}}); err != nil {
			t.Fatal(err)
		}
		set(t, s, "key/0001", fmt.Sprint(i))
		rev := one(t, s, "key/0001").Rev
		if last >= gone || gone >= rev {
			t.Errorf("revisions %d, %d, %d don't rise over opening again", last, gone, rev)
		}
		last = rev
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		checkFile(t, path)
	}
}

// checkFile lets bbolt check its file.
func checkFile(t *testing.T, path string) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("check of %s: %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRefusedFiles opens what is no good file and reads why.
func TestRefusedFiles(t *testing.T) {
	tests := []struct {
		name string
		path func(t *testing.T) string
		want string
	}{
		{"in use", inUse, "another zevaka is using it"},
		{"folder", func(t *testing.T) string { return t.TempDir() }, "give the name of a file"},
		{"device", func(*testing.T) string { return os.DevNull }, "give the name of a file"},
		{"no folder", func(t *testing.T) string { return filepath.Join(t.TempDir(), "no", "z.db") }, "make its folder"},
		{"text", func(t *testing.T) string { return written(t, strings.Repeat("Dear diary. ", 1000)) }, "not a file of zevaka"},
		{"short text", func(t *testing.T) string { return written(t, "x") }, "not a file of zevaka"},
		{"zeros", func(t *testing.T) string { return written(t, strings.Repeat("\x00", 1<<16)) }, "not a file of zevaka"},
		{"another program's", foreign, "another program"},
		{"another program's with the same bucket", foreignMeta, "another program"},
		{"newer format", func(t *testing.T) string { return withFormat(t, fmt.Sprint("zevaka ", format+1)) }, fmt.Sprint("format ", format+1)},
		{"format without number", func(t *testing.T) string { return withFormat(t, "zevaka") }, "another program"},
		{"another name", func(t *testing.T) string { return withFormat(t, "patience 1") }, "another program"},
		{"cut in the middle", func(t *testing.T) string { return cut(t, 1<<17) }, "cut off"},
		{"cut after the meta pages", func(t *testing.T) string { return cut(t, 2*int64(os.Getpagesize())) }, "cut off"},
		{"cut in the first page", func(t *testing.T) string { return cut(t, 100) }, "cut off"},
		{"cut in the first line", func(t *testing.T) string { return cut(t, 10) }, "not a file of zevaka"},
		{"half zeros", halfZeros, "damaged"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // What is in use is waited for.
				path := c.path(t)
				before, _ := os.ReadFile(path)
				s, err := Open(path, Options{})
				if err == nil {
					s.Close()
					t.Fatal("Open has no objection")
				}
				if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("Open: %v; want the path and %q", err, c.want)
				}
				if after, _ := os.ReadFile(path); string(after) != string(before) {
					t.Error("Open changed the file that it refused")
				}
			})
		})
	}
}

func inUse(t *testing.T) string {
	path := fill(t, 1)
	reopen(t, path)
	return path
}

func written(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "z.db")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// changed is a file that fn has changed as a database of bbolt.
func changed(t *testing.T, path string, fn func(*bbolt.Tx) error) string {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Update(fn); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func foreign(t *testing.T) string {
	return changed(t, filepath.Join(t.TempDir(), "z.db"), func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("widgets"))
		return err
	})
}

func foreignMeta(t *testing.T) string {
	return changed(t, foreign(t), func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte(metaBucket))
		return err
	})
}

func withFormat(t *testing.T, text string) string {
	return changed(t, fill(t, 1), func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(metaBucket)).Put([]byte(formatKey), []byte(text))
	})
}

func cut(t *testing.T, size int64) string {
	path := fill(t, 300)
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	return path
}

// halfZeros is a file of full length with nothing after its first pages.
func halfZeros(t *testing.T) string {
	path := fill(t, 300)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{1 << 17, info.Size()} {
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestUnfinishedFiles opens what a process leaves that dies while it makes a file.
func TestUnfinishedFiles(t *testing.T) {
	bare := changed(t, filepath.Join(t.TempDir(), "bare.db"), func(*bbolt.Tx) error { return nil })
	for _, path := range []string{written(t, ""), bare} {
		s := reopen(t, path)
		set(t, s, "a", "1")
		if it := one(t, s, "a"); string(it.Value) != "1" {
			t.Errorf("%s: %+v", path, it)
		}
	}
}

// TestBadMetaPage opens a file of which one meta page was torn, whatever the size of its pages: the other one counts. Of both it is
// said that the file is damaged.
func TestBadMetaPage(t *testing.T) {
	for _, size := range []int{1 << 10, 4 << 10, 8 << 10, 16 << 10, 64 << 10} {
		for page := range int64(3) {
			path := paged(t, size, 50)
			if tear(t, path, page*int64(size)); page == 2 {
				tear(t, path, 0)
				tear(t, path, int64(size))
				if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), "damaged") {
					t.Errorf("pages of %d, both torn: %v", size, err)
				}
				continue
			}
			s := reopen(t, path)
			if it := one(t, s, "key/0048"); it.Rev == 0 {
				t.Errorf("page %d of %d torn: %+v", page, size, it)
			}
			set(t, s, "a", "1")
			s.Close()
			checkFile(t, path)
		}
	}
}

// paged is a file with n items and pages of that size.
func paged(t *testing.T, size, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "z.db")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true, PageSize: size})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := reopen(t, path)
	for i := range n {
		set(t, s, fmt.Sprintf("key/%04d", i), strings.Repeat("v", 1000))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// tear spoils the meta page at an offset.
func tear(t *testing.T, path string, at int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte("torn"), at+metaAt+txidAt); err != nil {
		t.Fatal(err)
	}
}

func TestWriteTo(t *testing.T) {
	s := newStore(t)
	set(t, s, "a", "")
	set(t, s, "b", "")
	ctx, cancel := context.WithCancel(t.Context())
	begun, done := make(chan bool, 1), make(chan error)
	go func() {
		for {
			err := storage.Update(ctx, s, func(tx storage.Tx) error {
				items, err := tx.Get("a", "b")
				if err != nil {
					return err
				}
				n := binary.BigEndian.AppendUint64(nil, items[0].Rev)
				tx.Put("a", n)
				tx.Put("b", n)
				return nil
			})
			if err != nil {
				done <- err
				return
			}
			select {
			case begun <- true:
			default:
			}
		}
	}()
	<-begun
	path := filepath.Join(t.TempDir(), "copy.db")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.WriteTo(f); err != nil {
		t.Error(err)
	}
	f.Close()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c := reopen(t, path)
	items, err := c.Get(t.Context(), "a", "b")
	if err != nil || items[0].Rev == 0 || string(items[0].Value) != string(items[1].Value) {
		t.Errorf("the copy has %+v, %v; want two equal values", items, err)
	}
	c.Close()
	checkFile(t, path)
}
