package bolt

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"zevaka/storage"
)

func TestFormatIsThatOfTheLastStep(t *testing.T) {
	if format != firstFormat+len(steps()) {
		t.Errorf("format %d with %d steps", format, len(steps()))
	}
}

// TestEveryEarlierFormat opens a file as it was written by the last zevaka of each earlier format. What it has was put
// the same way each time: twenty keys, of which one is deleted and one written again, and one large value.
func TestEveryEarlierFormat(t *testing.T) {
	for n := firstFormat; n < format; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			path := golden(t, n)
			if v := versionOf(t, path); v.format != n || v.old != n {
				t.Fatalf("the file has %+v, want format %d", v, n)
			}
			for range 2 {
				s := reopen(t, path)
				compareGolden(t, s)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				checkFile(t, path)
				if v := versionOf(t, path); v.format != format || v.old != format {
					t.Errorf("after opening it has %+v, want format %d", v, format)
				}
			}
			s := reopen(t, path)
			set(t, s, "new", "1")
			if it := one(t, s, "new"); it.Rev != 24 {
				t.Errorf("the first revision after the migration is %d, want 24", it.Rev)
			}
		})
	}
}

// golden is a copy of the file that format n has in testdata.
func golden(t *testing.T, n int) string {
	t.Helper()
	packed, err := os.Open(fmt.Sprintf("testdata/format%d.gz", n))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	file, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return written(t, string(file))
}

func compareGolden(t *testing.T, s storage.Store) {
	t.Helper()
	items, err := s.Scan(t.Context(), "", "", 100)
	if err != nil || len(items) != 20 {
		t.Fatalf("%d items, %v; want 20", len(items), err)
	}
	for _, it := range items {
		i, rev := 0, uint64(23)
		want := strings.Repeat("large ", 1000)
		if n, _ := fmt.Sscanf(it.Key, "key/%d", &i); n == 1 {
			want, rev = strings.Repeat(fmt.Sprint(i), i*i), uint64(i+1)
		}
		if it.Key == "key/07" {
			want, rev = "written again", 22
		}
		if string(it.Value) != want || it.Rev != rev || it.Key == "key/05" {
			t.Errorf("%q has %.20q at %d, want %.20q at %d", it.Key, it.Value, it.Rev, want, rev)
		}
	}
}

func versionOf(t *testing.T, path string) (v version) {
	t.Helper()
	db, err := openRead(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bbolt.Tx) (err error) {
		v, err = readVersion(tx, 100)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// firstFormatFile is a file as format 1 had it, with n items of 100 bytes.
func firstFormatFile(t testing.TB, path string, n int) string {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoFreelistSync: true, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(func(tx *bbolt.Tx) error {
		if err := found(tx, firstFormat); err != nil {
			return err
		}
		items := tx.Bucket([]byte(itemBucket))
		for i := range n {
			stored := append(binary.BigEndian.AppendUint64(nil, uint64(i+1)), strings.Repeat(fmt.Sprintf("%09d ", i), 10)...)
			if err := items.Put(fmt.Appendf(nil, "key/%09d", i), stored); err != nil {
				return err
			}
		}
		return items.SetSequence(uint64(n))
	})
	if err == nil {
		err = db.Sync()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// compareFirst checks that a store has what firstFormatFile wrote.
func compareFirst(t *testing.T, s storage.Store, n int) {
	t.Helper()
	items, err := s.Scan(t.Context(), "", "", n+1)
	if err != nil || len(items) != n {
		t.Fatalf("%d items, %v; want %d", len(items), err, n)
	}
	for i, it := range items {
		want := strings.Repeat(fmt.Sprintf("%09d ", i), 10)
		if it.Key != fmt.Sprintf("key/%09d", i) || string(it.Value) != want || it.Rev != uint64(i+1) {
			t.Fatalf("item %d is %q at %d, %.20q", i, it.Key, it.Rev, it.Value)
		}
	}
}

// TestMigrationIsInterrupted ends a migration after each of its transactions in turn, and goes on with it: with the
// same steps, and with one more, as a newer zevaka would.
func TestMigrationIsInterrupted(t *testing.T) {
	const items = 3*turnItems + 1
	shout := func(_, stored []byte) ([]byte, error) { return append(stored[:len(stored):len(stored)], '!'), nil }
	newer := append(steps(), shout)
	for turns := range 6 {
		for _, finish := range [][]step{steps(), newer} {
			t.Run(fmt.Sprint(turns, len(finish)), func(t *testing.T) {
				path := firstFormatFile(t, filepath.Join(t.TempDir(), "z.db"), items)
				begin(t, path, turns)
				v := versionOf(t, path)
				if half := v.format == format && v.old < format; half != (turns > 0 && turns < 5) {
					t.Errorf("after %d transactions it has %+v", turns, v)
				}
				changed(t, path, func(tx *bbolt.Tx) error {
					for more := true; more; {
						var err error
						if more, err = turn(tx, finish); err != nil {
							return err
						}
					}
					return tx.Bucket([]byte(itemBucket)).ForEach(func(k, v []byte) error {
						return compareStored(k, v, len(finish) == len(newer))
					})
				})
				if v := versionOf(t, path); v.format != firstFormat+len(finish) || v.old != v.format {
					t.Errorf("in the end it has %+v", v)
				}
			})
		}
	}
}

// begin makes the first transactions of a migration.
func begin(t *testing.T, path string, turns int) {
	for range turns {
		changed(t, path, func(tx *bbolt.Tx) error {
			_, err := turn(tx, steps())
			return err
		})
	}
}

// compareStored checks an item of firstFormatFile after its migration.
func compareStored(key, stored []byte, shouted bool) error {
	whole := stored
	if shouted {
		whole = stored[:len(stored)-1]
	}
	value, rev, err := unpack(key, whole)
	if err != nil {
		return err
	}
	want := strings.TrimPrefix(string(key), "key/") + " "
	if string(value) != strings.Repeat(want, 10) || fmt.Sprintf("%09d", rev-1)+" " != want || shouted && stored[len(whole)] != '!' {
		return fmt.Errorf("%q has %q at %d", key, value, rev)
	}
	return nil
}

// TestStepsThatRemoveAndFail: nil removes an item, and an error leaves the file as it was, and names the key.
func TestStepsThatRemoveAndFail(t *testing.T) {
	odd := errors.New("odd")
	remove := func(key, stored []byte) ([]byte, error) {
		if key[len(key)-1]%2 == 0 {
			return nil, nil
		}
		return stored, nil
	}
	fail := func(_, _ []byte) ([]byte, error) { return nil, odd }
	path := firstFormatFile(t, filepath.Join(t.TempDir(), "z.db"), 10)
	db, _, err := openBolt(path, settings(Options{}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = migrate(db, []step{fail}, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "key/000000000") || !errors.Is(err, odd) {
		t.Errorf("migrate: %v", err)
	}
	if _, err := migrate(db, []step{remove}, slog.New(slog.DiscardHandler)); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	changed(t, path, func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(itemBucket)).ForEach(func(k, v []byte) error {
			if rev := binary.BigEndian.Uint64(v); rev%2 != 0 {
				t.Errorf("%q is there, of revision %d", k, rev)
			}
			return nil
		})
	})
}
