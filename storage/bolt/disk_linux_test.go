//go:build faults

package bolt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"zevaka/storage"
)

// child is the environment variable that makes the test binary a child process of a test: what to do, then the path.
const child = "ZEVAKA_BOLT_CHILD"

func TestMain(m *testing.M) {
	job, path, _ := strings.Cut(os.Getenv(child), " ")
	switch job {
	case "load":
		fail(load(path))
	case "begin":
		fail(makeCramped(path))
	case "narrow":
		fail(narrow(path))
	case "fill":
		fail(fillLimited(path))
	case "migrate", "compact", "restore":
		fail(rework(job, path))
	case "save":
		fail(saved(path))
	case "cramped":
		fail(cramped(path))
	default:
		os.Exit(m.Run())
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// spawn is a child process that does a job on a file and writes to a pipe.
func spawn(t *testing.T, job, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), child+"="+job+" "+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewScanner(out)
}

// TestFailedWrite puts a device in the place of the file: one is full, the other can't be synced.
func TestFailedWrite(t *testing.T) {
	for device, want := range map[string]error{"/dev/full": syscall.ENOSPC, "/dev/null": syscall.EINVAL} {
		t.Run(device, func(t *testing.T) {
			s := openedWith(t, filepath.Join(t.TempDir(), "z.db"), Options{})
			for i := range 20 {
				set(t, s, fmt.Sprintf("key/%04d", i), strings.Repeat("v", 1000))
			}
			before := one(t, s, "key/0001")
			restore := replace(t, s.path, device)
			for range 3 {
				_, err := s.Commit(t.Context(), writes("key/0001", "lost"))
				if !errors.Is(err, storage.ErrUnavailable) || !errors.Is(err, want) {
					t.Errorf("Commit: %v, want %v and %v", err, storage.ErrUnavailable, want)
				}
				if it := one(t, s, "key/0001"); it.Rev != before.Rev || string(it.Value) != string(before.Value) {
					t.Errorf("after the failure: %+v", it)
				}
			}
			restore()
			set(t, s, "key/0001", "kept")
			if it := one(t, s, "key/0001"); string(it.Value) != "kept" || it.Rev <= before.Rev {
				t.Errorf("after the repair: %+v", it)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			checkFile(t, s.path)
		})
	}
}

// replace puts a device in the place of an open file, under its descriptor.
func replace(t *testing.T, path, device string) (restore func()) {
	t.Helper()
	fd := -1
	for i := range 1000 {
		if name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", i)); err == nil && name == path {
			fd = i
		}
	}
	if fd < 0 {
		t.Fatalf("%s isn't open", path)
	}
	kept, err := syscall.Dup(fd)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := syscall.Dup3(int(other.Fd()), fd, syscall.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := errors.Join(syscall.Dup3(kept, fd, syscall.O_CLOEXEC), syscall.Close(kept)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNewFileOnFullDisk makes a file where there isn't even room for its first pages, in a child process: nothing is left of it that would keep
// a later start away.
func TestNewFileOnFullDisk(t *testing.T) {
	for _, room := range []int{0, 2000, 6000} {
		cmd, _ := spawn(t, "begin", fmt.Sprintf("%s %d", filepath.Join(t.TempDir(), "z.db"), room))
		if err := cmd.Wait(); err != nil {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
}

// makeCramped is a child process that may write so many bytes into a file, then as much as it likes.
func makeCramped(job string) error {
	path, room, _ := strings.Cut(job, " ")
	most, err := strconv.ParseUint(room, 10, 64)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: limit.Max}); err != nil {
		return err
	}
	if s, err := Open(path, Options{}); err == nil {
		return errors.Join(errors.New("there was room"), s.Close())
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("what could not be made is there: %w", err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	s, err := Open(path, Options{})
	if err != nil {
		return err
	}
	return s.Close()
}

// TestNarrow opens a file in a child process that may have no more than a few GiB of addresses, as hosts that many share allow.
func TestNarrow(t *testing.T) {
	cmd, _ := spawn(t, "narrow", filepath.Join(t.TempDir(), "z.db"))
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// narrow is the child process of TestNarrow. It writes more than bbolt begins with, while somebody reads a copy slowly.
func narrow(path string) error {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	var pages uint64
	if _, err := fmt.Sscan(string(text), &pages); err != nil {
		return err
	}
	most := pages*uint64(os.Getpagesize()) + 4<<30
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
		return err
	}
	for range 2 { // The second time the file is there.
		s, err := Open(path, Options{})
		if err != nil {
			return err
		}
		out, in := io.Pipe()
		copied := make(chan bool)
		go func() {
			_, _ = s.WriteTo(in)
			close(copied)
		}()
		_, err = out.Read(make([]byte, 1))
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		for i := 0; i < 100 && err == nil; i++ {
			_, err = s.Commit(ctx, writes(fmt.Sprint("key/", i), strings.Repeat("v", storage.MaxValue)))
		}
		cancel()
		_ = out.Close()
		<-copied
		if err := errors.Join(err, s.Close()); err != nil {
			return err
		}
	}
	return nil
}

// TestFullDisk fills a file up to a limit that the system sets, in a child process, lifts the limit and goes on.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "z.db")
	cmd, lines := spawn(t, "fill", path)
	made := make(map[string]bool)
	for lines.Scan() {
		made[lines.Text()] = true
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(made) < 5 || !made["last"] {
		t.Fatalf("child made %v", made)
	}
	checkFile(t, path)
	compareKeys(t, path, made)
}

// compareKeys checks that a file has exactly these keys.
func compareKeys(t *testing.T, path string, made map[string]bool) {
	t.Helper()
	s := reopen(t, path)
	items, err := s.Scan(t.Context(), "", "", 10000)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		if !made[it.Key] {
			t.Errorf("%q is there, and its commit failed", it.Key)
		}
		delete(made, it.Key)
	}
	if len(made) > 0 {
		t.Errorf("acknowledged and not there: %v", made)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// fillUp commits until there is no more room, and a few times more.
func fillUp(s storage.Store, made func(key string), fail func(format string, args ...any)) {
	ctx, full := context.Background(), 0
	for i := 0; i < 1000 && full < 5; i++ {
		key := fmt.Sprintf("key/%04d", i)
		_, err := s.Commit(ctx, writes(key, strings.Repeat("v", storage.MaxValue)))
		switch {
		case err == nil:
			made(key)
		case errors.Is(err, storage.ErrUnavailable):
			full++
		default:
			fail("commit when full: %v", err)
		}
		if _, err := s.Get(ctx, key); err != nil {
			fail("get when full: %v", err)
		}
	}
	if full < 5 {
		fail("there was room for 1000 values")
	}
}

// fillLimited is a child process that may write 1 MiB into a file, then as much as it likes.
func fillLimited(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	s, err := Open(path, Options{})
	if err != nil {
		return err
	}
	small := syscall.Rlimit{Cur: 1 << 20, Max: limit.Max}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		return err
	}
	var failures []error
	fillUp(s, func(key string) { fmt.Println(key) }, func(format string, args ...any) {
		failures = append(failures, fmt.Errorf(format, args...))
	})
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	if _, err := s.Commit(context.Background(), writes("last", strings.Repeat("v", storage.MaxValue))); err != nil {
		return fmt.Errorf("commit with room again: %w", err)
	}
	fmt.Println("last")
	return errors.Join(append(failures, s.Close())...)
}
