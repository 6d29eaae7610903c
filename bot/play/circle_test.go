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
	"zevaka/storage"
)

// circle is a group of people who read different languages, in a hall.
type circle struct {
	*bottest.Hall
	in   chat.Place
	lang map[int64]string
	// admin says that all are admins.
	admin bool
}

// says is what the bot answers to one of them.
func (c circle) says(user int64, kind chat.Kind, data string) chat.Response {
	c.T.Helper()
	c.Asked++
	c.Running += time.Minute
	return c.Bot.Handle(c.T.Context(), chat.Request{
		ID: fmt.Sprint("circle ", c.Asked), Kind: kind, In: c.in, Data: data,
		Who: chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: c.lang[user], Admin: c.admin},
	})
}

// newest is the table in the place that was opened last.
func (c circle) newest() *table.Table {
	c.T.Helper()
	all, err := bottest.Shelf(c.Store).Look(c.T.Context(), c.in)
	if err != nil || len(all) == 0 {
		c.T.Fatalf("the place has the tables %v, %v", all, err)
	}
	return all[len(all)-1]
}

// presses presses a button of the newest table.
func (c circle) presses(user int64, do string) chat.Response {
	c.T.Helper()
	r := c.says(user, chat.Press, table.Token{Table: c.newest().ID, Do: do}.String())
	if r.Alert {
		c.T.Fatalf("P%d presses %s: %s", user, do, r.Toast)
	}
	return r
}

// deals opens a table by a line, seats others, and deals.
func (c circle) deals(line string, host int64, others ...int64) *table.Table {
	c.T.Helper()
	c.says(host, chat.Press, table.PlaceToken(chat.Request{In: c.in}, "!another "+line[1:]))
	for _, user := range others {
		c.presses(user, "!join")
	}
	c.presses(host, "!deal")
	return c.newest()
}

// TestLanguageOfAPlace: the first table that is dealt finds the language of its place, that of most who sit there. Later ones
// don't change it, and what somebody chooses comes first.
func TestLanguageOfAPlace(t *testing.T) {
	c := circle{Hall: bottest.NewHall(t), in: bottest.PlaceOf(1), lang: map[int64]string{1: "pl", 2: "ru", 3: "ru-RU", 4: "uk", 5: ""}}
	c.says(1, chat.Command, "/zevaka")
	if got := c.newest().Lang; got != "pl" {
		t.Errorf("the first lobby speaks %s, not as who opened it", got)
	}
	if got := c.presses(2, "!join").Toast; got != "Вы за столом: 2 из 6. Сдачу запускает P1. Впервые здесь? «🎓 Lekcja» покажет, как играть." {
		t.Errorf("who reads Russian is told %q", got)
	}
	c.presses(3, "!join")
	if got := c.presses(4, "!join").Toast; !strings.Contains(got, "P1 starts the game. Бот розмовляє англійською") {
		t.Errorf("who reads none of the house's languages is told %q", got)
	}
	c.presses(1, "!deal")
	if got := c.newest().Lang; got != "ru" {
		t.Errorf("two of four read Russian, and the table speaks %s", got)
	}
	c.says(1, chat.Command, "/zevaka")
	if got := c.newest().Lang; got != "ru" {
		t.Errorf("the next table speaks %s", got)
	}
	if got := c.presses(4, "!join").Toast; strings.Contains(got, "/lang") {
		t.Errorf("it says /lang again: %q", got)
	}
	if got := c.deals("/zevaka", 5, 1, 4).Lang; got != "ru" {
		t.Errorf("a table of others speaks %s", got)
	}
	if r := c.says(4, chat.Command, "/lang pl"); r.Alert || r.Posts != nil || !strings.Contains(r.Toast, "do ciebie po polsku") {
		t.Errorf("P4 chooses a language for himself: %+v", r)
	}
	if got := c.deals("/zevaka", 2, 3).Lang; got != "ru" {
		t.Errorf("after that a table speaks %s", got)
	}
	if got := c.says(4, chat.Command, "/bet x").Toast; !strings.Contains(got, "Potrzebna") {
		t.Errorf("P4 reads %q", got)
	}
	c.admin = true
	if r := c.says(4, chat.Command, "/lang en"); r.Alert || len(r.Posts) == 0 {
		t.Errorf("an admin chooses a language: %+v", r)
	}
	if got := c.deals("/zevaka", 2, 3).Lang; got != "en" {
		t.Errorf("after that a table speaks %s", got)
	}
}

