package play

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience/deals"
)

// Opening is a table that somebody asks for.
type Opening struct {
	Rules   engine.Rules
	Options map[string]string
	Limit   int
	Fast    bool
	// Named are those of the Options that somebody has named; nil where they weren't read from what somebody typed.
	Named map[string]string
	// Ruled says that somebody has chosen Options, and Paced that they have chosen Limit, Fast or Rounds.
	Ruled, Paced bool
	// Deal is the number of the deal; nil for one that nobody knows.
	Deal *int64
	// Same are the cards of a patience without a number that has ended, which are dealt again; else it is nil.
	Same *table.Cards
	// Known says that the deal is to be one that is known to come out, of that Level, the zero one being any: Dealt chooses it.
	Known bool
	Level deals.Level
	// Day is the number of the day whose patience it is, with its Deal; 0 for any other.
	Day int
	// Rounds is how often everybody is to hold the bank; 0 is once.
	Rounds int
	// Computers are how many computer players sit down at once. Now says that the cards are dealt then, to them and the one
	// who asks; if no number was chosen, they are as many as the game needs.
	Computers int
	Now       bool
	// Practice says that a bank is held for the table's own chips.
	Practice bool
	// Lesson says that the table teaches the game, by its lesson Part, from 0.
	Lesson bool
	Part   int
	// Temper is how they are. Company are those of them who sat together before, as they were.
	Temper  table.Temper
	Company []table.Chair
	// Kept are people for whom a seat is kept.
	Kept []table.Chair
	// Name is the table's name; empty for one that follows from the request. Link is where it stands in a chain.
	Name string
	Link Link
	// Offer is the name of the offer whose link is followed, which leads to one table until that has ended; empty for any other.
	Offer string
	// Lang is the language of the table, unless another was chosen for its place; empty for that of the place and of the one
	// who asks.
	Lang string
	// Typed is what was typed behind the command, with single spaces.
	Typed string
	// Asked says that the one who asks has chosen where to play, or to open another table, and ReportTo, if not nil, that the place is to hear how it
	// ends.
	Asked    bool
	ReportTo *chat.Place
	// Board is the message in whose place the table is shown; empty for a new one.
	Board chat.Ref
}

// Link is where in a chain a table is opened: First is the name of its first table, and Newest that of the newest as
// it was stored before, empty if none was.
type Link struct{ First, Newest string }

// Limits are the turn limits offered, in seconds; 0 is none. They are in the order in which a button goes through them.
func Limits() []int { return []int{60, 120, 300, 3600, 86400, 0, 15, 30} }

// DefaultLimit is the time for a turn, in seconds, where nobody has chosen another.
const DefaultLimit = 60

// MaxRounds is how often everybody can be asked to hold the bank in one session.
const MaxRounds = 5

// Spoken is the language of the table in the request's place; empty if nothing tells. Where nobody has chosen one for the place,
// it is that of the opening, or, of a game for one, the player's: it concerns nobody else.
func (o Opening) Spoken(record table.PlaceRecord, all *words.Catalogue, r chat.Request) string {
	switch {
	case record.Lang != "":
	case o.Lang != "":
		return o.Lang
	case o.Rules.Info().ForOne() && r.Who.Lang != "":
		return all.Lang(r.Who.Lang).Tag
	}
	return record.Spoken(all, r)
}

// Filled is the opening for a place of which this is known: what nobody has named is as the game was played there last. Where
// it never was, people who play it between other things, in a chat, get a game that ends the same evening. It refuses options that were
// named and would change nothing.
func (o Opening) Filled(record table.PlaceRecord, in chat.Place) (Opening, error) {
	info := o.Rules.Info()
	last, played := record.Played[info.Name]
	if played && !o.Paced {
		o.Limit, o.Fast, o.Rounds = last.Limit, last.Fast, last.Rounds
	}
	if record.Pace != nil && !o.Paced && !info.ForOne() {
		o.Limit = *record.Pace
	}
	if o.Named == nil && (o.Ruled || info.ForOne()) {
		return o, nil
	}
	options, err := info.Choose(o.Named, usualOptions(info, record, in))
	if vain := new(engine.Vain); errors.As(err, &vain) {
		return o, refuseVain(vain)
	}
	if err == nil {
		o.Options = options
	}
	return o, err
}

