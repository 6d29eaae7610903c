package scores

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// boardsOf are the boards of games.
func boardsOf(t testing.TB, s storage.Store, games ...string) ([]Board, error) {
	t.Helper()
	return storage.Read(t.Context(), s, func(from storage.Reader) ([]Board, error) { return Boards(from, "t1", games...) })
}

// TestBoard: after every finish the board is what a look at all tallies says.
func TestBoard(t *testing.T) {
	for _, users := range []int64{3, boardSize, 40} {
		t.Run(fmt.Sprint(users), func(t *testing.T) {
			s := stores.Bolt(t)
			r := rand.New(rand.NewPCG(3, uint64(users)))
			tallies := map[int64]Tally{}
			if boards, err := boardsOf(t, s, "banchok", "zevaka"); err != nil || len(boards) != 2 || boards[0].Wins != nil {
				t.Fatalf("before the first finish: %+v, %v", boards, err)
			}
			for range 400 {
				user := r.Int64N(users) + 1
				f := Finish{Won: r.IntN(2) == 0, Chips: r.Int64N(300) - 200, Place: r.IntN(3)}
				name := []string{"", fmt.Sprint("name ", user), "a/b\"\n"}[r.IntN(3)]
				record(t, s, Key{"t1", "banchok", user}, name, f)
				tally := tallies[user].add(f)
				tally.Name = cmp.Or(name, tally.Name)
				tallies[user] = tally
				boards, err := boardsOf(t, s, "banchok")
				if err != nil {
					t.Fatal(err)
				}
				want(t, "wins", boards[0].Wins, tallies, func(t Tally) (int64, bool) { return t.Wins, true })
				want(t, "chips", boards[0].Chips, tallies, func(t Tally) (int64, bool) { return t.BestChips, t.BestChips > 0 })
				if t.Failed() {
					return
				}
			}
		})
	}
}

// want compares a list with the best of all tallies that it may have.
func want(t *testing.T, list string, got []Row, tallies map[int64]Tally, by func(Tally) (int64, bool)) {
	t.Helper()
	var all []Row
	for user, tally := range tallies {
		if _, ok := by(tally); ok {
			all = append(all, Row{user, tally})
		}
	}
	slices.SortFunc(all, func(a, b Row) int {
		x, _ := by(a.Tally)
		y, _ := by(b.Tally)
		return cmp.Or(cmp.Compare(y, x), cmp.Compare(strconv.FormatInt(a.User, 36), strconv.FormatInt(b.User, 36)))
	})
	if all = all[:min(len(all), boardSize)]; !slices.Equal(got, all) {
		t.Errorf("the list of %s is\n%+v, want\n%+v", list, got, all)
	}
}

// FuzzBoard decodes anything: what can be decoded can be written and decoded again.
func FuzzBoard(f *testing.F) {
	f.Add([]byte(`[[{"u":1,"t":"3 1 2//Аня"}],[{"u":-5,"t":"1//"}]]`))
	f.Add([]byte(`[[],[]]`))
	f.Add([]byte(`[[{"u":1,"t":"x"}]]`))
	f.Fuzz(func(t *testing.T, value []byte) {
		board, err := decodeBoard(storage.Item{Key: "b/t1/zevaka", Value: value, Rev: 1})
		if err != nil {
			return
		}
		again, err := decodeBoard(storage.Item{Key: "b/t1/zevaka", Value: board.encode(), Rev: 1})
		if err != nil || !slices.Equal(board.Wins, again.Wins) || !slices.Equal(board.Chips, again.Chips) {
			t.Errorf("%+v, then %+v, %v", board, again, err)
		}
	})
}
