package board

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// LessonLife is how long a lesson waits for its learner.
const LessonLife = time.Hour

// Why a lesson's table has ended: all of it was taught, or its learner ended it before.
const (
	Done       = "lesson-over"
	EndedEarly = "lesson-enough"
)

// DoLearn is what a button of no table does that begins a lesson; behind it stand the game and the number of the lesson, from 0.
const DoLearn = "!learn "

// LearnHere is behind the number where its learner isn't asked where to take it: they were, or have just taken another one there.
const LearnHere = " here"

// LessonToken is that of such a button in the place of the request.
func LessonToken(c chat.Community, game string, part int) string {
	return table.Token{Table: table.ID{Community: c, Name: table.NoTable}, Do: DoLearn + game + " " + strconv.Itoa(part)}.String()
}

// LessonOf is the lesson that is given at the table of a game with this info; false at other tables.
func LessonOf(info engine.Info, t *table.Table) (engine.Lesson, bool) {
	if !t.Lesson || t.Part < 0 || t.Part >= len(info.Lessons) {
		return engine.Lesson{}, false
	}
	return info.Lessons[t.Part], true
}

// LessonKey begins the names of a lesson's sentences, and is that of its title.
func LessonKey(info engine.Info, l engine.Lesson) string { return "lesson." + info.Name + "." + l.Name }

// LessonTip is what a lesson's table says of the position in the language: what an attentive player in the seat would do whose turn
// it is, and why. It is empty at other tables, and in the turn of a computer player. Own says that it is for the learner's eyes
// alone; else it tells nothing of what only they see, but where to read more. Drawn says that they see piles, which can be pressed.
func LessonTip(lang *words.Lang, rules engine.Rules, t *table.Table, state engine.State, own, drawn bool) string {
	l, ok := LessonOf(rules.Info(), t)
	if !ok || t.Phase != table.Playing || state == nil || len(state.Turn()) == 0 || t.Chairs[state.Turn()[0]].Computer() {
		return ""
	}
	if l.Course != nil {
		return onCourse(lang, rules, l, t, state)
	}
	seat := state.Turn()[0]
	best, least := attentive(state, seat), state.Idle(seat)
	m := at(l, func(m engine.Moment) bool {
		return m.Instead == 0 && (!m.Least || best == least) && fits(m, t, state, best)
	})
	switch {
	case m.Says == "":
		return ""
	case m.Own && !own:
		return words.Phrase{Key: "lesson.own"}.Flat(lang)
	}
	return say(lang, rules.Info(), l, m.Says, blanks(t, state, seat, best, drawn))
}

// LessonBet is how much a lesson's table tells its learner to stake now; 0 where it tells no sum.
func LessonBet(rules engine.Rules, t *table.Table, state engine.State) int64 {
	l, ok := LessonOf(rules.Info(), t)
	if !ok || l.Course != nil || state == nil || len(state.Turn()) == 0 {
		return 0
	}
	best := attentive(state, state.Turn()[0])
	if best.Verb == 0 || rules.Info().Verbs[best.Verb-1].Aim != engine.AimAmount {
		return 0
	}
	return int64(offered(state.View(state.Turn()[0]), best).N)
}

// offered is the move of the kind that has a button whose number is nearest; the move itself if there is none.
func offered(view engine.View, move engine.Move) engine.Move {
	var near []engine.Move
	for _, m := range view.Offers {
		if m.Verb == move.Verb {
			near = append(near, m)
		}
	}
	if len(near) == 0 {
		return move
	}
	away := func(m engine.Move) int32 { return max(m.N-move.N, move.N-m.N) }
	return slices.MinFunc(near, func(a, b engine.Move) int { return cmp.Compare(away(a), away(b)) })
}

// LessonMissed is what a lesson's table tells its learner who is about to make this move though there was something better; empty
// where there is nothing to tell.
func LessonMissed(lang *words.Lang, rules engine.Rules, t *table.Table, state engine.State, seat engine.Seat, move engine.Move) string {
	l, ok := LessonOf(rules.Info(), t)
	if !ok || l.Course != nil || move.Verb == 0 || len(state.Turn()) == 0 || state.Turn()[0] != seat {
		return ""
	}
	best := attentive(state, seat)
	m := at(l, func(m engine.Moment) bool {
		return m.Instead == move.Verb && best.Verb != move.Verb && fits(m, t, state, best)
	})
	if m.Says == "" {
		return ""
	}
	return say(lang, rules.Info(), l, m.Says, blanks(t, state, seat, best, false))
}

