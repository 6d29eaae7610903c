package board

import (
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// LimitPhrase is a turn limit in words.
func LimitPhrase(seconds int) words.Phrase {
	switch {
	case seconds == 0:
		return words.Phrase{Key: "limit.none"}
	case seconds%3600 == 0:
		return words.Phrase{Key: "limit.hours", Blanks: words.Blanks{"n": seconds / 3600}}
	case seconds%60 == 0 && seconds >= 120:
		return words.Phrase{Key: "limit.minutes", Blanks: words.Blanks{"n": seconds / 60}}
	}
	return words.Phrase{Key: "limit.seconds", Blanks: words.Blanks{"n": seconds}}
}

// practiceSign begins the title of a table at which nothing counts.
const practiceSign = "🎓 "

// Title is the game and its rules in short: the sets chosen that aren't the game as it is, the first option unless the game is
// for one, and every other option that is neither at its default nor part of a chosen set. A lesson is called as it is.
func Title(info engine.Info, t *table.Table, lang *words.Lang) string {
	if l, ok := LessonOf(info, t); ok {
		return lang.Say(LessonKey(info, l))
	}
	parts := []string{lang.Say("game." + info.Name)}
	if t.Practice {
		parts = []string{practiceSign + parts[0], lang.Say("setting.practice")}
	}
	covered := map[string]bool{}
	for _, set := range info.Sets {
		if Chosen(t.Options, set) && !isDefault(info, set) {
			parts = append(parts, lang.Say("set."+info.Name+"."+Slug(set)))
			for name := range set.Options {
				covered[name] = true
			}
		}
	}
	for _, o := range info.Options {
		if value := t.Options[o.Name]; value != o.Values[0] && !covered[o.Name] {
			parts = append(parts, OptionValue(info, o.Name, value, lang))
		}
	}
	if first := info.Options; len(first) > 0 && !info.ForOne() && t.Options[first[0].Name] == first[0].Values[0] {
		parts = append(parts, OptionValue(info, first[0].Name, first[0].Values[0], lang))
	}
	return strings.Join(parts, " · ")
}

// isDefault reports whether a set asks for nothing but what the game is without any.
func isDefault(info engine.Info, set engine.Set) bool {
	for _, o := range info.Options {
		if value, named := set.Options[o.Name]; named && value != o.Values[0] {
			return false
		}
	}
	return true
}

// OptionValue is one value of an option in words.
func OptionValue(info engine.Info, name, value string, lang *words.Lang) string {
	key := "option." + info.Name + "." + name
	if lang.Has(key + "." + value) {
		return lang.Say(key + "." + value)
	}
	return lang.Say(key) + " " + value
}

// Slug is the set's name in plain letters, as in tokens.
func Slug(set engine.Set) string {
	i := slices.IndexFunc(set.Names, func(name string) bool {
		return !strings.ContainsFunc(name, func(r rune) bool { return r > 'z' || r == ' ' })
	})
	return set.Names[max(i, 0)]
}

// Label tells the table from others in the place.
func Label(info engine.Info, t *table.Table, lang *words.Lang) string {
	host := strings.TrimPrefix(t.HostName()+" · ", " · ")
	return host + lang.Say("phase."+strconv.Itoa(int(t.Phase))) + " · " + Title(info, t, lang) + Apart(t, lang)
}
