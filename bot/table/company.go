package table

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"zevaka/bot/words"
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
	for _, n := range chance.Perm(len(TemperNames(lang))) {
		if c.Nick == 0 && !slices.ContainsFunc(t.Chairs, func(other Chair) bool { return other.Nick == n+1 }) {
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
