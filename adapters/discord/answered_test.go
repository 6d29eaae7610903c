package discord

import (
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
)

// TestAnsweredBySomebodyElse: a press comes once more that another process has answered, one that was killed before it
// could show what it had stored. The new one can't answer it, and doesn't take that for having shown the table.
func TestAnsweredBySomebodyElse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, disk(t), fake(t, discordtest.Options{}))
		h.start()
		h.table(map[string]any{"limit": "none"})
		var answered *discordtest.Interaction
		var mover discordtest.User
		for _, u := range []discordtest.User{ann, bob} {
			if i := h.press(u, "Вскрыть"); i.Answer() == 7 {
				answered, mover = i, u
			}
		}
		before := h.board(discordtest.Channel)
		keep, ok := before.Button(mover.Global + mover.Nick + " ⤵ себе")
		if !ok || answered == nil {
			t.Fatalf("nobody has flipped a card: %s", before.Content)
		}
		faults := h.server.Record().Faults
		h.server.SetFaults(discordtest.Faults{Broken: 1})
		h.server.Press(mover, before.ID, keep.CustomID)
		h.server.Until("the move is made, and its answer lost", func() bool { return h.server.Record().Faults > faults })
		h.kill()
		h.server.SetFaults(discordtest.Faults{})
		if now := h.board(discordtest.Channel); now.Content != before.Content {
			t.Fatalf("the move was shown: %s", now.Content)
		}
		h.start()
		asked := len(h.dealer.asked.All())
		h.server.Again(answered)
		h.server.Until("the press comes again", func() bool { return len(h.dealer.asked.All()) > asked })
		h.ring()
		h.server.Until("the board shows the move", func() bool {
			return strings.Contains(h.board(discordtest.Channel).Content, "оставляет")
		})
	})
}
