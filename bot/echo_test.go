package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/engine/patience"
	"zevaka/storage/mem"
)

// sayAll lets somebody called so type all commands that say something back, at a table and at none, and calls see with
// every text that there is to read then.
func sayAll(t *testing.T, b *bot.Bot, name, typed string, see func(line, text string)) {
	in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
	asked := 0
	ask := func(user int64, kind chat.Kind, data string) chat.Response {
		asked++
		r := bottest.Seen(t.Context(), b, chat.Request{ID: fmt.Sprint(asked), Kind: kind, Who: chat.User{ID: user, Name: name, Lang: "en", Admin: true}, In: in, Data: data})
		see(data, r.Toast)
		for _, p := range r.Posts {
			see(data, words.Flat(p.Text))
			for _, row := range p.Rows(5) {
				for _, button := range row {
					see(data, button.Label)
				}
			}
			for _, menu := range p.Choices {
				see(data, menu.Prompt)
			}
		}
		return r
	}
	board := func(r chat.Response) table.ID {
		for _, p := range r.Posts {
			if id, ok := table.ParseID(p.Table); ok {
				return id
			}
		}
		return table.ID{}
	}
	for _, line := range chattest.Echoes(typed) {
		ask(1, chat.Command, line)
	}
	in.Channel = 2
	id := board(ask(1, chat.Command, "/zevaka"))
	ask(2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	ask(1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	for user := range int64(2) {
		ask(user+1, chat.Command, "/cut "+typed)
	}
	for _, line := range chattest.Echoes(typed) {
		ask(1, chat.Command, line)
	}
	in.Channel = 3
	ask(1, chat.Command, "/tecza deal=7")
	ask(1, chat.Command, "/m draw, "+typed)
}

// TestEchoes: whatever somebody types, what is said back changes the look of nothing else.
func TestEchoes(t *testing.T) {
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	for i, typed := range []string{
		"\u202eabc", "\u2067abc", "\u2068abc", "abc\u2069\u2069", "\u202dx y", "a\u200fb", "\u0007", "x\u2028y", "\u200d\u200b", "\U000e0042x",
		"דוד", "דוד דוד דוד דוד דוד דוד דוד דוד דוד דוד", strings.Repeat("\u202e", 40), "\ufe0f", "Z" + strings.Repeat("\u0300", 50),
	} {
		sayAll(t, bot.Another(t, b, mem.New()), fmt.Sprint("P", i), typed, func(line, text string) {
			if err := chattest.Clean(text); err != nil {
				t.Errorf("%q is answered: %v", line, err)
			}
		})
	}
}

// FuzzEcho: no name and no text that somebody types leaves anything open in what is said back.
func FuzzEcho(f *testing.F) {
	f.Add("Аня", "\u202eabc")
	f.Add("\u202ebob", "7\u0000")
	f.Add("דוד", "דוד x")
	first := bot.Like(f)
	f.Fuzz(func(t *testing.T, name, typed string) {
		sayAll(t, bot.Another(t, first, mem.New()), name, typed, func(line, text string) {
			if err := chattest.Clean(text); err != nil {
				t.Errorf("%q is answered: %v", line, err)
			}
		})
	})
}

// TestCutAsShown: what can't be shown as it is doesn't cut; what does is shown, and enters the shuffle, letter by letter.
func TestCutAsShown(t *testing.T) {
	for _, test := range []struct{ typed, cut string }{
		{"7", "7"},
		{" за тех,  кто в море ", "за тех, кто в море"},
		{"bit.ly/x @all #1 /stop", "bit.ly/x @all #1 /stop"},
		{"🐱 é", "🐱 é"},
		{"דוד", "דוד"},
		{"a\u202eb", ""}, {"a\u2066b\u2069", ""}, {"\u2068a\u2069", ""}, {"a\ufe0f", ""}, {"a\U000e0101", ""}, {"a\U000e0041", ""}, {"a\u00adb", ""},
		{"a\u3164b", ""}, {"\u0301a", ""}, {"a\u0301\u0302\u0303", ""}, {"a`b", ""}, {"\u200b", ""}, {"  ", ""}, {"a\x00", ""}, {"\ue000", ""},
	} {
		h := bottest.NewHall(t)
		h.Must(1, 1, chat.Command, "/zevaka")
		h.Must(1, 2, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!join"}.String())
		h.Must(1, 1, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!deal"}.String())
		id, cutter := h.Table(1).ID, h.Table(1).Chairs[h.Table(1).Cutter].User
		h.Asked++
		r := bottest.Seen(t.Context(), h.Bot, chat.Request{
			ID: fmt.Sprint("cut ", h.Asked), Kind: chat.Press, Who: bottest.User(cutter), In: bottest.PlaceOf(1), Data: table.Token{Table: id, Epoch: 1, Do: "!cut"}.String(),
			Text: test.typed,
		})
		after := h.Look(id)
		if after.Cut != test.cut || (after.Phase == table.Playing) != (test.cut != "") || h.Is(r, table.ErrCutText) != (test.cut == "") {
			t.Errorf("%q is cut as %q: %+v", test.typed, after.Cut, r.Toast)
		}
		if test.cut == "" {
			continue
		}
		shown := false
		for _, s := range r.Posts[0].Text {
			shown = shown || s == chat.Span{Text: test.cut, Style: chat.Code}
		}
		if !shown {
			t.Errorf("%q is shown as %+v", test.typed, r.Posts[0].Text)
		}
	}
}

// FuzzTyped types anything at each of the patiences: it is a move or a refusal, and what is refused changes nothing.
func FuzzTyped(f *testing.F) {
	for i, line := range []string{
		"draw, turned w1", "7s 8s", "t3 f", "A♥ → 2♥", "put r1@4 f1", ",", ";;", "→ →", "quit, draw", "1.0 3.4", "as 1.0", "\xff", "g1.99 g",
	} {
		f.Add(uint8(i), line)
	}
	f.Fuzz(func(t *testing.T, game uint8, line string) {
		rules := patience.All()[int(game)%len(patience.All())]
		b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: patience.All()})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(id, line string) chat.Response {
			return bottest.Seen(t.Context(), b, chat.Request{
				ID: id, Kind: chat.Command, Who: chat.User{ID: 1, Name: "Ann"}, In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}, Data: line,
			})
		}
		opened := ask("1", fmt.Sprintf("/%s deal=1", rules.Info().Name))
		r := ask("2", "/m "+line)
		if r.Toast == b.Words().Lang("").Say("broken") || r.Toast == "" && len(r.Posts) == 0 {
			t.Errorf("%q is answered %+v", line, r)
		}
		if again := ask("3", "/table"); r.Alert && words.Flat(again.Posts[len(again.Posts)-1].Text) != words.Flat(opened.Posts[0].Text) {
			t.Errorf("%q was refused, and the board is another:\n%s", line, words.Flat(again.Posts[len(again.Posts)-1].Text))
		}
	})
}

// FuzzCommand types anything at all.
func FuzzCommand(f *testing.F) {
	for _, line := range []string{
		"/zevaka 21б penalty=call 52 limit=30s", "/zevaka без масти fast", "/cut 17", "/remove 1", "/remove -1", "/rules зевака",
		"/lang pl", "/table", "/stop", "/", "", "/zevaka limit=99999999999999999999h", "/\xff", "/help\n/stop", "/ZEVAKA =", "/back",
	} {
		f.Add(line)
	}
	first := bot.Like(f)
	f.Fuzz(func(t *testing.T, line string) {
		b := bot.Another(t, first, mem.New())
		place := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
		bottest.Seen(t.Context(), b, chat.Request{ID: "1", Kind: chat.Command, Who: chat.User{ID: 1}, In: place, Data: "/zevaka"})
		r := bottest.Seen(t.Context(), b, chat.Request{ID: "2", Kind: chat.Command, Who: chat.User{ID: 1}, In: place, Data: line})
		if r.Toast == b.Words().Lang("").Say("broken") || r.Toast == "" && len(r.Posts) == 0 {
			t.Errorf("%q is answered %+v", line, r)
		}
	})
}