// LessonOver reports whether the lesson at the table ends with this position.
func LessonOver(info engine.Info, t *table.Table, state engine.State) bool {
	l, ok := LessonOf(info, t)
	if !ok || l.Moves == 0 || t.Moves < l.Moves || len(state.Turn()) == 0 {
		return false
	}
	if chips := state.View(engine.Nobody).Chips; chips != nil {
		return !slices.ContainsFunc(chips.Stakes, func(n int64) bool { return n != 0 })
	}
	return state.Turn()[0] != l.Learner
}

// LessonSeed is that of the lesson's deal; false at a table that gives none.
func LessonSeed(info engine.Info, t *table.Table) (engine.Seed, bool) {
	l, ok := LessonOf(info, t)
	return engine.NumberedSeed(info.Name, l.Deal), ok
}

// FirstLesson is who of those that sit at a lesson's table, in order of joining, sits in seat 0 so that the one who came first has the
// learner's; false at other tables.
func FirstLesson(info engine.Info, t *table.Table) (int, bool) {
	l, ok := LessonOf(info, t)
	n := len(t.Chairs)
	return (n - int(l.Learner)) % max(n, 1), ok
}

// attentive is what an attentive player in the seat would do.
func attentive(state engine.State, seat engine.Seat) engine.Move {
	move := state.Auto(seat, 1, rand.New(rand.NewPCG(1, 1)))
	if move == (engine.Move{}) {
		move = state.Idle(seat)
	}
	return move
}

// at is the lesson's first moment that is like that; one that says nothing if none is.
func at(l engine.Lesson, like func(engine.Moment) bool) engine.Moment {
	i := slices.IndexFunc(l.Moments, like)
	if i < 0 {
		return engine.Moment{}
	}
	return l.Moments[i]
}

// fits reports whether the position is one of that moment, where this would be best.
func fits(m engine.Moment, t *table.Table, state engine.State, best engine.Move) bool {
	return m.Verb == best.Verb && (m.Until == 0 || t.Moves < m.Until) && (m.Task == "" || m.Task == state.View(engine.Nobody).Task)
}

// blanks are what the sentences of a position tell: the card in hand, that on which the best move lays it, what to press for
// that, and the amount.
func blanks(t *table.Table, state engine.State, seat engine.Seat, best engine.Move, drawn bool) words.Blanks {
	view, where := state.View(seat), "lesson.button"
	if drawn {
		where = "lesson.pile"
	}
	return words.Blanks{
		"card": topOf(view, seat, engine.PileTurned, engine.PileWaste), "on": topOf(view, engine.Seat(best.To), engine.PileWaste),
		"there": words.Phrase{Key: where, Blanks: words.Blanks{"to": t.Name(engine.Seat(best.To))}}, "n": int(offered(view, best).N),
	}
}

// topOf is the card that lies uppermost on the seat's pile of the first of these roles where one lies; zero if there is none.
func topOf(view engine.View, seat engine.Seat, roles ...engine.PileRole) engine.Card {
	for _, role := range roles {
		for _, pile := range view.Piles {
			if last := len(pile.Cards) - 1; pile.Seat == seat && pile.Role == role && last >= 0 {
				return pile.Cards[last]
			}
		}
	}
	return 0
}

// onCourse is what is said in a game for one: of the next move of the course, wherever on it the player is.
func onCourse(lang *words.Lang, rules engine.Rules, l engine.Lesson, t *table.Table, state engine.State) string {
	if t.Line >= len(l.Course) {
		return say(lang, rules.Info(), l, l.Free, nil)
	}
	now := shape(state.View(engine.Nobody))
	at, err := rules.Deal(t.Setup(), table.ShufflerOf(t))
	for _, lead := range l.Course {
		if err != nil {
			return ""
		}
		move, _ := rules.Parse(lead.Move)
		view := at.View(engine.Nobody)
		if shape(view) == now {
			return say(lang, rules.Info(), l, lead.Says, words.Blanks{"card": moved(view, move)})
		}
		_, err = at.Apply(engine.Step{Move: move})
	}
	return say(lang, rules.Info(), l, l.Strayed, nil)
}

