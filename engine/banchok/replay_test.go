package banchok

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"zevaka/engine"
	"zevaka/engine/enginetest"
)

// playRecord lets computer players play a bank, and writes it down.
func playRecord(t *testing.T, record engine.Record, skill float64, luck rand.Source) engine.Record {
	t.Helper()
	rules, r := Rules{}, rand.New(luck)
	setup := engine.Setup{Seats: record.Seats, Options: record.Options}
	st := enginetest.Deal(t, rules, setup, engine.NewShuffler(record.Seed, record.Cut))
	record.Game, record.Moves = rules.Info().Name, []string{}
	for len(st.Turn()) > 0 {
		step := autoStep(st, skill, r)
		if _, err := st.Apply(step); err != nil {
			t.Fatalf("%s: %v", engine.StepText(rules, step), err)
		}
		record.Moves = append(record.Moves, engine.StepText(rules, step))
	}
	result, _ := st.Result()
	record.Outcome = &result
	return record
}

// TestReplay plays a thousand banks with side bets, writes them down, and replays what it reads.
func TestReplay(t *testing.T) {
	verbs := map[engine.Verb]int{}
	for i := range 1000 {
		seed := sha256.Sum256(fmt.Appendf(nil, "replay:%d", i))
		record := engine.Record{
			Seats: 2 + i%11, Seed: seed, Cut: strconv.Itoa(i),
			Options: enginetest.Options(t, Rules{}, "side=on dealer="+[]string{"player", "bot"}[i/11%2]),
		}
		record = playRecord(t, record, 0.8, rand.NewChaCha8(seed))
		line, err := record.Marshal(Rules{}.Info())
		if err != nil {
			t.Fatal(err)
		}
		back, err := engine.ParseRecord(line)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, record) {
			t.Fatalf("game %d is read as\n%+v\nand was\n%+v", i, back, record)
		}
		err = engine.Replay(Rules{}, back, func(n int, step string, st engine.State) error {
			if n > 0 {
				s, err := engine.ParseStep(Rules{}, step)
				verbs[s.Move.Verb]++
				return err
			}
			return nil
		})
		if err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
	}
	for _, verb := range []engine.Verb{Stake, Open, Side, Show} {
		if verbs[verb] < 1000 {
			t.Errorf("a thousand banks have %d moves of %q", verbs[verb], Rules{}.Info().Verbs[verb-1].Name)
		}
	}
}

// TestStateLine writes positions as records do (RECORDS.md, "States").
func TestStateLine(t *testing.T) {
	st := lay(t, "side=on", "bank 300\n> 1: 4S KH 2D\n2: 9C 9D 9H\ntable 3C\npack 7C 2S 6S")
	for n, line := range []struct{ step, want string }{
		{"", `{"n":0,"turn":1,"piles":{"pack":["7C","2S","6S"],"hand1":["4S","KH","2D"],"hand2":["9C","9D","9H"],"turned":[],"table":["3C"]},` +
			`"chips":{"bank":300,"seats":[-300,0,0]},"over":false}`},
		{"1 stake 300", `{"n":1,"move":"1 stake 300","turn":0,"piles":{"pack":["7C","2S","6S"],"hand1":["4S","KH","2D"],"hand2":["9C","9D","9H"],` +
			`"turned":[],"table":["3C"]},"chips":{"bank":300,"seats":[-300,0,0]},"over":false}`},
		{"1 show", `{"n":2,"move":"1 show","turn":0,"piles":{"pack":["7C","2S","6S"],"hand1":["4S","KH","2D"],"hand2":["9C","9D","9H"],` +
			`"turned":[],"table":["3C"]},"chips":{"bank":300,"seats":[-300,0,0]},"over":false}`},
		{"0 open", `{"n":3,"move":"0 open","turn":2,"piles":{"pack":["7C","2S"],"hand1":[],"hand2":["9C","9D","9H"],"turned":[],` +
			`"table":["3C","4S","KH","2D","6S"]},"chips":{"bank":600,"seats":[-300,-300,0]},"over":false}`},
		{"0 open", `{"n":4,"move":"0 open","turn":2,"piles":{"pack":["7C"],"hand1":[],"hand2":["9C","9D","9H"],"turned":["2S"],` +
			`"table":["3C","4S","KH","2D","6S"]},"chips":{"bank":600,"seats":[-300,-300,0]},"over":false}`},
		{"2 stake 300", `{"n":5,"move":"2 stake 300","turn":-1,"piles":{"pack":["7C"],"hand1":[],"hand2":[],"turned":[],` +
			`"table":["3C","4S","KH","2D","6S","9C","9D","9H","2S"]},"chips":{"bank":0,"seats":[600,-300,-300]},"over":true}`},
	} {
		if line.step != "" {
			enginetest.Steps(t, Rules{}, st, line.step)
		}
		if got := string(engine.AppendState(nil, n, line.step, st)); got != line.want {
			t.Errorf("the position is\n%s\nand should be\n%s", got, line.want)
		}
	}
	if result, over := st.Result(); !over || !slices.Equal(result.Chips, []int64{600, -300, -300}) {
		t.Errorf("the result is %+v, %v", result, over)
	}
}

// TestShufflesAreCounted replays a bank of some rounds by hand: collecting is shuffle 1, 2, … of the deal
// (RECORDS.md, Exactly 2 and 35).
func TestShufflesAreCounted(t *testing.T) {
	seed := engine.Seed{31: 1}
	st := enginetest.Deal(t, Rules{}, engine.Setup{Seats: 3}, engine.NewShuffler(seed, "17"))
	shuffler := engine.NewShuffler(seed, "17")
	pack := append(engine.Pack(2), engine.Pack(2)...)
	shuffler.Shuffle(pack) // In order of drawing.
	for round := range 30 {
		var hands [2][]engine.Card
		for i, card := range pack[:6] {
			hands[i%2] = append(hands[i%2], card)
		}
		pack = pack[6:]
		piles := st.View(engine.Referee).Piles
		if got, want := enginetest.Cards(piles[1].Cards)+", "+enginetest.Cards(piles[2].Cards), enginetest.Cards(hands[0])+", "+enginetest.Cards(hands[1]); got != want {
			t.Fatalf("round %d deals %s, not %s", round, got, want)
		}
		var table []engine.Card
		for seat := range hands {
			enginetest.Steps(t, Rules{}, st.(*state), fmt.Sprint(seat+1, " stake 5"))
			enginetest.Steps(t, Rules{}, st.(*state), "0 open")
			table = append(append(table, hands[seat]...), pack[0])
			pack = pack[1:]
		}
		shuffler.Shuffle(table)
		pack = append(pack, table...)
	}
}
