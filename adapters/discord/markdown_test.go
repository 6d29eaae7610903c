package discord

import (
	"log/slog"
	"strings"
	"testing"

	"zevaka/bot/chat"
)

func TestMarkdown(t *testing.T) {
	for _, one := range []struct {
		spans []chat.Span
		want  string
	}{
		{[]chat.Span{{Text: "Аня"}}, "Аня"},
		{[]chat.Span{{Text: "**x** _y_ ~z~ `c` ||s||"}}, "\\*\\*x\\*\\* \\_y\\_ \\~z\\~ \\`c\\` \\|\\|s\\|\\|"},
		{[]chat.Span{{Text: "<@101> @everyone <#5> <:a:1>"}}, "\\<\\@101\\> \\@everyone \\<\\#5\\> \\<\\:a\\:1\\>"},
		{[]chat.Span{{Text: "# x\n> y\n-# z\n- a\n1. b"}}, "\\# x\n\\> y\n\\-\\# z\n\\- a\n1\\. b"},
		{[]chat.Span{{Text: "https://x.y [a](b)"}}, "https\\://x\\.y \\[a\\]\\(b\\)"},
		{[]chat.Span{{Text: " Аня ", Style: chat.Strong}, {Text: "6♥", Style: chat.Red}}, " **Аня** 6♥"},
		{[]chat.Span{{Text: "К♣", Style: chat.Strong}, {Text: " 10♠9♦\n♠\ufe0e. "}, {Text: "7♠", Style: chat.Code}}, "**К♣\ufe0e** 10♠\ufe0e9♦\n♠\ufe0e. `7♠`"},
		{[]chat.Span{{Text: " ", Style: chat.Strong}, {Text: "a\nb", Style: chat.Strong}}, " **a**\n**b**"},
		{[]chat.Span{{Text: "тихо\n", Style: chat.Faint}, {Text: "громко "}, {Text: "тихо", Style: chat.Faint}}, "-# тихо\nгромко тихо"},
		{[]chat.Span{{Text: "a`b", Style: chat.Code}}, "`aˋb`"},
		{[]chat.Span{{Text: "Боря", Style: chat.Strong}, {Text: " ("}, {Text: "7", Style: chat.Code, User: 7}, {Text: ")"}}, "**Боря** \\(<@7>\\)"},
	} {
		if got := (identity{}).markdown(one.spans, 1)[0]; got != one.want {
			t.Errorf("%v is %q, not %q", one.spans, got, one.want)
		}
	}
}

// TestCommandsNamed: the bot's commands can be pressed where a sentence names them, and nothing else can.
func TestCommandsNamed(t *testing.T) {
	r := registrar{newCore(nil, Options{Log: slog.New(slog.DiscardHandler)})}
	r.know(
		[]command{{Name: "cut", NameLocal: map[string]string{"ru": "снять"}}, {Name: "lang"}, {Name: "m"}},
		[]command{{Name: "lang", ID: "6"}, {Name: "m"}, {Name: "cut", ID: "5"}},
	)
	me := r.self()
	for _, one := range []struct {
		style      chat.Style
		text, want string
	}{
		{chat.Plain, "/cut", "</cut:5>"},
		{chat.Plain, "Аня: /cut 7. (/lang ru)", "Аня\\: </cut:5> 7. \\(</lang:6> ru\\)"},
		{chat.Plain, "— /cut.\n/cut, “/cut”", "— </cut:5>.\n</cut:5>, “</cut:5>”"},
		{chat.Strong, "/cut [text]", "**</cut:5> \\[text\\]**"},
		{chat.Faint, "/cut", "-# </cut:5>"},
		{chat.Code, "/cut", "`/cut`"},
		{chat.Plain, "/CUT /cute /cu /cut-off /cut_ /m", "/CUT /cute /cu /cut\\-off /cut\\_ /m"},
		{chat.Plain, "/снять, /снятьё", "</cut:5>, /снятьё"},
		{chat.Plain, "a/cut 1/cut //cut </cut:5> / cut", "a/cut 1/cut //cut \\</cut\\:5\\> / cut"},
		{chat.Plain, chat.CleanText("/cut //cut (/cut \u200b/cut"), "∕cut //cut \\(∕cut ∕cut"},
	} {
		if got := me.markdown([]chat.Span{{Text: one.text, Style: one.style}}, 1)[0]; got != one.want {
			t.Errorf("%q is %q, not %q", one.text, got, one.want)
		}
	}
}

