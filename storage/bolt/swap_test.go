package bolt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/storage"
)

func noon() time.Time { return time.Date(2026, 11, 4, 12, 0, 0, 0, time.FixedZone("", 3600)) }

// contents is all that a file has, in order: each key with its revision and value.
func contents(t *testing.T, path string) string {
	t.Helper()
	s := reopen(t, path)
	items, err := s.Scan(t.Context(), "", "", 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, it := range items {
		fmt.Fprintf(&all, "%q@%d=%q\n", it.Key, it.Rev, it.Value)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// mustPass checks that Check finds nothing in a file.
func mustPass(t *testing.T, path string) Report {
	t.Helper()
	r, err := Check(path, nil, func(err error) { t.Errorf("%s: %v", path, err) })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// beside lists what is in the folder of a file, without the file.
func beside(t *testing.T, path string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range all {
		if entry.Name() != filepath.Base(path) {
			names = append(names, entry.Name())
		}
	}
	return names
}

// patiently does something at which a file may be waited for that is in use.
func patiently(t *testing.T, do func()) {
	t.Helper()
	synctest.Test(t, func(*testing.T) { do() })
}

func TestRestore(t *testing.T) {
	backup := fill(t, 100)
	want := contents(t, backup)
	before := fill(t, 3)
	was := contents(t, before)
	places := map[string]string{
		"over":            before,
		"new":             filepath.Join(t.TempDir(), "z.db"),
		"empty":           written(t, ""),
		"text":            written(t, "x"),
		"zeros":           written(t, strings.Repeat("\x00", 1<<16)),
		"cut":             cut(t, 1<<17),
		"cut early":       cut(t, 100),
		"half zeros":      halfZeros(t),
		"another's":       foreign(t),
		"of newer format": withFormat(t, fmt.Sprint("zevaka ", format+1)),
	}
	for name, path := range places {
		t.Run(name, func(t *testing.T) {
			kept, r, err := Restore(path, backup, noon())
			if err != nil || r.Items != 100 {
				t.Fatalf("Restore: %+v, %v", r, err)
			}
			if contents(t, path) != want {
				t.Error("it is not what the backup has")
			}
			more := beside(t, path)
			if name == "new" {
				if kept != "" || len(more) != 0 {
					t.Errorf("kept %q, %v", kept, more)
				}
				return
			}
			if kept != path+".20261104T110000Z" || len(more) != 1 {
				t.Errorf("kept %q, %v", kept, more)
			}
			if name == "over" && contents(t, kept) != was {
				t.Error("what was kept is not what was there")
			}
		})
	}
}

// TestRestoreWithoutLast: of a file whose last commit the disk has lost everything comes back that was before.
func TestRestoreWithoutLast(t *testing.T) {
	for _, size := range []int{1 << 10, 4 << 10, 64 << 10} {
		for more := range 2 { // So that each of the two meta pages is once the last.
			path := paged(t, size, 50+more)
			want := contents(t, path)
			s := reopen(t, path)
			set(t, s, "last", "1")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			lose(t, path)
			if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), "--without-last") {
				t.Fatalf("Open of a damaged file: %v", err)
			}
			kept, r, err := RestoreWithoutLast(path, path, noon())
			if err != nil || r.Items != 50+more || len(beside(t, path)) != 1 || kept == "" {
				t.Fatalf("RestoreWithoutLast: kept %q, %+v, %v", kept, r, err)
			}
			if contents(t, path) != want {
				t.Error("it is not what was there before the last commit")
			}
			s = reopen(t, path)
			set(t, s, "next", "1")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			checkFile(t, path)
			tear(t, kept, 0)
			if _, _, err := RestoreWithoutLast(path, kept, noon()); err == nil || !strings.Contains(err.Error(), "before its last commit") {
				t.Errorf("without the other meta page: %v", err)
			}
		}
	}
}

// lose spoils the root of the last commit.
func lose(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, ok := newestMeta(f)
	if _, err := f.WriteAt(make([]byte, pageHead), m.root*m.pageSize); err != nil || !ok {
		t.Fatal(ok, err)
	}
}

// TestRestoredTwice: of two restores in one second each keeps what was there.
func TestRestoredTwice(t *testing.T) {
	path := fill(t, 1)
	for i, from := range []string{fill(t, 2), fill(t, 3), fill(t, 4)} {
		was := contents(t, path)
		kept, _, err := Restore(path, from, noon())
		if err != nil || contents(t, kept) != was || len(beside(t, path)) != i+1 {
			t.Fatalf("kept %q, %v", kept, err)
		}
	}
}

// TestRefusedRestores: nothing changes when a restore can't be.
func TestRefusedRestores(t *testing.T) {
	good, damage := fill(t, 10), cut(t, 1<<17)
	later := withFormat(t, fmt.Sprint("zevaka ", format+1))
	tests := []struct {
		name, path, from, want string
	}{
		{"in use", inUse(t), good, "another zevaka is using it"},
		{"backup in use", fill(t, 1), inUse(t), "another zevaka is using it"},
		{"no backup", fill(t, 1), good + "x", "no such file"},
		{"damaged backup", fill(t, 1), damage, "cut off"},
		{"newer backup", fill(t, 1), later, fmt.Sprint("format ", format+1)},
		{"itself", good, good, "the database itself"},
		{"of another program", fill(t, 1), foreign(t), "another program"},
		{"folder", t.TempDir(), good, "give the name of a file"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			was, _ := os.ReadFile(c.path)
			names := fmt.Sprint(beside(t, c.path))
			var err error
			patiently(t, func() { _, _, err = Restore(c.path, c.from, noon()) })
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Restore: %v", err)
			}
			if now, _ := os.ReadFile(c.path); string(now) != string(was) || fmt.Sprint(beside(t, c.path)) != names {
				t.Errorf("something changed: %v", beside(t, c.path))
			}
		})
	}
}

