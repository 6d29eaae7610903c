package play_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/bottest"
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
				h := bottest.NewHall(t)
				lang := h.Bot.Words().Lang(tag)
				one := begin(h, 1, lang, rules.Info(), part)
				said := learn(h, one.ID, lang, nil)
				for _, name := range sentences(l) {
					if key := board.LessonKey(rules.Info(), l) + "." + name; !slices.ContainsFunc(said, func(text string) bool { return isSaid(lang, key, text) }) {
						t.Errorf("%s isn't said by %q", key, said)
					}
				}
				endsWell(h, one.ID, lang, rules.Info())
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
func begin(h *bottest.Hall, channel int64, lang *words.Lang, info engine.Info, part int) *table.Table {
	h.T.Helper()
	r := h.Request(channel, 1, chat.Press, board.LessonToken(h.Place(channel).Community, info.Name, part)+board.LearnHere)
	r.Who.Lang = lang.Tag
	if got := h.Bot.Handle(h.T.Context(), r); got.Alert {
		h.T.Fatalf("%s is answered %q", r.Data, got.Toast)
	}
	return h.Table(channel)
}

// TestLessonAlone: what is named beside a lesson, which has rules of its own, is refused and not dropped.
func TestLessonAlone(t *testing.T) {
	h := bottest.NewHall(t)
	for line, refused := range map[string]bool{
		"/zevaka learn": false, "/zevaka learn 21a": true, "/zevaka penalty learn": true, "/banchok learn limit=15s": true, "/banchok practice learn": false, "/banchok learn practice=on": false, "/zaba learn deal=7": true,
	} {
		if r := h.Ask(1, 1, chat.Command, line); strings.Contains(r.Toast, "rules of its own") != refused {
			t.Errorf("%s is answered %q", line, r.Toast)
		}
	}
}

