package play_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// open are the tables open in the place.
func (c circle) open() []*table.Table {
	c.T.Helper()
	all, err := bottest.Shelf(c.Store).Look(c.T.Context(), c.in)
	if err != nil {
		c.T.Fatal(err)
	}
	return all
}

// TestWaitingTablesFirst: who opens a table where one waits for players is offered that one, alone; their own they are shown
// again. Another is opened when they say so, with the rules that they have typed.
func TestWaitingTablesFirst(t *testing.T) {
	c := circle{Hall: bottest.NewHall(t), in: bottest.PlaceOf(1), lang: map[int64]string{1: "en", 2: "en", 3: "ru"}}
	c.says(1, chat.Command, "/zevaka")
	offer := c.says(2, chat.Command, "/zevaka 21c limit=5m")
	if len(offer.Posts) != 1 || offer.Posts[0].To == nil || len(c.open()) != 1 {
		t.Fatalf("with a lobby it answers %+v", offer)
	}
	if text := words.Flat(offer.Posts[0].Text); text != "A table is open already: P1 is waiting for players (1 of 6).\nZevaka · Pack on the table (21b) · 36 cards" {
		t.Errorf("it says %q", text)
	}
	c.says(2, chat.Press, bottest.Labelled(t, offer.Posts[0].Message, "Open another"))
	if one := c.newest(); len(c.open()) != 2 || one.Options["centre"] != "rank" || one.Limit != 300 || one.Host != 2 {
		t.Errorf("another is %v, %d s, of %d", one.Options, one.Limit, one.Host)
	}
	offer = c.says(3, chat.Command, "/zevaka")
	for _, label := range []string{"Сесть за этот: P1", "Сесть за этот: P2", "Открыть другой"} {
		bottest.Labelled(t, offer.Posts[0].Message, label)
	}
	sits := c.says(3, chat.Press, bottest.Labelled(t, offer.Posts[0].Message, "Сесть за этот: P1"))
	if _, seated := c.open()[0].SeatOf(3); !seated || len(c.open()) != 2 || sits.Opened != c.open()[0].ID.String() {
		t.Errorf("who presses sits nowhere, or isn't taken there: %+v", sits)
	}
	for user, host := range map[int64]int64{1: 1, 2: 2, 3: 1} {
		r := c.says(user, chat.Command, "/zevaka")
		if at := c.open()[host-1]; len(c.open()) != 2 || len(r.Posts) == 0 || r.Posts[len(r.Posts)-1].Table != at.ID.String() || r.Opened != at.ID.String() {
			t.Errorf("P%d, who waits already, is answered %+v", user, r)
		}
	}
	which := c.says(1, chat.Command, "/table")
	if r := c.says(1, chat.Press, which.Posts[0].Buttons[1][0].Token); r.Opened != c.open()[1].ID.String() {
		t.Errorf("who chooses a table of several is taken to %q", r.Opened)
	}
	if c.says(1, chat.Command, "/zevaka 52"); len(c.open()) != 3 {
		t.Error("who has a lobby gets no other by naming rules")
	}
	if r := c.says(4, chat.Command, "/banchok"); len(c.open()) != 4 {
		t.Errorf("a table of another game isn't opened: %+v", r)
	}
}

// TestWaitingTablesThatAreNone: a table that is full or dealt isn't offered, and what is delivered twice opens one table.
func TestWaitingTablesThatAreNone(t *testing.T) {
	c := circle{Hall: bottest.NewHall(t), in: bottest.PlaceOf(1), lang: map[int64]string{}}
	c.deals("/zevaka", 1, 2)
	c.says(3, chat.Command, "/zevaka")
	if len(c.open()) != 2 {
		t.Fatal("beside a dealt table no other is opened")
	}
	for range 5 {
		c.presses(3, "!robot")
	}
	twice := chat.Request{ID: "twice", Kind: chat.Command, Data: "/zevaka", In: c.in, Who: chat.User{ID: 4, Name: "P4"}}
	for range 2 {
		if r := c.Bot.Handle(t.Context(), twice); r.Alert || len(c.open()) != 3 {
			t.Errorf("beside a full one %d tables are open: %+v", len(c.open()), r)
		}
	}
	for _, do := range []string{"!another", "!another tecza", "!another whist", "!another zevaka " + strings.Repeat("x", 9)} {
		if r := c.says(5, chat.Press, table.PlaceToken(chat.Request{In: c.in}, do)); !r.Alert || len(c.open()) != 3 {
			t.Errorf("%s is answered %+v", do, r)
		}
	}
}

