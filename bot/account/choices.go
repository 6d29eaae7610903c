package account

import (
	"cmp"
	"slices"
	"strconv"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/picture"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// sheet is all that is chosen in a place, and by one person there.
type sheet struct {
	place   table.PlaceRecord
	decided table.Decisions
	hour    *day.Hour
	own     table.Choices
	// called says that the one who asks is called when a table for several opens in the place.
	called bool
	// unheard says that what the bot said by itself in the place didn't come to stand there.
	unheard bool
}

// choice is one thing to choose, of a few values. The button of a choice bears the value that comes next, so that a press means
// the same whenever it arrives, and however often.
type choice struct {
	name   string
	values []string
	// now is the value that stands in the sheet, and set has another one stand there.
	now func(sheet) string
	set func(*sheet, string)
	// says is a value in words.
	says func(*words.Lang, string) string
	// clock says by which clock the value of a sheet is meant, which is said so; nil where there is none.
	clock func(s sheet, said string) string
	// draws says that the tables of the place are drawn otherwise then, and looks that this is by their looks.
	draws, looks bool
	// whole says that it is chosen for the whole community.
	whole bool
	// where says in which places there is such a choice; nil in all.
	where func(chat.Place) bool
	// about is the sentence that explains it, where there are no pages that people set up themselves; empty for none.
	about string
}

// next is the value after the one that stands there.
func (c choice) next(s sheet) string {
	return c.values[(slices.Index(c.values, c.now(s))+1)%len(c.values)]
}

// said is how a value is called by that name in the catalogue, with the value behind a prefix.
func said(prefix string) func(*words.Lang, string) string {
	return func(lang *words.Lang, value string) string { return lang.Say(prefix + value) }
}

func worded(yes bool, word, other string) string {
	if yes {
		return word
	}
	return other
}

// shared reports whether several people are in a place.
func shared(p chat.Place) bool { return !p.Private }

// pictured reports whether tables are shown as pictures there.
func pictured(p chat.Place) bool { return !p.Community.Platform.DrawsTables() }

// look is a choice of looks of the place, whose values are words that change them.
func look(name string, now func(table.Looks) string, values ...string) choice {
	return choice{
		name: name, values: values, says: said("look."), draws: true, looks: true,
		now: func(s sheet) string { return now(s.place.Looks) },
		set: func(s *sheet, value string) { s.place.Wear(value) },
	}
}

// asBefore is the time for a turn that nobody has chosen for the place.
const asBefore = "before"

// ofPlace are what there is to choose for a place, in the order of its buttons.
func ofPlace(all *words.Catalogue) []choice {
	onOff := []string{"on", "off"}
	watchers := look("watchers", func(l table.Looks) string { return worded(l.Closed, "no-watchers", "watchers") }, "watchers", "no-watchers")
	watchers.where, watchers.looks = shared, false
	pictures := look("pictures", func(l table.Looks) string { return worded(l.Pictures, "pictures", "text") }, "text", "pictures")
	pictures.where = pictured
	calls := look("calls", func(l table.Looks) string { return "calls-" + cmp.Or(string(l.Calls), "soon") }, "calls-soon", "calls-once", "calls-late")
	calls.where, calls.looks = shared, false
	limits := []string{asBefore}
	for _, limit := range play.Limits() {
		limits = append(limits, strconv.Itoa(limit))
	}
	return []choice{
		{
			name: "lang", values: words.Tags(), draws: true,
			now:  func(s sheet) string { return s.place.Lang },
			set:  func(s *sheet, value string) { s.place.Lang = value },
			says: func(_ *words.Lang, value string) string { return all.Lang(value).Say("language") },
		},
		pictures,
		{
			name: "limit", values: limits, where: shared,
			now: func(s sheet) string {
				if s.place.Pace == nil {
					return asBefore
				}
				return strconv.Itoa(*s.place.Pace)
			},
			set: func(s *sheet, value string) {
				s.place.Pace = nil
				if n, err := strconv.Atoi(value); err == nil {
					s.place.Pace = &n
				}
			},
			says: func(lang *words.Lang, value string) string {
				if n, err := strconv.Atoi(value); err == nil {
					return board.LimitPhrase(n).Flat(lang)
				}
				return lang.Say("choice.before")
			},
		},
		calls,
		{
			name: "opens", values: []string{"all", "admins"}, says: said("choice."), where: shared,
			now: func(s sheet) string { return worded(s.place.Guarded, "admins", "all") },
			set: func(s *sheet, value string) { s.place.Guarded = value == "admins" },
		},
		{
			name: "gifts", values: onOff, says: said("value."), where: shared, whole: true,
			now: func(s sheet) string { return worded(s.decided.NoGifts, "off", "on") },
			set: func(s *sheet, value string) { s.decided.NoGifts = value == "off" },
		},
		{
			name: "daily", values: onOff, says: said("value."), where: shared, whole: true,
			now: func(s sheet) string { return worded(s.decided.NoDaily, "off", "on") },
			set: func(s *sheet, value string) { s.decided.NoDaily = value == "off" },
		},
		watchers,
		hourly(),
		look("suits", func(l table.Looks) string { return worded(l.Four, "four-colours", "two-colours") }, "two-colours", "four-colours"),
		look("cloth", func(l table.Looks) string { return worded(l.Cloth == "", picture.Tables()[0], l.Cloth) }, picture.Tables()...),
	}
}

// hourly is at which hour the patience of the day is told of. Another zone than that of the last hour is chosen by the command.
func hourly() choice {
	hours := []string{"off", "8", "12", "17", "20"}
	return choice{
		name: "hour", values: hours, where: func(p chat.Place) bool { return shared(p) && !p.Guest },
		now: func(s sheet) string {
			stands := "off"
			for _, value := range hours[1:] {
				if n, err := strconv.Atoi(value); err == nil && s.hour != nil && !s.hour.Stopped() && s.hour.At >= n*60 {
					stands = value // Or later: the next one is the same.
				}
			}
			return stands
		},
		set: func(s *sheet, value string) {
			n, err := strconv.Atoi(value)
			switch {
			case err != nil:
				s.hour = nil
			case s.hour == nil:
				s.hour = &day.Hour{At: n * 60}
			default:
				s.hour = &day.Hour{At: n * 60, Zone: s.hour.Zone}
			}
		},
		says: func(lang *words.Lang, value string) string {
			if value == "off" {
				return lang.Say("value.off")
			}
			return value
		},
		clock: func(s sheet, said string) string {
			if s.hour == nil || s.hour.Stopped() {
				return said
			}
			return s.hour.Text()
		},
	}
}

// asInChat is the look that the place has chosen.
const asInChat = "chat"

// byAccount is the language that a person's account says.
const byAccount = "account"

// apart reports whether what people have chosen for themselves in a place is asked of the bot, and not of a page of their own.
func apart(p chat.Place) bool { return p.Community.Platform.HasDirect() }

// newTables is whether one is called when a table for several opens in the place, where there are others and the bot can call.
func newTables() choice {
	return choice{
		name: "called", values: []string{"on", "off"}, says: said("called."),
		where: func(p chat.Place) bool { return shared(p) && !p.Guest && p.Community.Platform.Calls() > 0 },
		now:   func(s sheet) string { return worded(s.called, "on", "off") },
		set:   func(s *sheet, value string) { s.called = value == "on" },
	}
}

// ofPerson are what there is to choose for oneself.
func ofPerson(all *words.Catalogue) []choice {
	notice := choice{
		name: "notice", values: []string{"mention", "private", "off"}, says: said("notice."), where: apart,
		now: func(s sheet) string {
			return worded(s.own.Notice == table.ByMention, "mention", string(s.own.Notice))
		},
		set: func(s *sheet, value string) {
			s.own.Notice = table.Notice(worded(value == "mention", "", value))
		},
	}
	nowhereElse := notice
	nowhereElse.values, nowhereElse.where = []string{"mention", "off"}, func(p chat.Place) bool { return !apart(p) }
	return []choice{
		{
			name: "my-lang", values: append([]string{byAccount}, words.Tags()...), where: apart,
			now: func(s sheet) string { return worded(s.own.Lang == "", byAccount, s.own.Lang) },
			set: func(s *sheet, value string) { s.own.Lang = worded(value == byAccount, "", value) },
			says: func(lang *words.Lang, value string) string {
				if value == byAccount {
					return lang.Say("choice.account")
				}
				return all.Lang(value).Say("language")
			},
		},
		notice,
		nowhereElse,
		{
			name: "sound", values: []string{"on", "off"}, says: said("value."), where: apart,
			now: func(s sheet) string { return worded(s.own.Quiet, "off", "on") },
			set: func(s *sheet, value string) { s.own.Quiet = value == "off" },
		},
		{
			name: "my-calls", values: []string{asInChat, "once"}, where: shared,
			says: func(lang *words.Lang, value string) string {
				return lang.Say(worded(value == "once", "look.calls-once", "choice.chat"))
			},
			now: func(s sheet) string { return worded(s.own.AtOnce, "once", asInChat) },
			set: func(s *sheet, value string) { s.own.AtOnce = value == "once" },
		},
		newTables(),
		{
			name: "my-suits", values: []string{asInChat, string(table.TwoColours), string(table.FourColours)}, says: said("choice."),
			where: shared, about: "settings-suits",
			now: func(s sheet) string { return worded(s.own.Suits == table.AsInChat, asInChat, string(s.own.Suits)) },
			set: func(s *sheet, value string) {
				s.own.Suits = table.Suits(worded(value == asInChat, "", value))
			},
		},
	}
}
