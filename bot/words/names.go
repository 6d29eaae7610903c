package words

import (
	"slices"
	"strings"

	"zevaka/engine"
)

// Names are what people call games and commands.
type Names struct {
	words *Catalogue
	games []engine.Rules
}

// NewNames are the names of these games, in the languages of the catalogue.
func NewNames(catalogue *Catalogue, games []engine.Rules) *Names { return &Names{catalogue, games} }

// GameNamed is the game that people call so, in any language; nil if there is none.
func (b *Names) GameNamed(name string) engine.Rules {
	for _, rules := range b.games {
		if b.IsCalled(rules.Info().Name, name) {
			return rules
		}
	}
	return nil
}

// IsCalled reports whether people call the command so, in any language.
func (b *Names) IsCalled(name, called string) bool {
	if called == name {
		return true
	}
	for _, tag := range Tags() {
		if strings.EqualFold(called, b.words.Lang(tag).Say("name."+name)) {
			return true
		}
	}
	return false
}

// IsLabel reports whether the sentence without blanks is what was typed, in any language; what it has in brackets at its end
// may be left out.
func (b *Names) IsLabel(key, typed string) bool {
	return slices.ContainsFunc(Tags(), func(tag string) bool {
		label := b.words.Lang(tag).Say(key)
		short, _, _ := strings.Cut(label, " (")
		return strings.EqualFold(label, typed) || strings.EqualFold(short, typed)
	})
}

// PatienceNamed is the game for one whose name the line begins with, and what follows it: as its command is called, or as
// it is shown, in its own language or in another. It is nil if there is none.
func (b *Names) PatienceNamed(line string) (found engine.Rules, rest string) {
	longest := 0
	for _, rules := range b.games {
		if !rules.Info().ForOne() {
			continue
		}
		for _, name := range b.namesOf(rules.Info().Name) {
			head, tail := line, ""
			if len(line) > len(name) {
				head, tail = line[:len(name)], line[len(name):]
			}
			if len(name) > longest && strings.EqualFold(head, name) && (tail == "" || tail[0] == ' ') {
				found, rest, longest = rules, tail, len(name)
			}
		}
	}
	return found, rest
}

// namesOf are all names that people may know a game by.
func (b *Names) namesOf(game string) []string {
	names := []string{game}
	for _, tag := range Tags() {
		lang := b.words.Lang(tag)
		own, inBrackets, _ := strings.Cut(lang.Say("game."+game), " (")
		names = append(names, lang.Say("name."+game), own, strings.Trim(inBrackets, "«»)"))
	}
	return names
}
