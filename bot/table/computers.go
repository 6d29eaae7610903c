package table

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/words"
	"zevaka/engine"
)

// SitComputer has one more computer player sit down, with a name in the language that nobody at the table has, and returns it. It has the
// temper that is chosen for the table; where that is a mix, it is one of those that the fewest have. Name and temper follow
// from the table and its secret draw.
func SitComputer(t *Table, lang *words.Lang) Chair {
	chance := chanceOf(t)
	c := Chair{Temper: t.Temper}
	if t.Temper == Mixed {
		c.Temper = rarest(t, chance)
	}
	names := TemperNames(lang)
	for _, n := range chance.Perm(len(names)) {
		if c.Nick == 0 && !slices.ContainsFunc(t.Chairs, func(other Chair) bool { return other.Nick == n+1 || other.Name == robot+names[n] }) {
			c.Nick = n + 1
		}
	}
	return seat(t, c, lang)
}

// SitComputersAgain has computer players sit down as they sat at another table.
func SitComputersAgain(t *Table, before []Chair, lang *words.Lang) {
	for _, c := range before {
		seat(t, Chair{Temper: c.Temper, Nick: c.Nick}, lang)
	}
}

// RenameComputers calls the table's computer players as they are called in the language.
func RenameComputers(t *Table, lang *words.Lang) {
	t.Chairs = slices.Clone(t.Chairs)
	for i, c := range t.Chairs {
		if c.Nick > 0 {
			t.Chairs[i].Name = called(t, c, lang)
		}
	}
}

// ReadIn is the table as somebody reads it in the language, with computer players that are called as there; the table itself where they
// are so already.
func ReadIn(t *Table, lang *words.Lang) *Table {
	if t.Lang == lang.Tag || !slices.ContainsFunc(t.Chairs, func(c Chair) bool { return c.Nick > 0 }) {
		return t
	}
	read := *t
	RenameComputers(&read, lang)
	for i, c := range t.Chairs { // Where somebody is called so already, they keep the name that they have.
		if slices.ContainsFunc(t.Chairs, func(other Chair) bool { return other.Nick == 0 && other.Name == read.Chairs[i].Name }) {
			read.Chairs[i].Name = c.Name
		}
	}
	return &read
}

// NamesIn has the computer players of the table be called in a text as in the language.
func NamesIn(t *Table, lang *words.Lang) *strings.Replacer {
	var names []string
	for i, c := range ReadIn(t, lang).Chairs {
		if t.Chairs[i].Name != c.Name {
			names = append(names, t.Chairs[i].Name, c.Name)
		}
	}
	return strings.NewReplacer(names...)
}

// DropComputer takes the computer player from the table that sat down last; false if there is none.
func DropComputer(t *Table) bool {
	i := len(t.Chairs) - 1
	for i >= 0 && t.Chairs[i].User != 0 {
		i--
	}
	if i >= 0 {
		t.Chairs = slices.Delete(slices.Clone(t.Chairs), i, i+1)
	}
	return i >= 0
}

func seat(t *Table, c Chair, lang *words.Lang) Chair {
	c.Name = called(t, c, lang)
	t.Chairs = append(slices.Clone(t.Chairs), c)
	return c
}

// robot begins the name of every computer player.
const robot = "🤖 "

// called is what a computer player is called in the language; a number where it has no name.
func called(t *Table, c Chair, lang *words.Lang) string {
	if names := TemperNames(lang); c.Nick > 0 && c.Nick <= len(names) {
		return robot + names[c.Nick-1]
	}
	for n := 1; ; n++ {
		name := robot + strconv.Itoa(n)
		if !slices.ContainsFunc(t.Chairs, func(c Chair) bool { return c.Name == name }) {
			return name
		}
	}
}

// rarest is one of the tempers that the fewest of the table's computer players have.
func rarest(t *Table, chance *rand.Rand) Temper {
	count := func(one Temper) (n int) {
		for _, c := range t.Chairs {
			if c.Temper == one {
				n++
			}
		}
		return n
	}
	all := Tempers()
	chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return slices.MinFunc(all, func(a, b Temper) int { return count(a) - count(b) })
}

// chanceOf decides who sits down next. It follows from the table with its secret draw, and from how many sit there.
func chanceOf(t *Table) *rand.Rand {
	seed := fmt.Appendf(nil, "company:%s:%d:%x", t.ID, len(t.Chairs), t.Draw)
	return rand.New(rand.NewChaCha8(sha256.Sum256(seed)))
}

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

// SlowestThought is the longest that any of them thinks.
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

// RandomOf is the chance of a computer player. It follows from the table with its secret seed, how many moves were made, and
// the seat, and from nothing outside. In a lesson, whose deal everybody gets, it is everybody's, too.
func RandomOf(t *Table, s engine.Seat) *rand.Rand {
	name := t.ID.String()
	if t.Lesson {
		name = "lesson"
	}
	seed := fmt.Appendf(nil, "computer:%s:%d:%d:%x", name, t.Moves, s, t.Seed)
	return rand.New(rand.NewChaCha8(sha256.Sum256(seed)))
}
