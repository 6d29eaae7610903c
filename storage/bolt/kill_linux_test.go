//go:build faults

package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/storagetest"
)

var rounds = flag.Int("rounds", 4, "how often each process is killed")

const (
	killWorkers  = 32
	killAccounts = 100
	killStart    = 1000 // in each account
)

// TestKill kills a process that commits from many goroutines, at random moments. Each time all that was acknowledged
// must be in the file, exactly once.
func TestKill(t *testing.T) {
	r := storagetest.Rand(t)
	path := filepath.Join(t.TempDir(), "z.db")
	s := reopen(t, path)
	for a := range killAccounts {
		set(t, s, account(a), string(number(killStart)))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	acked, total := make([]uint64, killWorkers), uint64(0)
	for round := range *rounds {
		loadAndKill(t, path, time.Duration(r.Int64N(int64(150*time.Millisecond))), acked)
		checkFile(t, path)
		total = audit(t, path, acked)
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	t.Logf("%d rounds, %d commits", *rounds, total)
}

// loadAndKill lets a child process work for a while, and notes the newest entry that each worker had acknowledged.
func loadAndKill(t *testing.T, path string, after time.Duration, acked []uint64) {
	t.Helper()
	cmd, lines := spawn(t, "load", path)
	for first := true; lines.Scan(); first = false {
		if first {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
		var w int
		var n uint64
		if _, err := fmt.Sscan(lines.Text(), &w, &n); err != nil {
			t.Fatalf("line %q of the child: %v", lines.Text(), err)
		}
		acked[w] = n
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("the child ended before it was killed: %v", err)
	}
}

// audit compares a file with what was acknowledged, and returns how many entries it has.
func audit(t *testing.T, path string, acked []uint64) (total uint64) {
	t.Helper()
	s := reopen(t, path)
	defer s.Close()
	sum := uint64(0)
	for a := range killAccounts {
		sum += binary.BigEndian.Uint64(one(t, s, account(a)).Value)
	}
	if sum != killAccounts*killStart {
		t.Errorf("accounts have %d together, want %d", sum, killAccounts*killStart)
	}
	for w := range killWorkers {
		// A worker waits for each commit, so at most one wasn't acknowledged.
		n := counted(one(t, s, counter(w)))
		if n != acked[w] && n != acked[w]+1 {
			t.Errorf("worker %d: %d entries counted, %d acknowledged", w, n, acked[w])
		}
		total += n
		acked[w] = n
		entries, err := s.Scan(t.Context(), entries(w), "", 1<<30)
		if err != nil || uint64(len(entries)) != n {
			t.Errorf("worker %d: %d entries, %v; %d are counted", w, len(entries), err, n)
			continue
		}
		var last uint64
		for i, it := range entries {
			whole := it.Key == entry(w, uint64(i+1)) && bytes.Equal(it.Value, payload(w, uint64(i+1)))
			if !whole || it.Rev <= last {
				t.Errorf("worker %d: entry %d is %q at %d, after %d", w, i+1, it.Key, it.Rev, last)
			}
			last = it.Rev
		}
	}
	return total
}

// load is the child process: it commits until it is killed, and prints what was acknowledged.
func load(path string) error {
	s, err := Open(path, Options{})
	if err != nil {
		return err
	}
	ended := make(chan error)
	for w := range killWorkers {
		go func() {
			for {
				n, err := work(s, w)
				if err != nil {
					ended <- err
				}
				fmt.Fprintf(os.Stdout, "%d %d\n", w, n)
			}
		}()
	}
	return errors.Join(<-ended, s.Close())
}

// work is one commit of a worker: an entry, the count of entries, a transfer, and a key that comes and goes.
func work(s storage.Store, w int) (n uint64, err error) {
	err = storage.Update(context.Background(), s, func(tx storage.Tx) error {
		from, to := account(rand.IntN(killAccounts/2)), account(killAccounts/2+rand.IntN(killAccounts/2))
		items, err := tx.Get(counter(w), from, to)
		if err != nil {
			return err
		}
		n = counted(items[0]) + 1
		tx.Put(counter(w), number(n))
		tx.Put(entry(w, n), payload(w, n))
		tx.Put(from, number(binary.BigEndian.Uint64(items[1].Value)-1))
		tx.Put(to, number(binary.BigEndian.Uint64(items[2].Value)+1))
		if n%2 == 0 {
			tx.Delete("brief/" + counter(w))
		} else {
			tx.Put("brief/"+counter(w), bytes.Repeat([]byte("x"), 3000))
		}
		return nil
	})
	return n, err
}

func account(a int) string           { return fmt.Sprintf("account/%d", a) }
func counter(w int) string           { return fmt.Sprintf("counter/%d", w) }
func entries(w int) string           { return fmt.Sprintf("entry/%02d/", w) }
func entry(w int, n uint64) string   { return fmt.Sprintf("%s%09d", entries(w), n) }
func number(n uint64) []byte         { return binary.BigEndian.AppendUint64(nil, n) }
func payload(w int, n uint64) []byte { return []byte(strings.Repeat(entry(w, n), 1+int(n%20))) }

func counted(it storage.Item) uint64 {
	if it.Rev == 0 {
		return 0
	}
	return binary.BigEndian.Uint64(it.Value)
}