// usualOptions are the options by which the game is usually played in a place; nil where it is by its defaults.
func usualOptions(info engine.Info, record table.PlaceRecord, in chat.Place) map[string]string {
	last, played := record.Played[info.Name]
	switch {
	case info.ForOne():
		return nil
	case played:
		return last.Options
	case in.Community.Platform != chat.Web:
		return brief(info)
	}
	return nil
}

// Usual are the options in full of which the game is dealt in a place where nobody names any.
func Usual(info engine.Info, record table.PlaceRecord, in chat.Place) (map[string]string, error) {
	return info.Choose(nil, usualOptions(info, record, in))
}

// brief are the options by which the game takes a fraction of its time; nil if there are none.
func brief(info engine.Info) map[string]string {
	for _, set := range info.Sets {
		if set.Brief {
			return set.Options
		}
	}
	return nil
}

// refuseVain refuses an option that would change nothing.
func refuseVain(v *engine.Vain) error {
	return words.Refuse(string(errVain), words.Blanks{"what": words.Text(v.Name + "=" + v.Value), "with": words.Text(v.Need.Option + "=" + v.Need.Is)})
}

// errVain refuses an option that would change nothing, since another one isn't as it needs it.
const errVain engine.Refusal = "option-vain"

// levelNamed is the level that people call so, zero for any; false if it is none. Levels are typed behind "deal=" as deals.Levels has
// them, or in any language as tables call them (level.easy and so on).
func levelNamed(names *words.Names, typed string) (deals.Level, bool) {
	typed = strings.ToLower(typed)
	for i, word := range deals.Levels() {
		if typed == word || typed != "" && (names.IsLabel("level."+word, typed) || strings.Contains(alsoCalled()[i], " "+typed+" ")) {
			return []deals.Level{deals.Easy, deals.Medium, deals.Hard, 0}[i], true
		}
	}
	return 0, false
}

// alsoCalled is what else people may type for each of deals.Levels.
func alsoCalled() []string {
	return []string{
		" легкий легко лёгкая легкая простой простая latwy łatwe latwe łatwo latwo ",
		" средняя средне sredni średnie srednie średnio srednio ",
		" трудная трудно сложный сложная сложно тяжёлый тяжелый trudne trudno ",
		" любая dowolne obojętnie obojetnie ",
	}
}

// readLevel takes how hard the deal is to be from the front of the rest, as deal=hard or hard alone, and reports whether it was
// there. Alone, "any" says nothing of deals: it is what options may be.
func (o *Opening) readLevel(names *words.Names, info engine.Info, word string) bool {
	if !info.ForOne() {
		return false
	}
	name, value, with := strings.Cut(strings.ToLower(word), "=")
	if !with {
		level, ok := levelNamed(names, name)
		if !ok || level == 0 {
			return false
		}
		o.known(level)
		return true
	}
	if name != "deal" && name != "level" && !names.IsLabel("setting.level", name) && !names.IsLabel("setting.number", name) {
		return false
	}
	level, ok := levelNamed(names, value)
	if ok {
		o.known(level)
	}
	return ok
}

// known asks for a deal that is known to come out.
func (o *Opening) known(level deals.Level) { o.Known, o.Level, o.Deal = true, level, nil }

// Dealt is the opening with the number of a deal, where one that is known to come out was asked for: chance chooses it, and the same
// one when the same request comes again. It refuses where none is known: such deals are known by the usual rules only.
func (o Opening) Dealt(request string) (Opening, error) {
	if !o.Known {
		return o, nil
	}
	o.Known = false
	info := o.Rules.Info()
	usual, err := info.Complete(nil)
	if err != nil {
		return o, err
	}
	if !maps.Equal(usual, o.Options) {
		return o, words.Refuse(string(errLevelRules), words.Blanks{"game": words.Text(info.Name)})
	}
	chance := rand.New(rand.NewChaCha8(sha256.Sum256([]byte("known deal " + request))))
	deal, ok := deals.Pick(info.Name, o.Level, chance)
	if !ok {
		return o, words.Refuse(string(errNoKnown), words.Blanks{"game": words.Text(info.Name)})
	}
	o.Deal = &deal.Number
	return o, nil
}

