package table_test

import (
	"slices"
	"testing"

	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

func full(t *testing.T, draw byte, lang *words.Lang) *table.Table {
	t.Helper()
	one := &table.Table{Cards: table.Cards{Draw: engine.Seed{draw}}}
	for range 11 {
		table.SitComputer(one, lang)
	}
	return one
}

// TestCompany: a table full of computer players has no name twice, tempers as mixed as can be, and the same again after a
// restart; in another language they are called otherwise, and are the same.
func TestCompany(t *testing.T) {
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	firsts := map[string]bool{}
	for draw := range byte(40) {
		russian, again := full(t, draw, all.Lang("ru")), full(t, draw, all.Lang("ru"))
		if !slices.Equal(russian.Chairs, again.Chairs) {
			t.Fatalf("%v, and then %v", russian.Chairs, again.Chairs)
		}
		names, tempers := map[string]bool{}, map[table.Temper]int{}
		for _, c := range russian.Chairs {
			names[c.Name] = true
			tempers[c.Temper]++
		}
		if len(names) != 11 || tempers[table.Eager] < 3 || tempers[table.Sleepy] < 3 || tempers[table.Sharp] < 3 {
			t.Errorf("%v", russian.Chairs)
		}
		firsts[russian.Chairs[0].Name+string(russian.Chairs[0].Temper)] = true
		table.RenameComputers(again, all.Lang("pl"))
		for i, c := range again.Chairs {
			if before := russian.Chairs[i]; c.Name == before.Name || c.Nick != before.Nick || c.Temper != before.Temper {
				t.Errorf("%+v has become %+v", before, c)
			}
		}
	}
	if len(firsts) < 15 {
		t.Errorf("of 40 tables only %d begin differently", len(firsts))
	}
}

// TestChosen: who is asked for comes, those who sat together sit together again, and computer players from before there were
// names keep their numbers.
func TestChosen(t *testing.T) {
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	lang := all.Lang("en")
	one := &table.Table{Agreed: table.Agreed{Temper: table.Sleepy}}
	for range 3 {
		if c := table.SitComputer(one, lang); c.Temper != table.Sleepy {
			t.Errorf("%+v sits down", c)
		}
	}
	before := append(slices.Clone(one.Chairs), table.Chair{Name: "🤖 1"})
	two := &table.Table{Chairs: []table.Chair{{User: 1, Name: "Ann"}}}
	table.SitComputersAgain(two, before, lang)
	if !slices.Equal(two.Chairs[1:], before) {
		t.Errorf("%v, not %v", two.Chairs[1:], before)
	}
	if !table.DropComputer(two) || two.Chairs[len(two.Chairs)-1].Nick == 0 {
		t.Errorf("%v", two.Chairs)
	}
	table.RenameComputers(two, lang)
	if two.Chairs[0].Name != "Ann" {
		t.Errorf("a person was renamed: %v", two.Chairs[0])
	}
}

// TestNames: every language has the same number of names, none twice, enough for every table.
func TestNames(t *testing.T) {
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	want := len(table.TemperNames(all.Lang("en")))
	for _, tag := range words.Tags() {
		names := table.TemperNames(all.Lang(tag))
		if slices.Sort(names); len(names) != want || len(slices.Compact(names)) != want || want < 11 {
			t.Errorf("%s: %v", tag, names)
		}
	}
}

// TestRead: each temper is read by its own word and by that of each language; who teaches can't be asked for.
func TestRead(t *testing.T) {
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	names := words.NewNames(all, nil)
	for _, one := range append(table.Tempers(), table.Mixed) {
		typed := []string{one.Word()}
		for _, tag := range words.Tags() {
			typed = append(typed, all.Lang(tag).Say(one.Key()))
		}
		for _, word := range typed {
			if got, ok := table.ReadTemper(names, word); !ok || got != one {
				t.Errorf("%q is %q, %v", word, got, ok)
			}
		}
	}
	if _, ok := table.ReadTemper(names, "patient"); ok {
		t.Error("anybody can have who teaches")
	}
}

// TestSwitch: the switch goes round through all tempers.
func TestSwitch(t *testing.T) {
	at, seen := table.Mixed, map[table.Temper]bool{}
	for range 1 + len(table.Tempers()) {
		seen[at] = true
		at = at.Next()
	}
	if at != table.Mixed || len(seen) != 4 || seen[table.Patient] {
		t.Errorf("%v, then %q", seen, at)
	}
}

// TestWays: the sleepy overlook most and the sharp least, the eager move first and the sleepy last, and everybody leaves time
// to put something right.
func TestWays(t *testing.T) {
	eager, sleepy, sharp := table.Eager.Ways(), table.Sleepy.Ways(), table.Sharp.Ways()
	if sleepy.Skill >= eager.Skill || eager.Skill >= sharp.Skill || eager.Thinks >= sharp.Thinks || sharp.Thinks >= sleepy.Thinks {
		t.Errorf("eager %+v, sleepy %+v, sharp %+v", eager, sleepy, sharp)
	}
	for _, one := range append(table.Tempers(), table.Mixed, table.Patient) {
		if w := one.Ways(); w.Considers < sharp.Considers || w.Thinks > table.SlowestThought {
			t.Errorf("%q: %+v", one, w)
		}
	}
}

// TestNamesAsRead: nobody at a table is called like a computer player, whoever reads.
func TestNamesAsRead(t *testing.T) {
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	ru := all.Lang("ru")
	for _, tag := range []string{"ru", "en", "pl"} {
		names := table.TemperNames(all.Lang(tag))
		one := &table.Table{Agreed: table.Agreed{Lang: "ru"}}
		for i, n := range names[:12] {
			one.Chairs = append(one.Chairs, table.Chair{User: int64(i + 1), Name: one.FreeName("🤖 "+n, "guest")})
		}
		for range 4 {
			table.SitComputer(one, ru)
		}
		for _, reader := range []string{"ru", "en", "pl"} {
			seen := map[string]bool{}
			for _, c := range table.ReadIn(one, all.Lang(reader)).Chairs {
				if seen[c.Name] {
					t.Errorf("people called as computers in %s, read in %s: two are called %s", tag, reader, c.Name)
				}
				seen[c.Name] = true
			}
		}
	}
}