// moved is the card that a move of cards moves; zero for another move.
func moved(view engine.View, m engine.Move) engine.Card {
	if m.From == m.To {
		return 0
	}
	cards := view.Piles[m.From].Cards
	if m.N > 0 {
		return cards[m.N-1]
	}
	return cards[len(cards)-1]
}

// shape is the same for positions that differ only in which of the piles of a kind has which cards.
func shape(view engine.View) string {
	var piles []string
	for _, pile := range view.Piles {
		text := pile.Kind + ":"
		for _, c := range pile.Cards {
			text += c.String()
		}
		piles = append(piles, text)
	}
	slices.Sort(piles)
	return strings.Join(piles, " ")
}

func say(lang *words.Lang, info engine.Info, l engine.Lesson, name string, blanks words.Blanks) string {
	return words.Phrase{Key: LessonKey(info, l) + "." + name, Blanks: blanks}.Flat(lang)
}

// DoFirst is what the buttons do of what is offered to who sits down for the first time: alone it is declined, and behind it
// stands, as behind Do, what is taken up.
const DoFirst = "!first"

// LessonButtons are the buttons that begin the first lesson of each of the games that have any.
func LessonButtons(lang *words.Lang, in chat.Place, house []engine.Rules) (all []chat.Button) {
	for _, rules := range house {
		if info := rules.Info(); len(info.Lessons) > 0 {
			all = append(all, LessonButton(lang, in, info, 0))
		}
	}
	return all
}

// LessonButton begins a lesson of the game: where all tables share what may be shown, in the private chat of whoever presses it.
func LessonButton(lang *words.Lang, in chat.Place, info engine.Info, part int) chat.Button {
	return chat.Button{Label: lang.Say(LessonKey(info, info.Lessons[part])), Token: LessonToken(in.Community, info.Name, part), Private: in.Crowded}
}

// NextLessons are the buttons that lead on from a lesson's table which has ended: to the next lesson of its game, to a real game, with
// people or with computers, and to the same once more.
func NextLessons(lang *words.Lang, info engine.Info, t *table.Table) (rows [][]chat.Button) {
	c := t.ID.Community
	place := func(do string) string {
		return table.Token{Table: table.ID{Community: c, Name: table.NoTable}, Do: do}.String()
	}
	if next := t.Part + 1; next < len(info.Lessons) {
		rows = append(rows, []chat.Button{{Label: lang.Say(LessonKey(info, info.Lessons[next])), Token: LessonToken(c, info.Name, next) + LearnHere}})
	}
	games := []chat.Button{{Label: lang.Say("button.with-friends"), Token: place("!begin " + info.Name)}}
	switch {
	case info.ForOne():
		label := words.Phrase{Key: "button.begin", Blanks: words.Blanks{"game": words.Phrase{Key: "game." + info.Name}}}.Flat(lang)
		games[0] = chat.Button{Label: label, Token: place("!patience " + info.Name)}
	case info.Banker: // First what its learner can play at once.
		games = slices.Insert(games, 0, chat.Button{Label: lang.Say("button.practise"), Token: place("!another " + info.Name + " practice")})
	default:
		games = slices.Insert(games, 0, chat.Button{Label: lang.Say("button.computer"), Token: place("!another " + info.Name + " now")})
	}
	rows = append(rows, games)
	rows[0][0].Look = chat.Primary
	return append(rows, []chat.Button{{Label: lang.Say("button.lesson-again"), Token: LessonToken(c, info.Name, t.Part) + LearnHere}})
}

// OfferLesson is what somebody is offered who sits down for the first time at a table of the game with this info: before the table, so that
// this stays the newest; false where there is no lesson of it.
func OfferLesson(lang *words.Lang, r chat.Request, info engine.Info) (chat.Post, bool) {
	if len(info.Lessons) == 0 {
		return chat.Post{}, false
	}
	learn := LessonButton(lang, r.In, info, 0)
	learn.Look, learn.Token = chat.Primary, table.PlaceToken(r, DoFirst+" "+info.Name+" 0")
	decline := chat.Button{Label: lang.Say("button.no-lesson"), Token: table.PlaceToken(r, DoFirst)}
	who := r.Who
	message := chat.Message{Text: []chat.Span{{Text: lang.Say("lesson.first")}}, Buttons: [][]chat.Button{{learn, decline}}}
	return chat.Post{In: r.In, To: &who, Open: chat.Personal, Message: message}, true
}