// errLevelRules refuses a deal that is known to come out where the rules are not the usual ones.
const errLevelRules engine.Refusal = "level-rules"

// errNoKnown refuses one of a game, or of a level, of which none is known.
const errNoKnown engine.Refusal = "no-known-deal"

// MaxOwn is how many tables one person may have open in a place: those of which they are the host. Whoever sits at maxSeated of others'
// opens none, be it that they have left them.
const MaxOwn, maxSeated = 3, 6

// Room is what makes room in a place for a table that its host asks for, where these are open there, the oldest first. Who sits at too
// many of others' gets none, as they could be tables of one's own by turns. Where the
// host has as many as they may, it is their oldest table at which nobody else sits and nothing has begun, which is to be closed. But
// where they ask once more for one that no message shows yet, as who hears nothing for long does, same is that one, and nothing is
// to be closed for it: a chat that takes few messages must not be filled with tables that nobody has seen. False: there is no
// room, and none can be made.
func (o Opening) Room(tables []*table.Table, host int64) (closes, same *table.Table, ok bool) {
	own := slices.DeleteFunc(slices.Clone(tables), func(t *table.Table) bool { return t.Host != host })
	seated := slices.DeleteFunc(slices.Clone(tables), func(t *table.Table) bool {
		return t.Host == host || host == 0 || !t.At(host)
	})
	switch {
	case len(seated) >= maxSeated && !o.Rules.Info().ForOne():
		return nil, nil, false
	case len(own) < MaxOwn:
		return nil, nil, true
	}
	for _, t := range own {
		switch {
		case !t.IsFree():
		case o.unseen(t):
			return nil, t, true
		case closes == nil:
			closes = t
		}
	}
	return closes, nil, closes != nil
}

// unseen reports whether a table that nobody else has come to is the one asked for, as it would be opened now, and no message
// shows it yet.
func (o Opening) unseen(t *table.Table) bool {
	plain := !o.Now && o.Practice == t.Practice && o.Computers == 0 && len(o.Kept) == 0 && o.Deal == nil && o.Board == "" && o.Link == Link{} && o.Lang == ""
	ruled := !o.Ruled || maps.Equal(o.Options, t.Options)
	if o.Named != nil {
		ruled = board.Chosen(t.Options, engine.Set{Options: o.Named})
	}
	paced := !o.Paced || o.Limit == t.Limit && o.Fast == t.Fast
	lobby := t.Phase == table.Lobby && t.Board == "" && len(t.Chairs) <= 1
	return lobby && plain && ruled && paced && t.Game == o.Rules.Info().Name
}

// toggleSet is the options with a named set chosen, or back at their defaults where it was chosen already; false if the
// game has no such set. A set without options of its own is all the defaults. The options given stay as they are.
func toggleSet(info engine.Info, options map[string]string, name string) (map[string]string, bool) {
	set, ok := board.FindSet(info, name)
	if !ok {
		return nil, false
	}
	if len(set.Options) > 0 && !board.Chosen(options, set) {
		changed, err := info.Choose(set.Options, options)
		return changed, err == nil
	}
	changed := maps.Clone(options)
	for _, o := range info.Options {
		if _, named := set.Options[o.Name]; named || len(set.Options) == 0 {
			changed[o.Name] = o.Values[0]
		}
	}
	changed, err := info.Choose(nil, changed)
	return changed, err == nil
}

// nextValue is the options with one of them turned to its next value that changes something; false if there is no such option, or no
// other value. The options given stay as they are.
func nextValue(info engine.Info, options map[string]string, name string) (map[string]string, bool) {
	value, ok := info.NextValue(options, name)
	if !ok {
		return nil, false
	}
	changed := maps.Clone(options)
	changed[name] = value
	changed, err := info.Choose(nil, changed)
	return changed, err == nil
}

