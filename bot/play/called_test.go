package play_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage/storagetest/stores"
)

// mentioned are those whom the posts of an answer notify, in order.
func mentioned(r chat.Response) string {
	var all []string
	for _, p := range r.Posts {
		for _, u := range p.Mention {
			all = append(all, u.Name)
		}
	}
	return strings.Join(all, " ")
}

// TestCalledToTables: who wants to be is called when somebody opens a table at which several can sit down, once in ten minutes, once more if
// that is closed again by then and somebody else opens one, and by that table's own message; nobody is who opens it, sits at another there, has left, was forgotten or doesn't want it any more.
func TestCalledToTables(t *testing.T) {
	own := func(s *bottest.Sitting, user int64, value string) {
		s.AskAs(user, false, chat.Press, table.PlaceToken(chat.Request{In: s.In}, "!own called "+value))
	}
	tells := func(s *bottest.Sitting, r chat.Request) { bottest.Seen(s.T.Context(), s.Bot, r) }
	for name, test := range map[string]struct {
		before func(s *bottest.Sitting)
		line   string
		want   string
	}{
		"who asked":             {nil, "/zevaka", "User2 User3"},
		"a bank":                {nil, "/banchok practice", "User2 User3"},
		"with a computer":       {nil, "/zevaka computers=1", "User2 User3"},
		"who opens it isn't":    {func(s *bottest.Sitting) { s.Say(1, "/notify") }, "/zevaka", "User2 User3"},
		"who asks twice":        {func(s *bottest.Sitting) { s.Say(2, "/notify") }, "/zevaka", "User2 User3"},
		"by one's own settings": {func(s *bottest.Sitting) { own(s, 4, "on") }, "/zevaka", "User2 User3 User4"},
		"off by a button":       {func(s *bottest.Sitting) { own(s, 2, "off"); own(s, 2, "off") }, "/zevaka", "User3"},
		"a patience":            {nil, "/tecza", ""},
		"a lesson":              {nil, "/zevaka learn", ""},
		"begun with computers":  {nil, "/zevaka computers=2 now", ""},
		"called like who opens it": {func(s *bottest.Sitting) {
			tells(s, chat.Request{ID: "same", Kind: chat.Command, Data: "/notify", In: s.In, Who: chat.User{ID: 9, Name: "User1", Lang: "en"}})
		}, "/zevaka", "User2 User3 User1 2"},
		"full of computers": {nil, "/zevaka computers=5", ""},
		"who sits at another": {func(s *bottest.Sitting) {
			s.Say(2, "/tecza")
		}, "/zevaka", "User3"},
		"less than ten minutes before": {func(s *bottest.Sitting) {
			s.Say(4, "/zevaka")
			s.Running += 10*time.Minute - 3*time.Second
		}, "/banchok practice", ""},
		"to a table that was closed": {func(s *bottest.Sitting) {
			s.Say(4, "/zevaka")
			s.Say(4, "/leave")
			s.Running += time.Minute
		}, "/banchok practice", "User2 User3"},
		"to one's own that was closed": {func(s *bottest.Sitting) {
			s.Say(1, "/zevaka")
			s.Say(1, "/leave")
			s.Running += time.Minute
		}, "/banchok practice", ""},
		"to two that were closed": {func(s *bottest.Sitting) {
			for _, user := range []int64{4, 5} {
				s.Say(user, "/zevaka")
				s.Say(user, "/leave")
				s.Running += time.Minute
			}
		}, "/banchok practice", ""},
		"to two that were closed, at last": {func(s *bottest.Sitting) {
			for _, user := range []int64{4, 5} {
				s.Say(user, "/zevaka")
				s.Say(user, "/leave")
				s.Running += 9 * time.Minute
			}
			s.Running += time.Minute
			s.Say(6, "/zevaka")
			s.Say(6, "/leave")
		}, "/banchok practice", "User2 User3"},
		"ten minutes before": {func(s *bottest.Sitting) {
			s.Say(4, "/zevaka")
			s.Running += 10 * time.Minute
		}, "/banchok practice", "User2 User3"},
		"after a patience": {func(s *bottest.Sitting) { s.Say(4, "/tecza") }, "/zevaka", "User2 User3"},
		"who has left": {func(s *bottest.Sitting) {
			tells(s, chat.Request{ID: "left", Kind: chat.Left, In: s.In, Who: chat.User{ID: 2}})
		}, "/zevaka", "User3"},
		"who is forgotten": {func(s *bottest.Sitting) {
			s.Do(2, chat.Press, bottest.AnswerIn(s.Say(2, "/forgetme")))
		}, "/zevaka", "User3"},
		"a place that was gone": {func(s *bottest.Sitting) {
			tells(s, chat.Request{ID: "gone", Kind: chat.Gone, In: s.In})
		}, "/zevaka", ""},
		"a group that was gone": {func(s *bottest.Sitting) {
			tells(s, chat.Request{ID: "gone", Kind: chat.Gone, In: chat.Place{Community: s.In.Community}})
		}, "/zevaka", ""},
		"another topic that was gone": {func(s *bottest.Sitting) {
			gone := s.In
			gone.Thread = 7
			tells(s, chat.Request{ID: "gone", Kind: chat.Gone, In: gone})
		}, "/zevaka", "User2 User3"},
		"in another topic": {func(s *bottest.Sitting) { s.In.Thread = 7 }, "/zevaka", ""},
		"a group that has moved": {func(s *bottest.Sitting) {
			to := chat.Community{Platform: chat.Telegram, ID: -1055}
			tells(s, chat.Request{ID: "moved", Kind: chat.Migrated, In: s.In, Data: to.String()})
			s.In = s.In.MigratedTo(to)
		}, "/zevaka", "User2 User3"},
		"five at most on Telegram, in turn": {func(s *bottest.Sitting) {
			for user := range int64(100) {
				s.Say(user+4, "/notify")
			}
			s.Say(200, "/zevaka")
			s.Running += time.Hour
		}, "/banchok practice", "User7 User8 User9 User10 User11"},
		"twenty at most on Discord": {func(s *bottest.Sitting) {
			s.In = chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 9}, Channel: 10}
			for user := range int64(100) {
				s.Say(user+4, "/notify")
			}
		}, "/zevaka", "User4 User5 User6 User7 User8 User9 User10 User11 User12 User13 User14 User15 User16 User17 User18 User19 User20 User21 User22 User23"},
	} {
		t.Run(name, func(t *testing.T) {
			s := bottest.NewSitting(t)
			for _, user := range []int64{2, 3} {
				if r := s.Say(user, "/notify"); r.Alert || len(r.Posts) != 1 || r.Posts[0].To.ID != user || bottest.ButtonOf(r, "Don't call me") == "" {
					t.Fatalf("%d is answered %+v", user, r)
				}
			}
			if test.before != nil {
				test.before(s)
			}
			r := s.Say(1, test.line)
			if got := mentioned(r); got != test.want || r.Alert {
				t.Errorf("%q are called, not %q: %+v", got, test.want, r)
			}
			for _, p := range r.Posts {
				text := words.Flat(bottest.Drawn(p).Text)
				if p.Table != "" && strings.HasPrefix(text, "📣 A new table!\n") != (len(p.Mention) > 0) {
					t.Errorf("%v are told %q", p.Mention, text)
				}
				if len(p.Mention) > 0 && (p.Table == "" || p.Quiet) {
					t.Errorf("called by %+v", p)
				}
			}
			if got := mentioned(s.Say(1, "/table")); got != "" {
				t.Errorf("%q are called once more", got)
			}
		})
	}
}

