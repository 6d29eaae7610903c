package engine_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/engine/zevaka"
)

// played is the record of a deal of Зевака by random movers, stopped after limit moves at most.
func played(t testing.TB, setup engine.Setup, seed engine.Seed, limit int) engine.Record {
	t.Helper()
	rules := zevaka.Rules{}
	options, err := rules.Info().Complete(setup.Options)
	if err != nil {
		t.Fatal(err)
	}
	record := engine.Record{Game: "zevaka", Options: options, Seats: setup.Seats, Seed: seed, Cut: "сорок <два>", Moves: []string{}}
	st, err := rules.Deal(setup, engine.NewShuffler(seed, record.Cut))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(seed[0]), 7))
	for len(st.Turn()) > 0 && len(record.Moves) < limit {
		seat := st.Turn()[0]
		moves := st.Moves(seat, nil)
		step := engine.Step{Seat: seat, Move: moves[r.IntN(len(moves))]}
		if _, err := st.Apply(step); err != nil {
			t.Fatal(err)
		}
		record.Moves = append(record.Moves, engine.StepText(rules, step))
	}
	if result, over := st.Result(); over {
		record.Outcome = &result
	}
	return record
}

func TestRecordRoundTrip(t *testing.T) {
	rules := zevaka.Rules{}
	for i := range 20 {
		setup := engine.Setup{Seats: 2 + i%5, Options: map[string]string{
			"penalty": []string{"off", "auto", "call"}[i%3],
			"deal":    []string{"hands", "stock"}[i%2],
			"centre":  []string{"suit", "rank", "free", "free"}[i%4],
			"open":    []string{"on", "off", "later", "later", "later"}[i%5],
		}}
		limit := []int{0, 10, 1 << 20}[i%3]
		record := played(t, setup, engine.Seed{byte(i)}, limit)
		line, err := record.Marshal(rules.Info())
		if err != nil {
			t.Fatal(err)
		}
		back, err := engine.ParseRecord(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if !reflect.DeepEqual(back, record) {
			t.Errorf("%s is read as %+v", line, back)
		}
		n := 0
		err = engine.Replay(rules, back, func(i int, step string, _ engine.State) error {
			if i != n || i > 0 && step != record.Moves[i-1] || i == 0 && step != "" {
				t.Fatalf("call %d has number %d and step %q", n, i, step)
			}
			n++
			return nil
		})
		if err != nil || n != len(record.Moves)+1 {
			t.Errorf("replayed %d positions of %d moves: %v", n, len(record.Moves), err)
		}
	}
}

const (
	recordHead = `{"v":1,"game":"zevaka","options":{"pack":"36","deal":"hands","centre":"suit","open":"on","others":"on",` +
		`"penalty":"off","end":"last"},"seats":3,"seed":"0000000000000000000000000000000000000000000000000000000000000000",` +
		`"cut":"","moves":`
	recordLine = recordHead + `["0 flip","0 keep"]}`
)

func TestRecordText(t *testing.T) {
	record, err := engine.ParseRecord([]byte(recordLine))
	if err != nil {
		t.Fatal(err)
	}
	if line, err := record.Marshal(zevaka.Rules{}.Info()); err != nil || string(line) != recordLine {
		t.Errorf("written as\n%s, %v, not\n%s", line, err, recordLine)
	}
}

// sharedLine is a record of a deal that two have cut.
var sharedLine = strings.NewReplacer(`"v":1`, `"v":2`, `"cut":""`, `"cuts":["7","","кот"]`).Replace(recordLine)

// TestSharedRecord: a record of a deal that several have cut is read, written and replayed, and everything that could make it
// mean a second thing is refused.
func TestSharedRecord(t *testing.T) {
	rules := zevaka.Rules{}
	record, err := engine.ParseRecord([]byte(sharedLine))
	if err != nil {
		t.Fatal(err)
	}
	if line, err := record.Marshal(rules.Info()); err != nil || string(line) != sharedLine {
		t.Errorf("written as\n%s, %v, not\n%s", line, err, sharedLine)
	}
	var first string
	err = engine.Replay(rules, record, func(n int, _ string, st engine.State) error {
		if n == 0 {
			first = string(engine.AppendState(nil, 0, "", st))
		}
		return nil
	})
	st, dealt := rules.Deal(engine.Setup{Seats: 3, Options: record.Options}, engine.NewSharedShuffler(engine.Seed{}, []string{"7", "", "кот"}))
	if err != nil || dealt != nil || first != string(engine.AppendState(nil, 0, "", st)) {
		t.Errorf("it is dealt as %s, %v", first, err)
	}
	for _, test := range []struct{ old, new, says string }{
		{`"v":2`, `"v":1`, "cut is missing"},
		{`"cuts":`, `"cut":"","cuts":`, "version 2 has no cut"},
		{`["7","","кот"]`, `"7"`, `"cuts": a JSON string`},
		{`["7","","кот"]`, `["7","",1]`, `"cuts": a JSON number`},
		{`["7","","кот"]`, `["7","",null]`, `"cuts": null`},
		{`["7","","кот"]`, `["7","","\ud800"]`, `"cuts": not UTF-8`},
		{`["7","","кот"]`, `["7","кот"]`, "2 are not one for each of 3 seats"},
		{`["7","","кот"]`, `["7","",""]`, "where one alone has cut"},
		{`["7","","кот"]`, `[]`, "where one alone has cut"},
		{`["7","","кот"]`, `["7","","` + strings.Repeat("ж", 33) + `"]`, "cuts: seat 2: 66 bytes are more than 64"},
	} {
		_, err := engine.ParseRecord([]byte(strings.Replace(sharedLine, test.old, test.new, 1)))
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q for %q: error %v does not say %q", test.new, test.old, err, test.says)
		}
	}
}

