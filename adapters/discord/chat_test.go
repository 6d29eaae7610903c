package discord

import (
	"context"
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
