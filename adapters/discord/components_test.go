package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot"
	"zevaka/bot/chat"
)

// TestSpread: a list that is short stands as buttons, as long as all rows are at most five.
func TestSpread(t *testing.T) {
	for _, test := range []struct {
		what          string
		items, rows   int
		label         string
		lists, across int
	}{
		{what: "three moves", items: 3, rows: 2, label: "3♣ → w1", across: 3},
		{what: "ten moves", items: 10, rows: 3, label: "3♣ → w1", across: 4 + 1},
		{what: "eleven moves", items: 11, rows: 2, label: "3♣ → w1", lists: 1, across: 3},
		{what: "ten moves and too many other buttons", items: 10, rows: 4, label: "3♣ → w1", lists: 1, across: 5},
		{what: "names too long", items: 2, rows: 1, label: strings.Repeat("я", maxSpreadLabel+1), lists: 1, across: 2},
		{what: "no list", rows: 2, across: 2},
	} {
		m := chat.Message{}
		if test.items > 0 {
			m.Choices = []chat.Menu{{Prompt: "?"}}
		}
		for n := range test.items {
			m.Choices[0].Items = append(m.Choices[0].Items, chat.Button{Label: test.label, Token: fmt.Sprint("move ", n)})
		}
		for n := range test.rows {
			m.Buttons = append(m.Buttons, []chat.Button{{Label: "B", Token: fmt.Sprint("button ", n)}})
		}
		lists, drawn := 0, *identity{}.rows(m)
		for _, row := range drawn {
			if _, ok := row.Components[0].(discordgo.SelectMenu); ok {
				lists++
			}
		}
		if lists != test.lists || len(drawn) != test.across {
			t.Errorf("%s stand as %d lists in %d rows, want %d in %d", test.what, lists, len(drawn), test.lists, test.across)
		}
	}
}

// TestLists asks which of many tables to close: the answer is chosen from a list, by whoever may.
func TestLists(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		const tables = 6
		for n := range tables {
			who, game := []discordtest.User{ann, bob}[n%2], []string{"zevaka", "banchok"}[n%2]
			h.server.Command(who, discordtest.Channel, game, map[string]any{"limit": "none"}).Answer()
			h.shown(n + 1)
		}
		ask := func() (discordtest.Message, discordtest.Menu) {
			t.Helper()
			asked := h.server.Command(ann, discordtest.Channel, "stop", nil)
			asked.Answer()
			m, _ := asked.Message()
			if len(m.Menus) != 1 || len(m.Menus[0].Options) != tables || m.Menus[0].Placeholder == "" || m.Private != ann.ID || len(m.Rows) > 0 {
				t.Fatalf("the list: %+v", m)
			}
			return m, m.Menus[0]
		}
		for what, values := range map[string]func(discordtest.Menu) []string{
			"nothing":  func(discordtest.Menu) []string { return nil },
			"two":      func(list discordtest.Menu) []string { return []string{list.Options[1].Value, list.Options[2].Value} },
			"nonsense": func(discordtest.Menu) []string { return []string{strings.Repeat("я", 200)} },
		} {
			m, list := ask()
			refused(t, h, what, h.server.Choose(ann, m.ID, list.CustomID, values(list)...))
		}
		m, list := ask()
		refused(t, h, "from another list", h.server.Choose(ann, m.ID, "another", list.Options[1].Value))
		m, list = ask()
		refused(t, h, "as a button", h.server.Press(ann, m.ID, list.CustomID))
		if open := h.open(); open != tables {
			t.Errorf("%d tables are open", open)
		}
		m, list = ask()
		if !strings.Contains(list.Options[2].Label, "Аня") {
			t.Errorf("the third is %+v", list.Options[2])
		}
		h.server.Choose(ann, m.ID, list.CustomID, list.Options[2].Value).Answer()
		h.server.Until("one table is closed, and the list leaves", func() bool {
			now, _ := h.server.Message(m.ID)
			return h.open() == tables-1 && len(now.Menus) == 0
		})
		h.quietly()
	})
}

