package telegram

import (
	"slices"
	"testing"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// TestSharesOfWhoPlays: a table's pictures are a share of those who have had a turn in its last round, and of nobody who has left.
func TestSharesOfWhoPlays(t *testing.T) {
	d := newDealer()
	bubble(t, d, telegramtest.Options{}, func(t *testing.T, x *house) {
		_, group := x.group()
		in := placeOf(group.ID)
		c := x.run.out.chats.get(x.run.out, group.ID)
		for i, turn := range []int64{1, 2, 2, 3, 4, 0, 1, 2, 1, 2} {
			c.mu.Lock()
			c.picture(chat.Post{In: in, Table: "t", Level: uint64(i + 1), Turn: turn}, turn)
			who := slices.Sorted(slices.Values(c.boards["t"].who))
			c.mu.Unlock()
			if want := map[int][]int64{4: {1, 2, 3, 4}, 7: {1, 2, 3, 4}, 9: {1, 2}}[i]; want != nil && !slices.Equal(who, want) {
				t.Errorf("after turn %d it is a share of %v, not %v", i, who, want)
			}
		}
	})
}
