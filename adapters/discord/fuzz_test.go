package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// silent is a bot that says nothing.
type silent struct{}

func (silent) Handle(context.Context, chat.Request) chat.Response { return chat.Response{} }

// FuzzInteraction reads anything as something that somebody did: what is made of it fits into a request.
func FuzzInteraction(f *testing.F) {
	for _, seed := range []string{
		`{"id":"5","type":2,"token":"t","channel_id":"9","guild_id":"7","locale":"ru","member":{"nick":"Аня","permissions":"8","user":{"id":"1"}},
			"data":{"id":"3","name":"zevaka","type":1,"options":[{"name":"set","type":3,"value":"21b"},{"name":"limit","type":3,"value":"60s"}]}}`,
		`{"id":"5","type":3,"token":"t","channel_id":"9","context":1,"user":{"id":"1","global_name":"\u202eBob"},
			"message":{"id":"8","components":[{"type":1,"components":[{"type":2,"label":"x","custom_id":"1.d7.a.0.flip"}]}]},
			"data":{"component_type":2,"custom_id":"1.d7.a.0.flip"}}`,
		`{"id":"5","type":3,"token":"t","channel_id":"9","user":{"id":"1"},"message":{"id":"8"},
			"data":{"component_type":3,"custom_id":"~0","values":["1.d7.a.0.flip"]}}`,
		`{"id":"5","type":4,"token":"t","channel_id":"9","user":{"id":"1"},
			"data":{"name":"zevaka","options":[{"name":"set","type":3,"value":"21","focused":true}]}}`,
		`{"id":"5","type":5,"token":"t","channel_id":"9","user":{"id":"1"},
			"data":{"custom_id":"t","components":[{"type":1,"components":[{"type":4,"custom_id":"a","value":"17"}]}]}}`,
		`{"id":"-1","type":2,"data":{"options":[{"name":"who","type":6,"value":"x"},{"name":"amount","type":4,"value":1e99}]}}`,
		`{"type":3,"data":null}`, `{"type":99}`, `null`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	a := New(silent{}, Options{Log: slog.New(slog.DiscardHandler), Commands: func(string) []bot.CommandInfo {
		return []bot.CommandInfo{{Name: "zevaka", Line: "/zevaka", Game: &bot.GameInfo{Sets: []bot.Choice{{Value: "21b", Label: "21b"}}}}}
	}})
	f.Fuzz(func(t *testing.T, payload []byte) {
		var i discordgo.Interaction
		if json.Unmarshal(payload, &i) != nil {
			return
		}
		who, ok := user(&i)
		if !ok {
			return
		}
		if p := a.placeOf(&i, who); who.ID <= 0 || p.Community.Platform != chat.Discord || p.Channel < 0 {
			t.Errorf("%+v in %+v", who, p)
		}
		switch data := i.Data.(type) {
		case discordgo.ApplicationCommandInteractionData:
			if line := commandLine(data); !strings.HasPrefix(line, "/") {
				t.Errorf("the line %q", line)
			}
		case discordgo.MessageComponentInteractionData:
			token, _, _ := splitAsk(pickedID(data))
			if i.Message != nil {
				_ = labelOf(i.Message, token)
			}
		case discordgo.ModalSubmitInteractionData:
			_ = inputOf(data)
		}
	})
}

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
