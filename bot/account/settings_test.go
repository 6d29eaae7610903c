package account_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/storage"
)

// TestSettingsAreForAdmins: whoever isn't an admin gets their own settings, and can't press those of the place.
func TestSettingsAreForAdmins(t *testing.T) {
	s := bottest.NewSitting(t)
	shown := s.AskAs(1, true, chat.Command, "/settings")
	press := bottest.ButtonOf(shown, "Tables opened by: everybody")
	if press == "" || shown.Posts[0].To == nil {
		t.Fatalf("an admin is shown %+v", shown)
	}
	for _, data := range []string{press, table.PlaceToken(chat.Request{In: s.In}, "!set")} {
		if r := s.AskAs(2, false, chat.Press, data); !r.Alert || !strings.HasPrefix(r.Toast, "Only an admin can do that.") {
			t.Errorf("%q by somebody else is answered %+v", data, r)
		}
	}
	if own := s.AskAs(2, false, chat.Command, "/settings"); bottest.ButtonOf(own, "My turn") == "" || bottest.ButtonOf(own, "Tables opened by") != "" || bottest.ButtonOf(own, "For the chat") != "" {
		t.Errorf("somebody else is shown %+v", own)
	}
	for range 2 { // Delivered twice, or pressed by two at once, it means the same.
		r := s.AskAs(1, true, chat.Press, press)
		if r.Alert || bottest.ButtonOf(r, "Tables opened by: admins") == "" || r.Posts[0].Edit != "settings" {
			t.Errorf("pressed, it is answered %+v", r)
		}
	}
	for _, line := range []string{"/zevaka", "/zevaka computers=2 now", "/patience zaba"} {
		if r := s.AskAs(2, false, chat.Command, line); r.Toast != "Here only admins open tables." {
			t.Errorf("%s is answered %+v", line, r)
		}
	}
	if r := s.AskAs(1, true, chat.Command, "/zevaka"); r.Alert {
		t.Errorf("an admin is answered %+v", r)
	}
}

// TestOnlyAdminsStop: where admins have decided so, not even the host stops a game; their own patience everybody gives up.
func TestOnlyAdminsStop(t *testing.T) {
	s := bottest.NewSitting(t)
	id := s.Open("/zevaka computers=2 now")
	host := s.LobbyOf(id).Host
	s.AskAs(9, true, chat.Press, table.PlaceToken(chat.Request{In: s.In}, "!set opens admins"))
	stop := table.Token{Table: id, Do: "!stop"}.String()
	if r := s.AskAs(host, false, chat.Press, stop); r.Toast != "Here only admins stop games." {
		t.Errorf("the host is answered %+v", r)
	}
	if r := s.AskAs(9, true, chat.Press, stop); r.Alert {
		t.Errorf("an admin is answered %+v", r)
	}
}

// TestSettingsOfChips: no gifts and no daily chips where admins have decided so.
func TestSettingsOfChips(t *testing.T) {
	s := bottest.NewSitting(t)
	at := chat.Request{In: s.In}
	for _, do := range []string{"!set daily off", "!set gifts off", "!set limit 300"} {
		if r := s.AskAs(1, true, chat.Press, table.PlaceToken(at, do)); r.Alert {
			t.Fatalf("%s is answered %+v", do, r)
		}
	}
	if r := s.AskAs(2, false, chat.Command, "/daily"); r.Toast != "There are no chips of the day here: the admins have decided so." {
		t.Errorf("/daily is answered %+v", r)
	}
	if tb := s.LobbyOf(s.Open("/zevaka")); tb.Limit != 300 {
		t.Errorf("the time for a turn is %d", tb.Limit)
	}
	for _, forged := range []string{"!set limit 7", "!set lang xx", "!set cloth pink", "!set nothing on", "!own notice loud", "!own my-lang xx", "!own my-suits pink", "!own sound loud", "!own my-suits"} {
		if r := s.AskAs(1, true, chat.Press, table.PlaceToken(at, forged)); !r.Alert {
			t.Errorf("%s is answered %+v", forged, r)
		}
	}
}

