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
)

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
		"Discord":  {at(chat.Discord, 5), "🗣 🖼 ⏱ 🔑 🎁 🪙 👁 📅 ♦ ▦ 👤 Done", "🗣 🔔 🔊 ♦ ⚙ Done"},
		"Telegram": {at(chat.Telegram, -5), "🗣 🖼 ⏱ 🔑 🎁 🪙 👁 📅 ♦ ▦ 👤 Done", "🗣 🔔 🔊 ♦ ⚙ Done"},
		"the room": {at(chat.Web, 1), "🗣 ⏱ 🔑 🎁 🪙 👁 📅 ♦ ▦ 👤 Done", "🔔 ♦ ⚙ Done"},
		"a guest":  {guest, "🗣 🖼 ⏱ 🔑 🎁 🪙 👁 ♦ ▦ 👤 Done", "🗣 🔔 🔊 ♦ ⚙ Done"},
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
		if r := s.AskAs(9, true, chat.Command, "/settings"); !slices.Contains(labelsOf(r), "📅 Deal of the day: "+step.want) {
			t.Errorf("%s: %q", step.data, labelsOf(r))
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
