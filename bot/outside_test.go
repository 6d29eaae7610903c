package bot_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// elsewhere is a way to ask for something of a group from outside it.
type elsewhere struct {
	name string
	// fromOutside says that the platform knows which group a message in a private chat is about.
	fromOutside bool
	member      func(context.Context, chat.Community) (bool, error)
	want        error
	// live says that it is done at the live table.
	live bool
}

// elsewheres are all ways, with the refusal of what concerns others; nil for who is in the group.
func elsewheres() []elsewhere {
	says := func(in bool, err error) func(context.Context, chat.Community) (bool, error) {
		return func(_ context.Context, c chat.Community) (bool, error) {
			return in && c == bottest.PlaceOf(1).Community, err
		}
	}
	return []elsewhere{
		{"a member by a message about the group", true, says(true, nil), nil, false},
		{"a former member by a message about the group", true, says(false, nil), table.ErrOutside, false},
		{"somebody unknown by a message about the group", true, says(true, errors.New("no answer")), table.ErrUnsure, false},
		{"nobody asked about a message about the group", true, nil, table.ErrUnsure, false},
		{"a member at the live table", true, says(true, nil), nil, true},
		{"a former member at the live table", true, says(false, nil), table.ErrOutside, true},
		{"a member in private", false, says(true, nil), nil, false},
		{"a former member in private", false, says(false, nil), table.ErrOutside, false},
		{"somebody unknown in private", false, says(true, errors.New("no answer")), table.ErrUnsure, false},
		{"nobody asked in private", false, nil, table.ErrUnsure, false},
	}
}

// from makes a request from there, about a channel of the group.
func (e elsewhere) from(h *bottest.Hall, channel, user int64, kind chat.Kind, data string) chat.Response {
	h.Running += 2e9
	h.Asked++
	r := chat.Request{ID: fmt.Sprint("outside ", h.Asked), Kind: kind, Who: bottest.User(user), Data: data, Member: e.member, Live: e.live}
	r.In = chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: user}, Channel: user, Private: true}
	if e.fromOutside {
		r.In, r.FromOutside = h.Place(channel), true
	}
	return bottest.Seen(h.T.Context(), h.Bot, r)
}