// TestAdminOfPart: who manages a channel alone decides what holds there, and nothing that holds in the whole community.
func TestAdminOfPart(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 2, chat.Command, "/balance")
	at := chat.Request{In: h.Place(1)}
	n := 0
	ask := func(ofPart bool, kind chat.Kind, data string) chat.Response {
		n++
		who := bottest.User(99)
		who.OfPart = ofPart
		return bottest.Seen(t.Context(), h.Bot, chat.Request{ID: fmt.Sprint("of part ", n), Kind: kind, Who: who, Data: data, In: h.Place(1), On: "settings"})
	}
	whole := map[string]chat.Kind{"/grant P2 50": chat.Command, "/season OFF": chat.Command}
	for _, do := range []string{"!set gifts off", "!set daily off"} {
		whole[table.PlaceToken(at, do)] = chat.Press
	}
	before := h.Everything()
	for data, kind := range whole {
		if r := ask(true, kind, data); !h.Is(r, table.ErrOfPart) {
			t.Errorf("%s is answered %+v", data, r)
		}
	}
	if changed := h.Changed(before); len(changed) > 0 {
		t.Errorf("stored otherwise is %q", changed)
	}
	if r := ask(true, chat.Press, table.PlaceToken(at, "!set limit 300")); r.Alert || bottest.ButtonOf(r, "🎁") != "" || bottest.ButtonOf(r, "⏱") == "" {
		t.Errorf("the time for a turn in their channel: %+v", r)
	}
	for data, kind := range whole {
		if r := ask(false, kind, data); r.Alert {
			t.Errorf("of the whole community: %s is answered %+v", data, r)
		}
	}
}

// TestOwnLanguage: what only one person reads is in the language that they have chosen; what all read stays in that of the place.
// It is told to them, and forgotten with them.
func TestOwnLanguage(t *testing.T) {
	s := bottest.NewSitting(t)
	at := chat.Request{In: s.In}
	s.AskAs(2, false, chat.Press, table.PlaceToken(at, "!own my-lang pl"))
	if r := s.AskAs(2, false, chat.Command, "/settings me"); bottest.ButtonOf(r, "Mój język: Polski") == "" && bottest.ButtonOf(r, "Mój język: polski") == "" {
		t.Errorf("their settings are %+v", r)
	}
	r := s.AskAs(2, false, chat.Command, "/zevaka")
	if text := bottest.Drawn(r.Posts[0]).Text[0].Text; strings.Contains(text, "Gapa") {
		t.Errorf("the board says %q", text)
	}
	if r := s.AskAs(2, false, chat.Command, "/mydata"); !strings.Contains(bottest.FlatOf(r), "Twoje własne ustawienia: ") {
		t.Errorf("what is kept about them is %q", bottest.FlatOf(r))
	}
	s.AskAs(2, false, chat.Command, "/leave")
	s.AskAs(2, false, chat.Press, bottest.AnswerIn(s.AskAs(2, false, chat.Command, "/forgetme")))
	own, err := storage.Read(t.Context(), s.Store, func(from storage.Reader) (table.Choices, error) {
		return table.GetChoices(from, s.In.Community.String(), 2)
	})
	if err != nil || own != (table.Choices{}) {
		t.Errorf("afterwards they have chosen %+v, %v", own, err)
	}
}

