package upkeep_test

import (
	"strconv"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// TestGone: a channel that is deleted takes its tables along, a community all of its own, whichever channel they stand
// in; nobody else's table ends.
func TestGone(t *testing.T) {
	guild, other := chat.Community{Platform: chat.Discord, ID: 7}, chat.Community{Platform: chat.Discord, ID: 8}
	channel := func(c chat.Community, n int64) chat.Place { return chat.Place{Community: c, Channel: n} }
	tables := []chat.Place{channel(guild, 1), channel(guild, 1), channel(guild, 2), channel(other, 1)}
	for _, test := range []struct {
		name  string
		place chat.Place
		left  []int
	}{
		{"a channel", channel(guild, 1), []int{2, 3}},
		{"a channel without tables", channel(guild, 3), []int{0, 1, 2, 3}},
		{"a community", chat.Place{Community: guild}, []int{3}},
		{"a community without tables", chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 7}}, []int{0, 1, 2, 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := bottest.NewClocked(t)
			n := 0
			ask := func(in chat.Place, kind chat.Kind, data string) chat.Response {
				n++
				return bottest.Seen(t.Context(), c.Bot, chat.Request{
					ID: strconv.Itoa(n), Kind: kind, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, Data: data, In: in,
				})
			}
			var ids []table.ID
			for _, in := range tables {
				r := ask(in, chat.Command, "/zevaka")
				id, _ := table.ParseID(r.Posts[0].Table)
				ids = append(ids, id)
			}
			for range 2 { // The platform may say it twice.
				if r := ask(test.place, chat.Gone, ""); r.Alert || len(r.Posts) > 0 {
					t.Fatalf("the answer is %+v", r)
				}
			}
			open := map[table.ID]bool{}
			for _, i := range test.left {
				open[ids[i]] = true
			}
			for i, id := range ids {
				isOpen, there, err := bottest.Shelf(c.Store).IsOpen(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				if isOpen != open[id] || there != open[id] {
					t.Errorf("table %d is open: %t, is stored: %t", i, isOpen, there)
				}
			}
			c.Running += 24 * time.Hour
			for i, alarmed := range c.Clock.Ring(t, c.Bot) {
				if !open[i] {
					t.Errorf("an alarm is set at table %s: %t", i, alarmed)
				}
			}
		})
	}
}