// TestRestoreEarlierFormat: a backup of an earlier format is put there as it is, and the next opening brings it forward.
func TestRestoreEarlierFormat(t *testing.T) {
	path := fill(t, 1)
	if _, r, err := Restore(path, golden(t, firstFormat), noon()); err != nil || r.Format != firstFormat {
		t.Fatalf("Restore: %+v, %v", r, err)
	}
	compareGolden(t, reopen(t, path))
}

// TestCompact takes the room of deleted items, keeps all else, and revisions go on rising.
func TestCompact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "z.db")
	s := reopen(t, path)
	for i, value := range [][]byte{[]byte(strings.Repeat("v", 10000)), nil} {
		for chunk := range 30 - i {
			var txn storage.Txn
			for n := range 100 {
				txn.Writes = append(txn.Writes, storage.Write{Key: fmt.Sprintf("key/%04d", 100*chunk+n), Value: value})
			}
			if _, err := s.Commit(t.Context(), txn); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link.db")
	if err := errors.Join(os.Chmod(path, 0o640), os.Symlink(path, link)); err != nil {
		t.Fatal(err)
	}
	want := contents(t, path)
	before, after, err := Compact(link)
	if err != nil || before.Items != 100 || after.Items != 100 || after.Size > before.Size/5 {
		t.Errorf("Compact: %+v, %+v, %v", before, after, err)
	}
	if contents(t, link) != want || contents(t, path) != want || len(beside(t, path)) != 0 {
		t.Errorf("something changed: %v", beside(t, path))
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode is %v, %v", info.Mode(), err)
	}
	s = reopen(t, path)
	set(t, s, "new", "1")
	if rev := one(t, s, "new").Rev; rev != 60 {
		t.Errorf("the next revision is %d, want 60", rev)
	}
}

func TestRefusedCompacts(t *testing.T) {
	tests := []struct{ name, path, want string }{
		{"in use", inUse(t), "another zevaka is using it"},
		{"nothing there", filepath.Join(t.TempDir(), "z.db"), "no such file"},
		{"damaged", halfZeros(t), "damaged"},
		{"another program's", foreign(t), "another program"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			was, _ := os.ReadFile(c.path)
			var err error
			patiently(t, func() { _, _, err = Compact(c.path) })
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Compact: %v", err)
			}
			if now, _ := os.ReadFile(c.path); string(now) != string(was) || len(beside(t, c.path)) != 0 {
				t.Errorf("something changed: %v", beside(t, c.path))
			}
		})
	}
}

// TestCompactHalfMigrated: compacting a file whose migration was interrupted keeps where it was.
func TestCompactHalfMigrated(t *testing.T) {
	path := firstFormatFile(t, filepath.Join(t.TempDir(), "z.db"), 3*turnItems)
	begin(t, path, 2)
	if r := mustPass(t, path); r.Format != format || r.Old != firstFormat || r.Items != 3*turnItems {
		t.Errorf("half migrated: %+v", r)
	}
	if _, r, err := Compact(path); err != nil || r.Old != firstFormat {
		t.Fatalf("Compact: %+v, %v", r, err)
	}
	compareFirst(t, reopen(t, path), 3*turnItems)
}

// TestReplacedWhileOpened: who waited for a file that was then replaced must not serve from the old one.
func TestReplacedWhileOpened(t *testing.T) {
	path, other := fill(t, 1), fill(t, 2)
	synctest.Test(t, func(t *testing.T) {
		db, _, err := openBolt(path, settings(Options{}))
		if err != nil {
			t.Fatal(err)
		}
		opened := make(chan error)
		go func() {
			s, err := Open(path, Options{Wait: 10 * time.Second})
			if err == nil {
				err = s.Close()
			}
			opened <- err
		}()
		synctest.Wait() // It waits for the file.
		if err := errors.Join(os.Rename(other, path), db.Close()); err != nil {
			t.Fatal(err)
		}
		if err := <-opened; err == nil || !strings.Contains(err.Error(), "start again") {
			t.Errorf("Open: %v", err)
		}
	})
	if r := mustPass(t, path); r.Items != 2 {
		t.Errorf("the file has %d items", r.Items)
	}
}