// TestRecordsRefused changes a good record in one place each and asks for what the error must say.
func TestRecordsRefused(t *testing.T) {
	zeros := strings.Repeat("0", 64)
	for _, test := range []struct{ old, new, says string }{
		{recordLine, ``, "not an object"},
		{recordLine, `[]`, "not an object"},
		{recordLine, `{}`, "v is missing"},
		{recordLine, recordLine + `{}`, "something follows"},
		{recordLine, recordLine[:len(recordLine)-1], "does not end"},
		{`"v":1`, `"v":3`, "version 3"},
		{`"v":1`, `"v":2`, "cuts is missing"},
		{`"v":1`, `"v":"1"`, `"v": a JSON string`},
		{`"v":1`, `"v":1.5`, `"v": a JSON number 1.5`},
		{`"v":1`, `"v":1e99999`, `"v"`},
		{`"v":1`, `"v":null`, `"v": null`},
		{`"v":1`, `"V":1`, `"V": no such key`},
		{`"v":1`, `"v":1,"v":1`, `"v" stands twice`},
		{`"v":1,`, ``, "v is missing"},
		{`"v":1`, `"v":1,"note":"x"`, `"note": no such key`},
		{`"game":"zevaka"`, `"game":"durak"`, `"durak" is not zevaka`},
		{`"pack":"36",`, ``, "pack is missing"},
		{`"pack":"36"`, `"pack":"32"`, `pack can't be "32"`},
		{`"pack":"36"`, `"pack":36`, `"pack": a JSON number`},
		{`"pack":"36"`, `"pack":"36","pack":"36"`, `"pack" stands twice`},
		{`"pack":"36"`, `"pack":"36","jokers":"2"`, "options: zevaka has 7, not 8"},
		{`"seats":3`, `"seats":1`, "seats: zevaka has 2 to 6, not 1"},
		{`"seats":3`, `"seats":7`, "seats: zevaka has 2 to 6, not 7"},
		{`"seats":3`, `"seats":-3`, "not -3"},
		{`"seats":3`, `"seats":99999999999999999999`, `"seats": a JSON number`},
		{zeros, zeros[1:], "64 hex digits"},
		{zeros, zeros[1:] + "g", "invalid byte"},
		{`"cut":""`, `"cut":"` + strings.Repeat("ж", 33) + `"`, "66 bytes are more than 64"},
		{`"cut":""`, "\"cut\":\"\xff\"", "UTF-8"},
		{`"cut":""`, `"cut":"\ud800"`, `"cut": not UTF-8`},
		{`"moves":[`, `"moves":{`, "not JSON"},
		{`["0 flip","0 keep"]`, `null`, `"moves": null`},
		{`["0 flip","0 keep"]`, `[1]`, `"moves": a JSON number`},
		{`["0 flip","0 keep"]`, `["0 flip",null]`, `move 2, "": not-a-move`},
		{`"0 keep"`, `"0 flip"`, `move 2, "0 flip": place-flipped-first`},
		{`"0 keep"`, `"1 keep"`, `move 2, "1 keep": not-your-turn`},
		{`"0 keep"`, `"00 keep"`, `move 2, "00 keep": not-a-move`},
		{`"0 keep"`, `"-1 keep"`, `not-a-move`},
		{`"0 keep"`, `"0 keep "`, `not-a-move`},
		{`"0 keep"`, `"0 put 9"`, `move 2, "0 put 9": not-a-move`},
		{`"0 keep"`, `"99999999999999999999 keep"`, `not-a-move`},
		{`"0 keep"]`, `"0 keep"],"outcome":{"places":[0,1,2]}`, "not over after 2 moves"},
		{`"0 keep"]`, `"0 keep"],"outcome":{"winner":0}`, `"winner": no such key`},
		{`"0 keep"]`, `"0 keep"],"outcome":{"solved":true}`, "solved and score"},
	} {
		line := strings.Replace(recordLine, test.old, test.new, 1)
		record, err := engine.ParseRecord([]byte(line))
		if err == nil {
			err = engine.Replay(zevaka.Rules{}, record, nil)
		}
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q for %q: error %v does not say %q", test.new, test.old, err, test.says)
		}
	}
	long := `{"cut":"` + strings.Repeat("0", engine.MaxRecord) + `"}`
	if _, err := engine.ParseRecord([]byte(long)); err == nil {
		t.Error("a record of any length is read")
	}
	many := recordHead + `[` + strings.Repeat(`"",`, engine.MaxMoves) + `""]}`
	if _, err := engine.ParseRecord([]byte(many)); err == nil {
		t.Error("any number of moves is read")
	}
}

