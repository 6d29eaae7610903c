package day

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

func TestNumber(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]int{
		"2026-01-01T00:00:00Z": 1, "2026-01-01T23:59:59Z": 1, "2026-01-02T00:00:00Z": 2, "2026-11-21T12:00:00Z": 325, "2026-11-22T01:00:00+02:00": 325,
		"2025-12-31T23:59:59Z": 0, "2035-12-31T00:00:00Z": 3652,
	} {
		when, err := time.Parse(time.RFC3339, at)
		if got := Number(when); err != nil || got != want {
			t.Errorf("%s is on day %d, want %d, %v", at, got, want, err)
		}
	}
}

// ended is that a game of a day has ended, on which day by the clock.
type ended struct {
	day    int
	game   string
	solved bool
	on     int
}

func TestStreak(t *testing.T) {
	t.Parallel()
	won := func(day int) ended { return ended{day, "zaba", true, day} }
	lost := func(day int) ended { return ended{day, "zaba", false, day} }
	row := func(from, to int) (all []ended) {
		for day := from; day <= to; day++ {
			all = append(all, won(day))
		}
		return all
	}
	for name, test := range map[string]struct {
		ends            []ended
		today           int
		streak, longest int
		played          int
	}{
		"nothing":                           {nil, 5, 0, 0, 0},
		"one":                               {row(5, 5), 5, 1, 1, 1},
		"today is not over":                 {row(3, 4), 5, 2, 2, 2},
		"a day was missed":                  {row(3, 4), 6, 0, 2, 2},
		"two games of a day":                {append(row(3, 4), ended{4, "tecza", true, 4}), 4, 2, 2, 3},
		"any of them will do":               {append(row(3, 4), lost(5), ended{5, "tecza", true, 5}), 5, 3, 3, 4},
		"given up":                          {append(row(3, 4), lost(5)), 5, 2, 2, 3},
		"given up, the day after":           {append(row(3, 4), lost(5)), 6, 0, 2, 3},
		"the first end counts":              {append(row(3, 4), lost(5), won(5)), 5, 2, 2, 3},
		"longer than results are kept":      {row(1, 100), 100, 100, 100, 100},
		"longer, then a gap":                {append(row(1, 100), row(102, 110)...), 110, 9, 100, 109},
		"long ago":                          {row(1, 30), 400, 0, 30, 30},
		"begun before midnight":             {[]ended{won(3), {4, "zaba", true, 5}, won(5)}, 5, 3, 3, 3},
		"ended after the next one":          {[]ended{won(3), won(5), {4, "zaba", true, 5}}, 5, 3, 3, 3},
		"ended a week later":                {append(row(5, 10), append(row(12, 18), ended{11, "zaba", true, 18})...), 18, 14, 14, 14},
		"ended too late":                    {append(row(1, 2), append(row(4, 20), ended{3, "zaba", true, 20})...), 20, 17, 17, 19},
		"the clock a day ahead, and back":   {[]ended{won(3), {5, "zaba", true, 5}, {4, "zaba", true, 4}}, 4, 2, 3, 3},
		"the clock a day ahead, next day":   {[]ended{won(3), {5, "zaba", true, 5}, {4, "zaba", true, 4}, won(5), won(6)}, 6, 4, 4, 4},
		"the clock a day back":              {[]ended{won(3), won(4), {3, "tecza", true, 3}, won(5)}, 5, 3, 3, 4},
		"the clock a year ahead, and right": {append(row(1, 5), ended{370, "zaba", true, 370}, won(6), won(7)), 7, 2, 5, 8},
	} {
		var p Person
		for _, e := range test.ends {
			p.add(Result{Day: e.day, Game: e.game, Solved: e.solved}, e.on)
			if len(p.Results) > 2*kept {
				t.Errorf("%s: %d results are kept", name, len(p.Results))
			}
		}
		if got := p.Streak(test.today); got != test.streak || p.Longest != test.longest || p.Played != test.played {
			t.Errorf("%s: %d days in a row, at most %d, %d played; want %+v", name, got, p.Longest, p.Played, test)
		}
	}
}

