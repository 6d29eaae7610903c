package enginetest

import (
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"zevaka/engine"
)

// checkOptions holds every option, with every value and beside every value of every other one, to what Info says of it: it changes how
// some deal is played, or it is refused as one that changes nothing, and then no deal is played otherwise.
func checkOptions(t *testing.T, rules engine.Rules) {
	const tries, vain = 100, 4 // deals in which a change has to show, and in which none may
	info := rules.Info()
	each(info, func(o engine.Option, value string) {
		beside := func(other map[string]string) {
			with := maps.Clone(other)
			with[o.Name] = value
			full, err := info.Complete(with)
			without, err2 := info.Complete(other)
			if err := errors.Join(err, err2); err != nil {
				t.Fatal(err)
			}
			if o.Values[0] == value || !info.IsVain(full, o.Name, value) {
				if at := differ(t, rules, full, without, tries); o.Values[0] != value && at < 0 {
					t.Errorf("%s=%s beside %v: no deal of %d is played otherwise", o.Name, value, other, tries)
				}
				return
			}
			if at := differ(t, rules, full, without, vain); at >= 0 {
				t.Errorf("%s=%s beside %v is said to change nothing, and deal %d is played otherwise", o.Name, value, other, at)
			}
			if _, err := info.Choose(with, nil); !errors.As(err, new(*engine.Vain)) {
				t.Errorf("%s=%s beside %v is not refused: %v", o.Name, value, other, err)
			}
		}
		beside(map[string]string{})
		each(info, func(other engine.Option, value string) {
			if other.Name != o.Name && value != other.Values[0] {
				beside(map[string]string{other.Name: value})
			}
		})
	})
}

// each does something with every value of every option that is worth playing.
func each(info engine.Info, do func(o engine.Option, value string)) {
	for _, o := range info.Options {
		for _, value := range values(o) {
			do(o, value)
		}
	}
}

// differ is the first of the numbered deals that are played otherwise with one choice of options than with the other; -1 if none is.
func differ(t *testing.T, rules engine.Rules, one, other map[string]string, deals int) int {
	t.Helper()
	if maps.Equal(one, other) {
		return -1
	}
	seats := min(3, rules.Info().MaxSeats)
	for number := range deals {
		deal := func(options map[string]string) engine.State {
			shuffler := engine.NewShuffler(engine.NumberedSeed(rules.Info().Name, int64(number)), "")
			return Deal(t, rules, engine.Setup{Seats: seats, Options: options}, shuffler)
		}
		if part(t, rules, deal(one), deal(other), rand.New(rand.NewPCG(uint64(number), 1))) {
			return number
		}
	}
	return -1
}

// part plays both deals by the same moves, and reports whether anybody may do something in one that they may not in the other, or sees
// or gets something else.
func part(t *testing.T, rules engine.Rules, a, b engine.State, chance *rand.Rand) bool {
	t.Helper()
	const most = 1500
	quits := func(m engine.Move) bool { return rules.Info().Verbs[m.Verb-1].Role == engine.VerbQuits }
	for range most {
		turn := slices.Clone(a.Turn())
		if !slices.Equal(turn, b.Turn()) {
			return true
		}
		if len(turn) == 0 {
			break
		}
		for _, seat := range append([]engine.Seat{engine.Nobody}, turn...) {
			if !reflect.DeepEqual(a.View(seat), b.View(seat)) || seat != engine.Nobody && !slices.Equal(a.Moves(seat, nil), b.Moves(seat, nil)) {
				return true
			}
		}
		step := engine.Step{Seat: turn[chance.IntN(len(turn))]}
		if step.Move = a.Auto(step.Seat, 0.8, chance); step.Move.Verb == 0 || quits(step.Move) || chance.IntN(4) == 0 {
			moves := slices.DeleteFunc(a.Moves(step.Seat, nil), quits)
			if len(moves) == 0 {
				break
			}
			step.Move = moves[chance.IntN(len(moves))]
		}
		_, errA := a.Apply(step)
		_, errB := b.Apply(step)
		if errA != nil {
			t.Fatalf("a listed move is refused: %v", errA)
		}
		if errB != nil {
			return true
		}
	}
	x, overA := a.Result()
	y, overB := b.Result()
	return overA != overB || !reflect.DeepEqual(x, y)
}
