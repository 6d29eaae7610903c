package web

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// sure asks for something, and answers yes.
func (p *tab) sure(line string) reply {
	p.t.Helper()
	asked := p.say(line).Said
	if len(asked) == 0 || len(asked[0].Buttons) == 0 {
		p.t.Fatalf("%s asks nothing: %+v", line, asked)
	}
	return p.press(asked[0].Buttons[0][0].Token, asked[0].Ref)
}

// TestForgotten: who asks to be forgotten is named to nobody any more, by what they have said, by games that ended or by their card;
// what others say, and the tables that go on, stay.
func TestForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, srv := serveBot(t)
		ann, bob := sit(t, srv, "Annunziata Rossi"), sit(t, srv, "Bartholomew Cubbins") // Boards shorten such names.
		ann.lang, bob.lang = "en", "en"
		named := func() (all []string) {
			for _, m := range r.channels[0].messages {
				text := words.Flat(m.body.text)
				if m.to == 0 && (m.from != nil && m.from.Name == ann.name || strings.Contains(text, "Ann")) {
					all = append(all, text)
				}
			}
			return all
		}
		ann.say("hello")
		bob.say("Hello, Ann! Another game?")
		ann.say("/zevaka computers=2 now")
		ann.sure("/stop")
		bob.say("/zevaka limit=none")
		ann.presses(r, "!join")
		bob.say("/table")
		bob.sure("/stop")
		ann.say("/patience tecza")
		ann.say("/m draw")
		ann.sure("/giveup")
		ann.sure("/me")
		in, result := chat.Place{Community: community(), Channel: 1}, chat.Message{Text: []chat.Span{{Text: "Annunziata Rossi has won."}}}
		r.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: in, Table: "w1/abc", Level: 5, Final: true, People: []int64{bob.id(), ann.id()}, Message: result}}})
		bob.say("/daily")
		ann.say("/daily")
		bob.sure("/give Annunziata Rossi 5")
		bob.say("/zevaka")
		table := bob.look().until("room").Messages
		if all := named(); len(all) != 8 {
			t.Fatalf("Ann stands in %d messages: %q", len(all), all)
		}
		watch := bob.look()
		watch.until("room")
		told := ann.sure("/forgetme")
		if told.Alert {
			t.Fatal(told.Toast)
		}
		if set := told.cookies; len(set) != 1 || set[0].Path != peoplePath || set[0].MaxAge >= 0 {
			t.Errorf("the browser keeps %v", set)
		}
		if all := named(); !slices.Equal(all, []string{"Hello, Ann! Another game?"}) {
			t.Errorf("Ann still stands in %q", all)
		}
		for range 6 {
			watch.until("drop")
		}
		left := bob.look().until("room").Messages
		if got, want := left[len(left)-1], table[len(table)-1]; got.Ref != want.Ref || !r.messages[got.Ref].played() {
			t.Errorf("the table that goes on is now %+v", got)
		}
		bob.say("/zevaka computers=2 now")
		bob.sure("/stop")
		other := sit(t, srv, bob.name)
		other.secret = strings.Repeat("7", 32)
		result.Text[0].Text = bob.name + " has won."
		r.show(t.Context(), chat.Response{Posts: []chat.Post{{In: in, Table: "w1/abd", Level: 5, Final: true, People: []int64{bob.id()}, Message: result}}}, source{who: other.id()})
		before, stands := bob.look().until("room").Messages, map[chat.Ref]bool{}
		other.sure("/forgetme")
		for _, m := range bob.look().until("room").Messages {
			stands[m.Ref] = true
		}
		for _, m := range before {
			if !stands[m.Ref] {
				t.Errorf("who calls themselves as somebody else takes away %q", m.read())
			}
		}
		ann.say("I'm back")
		if n := r.Forget(chat.User{ID: ann.id()}); n != 1 || len(named()) != 1 {
			t.Errorf("%d messages are taken away for the operator, and Ann stands in %q", n, named())
		}
	})
}
