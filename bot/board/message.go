package board

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/picture"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/patience/deals"
)

// Then is the table, which has ended, as it was when these were the events so far, as far as a position of it is to be drawn
// again: who was out, and what happened last. Who has left or was away since sits there.
func (d Drawing) Then(events []engine.Event) *table.Table {
	const last = 3
	info, then := d.Rules.Info(), *d.Table
	then.Phase, then.Why, then.Result, then.Next = table.Playing, "", nil, ""
	then.Asleep, then.Closing, then.Waiting, then.Kept, then.Page = false, nil, nil, nil, 0
	then.Chairs = slices.Clone(then.Chairs)
	for i := range then.Chairs {
		c := &then.Chairs[i]
		c.Out, c.Away, c.Left, c.Leaving = false, false, false, table.Stays
	}
	for _, e := range events {
		if info.EventRole(e.What) == engine.EventGoesOut {
			then.Chairs[e.Seat].Out = true
		}
	}
	then.Last = slices.Clone(Newest(info, events, last))
	return &then
}

// Frame is a position of a deal that has ended: the picture of it, or where there is none its piles in words, with what happened
// last. The Table of the Drawing is that of Then. It has no buttons.
func (d Drawing) Frame(view engine.View) chat.Message {
	p := d.painter()
	view.Offers = nil
	if p.info.ForOne() {
		if d.Pictured() {
			p.shot = p.picture(view)
		} else {
			p.layout(view)
		}
		p.news(view)
		return chat.Message{Text: closed(p.Spans), Picture: p.shot}
	}
	several := progress{p, view}
	if d.Pictured() {
		p.shot = several.several()
	} else {
		several.position()
		p.Text("\n")
		for _, line := range several.happenedLast(max(2, several.room())) {
			p.append(line)
			p.Text("\n")
		}
	}
	return chat.Message{Text: closed(p.Spans), Picture: p.shot}
}

// FrameShot is the picture of such a position, whatever the place wants; nil where the Drawing has no Pictures.
func (d Drawing) FrameShot(view engine.View) *picture.Picture {
	view.Offers = nil
	switch p := d.painter(); {
	case d.Pictures == nil:
		return nil
	case p.info.ForOne():
		return p.picture(view)
	default:
		return progress{p, view}.several()
	}
}

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
	return lowered(lang.Say(key)) + " " + value
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

// Known is what tells the table from others of the same host.
func Known(t *table.Table, lang *words.Lang) string {
	return lang.Say("game."+t.Game) + Apart(t, lang) + " (" + lang.Say("phase."+strconv.Itoa(int(t.Phase))) + ")"
}

// Lines tell events in order, line by line; none is longer than what one move can cause. The view is that of Nobody; nil if
// there is none.
func (d Drawing) Lines(events []engine.Event, view *engine.View) []string {
	var lines []string
	info := d.Rules.Info()
	all := story(d.Table, info, events)
	if info.ForOne() && view != nil {
		all = d.painter().happened(events, *view)
	}
	for _, line := range all {
		text := ""
		for i, p := range line {
			if i > 0 {
				text += " "
			}
			text += p.Flat(d.Lang)
		}
		lines = append(lines, text)
	}
	return lines
}

// Task says what there is to do in a deal in progress and by whom, and more about it; empty where nobody must move.
func (d Drawing) Task(view engine.View) (task, about string) {
	if len(view.Turn) == 0 {
		return "", ""
	}
	return progress{d.painter(), view}.task().Flat(d.Lang), d.about(view)
}

// about is more about what there is to do: what a lesson says, or else what is said at every table.
func (d Drawing) about(view engine.View) string {
	if key := "turn." + view.Task + ".about"; d.Tip == "" && d.Lang.Has(key) {
		return d.Lang.Say(key)
	}
	return d.Tip
}

// Taught says at the end of a lesson what comes next; empty at other tables.
func (d Drawing) Taught() string {
	info := d.Rules.Info()
	l, ok := LessonOf(info, d.Table)
	switch {
	case !ok:
		return ""
	case d.Table.Why == "" || d.Table.Why == Done || l.Course != nil && d.Table.Line >= len(l.Course):
		return d.Lang.Say(LessonKey(info, l) + ".over")
	}
	return d.Lang.Say("lesson.later")
}

// Outcome says in a sentence how a game for one has ended that was played to its end.
func Outcome(lang *words.Lang, result engine.Patience) string {
	key := "patience.lost"
	if result.Solved {
		key = "patience.solved"
	}
	return words.Phrase{Key: key, N: result.Score, Blanks: words.Blanks{"n": result.Score}}.Flat(lang)
}