// learn plays a lesson's table as it says, for three minutes at most, and returns what it has said. Instead, if not nil, says what
// the learner does in place of the move that is best; the zero move is none.
func learn(h *bottest.Hall, id table.ID, lang *words.Lang, instead func(engine.State) engine.Move) (said []string) {
	h.T.Helper()
	for waited := time.Duration(0); waited < 3*time.Minute; {
		t := h.Look(id)
		if t.Phase == table.Ended {
			break
		}
		rules, state := h.Games[t.Game], h.State(t)
		if seat := state.Turn()[0]; t.Chairs[seat].Computer() {
			h.Pass(3 * time.Second)
			waited += 3 * time.Second
			continue
		}
		tip := board.LessonTip(lang, rules, t, state, true, false)
		if n := len([]rune(tip)); n == 0 || n > 120 || strings.ContainsAny(tip, "{}") {
			h.T.Errorf("%s, %s says %q", lang.Tag, t.Game, tip)
		}
		all := board.LessonTip(lang, rules, t, state, false, false)
		if text := boardText(h, t.Place.Channel); !strings.Contains(text, all) || all != tip && strings.Contains(text, tip) {
			h.T.Errorf("%q, and not %q, isn't said in\n%s", all, tip, text)
		}
		said = append(said, tip)
		seat := state.Turn()[0]
		move := state.Idle(seat)
		if best := best(h, t, rules, state); best != (engine.Move{}) {
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
		r := h.Request(t.Place.Channel, 1, chat.Press, table.Token{Table: id, Epoch: t.Epoch(state), Do: rules.Text(move)}.String())
		r.Who.Lang = lang.Tag
		if got := h.Bot.Handle(h.T.Context(), r); got.Alert != (missed != "") || !strings.Contains(got.Toast, missed) {
			h.T.Errorf("%s is answered %q, not %q", rules.Text(move), got.Toast, missed)
		}
		if missed != "" {
			said = append(said, missed)
		}
		waited += 4 * time.Second
		h.Pass(2 * time.Second)
		waited += 2 * time.Second
	}
	return said
}

// best is what the lesson at the table asks its learner to do; the zero move where it asks for nothing any more.
func best(h *bottest.Hall, t *table.Table, rules engine.Rules, state engine.State) engine.Move {
	l, _ := board.LessonOf(rules.Info(), t)
	if l.Course == nil {
		return state.Auto(state.Turn()[0], 1, table.RandomOf(t, l.Learner))
	}
	if t.Line >= len(l.Course) {
		return engine.Move{}
	}
	move, err := rules.Parse(l.Course[t.Line].Move)
	if err != nil {
		h.T.Fatal(err)
	}
	return move
}

// endsWell looks at the end of a lesson, which its learner ends if nothing else has: the table says what comes next, each of its
// buttons leads there, and nothing has counted.
func endsWell(h *bottest.Hall, id table.ID, lang *words.Lang, info engine.Info) {
	h.T.Helper()
	t := h.Look(id)
	if t.Phase != table.Ended {
		if l, _ := board.LessonOf(info, t); l.Course == nil {
			h.T.Errorf("the lesson of %s hasn't ended in three minutes, after %d moves", info.Name, t.Moves)
		}
		does(h, t, 1, "!enough")
		if t = h.Look(id); t.Phase != table.Ended || t.Why != board.EndedEarly {
			h.T.Errorf("it goes on: %+v", t)
		}
	} else if t.Why != board.Done {
		h.T.Errorf("%s ended because of %q", info.Name, t.Why)
	}
	if len(chipsAndScores(h)) != 0 || table.IsListed(t) {
		h.T.Errorf("%s: it counts: %v", info.Name, chipsAndScores(h))
	}
	last := board.Drawing{Table: t, Rules: h.Games[t.Game], Lang: lang}.Message(engine.View{}, 0)
	if text := words.Flat(last.Text); !strings.Contains(text, lang.Say(t.Why)) || len(last.Buttons) < 2 {
		h.T.Errorf("the end says\n%s", text)
	}
	for _, row := range last.Buttons {
		for _, b := range row {
			before := h.Everything()
			r := h.Request(t.Place.Channel, 1, chat.Press, b.Token)
			if got := chattest.Drawn(h.Bot.Handle(h.T.Context(), r)); got.Alert || got.Opened == "" || len(h.Changed(before)) == 0 {
				h.T.Errorf("%q is answered %+v", b.Label, got)
			}
			h.Pass(3 * time.Second)
		}
	}
}

// does has a user press a button of the table's, as it stands now.
func does(h *bottest.Hall, t *table.Table, user int64, do string) chat.Response {
	h.T.Helper()
	return h.Ask(t.Place.Channel, user, chat.Press, table.Token{Table: t.ID, Epoch: epoch(h, t), Do: do}.String())
}

func epoch(h *bottest.Hall, t *table.Table) int {
	if t.Phase != table.Playing {
		return 0
	}
	return t.Epoch(h.State(t))
}

// TestOverlooked: who does something else than a lesson says is told what could have been done, and the lesson ends all the same.
func TestOverlooked(t *testing.T) {
	h := bottest.NewHall(t)
	lang := h.Bot.Words().Lang("ru")
	info := h.Games["zevaka"].Info()
	one := begin(h, 1, lang, info, 0)
	keeps := func(state engine.State) engine.Move {
		for _, m := range state.Moves(state.Turn()[0], nil) {
			if info.Verbs[m.Verb-1].Aim == engine.AimSelf {
				return m
			}
		}
		return engine.Move{}
	}
	said := strings.Join(learn(h, one.ID, lang, keeps), "\n")
	for _, want := range []string{"Здесь можно было положить 6♠ в центр. Бывает!", "Здесь можно было положить"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q isn't said in\n%s", want, said)
		}
	}
	if one = h.Look(one.ID); one.Phase != table.Ended || one.Why != board.Done {
		t.Errorf("phase %d, %s", one.Phase, one.Why)
	}
}

// TestStrayed: who leaves the course of a patience is told that this will do, too, and finds it again where they come to by
// another way, or by taking moves back.
func TestStrayed(t *testing.T) {
	h := bottest.NewHall(t)
	lang := h.Bot.Words().Lang("en")
	rules := h.Games["zaba"]
	one := begin(h, 1, lang, rules.Info(), 0)
	for _, step := range []struct{ do, says string }{
		{"put r1@5 f1", "That will do, too"},
		{"put r1@8 f2", "Nothing else fits"},
		{"draw", "4♣ fits nowhere yet"},
		{"put turned w3", "again"},
		{"draw", "2♦ goes on an ace"},
		{"put turned w3", "That will do, too"},
		{"!undo", "2♦ goes on an ace"},
	} {
		now := h.Look(one.ID)
		if got := does(h, now, 1, step.do); got.Alert {
			t.Fatalf("%s is answered %q", step.do, got.Toast)
		}
		if text := boardText(h, 1); !strings.Contains(text, step.says) {
			t.Errorf("after %s it doesn't say %q:\n%s", step.do, step.says, text)
		}
		h.Pass(2 * time.Second)
	}
}

