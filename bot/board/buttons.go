package board

import (
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// DoFirst is what the buttons do of what is offered to who sits down for the first time: alone it is declined, and behind it
// stands, as behind Do, what is taken up.
const DoFirst = "!first"

// LessonButtons are the buttons that begin the first lesson of each of the games that have any.
func LessonButtons(lang *words.Lang, c chat.Community, house []engine.Rules) (all []chat.Button) {
	for _, rules := range house {
		if info := rules.Info(); len(info.Lessons) > 0 {
			all = append(all, LessonButton(lang, c, info, 0))
		}
	}
	return all
}

// LessonButton begins a lesson of the game.
func LessonButton(lang *words.Lang, c chat.Community, info engine.Info, part int) chat.Button {
	return chat.Button{Label: lang.Say(LessonKey(info, info.Lessons[part])), Token: LessonToken(c, info.Name, part)}
}

// NextLessons are the buttons that lead on from a lesson's table which has ended: to the next lesson of its game, to a real game, with
// people or with computers, and to the same once more.
func NextLessons(lang *words.Lang, info engine.Info, t *table.Table) (rows [][]chat.Button) {
	c := t.ID.Community
	place := func(do string) string {
		return table.Token{Table: table.ID{Community: c, Name: table.NoTable}, Do: do}.String()
	}
	if next := t.Part + 1; next < len(info.Lessons) {
		rows = append(rows, []chat.Button{LessonButton(lang, c, info, next)})
	}
	label := words.Phrase{Key: "button.begin", Blanks: words.Blanks{"game": words.Phrase{Key: "game." + info.Name}}}.Flat(lang)
	games := []chat.Button{{Label: label, Token: place("!begin " + info.Name)}}
	switch {
	case info.ForOne():
		games[0].Token = place("!patience " + info.Name)
	case info.Banker:
		games = append(games, chat.Button{Label: lang.Say("button.practise"), Token: place("!another " + info.Name + " practice")})
	default:
		games = append(games, chat.Button{Label: lang.Say("button.computer"), Token: place("!another " + info.Name + " now")})
	}
	rows = append(rows, games)
	rows[0][0].Look = chat.Primary
	return append(rows, []chat.Button{{Label: lang.Say("button.lesson-again"), Token: LessonToken(c, info.Name, t.Part)}})
}

// OfferLesson is what somebody is offered who sits down for the first time at a table of the game with this info: before the table, so that
// this stays the newest; false where there is no lesson of it.
func OfferLesson(lang *words.Lang, r chat.Request, info engine.Info) (chat.Post, bool) {
	if len(info.Lessons) == 0 {
		return chat.Post{}, false
	}
	learn := LessonButton(lang, r.In.Community, info, 0)
	learn.Look, learn.Token = chat.Primary, table.PlaceToken(r, DoFirst+" "+info.Name+" 0")
	decline := chat.Button{Label: lang.Say("button.no-lesson"), Token: table.PlaceToken(r, DoFirst)}
	who := r.Who
	message := chat.Message{Text: []chat.Span{{Text: lang.Say("lesson.first")}}, Buttons: [][]chat.Button{{learn, decline}}}
	return chat.Post{In: r.In, To: &who, First: true, Open: chat.Personal, Message: message}, true
}
