package bot_test

import (
	"fmt"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
)

// TestHereIsThere: what is offered to a group is laid there, or by its link in private. The button of the group, pressed in a private chat, lays nothing:
// that table would be the group's, in a place that the group hasn't got.
func TestHereIsThere(t *testing.T) {
	for _, e := range elsewheres() {
		if e.fromOutside {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			h := bottest.NewHall(t)
			group := h.Place(1)
			group.Crowded = true
			for i, line := range []string{"/tecza deal=7", "/patience"} {
				r := bottest.Seen(t.Context(), h.Bot, chat.Request{ID: fmt.Sprint("ask ", i), Kind: chat.Command, Who: bottest.User(1), Data: line, In: group})
				rows := r.Posts[0].Buttons
				here := rows[len(rows)-1][len(rows[len(rows)-1])-1].Token
				for _, data := range []string{here, here + " tecza"} {
					before := h.Everything()
					got := e.from(h, 1, 2, chat.Press, data)
					if changed := h.Changed(before); len(changed) > 0 {
						t.Errorf("%s by %s: %q, %q changes %v", line, data, got.Toast, got.Opened, changed)
					}
				}
			}
		})
	}
}
