package discord

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/bot/words"
	"zevaka/storage/mem"
)

// TestChat plays the bot's chat scripts that show something of Discord, each to its end: what everybody sees and what each is told must
// be what the script says, and nobody is told anything else.
func TestChat(t *testing.T) {
	chatscript.On(t, "../../bot/testdata", "Discord", func(t *testing.T, text string) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := newChat(t)
			for _, step := range chatscript.Steps(text) {
				if step.Line == "" {
					continue
				}
				c.known = c.secrets()
				c.Stage.Do(step.Line)
				c.check(step.Seen)
				if t.Failed() {
					t.FailNow()
				}
			}
			c.quietly()
		})
	})
}

// conversation is a script in progress.
type conversation struct {
	*house
	*chatscript.Stage
	// known is what everybody had been told before.
	known map[string]discordtest.Message
	// stands are the messages of the script by their numbers in it.
	stands map[string]string
}

func newChat(t *testing.T) *conversation {
	t.Helper()
	c := &conversation{stands: map[string]string{}, house: build(t, mem.New(), fake(t, discordtest.Options{Locale: "none"}))}
	c.Stage = chatscript.New(t, c)
	return c
}

// person is somebody of the scripts as Discord knows them.
func person(who chat.User) discordtest.User {
	u := discordtest.User{ID: strconv.FormatInt(who.ID, 10), Name: "user", Global: who.Name, Locale: who.Lang}
	if who.Lang == "en" {
		u.Locale = "en-US"
	}
	if who.Admin {
		u.Rights = 1 << 3
	}
	return u
}

// The fake Discord is the platform of its scripts.

func (c *conversation) Place() chat.Place {
	return chat.Place{
		Community: chat.Community{Platform: chat.Discord, ID: number(discordtest.Guild)}, Channel: number(discordtest.Channel),
	}
}

func (c *conversation) Begin(s *chatscript.Stage) {
	c.serve(s, s.Bot.Commands)
	c.connected()
}

func (c *conversation) End()                                      { c.end() }
func (c *conversation) Here(u chat.User) chat.User                { return u }
func (c *conversation) Show(ctx context.Context, r chat.Response) { c.Adapter.Show(ctx, r) }

// There is somebody as the scripts know them, who speak one kind of English.
func (c *conversation) There(u chat.User) chat.User {
	u.Lang, _, _ = strings.Cut(u.Lang, "-")
	return u
}

// Settle waits until the newest pictures stand, and the bot knows where.
func (c *conversation) Settle() {
	c.T.Helper()
	c.server.Until(c.Line+": the newest pictures stand", func() bool {
		all := c.server.Messages(discordtest.Channel, "")
		for _, p := range c.Newest() {
			b := block{chatscript.Block{Lines: linesOf(words.Flat(p.Text)), Mention: chatscript.Called(p)}}
			for _, button := range slices.Concat(p.Rows(maxInRow)...) {
				b.Labels = append(b.Labels, button.Label)
			}
			if !slices.ContainsFunc(all, b.matches) {
				return false
			}
		}
		return !c.Owed()
	})
}

func (c *conversation) Do(acts ...chatscript.Act) {
	c.T.Helper()
	var all []*discordtest.Interaction
	for _, a := range acts {
		var i *discordtest.Interaction
		if a.Line != "" {
			name, options := c.command(a.Line)
			i = c.server.Command(person(a.Who), discordtest.Channel, name, options)
		} else {
			i = c.tap(person(a.Who), a.Token)
		}
		if a.Twice {
			c.server.Again(i)
		}
		all = append(all, i)
	}
	for _, i := range all {
		i.Answer()
	}
}

// command is a typed line as Discord's client sends it.
func (c *conversation) command(line string) (name string, options map[string]any) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	option := optionWhat
	for _, info := range c.Bot.Commands("ru") {
		if info.Name == name || info.Local == strings.ToLower(name) {
			name = info.Name
			if info.Game != nil {
				option = optionSet
			}
		}
	}
	if rest == "" {
		return name, nil
	}
	return name, map[string]any{option: rest}
}

// tap presses the button or chooses the thing that means the token, or, where nobody sees it any more, forges a press.
func (c *conversation) tap(who discordtest.User, token string) *discordtest.Interaction {
	all := c.server.Messages(discordtest.Channel, who.ID)
	for _, m := range slices.Backward(all) {
		for _, list := range m.Menus {
			if slices.ContainsFunc(list.Options, func(o discordtest.Option) bool { return o.Value == token }) {
				return c.server.Choose(who, m.ID, list.CustomID, token)
			}
		}
		for _, b := range m.Buttons() {
			if b.CustomID == token {
				return c.server.Press(who, m.ID, token)
			}
		}
	}
	return c.server.Press(who, c.board(discordtest.Channel).ID, token)
}

// block is a message as the script shows it.
type block struct{ chatscript.Block }

// plain are lines of a script without the signs of Discord's.
func plain(lines []string) []string {
	var all []string
	for _, line := range lines {
		all = append(all, strings.TrimSpace(unmarked(line)))
	}
	return all
}

