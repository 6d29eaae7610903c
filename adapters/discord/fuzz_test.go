package discord

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
	"zevaka/bot/chat"
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
			token, _, _ := splitAsk(picked(data))
			if i.Message != nil {
				_ = labelOf(i.Message, token)
			}
		case discordgo.ModalSubmitInteractionData:
			_ = typed(data)
		}
	})
}
