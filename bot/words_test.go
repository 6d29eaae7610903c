package bot_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/engine/zevaka"
)

// TestNothingUnsaid: whatever a game or the bot can say has its sentence in every language.
func TestNothingUnsaid(t *testing.T) {
	var keys []string
	for _, rules := range games.All() {
		keys = append(keys, infoKeys(rules.Info())...)
	}
	for _, r := range zevaka.Refusals() {
		keys = append(keys, "no."+string(r))
	}
	for _, e := range zevaka.Events() {
		if e == zevaka.EventGuard {
			e += "-nobody"
		}
		keys = append(keys, "event."+e)
	}
	for _, n := range zevaka.Notes() {
		keys = append(keys, "note."+n)
	}
	keys = append(keys, "event.over-nobody")
	for _, r := range []engine.Refusal{
		engine.ErrNotYourTurn, engine.ErrOver, engine.ErrMoveText, engine.ErrSeats, engine.ErrOption,
	} {
		keys = append(keys, "no."+string(r))
	}
	keys = append(keys, refusalsInSource(t)...)
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range words.Tags() {
		lang := catalogue.Lang(tag)
		known := map[string]bool{}
		for _, key := range lang.Keys() {
			known[key] = true
		}
		for _, key := range keys {
			if !known[key] {
				t.Errorf("%s has no words for %s", tag, key)
			}
		}
	}
}

// infoKeys are the sentences that a game's Info asks for.
func infoKeys(info engine.Info) []string {
	keys := []string{"game." + info.Name, "about." + info.Name}
	for _, v := range info.Verbs {
		if v.Aim == engine.AimNone {
			keys = append(keys, "verb."+info.Name+"."+v.Name)
		}
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

// refusalsInSource are the names of the bot's own refusals, read from its source.
func refusalsInSource(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`engine\.Refusal = "([^"]+)"`)
	var keys []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllSubmatch(source, -1) {
			keys = append(keys, "no."+string(m[1]))
		}
	}
	if len(keys) < 15 {
		t.Fatalf("only %d refusals found in the source", len(keys))
	}
	return keys
}
