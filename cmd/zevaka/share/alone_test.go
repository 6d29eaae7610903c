//go:build cluster

package share

import (
	"errors"
	"testing"

	"zevaka/storage"
)

// TestAlone: a database is for one alone only while nobody serves it, and nobody serves it meanwhile.
func TestAlone(t *testing.T) {
	c := newClub(t)
	h := c.house()
	shared(t, h)
	nothing := func(storage.Store) error { t.Error("two have it"); return nil }
	if err := Alone(t.Context(), c.store(false), "a test", nothing); !errors.Is(err, ErrServed) {
		t.Errorf("while it is served: %v", err)
	}
	h.end()
	done := errors.New("done")
	err := Alone(t.Context(), c.store(false), "a test", func(s storage.Store) error {
		if err := Alone(t.Context(), c.store(false), "another", nothing); !errors.Is(err, ErrAlone) {
			t.Errorf("while another has it: %v", err)
		}
		if _, err := Join(t.Context(), c.store(false), c.options()); !errors.Is(err, ErrAlone) {
			t.Errorf("serving meanwhile: %v", err)
		}
		if _, err := s.Commit(t.Context(), storage.Txn{Writes: []storage.Write{{Key: "g/t-1", Value: []byte("{}")}}}); err != nil {
			t.Error(err)
		}
		return done
	})
	if !errors.Is(err, done) {
		t.Error(err)
	}
	shared(t, c.house())
}