// SwitchOption turns one of the switches of a table's lobby; false if there is no such switch. The argument is the set or the
// option.
func SwitchOption(info engine.Info, t *table.Table, name, arg string) bool {
	options, ok := t.Options, true
	switch name {
	case "panel":
		t.Panel, t.Details = !t.Panel, false
	case "details":
		t.Details = !t.Details
	case "set":
		options, ok = toggleSet(info, t.Options, arg)
	case "opt":
		options, ok = nextValue(info, t.Options, arg)
	case "limit":
		i := slices.Index(Limits(), t.Limit)
		t.Limit = Limits()[(i+1)%len(Limits())]
	case "temper":
		t.Temper, ok = t.Temper.Next(), !info.ForOne()
	case "fast":
		t.Fast = !t.Fast
	case "rounds":
		t.Rounds = t.Rounds%MaxRounds + min(t.Rounds, 1)
	default:
		return false
	}
	if ok {
		t.Options = options
	}
	return ok
}

// ReadOpening reads the sets, options and settings behind a game's command.
func ReadOpening(names *words.Names, rules engine.Rules, arg string) (Opening, error) {
	o := Opening{Rules: rules, Limit: DefaultLimit, Options: map[string]string{}, Typed: strings.Join(strings.Fields(arg), " ")}
	info := rules.Info()
	separates := func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }
	beside := false // There is something that isn't the lesson, nor what each lesson is.
	for rest := strings.FieldsFunc(arg, separates); len(rest) > 0; {
		taught, practised := o.Lesson, o.Practice
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
		beside = beside || o.Lesson == taught && o.Practice == practised
		rest = rest[n:]
	}
	var err error
	o.Named, o.Ruled = maps.Clone(o.Options), len(o.Options) > 0
	switch {
	case o.Lesson && beside:
		return o, words.Refuse(string(errLessonAlone), words.Blanks{"game": words.Text(info.Name)})
	case o.Lesson:
		o.teach(info)
	case info.Banker && !o.Practice && o.Temper != table.Mixed:
		return o, table.ErrNoRobots
	case o.Practice && o.Computers >= info.MaxSeats:
		return o, tooMany(info)
	case o.Practice && o.Computers == 0:
		o.Computers = company
	case o.Now:
		o.Computers = max(o.Computers, info.MinSeats-1)
	}
	o.Options, err = info.Complete(o.Options)
	return o, err
}

// errLessonAlone refuses rules and settings that are named beside a lesson, which has its own.
const errLessonAlone engine.Refusal = "lesson-alone"

// teach makes it the opening of a lesson: as the game has it, with patient computers, at once, and nobody hurries.
func (o *Opening) teach(info engine.Info) {
	l := info.Lessons[o.Part]
	o.Options, o.Named, o.Ruled = maps.Clone(l.Options), nil, true
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
	o := Opening{Rules: rules, Lesson: true, Part: part}
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
	amount := func(o engine.Option) bool { return o.Name == name && o.Max > 0 }
	if i := slices.IndexFunc(info.Options, amount); i >= 0 {
		one := info.Options[i]
		return 0, outOfRange(name, one.Values[0], one.Min, one.Max)
	}
	refused := errOptionWord
	if info.ForOne() {
		refused = errOptionAlone
	}
	return 0, words.Refuse(string(refused), words.Blanks{"what": chat.Shorten(rest[0], 20), "game": words.Text(info.Name)})
}

// outOfRange refuses a number that an option or a setting of that name can't be.
func outOfRange(name, such string, least, most int) error {
	return words.Refuse(string(errRange), words.Blanks{"what": words.Text(name), "n": words.Text(such), "min": least, "max": most})
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
			return true, outOfRange(name, "2", 1, MaxRounds)
		}
		o.Rounds, o.Paced = n, true
		return true, nil
	case name == "practice" && info.Banker && (value == "on" || value == "off"):
		o.Practice = value == "on"
		return true, nil
	case name == "computers":
		o.Computers, err = parseComputers(info, value)
		if info.Banker { // Where people play for chips none sit, however many: that is refused. Practice may be said later.
			err = nil
		}
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

// parseComputers reads how many computer players sit down; with a refusal it is more than can. Whether the game has any is for its tables to say.
func parseComputers(info engine.Info, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n >= info.MaxSeats {
		return info.MaxSeats, tooMany(info)
	}
	return n, nil
}

