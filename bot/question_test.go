package bot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// brink is a street on which everything that can't be taken back can be done: P1 is the host of a game in channel 3 and
// plays a patience in channel 5, and the punter of the bank in channel 4 has a stake on the table.
func brink(t *testing.T) *hall {
	h := street(t)
	for _, user := range []int64{1, 2, 5} {
		h.must(6, user, chat.Command, "/balance")
	}
	h.move(4, h.turn(4), "stake 20")
	moves := h.state(h.table(5)).Moves(0, nil)
	h.move(5, 1, h.bot.games["tecza"].Text(moves[0]))
	return h
}

// punter is who has a stake on the table in channel 4.
func (h *hall) punter() int64 { return h.table(4).Chairs[1].User }

// name is what somebody is called in the purse.
func (h *hall) name(user int64) string {
	h.t.Helper()
	return h.purseOf(user).Name
}

// deed is something before which somebody is asked again: who asks for it where, and what shows that it was done.
type deed struct {
	name    string
	channel int64
	// user is 0 for the punter.
	user int64
	kind chat.Kind
	do   func(*hall) string
	done func(*hall) bool
}

// deeds are all of them, on the brink.
func deeds() []deed {
	press := func(channel int64, do string) func(*hall) string {
		return func(h *hall) string {
			t := h.table(channel)
			tok := table.Token{Table: t.ID, Do: do}
			if do[0] != '!' {
				tok.Epoch = t.Epoch(h.state(t))
			}
			return tok.String()
		}
	}
	line := func(text string) func(*hall) string { return func(*hall) string { return text } }
	ended := func(channel int64) func(*hall) bool {
		return func(h *hall) bool { return len(must(h.bot.tables.Look(h.t.Context(), h.place(channel)))) == 0 }
	}
	left := func(channel int64) func(*hall) bool {
		return func(h *hall) bool {
			return slices.ContainsFunc(h.table(channel).Chairs, func(c table.Chair) bool { return c.Left || c.Goes != table.Stays })
		}
	}
	seat := func(h *hall) engine.Seat {
		seat, _ := h.table(3).SeatOf(2)
		return seat
	}
	remove := func(h *hall) string {
		return table.Token{Table: h.table(3).ID, Do: "!remove " + h.table(3).Chairs[seat(h)].Key()}.String()
	}
	shown := func(h *hall) bool {
		return slices.ContainsFunc(h.table(4).Last, func(e engine.Event) bool { return e.What == "shown" })
	}
	return []deed{
		{"stop a game", 3, 1, chat.Press, press(3, "!stop"), ended(3)},
		{"stop a game by command", 3, 1, chat.Command, line("/stop"), ended(3)},
		{"stop a lobby of others", 1, 99, chat.Press, press(1, "!stop"), ended(1)},
		{"stop a bank", 4, 99, chat.Press, press(4, "!stop"), func(h *hall) bool { return h.table(4).Closing != nil }},
		{"stop a patience of somebody else", 5, 99, chat.Press, press(5, "!stop"), ended(5)},
		{"remove a player", 3, 1, chat.Press, remove, left(3)},
		{"remove a player by number", 3, 1, chat.Command, func(h *hall) string { return fmt.Sprint("/remove ", seat(h)+1) }, left(3)},
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
		{"give chips", 6, 1, chat.Command, line("/give P5 100"), func(h *hall) bool { return h.purse(5) > 3000 }},
		{"be forgotten", 6, 5, chat.Command, line("/forgetme"), func(h *hall) bool { return h.name(5) == "" }},
	}
}

// TestAskedAgain: what can't be taken back is done when whoever asked for it has said so again, lately, once, and by
// nobody else. The button says nothing but which answer it is.
func TestAskedAgain(t *testing.T) {
	for _, deed := range deeds() {
		t.Run(deed.name, func(t *testing.T) {
			h := brink(t)
			user := deed.user
			if user == 0 {
				user = h.punter()
			}
			ask := func() string {
				t.Helper()
				data := deed.do(h)
				if strings.HasPrefix(data, "1.") && strings.Contains(data, ".!m ") {
					data = strings.Replace(data, ".0.!m", fmt.Sprintf(".%d.!m", h.table(4).Epoch(h.state(h.table(4)))), 1)
				}
				r := h.must(deed.channel, user, deed.kind, data)
				answer := answerIn(r)
				if deed.done(h) || answer == "" || len(r.Posts) != 1 || r.Posts[0].To.ID != user || len(words.Flat(r.Posts[0].Text)) < 10 {
					t.Fatalf("it is answered %+v", r)
				}
				if do := strings.Fields(must(table.ParseToken(answer)).Do); len(do) != 3 || len(do[1]) != 13 || do[2] != "0" {
					t.Errorf("the button says %q", answer)
				}
				return answer
			}
			late := ask()
			h.wall += 61 * time.Minute
			if r := h.ask(deed.channel, user, chat.Press, late); !h.is(r, table.ErrOver) || deed.done(h) {
				t.Errorf("an hour later: %+v", r)
			}
			answer := ask()
			for _, other := range []int64{1, 2, 5, 7, 99} {
				if r := h.ask(deed.channel, other, chat.Press, answer); other != user && (!r.Alert || deed.done(h)) {
					t.Errorf("P%d answers: %+v", other, r)
				} else if other == user {
					break
				}
			}
			if !deed.done(h) {
				if r := h.ask(deed.channel, user, chat.Press, answer); r.Alert {
					t.Fatalf("the answer: %s", r.Toast)
				}
			}
			if !deed.done(h) {
				t.Fatal("it isn't done")
			}
			before := h.everything()
			h.running += 5 * time.Second
			h.ask(deed.channel, user, chat.Press, answer)
			if changed := h.changed(before); len(changed) > 0 {
				t.Errorf("answered again it changes %v", changed)
			}
			h.audit()
		})
	}
}

