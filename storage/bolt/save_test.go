package bolt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSave(t *testing.T) {
	path := fill(t, 100)
	want := contents(t, path)
	copied := filepath.Join(t.TempDir(), "copy.db")
	save := func(over bool) error {
		r, err := Save(copied, over, func(w io.Writer) error { return Copy(path, w) })
		if err == nil && (r.Items != 100 || r.Format != format) {
			t.Errorf("Save: %+v", r)
		}
		return err
	}
	if err := save(false); err != nil {
		t.Fatal(err)
	}
	if contents(t, copied) != want {
		t.Error("the copy is another")
	}
	if err := os.WriteFile(copied, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := save(false); !errors.Is(err, ErrExists) {
		t.Errorf("over a file: %v", err)
	}
	if b, _ := os.ReadFile(copied); string(b) != "precious" {
		t.Errorf("it now has %.20q", b)
	}
	if err := save(true); err != nil || contents(t, copied) != want {
		t.Errorf("over a file by force: %v", err)
	}
	link := filepath.Join(t.TempDir(), "link.db")
	if err := errors.Join(os.WriteFile(copied, []byte("precious"), 0o600), os.Symlink(copied, link)); err != nil {
		t.Fatal(err)
	}
	_, err := Save(link, true, func(w io.Writer) error { return Copy(path, w) })
	if info, gone := os.Lstat(link); err != nil || gone != nil || info.Mode()&os.ModeSymlink == 0 || contents(t, copied) != want {
		t.Errorf("over what a link leads to: %v, %v; the link is %v", err, gone, info)
	}
	if more := beside(t, copied); len(more) != 0 {
		t.Errorf("left: %v", more)
	}
	reopen(t, copied)
	patiently(t, func() {
		if err := save(true); !errors.Is(err, ErrInUse) {
			t.Errorf("over a database in use: %v", err)
		}
	})
}

// TestSaveFails ends a copy in the middle, lets it have a fault, and puts a file under its name meanwhile.
func TestSaveFails(t *testing.T) {
	path := fill(t, 100)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	broken := errors.New("connection lost")
	faulty := strings.Replace(string(whole), strings.Repeat("v", 1000), strings.Repeat("v", 500)+"w"+strings.Repeat("v", 499), 1)
	tests := map[string]func(w io.Writer) error{
		"connection lost": func(w io.Writer) error {
			_, err := w.Write(whole[:len(whole)/2])
			return errors.Join(err, broken)
		},
		"cut off": func(w io.Writer) error {
			_, err := w.Write(whole[:20*4096])
			return err
		},
		"nothing in it": func(io.Writer) error { return nil },
		"damaged": func(w io.Writer) error {
			_, err := io.WriteString(w, faulty)
			return err
		},
		"such a file already": func(w io.Writer) error {
			return errors.Join(Copy(path, w), os.WriteFile(copied, []byte("precious"), 0o600))
		},
	}
	for want, write := range tests {
		t.Run(want, func(t *testing.T) {
			defer os.Remove(copied)
			_, err := Save(copied, false, write)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("Save: %v", err)
			}
			if b, err := os.ReadFile(copied); err == nil && string(b) != "precious" {
				t.Error("there is a file")
			}
			if more := beside(t, copied); len(more) != 0 {
				t.Errorf("left: %v", more)
			}
		})
	}
}

// TestSlowCopy: a copy whose reader takes his time makes no commit wait, and has what was there when it began.
func TestSlowCopy(t *testing.T) {
	s := newStore(t)
	for i := range 50 {
		set(t, s, fmt.Sprint("key/", i), strings.Repeat("v", 5000))
	}
	r, w := io.Pipe()
	copied := make(chan error, 1)
	go func() {
		_, err := s.WriteTo(w)
		copied <- errors.Join(err, w.Close())
	}()
	first := make([]byte, 100000)
	if _, err := io.ReadFull(r, first); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		set(t, s, fmt.Sprint("key/", i), "new")
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	_, err := Save(path, false, func(w io.Writer) error {
		_, err := io.Copy(w, io.MultiReader(strings.NewReader(string(first)), r))
		return err
	})
	if err := errors.Join(err, <-copied); err != nil {
		t.Fatal(err)
	}
	if all := contents(t, path); strings.Contains(all, "new") || strings.Count(all, "\n") != 50 {
		t.Errorf("the copy has %.200s", all)
	}
}

// TestBackupTellsWhen: what goes on from a backup knows when that was made, also once it is compacted and copied; what was copied from stays
// as it is.
func TestBackupTellsWhen(t *testing.T) {
	path, now := fill(t, 100), time.Unix(1_800_000_000, 0)
	backup, copied := filepath.Join(t.TempDir(), "backup.db"), filepath.Join(t.TempDir(), "copied.db")
	if r, err := Backup(backup, false, func() time.Time { return now }, func(w io.Writer) error { return Copy(path, w) }); err != nil || r.Items != 100 {
		t.Fatalf("Backup: %+v, %v", r, err)
	}
	want := contents(t, path)
	restored := filepath.Join(t.TempDir(), "z.db")
	if _, _, err := Restore(restored, backup, now); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compact(restored); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(copied, false, func(w io.Writer) error { return Copy(restored, w) }); err != nil {
		t.Fatal(err)
	}
	for file, told := range map[string]time.Time{path: {}, backup: now, restored: now, copied: now} {
		if got := contents(t, file); got != want {
			t.Errorf("%s has other items", file)
		}
		s := reopen(t, file)
		if at := s.CopiedAt(); !at.Equal(told) {
			t.Errorf("%s goes on from a backup of %v, want %v", file, at, told)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