// TestOutside: who is not in the group, or of whom nobody says so, does nothing there that concerns others, be it by any
// button of any table, by any command or by an answer to a question; but sees their own cards, leaves, gives up and has
// themselves forgotten.
func TestOutside(t *testing.T) {
	for _, e := range elsewheres() {
		t.Run(e.name, func(t *testing.T) {
			h := bottest.Brink(t)
			punter := h.Punter()
			refused := func(channel, user int64, kind chat.Kind, data string) {
				t.Helper()
				before := h.Everything()
				r := e.from(h, channel, user, kind, data)
				changed := h.Changed(before)
				if e.want != nil && (!r.Alert || len(changed) > 0 || !e.fromOutside && kind == chat.Press && !h.Is(r, e.want.(engine.Refusal))) {
					t.Errorf("P%d, %s: %+v changes %v", user, data, r, changed)
				}
			}
			for channel := range int64(5) {
				one := h.Table(channel + 1)
				for _, w := range play.Actions() {
					if w.FromOutside || w.Name == "answer" || e.want == nil {
						continue
					}
					for _, c := range one.Chairs {
						refused(channel+1, c.User, chat.Press, table.Token{Table: one.ID, Do: "!" + w.Name + " 1"}.String())
						refused(channel+1, c.User, chat.Press, table.Token{Table: one.ID, Epoch: 2, Do: "!" + w.Name}.String())
					}
				}
			}
			give := h.Answer(6, 1, chat.Command, "/give P5 100")
			stop := h.Answer(3, 1, chat.Command, "/stop")
			if e.want != nil {
				refused(4, h.Table(4).Chairs[0].User, chat.Press, h.Button(4, "open"))
				refused(4, punter, chat.Press, h.Button(4, "!bet 5"))
				refused(6, 1, chat.Press, give)
				refused(3, 1, chat.Press, stop)
			}
			if e.want != nil && e.fromOutside {
				for _, v := range bot.Verbs() {
					if !v.FromOutside {
						refused(6, 1, chat.Command, "/"+v.Name+" P5 10")
					}
				}
				for _, line := range []string{"/zevaka", "/banchok", "/tecza", "/cut SPAM", "/balance P5", "/patience pauk"} {
					refused(6, 1, chat.Command, line)
				}
			}
			if r := e.from(h, 4, punter, chat.Press, h.Button(4, "!hand")); r.Alert || !strings.ContainsAny(words.Flat(r.Posts[0].Text), "♠♣♦♥") {
				t.Errorf("one's own cards: %+v", r)
			}
			if r := e.from(h, 4, punter, chat.Press, h.Button(4, "!leave")); r.Alert || bottest.AnswerIn(r) == "" {
				t.Errorf("leaving: %+v", r)
			} else if r = e.from(h, 4, punter, chat.Press, bottest.AnswerIn(r)); r.Alert {
				t.Errorf("leaving, sure: %+v", r)
			}
			if r := e.from(h, 5, 1, chat.Press, h.Button(5, "!giveup")); r.Alert {
				t.Errorf("giving up: %+v", r)
			} else if r = e.from(h, 5, 1, chat.Press, bottest.AnswerIn(r)); r.Alert {
				t.Errorf("giving up, sure: %+v", r)
			}
			forget := h.Answer(6, 5, chat.Command, "/forgetme")
			if e.fromOutside {
				before := h.Everything()
				if forget = bottest.AnswerIn(e.from(h, 6, 5, chat.Command, "/forgetme")); e.want != nil && len(h.Changed(before)) > 0 {
					t.Errorf("a question to who is outside changes %v", h.Changed(before))
				}
			}
			if r := e.from(h, 6, 5, chat.Press, forget); r.Alert || h.Name(5) != "" {
				t.Errorf("being forgotten: %+v", r)
			}
			if e.want == nil {
				if r := e.from(h, 6, 1, chat.Press, give); r.Alert || h.Purse(5) != 3100 {
					t.Errorf("a member gives: %+v", r)
				}
				if r := e.from(h, 3, 1, chat.Press, stop); r.Alert {
					t.Errorf("a member stops: %+v", r)
				}
			}
			h.Audit()
		})
	}
}

// TestMadeUpGroups: no platform is asked about a group that somebody names in which nothing is stored, nor is anything stored then.
func TestMadeUpGroups(t *testing.T) {
	h := bottest.Brink(t)
	before := h.Everything()
	asked := 0
	member := func(context.Context, chat.Community) (bool, error) { asked++; return true, nil }
	made := chat.Community{Platform: chat.Telegram, ID: -100777}
	for _, name := range []string{table.NoTable, "abc"} {
		for kind, data := range map[chat.Kind]string{
			chat.Press:    table.Token{Table: table.ID{Community: made, Name: name}, Do: "!rules"}.String(),
			chat.Followed: table.Token{Table: table.ID{Community: made, Name: name}, Do: "!private 1"}.String(),
		} {
			elsewhere{member: member}.from(h, 0, 1, kind, data)
		}
	}
	if changed := h.Changed(before); asked > 0 || len(changed) > 0 {
		t.Errorf("it asked %d times, and changed %v", asked, changed)
	}
}

// TestOfferTakenFromOutside: who isn't in the group lays the patience for themselves, and the group hears nothing of it.
func TestOfferTakenFromOutside(t *testing.T) {
	for _, e := range elsewheres()[6:] {
		t.Run(e.name, func(t *testing.T) {
			h := bottest.NewHall(t)
			group := h.Place(1)
			group.Crowded = true
			r := bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "ask", Kind: chat.Command, Who: bottest.User(1), Data: "/tecza deal=7", In: group})
			bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "shown", Kind: chat.Shown, Data: r.Posts[0].Receipt, In: group, On: "m1"})
			r = e.from(h, 1, 1, chat.Followed, r.Posts[0].Buttons[0][0].Token)
			told := 0
			for _, p := range r.Posts {
				if p.In.Community == group.Community {
					told++
				}
			}
			if r.Alert || len(r.Posts) == 0 || (told > 0) != (e.want == nil) {
				t.Errorf("it is answered %+v", r)
			}
		})
	}
}