func TestOutcomeIsChecked(t *testing.T) {
	rules := zevaka.Rules{}
	record := played(t, engine.Setup{Seats: 2}, engine.Seed{}, 1<<20)
	right := *record.Outcome
	swapped := engine.Result{Places: []engine.Seat{right.Places[1], right.Places[0]}}
	for _, test := range []struct {
		outcome *engine.Result
		says    string
	}{
		{nil, "missing"},
		{&swapped, "but the deal ended in"},
		{&engine.Result{Places: right.Places, Chips: []int64{0, 0}}, "but the deal ended in"},
		{&engine.Result{Places: right.Places, Ties: [][]engine.Seat{}}, "but the deal ended in"},
		{&engine.Result{}, "but the deal ended in"},
	} {
		record.Outcome = test.outcome
		if err := engine.Replay(rules, record, nil); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("error %v does not say %q", err, test.says)
		}
	}
	record.Outcome = &right
	record.Moves = append(record.Moves, "0 flip")
	if err := engine.Replay(rules, record, nil); !errors.Is(err, engine.ErrOver) {
		t.Errorf("a move after the end: %v", err)
	}
}

func TestReplayStopsWhereAsked(t *testing.T) {
	record := played(t, engine.Setup{Seats: 2}, engine.Seed{}, 10)
	stop := errors.New("enough")
	calls := 0
	err := engine.Replay(zevaka.Rules{}, record, func(n int, _ string, _ engine.State) error {
		if calls++; n == 3 {
			return stop
		}
		return nil
	})
	if err != stop || calls != 4 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// TestOutcomeKinds reads and writes each kind of outcome (RECORDS.md, Exactly 6).
func TestOutcomeKinds(t *testing.T) {
	for outcome, want := range map[string]engine.Result{
		`{"places":[1,0,2],"ties":[[0,2]]}`: {Places: []engine.Seat{1, 0, 2}, Ties: [][]engine.Seat{{0, 2}}},
		`{"chips":[-30,30]}`:                {Chips: []int64{-30, 30}},
		`{"solved":false,"score":7}`:        {Patience: &engine.Patience{Score: 7}},
	} {
		line := recordHead + `[],"outcome":` + outcome + `}`
		record, err := engine.ParseRecord([]byte(line))
		if err != nil || !reflect.DeepEqual(*record.Outcome, want) {
			t.Errorf("%s is read as %+v, %v", outcome, record.Outcome, err)
			continue
		}
		if back, err := record.Marshal(zevaka.Rules{}.Info()); err != nil || string(back) != line {
			t.Errorf("%s is written as %s, %v", outcome, back, err)
		}
	}
}

func TestStateLine(t *testing.T) {
	record, err := engine.ParseRecord([]byte(recordLine))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	err = engine.Replay(zevaka.Rules{}, record, func(n int, step string, st engine.State) error {
		lines = append(lines, string(engine.AppendState(nil, n, step, st)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"n":0,"turn":0,"piles":{"closed0":["`; !strings.HasPrefix(lines[0], want) {
		t.Errorf("%s does not begin with %s", lines[0], want)
	}
	want := `"open0":["AS"],"open1":[],"open2":[],"centre":[],"flipped":[],"stock":[]},"over":false}`
	if !strings.HasPrefix(lines[2], `{"n":2,"move":"0 keep","turn":1,"piles":{"closed0":["9H","TH",`) || !strings.HasSuffix(lines[2], want) {
		t.Errorf("after two moves: %s", lines[2])
	}
}

func TestComplete(t *testing.T) {
	info := engine.Info{Options: []engine.Option{
		{Name: "side", Values: []string{"off", "on"}},
		{Name: "bank", Values: []string{"300"}, Min: 20, Max: 1000},
	}}
	for _, test := range []struct {
		give, want map[string]string
	}{
		{nil, map[string]string{"side": "off", "bank": "300"}},
		{map[string]string{"side": "on"}, map[string]string{"side": "on", "bank": "300"}},
		{map[string]string{"bank": "20"}, map[string]string{"side": "off", "bank": "20"}},
		{map[string]string{"bank": "19"}, nil},
		{map[string]string{"bank": "1001"}, nil},
		{map[string]string{"bank": "0300"}, nil},
		{map[string]string{"bank": "+300"}, nil},
		{map[string]string{"bank": ""}, nil},
		{map[string]string{"side": "maybe"}, nil},
		{map[string]string{"side": "1"}, nil},
		{map[string]string{"Side": "on"}, nil},
	} {
		got, err := info.Complete(test.give)
		if test.want == nil && !errors.Is(err, engine.ErrOption) || test.want != nil && !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v completes to %v, %v", test.give, got, err)
		}
	}
}

func TestGamesByName(t *testing.T) {
	for _, rules := range games.All() {
		found, ok := games.ByName(rules.Info().Name)
		if !ok || found != rules {
			t.Errorf("%s is not found by its name", rules.Info().Name)
		}
	}
	if _, ok := games.ByName(""); ok {
		t.Error("a game without a name is found")
	}
}

// FuzzRecord reads anything as a record and replays what it could read: no input may do more than be refused.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(recordLine))
	f.Add([]byte(sharedLine))
	f.Fuzz(func(t *testing.T, line []byte) {
		record, err := engine.ParseRecord(line)
		if err != nil {
			return
		}
		rules, ok := games.ByName(record.Game)
		if !ok || engine.Replay(rules, record, nil) != nil {
			return
		}
		again, err := record.Marshal(rules.Info())
		if err != nil {
			t.Fatal(err)
		}
		back, err := engine.ParseRecord(again)
		if err != nil || !reflect.DeepEqual(back, record) {
			t.Fatalf("%s is read back as %+v, %v", again, back, err)
		}
	})
}
