package enginetest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"zevaka/engine"
)

// Variant is a form of a game: its rules and the options that differ from the defaults.
type Variant struct {
	Rules   engine.Rules
	Options map[string]string
}

// Variants are the forms in which each of the games can be played: without options, and with each other value of each
// option that has names for its values, beside what it needs.
func Variants(games []engine.Rules) []Variant {
	var all []Variant
	for _, rules := range games {
		all = append(all, Variant{rules, map[string]string{}})
		for _, option := range rules.Info().Options {
			for _, value := range option.Values[1:] {
				options, need := map[string]string{option.Name: value}, option.Needs
				if need.Only == value {
					options[need.Option] = need.Is
				}
				all = append(all, Variant{rules, options})
			}
		}
	}
	return all
}

// String is the variant as one asks for it, such as "pauk deal=rounds".
func (v Variant) String() string {
	line := v.Rules.Info().Name
	for _, name := range slices.Sorted(maps.Keys(v.Options)) {
		line += " " + name + "=" + v.Options[name]
	}
	return line
}

// Deal is the variant's numbered deal, as few as may play.
func (v Variant) Deal(t testing.TB, number int64) engine.State {
	t.Helper()
	info := v.Rules.Info()
	options, err := info.Complete(v.Options)
	if err != nil {
		t.Fatalf("%s: %v", v, err)
	}
	shuffler := engine.NewShuffler(engine.NumberedSeed(info.Name, number), "")
	return Deal(t, v.Rules, engine.Setup{Seats: info.MinSeats, Options: options}, shuffler)
}

// Easy is the number of the first deal that even a hasty computer player solves.
func (v Variant) Easy(t testing.TB) int64 {
	t.Helper()
	for number := range int64(1000) {
		state := v.Deal(t, number)
		chance := rand.New(rand.NewPCG(1, 1))
		for len(state.Turn()) > 0 {
			if _, err := state.Apply(engine.Step{Move: state.Auto(0, 0, chance)}); err != nil {
				t.Fatalf("deal %d of %s: %v", number, v, err)
			}
		}
		if result, _ := state.Result(); result.Patience.Solved {
			return number
		}
	}
	t.Fatalf("no deal of %s is solved", v)
	return 0
}

// Forms are all choices of a game's options.
func Forms(info engine.Info) []map[string]string {
	all := []map[string]string{{}}
	for _, o := range info.Options {
		var more []map[string]string
		for _, options := range all {
			for _, value := range o.Values {
				longer := maps.Clone(options)
				longer[o.Name] = value
				more = append(more, longer)
			}
		}
		all = more
	}
	return all
}
