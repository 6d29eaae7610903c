package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestVerify: what follows from a record is told, with the pack of the known vector (RECORDS.md, Exactly 1), and of a record with
// something changed where it breaks.
func TestVerify(t *testing.T) {
	t.Parallel()
	whole := strings.TrimSpace(simulated(t, "3", "--seed", "verified"))
	p := papers(t, whole)[0]
	const zeros = "0000000000000000000000000000000000000000000000000000000000000000"
	vector := `{"v":1,"game":"zevaka","options":{"pack":"36","deal":"hands","centre":"suit","open":"on","others":"on","penalty":"off","end":"last"},` +
		`"seats":2,"seed":"` + zeros + `","cut":"","moves":[]}`
	var spread bytes.Buffer
	if err := json.Indent(&spread, []byte(whole), "", "  "); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, record string
		code         int
		want         []string
	}{
		{"spread over lines", spread.String() + "\n" + vector, 0, []string{"zevaka, seats: 3", "moves: 0, all by the rules"}},
		{"the half of that", spread.String()[:spread.Len()/2], 1, []string{"BROKEN: not a record"}},
		{"in order", whole, 0, []string{"zevaka, seats: 3", "shuffle 0, from the top: ", "all by the rules", "outcome: as recorded"}},
		{"as an editor saved it", "\ufeff" + vector + "\r", 0, []string{"moves: 0, all by the rules"}},
		{"vector", vector, 0, []string{
			"SHA-256 of the seed, as promised before the cut: 66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
			"shuffle 0, from the top: 9H 6D 7S TH JS AD 6C 7H ", "moves: 0, all by the rules",
		}},
		{"several cut", strings.NewReplacer(`"v":1`, `"v":2`, `"cut":""`, `"cuts":["7","x"]`).Replace(vector), 0, []string{`cut of seat 0: "7"`, `cut of seat 1: "x"`}},
		{"another seed", strings.Replace(whole, p.Seed, strings.Repeat("ab", 32), 1), 1, []string{"shuffle 0, from the top: ", "BROKEN: "}},
		{"a move less", strings.Replace(whole, `"`+p.Moves[0]+`",`, "", 1), 1, []string{"BROKEN: move 1, "}},
		{"another outcome", strings.Replace(whole, `"places":[`, `"ties":[[0,1]],"places":[`, 1), 1, []string{"BROKEN: outcome: "}},
		{"no record", "hello", 1, []string{"BROKEN: not a record"}},
		{"nothing", "\n", 1, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			end := zevaka(t, test.record+"\n", "verify")
			if end.code != test.code {
				t.Errorf("exit %d, %q", end.code, end.err)
			}
			for _, want := range test.want {
				if !strings.Contains(end.out, want) {
					t.Errorf("it doesn't say %q:\n%s", want, end.out)
				}
			}
			if strings.Contains(end.out, "BROKEN") != (test.code == 1 && test.want != nil) {
				t.Errorf("it says:\n%s", end.out)
			}
		})
	}
}
