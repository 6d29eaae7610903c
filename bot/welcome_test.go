package bot_test

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// TestArrived: a place is greeted once, in its language, with buttons that begin something for whoever presses.
func TestArrived(t *testing.T) {
	h := bottest.NewHall(t)
	in := h.Place(1)
	in.Crowded, in.Lang = true, "pl"
	r := h.Bot.Handle(t.Context(), chat.Request{ID: "arrived", Kind: chat.Arrived, In: in, Who: bottest.User(1)})
	if len(r.Posts) != 1 || r.Posts[0].To != nil || !r.Posts[0].In.Same(in) {
		t.Fatalf("it says %+v", r)
	}
	m := r.Posts[0].Message
	text := words.Flat(m.Text)
	if !strings.Contains(text, "zrobisz ze mnie administratora") {
		t.Errorf("it says %q", text)
	}
	if got := chattest.Drawn(h.Ask(1, 2, chat.Press, bottest.Labelled(t, m, "▶ Zewaka"))); len(got.Posts) == 0 || got.Alert {
		t.Errorf("the first game answers %+v", got)
	}
	if one := h.Table(1); one.Game != "zevaka" || one.Host != bottest.User(2).ID {
		t.Errorf("the table is %+v", one)
	}
	if got := h.Ask(1, 3, chat.Press, bottest.Labelled(t, m, "📖 Jak grać")); len(got.Posts) != 1 || got.Posts[0].To == nil {
		t.Errorf("the rules answer %+v", got)
	}
	if got := h.Ask(1, 3, chat.Press, bottest.Labelled(t, m, "🃏 Pasjans")); len(got.Posts) != 1 || got.Posts[0].To == nil {
		t.Errorf("the patiences answer %+v", got)
	}
}

// TestBeginsHere: the button of one community begins nothing in another, and none for a game that isn't played.
func TestBeginsHere(t *testing.T) {
	h := bottest.NewHall(t)
	other := chat.Request{In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 99}}}
	for _, token := range []string{
		table.PlaceToken(other, "!begin zevaka"),
		table.PlaceToken(chat.Request{In: h.Place(1)}, "!begin"),
		table.PlaceToken(chat.Request{In: h.Place(1)}, "!begin whist"),
	} {
		before := h.Everything()
		if r := h.Ask(1, 2, chat.Press, token); !r.Alert || len(r.Posts) > 0 {
			t.Errorf("%s: %+v", token, r)
		}
		if changed := h.Changed(before); len(changed) > 0 {
			t.Errorf("%s changes %v", token, changed)
		}
	}
	alone := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 2}, Channel: 2, Private: true}
	before := h.Everything()
	r := h.Bot.Handle(t.Context(), chat.Request{
		ID: "from a private chat", Kind: chat.Press, Who: bottest.User(2), In: alone, Data: table.PlaceToken(chat.Request{In: h.Place(1)}, "!begin zevaka"),
		Member: func(context.Context, chat.Community) (bool, error) { return true, nil },
	})
	if changed := h.Changed(before); !r.Alert || len(r.Posts) > 0 || len(changed) > 0 {
		t.Errorf("from a private chat: %+v, and changes %v", r, changed)
	}
}

