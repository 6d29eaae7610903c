package scores

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/keyspace"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// forward carries finishes forward.
func forward(t testing.TB, s storage.Store, entries ...Entry) {
	t.Helper()
	for _, e := range entries {
		if err := storage.Update(t.Context(), s, func(tx storage.Tx) error { return CarryForward(tx, e) }); err != nil {
			t.Fatal(err)
		}
	}
}

// agreeCarried wants what is stored to be what is carried forward and the entries say.
func agreeCarried(t testing.TB, s storage.Store, entries []Entry) {
	t.Helper()
	r := rebuild(t, entries)
	if err := r.AddCarried(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := r.Compare(t.Context(), s, func(d Difference) { t.Error(d) }); err != nil {
		t.Fatal(err)
	}
}

// TestCarryForward carries the finishes of a season forward, in their order and in any, and goes on recording: what is
// worked out again stays what is stored, whatever is carried and whatever is kept.
func TestCarryForward(t *testing.T) {
	for _, order := range []string{"oldest first", "newest first", "any order"} {
		t.Run(strings.ReplaceAll(order, " ", "_"), func(t *testing.T) {
			s := stores.Bolt(t)
			left := season(t, s)
			switch order {
			case "newest first":
				slices.Reverse(left)
			case "any order":
				rand.New(rand.NewPCG(2, 2)).Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
			}
			for n := 0; len(left) > 0; n++ {
				agreeCarried(t, s, left)
				k := min(len(left), 7)
				forward(t, s, left[:k]...)
				left = left[k:]
				if n%5 == 0 {
					e := Entry{Key: Key{"t1", "zevaka", 1}, Name: fmt.Sprint("Ann ", n), Finish: Finish{Won: n%2 == 0, Solved: true, Moves: 9}}
					e.N = record(t, s, e.Key, e.Name, e.Finish)
					left = append(left, e)
				}
			}
			agreeCarried(t, s, nil)
			for items, err := range storage.Pages(t.Context(), s, keyspace.CarriedTallies) {
				if err != nil {
					t.Fatal(err)
				}
				for _, item := range items {
					if c, err := decodeCarried(item); err != nil || len(c.runs) != 1 {
						t.Errorf("%s carries %d runs, %v; want one", item.Key, len(c.runs), err)
					}
				}
			}
		})
	}
}

// TestCarryTwice: a finish is carried once.
func TestCarryTwice(t *testing.T) {
	s := stores.Bolt(t)
	e := Entry{Key: Key{"t1", "zevaka", 1}, N: 2}
	forward(t, s, e, Entry{Key: e.Key, N: 4})
	err := storage.Update(t.Context(), s, func(tx storage.Tx) error { return CarryForward(tx, e) })
	if err == nil || !strings.Contains(err.Error(), "carried forward before") {
		t.Errorf("the second time: %v", err)
	}
}

// TestCarriedDamaged: what is carried forward and can't be is refused by its key.
func TestCarriedDamaged(t *testing.T) {
	const key = "r/t1/zevaka/1"
	for _, test := range []struct{ key, value string }{
		{key, `[`},
		{key, `{"t":"","r":[]}`},
		{key, `{"t":"2//","r":[[1,1,0,0,0]]}`},
		{key, `{"t":"1//","r":[[0,0,0,0,0]]}`},
		{key, `{"t":"1//","r":[[2,1,0,0,0]]}`},
		{key, `{"t":"1//","r":[[1,1,2,0,0]]}`},
		{key, `{"t":"1//","r":[[1,1,0,0,2]]}`},
		{key, `{"t":"1//","r":[[1,1,0,-1,0]]}`},
		{key, `{"t":"2//","r":[[2,2,0,0,0],[2,2,0,0,0]]}`},
		{"r/t1/zevaka", `{"t":"1//","r":[[1,1,0,0,0]]}`},
	} {
		t.Run(test.key+" "+test.value, func(t *testing.T) {
			s := stores.Bolt(t)
			txn := storage.Txn{Writes: []storage.Write{{Key: test.key, Value: []byte(test.value)}}}
			if _, err := s.Commit(t.Context(), txn); err != nil {
				t.Fatal(err)
			}
			if err := NewRebuilder().AddCarried(t.Context(), s); err == nil {
				t.Error("it is taken")
			}
		})
	}
}