// TestTurnIsTold: who doesn't look is told that it is their turn in the way that they chose, once in a turn.
func TestTurnIsTold(t *testing.T) {
	for _, test := range []struct {
		choice             string
		mentions, privates int
	}{{"mention", 1, 0}, {"private", 0, 1}, {"off", 0, 0}} {
		t.Run(test.choice, func(t *testing.T) {
			s := bottest.NewSitting(t)
			id := s.Open("/zevaka limit=1h")
			s.Do(2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			s.Do(1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
			for user := range int64(2) {
				s.Do(user+1, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!no-cut"}.String())
			}
			tb, _ := s.Look(id)
			mover := tb.Chairs[tb.Mover].User
			s.AskAs(mover, false, chat.Press, table.PlaceToken(chat.Request{In: s.In}, "!own notice "+test.choice))
			chosen := func() table.Notice {
				own, err := storage.Read(t.Context(), s.Store, func(from storage.Reader) (table.Choices, error) {
					return table.GetChoices(from, s.In.Community.String(), mover)
				})
				if err != nil {
					t.Error(err)
				}
				return own.Notice
			}
			var told []chat.Post
			show := func() {
				s.Bot.Ring(t.Context(), func(_ context.Context, r chat.Response) {
					for _, p := range r.Posts {
						if len(p.Mention) > 0 || p.Direct {
							told = append(told, p)
						}
					}
				})
			}
			for range 6 {
				s.Running += 2 * time.Minute
				show()
			}
			mentions, privates := 0, 0
			for _, p := range told {
				if p.Direct {
					privates++
				} else {
					mentions++
				}
			}
			if mentions != test.mentions || privates != test.privates {
				t.Fatalf("%d mentions and %d private messages: %+v", mentions, privates, told)
			}
			if privates == 0 {
				return
			}
			missed := s.Bot.Handle(t.Context(), chat.Request{ID: "missed", Kind: chat.Missed, In: s.In, Data: told[0].Receipt})
			if len(missed.Posts) != 1 || len(missed.Posts[0].Mention) != 1 || chosen() != table.InPrivate {
				t.Errorf("who is missed once is told by %+v, and has chosen %v", missed.Posts, chosen())
			}
			failed := chat.Request{ID: "failed", Kind: chat.Unreached, In: s.In, Data: told[0].Receipt}
			for n, want := range []int{1, 0} { // It is delivered twice.
				r := s.Bot.Handle(t.Context(), failed)
				got := 0
				for _, p := range r.Posts {
					got += len(p.Mention)
				}
				if got != want {
					t.Errorf("time %d: who can't be reached is called %d times", n, got)
				}
			}
			if chosen() != table.ByMention {
				t.Errorf("afterwards they have chosen %v", chosen())
			}
		})
	}
}

// TestToldOnceInATurn: who has moved, and still has to move, isn't told again in the same turn; in the next one they are. Who looks
// at the table isn't told at all.
func TestToldOnceInATurn(t *testing.T) {
	for _, looks := range []bool{false, true} {
		s := bottest.NewSitting(t)
		id := s.Open("/zevaka limit=1h")
		s.Do(2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		s.Do(1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
		for user := range int64(2) {
			s.Do(user+1, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!no-cut"}.String())
		}
		if looks {
			for user := range int64(2) {
				k, err := s.Bot.Live().Look(t.Context(), chat.Request{In: s.In, Who: chat.User{ID: user + 1}}, id, func() {})
				if err != nil {
					t.Fatal(err)
				}
				defer k.Close()
			}
		}
		turns, told := map[int]bool{}, map[int]int{}
		turn, last := 0, -1
		for range 12 {
			tb, state := s.Look(id)
			if tb.Mover != last {
				turn, last = turn+1, tb.Mover
			}
			turns[turn] = true
			s.Running += table.CallAfter + time.Second
			s.Bot.Ring(t.Context(), func(_ context.Context, r chat.Response) {
				for _, p := range r.Posts {
					told[turn] += len(p.Mention)
				}
			})
			seat := state.Turn()[0]
			moves := state.Moves(seat, nil)
			s.Do(tb.Chairs[seat].User, chat.Press, table.Token{Table: id, Epoch: tb.Epoch(state), Do: s.Games[tb.Game].Text(moves[0])}.String())
		}
		for turn := range turns {
			if want := map[bool]int{false: 1, true: 0}[looks]; told[turn] != want {
				t.Errorf("looking %v: in turn %d of %d somebody was told %d times", looks, turn, len(turns), told[turn])
			}
		}
		if len(turns) == 12 {
			t.Error("no turn had several moves")
		}
	}
}

// dealt opens a table for P1 and P2 and has it dealt.
func dealt(s *bottest.Sitting, line string) table.ID {
	id := s.Open(line)
	s.Do(2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	s.Do(1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	for user := range int64(2) {
		s.Do(user+1, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!no-cut"}.String())
	}
	return id
}

// TestCalledAtOnce: whoever has chosen so is called by the very press that makes their turn begin, from that press on; so is everybody where
// the place has chosen it. Nobody is called by their own press, or twice in a turn; others when they haven't moved for a while.
func TestCalledAtOnce(t *testing.T) {
	for _, own := range []bool{true, false} {
		s := bottest.NewSitting(t)
		id := dealt(s, "/zevaka limit=60s")
		choose := "!set calls calls-once"
		if own {
			choose = "!own my-calls once"
		}
		choose = table.PlaceToken(chat.Request{In: s.In}, choose)
		for range 30 {
			before, state := s.Look(id)
			seat := state.Turn()[0]
			mover := before.Chairs[seat].User
			if r := s.AskAs(2, true, chat.Press, choose); r.Alert || len(r.Posts) != 1 {
				t.Fatalf("the choice is answered %+v", r)
			}
			moves := state.Moves(seat, nil)
			r := s.Do(mover, chat.Press, table.Token{Table: id, Epoch: before.Epoch(state), Do: s.Games[before.Game].Text(moves[0])}.String())
			after, _ := s.Look(id)
			next := after.Chairs[after.Mover].User
			var called []int64
			for _, p := range r.Posts {
				for _, u := range p.Mention {
					called = append(called, u.ID)
				}
			}
			if want := next != mover && (next == 2 || !own); len(called) > 1 || slices.Contains(called, next) != want {
				t.Errorf("own %v: P%d moves, and P%d is to move; called are %v", own, mover, next, called)
			}
			if own && next == 1 {
				s.Running += table.SoonAfter - time.Second
			} else {
				s.Running += 30 * time.Second
			}
			s.Bot.Ring(t.Context(), func(_ context.Context, r chat.Response) {
				for _, p := range r.Posts {
					if len(p.Mention) > 0 && (len(called) > 0 || own && next == 1) {
						t.Errorf("own %v: P%d is called again, or too early", own, p.Mention[0].ID)
					}
				}
			})
			if len(moves) == 0 || after.Phase != table.Playing {
				break
			}
		}
	}
}

// TestCutterIsCalled: who is to cut the pack is told so in the way that they have chosen.
func TestCutterIsCalled(t *testing.T) {
	for choice, want := range map[string]string{"mention": "called", "private": "in private", "off": ""} {
		s := bottest.NewSitting(t)
		id := s.Open("/zevaka")
		for user := range int64(2) {
			s.AskAs(user+1, false, chat.Press, table.PlaceToken(chat.Request{In: s.In}, "!own notice "+choice))
		}
		s.Do(2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		got := ""
		for _, p := range s.AskAs(9, true, chat.Press, table.Token{Table: id, Do: "!deal"}.String()).Posts {
			switch {
			case p.Direct:
				got += "in private"
			case len(p.Mention) > 0:
				got += "called"
			}
		}
		if got != want {
			t.Errorf("who has chosen %q is told %q", choice, got)
		}
	}
}

// labelsOf are the labels of the buttons of a response.
func labelsOf(r chat.Response) (all []string) {
	for _, p := range r.Posts {
		for _, row := range bottest.Drawn(p).Buttons {
			for _, b := range row {
				all = append(all, b.Label)
			}
		}
	}
	return all
}

// TestChoices: everything that there is to choose has its button, for a chat and for oneself; where the platform has no private chats
// with the bot, or a chat is one's own, what means nothing there has none.
func TestChoices(t *testing.T) {
	at := func(p chat.Platform, id int64) chat.Place {
		return chat.Place{Community: chat.Community{Platform: p, ID: id}, Channel: id}
	}
	private, guest := at(chat.Telegram, 1), at(chat.Discord, 6)
	private.Private, guest.Guest = true, true
	for name, test := range map[string]struct {
		in         chat.Place
		place, own string
	}{
		"Discord":  {at(chat.Discord, 5), "🗣 🖼 ⏱ ⏰ 🔑 🎁 🪙 👁 📅 ♦ ▦ 👤 Done", "🗣 🔔 🔊 ⏰ 📣 ♦ ⚙ Done"},
		"Telegram": {at(chat.Telegram, -5), "🗣 🖼 ⏱ ⏰ 🔑 🎁 🪙 👁 📅 ♦ ▦ 👤 Done", "🗣 🔔 🔊 ⏰ 📣 ♦ ⚙ Done"},
		"the room": {at(chat.Web, 1), "🗣 ⏱ ⏰ 🔑 🎁 🪙 👁 📅 ♦ ▦ 👤 Done", "🔔 ⏰ ♦ ⚙ Done"},
		"a guest":  {guest, "🗣 🖼 ⏱ ⏰ 🔑 🎁 🪙 👁 ♦ ▦ 👤 Done", "🗣 🔔 🔊 ⏰ ♦ ⚙ Done"},
		"private":  {private, "🗣 🖼 ♦ ▦ Done", "🗣 🔔 🔊 Done"},
	} {
		t.Run(name, func(t *testing.T) {
			s := bottest.NewSitting(t)
			s.In = test.in
			for line, want := range map[string]string{"/settings": test.place, "/settings me": test.own} {
				r := s.AskAs(1, true, chat.Command, line)
				var got []string
				for _, label := range labelsOf(r) {
					sign, _, _ := strings.Cut(label, " ")
					got = append(got, sign)
				}
				if strings.Join(got, " ") != want {
					t.Errorf("%s offers %q", line, labelsOf(r))
				}
				if rows := len(bottest.Drawn(r.Posts[0]).Buttons); test.in.Community.Platform == chat.Discord && rows > 5 {
					t.Errorf("%s has %d rows", line, rows)
				}
			}
			if r := s.AskAs(1, true, chat.Command, "/settings me"); (bottest.ButtonOf(r, "private message")+bottest.ButtonOf(r, "call me here") == "") || strings.Contains(bottest.FlatOf(r), "▦") != (name == "Discord" || name == "Telegram" || name == "a guest") {
				t.Errorf("%+v", r)
			}
			posted := s.AskAs(1, true, chat.Command, "/day post 9")
			if refused := posted.Toast == "I am only a guest here, and can't say anything by myself. Add me to the server, then choose an hour."; refused != test.in.Guest {
				t.Errorf("/day post 9 is answered %+v", posted)
			}
			forged := s.AskAs(1, true, chat.Press, table.PlaceToken(chat.Request{In: s.In}, "!own notice private"))
			if forged.Alert != (name == "the room") {
				t.Errorf("a private message is answered %+v", forged)
			}
		})
	}
}

// TestHourIsMeant: an hour that is chosen by a button is said with the clock that is meant, which one typed before has chosen.
func TestHourIsMeant(t *testing.T) {
	s := bottest.NewSitting(t)
	at := chat.Request{In: s.In}
	for _, step := range []struct {
		kind chat.Kind
		data string
		want string
	}{
		{chat.Press, table.PlaceToken(at, "!set hour 8"), "8:00 UTC"},
		{chat.Command, "/day post 9+3", "9:00 UTC+3"},
		{chat.Press, table.PlaceToken(at, "!set hour 12"), "12:00 UTC+3"},
		{chat.Press, table.PlaceToken(at, "!set hour off"), "off"},
	} {
		s.AskAs(9, true, step.kind, step.data)
		if r := s.AskAs(9, true, chat.Command, "/settings"); !slices.Contains(labelsOf(r), "📅 Patience of the day: "+step.want) {
			t.Errorf("%s: %q", step.data, labelsOf(r))
		}
	}
	for typed, next := range map[string]string{"9+1": "12:00 UTC+1", "7:30+1": "8:00 UTC+1", "17:15+1": "20:00 UTC+1", "20+1": "off", "23+1": "off"} {
		s.AskAs(9, true, chat.Command, "/day post "+typed)
		for _, row := range bottest.Drawn(s.AskAs(9, true, chat.Command, "/settings").Posts[0]).Buttons {
			for _, b := range row {
				if strings.Contains(b.Label, "Patience of the day: ") {
					s.AskAs(9, true, chat.Press, b.Token)
				}
			}
		}
		if r := s.AskAs(9, true, chat.Command, "/settings"); !slices.Contains(labelsOf(r), "📅 Patience of the day: "+next) {
			t.Errorf("a press after %s: %q", typed, labelsOf(r))
		}
	}
}

// TestOwnSound: who wants no sound is told of their turn all the same, quietly.
func TestOwnSound(t *testing.T) {
	for _, notice := range []string{"mention", "private"} {
		for _, sound := range []string{"on", "off"} {
			t.Run(notice+" "+sound, func(t *testing.T) {
				s := bottest.NewSitting(t)
				id := s.Open("/zevaka limit=1h")
				s.Do(2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
				s.Do(1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
				for user := range int64(2) {
					s.Do(user+1, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!no-cut"}.String())
				}
				tb, _ := s.Look(id)
				mover := tb.Chairs[tb.Mover].User
				at := chat.Request{In: s.In}
				s.AskAs(mover, false, chat.Press, table.PlaceToken(at, "!own notice "+notice))
				s.AskAs(mover, false, chat.Press, table.PlaceToken(at, "!own sound "+sound))
				var told []chat.Post
				for range 6 {
					s.Running += 2 * time.Minute
					s.Bot.Ring(t.Context(), func(_ context.Context, r chat.Response) {
						for _, p := range r.Posts {
							if len(p.Mention) > 0 || p.Direct {
								told = append(told, p)
							}
						}
					})
				}
				if len(told) != 1 || told[0].Quiet != (sound == "off") || told[0].Direct != (notice == "private") {
					t.Errorf("told %+v", told)
				}
				if text := bottest.FlatOf(s.AskAs(mover, false, chat.Command, "/mydata")); strings.Contains(text, "no sound at your turn") != (sound == "off") {
					t.Errorf("what is kept about them is %q", text)
				}
			})
		}
	}
}

// TestOwnSuits: who has chosen colours for the suits sees them on a table that they look at, at once, and in their own patiences;
// others, and pictures that are for all, stay as the chat has chosen.
func TestOwnSuits(t *testing.T) {
	for _, test := range []struct {
		chat      string
		own       string
		mine, all bool
	}{
		{"two-colours", "chat", false, false}, {"two-colours", "four", true, false},
		{"four-colours", "two", false, true}, {"four-colours", "chat", true, true},
	} {
		t.Run(fmt.Sprint(test.chat, " ", test.own), func(t *testing.T) {
			s := bottest.NewSitting(t)
			at := chat.Request{In: s.In}
			s.AskAs(9, true, chat.Press, table.PlaceToken(at, "!set suits "+test.chat))
			id := s.Open("/zevaka computers=2 now")
			told := make(chan struct{}, 10)
			seen := map[int64]bool{}
			for user := int64(1); user <= 2; user++ {
				k, err := s.Bot.Live().Look(t.Context(), chat.Request{In: s.In, Who: chat.User{ID: user}}, id, func() { told <- struct{}{} })
				if err != nil {
					t.Fatal(err)
				}
				defer k.Close()
				if user == 1 {
					s.AskAs(1, false, chat.Press, table.PlaceToken(at, "!own my-suits "+test.own))
					if len(told) != map[bool]int{true: 1, false: 0}[test.own != "chat"] {
						t.Errorf("told %d times", len(told))
					}
				}
				scene, err := k.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				seen[user] = scene.Four
			}
			if seen[1] != test.mine || seen[2] != test.all {
				t.Errorf("they see four colours: %v", seen)
			}
			if s.LobbyOf(id).Four != test.all {
				t.Error("a table for several is drawn otherwise than the chat has chosen")
			}
			s.Do(1, chat.Press, table.Token{Table: id, Do: "!stop"}.String())
			for user, want := range map[int64]bool{1: test.mine, 2: test.all} {
				r := s.Do(user, chat.Command, "/patience zaba")
				laid, _ := table.ParseID(r.Posts[0].Table)
				if got := s.LobbyOf(laid).Four; got != want {
					t.Errorf("the patience of %d is drawn in four colours: %v", user, got)
				}
			}
		})
	}
}
