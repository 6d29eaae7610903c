package discord

import (
	"strings"
	"testing"

	"zevaka/adapters/discord/discordtest"
	"zevaka/storage/mem"
)

func TestOneCallPerPress(t *testing.T) {
	t.Parallel()
	h := enter(t, mem.New(), discordtest.Options{})
	h.table(map[string]any{"set": "21b", "limit": "none"})
	h.server.Until("the deal is noted", func() bool { return h.server.Record().Calls["post"] == 1 })
	h.server.Forget()
	for range 10 {
		for _, u := range []discordtest.User{ann, bob, vika} {
			for _, b := range h.board(discordtest.Channel).Buttons() {
				i := h.press(u, b.Label)
				if i.Calls() != 1 {
					t.Errorf("%d calls for %q by %s", i.Calls(), b.Label, u.Name)
				}
			}
		}
	}
	r := h.quietly()
	if r.Calls["callback"] != r.Interactions || len(r.Calls) != 1 {
		t.Errorf("%d presses took %v", r.Interactions, r.Calls)
	}
	if m := h.board(discordtest.Channel); !strings.Contains(m.Content, "▶") {
		t.Errorf("the board: %s", m.Content)
	}
}