// TestTablesAlike: tables that are called the same are numbered where one of them is to be chosen, the oldest first.
func TestTablesAlike(t *testing.T) {
	c := circle{Hall: bottest.NewHall(t), in: bottest.PlaceOf(1), lang: map[int64]string{}}
	for range 3 {
		c.says(1, chat.Command, "/zevaka 21b limit=60s")
	}
	message := c.says(1, chat.Command, "/table").Posts[0].Message
	const name = "P1 · waiting for players · Zevaka · Pack on the table (21b) · 36 cards"
	for i, label := range []string{name, name + " (2)", name + " (3)"} {
		tok, err := table.ParseToken(bottest.Labelled(t, message, label))
		if err != nil || tok.Table != c.open()[i].ID {
			t.Errorf("%q is %v", label, tok)
		}
	}
}

// TestLookedAt: a command is meant for the table that is looked at, if it can be; /giveup is for patiences only.
func TestLookedAt(t *testing.T) {
	in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
	running := time.Duration(0)
	store := mem.New()
	b := bottest.Must(bot.New(t.Context(), bot.Options{Store: store, Games: games.All(), Running: func() time.Duration { return running }}))
	n := 0
	ask := func(kind chat.Kind, data, table string) chat.Response {
		n++
		running += bottest.DoubleTap // No double tap.
		return bottest.Seen(t.Context(), b, chat.Request{
			ID: fmt.Sprint(n), Kind: kind, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, In: in, Data: data, Table: table,
		})
	}
	frog, other := ask(chat.Command, "/zaba deal=1", "").Posts[0].Table, ask(chat.Command, "/zaba deal=2", "").Posts[0].Table
	lobby := ask(chat.Press, table.PlaceToken(chat.Request{In: in}, "!another zevaka"), "").Posts[0].Table
	for _, test := range []struct {
		line, at string
		offered  []string // nil: it isn't asked at which table
	}{
		{"/giveup", "", []string{other, frog}},
		{"/giveup", lobby, []string{other, frog}},
		{"/giveup", "nonsense", []string{other, frog}},
		{"/table", "", []string{lobby, other, frog}},
		{"/table", lobby, nil},
		{"/table", frog, nil},
		{"/remove", lobby, nil},
		{"/giveup", frog, nil},
		{"/giveup", other, nil},
		{"/stop", lobby, nil},
	} {
		r := ask(chat.Command, test.line, test.at)
		var offered, want []string
		for _, p := range r.Posts {
			if strings.Contains(words.Flat(p.Text), "which table") {
				for _, row := range p.Rows(5) {
					for _, button := range row {
						tok, err := table.ParseToken(button.Token)
						if err != nil {
							t.Fatal(err)
						}
						offered = append(offered, tok.Table.String())
					}
				}
			}
		}
		want = append(want, test.offered...)
		slices.Sort(offered)
		slices.Sort(want)
		if !slices.Equal(offered, want) {
			t.Errorf("%s at %q offers %q, want %q", test.line, test.at, offered, want)
		}
	}
	if tables := bottest.Must(bottest.Shelf(store).Look(t.Context(), in)); slices.ContainsFunc(tables, func(one *table.Table) bool { return one.ID.String() == lobby && one.Phase != table.Ended }) {
		t.Error("/stop has not closed the table that is looked at")
	}
}
