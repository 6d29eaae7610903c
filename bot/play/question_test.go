package play_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// deed is something before which somebody is asked again: who asks for it where, and what shows that it was done.
type deed struct {
	name    string
	channel int64
	// user is 0 for the punter.
	user int64
	kind chat.Kind
	do   func(*bottest.Hall) string
	done func(*bottest.Hall) bool
}

// deeds are all of them, on the brink.
func deeds() []deed {
	press := func(channel int64, do string) func(*bottest.Hall) string {
		return func(h *bottest.Hall) string {
			t := h.Table(channel)
			tok := table.Token{Table: t.ID, Do: do}
			if do[0] != '!' {
				tok.Epoch = t.Epoch(h.State(t))
			}
			return tok.String()
		}
	}
	line := func(text string) func(*bottest.Hall) string { return func(*bottest.Hall) string { return text } }
	ended := func(channel int64) func(*bottest.Hall) bool {
		return func(h *bottest.Hall) bool {
			return len(bottest.Must(bottest.Shelf(h.Store).Look(h.T.Context(), h.Place(channel)))) == 0
		}
	}
	left := func(channel int64) func(*bottest.Hall) bool {
		return func(h *bottest.Hall) bool {
			return slices.ContainsFunc(h.Table(channel).Chairs, func(c table.Chair) bool { return c.Left || c.Leaving != table.Stays })
		}
	}
	seat := func(h *bottest.Hall) engine.Seat {
		seat, _ := h.Table(3).SeatOf(2)
		return seat
	}
	remove := func(h *bottest.Hall) string {
		return table.Token{Table: h.Table(3).ID, Do: "!remove " + h.Table(3).Chairs[seat(h)].Key()}.String()
	}
	shown := func(h *bottest.Hall) bool {
		return slices.ContainsFunc(h.Table(4).Last, func(e engine.Event) bool { return e.What == "shown" })
	}
	return []deed{
		{"stop a game", 3, 1, chat.Press, press(3, "!stop"), ended(3)},
		{"stop a game by command", 3, 1, chat.Command, line("/stop"), ended(3)},
		{"stop a lobby of others", 1, 99, chat.Press, press(1, "!stop"), ended(1)},
		{"stop a bank", 4, 99, chat.Press, press(4, "!stop"), func(h *bottest.Hall) bool { return h.Table(4).Closing != nil }},
		{"stop a patience of somebody else", 5, 99, chat.Press, press(5, "!stop"), ended(5)},
		{"remove a player", 3, 1, chat.Press, remove, left(3)},
		{"remove a player by number", 3, 1, chat.Command, func(h *bottest.Hall) string { return fmt.Sprint("/remove ", seat(h)+1) }, left(3)},
		{"leave with a stake", 4, 0, chat.Press, press(4, "!leave"), left(4)},
		{"leave with a stake by command", 4, 0, chat.Command, line("/leave"), left(4)},
		{"leave with a stake by the board's button", 4, 0, chat.Press, press(4, "!leave ask"), left(4)},
		{"leave a game by the board's button", 3, 2, chat.Press, press(3, "!leave ask"), left(3)},
		{"show one's cards", 4, 0, chat.Press, press(4, "show"), shown},
		{"show one's cards by command", 4, 0, chat.Command, line("/m show"), shown},
		{"show one's cards by a typed button", 4, 0, chat.Press, press(4, "!m show"), shown},
		{"give up", 5, 1, chat.Press, press(5, "!giveup"), ended(5)},
		{"give up by command", 5, 1, chat.Command, line("/giveup"), ended(5)},
		{"give up by a move", 5, 1, chat.Press, press(5, "quit"), ended(5)},
		{"give up by a typed move", 5, 1, chat.Command, line("/m quit"), ended(5)},
		{"give up by leaving", 5, 1, chat.Press, press(5, "!leave"), ended(5)},
		{"give up by stopping", 5, 1, chat.Press, press(5, "!stop"), ended(5)},
		{"give chips", 6, 1, chat.Command, line("/give P5 100"), func(h *bottest.Hall) bool { return h.Purse(5) > 3000 }},
		{"be forgotten", 6, 5, chat.Command, line("/forgetme"), func(h *bottest.Hall) bool { return h.Name(5) == "" }},
	}
}