func TestBins(t *testing.T) {
	t.Parallel()
	var all Tally
	for i, moves := range []int{184, 201, 214, 219, 238, 260, 410} {
		all = all.add(Result{Solved: true, Moves: moves, Seconds: int64(60 * (i + 1))})
	}
	all = all.add(Result{Moves: 3, Seconds: 5})
	if all.Ended != 8 || all.Solved != 7 || all.Moves.Drawn() != "▆█▄▁▁▁▁▄" || all.Times.Drawn() != "▅▁▅▅▅█▅" {
		t.Errorf("%+v is drawn as %s, %s", all, all.Moves.Drawn(), all.Times.Drawn())
	}
	for moves, want := range map[int]int{180: 100, 214: 58, 260: 16, 410: 0} {
		if got := all.Moves.above(movesBin(moves)); got != want {
			t.Errorf("%d moves are fewer than %d %% need, want %d", moves, got, want)
		}
	}
	if one := (Bins{7: 1}); one.Drawn() != "" || one.above(7) != 0 {
		t.Errorf("of one it is drawn %q, %d", one.Drawn(), one.above(7))
	}
	if left := all.minus(all); !left.isZero() {
		t.Errorf("nothing is %+v", left)
	}
	for bin := range maxTimes {
		if at := leastTime(bin); bin > 2 && timesBin(at) != bin {
			t.Errorf("%d s are in bin %d, not %d", at, timesBin(at), bin)
		}
	}
	if timesBin(1<<60) != maxTimes || movesBin(1<<40) != maxMoves || movesBin(-1) != 0 || timesBin(-1) != 0 {
		t.Error("the bins have no end")
	}
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	for moves, want := range map[int]string{170: "\nFewer moves than 100% of players", 184: ""} { // The second is like all others.
		own, among := Result{Solved: true, Moves: moves, Seconds: 60}, Tally{}
		for _, others := range []int{181, 185, 186, 189, moves} {
			among = among.add(Result{Solved: true, Moves: others, Seconds: 60})
		}
		w := words.Writer{Lang: catalogue.Lang("en")}
		if compare(&w, own, among); words.Flat(w.Spans) != want {
			t.Errorf("who needed %d moves is told %q", moves, words.Flat(w.Spans))
		}
	}
}

// shown is a table of a day that has ended.
func shown(community string, user int64, day int, solved bool) *table.Table {
	c, _ := chat.ParseCommunity(community)
	t := &table.Table{ID: table.ID{Community: c, Name: "a"}}
	t.Place, t.Game, t.Day, t.Dealt, t.Ended, t.Line = chat.Place{Community: c, Channel: 1}, "zaba", day, 100, 400, 200
	t.Chairs = []table.Chair{{User: user, Name: "P"}}
	t.Result = &engine.Result{Patience: &engine.Patience{Solved: solved}}
	return t
}

// days are those of a store's test, on a day.
func days(t testing.TB, today int) *Days {
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	return New(nil, games.All(), catalogue, func() time.Time { return time.Unix(int64(dayZero+today)*secondsOfDay, 0) })
}