// TestLessonsAreForOne: nobody else sits down at a lesson's table, moves there or ends it, but its learner at any time; and who
// goes away without a word leaves it open for an hour.
func TestLessonsAreForOne(t *testing.T) {
	h := bottest.NewHall(t)
	lang := h.Bot.Words().Lang("en")
	channel := int64(0)
	for _, rules := range games.All() {
		for part := range rules.Info().Lessons {
			channel++
			one := begin(h, channel, lang, rules.Info(), part)
			h.Pass(10 * time.Second)
			before := h.Everything()
			for _, do := range []string{"!join", "!enough", "!leave", "!stop", "!giveup", "!hand", rules.Text(h.State(h.Look(one.ID)).Idle(0))} {
				if got := does(h, h.Look(one.ID), 2, do); !got.Alert && do != "!hand" {
					t.Errorf("%s of somebody else is answered %+v", do, got)
				}
			}
			if changed := h.Changed(before); len(changed) > 0 {
				t.Errorf("%s: somebody else changes %v", rules.Info().Name, changed)
			}
			do := []string{"!enough", "!leave", "!giveup"}[min(part, 1)]
			if does(h, h.Look(one.ID), 1, do); h.Look(one.ID).Phase != table.Ended || h.Look(one.ID).Why != board.EndedEarly {
				t.Errorf("%s doesn't end %s", do, rules.Info().Name)
			}
			begin(h, channel, lang, rules.Info(), part)
			h.Pass(board.LessonLife + time.Minute)
			h.Pass(board.LessonLife + time.Minute)
			if len(h.OpenTables(channel)) > 0 {
				t.Errorf("%s waits for ever", rules.Info().Name)
			}
		}
	}
}

// TestOwnTips: what a lesson says of cards that only its learner sees stands in no picture, and they read it beside their cards.
func TestOwnTips(t *testing.T) {
	h := bottest.NewHall(t)
	lang := h.Bot.Words().Lang("pl")
	one := begin(h, 1, lang, h.Games["banchok"].Info(), 0)
	if text := boardText(h, 1); !strings.Contains(text, "Moje karty”: tam przeczytasz") || strings.Contains(text, "słabe") {
		t.Errorf("all read\n%s", text)
	}
	r := h.Request(1, 1, chat.Press, table.Token{Table: one.ID, Epoch: epoch(h, one), Do: "!hand"}.String())
	r.Who.Lang = "pl"
	got := h.Bot.Handle(t.Context(), r)
	if len(got.Posts) != 1 || got.Posts[0].To == nil || !strings.Contains(words.Flat(got.Posts[0].Text), "Te są słabe: postaw 5") {
		t.Errorf("the learner reads %+v", got)
	}
}

// TestOfferedOnce: who sits down for the first time is told of the lesson, once, in what they are told anyway. Who opens a table in a
// chat with the bot alone is offered it in a message, before the table, and declines it by one press.
func TestOfferedOnce(t *testing.T) {
	h := bottest.NewHall(t)
	room := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 1}, Channel: 1}
	in := func(place chat.Place, user int64, kind chat.Kind, data string) chat.Response {
		r := h.Request(1, user, kind, data)
		r.In, r.On, r.Who.Lang = place, "offer", "ru"
		h.Pass(3 * time.Second)
		return h.Bot.Handle(t.Context(), r)
	}
	alone := func(user int64) chat.Place {
		platform := []chat.Platform{chat.Telegram, chat.Discord}[user%2]
		return chat.Place{Community: chat.Community{Platform: platform, ID: user}, Channel: user, Private: true}
	}
	offered := func(r chat.Response) bool {
		return len(r.Posts) == 2 && r.Posts[0].To != nil && strings.Contains(words.Flat(r.Posts[0].Text), "Впервые здесь?") && r.Posts[1].Table != ""
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
	for _, user := range []int64{5, 6} { // On either platform.
		first := in(alone(user), user, chat.Command, "/zevaka")
		if !offered(first) {
			t.Fatalf("who opens a table alone is told %+v", first)
		}
		if got := in(alone(user), user, chat.Command, "/zevaka"); offered(got) {
			t.Errorf("it is offered again: %+v", got)
		}
		before, buttons := h.Everything(), first.Posts[0].Buttons[0]
		got := in(alone(user), user, chat.Press, buttons[1].Token)
		if got.Alert || len(got.Posts) != 1 || got.Posts[0].Edit != "offer" || len(got.Posts[0].Buttons) != 0 || len(h.Changed(before)) != 0 {
			t.Errorf("no, thanks: %+v", got)
		}
		if got := in(alone(user), user, chat.Press, buttons[0].Token); got.Alert || got.Opened == "" || got.Posts[len(got.Posts)-1].Edit != "offer" {
			t.Errorf("the lesson: %+v", got)
		}
	}
}

