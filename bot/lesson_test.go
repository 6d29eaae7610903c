package bot

import (
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
)

// TestLesson takes each lesson of each game, in each language, by its button and as it says: everything comes up that it has to
// say, in at most four lines of a phone and in words of that language; it ends by itself in three minutes, or lets its learner go;
// and nothing of it counts.
func TestLesson(t *testing.T) {
	taught := 0
	for _, tag := range words.Tags() {
		for _, rules := range games.All() {
			for part, l := range rules.Info().Lessons {
				taught++
				h := newHall(t)
				lang := h.bot.words.Lang(tag)
				one := h.begin(1, lang, rules.Info(), part)
				said := h.learn(one.ID, lang, nil)
				for _, name := range sentences(l) {
					if key := board.LessonKey(rules.Info(), l) + "." + name; !slices.ContainsFunc(said, func(text string) bool { return isSaid(lang, key, text) }) {
						t.Errorf("%s isn't said by %q", key, said)
					}
				}
				h.endsWell(one.ID, lang, rules.Info())
			}
		}
	}
	if taught != 4*len(words.Tags()) {
		t.Errorf("%d lessons", taught)
	}
}

// sentences are what a lesson has to say to who does as it says; but for what comes up only on other ways.
func sentences(l engine.Lesson) (names []string) {
	for _, m := range l.Moments {
		if m.Instead == 0 && !slices.Contains([]string{"flip", "own-centre", "weak"}, m.Says) {
			names = append(names, m.Says)
		}
	}
	for _, lead := range l.Course {
		names = append(names, lead.Says)
	}
	if l.Free != "" {
		names = append(names, l.Free)
	}
	return names
}

// isSaid reports whether the text can be that sentence with something in its blanks.
func isSaid(lang *words.Lang, key, text string) bool {
	for _, part := range lang.Sentence(key) {
		if !strings.Contains(text, part.Text) {
			return false
		}
	}
	return lang.Has(key)
}

// begin begins a lesson of the game in a channel by its button.
func (h *hall) begin(channel int64, lang *words.Lang, info engine.Info, part int) *table.Table {
	h.t.Helper()
	r := h.request(channel, 1, chat.Press, board.LessonToken(h.place(channel).Community, info.Name, part))
	r.Who.Lang = lang.Tag
	if got := h.bot.Handle(h.t.Context(), r); got.Alert {
		h.t.Fatalf("%s is answered %q", r.Data, got.Toast)
	}
	return h.table(channel)
}

// learn plays a lesson's table as it says, for three minutes at most, and returns what it has said. Instead, if not nil, says what
// the learner does in place of the move that is best; the zero move is none.
func (h *hall) learn(id table.ID, lang *words.Lang, instead func(engine.State) engine.Move) (said []string) {
	h.t.Helper()
	for waited := time.Duration(0); waited < 3*time.Minute; {
		t := h.look(id)
		if t.Phase == table.Ended {
			break
		}
		rules, state := h.bot.games[t.Game], h.state(t)
		if seat := state.Turn()[0]; t.Chairs[seat].Computer() {
			h.pass(3 * time.Second)
			waited += 3 * time.Second
			continue
		}
		tip := board.LessonTip(lang, rules, t, state, true)
		if n := len([]rune(tip)); n == 0 || n > 120 || strings.ContainsAny(tip, "{}") {
			h.t.Errorf("%s, %s says %q", lang.Tag, t.Game, tip)
		}
		all := board.LessonTip(lang, rules, t, state, false)
		if text := h.boardText(t.Place.Channel); !strings.Contains(text, all) || all != tip && strings.Contains(text, tip) {
			h.t.Errorf("%q, and not %q, isn't said in\n%s", all, tip, text)
		}
		said = append(said, tip)
		seat := state.Turn()[0]
		move := state.Idle(seat)
		if best := h.best(t, rules, state); best != (engine.Move{}) {
			move = best
		}
		if instead != nil {
			if other := instead(state); other != (engine.Move{}) {
				move = other
			}
		}
		if move == (engine.Move{}) {
			break // It lets its learner go.
		}
		missed := board.LessonMissed(lang, rules, t, state, seat, move)
		r := h.request(t.Place.Channel, 1, chat.Press, table.Token{Table: id, Epoch: t.Epoch(state), Do: rules.Text(move)}.String())
		r.Who.Lang = lang.Tag
		if got := h.bot.Handle(h.t.Context(), r); got.Alert || missed != "" && !strings.Contains(got.Toast, missed) {
			h.t.Errorf("%s is answered %q, not %q", rules.Text(move), got.Toast, missed)
		}
		if missed != "" {
			said = append(said, missed)
		}
		waited += 4 * time.Second
		h.pass(2 * time.Second)
		waited += 2 * time.Second
	}
	return said
}

