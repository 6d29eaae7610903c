package discord

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/bot/words"
	"zevaka/storage/mem"
)

// TestCommandsOnce registers the commands, and doesn't where they are as they should be.
func TestCommandsOnce(t *testing.T) {
	t.Parallel()
	h := build(t, mem.New(), fake(t, discordtest.Options{}))
	log := &safeBuffer{}
	h.log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h.start()
	list, times := h.server.Commands()
	if times != 1 {
		t.Errorf("the commands were registered %d times", times)
	}
	for _, name := range []string{
		"зевака", "правила", "zasady", "снять", `"ru"`, `"pl"`, `"en-GB"`, `"ru":"набор"`, `"pl":"czas"`, `"ru":"время"`, "без лимита",
		`"ru":"быстро"`, `"ru":"игрок"`,
		`"pl":"kopiejki"`, `"required":true`, "наборы правил", "zestawy zasad",
	} {
		if !strings.Contains(string(list), name) {
			t.Errorf("nothing is called %s", name)
		}
	}
	var commands []struct {
		Name     string
		Contexts []int
		Types    []int `json:"integration_types"`
		Options  []struct {
			Name         string
			Choices      []struct{ Name, Value string }
			Autocomplete bool
		}
	}
	if err := json.Unmarshal(list, &commands); err != nil {
		t.Fatal(err)
	}
	for i, info := range h.dealer.bot.Commands("en") {
		if c := commands[i]; c.Name != info.Name || !slices.Equal(c.Contexts, []int{0, 1, 2}) || !slices.Equal(c.Types, []int{0, 1}) {
			t.Errorf("command %s is %+v", info.Name, c)
		}
	}
	options := map[string]int{}
	for _, o := range commands[0].Options {
		options[o.Name] = len(o.Choices)
		if o.Autocomplete != (o.Name == "set") {
			t.Errorf("option %s completes: %v", o.Name, o.Autocomplete)
		}
	}
	for name, choices := range map[string]int{"set": 0, "pack": 2, "penalty": 3, "limit": 8, "fast": 2} {
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
}

// TestCommandLines says what a command with options is as a line.
func TestCommandLines(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
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
	} {
		h.server.Command(ann, discordtest.Channel, one.name, one.options).Answer()
		asked := h.dealer.of(bot.Command)
		if got := asked[len(asked)-1].Data; got != one.want {
			t.Errorf("%s %v is %q", one.name, one.options, got)
		}
	}
	h.quietly()
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	sets := h.dealer.bot.Commands("ru")[0].Game.Sets
	a, b, c, strict, penalty := sets[0].Value, sets[1].Value, sets[2].Value, sets[3].Value, sets[4].Value
	for typed, want := range map[string][]string{
		"": {a, b, c, strict, penalty}, "21": {a, b, c}, strings.ToUpper(b): {b}, b + " ст": {b + " " + strict},
		b + " ": {b + " " + a, b + " " + c, b + " " + strict, b + " " + penalty}, "x": nil,
	} {
		i := h.server.Complete(ann, discordtest.Channel, "zevaka", "set", typed)
		if i.Answer() != 8 {
			t.Fatalf("%q is completed with an answer of type %d", typed, i.Answer())
		}
		var said struct{ Choices []struct{ Value string } }
		if err := json.Unmarshal(i.Choices(), &said); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range said.Choices {
			got = append(got, c.Value)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is completed with %q", typed, got)
		}
	}
	h.quietly()
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
		for _, key := range []string{sayRights, sayGuest, sayHidden, sayPictures, saySet} {
			if said := a.say(key, l.locales[0]); said == key || said == a.say(key, "en") && l.tag != "en" {
				t.Errorf("%s says %s as %q", l.tag, key, said)
			}
		}
	}
}
