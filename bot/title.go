package bot

import (
	"slices"
	"strings"

	"zevaka/bot/words"
	"zevaka/engine"
)

// limitPhrase is a turn limit in words.
func limitPhrase(seconds int) phrase {
	switch {
	case seconds == 0:
		return phrase{key: "limit.none"}
	case seconds%3600 == 0:
		return phrase{key: "limit.hours", blanks: blanks{"n": seconds / 3600}}
	case seconds%60 == 0 && seconds >= 120:
		return phrase{key: "limit.minutes", blanks: blanks{"n": seconds / 60}}
	}
	return phrase{key: "limit.seconds", blanks: blanks{"n": seconds}}
}

// title is the game and its rules in short: the sets chosen, the first option unless the game is for one, and the other
// options that stand neither at their default nor where a set wants them.
func (b *Bot) title(t *table, lang *words.Lang) string {
	info := b.games[t.Game].Info()
	parts := []string{lang.Say("game." + info.Name)}
	covered := map[string]bool{}
	for _, set := range info.Sets {
		if chosen(t.Options, set) {
			parts = append(parts, lang.Say("set."+info.Name+"."+slug(set)))
			for name := range set.Options {
				covered[name] = true
			}
		}
	}
	for i, o := range info.Options {
		if value := t.Options[o.Name]; i == 0 && !isSolo(info) || value != o.Values[0] && !covered[o.Name] {
			parts = append(parts, optionValue(info, o.Name, value, lang))
		}
	}
	return strings.Join(parts, " · ")
}

// optionValue is one value of an option in words.
func optionValue(info engine.Info, name, value string, lang *words.Lang) string {
	key := "option." + info.Name + "." + name
	if lang.Has(key + "." + value) {
		return lang.Say(key + "." + value)
	}
	return lang.Say(key) + " " + value
}

// slug is the set's name in plain letters, as in tokens.
func slug(set engine.Set) string {
	i := slices.IndexFunc(set.Names, func(name string) bool {
		return !strings.ContainsFunc(name, func(r rune) bool { return r > 'z' || r == ' ' })
	})
	return set.Names[max(i, 0)]
}
