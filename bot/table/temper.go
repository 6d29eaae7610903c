package table

import (
	"slices"
	"strings"
	"time"

	"zevaka/bot/words"
)

// Temper is how a computer player is.
type Temper string

// The tempers. Mixed is that of a table whose computer players differ, and of a computer player that was seated before there
// were tempers. Patient is that of one that teaches: nobody can ask for it.
const (
	Mixed   Temper = ""
	Eager   Temper = "eager"
	Sleepy  Temper = "sleepy"
	Sharp   Temper = "sharp"
	Patient Temper = "patient"
)

// Tempers are the tempers that can be asked for.
func Tempers() []Temper { return []Temper{Eager, Sleepy, Sharp} }

// MixWord is what is typed for Mixed.
const MixWord = "mix"

// ReadTemper is the temper that is called so in any language, or by its own name; false if none is.
func ReadTemper(names *words.Names, typed string) (Temper, bool) {
	for _, t := range append(Tempers(), Mixed) {
		if strings.EqualFold(typed, t.Word()) || names.IsLabel(t.Key(), typed) {
			return t, true
		}
	}
	return Mixed, false
}

// Word is what is typed for the temper.
func (t Temper) Word() string {
	if t == Mixed {
		return MixWord
	}
	return string(t)
}

// Key names the temper's word in the catalogues.
func (t Temper) Key() string { return "temper." + t.Word() }

// Sign is the temper as one sign; empty for one that can't be asked for.
func (t Temper) Sign() string {
	switch t {
	case Eager:
		return "🐇"
	case Sleepy:
		return "😴"
	case Sharp:
		return "🦉"
	}
	return ""
}

// Next is the temper that a switch comes to after this one.
func (t Temper) Next() Temper {
	all := append([]Temper{Mixed}, Tempers()...)
	return all[(slices.Index(all, t)+1)%len(all)]
}

// Ways are how a computer player plays.
type Ways struct {
	// Skill is how well it looks, as State.Auto has it.
	Skill float64
	// Thinks is how long it waits before it moves, and Considers how long where a person may still put something right.
	Thinks, Considers time.Duration
}

// Slowest is the longest that any of them thinks.
const SlowestThought = 3 * time.Second

// Ways are how a computer player of the temper plays.
func (t Temper) Ways() Ways {
	switch t {
	case Eager:
		return Ways{Skill: 0.7, Thinks: 800 * time.Millisecond, Considers: 3 * time.Second}
	case Sleepy:
		return Ways{Skill: 0.45, Thinks: SlowestThought, Considers: 5 * time.Second}
	case Sharp:
		return Ways{Skill: 0.95, Thinks: 1500 * time.Millisecond, Considers: 3 * time.Second}
	case Patient:
		return Ways{Skill: 0.6, Thinks: 2500 * time.Millisecond, Considers: 5 * time.Second}
	}
	return Ways{Skill: 0.8, Thinks: 1500 * time.Millisecond, Considers: 3 * time.Second}
}

// TemperNames are what computer players are called in a language. All languages have as many.
func TemperNames(lang *words.Lang) []string { return strings.Split(lang.Say("computer.names"), ", ") }
