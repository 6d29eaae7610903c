package words_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/chatscript"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// TestOneTongue goes through all that people see in the chat scripts and in the scenes of the live table, also at tables where several
// languages are spoken: what one person reads has no word of another language, and what all read is in one. What is quoted is not
// looked at: it may be a button as it stands on the
// board. Nor is what people typed.
func TestOneTongue(t *testing.T) {
	c := load(t)
	own := ownWords(t, c)
	read, computers := 0, 0
	foreign := func(text, lang string, typed []string) (found []string) {
		text = regexp.MustCompile(`“[^”]*”|«[^»]*»|„[^”]*”|/\S+`).ReplaceAllString(text, " ")
		for _, word := range wordsIn(text) {
			read++
			for tag := range own {
				if tag != lang && own[tag][word] && !slices.Contains(typed, word) {
					found = append(found, word)
				}
			}
		}
		return found
	}
	chatscript.Each(t, "../testdata", func(t *testing.T, file, text string) {
		typed := wordsIn(strings.Join(regexp.MustCompile(`(?m)^>.*`).FindAllString(text, -1), " "))
		for _, said := range saidIn(text) {
			if said.lang != "" {
				if found := foreign(said.text, said.lang, typed); found != nil {
					t.Errorf("%s: %s reads %q in\n%s", file, said.who, found, said.text)
				}
				continue
			}
			var in []string
			for _, tag := range words.Tags() {
				if foreign(said.text, tag, typed) == nil {
					in = append(in, tag)
				}
			}
			if in == nil {
				t.Errorf("%s: all read\n%s", file, said.text)
			}
		}
	})
	people := wordsIn("Аня Боря Вика Гриша Ann Bob Ola Piotr Kasia")
	scenes, err := filepath.Glob("../live/testdata/*.json")
	if err != nil || scenes == nil {
		t.Fatalf("scenes: %v, %v", scenes, err)
	}
	for _, file := range scenes {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var scene map[string]any
		if err := json.Unmarshal(text, &scene); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		lang, _ := scene["lang"].(string)
		if found := foreign(readIn("", scene), lang, people); found != nil || lang == "" {
			t.Errorf("%s, read in %s: %q", file, lang, found)
		}
		seats, _ := scene["seats"].([]any)
		for _, seat := range seats {
			seat, _ := seat.(map[string]any)
			name, computer := fmt.Sprint(seat["name"]), seat["computer"] == true
			if names := table.TemperNames(c.Lang(lang)); computer && !slices.Contains(names, strings.TrimPrefix(name, "🤖 ")) {
				t.Errorf("%s, read in %s: a computer player is called %s", file, lang, name)
			}
			computers += map[bool]int{true: 1}[computer]
		}
	}
	if read < 20_000 || computers < 4 {
		t.Errorf("only %d words, and %d computer players", read, computers)
	}
}

// readIn are the texts of a scene that people read.
func readIn(key string, value any) (text string) {
	switch value := value.(type) {
	case map[string]any:
		for key, part := range value {
			text += readIn(key, part)
		}
	case []any:
		for _, part := range value {
			text += readIn(key, part)
		}
	case string:
		if slices.Contains([]string{"title", "rules", "task", "about", "called", "label", "ask", "note", "last", "said"}, key) {
			return " " + value
		}
	}
	return text
}

// wordsIn are the words of a text, in small letters.
func wordsIn(text string) []string {
	return regexp.MustCompile(`\p{L}{3,}`).FindAllString(strings.ToLower(text), -1)
}

// ownWords are, for each language, the words that only its catalogue and pages have.
func ownWords(t *testing.T, c *words.Catalogue) map[string]map[string]bool {
	t.Helper()
	own, in := map[string]map[string]bool{}, map[string][]string{}
	for _, tag := range words.Tags() {
		own[tag] = map[string]bool{}
		files, err := filepath.Glob("rules/*." + tag + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range append(files, tag+".json") {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range wordsIn(string(text)) {
				if !own[tag][word] {
					own[tag][word], in[word] = true, append(in[word], tag)
				}
			}
		}
	}
	var names []string
	for _, tag := range words.Tags() {
		for _, name := range table.TemperNames(c.Lang(tag)) {
			names = append(names, wordsIn(name)...)
		}
	}
	for word, tags := range in {
		for _, tag := range tags {
			if len(tags) > 1 || slices.Contains(names, word) {
				delete(own[tag], word)
			}
		}
	}
	return own
}

// said is a text that somebody reads; all do where lang is empty.
type said struct{ who, lang, text string }

// saidIn are the texts that people read in a chat script.
func saidIn(script string) (all []said) {
	langs := map[string]string{"Аня": "ru", "Боря": "ru", "Вика": "ru", "Ola": "pl", "Piotr": "pl", "Kasia": "pl", "Ann": "en", "Bob": "en", "Stranger": "en", "Admin": "en"}
	head := regexp.MustCompile(`^  (?:#\d+ )?(everybody|\S+ only)(?: \(to [^)]*\))?(?:: (.*))?$`)
	for line := range strings.Lines(script) {
		line = strings.TrimRight(line, "\n")
		if match := head.FindStringSubmatch(line); match != nil {
			who := strings.TrimSuffix(match[1], " only")
			all = append(all, said{who: who, lang: langs[who], text: match[2]})
			continue
		}
		if strings.HasPrefix(line, "    ") && len(all) > 0 {
			all[len(all)-1].text += "\n" + strings.TrimPrefix(line, "    ")
		}
	}
	return all
}