// refused checks that a choice is refused in the place of the list.
func refused(t *testing.T, h *house, what string, i *discordtest.Interaction) {
	t.Helper()
	i.Answer()
	said, ok := i.Message()
	if !ok || said.Private != ann.ID || unmarked(said.Content) != "Эта кнопка не отсюда. Стол покажет /table." || len(said.Menus) > 0 {
		t.Errorf("%s chosen is answered with %+v", what, said)
	}
}

// listing is a bot that shows what it is told to.
type listing struct {
	message chat.Message
	pressed chan chat.Request
}

func (l listing) Handle(_ context.Context, r chat.Request) chat.Response {
	if r.Kind == chat.Press {
		l.pressed <- r
		return chat.Response{Toast: "?", Alert: true, Untyped: r.Text == ""}
	}
	return chat.Response{Posts: []chat.Post{{In: r.In, Message: l.message}}}
}

// TestMenuLimits shows more than a message holds: what is shown is as Discord takes it, and means what it should.
func TestMenuLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var items []chat.Button
		for n := range 30 {
			items = append(items, chat.Button{Label: strings.Repeat("я", 5*n), Token: fmt.Sprint("token ", n)})
		}
		items = append(items[:7:7], append([]chat.Button{items[3], {Label: "none"}}, items[7:]...)...)
		l := listing{pressed: make(chan chat.Request, 1)}
		for range 3 {
			l.message.Choices = append(l.message.Choices, chat.Menu{Prompt: strings.Repeat("?", 200), Items: items})
		}
		asks := chat.Button{Label: "Ten?", Token: "ten", Ask: "How many?"}
		l.message.Choices = append(l.message.Choices, chat.Menu{}, chat.Menu{Items: []chat.Button{asks}})
		for n := range 4 {
			l.message.Buttons = append(l.message.Buttons, []chat.Button{{Label: "B", Token: fmt.Sprint("button ", n)}})
		}
		h := build(t, nil, fake(t, discordtest.Options{}))
		h.serve(l, func(string) []bot.CommandInfo { return []bot.CommandInfo{{Name: "help", Local: "help", Help: "help"}} })
		h.connected()
		i := h.server.Command(ann, discordtest.Channel, "help", nil)
		i.Answer()
		m, _ := i.Message()
		if len(m.Menus) != 4 || len(m.Menus[0].Options) != 25 || len(m.Rows) != 1 || len(m.Rows[0]) != 4 {
			t.Fatalf("the message: %+v", m)
		}
		h.server.Choose(bob, m.ID, m.Menus[1].CustomID, m.Menus[1].Options[24].Value).Answer()
		if r := <-l.pressed; r.Data != "token 24" || r.Who.ID != 102 || string(r.On) != m.Channel+"/"+m.ID {
			t.Errorf("chosen is %+v", r)
		}
		asked := h.server.Choose(bob, m.ID, m.Menus[3].CustomID, m.Menus[3].Options[0].Value)
		if asked.Answer() != 9 {
			t.Fatalf("a thing that asks is answered with %d", asked.Answer())
		}
		var question struct{ Title string }
		if err := json.Unmarshal(asked.Modal(), &question); err != nil || question.Title != "Ten?" {
			t.Errorf("the question: %s", asked.Modal())
		}
		if r := <-l.pressed; r.Data != "ten" || r.Text != "" {
			t.Errorf("asked is %+v", r)
		}
		h.server.Submit(asked, "ten").Answer()
		if r := <-l.pressed; r.Data != "ten" || r.Text != "ten" {
			t.Errorf("typed is %+v", r)
		}
		h.quietly()
	})
}

// TestMenuID gives a list another id when there is something else in it.
func TestMenuID(t *testing.T) {
	list := func(tokens ...string) string {
		var m chat.Menu
		for _, token := range tokens {
			m.Items = append(m.Items, chat.Button{Label: "x", Token: token})
		}
		made, _ := menu(m, 1)
		return made.CustomID
	}
	if first, again := list("a", "b"), list("a", "b"); first != again || first == list("a", "c") || len(list("a")) > maxCustom {
		t.Errorf("the ids: %q, %q", list("a", "b"), list("a", "c"))
	}
}
