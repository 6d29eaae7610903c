package discord

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/testlog"
	"zevaka/bot/words"
	"zevaka/storage/mem"
)

// TestCommandsOnce registers the commands, and doesn't where they are as they should be.
func TestCommandsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		log := &testlog.Log{}
		h.log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		h.start()
		list, times := h.server.Commands()
		if times != 1 {
			t.Errorf("the commands were registered %d times", times)
		}
		for _, name := range []string{
			"зевака", "правила", "zasady", "снять", `"ru"`, `"pl"`, `"en-GB"`, `"ru":"вид"`, `"pl":"czas"`, `"ru":"время"`, "без лимита",
			`"ru":"быстро"`, `"ru":"игрок"`,
			`"name":"Русский"`, `"ru":"для меня"`, `"pl":"żetony"`, `"required":true`, "какая разновидность", "która odmiana", "Otwarty sklep",
		} {
			if !strings.Contains(string(list), name) {
				t.Errorf("nothing is called %s", name)
			}
		}
		var commands []struct {
			Name     string
			Contexts []int
			Types    []int  `json:"integration_types"`
			Rights   string `json:"default_member_permissions"`
			Options  []struct {
				Name     string
				Required bool
				Choices  []struct{ Name, Value string }
			}
		}
		if err := json.Unmarshal(list, &commands); err != nil {
			t.Fatal(err)
		}
		for i, info := range h.dealer.bot.Commands("en") {
			if c := commands[i]; c.Name != info.Name || !slices.Equal(c.Contexts, []int{0, 1, 2}) || !slices.Equal(c.Types, []int{0, 1}) {
				t.Errorf("command %s is %+v", info.Name, c)
			}
			if hidden := commands[i].Rights == "32"; hidden != slices.Contains([]string{"grant", "gifts", "season"}, info.Name) {
				t.Errorf("command %s is hidden from most members: %v", info.Name, hidden)
			}
		}
		for _, c := range commands {
			needed := slices.Contains([]string{"cut", "patience", "m", "bet", "give", "grant", "gifts", "lang", "season"}, c.Name)
			if len(c.Options) > 0 && c.Options[0].Required != needed || needed && len(c.Options) == 0 {
				t.Errorf("command %s has the options %+v", c.Name, c.Options)
			}
		}
		options := map[string]int{}
		for _, o := range commands[0].Options {
			options[o.Name] = len(o.Choices)
		}
		for name, choices := range map[string]int{"set": 5, "pack": 2, "penalty": 3, "limit": 8, "fast": 2} {
			if n, ok := options[name]; !ok || n != choices {
				t.Errorf("option %s has %d choices, %v", name, n, ok)
			}
		}
		h.end()
		h.start()
		h.server.Until("the commands were looked at", func() bool { return strings.Contains(log.String(), "as they should be") })
		h.end()
		if _, times := h.server.Commands(); times != 1 {
			t.Errorf("the same commands were registered %d times", times)
		}
		b := h.dealer.bot
		h.serve(h.dealer, func(lang string) []bot.CommandInfo { return b.Commands(lang)[:3] })
		h.server.Until("other commands are registered", func() bool { _, times := h.server.Commands(); return times == 2 })
		h.quietly()
	})
}

// TestCommandsPressed: what a message names can be pressed there, of whoever registered the commands.
func TestCommandsPressed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		for range 2 {
			h.server.Until("the commands are known", func() bool { return len(h.self().commands) > 0 })
			i := h.server.Command(ann, discordtest.Channel, "leave", nil)
			i.Answer()
			said, _ := i.Message()
			if !strings.Contains(said.Content, "Новый открывают "+h.self().commands["зевака"]) {
				t.Errorf("it says %q", said.Content)
			}
			h.end()
			h.start()
		}
		if _, times := h.server.Commands(); times != 1 {
			t.Errorf("the commands were registered %d times", times)
		}
		h.quietly()
	})
}

// TestCommandLines says what a command with options is as a line.
func TestCommandLines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		for _, one := range []struct {
			name    string
			options map[string]any
			want    string
		}{
			{"zevaka", nil, "/zevaka"},
			{"zevaka", map[string]any{"set": " 21b  penalty\n"}, "/zevaka 21b penalty"},
			{"zevaka", map[string]any{"penalty": "auto"}, "/zevaka penalty=auto"},
			{"zevaka", map[string]any{"fast": "on"}, "/zevaka fast=on"},
			{"zevaka", map[string]any{"limit": "5m"}, "/zevaka limit=5m"},
			{"cut", map[string]any{"what": "семь раз"}, "/cut семь раз"},
			{"lang", map[string]any{"what": "pl"}, "/lang pl"},
			{"give", map[string]any{"who": bob, "amount": 50}, "/give <@102> 50"},
			{"give", map[string]any{"amount": 1_000_000_000, "who": bob}, "/give <@102> 1000000000"},
			{"grant", map[string]any{"who": bob, "amount": -5}, "/grant <@102> -5"},
			{"balance", map[string]any{"who": vika}, "/balance <@103>"},
			{"balance", nil, "/balance"},
			{"patience", map[string]any{"what": "tecza", "number": 12345678}, "/patience tecza number=12345678"},
			{"day", map[string]any{"what": "tecza"}, "/day tecza"},
			{"day", map[string]any{"post": "9+3"}, "/day post=9+3"},
			{"scores", map[string]any{"who": bob, "what": "zevaka"}, "/scores zevaka <@102>"},
			{"remove", map[string]any{"who": bob}, "/remove <@102>"},
			{"banchok", map[string]any{"bank": 1_000}, "/banchok bank=1000"},
		} {
			h.server.Command(ann, discordtest.Channel, one.name, one.options).Answer()
			asked := h.dealer.asked.Of(chat.Command)
			if got := asked[len(asked)-1].Data; got != one.want {
				t.Errorf("%s %v is %q", one.name, one.options, got)
			}
		}
		h.quietly()
	})
}

// TestWords says in every language what only Discord says.
func TestWords(t *testing.T) {
	t.Parallel()
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	a := New(nil, Options{Words: catalogue})
	for _, l := range languages() {
		for _, key := range []string{sayRights, sayGuest, sayHidden, sayPictures, sayFiles, saySet, sayWho, sayAmount} {
			if said := a.say(key, l.tag); said == key || said == a.say(key, "en") && l.tag != "en" {
				t.Errorf("%s says %s as %q", l.tag, key, said)
			}
		}
	}
}