// best is what the lesson at the table asks its learner to do; the zero move where it asks for nothing any more.
func (h *hall) best(t *table.Table, rules engine.Rules, state engine.State) engine.Move {
	l, _ := board.LessonOf(rules.Info(), t)
	if l.Course == nil {
		return state.Auto(state.Turn()[0], 1, table.RandomOf(t, l.Learner))
	}
	if t.Line >= len(l.Course) {
		return engine.Move{}
	}
	move, err := rules.Parse(l.Course[t.Line].Move)
	if err != nil {
		h.t.Fatal(err)
	}
	return move
}

// endsWell looks at the end of a lesson, which its learner ends if nothing else has: the table says what comes next, each of its
// buttons leads there, and nothing has counted.
func (h *hall) endsWell(id table.ID, lang *words.Lang, info engine.Info) {
	h.t.Helper()
	t := h.look(id)
	if t.Phase != table.Ended {
		if l, _ := board.LessonOf(info, t); l.Course == nil {
			h.t.Errorf("the lesson of %s hasn't ended in three minutes, after %d moves", info.Name, t.Moves)
		}
		h.does(t, 1, "!enough")
		if t = h.look(id); t.Phase != table.Ended || t.Why != board.Enough {
			h.t.Errorf("it goes on: %+v", t)
		}
	} else if t.Why != board.Done {
		h.t.Errorf("%s ended because of %q", info.Name, t.Why)
	}
	if len(h.chipsAndScores()) != 0 || table.IsListed(t) {
		h.t.Errorf("%s: it counts: %v", info.Name, h.chipsAndScores())
	}
	last := board.Drawing{Table: t, Rules: h.bot.games[t.Game], Lang: lang}.Message(engine.View{}, 0)
	if text := words.Flat(last.Text); !strings.Contains(text, lang.Say(t.Why)) || len(last.Buttons) < 2 {
		h.t.Errorf("the end says\n%s", text)
	}
	for _, row := range last.Buttons {
		for _, b := range row {
			before := h.everything()
			r := h.request(t.Place.Channel, 1, chat.Press, b.Token)
			if got := chattest.Drawn(h.bot.Handle(h.t.Context(), r)); got.Alert || got.Opened == "" || len(h.changed(before)) == 0 {
				h.t.Errorf("%q is answered %+v", b.Label, got)
			}
			h.pass(3 * time.Second)
		}
	}
}

// does has a user press a button of the table's, as it stands now.
func (h *hall) does(t *table.Table, user int64, do string) chat.Response {
	h.t.Helper()
	return h.ask(t.Place.Channel, user, chat.Press, table.Token{Table: t.ID, Epoch: h.epoch(t), Do: do}.String())
}

func (h *hall) epoch(t *table.Table) int {
	if t.Phase != table.Playing {
		return 0
	}
	return t.Epoch(h.state(t))
}

// TestOverlooked: who does something else than a lesson says is told what could have been done, and the lesson ends all the same.
func TestOverlooked(t *testing.T) {
	h := newHall(t)
	lang := h.bot.words.Lang("ru")
	info := h.bot.games["zevaka"].Info()
	one := h.begin(1, lang, info, 0)
	keeps := func(state engine.State) engine.Move {
		for _, m := range state.Moves(state.Turn()[0], nil) {
			if info.Verbs[m.Verb-1].Aim == engine.AimSelf {
				return m
			}
		}
		return engine.Move{}
	}
	said := strings.Join(h.learn(one.ID, lang, keeps), "\n")
	for _, want := range []string{"Здесь можно было положить 6♠ в центр. Бывает!", "Здесь можно было положить"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q isn't said in\n%s", want, said)
		}
	}
	if one = h.look(one.ID); one.Phase != table.Ended || one.Why != board.Done {
		t.Errorf("phase %d, %s", one.Phase, one.Why)
	}
}