// TestCommandsNamedLong: no text takes more messages because commands can be pressed in it, and none is cut for that.
func TestCommandsNamedLong(t *testing.T) {
	me := identity{commands: map[string]string{"cut": "</cut:1234567890123456789>"}}
	for _, one := range []struct {
		text          string
		most          int
		pieces, named int
	}{
		{strings.Repeat("/cut ", 300), 5, 1, 0},
		{strings.Repeat("/cut\n", 300), 5, 1, 0},
		{strings.Repeat("/cut\n", 300), 1, 1, 0},
		{strings.Repeat("/cut\n", 70), 5, 1, 70},
		{strings.Repeat("x\n", 1500) + "/cut", 5, 2, 1},
		{strings.Repeat("x\n", 1500) + "/cut", 1, 1, 0},
		{"/cut\n" + strings.Repeat("x\n", 1500), 1, 1, 1},
	} {
		pieces := me.markdown([]chat.Span{{Text: one.text}}, one.most)
		if n := strings.Count(strings.Join(pieces, ""), "</cut:"); len(pieces) != one.pieces || n != one.named {
			t.Errorf("%.20q becomes %d messages with %d commands to press", one.text, len(pieces), n)
		}
	}
}

// TestLongText cuts what is too long where nothing breaks.
func TestLongText(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("*", 5000), strings.Repeat("♠", 5000), strings.Repeat("строка\n", 2000), strings.Repeat("🂠 ", 3000), strings.Repeat("a\n", 999) + strings.Repeat("*", 3000),
	} {
		for _, style := range []chat.Style{chat.Plain, chat.Strong, chat.Faint, chat.Code} {
			for most := 1; most <= 3; most++ {
				pieces := (identity{}).markdown([]chat.Span{{Text: text, Style: style}}, most)
				if len(pieces) > most {
					t.Errorf("%d pieces of %d", len(pieces), most)
				}
				for _, piece := range pieces {
					if chat.Units(piece) > maxContent || piece == "" {
						t.Errorf("a piece of %d", chat.Units(piece))
					}
				}
			}
		}
	}
}

// TestLabels: what is pressed has black suits that are seen on a dark ground, and is no longer than it may be.
func TestLabels(t *testing.T) {
	for _, one := range []struct {
		text string
		n    int
		want string
	}{
		{" ", 5, "·"},
		{"7♠ → 8♥", 80, "7♠\ufe0e → 8♥"},
		{"7♠\ufe0e → 8♣", 80, "7♠\ufe0e → 8♣\ufe0e"},
		{"♠♣♠", 6, "♠\ufe0e♣\ufe0e♠\ufe0e"},
		{"♠♣♠", 5, "♠\ufe0e…"},
		{"♠\ufe0e♣\ufe0e", 3, "♠\ufe0e…"},
		{"♠", 1, "…"},
	} {
		if got := label(one.text, one.n); got != one.want {
			t.Errorf("%q becomes %q, not %q", one.text, got, one.want)
		}
	}
}

func TestButtons(t *testing.T) {
	many := make([][]chat.Button, 13)
	for i := range many {
		for range 2 {
			many[i] = append(many[i], chat.Button{Label: strings.Repeat("я", 90), Token: strings.Repeat("x", i+1) + string(rune('a'+len(many[i])))})
		}
	}
	rows := *identity{}.rows(chat.Message{Buttons: many})
	if len(rows) != 5 || len(rows[0].Components) != 5 {
		t.Errorf("%d rows", len(rows))
	}
	for _, b := range []chat.Button{
		{Token: "1.d1.x.1.!cut", Ask: "Число от 1 до 999 или любой текст"}, {Token: strings.Repeat("x", 64), Ask: strings.Repeat("ы", 200)},
	} {
		id := customID(b)
		token, question, asks := splitAsk(id)
		if !asks || token != b.Token || question == "" || chat.Units(id) > maxCustom || chat.Units(question) > maxTitle {
			t.Errorf("%q comes back as %q, %q", id, token, question)
		}
	}
	for _, b := range []chat.Button{{}, {Token: "a?b", Ask: "?"}, {Token: strings.Repeat("x", 101)}} {
		if id := customID(b); id != "" {
			t.Errorf("%+v is shown as %q", b, id)
		}
	}
	m := newModal(strings.Repeat("x", 64), "", "")
	if m.Title == "" || m.Title != "…" {
		t.Errorf("the title is %q", m.Title)
	}
}
