package patience

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// TestAuto asks what the computer player does where there is little doubt.
func TestAuto(t *testing.T) {
	for _, test := range []struct {
		rules                      engine.Rules
		name, options, from, moves string
	}{
		{
			name: "plays what fits a foundation", rules: Tecza, moves: "put w1 f1",
			from: "f1 3S\nr1 9H\nw1 4C\nw2 JC\nstock 2S 2D 2H",
		},
		{name: "draws when nothing fits", rules: Sklep, moves: "draw", from: "f1 3S\nr1 9H\nw1 5C\nw2 JC\nstock 2S 2D 2H"},
		{
			name: "lays a card on the next above, and not where it covers one needed earlier", rules: Sklep, moves: "put turned w4",
			from: "f1 3S\nr1 9H\nw1 5C\nw2 6C 4C 6D\nw3 7D\nw4 JC\nw5 7H\nturned TD\nstock 4S 5D 6H 7S 8S 9S TS",
		},
		{
			name: "takes an ace from under others", rules: Zaba, moves: "put r1@1 f1, draw",
			from: "r1 5S AD 9S\nw1 5C\nstock 3C 2S 3D 3H",
		},
		{name: "redeals when the stock is used up", rules: Tecza, moves: "redeal, draw", from: "f1 3S\nr1 9H\nw1 5C\nw2 JC"},
		{
			name: "moves a card to free another", rules: Polusharia, moves: "put t1 t2, put t1 f1",
			from: "t1 AC 5D\nt2 9D 6D\nt3 9H 6H\nt4 9S 7C\nt5 2D 2C 8H\nt6 QH 3C\nt7 JC 5D\nt8 4D 2H\nt9 KC 3H\nt10 3D 8C 6S\nstock 9C",
		},
		{
			name: "lays on the spider what frees the next card", rules: Pauk, moves: "put t1 t2, put t1 f1",
			from: "f1 AS\nf2 AC\nf3 AD\nf4 AH\nf5 KS\nf6 KC\nf7 KD\nf8 KH\nt1 9D 2S 5D\nt2 9C 6C\nt3 9H",
		},
	} {
		checkAuto(t, test.name, test.rules, lay(t, test.rules.(Rules), test.options, test.from), test.moves)
	}
	last := `
		g1.0 AS 2S -- 4S 5S 6S 7S 8S 9S TS JS QS KS 3S`
	for i, suit := range []string{"S", "C", "C", "D", "D", "H", "H"} {
		last += "\ng" + strconv.Itoa(i+2) + ".0 " + inOrder(suit) + " --"
	}
	st := layCells(t, "", last)
	checkAuto(t, "fills the last gap", Paganini{}, st, "put g1.13 g1.2")
	if result, over := st.Result(); !over || *result.Patience != (engine.Patience{Solved: true, Score: packSize}) {
		t.Errorf("with the last gap filled the result is %+v", result.Patience)
	}
}

// inOrder are a suit's cards from the ace to the king.
func inOrder(suit string) string {
	return strings.Join(strings.Split("A23456789TJQK", ""), suit+" ") + suit
}

