//go:build faults

package bolt

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"zevaka/storage/storagetest"
)

// reworkItems is how many items the files have that are migrated, compacted and restored here.
const reworkItems = 8 * turnItems

// rework is a child process that does one of these with a file, over and over, and says when it begins and ends each.
func rework(job, path string) error {
	for n := 0; ; n++ {
		fmt.Println("begin", n)
		err := reworkOnce(job, path, n)
		if err != nil {
			return err
		}
		fmt.Println("end", n)
	}
}

func reworkOnce(job, path string, n int) error {
	switch job {
	case "migrate":
		s, err := Open(path, Options{})
		if err != nil {
			return err
		}
		return s.Close()
	case "compact":
		_, _, err := Compact(path)
		return err
	}
	_, _, err := Restore(path, path+".backup"+fmt.Sprint(n%2), time.Unix(rand.Int64N(1<<33), 0))
	return err
}

// TestKillRework kills a process that migrates, compacts or restores a file, at random moments. Each time the file must
// be whole: what it was before or what it was to become.
func TestKillRework(t *testing.T) {
	for _, job := range []string{"migrate", "compact", "restore"} {
		t.Run(job, func(t *testing.T) {
			r := storagetest.Rand(t)
			path := reworkFile(t, job)
			begun, ended, half := 0, 0, 0
			for range *rounds {
				b, e := killWithin(t, job, path, time.Duration(r.Int64N(int64(120*time.Millisecond))))
				begun, ended = begun+b, ended+e
				if report := mustPass(t, path); report.Items != reworkItems {
					t.Fatalf("%d items, want %d", report.Items, reworkItems)
				}
				if v := versionOf(t, path); v.old != v.format {
					half++
				}
				if job == "migrate" && versionOf(t, path).old == format {
					compareAll(t, path)
					path = reworkFile(t, job)
				}
			}
			t.Logf("%d rounds: begun %d times, ended %d times, found half migrated %d times; %d other files",
				*rounds, begun, ended, half, len(beside(t, path)))
			compareAll(t, path)
		})
	}
}

// reworkFile is a file for a job, with what else the job needs.
func reworkFile(t *testing.T, job string) string {
	path := firstFormatFile(t, filepath.Join(t.TempDir(), "z.db"), reworkItems)
	if job == "migrate" {
		return path
	}
	if err := reopen(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	if job == "restore" {
		firstFormatFile(t, path+".backup0", reworkItems)
		if err := os.Link(path, path+".backup1"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Restore(path, path+".backup0", noon()); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// compareAll checks that a file has what firstFormatFile wrote.
func compareAll(t *testing.T, path string) {
	t.Helper()
	s := reopen(t, path)
	compareFirst(t, s, reworkItems)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// killWithin lets a child process work on a file for a while after it began, and counts how often it began and ended.
func killWithin(t *testing.T, job, path string, after time.Duration) (begun, ended int) {
	t.Helper()
	cmd, lines := spawn(t, job, path)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "end") {
			ended++
			continue
		}
		if begun++; begun == 1 {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("the child ended before it was killed: %v", err)
	}
	return begun, ended
}

// TestCramped migrates, compacts and restores where the system lets no file grow, in a child process: all fail in
// words, change nothing, and work once there is room.
func TestCramped(t *testing.T) {
	path := reworkFile(t, "restore")
	cmd, lines := spawn(t, "cramped", path)
	all := said(lines)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, job := range []string{"migrate", "compact", "restore", "save"} {
		if !strings.Contains(all, job+" cramped: ") || !strings.Contains(all, job+" with room: <nil>") {
			t.Errorf("%s: the child said\n%s", job, all)
		}
	}
	compareAll(t, path)
	for _, name := range beside(t, path) {
		if strings.HasSuffix(name, ".part") {
			t.Errorf("%s was left", name)
		}
	}
}

func said(lines *bufio.Scanner) string {
	var all strings.Builder
	for lines.Scan() {
		fmt.Fprintln(&all, lines.Text())
	}
	return all.String()
}

// cramped is the child process of TestCramped.
func cramped(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	save := func() error {
		_, err := Save(path+".copy", true, func(w io.Writer) error { return Copy(path, w) })
		return err
	}
	jobs := map[string]func() error{
		"save":    save,
		"restore": func() error { return reworkOnce("restore", path, 0) },
		"compact": func() error { return reworkOnce("compact", path, 0) },
		"migrate": func() error { return reworkOnce("migrate", path, 0) },
	}
	for _, name := range []string{"save", "compact", "restore", "migrate"} {
		small := syscall.Rlimit{Cur: 300 << 10, Max: limit.Max}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
			return err
		}
		err := jobs[name]()
		if err == nil {
			return fmt.Errorf("%s: there was room", name)
		}
		fmt.Printf("%s cramped: %v\n", name, err)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		fmt.Printf("%s with room: %v\n", name, jobs[name]())
	}
	return nil
}
