//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/mem"
)

// put stores so many items, by keys that begin so.
func put(t *testing.T, store storage.Store, prefix string, n int) {
	t.Helper()
	for from := 0; from < n; from += storage.MaxKeys {
		err := storage.Update(t.Context(), store, func(tx storage.Tx) error {
			for i := from; i < min(n, from+storage.MaxKeys); i++ {
				tx.Put(fmt.Sprintf("%s%05d", prefix, i), []byte("Ann"))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// forgetful is a store that lets go of the first moment at which a View reads it after some items, and of one of those later.
type forgetful struct{ storage.Store }

func (f forgetful) View(ctx context.Context, fn func(storage.Reader) error) error {
	err := f.Store.View(ctx, func(r storage.Reader) error { return fn(once{r}) })
	if !errors.Is(err, errGone) {
		return fmt.Errorf("the first run ended with %w", err)
	}
	err = storage.Update(ctx, f.Store, func(tx storage.Tx) error { tx.Delete("u/t-1/00007"); return nil })
	return errors.Join(err, f.Store.View(ctx, fn))
}

var errGone = errors.New("what was being read is gone")

// once reads one page.
type once struct{ storage.Reader }

func (o once) Scan(prefix, after string, limit int) ([]storage.Item, error) {
	if after != "" {
		return nil, errGone
	}
	return o.Reader.Scan(prefix, after, limit)
}

// TestCopiedAnew: where a store lets go of what was being copied the file is made anew, and has nothing of what was there before.
func TestCopiedAnew(t *testing.T) {
	t.Parallel()
	file, from := filepath.Join(t.TempDir(), "z.db"), mem.New()
	put(t, from, "u/t-1/", 1200)
	if n, err := copyTo(t.Context(), file, forgetful{from}); n != 1199 || err != nil {
		t.Fatalf("%d items, %v", n, err)
	}
	if r, err := bolt.Check(file, nil, func(err error) { t.Error(err) }); r.Items != 1199 || err != nil {
		t.Errorf("%d items, %v", r.Items, err)
	}
}

// TestMadeBeside: a file that is made of a cluster is made beside the one that is wanted, as an image has no other place, and a host's may be in its memory.
func TestMadeBeside(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(folder, "absent"))
	during, file := "", filepath.Join(folder, "z.db")
	_, err := bolt.Save(file, false, func(w io.Writer) error {
		return writeFile(t.Context(), watched{mem.New(), func() { during = names(t, folder) }}, file, w)
	})
	if err != nil {
		t.Fatal(err)
	}
	if left := names(t, folder); left != "z.db" || strings.Count(during, ".part") != 2 || len(strings.Fields(during)) != 2 {
		t.Errorf("while it was made there was %q, then %q", during, left)
	}
}

// watched calls seen when a View begins.
type watched struct {
	storage.Store
	seen func()
}

func (w watched) View(ctx context.Context, fn func(storage.Reader) error) error {
	w.seen()
	return w.Store.View(ctx, fn)
}

// TestInterrupted: a command that reads a copy of what a bot serves ends when it is interrupted, and leaves none behind. What is wrong in the copy is
// more than a pipe holds, and nobody reads it, so that the command doesn't end by itself.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := filepath.Join(folder, "z.db")
	store, err := bolt.Open(db, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	put(t, store, "?/"+strings.Repeat("x", 200), 500)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	s := start(t, "ZEVAKA_DB="+db)
	for _, with := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(with) {
			continue // What is ignored here is ignored there.
		}
		check := command(t, "check", "--db", db)
		errs, err := check.StderrPipe()
		if err == nil {
			err = check.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		said := bufio.NewReader(errs)
		first, err := said.ReadString('\n')
		if err != nil || !strings.Contains(first, "?/xxx") {
			t.Fatalf("%q, %v", first, err)
		}
		if err := check.Process.Signal(with); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, said); err != nil { // It waits for who reads what it says.
			t.Error(err)
		}
		if err := check.Wait(); check.ProcessState.ExitCode() != exitFailed {
			t.Errorf("%v: ended with %v", with, err)
		}
		if left := names(t, folder); left != "z.db z.db.sock" {
			t.Errorf("%v: left are %q", with, left)
		}
	}
	s.end(t, syscall.SIGTERM)
}
