package mem_test

import (
	"context"
	"errors"
	"testing"

	"zevaka/storage"
	"zevaka/storage/mem"
)

func TestEveryFirstCommitConflicts(t *testing.T) {
	ctx := context.Background()
	s := mem.New()
	for i := range 3 {
		items, err := s.Get(ctx, "a", "b")
		if err != nil {
			t.Fatal(err)
		}
		txn := storage.Txn{Reads: items, Writes: []storage.Write{{Key: "a", Value: []byte{byte(i)}}}}
		if _, err := s.Commit(ctx, txn); !errors.Is(err, storage.ErrConflict) {
			t.Errorf("round %d: first commit: %v, want a conflict", i, err)
		}
		if _, err := s.Commit(ctx, txn); err != nil {
			t.Errorf("round %d: second commit: %v", i, err)
		}
		if _, err := s.Commit(ctx, txn); !errors.Is(err, storage.ErrConflict) {
			t.Errorf("round %d: commit after the write: %v, want a conflict", i, err)
		}
	}
}

func TestUpdateRunsTwice(t *testing.T) {
	s := mem.New()
	runs := 0
	err := storage.Update(context.Background(), s, func(tx storage.Tx) error {
		runs++
		tx.Put("a", []byte("1"))
		return nil
	})
	if err != nil || runs != 2 {
		t.Errorf("Update ran %d times with %v, want 2 times with nil", runs, err)
	}
}
