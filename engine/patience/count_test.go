package patience

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/engine"
)

// TestCardCounts counts what each deal lays where (RULES.md, sections 2 to 10).
func TestCardCounts(t *testing.T) {
	for _, test := range []struct {
		rules   engine.Rules
		options string
		want    string
	}{
		{Tecza, "", "26 r1, 1 f1, 77 stock"},
		{Tecza, "bases=8", "26 r1, 1 f1, 1 f2, 1 f3, 1 f4, 1 f5, 1 f6, 1 f7, 1 f8, 70 stock"},
		{Tecza, "bases=8 distinct=on", "26 r1, 1 f1, 1 f2, 1 f3, 1 f4, 1 f5, 1 f6, 1 f7, 1 f8, 70 stock"},
		{Sklep, "", "18 r1, 1 f1, 85 stock"},
		{Zaba, "", "13 r1, 91 stock"},
		{Zaba, "rows=2", "13 r1, 13 r2, 78 stock"},
		{Gwiazda, "", "20 r1, 1 f1, 83 stock"},
		{Polusharia, "", "4 t1, 4 t2, 4 t3, 4 t4, 4 t5, 4 t6, 4 t7, 4 t8, 4 t9, 4 t10, 64 stock"},
		{Grobnitsa, "", "10 a1, 10 a2, 10 a3, 10 a4, 1 b1, 1 b2, 1 b3, 1 b4, 60 stock"},
		{Pauk, "", "1 f1, 1 f2, 1 f3, 1 f4, 1 f5, 1 f6, 1 f7, 1 f8, 8 t1, 8 t2, 8 t3, 8 t4, 8 t5, 8 t6, 8 t7, 8 t8, 8 t9, 8 t10, 8 t11, 8 t12"},
		{Pauk, "deal=rounds", "1 f1, 1 f2, 1 f3, 1 f4, 1 f5, 1 f6, 1 f7, 1 f8, 96 stock"},
	} {
		st := numbered(t, test.rules, test.options, 1)
		got := map[string]int{}
		for _, pile := range st.View(engine.Nobody).Piles {
			if len(pile.Cards) > 0 {
				got[pile.Name] = len(pile.Cards)
			}
		}
		want, sum := map[string]int{}, 0
		for _, part := range strings.Split(test.want, ", ") {
			n, name := 0, ""
			if _, err := fmt.Sscan(part, &n, &name); err != nil {
				t.Fatal(err)
			}
			want[name] = n
			sum += n
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || sum != packSize {
			t.Errorf("%s %s deals %v, not %v with %d cards", test.rules.Info().Name, test.options, got, want, sum)
		}
	}
}

// TestPiles names every pile of each patience, in the order of their indices (RECORDS.md, Exactly 4).
func TestPiles(t *testing.T) {
	for _, test := range []struct {
		rules         engine.Rules
		options, want string
	}{
		{Tecza, "", "f1 f2 f3 f4 f5 f6 f7 f8 r1 w1 w2 w3 turned stock"},
		{Sklep, "", "f1 f2 f3 f4 f5 f6 f7 f8 r1 w1 w2 w3 w4 w5 turned stock"},
		{Zaba, "", "f1 f2 f3 f4 f5 f6 f7 f8 r1 w1 w2 w3 w4 w5 turned stock"},
		{Zaba, "rows=2", "f1 f2 f3 f4 f5 f6 f7 f8 r1 w1 w2 w3 w4 w5 turned stock r2"},
		{Gwiazda, "", "f1 f2 f3 f4 f5 f6 f7 f8 r1 w1 w2 w3 w4 w5 turned stock"},
		{Polusharia, "", "f1 f2 f3 f4 f5 f6 f7 f8 t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 w1 turned stock"},
		{Grobnitsa, "", "f1 f2 f3 f4 centre a1 a2 a3 a4 b1 b2 b3 b4 w1 w2 w3 w4 w5 stock"},
		{Pauk, "", "f1 f2 f3 f4 f5 f6 f7 f8 t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 stock"},
	} {
		var names []string
		for i, pile := range numbered(t, test.rules, test.options, 1).View(0).Piles {
			names = append(names, pile.Name)
			move := engine.Move{Verb: Put, From: int16(i), To: int16(i), N: 3}
			if text := test.rules.Text(move); text != "put "+pile.Name+"@2 "+pile.Name {
				t.Errorf("%s: pile %d is %s, and a move of it %q", test.rules.Info().Name, i, pile.Name, text)
			}
			if back, err := test.rules.Parse(test.rules.Text(move)); err != nil || back != move {
				t.Errorf("%s: %s is read as %+v, %v", test.rules.Info().Name, test.rules.Text(move), back, err)
			}
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s has the piles %s", test.rules.Info().Name, got)
		}
	}
	piles := numbered(t, Paganini{}, "", 1).View(0).Piles
	if len(piles) != 112 || piles[0].Name != "g1.0" || piles[13].Name != "g1.13" || piles[14].Name != "g2.0" || piles[111].Name != "g8.13" {
		t.Error("the cells of Паганини are not 8 rows of 14")
	}
}

// TestMoveTexts are texts of moves, and texts that are none.
func TestMoveTexts(t *testing.T) {
	for _, test := range []struct {
		rules     engine.Rules
		good, bad []string
	}{
		{
			Zaba,
			[]string{"draw", "redeal", "quit", "put r1@4 f2", "put r1@0 f1", "put turned w5", "put r2 f1", "put stock w1"},
			[]string{"Draw", "put", "put r1", "put r1 ", "put r1 f9", "put r1 f0", "put r3 f1", "put r1@ f1", "put r1@-1 f1", "put r1@04 f1",
				"put r1@100 f1", "put r1 f1@2", "put r1 f01", "put  r1 f1", "put r1 f1 ", "put turned1 f1", "put centre f1", "put 8 0"},
		},
		{
			Paganini{},
			[]string{"put g2.4 g1.0", "put g8.13 g1.1", "put g1.1@0 g1.0", "quit", "redeal", "draw"},
			[]string{"put g0.1 g1.0", "put g9.1 g1.0", "put g1.14 g1.0", "put g1 g1.0", "put g1.01 g1.0", "put g1.1 f1", "put g1.1.1 g1.0", "put g1. g1.0"},
		},
	} {
		for _, text := range test.good {
			if move, err := test.rules.Parse(text); err != nil || test.rules.Text(move) != text {
				t.Errorf("%q is read as %+v, %v", text, move, err)
			}
		}
		for _, text := range test.bad {
			if move, err := test.rules.Parse(text); err != engine.ErrMoveText || move != (engine.Move{}) {
				t.Errorf("%q is read as %+v, %v", text, move, err)
			}
		}
	}
	for _, move := range []engine.Move{{}, {Verb: 9}, {Verb: Put, From: -1}, {Verb: Put, To: 14}, {Verb: Put, N: -1}, {Verb: Put, N: 101}} {
		if text := Tecza.Text(move); text != "" {
			t.Errorf("%+v is written %q", move, text)
		}
	}
}

// TestInfo names what other programs rely on (RECORDS.md, "Verbs and piles").
func TestInfo(t *testing.T) {
	var got []string
	for _, rules := range All() {
		info := rules.Info()
		line := info.Name + ":"
		for _, option := range info.Options {
			line += " " + option.Name + "=" + strings.Join(option.Values, "|")
		}
		got = append(got, line)
		var verbs []string
		for _, verb := range info.Verbs {
			verbs = append(verbs, verb.Name)
		}
		if !slices.Equal(verbs, []string{"draw", "put", "redeal", "quit"}) || info.MaxSeats != 1 {
			t.Errorf("%s: verbs %s, %d seats", info.Name, verbs, info.MaxSeats)
		}
	}
	want := []string{
		"tecza: bases=1|8 distinct=off|on", "sklep:", "zaba: rows=1|2", "gwiazda: suit=any|strict", "polusharia: space=any|talon",
		"grobnitsa: gather=last-first|first-first", "paganini: reshuffles=0|1|2 aces=any|stuck",
		"pauk: deal=whole|rounds restrict=sides|adjacent|none build=any|suit redeals=2|1|0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the patiences are\n%s", strings.Join(got, "\n"))
	}
}
