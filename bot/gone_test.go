package bot

import (
	"strconv"
	"testing"
)

// TestGone: a channel that is deleted takes its tables along, a community all of its own, whichever channel they stand
// in; nobody else's table ends.
func TestGone(t *testing.T) {
	guild, other := Community{Discord, 7}, Community{Discord, 8}
	channel := func(c Community, n int64) Place { return Place{Community: c, Channel: n} }
	tables := []Place{channel(guild, 1), channel(guild, 1), channel(guild, 2), channel(other, 1)}
	for _, test := range []struct {
		name  string
		place Place
		left  []int
	}{
		{"a channel", channel(guild, 1), []int{2, 3}},
		{"a channel without tables", channel(guild, 3), []int{0, 1, 2, 3}},
		{"a community", Place{Community: guild}, []int{3}},
		{"a community without tables", Place{Community: Community{Telegram, 7}}, []int{0, 1, 2, 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newClocked(t)
			n := 0
			ask := func(in Place, kind Kind, data string) Response {
				n++
				return c.bot.Handle(t.Context(), Request{
					ID: strconv.Itoa(n), Kind: kind, Who: User{ID: 1, Name: "Ann", Lang: "en"}, Data: data, In: in,
				})
			}
			var ids []tableID
			for _, in := range tables {
				r := ask(in, Command, "/zevaka")
				id, _ := parseTableID(r.Posts[0].Table)
				ids = append(ids, id)
			}
			for range 2 { // The platform may say it twice.
				if r := ask(test.place, Gone, ""); r.Alert || len(r.Posts) > 0 {
					t.Fatalf("the answer is %+v", r)
				}
			}
			open := map[tableID]bool{}
			for _, i := range test.left {
				open[ids[i]] = true
			}
			for i, id := range ids {
				table, err := c.bot.lookAt(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				if (table.Phase != ended) != open[id] {
					t.Errorf("table %d is in phase %d, %q", i, table.Phase, table.Why)
				}
				if _, alarmed := c.bot.clock.due[id]; alarmed != open[id] {
					t.Errorf("table %d: an alarm is set: %t", i, alarmed)
				}
			}
		})
	}
}
