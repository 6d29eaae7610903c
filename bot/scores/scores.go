// Package scores keeps the table of results: for each user, in each community and game, a Tally of what they finished.
// It knows no game: a Finish says what there is to say of any.
//
// A tally is kept in the transaction that ends a table, so that it always agrees with the tables that ended; a Rebuilder
// works it out again from those. So is the Board of its game, so that nobody has to read all tallies to see the best. A community is given as its short text form and a game by its name, both without "/".
// Chips are in kopecks.
//
// A Rating tells from the orders in which people finish how well they play: Weng and Lin's Plackett–Luce model (A Bayesian Approximation
// Method for Online Ranking, JMLR 12, 2011), with one bound of the house's own. Of two who are more than a startSpread apart, the one ahead
// gains nothing by finishing ahead, nor does the other lose by it, as if each hadn't been there for the other. Else a hundred accounts
// that let one win could lift it without end. The opposite counts for as little as keeps predictions true (upset, TestCalibrated).
//
// Ratings are the same for the same finishes in the same order on every machine: sums, products, quotients and square roots are exact to
// the last bit everywhere, each product is rounded by a conversion, so that no machine fuses it with a sum, and the exponential is made
// of those. What is kept are whole millionths (KeptRating).
package scores

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Key says whose tally it is, in which community, of which game.
type Key struct {
	Community string
	Game      string
	User      int64
}

// Row is a tally with whose it is.
type Row struct {
	User int64
	Tally
}

// Record adds a finish to a tally, and keeps the name, unless that is empty. N is the finish's number among those of
// the tally, from 1; it belongs with the table that ended, since streaks depend on the order. The caller sees to it that
// each finish is recorded once. The tally's key is read and written, and that of the game's Board, too; of a rated finish those of
// the game's Season and of the Way of the rating.
func Record(tx storage.Tx, k Key, name string, f Finish) (n int, err error) {
	if err := k.check(); err != nil {
		return 0, err
	}
	items, err := tx.Get(k.text(), k.board())
	if err != nil {
		return 0, fmt.Errorf("read scores: %w", err)
	}
	var t Tally
	if items[0].Rev != 0 {
		if t, err = decode(items[0]); err != nil {
			return 0, err
		}
	}
	board, err := decodeBoard(items[1])
	if err != nil {
		return 0, err
	}
	t = t.add(f)
	if name != "" {
		t.Name = validName(name)
	}
	tx.Put(k.text(), t.encode())
	board.take(Row{k.User, t})
	if value := board.encode(); !bytes.Equal(value, items[1].Value) {
		tx.Put(k.board(), value)
	}
	if t.Month.Games > 0 {
		if err := keepSeason(tx, k, t); err != nil {
			return 0, err
		}
	}
	if f.Rated() {
		err = keepWay(tx, k, f)
	}
	return int(t.Games), err
}

// validName is the name as JSON can keep it.
func validName(name string) string { return strings.ToValidUTF8(name, "�") }

// Read returns the tallies of the keys, in that order, with one Get; that of a user who never finished is zero.
func Read(from storage.Getter, keys ...Key) ([]Tally, error) {
	texts := make([]string, len(keys))
	for i, k := range keys {
		if err := k.check(); err != nil {
			return nil, err
		}
		texts[i] = k.text()
	}
	items, err := from.Get(texts...)
	if err != nil {
		return nil, fmt.Errorf("read scores: %w", err)
	}
	tallies := make([]Tally, len(items))
	for i, item := range items {
		if item.Rev == 0 {
			continue
		}
		if tallies[i], err = decode(item); err != nil {
			return nil, err
		}
	}
	return tallies, nil
}

// Ahead reads what Records of the keys will ask for, with one Get.
func Ahead(from storage.Getter, keys ...Key) error {
	var texts []string
	for _, k := range keys {
		for _, text := range []string{k.text(), k.way(), k.board(), k.season()} {
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	if _, err := from.Get(texts...); err != nil {
		return fmt.Errorf("read scores: %w", err)
	}
	return nil
}

// Book makes the boards of a community anew.
type Book struct {
	Store     storage.Store
	Community string
	// Most is how many tallies of a game are read; 0 is as many as there are.
	Most int
}

// ErrMany is what Remake returns where there are more tallies than Most.
var ErrMany = errors.New("there are too many tallies")

// Boards returns the boards of a community's games, in that order, with one Get; that of a game that nobody finished is empty.
func Boards(from storage.Getter, community string, games ...string) ([]Board, error) {
	keys := make([]string, len(games))
	for i, game := range games {
		keys[i] = Key{Community: community, Game: game}.board()
	}
	items, err := from.Get(keys...)
	if err != nil {
		return nil, fmt.Errorf("read the best: %w", err)
	}
	boards := make([]Board, len(items))
	for i, item := range items {
		if boards[i], err = decodeBoard(item); err != nil {
			return nil, err
		}
	}
	return boards, nil
}

// Ranked are those on a board of a game who have won most often and whose ratings are known, the highest first.
func (b Board) Ranked() []Row {
	rows := slices.DeleteFunc(slices.Clone(b.Wins), func(r Row) bool { return !r.Rating.Known() })
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Rating.Points(), a.Rating.Points()) })
	return rows
}

// NameIn is the name in the item of a tally, with whose it is in which community; an empty one if there is none.
func NameIn(item storage.Item) (community string, user int64, name string) {
	k, err := parseKey(item.Key)
	if err != nil {
		return "", 0, ""
	}
	return k.Community, k.User, string(nameIn(item.Value))
}

// text is where the tally lies.
func (k Key) text() string {
	return keyspace.Tallies + k.Community + "/" + k.Game + "/" + strconv.FormatInt(k.User, 36)
}

// check reports a key that can't be part of one in the store.
func (k Key) check() error {
	back, err := parseKey(k.text())
	if err != nil || back != k {
		return fmt.Errorf("nobody's scores are called %+v", k)
	}
	return nil
}

func parseKey(text string) (Key, error) {
	parts := strings.Split(strings.TrimPrefix(text, keyspace.Tallies), "/")
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" {
		return Key{}, fmt.Errorf("no scores have the key %q", text)
	}
	user, err := strconv.ParseInt(parts[2], 36, 64)
	k := Key{parts[0], parts[1], user}
	if err != nil || user == 0 || k.text() != text {
		return Key{}, fmt.Errorf("no scores have the key %q", text)
	}
	return k, nil
}
