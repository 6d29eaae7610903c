package discord

import (
	"strings"
	"testing"

	"zevaka/bot"
)

func TestMarkdown(t *testing.T) {
	for _, one := range []struct {
		spans []bot.Span
		want  string
	}{
		{[]bot.Span{{Text: "Аня"}}, "Аня"},
		{[]bot.Span{{Text: "**x** _y_ ~z~ `c` ||s||"}}, "\\*\\*x\\*\\* \\_y\\_ \\~z\\~ \\`c\\` \\|\\|s\\|\\|"},
		{[]bot.Span{{Text: "<@101> @everyone <#5> <:a:1>"}}, "\\<\\@101\\> \\@everyone \\<\\#5\\> \\<\\:a\\:1\\>"},
		{[]bot.Span{{Text: "# x\n> y\n-# z\n- a\n1. b"}}, "\\# x\n\\> y\n\\-\\# z\n\\- a\n1\\. b"},
		{[]bot.Span{{Text: "https://x.y [a](b)"}}, "https\\://x.y \\[a\\]\\(b\\)"},
		{[]bot.Span{{Text: " Аня ", Style: bot.Strong}, {Text: "6♥", Style: bot.Red}}, " **Аня** 6♥"},
		{[]bot.Span{{Text: " ", Style: bot.Strong}, {Text: "a\nb", Style: bot.Strong}}, " **a**\n**b**"},
		{[]bot.Span{{Text: "тихо\n", Style: bot.Faint}, {Text: "громко "}, {Text: "тихо", Style: bot.Faint}}, "-# тихо\nгромко тихо"},
		{[]bot.Span{{Text: "a`b", Style: bot.Code}}, "`aˋb`"},
	} {
		if got := markdown(one.spans, 1)[0]; got != one.want {
			t.Errorf("%v is %q, not %q", one.spans, got, one.want)
		}
	}
}

// TestLongText cuts what is too long where nothing breaks.
func TestLongText(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("*", 5000), strings.Repeat("строка\n", 2000), strings.Repeat("🂠 ", 3000), strings.Repeat("a\n", 999) + strings.Repeat("*", 3000),
	} {
		for _, style := range []bot.Style{bot.Plain, bot.Strong, bot.Faint, bot.Code} {
			for most := 1; most <= 3; most++ {
				pieces := markdown([]bot.Span{{Text: text, Style: style}}, most)
				if len(pieces) > most {
					t.Errorf("%d pieces of %d", len(pieces), most)
				}
				for _, piece := range pieces {
					if units(piece) > maxContent || piece == "" {
						t.Errorf("a piece of %d", units(piece))
					}
				}
			}
		}
	}
}

func TestButtons(t *testing.T) {
	many := make([][]bot.Button, 13)
	for i := range many {
		for range 2 {
			many[i] = append(many[i], bot.Button{Label: strings.Repeat("я", 90), Token: strings.Repeat("x", i+1) + string(rune('a'+len(many[i])))})
		}
	}
	rows := *rows(bot.Message{Buttons: many})
	if len(rows) != 5 || len(rows[0].Components) != 5 {
		t.Errorf("%d rows", len(rows))
	}
	for _, b := range []bot.Button{
		{Token: "1.d1.x.1.!cut", Ask: "Число от 1 до 999 или любой текст"}, {Token: strings.Repeat("x", 64), Ask: strings.Repeat("ы", 200)},
	} {
		id := customID(b)
		token, question, asks := splitAsk(id)
		if !asks || token != b.Token || question == "" || units(id) > maxCustom || units(question) > maxTitle {
			t.Errorf("%q comes back as %q, %q", id, token, question)
		}
	}
	for _, b := range []bot.Button{{}, {Token: "a?b", Ask: "?"}, {Token: strings.Repeat("x", 101)}} {
		if id := customID(b); id != "" {
			t.Errorf("%+v is shown as %q", b, id)
		}
	}
	m := newModal(strings.Repeat("x", 64), "", "")
	if m.Title == "" || m.Title != "…" {
		t.Errorf("the title is %q", m.Title)
	}
}