// TestNotAskedAgain: where nothing is lost nobody is asked.
func TestNotAskedAgain(t *testing.T) {
	for name, do := range map[string]func(h *hall) (channel, user int64, what string){
		"a lobby of one's own": func(*hall) (int64, int64, string) { return 1, 1, "!stop" },
		"out of a lobby":       func(*hall) (int64, int64, string) { return 1, 1, "!leave" },
		"a computer player": func(h *hall) (int64, int64, string) {
			h.must(1, 1, chat.Press, table.Token{Table: h.table(1).ID, Do: "!robot"}.String())
			return 1, 1, "!remove " + h.table(1).Chairs[1].Key()
		},
		"out of a game without chips": func(*hall) (int64, int64, string) { return 3, 2, "!leave" },
		"a bank before the first stake": func(h *hall) (int64, int64, string) {
			h.sit(7, "100 limit=none", 1, 2)
			return 7, h.turn(7), "!leave"
		},
		"a patience with nothing done": func(h *hall) (int64, int64, string) {
			h.must(8, 1, chat.Command, "/tecza deal=8")
			return 8, 1, "!giveup"
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := street(t)
			channel, user, what := do(h)
			before := h.table(channel).Level
			r := h.must(channel, user, chat.Press, table.Token{Table: h.table(channel).ID, Do: what}.String())
			tables := must(h.bot.tables.Look(t.Context(), h.place(channel)))
			if answerIn(r) != "" || len(tables) > 0 && tables[0].Level == before {
				t.Errorf("it is answered %+v", r)
			}
		})
	}
}

// TestAnswerAfterwards: an answer counts no more when the table isn't as it was when one was asked.
func TestAnswerAfterwards(t *testing.T) {
	h := brink(t)
	leave := h.answer(4, h.punter(), chat.Command, "/leave")
	show := h.answer(4, h.punter(), chat.Command, "/m show")
	giveUp := h.answer(5, 1, chat.Command, "/giveup")
	stop := h.answer(4, 99, chat.Command, "/stop")
	punter := h.punter()
	h.running += 2 * play.SideTime
	h.move(4, h.table(4).Chairs[0].User, "open")
	h.must(5, 1, chat.Press, table.Token{Table: h.table(5).ID, Epoch: h.table(5).Epoch(h.state(h.table(5))), Do: "!undo"}.String())
	for what, answer := range map[string]string{"leave": leave, "show": show} {
		if r := h.ask(4, punter, chat.Press, answer); !h.is(r, table.ErrStale) {
			t.Errorf("%s: %+v", what, r)
		}
	}
	if r := h.ask(5, 1, chat.Press, giveUp); !h.is(r, table.ErrStale) {
		t.Errorf("give up: %+v", r)
	}
	h.must(4, 99, chat.Press, stop) // That means the same at any time.
	if r := h.ask(4, punter, chat.Press, leave); !r.Alert {
		t.Errorf("leave what has ended: %+v", r)
	}
	h.audit()
}

// TestQuestionsAreBounded: the newest questions to somebody can be answered, and take little room.
func TestQuestionsAreBounded(t *testing.T) {
	h := brink(t)
	var answers []string
	const maxQuestions = 8
	for range 3 * maxQuestions {
		answers = append(answers, h.answer(6, 1, chat.Command, "/give P5 1"))
	}
	items := must(h.store.Get(t.Context(), table.KeyQuestion(h.place(1).Community.String(), 1)))
	if n := len(items[0].Value); n == 0 || n > 4096 {
		t.Errorf("%d questions take %d bytes", maxQuestions, n)
	}
	for i, answer := range answers {
		if r := h.ask(6, 1, chat.Press, answer); r.Alert != (i < len(answers)-maxQuestions) {
			t.Errorf("question %d: %+v", i, r)
		}
	}
	if got := h.purse(5); got != 3000+maxQuestions {
		t.Errorf("P5 has %d", got)
	}
	r := chat.Request{ID: "twice", Kind: chat.Command, Who: hallUser(1), Data: "/give P5 1", In: h.place(6)}
	if a, b := answerIn(h.bot.seen(t.Context(), r)), answerIn(h.bot.seen(t.Context(), r)); a != b {
		t.Errorf("delivered twice it asks %s and %s", a, b)
	}
	h.audit()
}

// TestAskedAloud: what an admin asks for who hides their name any admin may answer, and nobody else.
func TestAskedAloud(t *testing.T) {
	h := brink(t)
	anonymous := chat.User{ID: 77, Name: "The group", Admin: true, Anonymous: true}
	asked := h.bot.seen(t.Context(), chat.Request{ID: "aloud", Kind: chat.Command, Who: anonymous, Data: "/stop", In: h.place(3)})
	answer := answerIn(asked)
	if answer == "" || asked.Posts[0].To != nil {
		t.Fatalf("it is answered %+v", asked)
	}
	for _, user := range []int64{1, 2, 7} {
		if r := h.ask(3, user, chat.Press, answer); !r.Alert || h.table(3).Phase == table.Ended {
			t.Errorf("P%d: %+v", user, r)
		}
	}
	r := h.bot.seen(t.Context(), chat.Request{ID: "said", Kind: chat.Press, Who: hallUser(99), Data: answer, In: h.place(3), On: "m1"})
	last := r.Posts[len(r.Posts)-1]
	if r.Alert || last.Edit != "m1" || last.To != nil || len(last.Buttons) > 0 {
		t.Errorf("an admin's answer: %+v", r)
	}
	if n := len(must(h.bot.tables.Look(t.Context(), h.place(3)))); n != 0 {
		t.Error("the table is still open")
	}
}
