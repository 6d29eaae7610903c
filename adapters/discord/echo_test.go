package discord

import (
	"fmt"
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
	codeSpan = regexp.MustCompile("`[^`\n]*`")
	styled   = regexp.MustCompile(`\*\*|(?m:^-# )|<@\d+>|</[a-z]+:1>`)
	escaped  = regexp.MustCompile(`\\[^0-9A-Za-z\s]`)
	special  = regexp.MustCompile("[`*_~|<>#@:\\[\\]\\\\]|[\\p{L}\\p{N}]\\.\\p{L}|(?m:^\\s*\\d+\\.)")
)

// wrongIn is what Discord would make of a text that nobody meant: markup, a mention, an address, a turned line; nil if
// there is nothing.
func wrongIn(content string) error {
	text := escaped.ReplaceAllString(content, "-")
	if found := special.FindString(styled.ReplaceAllString(codeSpan.ReplaceAllString(text, "-"), "")); found != "" {
		return fmt.Errorf("%q in %q", found, content)
	}
	return chattest.Clean(content)
}

// FuzzEcho: whatever people are called and type, nothing of it is markup on Discord, or a mention, or turns a line around.
func FuzzEcho(f *testing.F) {
	for _, seed := range []string{
		"\u202eabc", "discord.gg/x", "https://a", "@everyone", "<@1>", "<#5> <:a:1> <t:1:R>", "**x**", "1. x", "# x", "`", "\\", "a\xff.b", "דוד.דוד", "x\u2069", "/unnamed", "//unnamed",
		"(/unnamed", "a /unnamed", "/x/unnamed", "/\u200bunnamed", "\u2068/unnamed", "unnamed", "</unnamed:2>", "/ unnamed",
	} {
		f.Add(seed, seed)
	}
	b, err := bot.New(f.Context(), bot.Options{Store: mem.New(), Games: games.All()})
	if err != nil {
		f.Fatal(err)
	}
	me := identity{commands: map[string]string{"unnamed": "</unnamed:2>"}} // A command that no sentence of the bot's names.
	for _, info := range b.Commands("en") {
		me.commands[info.Name] = "</" + info.Name + ":1>"
	}
	n := 0
	f.Fuzz(func(t *testing.T, name, typed string) {
		for _, line := range chattest.Echoes(typed) {
			n++
			response := b.Handle(t.Context(), chat.Request{
				ID: fmt.Sprint(n), Kind: chat.Command, Who: chat.User{ID: 7, Name: name, Lang: "en", Admin: true}, Data: line,
				In: chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 1}, Channel: 1},
			})
			said := []string{*me.note(response.Toast).Content}
			for _, p := range chattest.Drawn(response).Posts {
				said = append(said, me.markdown(p.Text, maxPages)...)
				for _, row := range p.Rows(maxInRow) {
					for _, button := range row {
						if err := chattest.Clean(label(button.Label, maxLabel)); err != nil {
							t.Errorf("%q, typed by %q: %v", line, name, err)
						}
					}
				}
			}
			for _, text := range said {
				if err := wrongIn(text); err != nil {
					t.Errorf("%q, typed by %q: %v", line, name, err)
				}
			}
		}
	})
}

// TestCutOff: what is cut off leaves no marks open, and isn't longer for it.
func TestCutOff(t *testing.T) {
	text := "ab \u2068דוד דוד\u2069 \u2068דוד\u2069 cd"
	for n := 1; n < 25; n++ {
		if short := cut(text, n); chattest.Clean(short) != nil || chat.Units(short) > n || !strings.HasSuffix(short, "…") && short != text {
			t.Errorf("at most %d: %q", n, short)
		}
	}
}