// TestSeatAtTheLiveTable: where nobody says whether somebody is in the group, who took a seat there plays on at the live table,
// at that table and at no other, and does nothing else in the group.
func TestSeatAtTheLiveTable(t *testing.T) {
	unknown := elsewheres()[2]
	unknown.live = true
	h := bottest.Brink(t)
	press := func(channel, user int64, do string, want error) {
		t.Helper()
		before := h.Everything()
		data := table.Token{Table: h.Table(channel).ID, Do: do}.String()
		if h.Table(channel).Phase == table.Playing {
			data = h.Button(channel, do)
		}
		r := unknown.from(h, channel, user, chat.Press, data)
		if want != nil && (!h.Is(r, want.(engine.Refusal)) || len(h.Changed(before)) > 0) || want == nil && r.Alert {
			t.Errorf("P%d, %s: %+v, want %v", user, do, r, want)
		}
	}
	press(1, 2, "!join", table.ErrUnsure)
	press(1, 2, "!robot", table.ErrUnsure)
	press(1, 1, "!limit", nil)
	press(2, 8, "!no-cut", table.ErrUnsure)
	press(2, h.Table(2).Chairs[h.Table(2).Cutter].User, "!no-cut", nil)
	press(3, 8, "flip", table.ErrUnsure)
	press(3, 3-h.Turn(3), "flip", engine.Refusal("others-turn"))
	press(3, h.Turn(3), "flip", nil)
	press(4, h.Turn(4), "open", nil)
	press(3, 2, "!leave", nil)
	press(3, 2, "!back", table.ErrUnsure)
	for _, line := range []string{"/zevaka", "/top", "/balance P5", "/give P5 1"} {
		if r := unknown.from(h, 1, 1, chat.Command, line); !h.Is(r, table.ErrUnsure) {
			t.Errorf("%s: %+v", line, r)
		}
	}
	h.Audit()
}

// TestHostAtTheLiveTable: a host of whom nobody says whether they are in the group any more, and who has a seat, plays on at the live table,
// and ends nobody else's part in it.
func TestHostAtTheLiveTable(t *testing.T) {
	unknown := elsewheres()[2]
	unknown.live = true
	for _, do := range []string{"!stop", "!whom", "!remove #2", "!remove " + table.Chair{User: 2}.Key()} {
		for _, playing := range []bool{false, true} {
			h := bottest.NewHall(t)
			h.Must(1, 1, chat.Command, "/zevaka limit=none")
			id := h.Table(1).ID
			h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			if playing {
				h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
				h.Cut(1)
			}
			r := unknown.from(h, 1, 1, chat.Press, table.Token{Table: id, Do: do}.String())
			answer := bottest.AnswerIn(r)
			if answer != "" {
				r = unknown.from(h, 1, 1, chat.Press, answer)
			}
			now := h.Look(id)
			seat, sits := now.SeatOf(2)
			if now.Phase == table.Ended || !sits || now.Chairs[seat].Removed || answer != "" {
				t.Errorf("%s, playing %t: asked again %t, answered %q; phase %d, P2 sits %t", do, playing, answer != "", r.Toast, now.Phase, sits)
			}
			// What was asked in the group isn't done from outside.
			if data := h.Ask(1, 1, chat.Press, table.Token{Table: id, Do: do}.String()); bottest.AnswerIn(data) != "" && h.Look(id).Phase != table.Ended {
				unknown.from(h, 1, 1, chat.Press, bottest.AnswerIn(data))
				now := h.Look(id)
				if seat, sits := now.SeatOf(2); now.Phase == table.Ended || !sits || now.Chairs[seat].Removed {
					t.Errorf("%s, playing %t: what was asked before is done", do, playing)
				}
			}
		}
	}
}