// TestAskedAgain: what can't be taken back is done when whoever asked for it has said so again, lately, once, and by
// nobody else. The button says nothing but which answer it is.
func TestAskedAgain(t *testing.T) {
	for _, deed := range deeds() {
		t.Run(deed.name, func(t *testing.T) {
			h := bottest.Brink(t)
			user := deed.user
			if user == 0 {
				user = h.Punter()
			}
			ask := func() string {
				t.Helper()
				data := deed.do(h)
				if strings.HasPrefix(data, "1.") && strings.Contains(data, ".!m ") {
					data = strings.Replace(data, ".0.!m", fmt.Sprintf(".%d.!m", h.Table(4).Epoch(h.State(h.Table(4)))), 1)
				}
				r := h.Must(deed.channel, user, deed.kind, data)
				answer := bottest.AnswerIn(r)
				if deed.done(h) || answer == "" || len(r.Posts) != 1 || r.Posts[0].To.ID != user || len(words.Flat(r.Posts[0].Text)) < 10 {
					t.Fatalf("it is answered %+v", r)
				}
				if do := strings.Fields(bottest.Must(table.ParseToken(answer)).Do); len(do) != 3 || len(do[1]) != 13 || do[2] != "0" {
					t.Errorf("the button says %q", answer)
				}
				return answer
			}
			late := ask()
			h.Wall += 61 * time.Minute
			if r := h.Ask(deed.channel, user, chat.Press, late); !h.Is(r, table.ErrOver) || deed.done(h) {
				t.Errorf("an hour later: %+v", r)
			}
			answer := ask()
			for _, other := range []int64{1, 2, 5, 7, 99} {
				if r := h.Ask(deed.channel, other, chat.Press, answer); other != user && (!r.Alert || deed.done(h)) {
					t.Errorf("P%d answers: %+v", other, r)
				} else if other == user {
					break
				}
			}
			if !deed.done(h) {
				if r := h.Ask(deed.channel, user, chat.Press, answer); r.Alert {
					t.Fatalf("the answer: %s", r.Toast)
				}
			}
			if !deed.done(h) {
				t.Fatal("it isn't done")
			}
			before := h.Everything()
			h.Running += 5 * time.Second
			h.Ask(deed.channel, user, chat.Press, answer)
			if changed := h.Changed(before); len(changed) > 0 {
				t.Errorf("answered again it changes %v", changed)
			}
			h.Audit()
		})
	}
}

// TestNotAskedAgain: where nothing is lost nobody is asked.
func TestNotAskedAgain(t *testing.T) {
	for name, do := range map[string]func(h *bottest.Hall) (channel, user int64, what string){
		"a lobby of one's own": func(*bottest.Hall) (int64, int64, string) { return 1, 1, "!stop" },
		"out of a lobby":       func(*bottest.Hall) (int64, int64, string) { return 1, 1, "!leave" },
		"a computer player": func(h *bottest.Hall) (int64, int64, string) {
			h.Must(1, 1, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!robot"}.String())
			return 1, 1, "!remove " + h.Table(1).Chairs[1].Key()
		},
		"out of a game without chips": func(*bottest.Hall) (int64, int64, string) { return 3, 2, "!leave" },
		"a bank before the first stake": func(h *bottest.Hall) (int64, int64, string) {
			h.Sit(7, "100 limit=none", 1, 2)
			return 7, h.Turn(7), "!leave"
		},
		"a patience with nothing done": func(h *bottest.Hall) (int64, int64, string) {
			h.Must(8, 1, chat.Command, "/tecza deal=8")
			return 8, 1, "!giveup"
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.Street(t)
			channel, user, what := do(h)
			before := h.Table(channel).Level
			r := h.Must(channel, user, chat.Press, table.Token{Table: h.Table(channel).ID, Do: what}.String())
			tables := bottest.Must(bottest.Shelf(h.Store).Look(t.Context(), h.Place(channel)))
			if bottest.AnswerIn(r) != "" || len(tables) > 0 && tables[0].Level == before {
				t.Errorf("it is answered %+v", r)
			}
		})
	}
}

// TestAnswerAfterwards: an answer counts no more when the table isn't as it was when one was asked.
func TestAnswerAfterwards(t *testing.T) {
	h := bottest.Brink(t)
	leave := h.Answer(4, h.Punter(), chat.Command, "/leave")
	show := h.Answer(4, h.Punter(), chat.Command, "/m show")
	giveUp := h.Answer(5, 1, chat.Command, "/giveup")
	stop := h.Answer(4, 99, chat.Command, "/stop")
	punter := h.Punter()
	h.Running += 2 * table.SideTime
	h.Move(4, h.Table(4).Chairs[0].User, "open")
	h.Must(5, 1, chat.Press, table.Token{Table: h.Table(5).ID, Epoch: h.Table(5).Epoch(h.State(h.Table(5))), Do: "!undo"}.String())
	for what, answer := range map[string]string{"leave": leave, "show": show} {
		if r := h.Ask(4, punter, chat.Press, answer); !h.Is(r, table.ErrStale) {
			t.Errorf("%s: %+v", what, r)
		}
	}
	if r := h.Ask(5, 1, chat.Press, giveUp); !h.Is(r, table.ErrStale) {
		t.Errorf("give up: %+v", r)
	}
	h.Must(4, 99, chat.Press, stop) // That means the same at any time.
	if r := h.Ask(4, punter, chat.Press, leave); !r.Alert {
		t.Errorf("leave what has ended: %+v", r)
	}
	h.Audit()
}

