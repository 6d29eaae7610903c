package discord

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
)

// TestSaidInFewMessages: who gives chips away without a pause has all of it said, a grant among it too, in few messages; and nobody else's
// waits for long.
func TestSaidInFewMessages(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := enterFair(t)
		boss := vika
		boss.Rights = 1 << 3
		for _, u := range []discordtest.User{boss, bob, ann} {
			w.server.Command(u, discordtest.Channel, "balance", nil).Answer()
		}
		given := 0
		give := func(u, to discordtest.User) {
			i := w.server.Command(u, discordtest.Channel, "give", map[string]any{"who": to, "amount": 1})
			if m, ok := i.Message(); ok && len(m.Rows) > 0 {
				w.server.Press(u, m.ID, m.Rows[0][0].CustomID).Answer()
				given++
			}
		}
		said := func() string {
			var all strings.Builder
			for _, m := range w.server.Messages(discordtest.Channel, "") {
				fmt.Fprintln(&all, m.Content)
			}
			return all.String()
		}
		for n := range 240 {
			give(boss, bob)
			if n == 100 {
				w.server.Command(boss, discordtest.Channel, "grant", map[string]any{"who": bob, "amount": 777777})
			}
			time.Sleep(500 * time.Millisecond)
		}
		asked := time.Now()
		give(ann, boss)
		for time.Since(asked) < time.Minute && !strings.Contains(said(), "Аня") {
			give(boss, bob)
			time.Sleep(500 * time.Millisecond)
		}
		if late := time.Since(asked); late > 3*fairWindow {
			t.Errorf("what somebody else says comes after %v", late)
		}
		time.Sleep(time.Minute)
		if n := strings.Count(said(), "Фишки\\: 1."); n != given || !strings.Contains(said(), "777777") {
			t.Errorf("of %d gifts %d are said, and the grant %v", given, n, strings.Contains(said(), "777777"))
		}
		if n := len(w.server.Messages(discordtest.Channel, "")); n > 200 {
			t.Errorf("it takes %d messages", n)
		}
	})
}
