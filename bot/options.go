package bot

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"zevaka/bot/words"
	"zevaka/engine"
)

const (
	errOptionWord engine.Refusal = "no-option"
	errLimit      engine.Refusal = "no-limit"
)

// parseOpening reads the sets, options and settings behind a game's command.
func (b *Bot) parseOpening(rules engine.Rules, arg string) (opening, error) {
	o := opening{rules: rules, limit: defaultLimit, options: map[string]string{}}
	info := rules.Info()
	separates := func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }
	for rest := strings.FieldsFunc(arg, separates); len(rest) > 0; {
		n := b.readLabel(&o, info, rest)
		if n == 0 {
			var err error
			if n, err = o.read(info, rest); err != nil {
				return o, err
			}
		}
		rest = rest[n:]
	}
	var err error
	o.options, err = info.Complete(o.options)
	return o, err
}

// readLabel takes an option as tables show it from the front of the rest, in any language, and returns how many words it
// was: "side bets", or "примазка" for one that is on.
func (b *Bot) readLabel(o *opening, info engine.Info, rest []string) int {
	const most = 4 // Longer labels can't be typed.
	for n := min(most, len(rest)); n > 0; n-- {
		typed := strings.Join(rest[:n], " ")
		for _, option := range info.Options {
			key := "option." + info.Name + "." + option.Name
			for _, value := range option.Values {
				on := value == "on" && (typed == option.Name || b.isLabel(key, typed))
				if on || b.isLabel(key+"."+value, typed) {
					o.options[option.Name] = value
					return n
				}
			}
		}
	}
	return 0
}

// isLabel reports whether the sentence without blanks is what was typed, in any language.
func (b *Bot) isLabel(key, typed string) bool {
	return slices.ContainsFunc(words.Tags(), func(tag string) bool {
		return strings.EqualFold(b.words.Lang(tag).Say(key), typed)
	})
}

// read takes one setting from the front of the rest and returns how many words it was.
func (o *opening) read(info engine.Info, rest []string) (int, error) {
	for n := min(2, len(rest)); n > 0; n-- {
		if set, ok := findSet(info, strings.Join(rest[:n], " ")); ok {
			for name, value := range set.Options {
				o.options[name] = value
			}
			return n, nil
		}
	}
	name, value, _ := strings.Cut(strings.ToLower(rest[0]), "=")
	if ok, err := o.setting(info, name, value); ok {
		return 1, err
	}
	if value == "" {
		name, value = standsFor(info, name), name
	}
	if _, err := info.Complete(map[string]string{name: value}); err == nil {
		o.options[name] = value
		return 1, nil
	}
	return 0, refuse(string(errOptionWord), blanks{"what": shorten(rest[0], 20), "known": strings.Join(known(info), " ")})
}

// setting reads a setting of the table that is no option of the game, and reports whether it was one.
func (o *opening) setting(info engine.Info, name, value string) (ok bool, err error) {
	switch {
	case isSolo(info):
		if name == "number" || name == "deal" && isNumber(info, value) {
			o.deal, err = parseDeal(value)
			return true, err
		}
		return false, nil
	case name == "banks" && info.Banker:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > maxRounds {
			return false, nil
		}
		o.rounds = n
		return true, nil
	case name == "fast" && !info.Banker && slices.Contains([]string{"", "on", "off"}, value):
		o.fast = value != "off"
		return true, nil
	case name == "limit":
		o.limit, err = parseLimit(value)
		return true, err
	}
	return false, nil
}

// isNumber reports whether a deal is meant for a number, in a game that may have an option of that name, too.
func isNumber(info engine.Info, deal string) bool {
	named := slices.ContainsFunc(info.Options, func(o engine.Option) bool { return o.Name == "deal" })
	return !named || deal != "" && strings.ContainsAny(deal[:1], "-0123456789")
}

// standsFor is the option that a value standing alone is one of, as 52 or the size of a bank; empty if it could be
// several or none.
func standsFor(info engine.Info, value string) string {
	found := ""
	for _, option := range info.Options {
		_, err := info.Complete(map[string]string{option.Name: value})
		switch {
		case err != nil:
		case option.Max > 0: // Of amounts the first one that it can be is meant.
			return option.Name
		case found != "" || value == "on" || value == "off":
			return ""
		default:
			found = option.Name
		}
	}
	return found
}

// known are the names of the game's sets and options and of the table's settings, as one would type them.
func known(info engine.Info) []string {
	var all []string
	for _, set := range info.Sets {
		all = append(all, slug(set))
	}
	for _, option := range info.Options {
		all = append(all, option.Name+"="+strings.Join(option.Values, "|"))
	}
	switch {
	case isSolo(info):
		return append(all, "deal=12345")
	case info.Banker:
		return append(all, "limit=60s", "banks=2")
	}
	return append(all, "limit=60s", "fast")
}

// parseLimit reads a turn limit as 45, 45s, 10m, 24h, none: from 15 seconds to 24 hours.
func parseLimit(text string) (int, error) {
	if text == "none" || text == "off" || text == "0" {
		return 0, nil
	}
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzабвгдеёжзийклмнопрстуфхцчшщъыьэюя.")
	unit, known := map[string]int{
		"": 1, "s": 1, "sec": 1, "с": 1, "сек": 1, "sek": 1,
		"m": 60, "min": 60, "м": 60, "мин": 60, "h": 3600, "g": 3600, "godz": 3600, "ч": 3600, "час": 3600,
	}[strings.TrimSuffix(text[len(digits):], ".")]
	n, err := strconv.Atoi(digits)
	if err != nil || !known || n <= 0 || n > 24*3600/unit || n*unit < 15 {
		return 0, errLimit
	}
	return n * unit, nil
}
