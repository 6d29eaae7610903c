package board

import (
	"zevaka/bot/words"
	"zevaka/engine"
)

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

// PileName is what people call a pile; empty where there is no word for it.
func PileName(lang *words.Lang, info engine.Info, pile engine.Pile) string {
	name := nameOf(lang, "pile", info.Name, pile.Kind)
	switch {
	case pile.Kind == pile.Name || pile.Seat != engine.Nobody:
		return name
	case name == "":
		return placeName(pile)
	}
	return name + " " + placeName(pile)
}

// Outcome says in a sentence how a game for one has ended that was played to its end.
func Outcome(lang *words.Lang, result engine.Patience) string {
	key := "patience.lost"
	if result.Solved {
		key = "patience.solved"
	}
	return words.Phrase{Key: key, N: result.Score, Blanks: words.Blanks{"n": result.Score}}.Flat(lang)
}