// TestStillNew: who has asked to be called, and never sat at a table, is told of the lesson when they first do.
func TestStillNew(t *testing.T) {
	s := bottest.NewSitting(t)
	s.Say(2, "/notify")
	id := s.Open("/zevaka")
	if r := s.Do(2, chat.Press, table.Token{Table: id, Do: "!join"}.String()); !strings.Contains(r.Toast, "First time here?") {
		t.Errorf("they are told %q", r.Toast)
	}
}

// TestAgainCallsNoOthers: to a table that goes on with another nobody is called but who sat there.
func TestAgainCallsNoOthers(t *testing.T) {
	s := endedAfter(t, time.Hour, 2)
	s.Say(9, "/notify")
	if called, next := s.again(1); called != "User2 " || next.Phase != table.Lobby {
		t.Errorf("%q are called", called)
	}
}

// TestCalledWhenDeliveredTwice: a command that is delivered again has the same answer, and calls nobody again.
func TestCalledWhenDeliveredTwice(t *testing.T) {
	s := bottest.NewSitting(t)
	notify := chat.Request{ID: "twice", Kind: chat.Command, Data: "/notify", In: s.In, Who: chat.User{ID: 2, Name: "User2", Lang: "en"}}
	open := chat.Request{ID: "open", Kind: chat.Command, Data: "/zevaka", In: s.In, Who: chat.User{ID: 1, Name: "User1", Lang: "en"}}
	first := bottest.FlatOf(bottest.Seen(t.Context(), s.Bot, notify))
	if again := bottest.FlatOf(bottest.Seen(t.Context(), s.Bot, notify)); again != first {
		t.Errorf("%q, and then %q", first, again)
	}
	for _, want := range []string{"User2", ""} {
		if got := mentioned(bottest.Seen(t.Context(), s.Bot, open)); got != want {
			t.Errorf("%q are called, not %q", got, want)
		}
	}
}

