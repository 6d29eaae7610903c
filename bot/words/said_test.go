package words_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"zevaka/bot"
	"zevaka/bot/purse"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/engine/patience"
	"zevaka/storage/mem"
)

// TestNothingUnsaid: whatever a game or the bot can say has its sentence in every language.
func TestNothingUnsaid(t *testing.T) {
	var keys []string
	for _, rules := range games.All() {
		keys = append(keys, infoKeys(rules.Info())...)
	}
	for _, r := range declared(t, refusal, "../../engine/*/words.go", 85) {
		keys = append(keys, "no."+r)
	}
	for _, n := range declared(t, note, "../../engine/*/words.go", 14) {
		keys = append(keys, "note."+n)
	}
	for _, n := range declared(t, task, "../../engine/*/words.go", 10) {
		keys = append(keys, "turn."+n)
	}
	for _, e := range []string{"left", "removed", "back", "away", "timed-out", "skipped", "dropped"} {
		keys = append(keys, "event."+e)
	}
	for _, r := range []engine.Refusal{purse.ErrShort, purse.ErrDaily, purse.ErrAmount, purse.ErrSelf} {
		keys = append(keys, "no."+string(r))
	}
	keys = append(keys, "event.over-nobody")
	for _, r := range []engine.Refusal{
		engine.ErrNotYourTurn, engine.ErrOver, engine.ErrMoveText, engine.ErrSeats, engine.ErrOption,
	} {
		keys = append(keys, "no."+string(r))
	}
	for _, r := range declared(t, refusal, "../*/*.go", 50) {
		keys = append(keys, "no."+r)
	}
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range words.Tags() {
		lang := catalogue.Lang(tag)
		for _, key := range keys {
			// What a patience has no word of its own for is called as in all of them.
			either := regexp.MustCompile(`^(verb|pile)\.[^.]+\.`).ReplaceAllString(key, "$1.patience.")
			if !lang.Knows(key) && !lang.Knows(either) {
				t.Errorf("%s has no words for %s", tag, key)
			}
		}
	}
}

// TestPilesHaveNames: every kind of pile of a game for one is called something, but the cells of a field.
func TestPilesHaveNames(t *testing.T) {
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range patience.All() {
		name := rules.Info().Name
		state := enginetest.Variant{Rules: rules}.Deal(t, 0)
		for _, pile := range state.View(engine.Nobody).Piles {
			// The working cards of Гробница stand beside their walls, Паук's bases inside the ring.
			if pile.Kind == "g" || name == "grobnitsa" && pile.Kind == "b" || name == "pauk" && pile.Kind == "f" {
				continue
			}
			for _, tag := range words.Tags() {
				lang := catalogue.Lang(tag)
				if !lang.Has("pile."+name+"."+pile.Kind) && !lang.Has("pile.patience."+pile.Kind) && !lang.Has("pile."+pile.Kind) {
					t.Errorf("%s has no name for pile %s of %s", tag, pile.Kind, name)
				}
			}
		}
	}
}

// TestNamesDiffer: what a command is called in any language is one word of small letters, and no other command's.
func TestNamesDiffer(t *testing.T) {
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	whose := map[string]string{}
	for _, tag := range words.Tags() {
		for _, c := range b.Commands(tag) {
			for _, called := range []string{c.Name, c.Local} {
				if called == "" || strings.ToLower(called) != called || len(strings.Fields(called)) != 1 {
					t.Errorf("%s: %s is called %q", tag, c.Name, called)
				}
				if whose[called] != "" && whose[called] != c.Name {
					t.Errorf("%s: both %s and %s are called %s", tag, whose[called], c.Name, called)
				}
				whose[called] = c.Name
			}
			if n := utf8.RuneCountInString(c.Help); n == 0 || n > 100 {
				t.Errorf("%s: the help of %s has %d characters", tag, c.Name, n)
			}
		}
	}
}

// TestEventsFill: what happens in a game for one is told with nothing but what its events know.
func TestEventsFill(t *testing.T) {
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range patience.Tecza.Info().Events {
		for _, part := range catalogue.Lang("en").Count("event."+e.Name, 2) {
			if !slices.Contains([]string{"", "who", "card", "pile", "n"}, part.Blank) {
				t.Errorf("%s has a blank for %s", e.Name, part.Blank)
			}
		}
	}
}

// infoKeys are the sentences that a game's Info asks for.
func infoKeys(info engine.Info) []string {
	keys := []string{"game." + info.Name, "about." + info.Name}
	for _, v := range info.Verbs {
		switch v.Aim {
		case engine.AimNone, engine.AimSelf:
			keys = append(keys, "verb."+info.Name+"."+v.Name)
		case engine.AimAmount:
			keys = append(keys, "amount."+info.Name+"."+v.Name)
		}
		if v.Early || v.Final && info.MaxSeats > 1 {
			keys = append(keys, "final."+info.Name+"."+v.Name)
		}
	}
	for _, e := range info.Events {
		if e.Role == engine.EventStops {
			e.Name += "-nobody"
		}
		keys = append(keys, "event."+e.Name)
	}
	for _, o := range info.Options {
		keys = append(keys, "option."+info.Name+"."+o.Name)
		for _, value := range o.Values {
			keys = append(keys, "option."+info.Name+"."+o.Name+"."+value)
		}
	}
	for _, s := range info.Sets {
		for _, name := range s.Names {
			if regexp.MustCompile(`^[a-z0-9]+$`).MatchString(name) {
				keys = append(keys, "set."+info.Name+"."+name)
				break
			}
		}
	}
	return keys
}

// How the names of refusals and of remarks are declared.
const (
	refusal = `engine\.Refusal = "([^"]+)"`
	task    = `\n\tTask[A-Za-z]+ += "([^"]+)"`
	note    = `\n\tNote[A-Za-z]+ += "([^"]+)"`
)

// declared are the names that are declared so in the files, at least so many.
func declared(t *testing.T, how, pattern string, least int) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(how).FindAllSubmatch(source, -1) {
			names = append(names, string(m[1]))
		}
	}
	if len(names) < least {
		t.Fatalf("only %d names found in %s", len(names), pattern)
	}
	return names
}
