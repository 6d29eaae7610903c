package discord

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

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
