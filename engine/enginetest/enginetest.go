// Package enginetest is the contract that every game of the house fulfils, checked by play.
//
// A game's test calls Run. It plays deals under every combination of the game's options and with every number of
// seats, by random movers and by the game's own computer players, and checks what engine.Rules and engine.State
// promise: that legal moves are accepted and all others refused without a trace, that a log replays to the same views,
// that nobody sees or is told a card before it is shown, that no card and no chip appears or vanishes, and that verbs,
// piles and events are what their roles say.
package enginetest

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"zevaka/engine"
)

const (
	// maxMoves is how long a deal of random moves may get before it counts as endless.
	maxMoves = 200_000
	// maxOffer is how many bytes the text of a move on a button may have.
	maxOffer = 20
)

var (
	deals = flag.Int("contract.deals", 60, "how many deals the contract plays at least; it plays each combination of options "+
		"if they are not more than five thirds of that, and as many of them if they are")
	first = flag.Int("contract.first", 0, "the number of the first deal, from which all chance follows")
)

// Run checks the rules of one game. It takes some seconds.
func Run(t *testing.T, rules engine.Rules) {
	t.Helper()
	t.Run("info", func(t *testing.T) { checkInfo(t, rules) })
	t.Run("setup", func(t *testing.T) { checkSetups(t, rules) })
	t.Run("options", func(t *testing.T) { checkOptions(t, rules) })
	t.Run("parse", func(t *testing.T) { checkParse(t, rules) })
	t.Run("play", func(t *testing.T) {
		var scratch []engine.Move
		for i, setup := range setups(rules.Info()) {
			number := *first + i
			g := newGame(t, rules, setup, number)
			g.scratch = &scratch
			if !g.check() {
				t.Fatalf("in deal %d: %d seats, %v; to see it again: go test -run '^%s$' -contract.first %d -contract.deals 1",
					number, setup.Seats, setup.Options, strings.ReplaceAll(t.Name(), "/", "$/^"), number)
			}
		}
	})
}

// setups are the combinations of options and seats of the deals to play, from the first.
func setups(info engine.Info) []engine.Setup {
	combinations := []map[string]string{{}}
	for _, option := range info.Options {
		var longer []map[string]string
		for _, combination := range combinations {
			for _, value := range values(option) {
				next := map[string]string{option.Name: value}
				for k, v := range combination {
					next[k] = v
				}
				longer = append(longer, next)
			}
		}
		combinations = longer
	}
	r := rand.New(rand.NewPCG(uint64(len(combinations)), 0))
	r.Shuffle(len(combinations), func(i, j int) {
		combinations[i], combinations[j] = combinations[j], combinations[i]
	})
	list := make([]engine.Setup, min(max(len(combinations), *deals), *deals*5/3))
	for i := range list {
		number := *first + i
		list[i].Options = combinations[number%len(combinations)]
		list[i].Seats = info.MinSeats + (number+number/len(combinations))%(info.MaxSeats-info.MinSeats+1)
	}
	return list
}

// values are the values of an option that are worth playing.
func values(option engine.Option) []string {
	list := append([]string(nil), option.Values...)
	if option.Max == 0 {
		return list
	}
	for _, n := range []int{option.Min, option.Max} {
		if s := fmt.Sprint(n); s != option.Values[0] {
			list = append(list, s)
		}
	}
	return list
}

func checkInfo(t *testing.T, rules engine.Rules) {
	info := rules.Info()
	if !reflect.DeepEqual(info, rules.Info()) {
		t.Error("Info differs from call to call")
	}
	if info.Name == "" || info.Rev < 1 || info.MinSeats < 1 || info.MaxSeats < info.MinSeats {
		t.Errorf("%q, Rev %d, %d to %d seats", info.Name, info.Rev, info.MinSeats, info.MaxSeats)
	}
	names := map[string]bool{}
	unique := func(kind, name string) {
		if name == "" || names[kind+name] {
			t.Errorf("%s %q: empty or there twice", kind, name)
		}
		names[kind+name] = true
	}
	for _, verb := range info.Verbs {
		unique("verb", verb.Name)
	}
	if err := checkVerbs(info); err != nil {
		t.Error(err)
	}
	for _, event := range info.Events {
		unique("event", event.Name)
		if event.Role > engine.EventOverlooks {
			t.Errorf("event %s has role %d", event.Name, event.Role)
		}
	}
	for _, option := range info.Options {
		unique("option", option.Name)
		if len(option.Values) == 0 || option.Max < option.Min {
			t.Errorf("option %s has no values", option.Name)
		}
	}
	for _, set := range info.Sets {
		for _, name := range set.Names {
			unique("set", name)
		}
		if _, err := info.Complete(set.Options); err != nil || len(set.Names) == 0 {
			t.Errorf("set %v: %v", set.Names, err)
		}
	}
}