// TestStrayed: who leaves the course of a patience is told that this will do, too, and finds it again where they come to by
// another way, or by taking moves back.
func TestStrayed(t *testing.T) {
	h := newHall(t)
	lang := h.bot.words.Lang("en")
	rules := h.bot.games["zaba"]
	one := h.begin(1, lang, rules.Info(), 0)
	for _, step := range []struct{ do, says string }{
		{"put r1@5 f1", "That will do, too"},
		{"put r1@8 f2", "Nothing else fits"},
		{"draw", "4♣ fits nowhere yet"},
		{"put turned w3", "again"},
		{"draw", "2♦ goes on an ace"},
		{"put turned w3", "That will do, too"},
		{"!undo", "2♦ goes on an ace"},
	} {
		now := h.look(one.ID)
		if got := h.does(now, 1, step.do); got.Alert {
			t.Fatalf("%s is answered %q", step.do, got.Toast)
		}
		if text := h.boardText(1); !strings.Contains(text, step.says) {
			t.Errorf("after %s it doesn't say %q:\n%s", step.do, step.says, text)
		}
		h.pass(2 * time.Second)
	}
}

// TestLessonsAreForOne: nobody else sits down at a lesson's table, moves there or ends it, but its learner at any time; and who
// goes away without a word leaves it open for an hour.
func TestLessonsAreForOne(t *testing.T) {
	h := newHall(t)
	lang := h.bot.words.Lang("en")
	channel := int64(0)
	for _, rules := range h.bot.order {
		for part := range rules.Info().Lessons {
			channel++
			one := h.begin(channel, lang, rules.Info(), part)
			h.pass(10 * time.Second)
			before := h.everything()
			for _, do := range []string{"!join", "!enough", "!leave", "!stop", "!giveup", "!hand", rules.Text(h.state(h.look(one.ID)).Idle(0))} {
				if got := h.does(h.look(one.ID), 2, do); !got.Alert && do != "!hand" {
					t.Errorf("%s of somebody else is answered %+v", do, got)
				}
			}
			if changed := h.changed(before); len(changed) > 0 {
				t.Errorf("%s: somebody else changes %v", rules.Info().Name, changed)
			}
			do := []string{"!enough", "!leave", "!giveup"}[min(part, 1)]
			if h.does(h.look(one.ID), 1, do); h.look(one.ID).Phase != table.Ended || h.look(one.ID).Why != board.Enough {
				t.Errorf("%s doesn't end %s", do, rules.Info().Name)
			}
			other := h.begin(channel, lang, rules.Info(), part)
			h.pass(board.LessonLife + time.Minute)
			h.pass(board.LessonLife + time.Minute)
			if h.look(other.ID).Phase != table.Ended {
				t.Errorf("%s waits for ever", rules.Info().Name)
			}
		}
	}
}

// TestOwnTips: what a lesson says of cards that only its learner sees stands in no picture, and they read it beside their cards.
func TestOwnTips(t *testing.T) {
	h := newHall(t)
	lang := h.bot.words.Lang("pl")
	one := h.begin(1, lang, h.bot.games["banchok"].Info(), 0)
	if text := h.boardText(1); !strings.Contains(text, "Moje karty”: tam przeczytasz") || strings.Contains(text, "słabe") {
		t.Errorf("all read\n%s", text)
	}
	r := h.request(1, 1, chat.Press, table.Token{Table: one.ID, Epoch: h.epoch(one), Do: "!hand"}.String())
	r.Who.Lang = "pl"
	got := h.bot.Handle(t.Context(), r)
	if len(got.Posts) != 1 || got.Posts[0].To == nil || !strings.Contains(words.Flat(got.Posts[0].Text), "Te są słabe: postaw 5") {
		t.Errorf("the learner reads %+v", got)
	}
}

