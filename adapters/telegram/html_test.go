package telegram

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

var (
	fixed = regexp.MustCompile(`(?s)<code>.*?</code>|<a href="tg://user\?id=\d+">.*?</a>`)
	tags  = regexp.MustCompile(`</?[bi]>`)
	links = regexp.MustCompile(`[\p{L}\p{N}_-]\.\p{L}|(?:^|[^\p{L}\p{N}_])[@#$][\p{L}\p{N}_]|://|\d\.\d+\.\d+\.\d`)
	slash = regexp.MustCompile(`(?:^|[^\p{L}\p{N}_/<>])/([\p{L}\p{N}_]+)`)
)

// wrongIn is what Telegram would make of a text that nobody meant: markup, a link, a turned line; nil if there is nothing.
func wrongIn(markup string, known func(string) bool) error {
	text := tags.ReplaceAllString(fixed.ReplaceAllString(markup, "*"), "")
	if strings.ContainsAny(text, "<>") {
		return fmt.Errorf("markup in %q", markup)
	}
	text = html.UnescapeString(text)
	if link := links.FindString(text); link != "" {
		return fmt.Errorf("the link %q in %q", link, markup)
	}
	for _, command := range slash.FindAllStringSubmatch(text, -1) {
		if !known(command[1]) {
			return fmt.Errorf("the command %q in %q", command[1], markup)
		}
	}
	return chattest.Clean(html.UnescapeString(markup))
}

// said is all that is written to Telegram when somebody called so types a line.
func said(t *testing.T, b *bot.Bot, n int, name, line string) []string {
	t.Helper()
	response := b.Handle(t.Context(), chat.Request{
		ID: fmt.Sprint(n), Kind: chat.Command, Who: chat.User{ID: 7, Name: name, Lang: "en", Admin: true}, In: placeOf(-1), Data: line,
	})
	all := []string{markup([]chat.Span{{Text: response.Toast}}, nil)}
	for _, p := range chattest.Drawn(response).Posts {
		for _, page := range pages(p.Text, maxText) {
			all = append(all, markup(page, p.Mention))
		}
		for _, row := range p.Rows(maxRow) {
			for _, button := range row {
				all = append(all, "<code>"+html.EscapeString(label(button.Label))+"</code>") // Nothing in it is looked at but marks.
			}
		}
	}
	return all
}

// FuzzEcho: whatever people are called and type, nothing of it is a link on Telegram, or markup, or turns a line around.
func FuzzEcho(f *testing.F) {
	for _, seed := range []string{
		"\u202eabc", "bit.ly/x", "http://a", "a@b.cd", "@everyone", "#tag", "$USD", "/stop", "</b><a href=x>", "1.2.3.4:80", "דוד.דוד", "t.me/x\u2069", "tg://x", "/⁰/",
	} {
		f.Add(seed, seed)
	}
	b, err := bot.New(f.Context(), bot.Options{Store: mem.New(), Games: games.All()})
	if err != nil {
		f.Fatal(err)
	}
	n, own := 0, namesOf(b.Commands)
	f.Fuzz(func(t *testing.T, name, typed string) {
		for _, line := range chattest.Echoes(typed) {
			n++
			for _, text := range said(t, b, n, name, line) {
				if err := wrongIn(text, own.has); err != nil {
					t.Errorf("%q, typed by %q: %v", line, name, err)
				}
			}
		}
	})
}

// TestUnlinked: what Telegram would make a link of looks like itself and is none; what it doesn't stays as it is.
func TestUnlinked(t *testing.T) {
	for text, want := range map[string]string{
		"bit.ly/x":                          "bit\u2024ly/x",
		"Bob. Ann":                          "Bob. Ann",
		"12.50, r1@4, №1#2, 5$":             "12.50, r1@4, №1#2, 5$",
		"https://a.b (@bob) #x $ABC me@x.y": "https\u2236//a\u2024b (\uff20bob) \uff03x \uff04ABC me@x\u2024y",
		"1.2.3.4 1.2.3":                     "1\u20242\u20243\u20244 1.2.3",
		"рф.рф ...x":                        "рф\u2024рф ..\u2024x",
	} {
		if got := unlinked(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	spans := []chat.Span{{Text: "bit.ly ", Style: chat.Strong}, {Text: "bit.ly @x", Style: chat.Code}}
	if got := markup(spans, nil); got != "<b>bit\u2024ly </b><code>bit.ly @x</code>" {
		t.Errorf("it is %q", got)
	}
	for text, want := range map[string]string{"▶ ": `<a href="tg://user?id=7">＠bob</a> ▶ `, "@bob": `<a href="tg://user?id=7">＠bob</a>`} {
		if got := markup([]chat.Span{{Text: text}}, []chat.User{{ID: 7, Name: "@bob"}}); got != want {
			t.Errorf("who is called so is called by %q", got)
		}
	}
}

// TestCutOff: what is cut off leaves no marks open, and isn't longer for it.
func TestCutOff(t *testing.T) {
	text := "ab \u2068דוד דוד\u2069 \u2068דוד\u2069 cd"
	for n := 1; n < 25; n++ {
		short := cut(text, n)
		if err := wrongIn(html.EscapeString(short), nil); err != nil || chat.Units(short) > n {
			t.Errorf("at most %d: %q, %v", n, short, err)
		}
	}
}

// TestAbreast: labels that a phone would cut off get rows with fewer buttons, in the same order.
func TestAbreast(t *testing.T) {
	for _, test := range []struct{ labels, want string }{
		{"", ""},
		{"Открыть", "Открыть"},
		{"7,13,99,365,777", "7,13,99,365,777"},
		{"5 к.,25 к.,50 к.,Банк 100", "5 к.,25 к.,50 к.,Банк 100"},
		{"5 к.,375 к.,750 к.,Банк: 1500 к.", "5 к.,375 к.,750 к.|Банк: 1500 к."},
		{"Банк: 100,Примазка: нет,Карты открывает: банкомёт", "Банк: 100,Примазка: нет|Карты открывает: банкомёт"},
		{"⏱ 60 с,Банк у каждого: 1 раз,Сесть,Готово", "⏱ 60 с|Банк у каждого: 1 раз|Сесть,Готово"},
		{"Пропустить первых,Уйти", "Пропустить первых,Уйти"},
		{strings.Repeat("x", 48) + ",y", strings.Repeat("x", 48) + "|y"},
		{"1,2,3,4,5,6", "1,2,3,4,5|6"},
	} {
		var buttons []inlineButton
		if test.labels != "" {
			for label := range strings.SplitSeq(test.labels, ",") {
				buttons = append(buttons, inlineButton{Text: label})
			}
		}
		var rows []string
		for _, row := range abreast(buttons) {
			var labels []string
			for _, b := range row {
				labels = append(labels, b.Text)
			}
			rows = append(rows, strings.Join(labels, ","))
		}
		if got := strings.Join(rows, "|"); got != test.want {
			t.Errorf("%s stand as %s, want %s", test.labels, got, test.want)
		}
	}
}
