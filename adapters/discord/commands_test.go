package discord

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/storage/mem"
)

// TestCommandsOnce registers the commands, and doesn't where they are as they should be.
func TestCommandsOnce(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	list, times := h.server.Commands()
	if times != 1 {
		t.Errorf("the commands were registered %d times", times)
	}
	for _, name := range []string{"зевака", "правила", "zasady", "снять", `"ru"`, `"pl"`, `"en-GB"`} {
		if !strings.Contains(string(list), name) {
			t.Errorf("nothing is called %s", name)
		}
	}
	var commands []struct {
		Name    string
		Options []struct {
			Name         string
			Choices      []struct{ Name, Value string }
			Autocomplete bool
		}
	}
	if err := json.Unmarshal(list, &commands); err != nil {
		t.Fatal(err)
	}
	options := map[string]int{}
	for _, o := range commands[0].Options {
		options[o.Name] = len(o.Choices)
		if o.Autocomplete != (o.Name == "set") {
			t.Errorf("option %s completes: %v", o.Name, o.Autocomplete)
		}
	}
	for name, choices := range map[string]int{"set": 0, "pack": 2, "penalty": 3, "limit": 8, "fast": 0} {
		if n, ok := options[name]; !ok || n != choices {
			t.Errorf("option %s has %d choices, %v", name, n, ok)
		}
	}
	lists := h.server.Record().Calls["list"]
	h.end()
	h.start()
	h.server.Until("the commands were looked at", func() bool { return h.server.Record().Calls["list"] > lists })
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
		{"zevaka", map[string]any{"fast": true}, "/zevaka fast"},
		{"zevaka", map[string]any{"fast": false}, "/zevaka"},
		{"zevaka", map[string]any{"limit": "5m"}, "/zevaka limit=5m"},
		{"cut", map[string]any{"what": "семь раз"}, "/cut семь раз"},
		{"lang", map[string]any{"what": "pl"}, "/lang pl"},
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
