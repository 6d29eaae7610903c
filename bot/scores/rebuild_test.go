package scores

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// rebuild adds the entries in an order of its own.
func rebuild(t testing.TB, entries []Entry) *Rebuilder {
	t.Helper()
	r := NewRebuilder()
	shuffled := slices.Clone(entries)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for _, e := range shuffled {
		if err := r.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func differences(t testing.TB, s storage.Store, entries []Entry) []string {
	t.Helper()
	var keys []string
	if err := rebuild(t, entries).Compare(t.Context(), s, func(d Difference) { keys = append(keys, d.Key) }); err != nil {
		t.Fatal(err)
	}
	return keys
}

// agree wants what is stored to be what the entries say.
func agree(t testing.TB, s storage.Store, entries []Entry) {
	t.Helper()
	err := rebuild(t, entries).Compare(t.Context(), s, func(d Difference) { t.Error(d) })
	if err != nil {
		t.Fatal(err)
	}
}

// season records finishes of two games and five users at random.
func season(t testing.TB, s storage.Store) []Entry {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 5))
	var entries []Entry
	for i := range 300 {
		e := Entry{
			Key:  Key{fmt.Sprint("t", r.IntN(2)), []string{"zevaka", "tecza"}[r.IntN(2)], r.Int64N(5) + 1},
			Name: []string{"", "", fmt.Sprint("name", i)}[r.IntN(3)],
			Finish: Finish{
				Won: r.IntN(2) == 0, Last: r.IntN(3) == 0, Place: r.IntN(5), Chips: r.Int64N(2000) - 1000, Bank: r.Int64N(900),
				Solved: r.IntN(3) == 0, Score: r.Int64N(104), Seconds: r.Int64N(900), Moves: r.Int64N(300), Undos: r.Int64N(5), Hints: r.Int64N(5), Level: r.IntN(MaxLevel + 1),
				At: 1 + r.Int64N(1000), Feats: Feats(r.IntN(1<<MaxFeats) & r.IntN(1<<MaxFeats) & r.IntN(1<<MaxFeats)),
			},
		}
		e.Looked = e.User > 3 || i%3 == 0 // The last two know all cards.
		e.N = record(t, s, e.Key, e.Name, e.Finish)
		entries = append(entries, e)
	}
	return entries
}

// TestRebuild: what is worked out again, from finishes in any order, is what was stored.
func TestRebuild(t *testing.T) {
	stores.Each(t, func(t *testing.T, s storage.Store) { agree(t, s, season(t, s)) })
}

// TestCompare damages the scores, or the tables, in one way after another. Compare must report each at its key, and
// after Write nothing more of what is stored.
func TestCompare(t *testing.T) {
	one, other, board := Key{"t1", "zevaka", 1}.text(), Key{"t1", "zevaka", 9}.text(), Key{"t1", "zevaka", 0}.board()
	lose := func(n int) func([]Entry) []Entry {
		return func(entries []Entry) []Entry {
			return slices.DeleteFunc(entries, func(e Entry) bool { return e.text() == one && e.N == n })
		}
	}
	tests := []struct {
		name string
		// Key gets the value, or is deleted if there is none.
		key, value string
		tables     func([]Entry) []Entry
		want       []string
		// Stays are the differences after Write: numbers that the tables have wrong.
		stays []string
	}{
		{name: "a lost tally", key: one, want: []string{one}},
		{name: "another tally", key: one, value: "3//", want: []string{one}},
		{name: "a tally that can't be read", key: one, value: `[`, want: []string{one}},
		{name: "a tally too many", key: other, value: "3//", want: []string{other}},
		{name: "a strange key", key: "s/t1/zevaka", value: `{}`, want: []string{"s/t1/zevaka"}},
		{name: "a strange user", key: "s/t1/zevaka/01", value: "1//", want: []string{"s/t1/zevaka/01"}},
		{name: "a lost board", key: board, want: []string{board}},
		{name: "another board", key: board, value: `[[],[]]`, want: []string{board}},
		{name: "a board that can't be read", key: board, value: `[`, want: []string{board}},
		{name: "a board too many", key: "b/t1/zevakb", value: `[[],[]]`, want: []string{"b/t1/zevakb"}},
		{name: "a lost table", tables: lose(2), want: []string{one, one, board}, stays: []string{one}},
		{name: "a table too many", tables: func(entries []Entry) []Entry {
			return append(entries, Entry{Key: Key{"t1", "zevaka", 9}, N: 1})
		}, want: []string{other, board}},
		{name: "a table twice", tables: func(entries []Entry) []Entry {
			i := slices.IndexFunc(entries, func(e Entry) bool { return e.text() == one })
			return append(entries, entries[i])
		}, want: []string{one, one, board}, stays: []string{one}},
	}
	for _, test := range tests {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			s := stores.Bolt(t)
			entries := season(t, s)
			if test.key != "" {
				write := storage.Write{Key: test.key, Value: []byte(test.value)}
				if test.value == "" {
					write.Value = nil
				}
				if _, err := s.Commit(t.Context(), storage.Txn{Writes: []storage.Write{write}}); err != nil {
					t.Fatal(err)
				}
			}
			if test.tables != nil {
				entries = test.tables(entries)
			}
			if got := differences(t, s, entries); !slices.Equal(got, test.want) {
				t.Errorf("the differences are at %q, want %q", got, test.want)
			}
			if err := rebuild(t, entries).Write(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if got := differences(t, s, entries); !slices.Equal(got, test.stays) {
				t.Errorf("the differences after Write are at %q, want %q", got, test.stays)
			}
		})
	}
}

// TestCompareOrder: streaks are those of the order in which the finishes were recorded.
func TestCompareOrder(t *testing.T) {
	s := stores.Bolt(t)
	k := Key{"t1", "zevaka", 1}
	var entries []Entry
	for _, won := range []bool{true, true, false, true} {
		f := Finish{Won: won}
		entries = append(entries, Entry{Key: k, N: record(t, s, k, "", f), Finish: f})
	}
	agree(t, s, entries)
	entries[2].N, entries[3].N = entries[3].N, entries[2].N
	if got := differences(t, s, entries); !slices.Equal(got, []string{k.text(), k.board()}) {
		t.Errorf("with two finishes exchanged the differences are at %q", got)
	}
}

// TestWriteMany writes and deletes more tallies than fit into one transaction, in a store whose first commits fail.
func TestWriteMany(t *testing.T) {
	stores.Each(t, func(t *testing.T, s storage.Store) {
		var entries []Entry
		for user := int64(1); user <= 250; user++ {
			entries = append(entries, Entry{Key: Key{"t1", "zevaka", user}, N: 1, Finish: Finish{Won: true}})
		}
		for _, these := range [][]Entry{entries, entries[:20], nil, entries[200:]} {
			if err := rebuild(t, these).Write(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			agree(t, s, these)
		}
	})
}

func TestAddNumbers(t *testing.T) {
	for n, ok := range map[int]bool{-1: false, 0: false, 1: true, maxGames: true, maxGames + 1: false} {
		r := NewRebuilder()
		if err := r.Add(Entry{Key: Key{"t1", "zevaka", 1}, N: n}); (err == nil) != ok {
			t.Errorf("finish %d: %v", n, err)
		}
	}
}
