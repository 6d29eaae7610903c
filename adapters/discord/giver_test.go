package discord

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
)

// TestGiverKeepsNobodyWaiting: who gives chips away without a pause has what is said of it wait, and no table: a deal comes as soon as the
// channel takes it.
func TestGiverKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := enterFair(t)
		for _, u := range []discordtest.User{vika, bob, ann} {
			w.server.Command(u, discordtest.Channel, "balance", nil).Answer()
		}
		given := 0
		give := func(d time.Duration) {
			for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
				i := w.server.Command(vika, discordtest.Channel, "give", map[string]any{"who": bob, "amount": 1})
				if m, ok := i.Message(); ok && len(m.Rows) > 0 {
					w.server.Press(vika, m.ID, m.Rows[0][0].CustomID).Answer()
					given++
				}
			}
		}
		give(2 * time.Minute)
		w.server.Command(ann, discordtest.Channel, "zevaka", map[string]any{"limit": "none"}).Answer()
		give(2 * time.Second)
		w.press(bob, "Сесть")
		w.press(ann, "Сдавать")
		dealt := func() bool {
			return strings.Contains(w.board(discordtest.Channel).Content, "снимите колоду")
		}
		pressed := time.Now()
		for time.Since(pressed) < 10*time.Minute && !dealt() {
			give(time.Second)
		}
		if late := time.Since(pressed); late > 2*fairWindow || given < 200 {
			t.Errorf("beside %d gifts the deal came after %v", given, late)
		}
	})
}