// check waits until everything stands that the script says is seen, and looks at what people were told.
func (c *conversation) check(seen string) {
	c.T.Helper()
	blocks, notes := chatscript.Read(seen)
	last := map[string]block{}
	for _, b := range blocks {
		b.Lines = plain(b.Lines)
		b.Labels = slices.DeleteFunc(b.Labels, func(label string) bool { return strings.HasPrefix(label, "⧉ ") }) // Discord has no button that copies.
		last[b.Number] = block{b}
	}
	var private []block
	for _, number := range slices.Sorted(maps.Keys(last)) {
		if b := last[number]; b.Reader != "" {
			private = append(private, b)
		} else {
			c.stand(b)
		}
	}
	c.told(private, notes, len(private) < len(last))
}

// stand waits until a message for everybody stands as the script says.
func (c *conversation) stand(b block) {
	c.T.Helper()
	var near discordtest.Message
	defer func() {
		if c.T.Failed() {
			c.T.Logf("it is\n%s\n%q\nand should be\n%s\n%q", near.Content, labelsOf(near), strings.Join(b.Lines, "\n"), b.Labels)
		}
	}()
	taken := map[string]bool{}
	for _, id := range c.stands {
		taken[id] = true
	}
	c.server.Until(fmt.Sprintf("%s: message %s is as it should be", c.Line, b.Number), func() bool {
		for _, m := range slices.Backward(c.server.Messages(discordtest.Channel, "")) {
			if id := c.stands[b.Number]; m.ID != id && (id != "" || taken[m.ID]) {
				continue
			}
			if near = m; b.matches(m) {
				c.stands[b.Number] = m.ID
				return true
			}
		}
		return false
	})
	for _, name := range strings.Split(b.Mention, ", ") {
		if name != "" && !slices.Contains(c.server.Record().Notified, c.idOf(name)) {
			c.T.Errorf("%s: %s was not notified", c.Line, name)
		}
	}
}

// idOf is the ID of somebody in the scripts.
func (c *conversation) idOf(name string) string { return strconv.FormatInt(c.People[name].ID, 10) }

// mention is what notifies people at the beginning of a message.
var mention = regexp.MustCompile(`^(<@\d+>[ \n])+`)

// matches reports whether the message is as the script says.
func (b block) matches(m discordtest.Message) bool {
	text := m.Content
	if b.Mention != "" {
		text = mention.ReplaceAllString(text, "")
	}
	return slices.Equal(linesOf(text), b.Lines) && slices.Equal(labelsOf(m), b.Labels)
}

// labelsOf is all that can be chosen or pressed on a message.
func labelsOf(m discordtest.Message) []string {
	var all []string
	for _, list := range m.Menus {
		for _, o := range list.Options {
			all = append(all, o.Label)
		}
	}
	for _, b := range m.Buttons() {
		all = append(all, b.Label)
	}
	return all
}

// linesOf are the lines of a text without the signs of Discord's, and without the one that counts down.
func linesOf(content string) []string {
	var all []string
	for row := range strings.Lines(strings.TrimSpace(content)) {
		if !strings.Contains(row, "⏳") {
			all = append(all, strings.TrimSpace(unmarked(row)))
		}
	}
	return all
}

// secrets are what stands in the messages for one person each, by message.
func (c *conversation) secrets() map[string]discordtest.Message {
	all := map[string]discordtest.Message{}
	for name := range c.People {
		for _, m := range c.server.Messages(discordtest.Channel, c.idOf(name)) {
			if m.Private != "" {
				all[m.ID] = m
			}
		}
	}
	return all
}

// told waits until everybody was told what the script says is for them alone, and nothing else. Drawn says that
// everybody sees something new: then what is no refusal need not be said.
func (c *conversation) told(private []block, notes []chatscript.Note, drawn bool) {
	c.T.Helper()
	want, besides := map[string][]string{}, map[string][]string{}
	for _, note := range notes {
		if text := unmarked(note.Text); note.Refusal || !drawn {
			want[note.Who] = append(want[note.Who], text)
		} else {
			besides[note.Who] = append(besides[note.Who], text)
		}
	}
	labels := map[string][]string{}
	for _, b := range private {
		if len(b.Labels) == 0 && slices.Equal(want[b.Reader], b.Lines) {
			continue // It stands where the question stood, and is said once.
		}
		want[b.Reader] = append(want[b.Reader], b.Lines...)
		labels[b.Reader] = b.Labels
	}
	if strings.HasPrefix(c.Line, "play") || strings.HasPrefix(c.Line, "both") {
		return // The script doesn't say what those were told who pressed in vain.
	}
	for name := range c.People {
		c.server.Until(fmt.Sprintf("%s: %s is told %q and can press %q", c.Line, name, want[name], labels[name]), func() bool {
			text, pressable := c.heard(name)
			text = filled(text) // Where a long text goes on in another message, the empty line between them is in neither.
			told := slices.Equal(text, filled(want[name])) || slices.Equal(text, filled(slices.Concat(besides[name], want[name])))
			return told && slices.Equal(pressable, labels[name])
		})
	}
}

// filled are the lines in which something stands.
func filled(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return line == "" })
}

// heard is what somebody was told in this line alone, and what they can press there. The way to a message that
// everybody sees says nothing that the script does.
func (c *conversation) heard(name string) (lines, labels []string) {
	for _, m := range c.server.Messages(discordtest.Channel, c.idOf(name)) {
		pointer := m.Content == "👌" || strings.Contains(m.Content, "→ https://")
		if m.Private == "" || pointer || m.Content == c.known[m.ID].Content {
			continue
		}
		lines = append(lines, linesOf(m.Content)...)
		labels = append(labels, labelsOf(m)...)
	}
	return lines, labels
}
