//go:build faults

package faults

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"zevaka/adapters/discord/discordtest"
)

// channel is a channel on Discord with the people in it.
type channel struct {
	server *discordtest.Server
	id     string
	people []discordtest.User
	ears   *ears
	// last is the press made last.
	last *discordtest.Interaction
}

func (c *channel) user(who int) int64 {
	id, _ := strconv.ParseInt(c.people[who].ID, 10, 64) // The test made it.
	return id
}

func (c *channel) open(game string) {
	options := map[string]any{"limit": "none"}
	switch game {
	case "patience":
		options = map[string]any{"what": "tecza deal=7"}
	case "banchok":
		options["bank"] = "500"
	}
	c.server.Command(c.people[0], c.id, game, options)
}

// newest is the newest message that has anything to press.
func (c *channel) newest() (m discordtest.Message, tokens []string) {
	for _, m = range slices.Backward(c.server.Messages(c.id, "")) {
		if tokens = tokensOf(m); len(tokens) > 0 {
			return m, tokens
		}
	}
	return m, nil
}

func tokensOf(m discordtest.Message) (tokens []string) {
	for _, b := range m.Buttons() {
		tokens = append(tokens, b.CustomID)
	}
	for _, menu := range m.Menus {
		for _, o := range menu.Options {
			tokens = append(tokens, o.Value)
		}
	}
	return tokens
}

// board has what may be pressed in the answer to the last press, too: only the one who pressed sees a question there.
func (c *channel) board() []string {
	_, tokens := c.newest()
	if c.last == nil {
		return tokens
	}
	select {
	case <-c.last.Answered:
		m, _ := c.last.Message()
		for _, text := range tokensOf(m) {
			if t, ok := parse(text); ok && strings.HasPrefix(t.do, answerTo) {
				tokens = append(tokens, text)
			}
		}
	default:
	}
	return tokens
}

func (c *channel) press(who int, token string) *press {
	m, _ := c.newest()
	i := c.server.Press(c.people[who], m.ID, token)
	c.last = i
	session, _ := c.server.Identifies()
	return &press{answered: i.Answered, ears: c.ears, heard: func() (string, bool) {
		switch i.Answer() {
		case 4:
			m, ok := i.Message()
			return strings.ReplaceAll(named(m.Content), `\`, ""), ok // The marks that keep signs from being markup.
		case 7:
			return "", true
		}
		return "", false // There was none, or it only says that the press has come.
	}, again: func() {
		if now, _ := c.server.Identifies(); now == session { // A new session hears nothing of what was before it.
			c.server.Again(i)
		}
	}}
}

func (c *channel) message(ref string) (text string, tokens []string, ok bool) {
	place, id, _ := strings.Cut(ref, "/")
	m, ok := c.server.Message(id)
	text, _, _ = strings.Cut(named(m.Content), "\n-# ⏳") // The time that is left is Discord's to tell.
	return text, sorted(tokensOf(m)), ok && place == c.id
}

func (c *channel) lately() (told []string) {
	all := c.server.Messages(c.id, "")
	for _, m := range all[max(0, len(all)-newest):] {
		told = append(told, fmt.Sprintf("%s, edited %d times: %.100q %v", m.ID, m.Edits, m.Content, tokensOf(m)))
	}
	return told
}

// commandNamed is a command in a text that can be pressed there.
var commandNamed = regexp.MustCompile(`</([a-z]+):\d+>`)

// named is a text with the commands in it as people read them.
func named(content string) string { return commandNamed.ReplaceAllString(content, "/$1") }
