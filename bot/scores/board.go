package scores

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// boardSize is how many rows each list of a Board has at most.
const boardSize = 10

// Board lists the best of a game in a community, each list with at most ten rows, equals in order of their keys. What
// it is ordered by never falls, so whoever isn't on it comes on it only by a finish of their own.
type Board struct {
	// Wins are those who have won most often.
	Wins []Row
	// Chips are those whose best finish has brought most chips, of those whom one has brought any.
	Chips []Row
}

// take puts a row where it belongs on the board now.
func (b *Board) take(row Row) {
	b.Wins = place(b.Wins, row, func(t Tally) int64 { return t.Wins })
	if row.BestChips > 0 {
		b.Chips = place(b.Chips, row, func(t Tally) int64 { return t.BestChips })
	}
}

// place is the list with the row instead of an older one of the same user.
func place(list []Row, row Row, by func(Tally) int64) []Row {
	list = slices.DeleteFunc(slices.Clone(list), func(r Row) bool { return r.User == row.User })
	i, _ := slices.BinarySearchFunc(list, row, func(a, b Row) int {
		return cmp.Or(cmp.Compare(by(b.Tally), by(a.Tally)), cmp.Compare(a.userText(), b.userText()))
	})
	list = slices.Insert(list, i, row)
	return list[:min(len(list), boardSize)]
}

// userText is the user as in keys.
func (r Row) userText() string { return strconv.FormatInt(r.User, 36) }

// board is where the board of the key's game lies.
func (k Key) board() string { return keyspace.Boards + k.Community + "/" + k.Game }

// line is a row as it is stored on a board.
type line struct {
	User  int64  `json:"u"`
	Tally string `json:"t"`
}

func (b Board) encode() []byte {
	value, err := json.Marshal([2][]line{lines(b.Wins), lines(b.Chips)})
	if err != nil {
		panic(err) // Numbers and texts can always be encoded.
	}
	return value
}

func lines(rows []Row) []line {
	all := make([]line, len(rows))
	for i, row := range rows {
		all[i] = line{row.User, string(row.encode())}
	}
	return all
}

// decodeBoard is the board in the item; an empty one if there is none.
func decodeBoard(item storage.Item) (Board, error) {
	if item.Rev == 0 {
		return Board{}, nil
	}
	var stored [2][]line
	if err := json.Unmarshal(item.Value, &stored); err != nil {
		return Board{}, fmt.Errorf("decode %s: %w", item.Key, err)
	}
	var lists [2][]Row
	for i, list := range stored {
		for _, l := range list {
			t, err := decode(storage.Item{Key: item.Key, Value: []byte(l.Tally)})
			if err != nil {
				return Board{}, err
			}
			lists[i] = append(lists[i], Row{l.User, t})
		}
	}
	return Board{Wins: lists[0], Chips: lists[1]}, nil
}