// TestLanguageByWhoOpens: as long as a place has no language, and only the tables of who asks, they choose for all of it.
func TestLanguageByWhoOpens(t *testing.T) {
	for _, test := range []struct {
		tables []int64 // by whom, in the order in which they were opened
		want   string
	}{{nil, "en"}, {[]int64{1}, "en"}, {[]int64{2}, "ru"}, {[]int64{1, 2}, "pl"}} {
		c := circle{Hall: bottest.NewHall(t), in: bottest.PlaceOf(1), lang: map[int64]string{1: "pl", 2: "ru", 3: "ru"}}
		for _, user := range test.tables {
			c.says(user, chat.Press, table.PlaceToken(chat.Request{In: c.in}, "!another zevaka"))
		}
		if r := c.says(1, chat.Command, "/lang en"); r.Alert {
			t.Errorf("tables of %v: %s", test.tables, r.Toast)
		}
		c.says(2, chat.Command, "/lang ru")
		c.lang[1] = ""
		if test.tables == nil {
			c.says(3, chat.Command, "/zevaka")
		}
		all, err := bottest.Shelf(c.Store).Look(t.Context(), c.in)
		if err != nil || len(all) == 0 || all[0].Lang != test.want {
			t.Errorf("tables of %v: they speak %s, not %s, %v", test.tables, all[0].Lang, test.want, err)
		}
	}
}

// TestLanguageWhereNothingTells: equal numbers leave the language of the table, and who says nothing has no vote.
func TestLanguageWhereNothingTells(t *testing.T) {
	for i, test := range []struct {
		langs []string
		want  string
	}{
		{[]string{"pl", "ru"}, "pl"},
		{[]string{"ru", "pl", "pl", "ru"}, "ru"},
		{[]string{"en", "pl", "pl", "ru", "ru"}, "pl ru"},
		{[]string{"", "pl", "ru", "pl"}, "pl"},
		{[]string{"uk", "be"}, "en"},
	} {
		c := circle{Hall: bottest.NewHall(t), in: bottest.PlaceOf(1), lang: map[int64]string{}}
		var others []int64
		for n, lang := range test.langs {
			c.lang[int64(n+1)] = lang
			if n > 0 {
				others = append(others, int64(n+1))
			}
		}
		if got := c.deals("/zevaka", 1, others...).Lang; !strings.Contains(test.want, got) || got == "" {
			t.Errorf("%d: %q speak %q", i, test.langs, got)
		}
	}
}

// TestQuotesTheBoard: whoever reads another language than the table is told a button and a card as they stand there.
func TestQuotesTheBoard(t *testing.T) {
	c := circle{Hall: bottest.NewHall(t), in: bottest.PlaceOf(1), lang: map[int64]string{1: "ru", 2: "pl", 3: "ru"}}
	c.deals("/banchok limit=none", 1, 2, 3)
	c.presses(c.newest().Chairs[c.newest().Cutter].User, "!no-cut")
	hand := words.Flat(c.presses(2, "!hand").Posts[0].Text)
	if hand != "Runda 1: 6♠ К♦ К♥" { // K in Polish is К in Russian letters.
		t.Errorf("at a Russian table the Pole holds %q", hand)
	}
	c.deals("/zevaka limit=none", 1, 2, 3)
	c.presses(c.newest().Chairs[c.newest().Cutter].User, "!no-cut")
	c.presses(2, "!leave")
	r := c.says(2, chat.Press, table.Token{Table: c.newest().ID, Epoch: 2, Do: "flip"}.String())
	if want := "Żeby grać dalej, naciśnij „Вернуться”."; !strings.HasSuffix(r.Toast, want) {
		t.Errorf("who has left is told %q", r.Toast)
	}
}

// TestPlaysAsBefore: where nobody chooses, a chat gets a game that ends the same evening, the room a whole one; then both
// play as they played last. Who names something gets the rest of it so.
func TestPlaysAsBefore(t *testing.T) {
	for _, test := range []struct {
		on   chat.Platform
		deal string
	}{{chat.Telegram, "stock"}, {chat.Discord, "stock"}, {chat.Web, "hands"}} {
		c := circle{Hall: bottest.NewHall(t), in: chat.Place{Community: chat.Community{Platform: test.on, ID: 7}, Channel: 1}, lang: map[int64]string{}}
		check := func(what string, one *table.Table, deal, centre string, limit int, fast bool) {
			t.Helper()
			if one.Options["deal"] != deal || one.Options["centre"] != centre || one.Limit != limit || one.Fast != fast {
				t.Errorf("%c: %s is %v, %d s, fast %v", test.on, what, one.Options, one.Limit, one.Fast)
			}
		}
		check("a table", c.deals("/zevaka", 1, 2), test.deal, "suit", 60, false)
		check("another pack", c.deals("/zevaka 52", 3, 4), test.deal, "suit", 60, false)
		check("a set", c.deals("/zevaka 21c limit=5m fast", 5, 6), "hands", "rank", 300, true)
		c.says(7, chat.Command, "/zevaka deal=hands")
		check("rules alone", c.newest(), "hands", "rank", 300, true)
		c.says(8, chat.Press, table.PlaceToken(chat.Request{In: c.in}, "!another zevaka limit=15s"))
		check("a time alone", c.newest(), "hands", "rank", 15, false)
		c.presses(8, "!stop")
		c.says(7, chat.Command, "/table")
		c.presses(7, "!stop")
		c.says(9, chat.Press, table.PlaceToken(chat.Request{In: c.in}, "!begin zevaka"))
		check("the button", c.newest(), "hands", "rank", 300, true)
		c.says(10, chat.Command, "/banchok")
		if one := c.newest(); one.Limit != 60 || one.Rounds != 1 {
			t.Errorf("%c: another game has %d s and %d rounds", test.on, one.Limit, one.Rounds)
		}
		alone := c
		alone.in = chat.Place{Community: chat.Community{Platform: test.on, ID: 8}, Channel: 8, Private: true}
		alone.says(1, chat.Command, "/zevaka 21c limit=5m")
		alone.presses(1, "!robot")
		alone.presses(1, "!deal")
		alone.says(1, chat.Command, "/zevaka")
		check("alone", alone.newest(), test.deal, "suit", 60, false)
	}
}

