package words_test

import (
	"slices"
	"strings"
	"testing"

	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
)

func load(t *testing.T) *words.Catalogue {
	t.Helper()
	c, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// blanks are the names of a sentence's blanks, sorted, each once.
func blanks(s words.Sentence) []string {
	var names []string
	for _, p := range s {
		if p.Blank != "" {
			names = append(names, p.Blank)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestSameEverywhere: every language has every sentence, with the same blanks in every plural form.
func TestSameEverywhere(t *testing.T) {
	c := load(t)
	english := c.Lang("en")
	for _, tag := range words.Tags() {
		lang := c.Lang(tag)
		if got, want := lang.Keys(), english.Keys(); !slices.Equal(got, want) {
			t.Errorf("%s and en don't have the same sentences:\n%v\n%v", tag, got, want)
		}
		for _, key := range english.Keys() {
			for _, n := range []int{0, 1, 2, 5, 11, 12, 21, 22, 25, 101, 112} {
				got, want := blanks(lang.Count(key, n)), blanks(english.Count(key, n))
				if !slices.Equal(got, want) {
					t.Errorf("%s, %s for %d: blanks %v, want %v", tag, key, n, got, want)
				}
			}
		}
	}
}

// TestQuotedLabels: where a sentence quotes what stands on a button, it does so in words.
func TestQuotedLabels(t *testing.T) {
	c := load(t)
	quoted := 0
	for _, tag := range words.Tags() {
		lang := c.Lang(tag)
		for _, key := range lang.Keys() {
			for _, blank := range blanks(lang.Sentence(key)) {
				if !strings.Contains(blank, ".") {
					continue
				}
				quoted++
				said := words.Phrase{Key: key}.Flat(lang)
				if label := lang.Say(blank); !lang.Has(blank) || !strings.Contains(said, label) {
					t.Errorf("%s, %s doesn't quote %s: %q", tag, key, blank, said)
				}
			}
		}
	}
	if quoted == 0 {
		t.Error("no sentence quotes a button")
	}
}

func TestPlural(t *testing.T) {
	c := load(t)
	for _, test := range []struct {
		tag  string
		n    int
		want string
	}{
		{"ru", 1, "Штраф: Боря получает 1 карту."},
		{"ru", 2, "Штраф: Боря получает 2 карты."},
		{"ru", 5, "Штраф: Боря получает 5 карт."},
		{"ru", 11, "Штраф: Боря получает 11 карт."},
		{"ru", 21, "Штраф: Боря получает 21 карту."},
		{"ru", 22, "Штраф: Боря получает 22 карты."},
		{"ru", 0, "Штраф: Боря получает 0 карт."},
		{"pl", 1, "Kara: Боря dostaje 1 kartę."},
		{"pl", 3, "Kara: Боря dostaje 3 karty."},
		{"pl", 5, "Kara: Боря dostaje 5 kart."},
		{"pl", 12, "Kara: Боря dostaje 12 kart."},
		{"pl", 21, "Kara: Боря dostaje 21 kart."},
		{"pl", 22, "Kara: Боря dostaje 22 karty."},
		{"en", 1, "Penalty: Боря gets 1 card."},
		{"en", 2, "Penalty: Боря gets 2 cards."},
	} {
		n := test.n
		digits := strings.Fields(test.want)
		got := c.Lang(test.tag).Count("event.penalty", n).Fill(map[string]string{
			"who": "Боря", "n": digits[slices.IndexFunc(digits, func(s string) bool { return s[0] >= '0' && s[0] <= '9' })],
		})
		if got != test.want {
			t.Errorf("%s, %d: %q, want %q", test.tag, n, got, test.want)
		}
	}
}

// TestUnsaid: what has no words of its own is told by its name.
func TestUnsaid(t *testing.T) {
	lang := load(t).Lang("en")
	blanks := words.Blanks{"who": "Ann", "card": engine.NewCard(7, engine.Spades)}
	for key, want := range map[string]string{
		"verb.some-game.lay down": "lay down",
		"no.follow-suit":          "follow suit",
		"event.trick-won":         "Ann: trick won 7♠",
		"event.all-passed-nobody": "all passed 7♠",
	} {
		if got := (words.Phrase{Key: key, Blanks: blanks}).Flat(lang); got != want {
			t.Errorf("%s is told as %q, want %q", key, got, want)
		}
	}
}

func TestCards(t *testing.T) {
	c := load(t)
	for _, test := range []struct{ tag, want string }{
		{"ru", "10♠ В♣ Д♦ К♥ Т♠"},
		{"pl", "10♠ W♣ D♦ K♥ A♠"},
		{"en", "10♠ J♣ Q♦ K♥ A♠"},
	} {
		var got []string
		for _, card := range enginetest.ParseCards(t, "TS JC QD KH AS") {
			got = append(got, c.Lang(test.tag).Card(card))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", test.tag, got, test.want)
		}
	}
}

func TestNearestLanguage(t *testing.T) {
	c := load(t)
	for tag, want := range map[string]string{
		"ru": "ru", "ru-RU": "ru", "RU": "ru", "pl_PL": "pl", "en-GB": "en", "de": "en", "": "en", "rubbish": "en", "ru-": "ru",
	} {
		if got := c.Lang(tag).Tag; got != want {
			t.Errorf("the language nearest to %q is %s, want %s", tag, got, want)
		}
	}
}

// TestRulesFit: a page of rules, that of a game for one with what is told of all of them, fits into two messages of the narrowest
// platform, 2,000 characters each. It names every option that can be chosen, and every place that can be typed.
func TestRulesFit(t *testing.T) {
	c := load(t)
	for _, tag := range words.Tags() {
		lang := c.Lang(tag)
		for _, rules := range games.All() {
			info := rules.Info()
			text, ok := lang.Rules(info.Name)
			most := 2700
			if info.MaxSeats == 1 {
				odds := words.Phrase{Key: "comes-out", Blanks: words.Blanks{"computer": 99, "least": 100}}.Flat(lang)
				most = 3400 - len([]rune(odds)) - 2 - len([]rune(lang.Say("rules-moves"))) - 1
			}
			if n := len([]rune(text)); !ok || n == 0 || n > most {
				t.Errorf("the rules of %s in %s have %d characters", info.Name, tag, n)
			}
			for _, o := range info.Options {
				for _, value := range o.Values[1:] {
					told := strings.Contains(text, o.Name+"=") && strings.Contains(text, value) || inSet(info, o.Name, value, text)
					if !told && (o.Max == 0 || !strings.Contains(text, o.Name+"=")) {
						t.Errorf("the rules of %s in %s don't tell of %s=%s", info.Name, tag, o.Name, value)
					}
				}
			}
			for _, what := range beside(info.Name) {
				if !strings.Contains(text, what) {
					t.Errorf("the rules of %s in %s don't tell of %s", info.Name, tag, what)
				}
			}
			if info.MaxSeats > 1 {
				continue
			}
			for _, place := range places(t, rules) {
				if !strings.Contains(text, place) {
					t.Errorf("the rules of %s in %s don't name the places %s", info.Name, tag, place)
				}
			}
		}
	}
}

// TestShortRules: the rules in short take at most ten lines of a phone, and every game has them.
func TestShortRules(t *testing.T) {
	const lines, width = 10, 35
	c := load(t)
	for _, tag := range words.Tags() {
		for _, rules := range games.All() {
			name, n := rules.Info().Name, 0
			for line := range strings.Lines(c.Lang(tag).Say("short." + name)) {
				n += (len([]rune(strings.TrimSuffix(line, "\n"))) + width - 1) / width
			}
			if !c.Lang(tag).Has("short."+name) || n < 4 || n > lines {
				t.Errorf("the rules of %s in %s take %d lines in short", name, tag, n)
			}
		}
	}
}

// beside is what else the page of a game must name: what its table can be set to, and numbers that decide.
func beside(game string) []string {
	return map[string][]string{
		"zevaka":  {"limit=", "fast", "360", "520"},
		"banchok": {"limit=", "banks="},
	}[game]
}

// inSet reports whether a page of rules names a set that stands for the option's value.
func inSet(info engine.Info, option, value, text string) bool {
	return slices.ContainsFunc(info.Sets, func(set engine.Set) bool {
		return set.Options[option] == value && slices.ContainsFunc(set.Names, func(name string) bool {
			return strings.Contains(text, "\n"+name+" ")
		})
	})
}

// places are the numbered places of a patience as its rules name them: the first of each kind, as "w1".
func places(t *testing.T, rules engine.Rules) []string {
	t.Helper()
	state, err := rules.Deal(engine.Setup{Seats: 1}, engine.NewShuffler(engine.Seed{}, ""))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, pile := range state.View(engine.Nobody).Piles {
		if pile.Name == pile.Kind+"1" {
			all = append(all, pile.Name)
		}
	}
	return all
}

// TestPatienceNamed: a game for one is understood by every name that it goes by, in whatever letters, with what is typed behind it.
func TestPatienceNamed(t *testing.T) {
	c := load(t)
	names := words.NewNames(c, games.All())
	for _, test := range []struct{ typed, game, rest string }{
		{"сорок разбойников", "polusharia", ""},
		{"Forty thieves space=talon", "polusharia", " space=talon"},
		{"Czterdziestu rozbójników", "polusharia", ""},
		{"Наполеон на острове Святой Елены", "polusharia", ""},
		{"napoleon at St. Helena", "polusharia", ""},
		{"St. Helena", "pauk", ""},
		{"wąż deal=7", "pauk", " deal=7"},
		{"well", "grobnitsa", ""},
		{"Paganini II light", "paganini", " light"},
		{"paganini light", "paganini", " light"},
		{"полушария", "polusharia", ""},
		{"wells", "", ""},
		{"", "", ""},
	} {
		rules, rest := names.PatienceNamed(test.typed)
		got := ""
		if rules != nil {
			got = rules.Info().Name
		}
		if got != test.game || rest != test.rest {
			t.Errorf("%q is %q with %q", test.typed, got, rest)
		}
	}
	for _, tag := range words.Tags() {
		lang := c.Lang(tag)
		for _, rules := range games.All() {
			game := rules.Info().Name
			if !lang.Has("also." + game) {
				continue
			}
			for name := range strings.SplitSeq(lang.Say("also."+game), "; ") {
				if found, _ := names.PatienceNamed(name); found == nil || found.Info().Name != game {
					t.Errorf("%s: %q isn't understood", tag, name)
				}
			}
		}
	}
}
