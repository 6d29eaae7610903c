package main

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

// TestBrokenRecords: a record that breaks a rule is named by its line and move, with the rule in words.
func TestBrokenRecords(t *testing.T) {
	t.Parallel()
	whole := strings.TrimSpace(simulated(t, "4 penalty=auto", "--seed", "broken"))
	p := papers(t, whole)[0]
	last := p.Moves[len(p.Moves)-1]
	swap := func(old, new string) string {
		t.Helper()
		if !strings.Contains(whole, old) {
			t.Fatalf("the record has no %s", old)
		}
		return strings.Replace(whole, old, new, 1)
	}
	first := `"` + p.Moves[0] + `"`
	outcome := whole[strings.Index(whole, `,"outcome"`):]
	for _, test := range []struct{ name, record, want string }{
		{"illegal move", swap(first, `"0 keep"`), `line 2: move 1, "0 keep": Flip a card first.`},
		{"another's turn", swap(first, `"1 flip"`), `line 2: move 1, "1 flip": It isn't your turn.`},
		{"no move", swap(first, `"0 yodel"`), `line 2: move 1, "0 yodel": There is no such move.`},
		{"no seat", swap(first, `"9 flip"`), `line 2: move 1, "9 flip"`},
		{"wrong card", swap(first, `"0 put 9H"`), `line 2: move 1, "0 put 9H": There is no such move.`},
		{"huge number", swap(first, `"0 put 99999999999999999999"`), `line 2: move 1, "0 put 99999999999999999999": There is no such move.`},
		{"move too many", swap(`],"outcome"`, `,"0 flip"],"outcome"`), `"0 flip": This game is over.`},
		{"wrong seed digit", swap(p.Seed, "g"+p.Seed[1:]), `line 2: not a record: "seed"`},
		{"short seed", swap(p.Seed, p.Seed[1:]), `line 2: not a record: "seed": a seed has 64 hex digits`},
		{"huge seats", swap(`"seats":4`, `"seats":99999999999999999999`), `line 2: not a record: "seats"`},
		{"many seats", swap(`"seats":4`, `"seats":7`), `line 2: seats: zevaka has 2 to 6, not 7`},
		{"other version", swap(`"v":1`, `"v":3`), `line 2: not a record: "v": version 3`},
		{"other game", swap(`"zevaka"`, `"whist"`), `line 2: there is no game "whist" here, only zevaka`},
		{"wrong option", swap(`"pack":"36"`, `"pack":"37"`), `line 2: options: pack can't be "37"`},
		{"missing option", swap(`"pack":"36",`, ``), `line 2: options: pack is missing`},
		{"long cut", swap(`"cut":"0"`, `"cut":"`+strings.Repeat("x", 65)+`"`), `line 2: cut: 65 bytes are more than 64`},
		{"missing outcome", swap(outcome, "}"), `line 2: outcome: missing, though the deal is over`},
		{"outcome too early", swap(`,"`+last+`"]`, `]`), `line 2: outcome: given, though the deal is not over`},
		{"other outcome", swap(`"places":[`, `"ties":[[0,1]],"places":[`), `line 2: outcome: `},
		{"cut off", whole[:len(whole)/2], `line 2: not a record: "moves": not JSON`},
		{"no object", "[]", `line 2: not a record: not an object of JSON`},
		{"binary", "\xff\xfe\x00", `line 2: a record is UTF-8, and this is not`},
		{"10 MB", strings.Repeat("7", 10<<20), `line 2: a record has at most 8388608 bytes`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			input := whole + "\n" + test.record + "\n\n" + whole
			end := zevaka(t, input, "replay", "--states")
			said := strings.Split(strings.TrimSpace(end.err), "\n")
			if end.code != 1 || len(said) != 2 || !strings.Contains(said[0], "zevaka: line 2: ") || !strings.Contains(said[0], test.want) {
				t.Errorf("exit %d, %q; want %q", end.code, end.err, test.want)
			}
			if said[len(said)-1] != "zevaka: broken records: 1 of 3" || len(said[0]) > 600 {
				t.Errorf("said %q", said)
			}
			if n := strings.Count(end.out, `{"n":0,`); n < 2 {
				t.Errorf("the positions of the good records are missing: %d deals", n)
			}
		})
	}
}

// TestUnfinished: a deal that is still going is a record, too.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	whole := simulated(t, "3")
	start := whole[:strings.Index(whole, `"moves":[`)] + `"moves":["0 flip","0 keep"]}`
	states := papers(t, good(t, start, "replay", "--states"))
	if len(states) != 3 || states[2].Move != "0 keep" || states[2].Turn != 1 || states[2].Over {
		t.Errorf("got %+v", states)
	}
}

func TestNoRecords(t *testing.T) {
	t.Parallel()
	for _, input := range []string{"", "\n", " \r\n\n"} {
		end := zevaka(t, input, "replay")
		if end.code != 0 || end.out != "" || end.err != "0 records, 0 moves: all in order\n" {
			t.Errorf("%q: %+v", input, end)
		}
	}
}

// TestUnreadable: an input that breaks off is not taken for a short one.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk broke")
	var unread error
	n := 0
	for range lines(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("{}\n{}\n"))), &unread) {
		n++
	}
	if unread != iotest.ErrTimeout {
		t.Errorf("%d lines, error %v", n, unread)
	}
	for range lines(iotest.ErrReader(broken), &unread) {
		t.Error("a line out of nothing")
	}
	if unread != broken {
		t.Errorf("error %v", unread)
	}
}
