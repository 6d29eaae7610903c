package play

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// ReadOpening reads the sets, options and settings behind a game's command.
func ReadOpening(names *words.Names, rules engine.Rules, arg string) (Opening, error) {
	o := Opening{Rules: rules, Limit: DefaultLimit, Options: map[string]string{}, Typed: strings.Join(strings.Fields(arg), " ")}
	info := rules.Info()
	separates := func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }
	for rest := strings.FieldsFunc(arg, separates); len(rest) > 0; {
		n := readLabel(names, &o, info, rest)
		if n == 0 && o.readLevel(names, info, rest[0]) {
			n = 1
		}
		if n == 0 {
			var err error
			if n, err = o.readWord(info, rest); err != nil {
				return o, err
			}
		}
		rest = rest[n:]
	}
	var err error
	o.Ruled = len(o.Options) > 0
	switch {
	case o.Lesson:
		o.teach(info)
	case o.Practice && o.Computers == 0:
		o.Computers = company
	case o.Now:
		o.Computers = max(o.Computers, info.MinSeats-1)
	}
	o.Options, err = info.Complete(o.Options)
	return o, err
}

// teach makes it the opening of a lesson: as the game has it, with patient computers, at once, and nobody hurries.
func (o *Opening) teach(info engine.Info) {
	l := info.Lessons[o.Part]
	o.Options, o.Ruled = maps.Clone(l.Options), true
	o.Limit, o.Fast, o.Paced = 0, false, true
	o.Deal, o.Known, o.Rounds = nil, false, 0
	if !info.ForOne() {
		o.Computers, o.Now, o.Temper, o.Practice = l.Seats-1, true, table.Patient, info.Banker
	}
}

// LessonOpening is the opening of the game's lesson of that number, from 0; false if there is none.
func LessonOpening(rules engine.Rules, part int) (Opening, bool) {
	info := rules.Info()
	if part < 0 || part >= len(info.Lessons) {
		return Opening{}, false
	}
	o := Opening{Rules: rules, Lesson: true, Part: part, Asked: !info.ForOne()}
	o.teach(info)
	options, err := info.Complete(o.Options)
	o.Options = options
	return o, err == nil
}

// company is how many computer players sit down at a practice table where nobody says how many.
const company = 2

// readLabel takes a set or an option as tables show it from the front of the rest, in any language, and returns how many words it
// was: "side bets", or "примазка" for one that is on.
func readLabel(names *words.Names, o *Opening, info engine.Info, rest []string) int {
	const most = 4 // Longer labels can't be typed.
	for n := min(most, len(rest)); n > 0; n-- {
		typed := strings.Join(rest[:n], " ")
		if t, ok := table.ReadTemper(names, strings.TrimPrefix(typed, "temper=")); ok && !info.ForOne() {
			o.Temper = t
			return n
		}
		if info.Banker && (strings.EqualFold(typed, "practice") || names.IsLabel("setting.practice", typed)) {
			o.Practice = true
			return n
		}
		if word, name, _ := strings.Cut(typed, "="); strings.EqualFold(word, "learn") || names.IsLabel("setting.learn", word) {
			at := slices.IndexFunc(info.Lessons, func(l engine.Lesson) bool { return name == "" || strings.EqualFold(name, l.Name) })
			if at >= 0 {
				o.Lesson, o.Part = true, at
				return n
			}
		}
		for _, set := range info.Sets {
			if names.IsLabel("set."+info.Name+"."+board.Slug(set), typed) {
				maps.Copy(o.Options, set.Options)
				return n
			}
		}
		for _, option := range info.Options {
			key := "option." + info.Name + "." + option.Name
			for _, value := range option.Values {
				on := value == "on" && (typed == option.Name || names.IsLabel(key, typed))
				if on || names.IsLabel(key+"."+value, typed) {
					o.Options[option.Name] = value
					return n
				}
			}
		}
	}
	return 0
}

// readWord takes one setting from the front of the rest and returns how many words it was.
func (o *Opening) readWord(info engine.Info, rest []string) (int, error) {
	for n := min(2, len(rest)); n > 0; n-- {
		if set, ok := board.FindSet(info, strings.Join(rest[:n], " ")); ok {
			for name, value := range set.Options {
				o.Options[name] = value
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
		o.Options[name] = value
		return 1, nil
	}
	refused := errOptionWord
	if info.ForOne() {
		refused = errOptionAlone
	}
	return 0, words.Refuse(string(refused), words.Blanks{"what": chat.Shorten(rest[0], 20), "game": words.Text(info.Name)})
}

// setting reads a setting of the table that is no option of the game, and reports whether it was one.
func (o *Opening) setting(info engine.Info, name, value string) (ok bool, err error) {
	switch {
	case info.ForOne():
		if name == "number" || name == "deal" && isNumber(info, value) {
			o.Deal, err = parseDeal(value)
			o.Known = false
			return true, err
		}
		return false, nil
	case name == "banks" && info.Banker:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > MaxRounds {
			return false, nil
		}
		o.Rounds, o.Paced = n, true
		return true, nil
	case name == "practice" && info.Banker && (value == "on" || value == "off"):
		o.Practice = value == "on"
		return true, nil
	case name == "computers":
		o.Computers, err = parseComputers(info, value)
		return true, err
	case name == "now" && slices.Contains([]string{"", "on", "off"}, value):
		o.Now = value != "off"
		return true, nil
	case name == "fast" && !info.Banker && slices.Contains([]string{"", "on", "off"}, value):
		o.Fast, o.Paced = value != "off", true
		return true, nil
	case name == "limit":
		o.Paced = true
		o.Limit, err = parseLimit(value)
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

// LimitText is a turn limit as parseLimit reads it.
func LimitText(seconds int) string {
	switch {
	case seconds == 0:
		return "none"
	case seconds%3600 == 0:
		return strconv.Itoa(seconds/3600) + "h"
	case seconds%60 == 0 && seconds >= 120:
		return strconv.Itoa(seconds/60) + "m"
	}
	return strconv.Itoa(seconds) + "s"
}

// parseComputers reads how many computer players sit down. Whether the game has any is for its tables to say.
func parseComputers(info engine.Info, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if most := info.MaxSeats - 1; err != nil || n < 1 || n > most {
		if info.Banker {
			return most, nil
		}
		return 0, words.Refuse(string(errComputers), words.Blanks{"what": chat.Shorten(text, 20), "most": most})
	}
	return n, nil
}

// parseDeal reads the number of a deal (RECORDS.md, "Numbered deals and the command line").
func parseDeal(text string) (*int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != text {
		return nil, words.Refuse(string(errDealNumber), words.Blanks{"what": chat.Shorten(text, 20)})
	}
	return &n, nil
}

// errOptionWord refuses an option that the game doesn't have.
const errOptionWord engine.Refusal = "no-option"

// errOptionAlone refuses it for a game for one, which has no table where its player could choose.
const errOptionAlone engine.Refusal = "no-option-alone"

// errComputers refuses as many computer players as can't sit down.
const errComputers engine.Refusal = "no-computers-many"

// errLimit refuses a time for a turn that nobody can choose.
const errLimit engine.Refusal = "no-limit"

// errDealNumber refuses what is no number of a deal.
const errDealNumber engine.Refusal = "deal-number"