// TestBeginsOnce: two taps on a button open one table, and two presses with a pause two; what is delivered twice is one press.
func TestBeginsOnce(t *testing.T) {
	h := bottest.NewHall(t)
	press := func(id string, user int64, do string) chat.Response {
		return h.Bot.Handle(t.Context(), chat.Request{
			ID: id, Kind: chat.Press, Who: bottest.User(user), In: h.Place(1), Data: table.PlaceToken(chat.Request{In: h.Place(1)}, do),
		})
	}
	open := func() int {
		ids, err := bottest.Shelf(h.Store).TableIDs(t.Context(), h.Place(1))
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	for _, test := range []struct {
		id, do string
		user   int64
		later  time.Duration
		want   int
	}{
		{"a", "!begin zevaka", 1, 0, 1},
		{"a", "!begin zevaka", 1, 0, 1},
		{"b", "!begin zevaka", 1, time.Second, 1},
		{"c", "!patience tecza", 1, 0, 2},
		{"d", "!patience tecza", 1, 0, 2},
		{"e", "!patience tecza", 2, 0, 3},
		{"f", "!patience tecza", 2, bottest.DoubleTap, 4},
		{"g", "!another zevaka", 3, 0, 5},
		{"h", "!another zevaka", 3, 0, 5},
	} {
		h.Running += test.later
		if press(test.id, test.user, test.do); open() != test.want {
			t.Errorf("after press %s of %q by %d %d tables are open, want %d", test.id, test.do, test.user, open(), test.want)
		}
	}
}

// TestShortHelp: on a phone the help is ten lines at the most, and in a private chat it leads to a group.
func TestShortHelp(t *testing.T) {
	const phone = 35
	h := bottest.NewHall(t)
	for _, tag := range words.Tags() {
		who := bottest.User(1)
		who.Lang = tag
		in := h.Place(1)
		in.Private = true
		r := h.Bot.Handle(t.Context(), chat.Request{ID: "help " + tag, Kind: chat.Command, In: in, Who: who, Data: "/start"})
		lines := 0
		for line := range strings.Lines(words.Flat(r.Posts[0].Text)) {
			lines += 1 + (utf8.RuneCountInString(strings.TrimRight(line, "\n"))-1)/phone
		}
		buttons := r.Posts[0].Buttons
		if last := buttons[len(buttons)-2][0]; lines > 10 || !last.Adds || last.Token != "" {
			t.Errorf("%s: %d lines, then %+v", tag, lines, buttons)
		}
	}
}

// anonymous is a chat with somebody who speaks for the place itself.
func anonymous(t *testing.T) *conversation {
	c := newChat(t)
	c.People["Room"] = chat.User{ID: 99, Name: "Room", Admin: true, Anonymous: true}
	return c
}

// TestAnonymousOpensATable: whoever speaks for the place opens a table at which nobody sits. The first to sit down is its
// host, and it speaks their language, as does then the place; those who can't sit down never do.
func TestAnonymousOpensATable(t *testing.T) {
	c := anonymous(t)
	script := func(line string, want ...string) {
		t.Helper()
		c.seen.Reset()
		c.do(line)
		for _, part := range want {
			if !strings.Contains(c.seen.String(), part) {
				t.Fatalf("after %s there is no %q in\n%s", line, part, c.seen.String())
			}
		}
	}
	script("Room: /zevaka now", "You're writing as the chat itself")
	script("twice Room: /zevaka", "At the table: 0", "#1")
	script("Room: [Join]", "Room only: !You're writing as the chat itself")
	script("Room: [+ 🤖]", "1. 🤖 ")
	name := regexp.MustCompile(`1\. (🤖 \S+)`).FindStringSubmatch(c.seen.String())[1]
	script("Room: [+ 🤖]", "2. 🤖 ")
	script("Room: [Deal]", "Room only: !Too few players")
	script("Room: [− 🤖]", "At the table: 1")
	script("Room: /remove", "#2 everybody", "["+name+"]")
	script("Room: ["+name+"]", "At the table: 0")
	for _, line := range []string{
		"/leave", "/back", "/cut 7", "/уйти", "/m flip", "/bet 10", "/hand", "/daily", "/ledger", "/give Аня 10", "/balance",
	} {
		script("Room: "+line, "Room only: !You're writing as the chat itself")
	}
	script("Аня: [Join]", "За столом: 1", "1. Аня хозяин стола")
	script("Боря: [Сесть]", "· 2. Боря\n")
	script("Аня: [Сдавать]", "снимите колоду")
	script("Room: /cut 7", "Room only: !Вы пишете от имени чата")
	if len(c.messages) != 3 {
		t.Errorf("there are %d messages", len(c.messages))
	}
	script("Admin: /lang pl", "po polsku")
	script("Room: /leave", "Room only: !Piszesz w imieniu czatu")
	script("Room: /stop", "everybody", "[Przerwij grę]")
	script("Ola: [Przerwij grę]", "Ola only: !")
	script("Admin: [Przerwij grę]", "Stół zamknięty przez")
}

// TestAnonymousIsToldAloud: what would be for one person only is for everybody where nobody knows who that is.
func TestAnonymousIsToldAloud(t *testing.T) {
	c := anonymous(t)
	for i, line := range []string{"/help", "/rules", "/zevaka", "/zevaka", "/table"} {
		r := c.request(c.Act("Room: " + line))
		response := chattest.Drawn(c.Bot.Handle(t.Context(), r))
		if len(response.Posts) == 0 || response.Toast != "" {
			t.Errorf("%s is answered %+v", line, response)
		}
		for _, p := range response.Posts {
			if p.To != nil {
				t.Errorf("%s is answered to %+v alone", line, p.To)
			}
		}
		if i == 4 && (len(response.Posts[0].Buttons) != 2 || !strings.HasPrefix(response.Posts[0].Buttons[0][0].Label, "waiting")) {
			t.Errorf("the tables to choose from are %+v", response.Posts[0].Buttons)
		}
	}
}

// TestNobodySatDown: a table that nobody sits down at closes after the time that every lobby has.
func TestNobodySatDown(t *testing.T) {
	for _, minutes := range []int{59, 61} {
		t.Run(strconv.Itoa(minutes), func(t *testing.T) {
			c := anonymous(t)
			c.do("Room: /zevaka")
			c.Wait(time.Duration(minutes) * time.Minute)
			if closed := strings.Contains(c.seen.String(), "The game never began"); closed != (minutes > 60) {
				t.Errorf("it is closed: %t\n%s", closed, c.seen.String())
			}
		})
	}
}

// TestRulesOfThePlace: who asks for the rules reads those of the table that was opened last in the place, also after its end, and is asked
// where none was. All of them begin with the form that is played there, and a table's say by which options it is played.
func TestRulesOfThePlace(t *testing.T) {
	h := bottest.NewHall(t)
	says := func(channel int64, kind chat.Kind, data string) string {
		t.Helper()
		return words.Flat(bottest.Drawn(h.Must(channel, 1, kind, data).Posts[0]).Text)
	}
	if got := says(1, chat.Command, "/rules"); !strings.HasPrefix(got, "Rules of which game?") {
		t.Errorf("where nothing was played it says %q", got)
	}
	h.Opens(1, 1, "/banchok")
	h.Opens(2, 1, "/zevaka 21а")
	for range 2 {
		for channel, want := range map[int64]string{1: "Polish Bank", 2: "Zevaka", 3: "Rules of which game?"} {
			if got := says(channel, chat.Command, "/rules"); !strings.HasPrefix(got, want) {
				t.Errorf("in channel %d it says %q", channel, got)
			}
		}
		for _, channel := range []int64{1, 2} {
			h.Ask(channel, 1, chat.Command, "/stop")
		}
	}
	for i, test := range []struct{ line, here string }{
		{"/patience pauk", ""}, {"/zevaka 21a", ""},
		{"/patience pauk redeals=0 build=suit", "Spider · packets in suit · no redeals"}, {"/zevaka 21a end=first", "Zevaka · ends with the first out · 36 cards"},
	} {
		channel := int64(i + 4)
		h.Opens(channel, 1, test.line)
		got := says(channel, chat.Press, table.Token{Table: h.Table(channel).ID, Do: "!rules"}.String())
		if _, here, _ := strings.Cut(got, "Played here: "); here != "" && test.here == "" || !strings.HasPrefix(here, test.here) {
			t.Errorf("at a table of %q it says %q", test.line, got)
		}
	}
	for channel, first := range map[int64]string{1: "21b (usual", 2: "21a. "} {
		if channel == 2 {
			h.Opens(2, 1, "/zevaka 21а now")
		}
		got := says(channel, chat.Press, table.PlaceToken(chat.Request{In: h.Place(channel)}, "!rules zevaka all"))
		if _, rest, _ := strings.Cut(got, "\n\n"); !strings.HasPrefix(rest, first) {
			t.Errorf("in channel %d it begins %q", channel, got)
		}
	}
}