// finish counts what has ended at a table.
func finish(t testing.TB, d *Days, s storage.Store, one *table.Table) (counts bool) {
	t.Helper()
	err := storage.Update(t.Context(), s, func(tx storage.Tx) (err error) {
		counts, err = d.Count(tx, one)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

func tallies(t testing.TB, s storage.Store, origin string, day int) (here, all Tally) {
	t.Helper()
	err := s.View(t.Context(), func(from storage.Reader) (err error) {
		here, all, err = Tallies(from, origin, day, "zaba")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return here, all
}

// sum sums up all there is.
func sum(t testing.TB, d *Days, s storage.Store) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = d.Sum(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSum: what all communities have counted is summed up once, whenever that is broken off, and nothing stays of old days.
func TestSum(t *testing.T) {
	t.Parallel()
	s, d := mem.New(), days(t, 20)
	for c := range 30 {
		for user := range int64(c%4 + 1) {
			if !finish(t, d, s, shown(fmt.Sprintf("t-%d", c+1), user+1, 20, user == 0)) {
				t.Fatal("it doesn't count")
			}
		}
		if c == 10 {
			sum(t, d, s)
		}
	}
	if finish(t, d, s, shown("t-1", 1, 20, true)) {
		t.Error("a second end counts")
	}
	here, all := tallies(t, s, "t-4", 20)
	if here.Ended != 4 || here.Solved != 1 || all.Ended != 26 {
		t.Errorf("before the sum: here %+v, all %+v", here, all)
	}
	for range 3 {
		sum(t, d, s)
	}
	if here, all = tallies(t, s, "t-4", 20); here.Ended != 4 || all.Ended != 73 || all.Solved != 30 || all.Moves[20] != 30 {
		t.Errorf("here %+v, all %+v", here, all)
	}
	if left := stores.Items(t, s, keyspace.DayUnsummed); len(left) != 0 {
		t.Errorf("still to be summed up: %v", left)
	}
	later := days(t, 40)
	finish(t, later, s, shown("t-4", 1, 40, true))
	sum(t, later, s)
	for _, item := range slices.Concat(stores.Items(t, s, keyspace.DayTallies+"t-4/"), stores.Items(t, s, keyspace.DayTallies+everywhere+"/")) {
		if day, _, ok := parseTally(item.Key, "t-4"); ok && day < 40 {
			t.Errorf("%s stays", item.Key)
		}
		if day, _, ok := parseTally(item.Key, everywhere); ok && day < 40 {
			t.Errorf("%s stays", item.Key)
		}
	}
}

// TestSumMeanwhile: what is counted while it is summed up is summed up the next time.
func TestSumMeanwhile(t *testing.T) {
	t.Parallel()
	s, d := mem.New(), days(t, 20)
	finish(t, d, s, shown("t-1", 1, 20, true))
	again := &meanwhile{Store: s, do: func() {
		one := shown("t-1", 2, 20, true)
		one.Game = "tecza" // Its key wasn't there when it was looked for keys.
		finish(t, d, s, one)
	}}
	if _, err := d.Sum(t.Context(), again); err != nil || again.do != nil {
		t.Fatal(err, again.do == nil)
	}
	sum(t, d, s)
	err := s.View(t.Context(), func(from storage.Reader) error {
		one, err := storage.GetJSON[Tally](from, keyTally(everywhere, 20, "tecza"))
		if one.Ended != 1 {
			err = errors.Join(err, fmt.Errorf("%+v", one))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// meanwhile is a store where something is done when the keys of a community's tallies were read.
type meanwhile struct {
	storage.Store
	do func()
}

// Scan implements storage.Store.
func (m *meanwhile) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	items, err := m.Store.Scan(ctx, prefix, after, limit)
	if prefix == keyspace.DayTallies+"t-1/" && limit > dealsAtOnce && m.do != nil {
		m.do()
		m.do = nil
	}
	return items, err
}

// TestMidnight: a thousand people who finish at once in communities of their own, and a hundred in one, are all counted, each once.
func TestMidnight(t *testing.T) {
	t.Parallel()
	s, d := stores.Bolt(t), days(t, 20)
	var all sync.WaitGroup
	end := func(community string, user int64) {
		all.Go(func() {
			err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
				_, err := d.Count(tx, shown(community, user, 20, true))
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for user := range int64(1000) {
		end(chat.Community{Platform: chat.Telegram, ID: user + 1}.String(), user+1)
	}
	for user := range int64(100) {
		end("t-5", user+1)
		end("t-5", user+1)
	}
	all.Wait()
	sum(t, d, s)
	if here, all := tallies(t, s, "t-5", 20); here.Ended != 100 || all.Ended != 1100 {
		t.Errorf("here %d, in all %d", here.Ended, all.Ended)
	}
}

// TestForget: who is forgotten leaves nothing that names them, and changes nothing for the others.
func TestForget(t *testing.T) {
	t.Parallel()
	s, d := mem.New(), days(t, 20)
	finish(t, d, s, shown("t-1", 1, 20, true))
	finish(t, d, s, shown("t-1", 2, 20, true))
	before := stores.Items(t, s, keyPerson("t-1", 2))
	if err := storage.Update(t.Context(), s, func(tx storage.Tx) error { Forget(tx, "t-1", 1); return nil }); err != nil {
		t.Fatal(err)
	}
	if left := stores.Items(t, s, keyspace.DayPeople); len(left) != 1 || string(left[0].Value) != string(before[0].Value) {
		t.Errorf("left: %v", left)
	}
	if here, _ := tallies(t, s, "t-1", 20); here.Ended != 2 {
		t.Errorf("here %+v", here)
	}
}

// TestOnceForTheOthers: who is forgotten and lays a patience of the day again counts once for the others all the same, until the day is over.
func TestOnceForTheOthers(t *testing.T) {
	t.Parallel()
	s, d := mem.New(), days(t, 20)
	for _, name := range []string{"a", "b", "c"} {
		one := shown("t-1", 1, 20, name != "b")
		one.ID.Name = name
		for _, want := range []bool{true, false} {
			if counts := finish(t, d, s, one); counts != want {
				t.Errorf("at table %s it counts for the person: %v", name, counts)
			}
		}
		if err := storage.Update(t.Context(), s, func(tx storage.Tx) error { Forget(tx, "t-1", 1); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if here, all := tallies(t, s, "t-1", 20); here.Ended != 1 || here.Solved != 1 || all.Ended != 1 {
		t.Errorf("here %+v, everywhere %+v", here, all)
	}
	for _, one := range []*table.Table{shown("t-1", 2, 20, true), shown("t-2", 1, 20, true), shown("t-1", 1, 21, true), shown("t-1", 3, 20, true)} {
		finish(t, d, s, one)
	}
	if err := storage.Update(t.Context(), s, func(tx storage.Tx) error { Forget(tx, "t-1", 1); return nil }); err != nil {
		t.Fatal(err)
	}
	again := shown("t-1", 1, 20, true) // It can be laid until the next day is over.
	again.ID.Name = "d"
	finish(t, d, s, again)
	here, all := tallies(t, s, "t-1", 20)
	next, _ := tallies(t, s, "t-1", 21)
	if here.Ended != 3 || all.Ended != 3 || next.Ended != 1 {
		t.Errorf("here %+v, everywhere %+v, the day after %+v", here, all, next)
	}
}