// checkAuto lets the computer player make moves, and compares them with those wanted.
func checkAuto(t *testing.T, name string, rules engine.Rules, st engine.State, moves string) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	for _, want := range strings.Split(moves, ", ") {
		move := st.Auto(0, 1, r)
		if got := rules.Text(move); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
			return
		}
		if _, err := st.Apply(engine.Step{Move: move}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestIdle lets deals go on by the moves of an absent player: each is legal, and none gives up while another is.
func TestIdle(t *testing.T) {
	for _, rules := range All() {
		st := numbered(t, rules, "", 3)
		for range 150 {
			if len(st.Turn()) == 0 {
				break
			}
			move := st.Idle(0)
			if legal := st.Moves(0, nil); move.Verb == Quit && len(legal) > 1 {
				t.Fatalf("%s gives up instead of %s", rules.Info().Name, enginetest.MoveTexts(rules, legal))
			}
			if _, err := st.Apply(engine.Step{Move: move}); err != nil {
				t.Fatal(err)
			}
		}
		if st.Idle(1) != (engine.Move{}) || st.Auto(-1, 1, nil) != (engine.Move{}) {
			t.Errorf("%s: a seat that isn't there moves", rules.Info().Name)
		}
	}
}

var (
	manyDeals = flag.Int("deals", 0, "let the computer players play so many numbered deals, at full skill unless said otherwise")
	onlyGame  = flag.String("game", "", "of this patience only")
	withForm  = flag.String("form", "", "with these options, as bases=8")
	withSkill = flag.Float64("skill", 1, "with this skill")
)

// TestRates lets the computer players and crude ones play the same numbered deals. The computer players bring more
// cards home, and every deal ends. By default they think less than they can; with -deals they say how they fare.
func TestRates(t *testing.T) {
	for _, rules := range All() {
		if *onlyGame != "" && rules.Info().Name != *onlyGame {
			continue
		}
		if *manyDeals > 0 {
			auto, crude := new(tally), new(tally)
			for n := range *manyDeals {
				auto.play(t, rules, int64(n), func(st engine.State, r *rand.Rand) engine.Move { return st.Auto(0, *withSkill, r) })
				crude.play(t, rules, int64(n), crudely)
			}
			t.Logf("%s %s\nauto:  %s\ncrude: %s", rules.Info().Name, *withForm, auto, crude)
			continue
		}
		auto, crude := new(tally), new(tally)
		for n := range int64(12) {
			auto.play(t, rules, n, func(st engine.State, r *rand.Rand) engine.Move {
				think(st, 6)
				return st.Auto(0, 1, r)
			})
			crude.play(t, rules, n, crudely)
		}
		if auto.score <= crude.score {
			t.Errorf("%s: the computer player brings %d cards home, a crude one %d", rules.Info().Name, auto.score, crude.score)
		}
	}
}

// TestHintsNeverGoRound follows hints to the end of some deals of each patience, or of as many as -deals says: none leads to a position
// that the line has been in, and who is told to give up has at no time been told to go round.
func TestHintsNeverGoRound(t *testing.T) {
	const skill = 0.4 // As bot/play has it.
	for _, rules := range All() {
		if *onlyGame != "" && rules.Info().Name != *onlyGame {
			continue
		}
		hints, round, stopped := 0, 0, 0
		for i := range int64(max(*manyDeals, 2)) {
			n := i + 10 // With Паук 11 they once went round.
			st := numbered(t, rules, "", n)
			been := map[uint64]bool{st.(engine.Guide).Position(): true}
			for move := int64(0); len(st.Turn()) > 0; move++ {
				m := st.(engine.Guide).Hint(skill, rand.New(rand.NewPCG(uint64(n), uint64(move))), been)
				if m.Verb == Quit && st.Auto(0, skill, rand.New(rand.NewPCG(uint64(n), uint64(move)))).Verb != Quit {
					stopped++
				}
				if _, err := st.Apply(engine.Step{Move: m}); err != nil {
					t.Fatalf("%s deal=%d: %s: %v", rules.Info().Name, n, rules.Text(m), err)
				}
				hints++
				if at := st.(engine.Guide).Position(); m.Verb != Quit && been[at] {
					round++
					t.Errorf("%s deal=%d: hint %d, %s, goes round", rules.Info().Name, n, move+1, rules.Text(m))
				}
				been[st.(engine.Guide).Position()] = true
			}
		}
		t.Logf("%s: %d hints, %d go round, %d deals end where nothing new is left", rules.Info().Name, hints, round, stopped)
	}
}

// tally is how some deals went.
type tally struct {
	deals, won, score, moves int
	spent                    time.Duration
}

func (a *tally) String() string {
	return fmt.Sprintf("%d of %d deals come out, %.1f cards home, %.0f moves, %.0f µs a move", a.won, a.deals,
		float64(a.score)/float64(a.deals), float64(a.moves)/float64(a.deals), float64(a.spent.Microseconds())/float64(a.moves))
}

// play plays one numbered deal to its end.
func (a *tally) play(t *testing.T, rules engine.Rules, n int64, mover func(engine.State, *rand.Rand) engine.Move) {
	t.Helper()
	st := numbered(t, rules, *withForm, n)
	r := rand.New(rand.NewPCG(uint64(n), 1))
	began := time.Now()
	for moves := 0; len(st.Turn()) > 0; moves++ {
		if moves == 5000 {
			t.Fatalf("%s, deal %d is not over after %d moves", rules.Info().Name, n, moves)
		}
		if _, err := st.Apply(engine.Step{Move: mover(st, r)}); err != nil {
			t.Fatal(err)
		}
		a.moves++
	}
	a.spent += time.Since(began)
	result, _ := st.Result()
	a.deals++
	a.score += result.Patience.Score
	if result.Patience.Solved {
		a.won++
	}
}

// crudely plays without looking ahead: to a foundation what fits, a turned card where it fits best at first sight,
// sometimes another card, and else the stock goes on.
func crudely(st engine.State, r *rand.Rand) engine.Move {
	moves := st.Moves(0, nil)
	moves = moves[:len(moves)-1]
	if field, ok := st.(*paganini); ok {
		return crudeGaps(field, moves, r)
	}
	t := &st.(*state).table
	var others []engine.Move
	for _, m := range moves {
		if m.Verb == Put && int(m.To) < t.plan.foundations {
			return m
		}
		if m.Verb == Put && !t.changesNothing(m) {
			others = append(others, m)
		}
	}
	if t.waiting() {
		return crudePlace(t, others)
	}
	if len(others) > 0 && t.idle < 3 {
		return others[r.IntN(len(others))]
	}
	for _, m := range moves {
		if m.Verb != Put {
			return m
		}
	}
	return engine.Move{Verb: Quit}
}

// crudePlace lays the turned card on the lowest card that isn't lower, else in an empty place, else on the first pile.
func crudePlace(t *table, moves []engine.Move) engine.Move {
	best, least := engine.Move{}, 100
	for _, m := range moves {
		if int(m.From) != t.plan.turned {
			continue
		}
		over := 50
		if t.n[m.To] > 0 {
			if over = t.inRun(t.top[m.To].card()) - t.inRun(t.top[m.From].card()); over < 0 {
				over = 99
			}
		}
		if over < least {
			best, least = m, over
		}
	}
	return best
}

// crudeGaps fills any gap, and moves an ace when it can't.
func crudeGaps(st *paganini, moves []engine.Move, r *rand.Rand) engine.Move {
	if len(moves) == 0 || st.epoch > 300 {
		return engine.Move{Verb: Quit}
	}
	fills := 0
	for fills < len(moves) && moves[fills].Verb == Put && moves[fills].To%columns != 0 {
		fills++
	}
	if fills > 0 {
		moves = moves[:fills]
	}
	return moves[r.IntN(len(moves))]
}
