package bolt

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnly opens a new file in a read-only folder and a read-only file, as a user without privileges.
func TestReadOnly(t *testing.T) {
	folder := t.TempDir()
	file := fill(t, 1)
	for path, mode := range map[string]os.FileMode{folder: 0o555, file: 0o444} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{filepath.Join(folder, "z.db"), file} {
		asNobody(t, path, func() {
			s, err := Open(path, Options{})
			if err == nil {
				s.Close()
				t.Errorf("Open opened %s, which is read-only", path)
				return
			}
			if !strings.Contains(err.Error(), "let the user that runs zevaka write") {
				t.Errorf("Open: %v", err)
			}
		})
	}
}

// asNobody runs fn on a thread that has no privileges over files. The thread ends with it.
func asNobody(t *testing.T, path string, fn func()) {
	t.Helper()
	for folder := filepath.Dir(path); folder != os.TempDir() && folder != "/"; folder = filepath.Dir(folder) {
		if info, err := os.Stat(folder); err == nil {
			if err := os.Chmod(folder, info.Mode()|0o555); err != nil {
				t.Fatal(err)
			}
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if os.Getuid() == 0 {
			const nobody = 65534
			if _, _, errno := syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0); errno != 0 {
				t.Error(errno)
			}
		}
		fn()
	}()
	<-done
}
