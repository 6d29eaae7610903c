package discord

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"zevaka/adapters/discord/discordtest"
)

// block is a message as the script shows it.
type block struct {
	// number is the script's name for it, reader who alone sees it, mention who is notified; empty is nobody.
	number, reader, mention string
	lines, labels           []string
}

func readBlocks(seen string) (blocks []block, notes []string) {
	head, rest, _ := strings.Cut("\n"+seen, "\n  #")
	for line := range strings.Lines(head) {
		if line = strings.TrimSpace(line); line != "" {
			notes = append(notes, line)
		}
	}
	if rest == "" {
		return nil, notes
	}
	for _, text := range strings.Split(rest, "\n  #") {
		head, body, _ := strings.Cut(text, "\n")
		number, who, _ := strings.Cut(head, " ")
		b := block{number: number}
		b.reader = strings.TrimSuffix(who, " only")
		if who, to, _ := strings.Cut(who, " (to "); who == "everybody" {
			b.reader, b.mention = "", strings.TrimSuffix(to, ")")
		}
		for row := range strings.Lines(body) {
			switch text, ok := strings.CutPrefix(row, "    | "); {
			case ok:
				b.lines = append(b.lines, strings.TrimSpace(unmarked(text)))
			case strings.HasPrefix(row, "    ["):
				b.labels = append(b.labels, strings.Split(strings.Trim(strings.TrimSpace(row), "[]"), "] [")...)
			case strings.Contains(row, " only: "):
				notes = append(notes, strings.TrimSpace(row))
			}
		}
		for len(b.lines) > 0 && b.lines[len(b.lines)-1] == "" {
			b.lines = b.lines[:len(b.lines)-1]
		}
		blocks = append(blocks, b)
	}
	return blocks, notes
}

// check waits until everything stands that the script says is seen, and looks at what people were told.
func (c *chat) check(seen string) {
	c.t.Helper()
	blocks, notes := readBlocks(seen)
	last := map[string]block{}
	for _, b := range blocks {
		last[b.number] = b
	}
	var private []block
	for _, number := range slices.Sorted(maps.Keys(last)) {
		if b := last[number]; b.reader != "" {
			private = append(private, b)
		} else {
			c.stand(b)
		}
	}
	c.told(private, notes, len(private) < len(last))
}

// stand waits until a message for everybody stands as the script says.
func (c *chat) stand(b block) {
	c.t.Helper()
	var near discordtest.Message
	defer func() {
		if c.t.Failed() {
			c.t.Logf("it is\n%s\n%q\nand should be\n%s\n%q", near.Content, labelsOf(near), strings.Join(b.lines, "\n"), b.labels)
		}
	}()
	taken := map[string]bool{}
	for _, id := range c.stands {
		taken[id] = true
	}
	c.server.Until(fmt.Sprintf("%s: message %s is as it should be", c.line, b.number), func() bool {
		for _, m := range slices.Backward(c.server.Messages(discordtest.Channel, "")) {
			if id := c.stands[b.number]; m.ID != id && (id != "" || taken[m.ID]) {
				continue
			}
			if near = m; b.matches(m) {
				c.stands[b.number] = m.ID
				return true
			}
		}
		return false
	})
	if b.mention != "" && !slices.Contains(c.server.Record().Notified, person(b.mention).ID) {
		c.t.Errorf("%s: %s was not notified", c.line, b.mention)
	}
}

// matches reports whether the message is as the script says.
func (b block) matches(m discordtest.Message) bool {
	text := m.Content
	if b.mention != "" {
		text = strings.TrimPrefix(text, "<@"+person(b.mention).ID+"> ")
	}
	return slices.Equal(linesOf(text), b.lines) && slices.Equal(labelsOf(m), b.labels)
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
func (c *chat) secrets() map[string]discordtest.Message {
	all := map[string]discordtest.Message{}
	for _, name := range cast() {
		for _, m := range c.server.Messages(discordtest.Channel, person(name).ID) {
			if m.Private != "" {
				all[m.ID] = m
			}
		}
	}
	return all
}

// told waits until everybody was told what the script says is for them alone, and nothing else. Drawn says that
// everybody sees something new: then what is no refusal need not be said.
func (c *chat) told(private []block, notes []string, drawn bool) {
	c.t.Helper()
	want, besides := map[string][]string{}, map[string][]string{}
	for _, note := range notes {
		name, text, _ := strings.Cut(note, " only: ")
		text, refusal := strings.CutPrefix(text, "!")
		if text = unmarked(text); refusal || !drawn {
			want[name] = append(want[name], text)
		} else {
			besides[name] = append(besides[name], text)
		}
	}
	labels := map[string][]string{}
	for _, b := range private {
		want[b.reader] = append(want[b.reader], b.lines...)
		labels[b.reader] = b.labels
	}
	if strings.HasPrefix(c.line, "play") || strings.HasPrefix(c.line, "both") {
		return // The script doesn't say what those were told who pressed in vain.
	}
	for _, name := range cast() {
		c.server.Until(fmt.Sprintf("%s: %s is told %q and can press %q", c.line, name, want[name], labels[name]), func() bool {
			text, pressable := c.heard(name)
			told := slices.Equal(text, want[name]) || slices.Equal(text, slices.Concat(besides[name], want[name]))
			return told && slices.Equal(pressable, labels[name])
		})
	}
}

// heard is what somebody was told in this line alone, and what they can press there. The way to a message that
// everybody sees says nothing of its own.
func (c *chat) heard(name string) (lines, labels []string) {
	for _, m := range c.server.Messages(discordtest.Channel, person(name).ID) {
		pointer := m.Content == "👌" || strings.HasPrefix(m.Content, "→ ")
		if m.Private == "" || pointer || m.Content == c.known[m.ID].Content {
			continue
		}
		lines = append(lines, linesOf(m.Content)...)
		labels = append(labels, labelsOf(m)...)
	}
	return lines, labels
}
