package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestDoctorOfAnotherUser: who may not write the database, make it, or ask who serves it, is told that, and not that all is well.
func TestDoctorOfAnotherUser(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file, absent, hidden := filepath.Join(folder, "z.db"), filepath.Join(folder, "none.db"), filepath.Join(folder, "hidden", "z.db")
	if err := os.WriteFile(file, contents(t, dealtAt(t)), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Dir(hidden), 0); err != nil {
		t.Fatal(err)
	}
	for at := folder; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		_ = os.Chmod(filepath.Dir(folder), 0o755)
		_ = os.Chmod(folder, 0o755)
		_ = os.Chmod(filepath.Dir(hidden), 0o755)
	})
	said := make(chan string)
	go func() {
		runtime.LockOSThread() // It ends with this, and what it is.
		if os.Getuid() == 0 {
			const nobody = 65534
			if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, nobody); errno != 0 {
				t.Error(errno)
			}
		}
		var all strings.Builder
		for _, path := range []string{file, absent, hidden} {
			served, found := new(doctor).asked(t.Context(), place{file: path})
			for _, f := range append(found, new(doctor).fileFindings(path, served, false)...) {
				fmt.Fprintf(&all, "%s %s: %s\n", f.Of, f.Is, f.Do)
			}
		}
		said <- all.String()
	}()
	told := <-said
	for _, want := range []string{"this user can't write " + file + ": let", absent + " isn't there, and this user can't make it: let", "serving this user may not ask whether a zevaka serves, at " + hidden} {
		if !strings.Contains(told, want) {
			t.Errorf("it says\n%s\nwant %q", told, want)
		}
	}
}

// TestDoctorOfArchive: the archive's folder is only looked at, for who owns the database, also by root, who may write everywhere.
func TestDoctorOfArchive(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := os.WriteFile(at("z.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"own": 0o700, "locked": 0o500, "another": 0o755, "all": 0o777} {
		if err := errors.Join(os.Mkdir(at(name), mode), os.Chmod(at(name), mode)); err != nil {
			t.Fatal(err)
		}
	}
	another := "/"
	if os.Getuid() == 0 {
		another = at("another")
		for _, name := range []string{"z.db", "own", "locked"} {
			const nobody = 65534
			if err := os.Chown(at(name), nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := names(t, folder)
	for _, test := range []struct{ archive, is, do string }{
		{at("own"), at("own"), ""},
		{at("all"), at("all"), ""},
		{at("own/none/archive"), at("own/none/archive") + " isn't there: the first start makes it", ""},
		{at("locked"), "can't write in " + at("locked"), "write there"},
		{another + "/archive", "can't write in " + another, "write there"},
		{at("z.db"), at("z.db") + " is no folder", "name another one"},
		{at("z.db/archive"), "not a directory", "name another folder"},
	} {
		if f := archiveFinding(test.archive, at("z.db")); !strings.HasSuffix(f.Is, test.is) || !strings.Contains(f.Do, test.do) || (f.Do == "") != (test.do == "") {
			t.Errorf("%s: %+v", test.archive, f)
		}
	}
	if now := names(t, folder) + names(t, at("own")); now != before {
		t.Errorf("there are now %s", now)
	}
}