// TestLessonWhere: a lesson lays no table into a group. Where links lead into private chats it is begun there, and elsewhere its learner is
// told how, and may take it before everybody all the same.
func TestLessonWhere(t *testing.T) {
	for name, there := range map[string]chat.Place{
		"Telegram": {Community: chat.Community{Platform: chat.Telegram, ID: -5}, Channel: -5, Crowded: true},
		"Discord":  {Community: chat.Community{Platform: chat.Discord, ID: 5}, Channel: 6},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			ask := func(in chat.Place, kind chat.Kind, data string) chat.Response {
				r := h.Request(1, 7, kind, data)
				r.In, r.On = in, "question"
				h.Pass(3 * time.Second)
				return chattest.Drawn(h.Bot.Handle(t.Context(), r))
			}
			private := there
			private.Community.ID, private.Channel, private.Crowded, private.Private = 7, 7, false, true
			learn := board.LessonToken(there.Community, "banchok", 1)
			for _, line := range []struct {
				kind chat.Kind
				data string
			}{{chat.Press, learn}, {chat.Command, "/banchok learn=bank"}} {
				got := ask(there, line.kind, line.data)
				if got.Opened != "" || len(got.Posts) != 1 || got.Posts[0].To == nil || got.Posts[0].Open != chat.Personal {
					t.Fatalf("%q is answered %+v", line.data, got)
				}
				aside, here := got.Posts[0].Buttons[0][0], got.Posts[0].Buttons[0][1]
				if name == "Telegram" && (!aside.Private || aside.Token != learn) || name == "Discord" && !aside.Leads {
					t.Errorf("aside leads %+v", aside)
				}
				taken := ask(there, chat.Press, here.Token)
				last := taken.Posts[len(taken.Posts)-1]
				if one := h.Look(opened(t, taken)); !one.Lesson || one.Part != 1 || !one.Place.Same(there) || last.Edit != "question" || last.Buttons != nil {
					t.Errorf("before everybody there is %+v, and the question is %+v", one, last)
				}
			}
			lobby := ask(there, chat.Command, "/zevaka")
			for _, message := range []chat.Message{lobby.Posts[len(lobby.Posts)-1].Message, ask(there, chat.Command, "/help").Posts[0].Message} {
				for _, b := range slices.Concat(message.Buttons...) {
					if tok, _ := table.ParseToken(b.Token); strings.HasPrefix(tok.Do, board.DoLearn) && b.Private != there.Crowded {
						t.Errorf("there is %+v", b)
					}
				}
			}
			before := h.Everything()
			for _, forged := range []chat.Response{
				ask(there, chat.Followed, learn), ask(private, chat.Followed, board.LessonToken(there.Community, "tecza", 0)),
				ask(private, chat.Followed, strings.Replace(learn, board.DoLearn, "!begin ", 1)),
			} {
				if !forged.Alert || len(h.Changed(before)) > 0 {
					t.Errorf("a link that nobody wrote is answered %+v", forged)
				}
			}
			for _, line := range []chat.Response{ask(private, chat.Followed, learn), ask(private, chat.Command, "/zevaka learn")} {
				if one := h.Look(opened(t, line)); !one.Lesson || !one.Place.Same(private) {
					t.Errorf("in private there is %+v", one)
				}
			}
		})
	}
}

// opened is the table that was opened.
func opened(t *testing.T, r chat.Response) table.ID {
	t.Helper()
	id, ok := table.ParseID(r.Opened)
	if !ok {
		t.Fatalf("no table was opened: %+v", r)
	}
	return id
}

// TestForgedLessons: there is no lesson of a game that has none, none of another number, and none from elsewhere.
func TestForgedLessons(t *testing.T) {
	h := bottest.NewHall(t)
	before := h.Everything()
	for _, do := range []string{"!learn", "!learn zevaka", "!learn zevaka 1", "!learn zevaka -1", "!learn tecza 0", "!learn whist 0", "!first zevaka x", "!first tecza 0"} {
		if got := h.Ask(1, 1, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, do)); !got.Alert || len(got.Posts) > 0 {
			t.Errorf("%s: %+v", do, got)
		}
	}
	other := chat.Community{Platform: chat.Web, ID: 99}
	if got := h.Ask(1, 1, chat.Press, board.LessonToken(other, "zevaka", 0)); !got.Alert {
		t.Errorf("another community's: %+v", got)
	}
	if changed := h.Changed(before); len(changed) > 0 {
		t.Errorf("it changes %v", changed)
	}
}