// tooMany refuses as many computer players as can't sit down.
func tooMany(info engine.Info) error {
	return words.Refuse(string(errComputers), words.Blanks{"most": info.MaxSeats - 1})
}

// parseDeal reads the number of a deal (RECORDS.md, "Numbered deals and the command line").
func parseDeal(text string) (*int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != cmp.Or(strings.TrimLeft(text, "0"), "0") {
		return nil, words.Refuse(string(errDealNumber), words.Blanks{"what": chat.Shorten(text, 20)})
	}
	return &n, nil
}

// errOptionWord refuses an option that the game doesn't have.
const errOptionWord engine.Refusal = "no-option"

// errOptionAlone refuses it for a game for one, which has no table where its player could choose.
const errOptionAlone engine.Refusal = "no-option-alone"

// errRange refuses a number that is too small or too large for an option, or none.
const errRange engine.Refusal = "no-option-range"

// errComputers refuses as many computer players as can't sit down.
const errComputers engine.Refusal = "no-computers-many"

// errLimit refuses a time for a turn that nobody can choose.
const errLimit engine.Refusal = "no-limit"

// errDealNumber refuses what is no number of a deal.
const errDealNumber engine.Refusal = "deal-number"

// maxHome is how many tables of a place may have been opened from one home, which is a network: a person in many tabs must leave room for others.
const maxHome = table.MaxTables / 2

// errHome refuses one more.
const errHome engine.Refusal = "home-tables"

// homes are the homes from which the tables of places were opened, by the names of those, where requests come from homes that can be told
// apart. It is told to nobody and stored nowhere: after a start all count anew. The zero homes know of none.
type homes struct {
	mu sync.Mutex
	at map[chat.Place]map[string]string
}

// spot is a place as a key.
func spot(p chat.Place) chat.Place {
	return chat.Place{Community: p.Community, Channel: p.Channel, Thread: p.Thread}
}

// note notes from where a table was opened.
func (h *homes) note(r chat.Request, name string) {
	if r.From == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.at == nil {
		h.at = map[chat.Place]map[string]string{}
	}
	if h.at[spot(r.In)] == nil {
		h.at[spot(r.In)] = map[string]string{}
	}
	if _, opened := h.at[spot(r.In)][name]; !opened { // Who sits down there hasn't opened it.
		h.at[spot(r.In)][name] = chat.Network(r.From)
	}
}

// opened are those of a place's tables, which are all that are open there, that were opened from where the request comes from.
func (h *homes) opened(r chat.Request, tables []*table.Table) (own []*table.Table) {
	if r.From == "" {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	from, open, network := h.at[spot(r.In)], map[string]string{}, chat.Network(r.From)
	for _, t := range tables {
		name := t.ID.Name
		if t.Session != nil && t.Session.First != "" {
			name = t.Session.First // Nobody has opened the tables at which a session goes on.
		}
		home, known := from[name]
		if known {
			open[name] = home
		}
		if home == network {
			own = append(own, t)
		}
	}
	if h.at != nil {
		h.at[spot(r.In)] = open
	}
	return own
}

// callers are to which table people were called last in each place. They end with the process: after a start nobody was called in vain.
type callers struct {
	mu   sync.Mutex
	last map[chat.Place]caller
}

// caller is a table to which people were called, and who opened it. Again says that they had been called in vain just before.
type caller struct {
	who   int64
	table table.ID
	again bool
}

// maxCallers is of how many places it is remembered to which table people were called.
const maxCallers = 1000

// note notes to which table people were called in a place.
func (c *callers) note(in chat.Place, last caller) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil || len(c.last) >= maxCallers {
		c.last = map[chat.Place]caller{}
	}
	c.last[spot(in)] = last
}

// inVain reports whether people were called in vain, who were so once: to a table that isn't among those of the place any more, nor its session, and that
// somebody else had opened than who asks now.
func (c *callers) inVain(r chat.Request, beside []*table.Table) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	last, known := c.last[spot(r.In)]
	stands := func(t *table.Table) bool {
		return t.ID == last.table || t.Session != nil && t.Session.First == last.table.Name
	}
	return known && !last.again && last.who != r.Who.ID && !slices.ContainsFunc(beside, stands)
}