func checkSetups(t *testing.T, rules engine.Rules) {
	info := rules.Info()
	for _, seats := range []int{-1, 0, info.MinSeats - 1, info.MaxSeats + 1, 1 << 40} {
		_, err := rules.Deal(engine.Setup{Seats: seats}, engine.NewShuffler(engine.Seed{}, ""))
		if !errors.Is(err, engine.ErrSeats) {
			t.Errorf("%d seats: error %v", seats, err)
		}
	}
	bad := []map[string]string{{"no such option": "on"}, {"": ""}}
	for _, option := range info.Options {
		bad = append(bad, map[string]string{option.Name: "no such value"}, map[string]string{option.Name: ""})
	}
	for _, options := range bad {
		setup := engine.Setup{Seats: info.MinSeats, Options: options}
		if _, err := rules.Deal(setup, engine.NewShuffler(engine.Seed{}, "")); !errors.Is(err, engine.ErrOption) {
			t.Errorf("options %v: error %v", options, err)
		}
	}
	full, err := info.Complete(nil)
	if err != nil {
		t.Fatal(err)
	}
	for seats := info.MinSeats; seats <= info.MaxSeats; seats++ {
		a, errA := rules.Deal(engine.Setup{Seats: seats}, engine.NewShuffler(engine.Seed{}, ""))
		b, errB := rules.Deal(engine.Setup{Seats: seats, Options: full}, engine.NewShuffler(engine.Seed{}, ""))
		if errA != nil || errB != nil || !reflect.DeepEqual(capture(a, seats, new([]engine.Move)), capture(b, seats, new([]engine.Move))) {
			t.Errorf("%d seats: options left out are not the defaults: %v, %v", seats, errA, errB)
		}
	}
}

// checkParse holds Parse to what Text writes, on texts near those of moves.
func checkParse(t *testing.T, rules engine.Rules) {
	r := rand.New(rand.NewPCG(3, 3))
	texts := []string{"", " ", "\x00", "put", "put ", "put 01", "put +1", "put -1", "put 1 2 3", "put 99999999999999999999"}
	for _, verb := range rules.Info().Verbs {
		for _, tail := range []string{"", " ", " 0", " 1", " 00", " -0", " 32768", " 4294967297", " w1", " w1 f1", " t1@0 f1"} {
			texts = append(texts, verb.Name+tail)
		}
	}
	for range 20_000 {
		text := []byte(texts[r.IntN(len(texts))])
		if len(text) > 0 && r.IntN(2) == 0 {
			text[r.IntN(len(text))] = byte(r.IntN(256))
		}
		CheckText(t, rules, string(text))
	}
}

// CheckText checks that a text is either refused or is exactly what Text writes for the move read. Fuzz tests use it.
func CheckText(t *testing.T, rules engine.Rules, text string) {
	t.Helper()
	move, err := rules.Parse(text)
	if err == nil {
		if back := rules.Text(move); back != text {
			t.Errorf("%q is read as %+v, which is written %q", text, move, back)
		}
		return
	}
	if !isRefusal(err) {
		t.Errorf("%q: error %v is no Refusal", text, err)
	}
	if move != (engine.Move{}) {
		t.Errorf("%q is refused with the move %+v", text, move)
	}
}

// Try makes a step or has it refused. It checks that the epoch never falls, and stays as it is when the step is refused.
// Fuzz tests use it.
func Try(t *testing.T, st engine.State, step engine.Step) engine.Outcome {
	t.Helper()
	epoch := st.Epoch()
	outcome, err := st.Apply(step)
	if st.Epoch() < epoch || err != nil && st.Epoch() != epoch {
		t.Fatalf("%+v: the epoch goes from %d to %d, %v", step, epoch, st.Epoch(), err)
	}
	return outcome
}

func isRefusal(err error) bool {
	var refusal engine.Refusal
	return errors.As(err, &refusal)
}

// seedOf is the seed of test game number i.
func seedOf(i int) engine.Seed {
	var seed engine.Seed
	binary.BigEndian.PutUint64(seed[24:], uint64(i))
	return seed
}