// TestQuestionsAreBounded: the newest questions to somebody can be answered, and take little room.
func TestQuestionsAreBounded(t *testing.T) {
	h := bottest.Brink(t)
	var answers []string
	const maxQuestions = 8
	for range 3 * maxQuestions {
		answers = append(answers, h.Answer(6, 1, chat.Command, "/give P5 1"))
	}
	items := bottest.Must(h.Store.Get(t.Context(), table.KeyQuestion(h.Place(1).Community.String(), 1)))
	if n := len(items[0].Value); n == 0 || n > 4096 {
		t.Errorf("%d questions take %d bytes", maxQuestions, n)
	}
	for i, answer := range answers {
		if r := h.Ask(6, 1, chat.Press, answer); r.Alert != (i < len(answers)-maxQuestions) {
			t.Errorf("question %d: %+v", i, r)
		}
	}
	if got := h.Purse(5); got != 3000+maxQuestions {
		t.Errorf("P5 has %d", got)
	}
	r := chat.Request{ID: "twice", Kind: chat.Command, Who: bottest.User(1), Data: "/give P5 1", In: h.Place(6)}
	if a, b := bottest.AnswerIn(bottest.Seen(t.Context(), h.Bot, r)), bottest.AnswerIn(bottest.Seen(t.Context(), h.Bot, r)); a != b {
		t.Errorf("delivered twice it asks %s and %s", a, b)
	}
	h.Audit()
}

var anonymous = chat.User{ID: 77, Name: "The group", Admin: true, Anonymous: true}

// TestStopTwice: an admin who hides their name ends a table by saying it twice, which no channel and nobody else does for them.
func TestStopTwice(t *testing.T) {
	h := bottest.Brink(t)
	aChannel := anonymous
	aChannel.Admin = false
	for _, said := range []struct {
		id  string
		who chat.User
		end bool
	}{{"first", anonymous, false}, {"first", anonymous, false}, {"channel", aChannel, false}, {"known", bottest.User(99), false}, {"second", anonymous, true}} {
		r := bottest.Seen(t.Context(), h.Bot, chat.Request{ID: said.id, Kind: chat.Command, Who: said.who, Data: "/stop", In: h.Place(3)})
		if ended := len(bottest.Must(bottest.Shelf(h.Store).Look(t.Context(), h.Place(3)))) == 0; ended != said.end {
			t.Errorf("%s: ended %t, and it is answered %+v", said.id, ended, r)
		}
	}
	h.Audit()
}

// TestAskedAloud: what an admin asks for who hides their name any admin may answer, and nobody else.
func TestAskedAloud(t *testing.T) {
	h := bottest.Brink(t)
	asked := bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "aloud", Kind: chat.Command, Who: anonymous, Data: "/stop", In: h.Place(3)})
	answer := bottest.AnswerIn(asked)
	if answer == "" || asked.Posts[0].To != nil {
		t.Fatalf("it is answered %+v", asked)
	}
	for _, user := range []int64{1, 2, 7} {
		pressed := chat.Request{ID: fmt.Sprint("by", user), Kind: chat.Press, Who: bottest.User(user), Data: answer, In: h.Place(3), On: "m1"}
		if r := bottest.Seen(t.Context(), h.Bot, pressed); !strings.HasPrefix(r.Toast, "Only an admin") || len(r.Posts) > 0 || h.Table(3).Phase == table.Ended {
			t.Errorf("P%d: %+v", user, r)
		}
	}
	r := bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "said", Kind: chat.Press, Who: bottest.User(99), Data: answer, In: h.Place(3), On: "m1"})
	last := r.Posts[len(r.Posts)-1]
	if r.Alert || last.Edit != "m1" || last.To != nil || len(last.Buttons) > 0 {
		t.Errorf("an admin's answer: %+v", r)
	}
	if n := len(bottest.Must(bottest.Shelf(h.Store).Look(t.Context(), h.Place(3)))); n != 0 {
		t.Error("the table is still open")
	}
	h.Must(9, 1, chat.Command, "/zevaka")
	h.Must(9, 2, chat.Command, "/banchok")
	asked = bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "which", Kind: chat.Command, Who: anonymous, Data: "/stop", In: h.Place(9)})
	if text := words.Flat(asked.Posts[0].Text); !strings.Contains(text, "anonymous admin") {
		t.Errorf("where there are two it is asked %q", text)
	}
}