// TestVainOptions: who names an option is dealt by it, or told what it needs. What nobody has named stays as the place plays it, if the
// option named has a use beside it.
func TestVainOptions(t *testing.T) {
	for _, test := range []struct {
		on         chat.Platform
		line, want string
	}{
		{chat.Telegram, "/zevaka penalty=call", "deal=stock penalty=call"},
		{chat.Telegram, "/zevaka 52 строгая", "deal=stock open=off pack=52"},
		{chat.Telegram, "/zevaka others=off", "deal=stock others=off"},
		{chat.Telegram, "/zevaka open=later", "deal=stock open=later"},
		{chat.Telegram, "/zevaka 21в", "centre=rank"},
		{chat.Telegram, "/zevaka centre=free penalty", "centre=free penalty=auto"},
		{chat.Telegram, "/zevaka 21а", ""},
		{chat.Telegram, "/zevaka 21б centre=suit", "centre=suit changes nothing here: it is for deal=hands only."},
		{chat.Telegram, "/zevaka 21б 21в", "centre=rank changes nothing here: it is for deal=hands only."},
		{chat.Telegram, "/zevaka 21a others=off", "others=off changes nothing here: it is for deal=stock only."},
		{chat.Telegram, "/zevaka 21a open=later", "open=later changes nothing here: it is for deal=stock only."},
		{chat.Web, "/zevaka others=off", "others=off changes nothing here: it is for deal=stock only."},
		{chat.Web, "/zevaka 21б others=off", "deal=stock others=off"},
		{chat.Telegram, "/patience tecza distinct=on", "distinct=on changes nothing here: it is for bases=8 only."},
		{chat.Telegram, "/patience tecza distinct=on bases=8", "bases=8 distinct=on"},
	} {
		c := circle{Hall: bottest.NewHall(t), in: chat.Place{Community: chat.Community{Platform: test.on, ID: 7}, Channel: 1}, lang: map[int64]string{}}
		got := c.says(1, chat.Command, test.line)
		if got.Alert {
			if got.Toast != test.want {
				t.Errorf("%c: %s is answered %q", test.on, test.line, got.Toast)
			}
			continue
		}
		one := c.newest()
		var differs []string
		for _, o := range c.Games[one.Game].Info().Options {
			if value := one.Options[o.Name]; value != o.Values[0] {
				differs = append(differs, o.Name+"="+value)
			}
		}
		slices.Sort(differs)
		if all := strings.Join(differs, " "); all != test.want {
			t.Errorf("%c: %s is dealt with %q, want %q", test.on, test.line, all, test.want)
		}
	}
}

// TestLanguageOfThoseBefore: who never opened anything in a place doesn't turn its language, though all tables are gone.
func TestLanguageOfThoseBefore(t *testing.T) {
	h := bottest.NewHall(t)
	h.GiveUpPatience(1, 1)
	h.Ask(1, 2, chat.Command, "/lang pl")
	record, err := storage.Read(t.Context(), h.Store, func(from storage.Reader) (table.PlaceRecord, error) { return table.GetPlace(from, h.Place(1)) })
	if err != nil || record.Lang != "" {
		t.Errorf("P2 has turned the language to %q, %v", record.Lang, err)
	}
}

// TestNamesAtTheLiveTable: at the live table a computer player is called as the reader reads it, in the chat as on the board.
func TestNamesAtTheLiveTable(t *testing.T) {
	for _, atTable := range []bool{false, true} {
		c := circle{Hall: bottest.NewHall(t), in: bottest.PlaceOf(1), lang: map[int64]string{1: "ru"}}
		c.says(1, chat.Command, "/zevaka")
		r := c.Bot.Handle(t.Context(), chat.Request{
			ID: "robot", Kind: chat.Press, In: c.in, Data: table.Token{Table: c.newest().ID, Do: "!robot"}.String(), Live: atTable,
			Who: chat.User{ID: 1, Name: "P1", Lang: "en"},
		})
		now := c.newest()
		read := now
		if atTable {
			read = table.ReadIn(now, c.Bot.Words().Lang("en"))
		}
		if name := read.Chairs[1].Name; now.Lang != "ru" || (name != now.Chairs[1].Name) != atTable || !strings.HasPrefix(r.Toast, name+" sits down") {
			t.Errorf("at the live table %t: %s is told of as %q", atTable, name, r.Toast)
		}
	}
}
