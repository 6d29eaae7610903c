package discord

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/storage/mem"
)

// TestPledgeGoesFirst: the message that promises the seed stands before the picture that asks for the cut, and as it was to the end of
// the game.
func TestPledgeGoesFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.seeds = true
		p := &phones{house: h, read: map[string]reading{}, found: map[stood]bool{}, newest: map[string]chat.Post{}, owed: map[string]bool{}, running: map[int64]*discordtest.Interaction{}}
		h.dealer.heard = p.heard
		h.start()
		h.server.Until("the commands are known", func() bool { return len(h.self().commands) > 0 })
		chatscript.NewJourney(t, p, p.refused.Load).Play("> Аня: /zevaka limit=none\n> Ola: [Сесть]\n> Аня: [Сдавать]\n> Аня: [13]\n> Ola: [7]\n> play 30")
		seen := p.Look(chatscript.People()[0], false)
		digits := regexp.MustCompile("[0-9a-f]{64}")
		promised := slices.IndexFunc(seen, func(s chatscript.Shown) bool { return digits.MatchString(s.Text) })
		table := slices.IndexFunc(seen, func(s chatscript.Shown) bool { return !s.Alone && strings.Contains(s.Text, "🂠") })
		if promised < 0 || table < promised {
			t.Fatalf("the promise is message %d, and the table message %d of %+v", promised, table, seen)
		}
		if s := seen[promised]; s.Edits > 0 || len(s.Keys) > 0 || s.Rings {
			t.Errorf("what was promised has changed %d times: %+v", s.Edits, s)
		}
		h.quietly()
	})
}