// TestNobodyIsCalled: where nobody can be called, and who is nobody in particular, is told so by whatever way they ask, and nothing
// is stored.
func TestNobodyIsCalled(t *testing.T) {
	group := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -55}, Channel: -55}
	private := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 2}, Channel: 2, Private: true}
	room := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
	guest := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 6}, Channel: 6, Guest: true}
	ann, admin := chat.User{ID: 2, Name: "Ann", Lang: "en"}, chat.User{ID: 1, Name: "Group", Lang: "en", Admin: true, Anonymous: true}
	for name, test := range map[string]struct {
		in   chat.Place
		who  chat.User
		want string
	}{
		"private":   {private, ann, "only in a group"},
		"the room":  {room, ann, "only in a group"},
		"a guest":   {guest, ann, "only in a group"},
		"anonymous": {group, admin, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := bottest.NewSitting(t)
			for i, data := range []string{"/notify", table.PlaceToken(chat.Request{In: test.in}, "!own called on"), table.PlaceToken(chat.Request{In: group}, "!own called on")} {
				kind := chat.Press
				if i == 0 {
					kind = chat.Command
				}
				r := bottest.Seen(t.Context(), s.Bot, chat.Request{ID: fmt.Sprint("ask ", i), Kind: kind, Data: data, In: test.in, Who: test.who})
				if !r.Alert || i == 0 && !strings.Contains(r.Toast, test.want) {
					t.Errorf("%s is answered %+v", data, r)
				}
			}
			if items := stores.Items(t, s.Store, keyspace.Wishes); len(items) > 0 {
				t.Errorf("stored: %v", items)
			}
		})
	}
}

// passes has hours go by.
func passes(hours int) func(*bottest.Hall) {
	return func(h *bottest.Hall) {
		for range hours {
			h.Pass(time.Hour)
		}
	}
}

// TestCalledFromATable: who wants to be called and has left a game lying, or got up from one, is called to the next table there; who plays isn't.
func TestCalledFromATable(t *testing.T) {
	for name, test := range map[string]struct {
		limit string
		then  func(*bottest.Hall)
		want  int
	}{
		"playing": {"60s", func(*bottest.Hall) {}, 0},
		"got up":  {"60s", func(h *bottest.Hall) { h.Must(1, 2, chat.Command, "/leave") }, 1},
		"asleep":  {"60s", passes(24), 2},
		"in time": {"none", passes(23), 0},
		"lying":   {"none", passes(25), 2},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewKeeper(t)
			h.Dealt(test.limit)
			for user := range int64(2) {
				h.Must(1, user+1, chat.Command, "/notify")
			}
			test.then(h)
			called := 0
			for _, p := range h.Opens(1, 6, "/zevaka").Posts {
				called += len(bottest.Drawn(p).Mention)
			}
			if called != test.want {
				t.Errorf("%d were called, not %d", called, test.want)
			}
		})
	}
}