// TestOfferedOnce: who sits down for the first time is told of the lesson, once, in what they are told anyway. Who opens a table in a
// chat with the bot alone is offered it in a message, before the table, and declines it by one press.
func TestOfferedOnce(t *testing.T) {
	h := newHall(t)
	room := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 1}, Channel: 1}
	in := func(place chat.Place, user int64, kind chat.Kind, data string) chat.Response {
		r := h.request(1, user, kind, data)
		r.In, r.On, r.Who.Lang = place, "offer", "ru"
		h.pass(3 * time.Second)
		return h.bot.Handle(t.Context(), r)
	}
	alone := func(user int64) chat.Place {
		return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: user}, Channel: user, Private: true}
	}
	offered := func(r chat.Response) bool {
		return len(r.Posts) == 2 && r.Posts[0].To != nil && r.Posts[0].First && strings.Contains(words.Flat(r.Posts[0].Text), "Впервые здесь?") && r.Posts[1].Table != ""
	}
	join := func(opened chat.Response) string {
		id, ok := table.ParseID(opened.Opened)
		if !ok {
			t.Fatalf("no table was opened: %+v", opened)
		}
		return table.Token{Table: id, Do: "!join"}.String()
	}
	opened := in(room, 1, chat.Command, "/zevaka")
	if got := in(room, 2, chat.Press, join(opened)); len(got.Posts) != 1 || !strings.Contains(got.Toast, "Впервые здесь? «🎓 Урок»") {
		t.Errorf("who sits down is told %+v", got)
	}
	in(room, 2, chat.Press, strings.Replace(join(opened), "!join", "!leave", 1))
	if got := in(room, 2, chat.Press, join(opened)); got.Alert || strings.Contains(got.Toast, "Впервые") {
		t.Errorf("it is told again: %+v", got)
	}
	if got := in(alone(3), 3, chat.Command, "/patience tecza"); len(got.Posts) != 1 {
		t.Errorf("who lays a patience is shown %+v", got)
	}
	if got := in(alone(4), 4, chat.Command, "/zevaka learn"); offered(got) {
		t.Errorf("who takes a lesson is offered it: %+v", got)
	}
	first := in(alone(5), 5, chat.Command, "/zevaka")
	if !offered(first) {
		t.Fatalf("who opens a table alone is told %+v", first)
	}
	if got := in(alone(5), 5, chat.Command, "/zevaka"); offered(got) {
		t.Errorf("it is offered again: %+v", got)
	}
	before, buttons := h.everything(), first.Posts[0].Buttons[0]
	got := in(alone(5), 5, chat.Press, buttons[1].Token)
	if got.Alert || len(got.Posts) != 1 || got.Posts[0].Edit != "offer" || len(got.Posts[0].Buttons) != 0 || len(h.changed(before)) != 0 {
		t.Errorf("no, thanks: %+v", got)
	}
	if got := in(alone(5), 5, chat.Press, buttons[0].Token); got.Alert || got.Opened == "" || got.Posts[len(got.Posts)-1].Edit != "offer" {
		t.Errorf("the lesson: %+v", got)
	}
}

// TestForgedLessons: there is no lesson of a game that has none, none of another number, and none from elsewhere.
func TestForgedLessons(t *testing.T) {
	h := newHall(t)
	before := h.everything()
	for _, do := range []string{"!learn", "!learn zevaka", "!learn zevaka 1", "!learn zevaka -1", "!learn tecza 0", "!learn whist 0", "!first zevaka x", "!first tecza 0"} {
		if got := h.ask(1, 1, chat.Press, table.PlaceToken(chat.Request{In: h.place(1)}, do)); !got.Alert || len(got.Posts) > 0 {
			t.Errorf("%s: %+v", do, got)
		}
	}
	other := chat.Community{Platform: chat.Web, ID: 99}
	if got := h.ask(1, 1, chat.Press, board.LessonToken(other, "zevaka", 0)); !got.Alert {
		t.Errorf("another community's: %+v", got)
	}
	if changed := h.changed(before); len(changed) > 0 {
		t.Errorf("it changes %v", changed)
	}
}