// Later draws the table's message when it is called. It is false if drawing panics, which is logged. As long
// as it may be called the Drawing must not change.
func (d Drawing) Later(view engine.View, epoch int, log *slog.Logger) func() (chat.Message, bool) {
	return func() (m chat.Message, ok bool) {
		defer func() {
			if p := recover(); p != nil {
				log.Error("a picture can't be drawn", "table", d.Table.ID, "error", fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		return d.Message(view, epoch), true
	}
}

// Turn tells somebody apart from the table that it is their turn there.
func Turn(game string) words.Phrase {
	return words.Phrase{Key: "turn-apart", Blanks: words.Blanks{"what": words.Phrase{Key: "game." + game}}}
}

// Call tells whoever is to move how much time is left; where there is much, or no limit, that it is their turn. Stakes says that a stake is
// made for them when it is over.
func Call(who string, left time.Duration, unlimited, stakes bool) words.Phrase {
	if unlimited || left > 2*time.Hour {
		return words.Phrase{Key: "turn-call", Blanks: words.Blanks{"who": who}}
	}
	key, n := "warning", int(left.Round(time.Second)/time.Second)
	if n >= 120 {
		key, n = "warning-minutes", (n+30)/60
	} else if stakes {
		key = "warning-stake"
	}
	return words.Phrase{Key: key, N: n, Blanks: words.Blanks{"who": who, "n": n}}
}

// TextOf draws the text of a picture alone: there is nothing to press in it any more.
func TextOf(draw func() (chat.Message, bool)) func() (chat.Message, bool) {
	return func() (chat.Message, bool) {
		m, ok := draw()
		return chat.Message{Text: m.Text}, ok
	}
}

// RulesPost is a game's rules in short for the one who asks, and a button for those who want all of them. Of a table, which may be nil, it says by
// which options it is played.
func RulesPost(catalogue *words.Catalogue, r chat.Request, rules engine.Rules, t *table.Table) (chat.Post, error) {
	lang, info := catalogue.Lang(r.Who.Lang), rules.Info()
	if !lang.Has("short." + info.Name) {
		return AllRulesPost(catalogue, r, rules, nil)
	}
	w := words.Writer{Lang: lang}
	w.Say(chat.Plain, "short."+info.Name)
	differs := func(o engine.Option) bool { return t.Options[o.Name] != o.Values[0] }
	if t != nil && !t.Lesson && slices.ContainsFunc(info.Options, differs) {
		w.Text("\n\n")
		w.Phrase(chat.Plain, words.Phrase{Key: "short-here", Blanks: words.Blanks{"what": words.Text(Title(info, t, lang))}})
	}
	all := chat.Button{Label: lang.Say("button.all-rules"), Token: table.PlaceToken(r, "!rules "+info.Name+" all")}
	return chat.Post{In: r.In, To: &r.Who, Open: chat.Common, Message: chat.Message{Text: w.Spans, Buttons: [][]chat.Button{{all}}}}, nil
}

// AllRulesPost is a game's page of rules, which nobody but the one who asks is to scroll past. Of its forms that stands first by which it
// is played with these options.
func AllRulesPost(catalogue *words.Catalogue, r chat.Request, rules engine.Rules, options map[string]string) (chat.Post, error) {
	text, ok := catalogue.Lang(r.Who.Lang).Rules(rules.Info().Name)
	if !ok {
		return chat.Post{}, words.Refuse(string(ErrNoRules), words.Blanks{"what": rules.Info().Name})
	}
	text = formFirst(rules.Info(), options, text)
	if rules.Info().ForOne() {
		text += OddsLine(catalogue.Lang(r.Who.Lang), rules.Info().Name) + "\n" + catalogue.Lang(r.Who.Lang).Say("rules-moves")
	}
	return chat.Post{In: r.In, To: &r.Who, Message: chat.Message{Text: []chat.Span{{Text: text}}}}, nil
}

// formFirst is a page of rules with the line about the brief form of the game right below its title, if that is played with these options.
func formFirst(info engine.Info, options map[string]string, page string) string {
	for _, set := range info.Sets {
		if !set.Brief || !Chosen(options, set) {
			continue
		}
		lines := strings.Split(page, "\n")
		i := slices.IndexFunc(lines, func(line string) bool {
			return slices.ContainsFunc(set.Names, func(name string) bool { return strings.HasPrefix(line, name+" ") })
		})
		if i > 1 {
			form := lines[i]
			return strings.Join(slices.Concat(lines[:1], []string{"", form}, lines[1:i], lines[i+1:]), "\n")
		}
	}
	return page
}

// OddsLine says on a line of its own how often a game for one comes out; empty where nobody has measured it.
func OddsLine(lang *words.Lang, game string) string {
	computer, least, ok := deals.Odds(game)
	if !ok {
		return ""
	}
	return "\n" + words.Phrase{Key: "comes-out", Blanks: words.Blanks{"computer": computer, "least": least}}.Flat(lang) + "\n"
}

// ErrNoRules refuses the rules of a game that nobody knows.
const ErrNoRules engine.Refusal = "no-rules"
