package discord

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/storage/mem"
)

// TestChat plays the bot's chat scripts here, each as far as people type and press: what everybody sees must be what the
// script says. Where a script goes on to waiting, or to doing things at once, it ends here.
func TestChat(t *testing.T) {
	files, err := filepath.Glob("../../bot/testdata/*.chat")
	if err != nil || len(files) == 0 {
		t.Fatalf("no chat scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".chat"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h := build(t, mem.New(), fake(t, discordtest.Options{Locale: "none"}))
			h.seeds = true
			h.start()
			c := &chat{house: h, stands: map[string]string{}}
			for _, act := range strings.Split("\n"+string(text), "\n> ")[1:] {
				line, seen, _ := strings.Cut(act, "\n")
				if !c.do(line) {
					break
				}
				c.check(line, seen)
			}
			h.quietly()
		})
	}
}

// chat is a script in progress.
type chat struct {
	*house
	// stands are the messages of the script by their numbers in it, drawn all that stood in them, oldest first.
	stands map[string]string
	drawn  []discordtest.Message
}

// person is somebody of the scripts.
func person(name string) discordtest.User {
	for i, p := range []struct{ name, lang string }{
		{"Аня", "ru"}, {"Боря", "ru"}, {"Вика", "ru"}, {"Ola", "pl"}, {"Piotr", "pl"}, {"Kasia", "pl"},
		{"Ann", "en-US"}, {"Bob", "en-GB"}, {"Stranger", "en-US"}, {"Admin", "en-US"},
	} {
		if p.name == name {
			u := discordtest.User{ID: strconv.Itoa(i + 1), Name: "user", Global: name, Locale: p.lang}
			if name == "Admin" {
				u.Rights = 1 << 3
			}
			return u
		}
	}
	return discordtest.User{}
}

// do does what a line says; false if it can't be done here.
func (c *chat) do(line string) bool {
	name, what, ok := strings.Cut(line, ": ")
	who := person(name)
	switch {
	case !ok || who.ID == "":
		return false
	case strings.HasPrefix(what, `"`):
		c.server.Press(who, c.drawn[len(c.drawn)-1].ID, strings.Trim(what, `"`)).Answer()
	case strings.HasPrefix(what, "/"):
		c.dealer.running.Add(int64(time.Second)) // As a press does by itself.
		name, options, known := c.command(what)
		if !known {
			return false
		}
		c.server.Command(who, discordtest.Channel, name, options).Answer()
	default:
		label, ago, _ := strings.Cut(strings.TrimPrefix(what, "["), "]")
		back, _ := strconv.Atoi(strings.TrimPrefix(ago, "^"))
		message, id := c.find(label, back)
		if c.server.Press(who, message, id).Answer() == 9 {
			return false
		}
	}
	return true
}

// command is a typed line as Discord's client sends it; false for what the client wouldn't.
func (c *chat) command(line string) (name string, options map[string]any, known bool) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	for _, info := range c.dealer.bot.Commands("ru") {
		if info.Name != name && info.Local != strings.ToLower(name) {
			continue
		}
		options = map[string]any{}
		if rest != "" {
			options[map[bool]string{true: optionSet, false: optionWhat}[info.Game != nil]] = rest
		}
		return info.Name, options, true
	}
	return "", nil, false
}

// find is the button so labelled on the newest picture that has or had one; ago counts back over those that say
// something else.
func (c *chat) find(label string, ago int) (message, id string) {
	c.t.Helper()
	met := map[string]bool{}
	for i := len(c.drawn) - 1; i >= 0; i-- {
		if b, ok := c.drawn[i].Button(label); ok {
			if met[b.CustomID] = true; len(met) > ago {
				return c.drawn[i].ID, b.CustomID
			}
		}
	}
	c.t.Fatalf("no button is called %q", label)
	return "", ""
}

// check waits until everything stands that the script says is seen.
func (c *chat) check(line, seen string) {
	c.t.Helper()
	for _, block := range strings.Split("\n"+seen, "\n  #")[1:] {
		head, body, _ := strings.Cut(block, "\n")
		number, who, _ := strings.Cut(head, " ")
		reader := person(strings.TrimSuffix(who, " only")).ID
		var want []string
		for row := range strings.Lines(body) {
			if text, ok := strings.CutPrefix(row, "    | "); ok {
				want = append(want, strings.TrimSpace(unmarked(text)))
			}
		}
		for len(want) > 0 && want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		if reader != "" && len(strings.Join(want, "\n")) > 1500 {
			continue // It is shown on several pages.
		}
		c.server.Until(line+": #"+head+"\n"+strings.Join(want, "\n"), func() bool {
			for _, m := range c.server.Messages(discordtest.Channel, reader) {
				if id := c.stands[number]; m.Private != reader || id != "" && id != m.ID || !slices.Equal(linesOf(m), want) {
					continue
				}
				c.stands[number] = m.ID
				c.drawn = append(c.drawn, m)
				return true
			}
			return false
		})
	}
}

// linesOf are the lines of a message without the signs of Discord's, and without the one that counts down.
func linesOf(m discordtest.Message) []string {
	var all []string
	for row := range strings.Lines(strings.TrimSpace(m.Content)) {
		if !strings.Contains(row, "⏳") {
			all = append(all, strings.TrimSpace(unmarked(row)))
		}
	}
	return all
}
