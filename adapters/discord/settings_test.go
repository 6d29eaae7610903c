package discord

import (
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
)

// TestSettingsByButtons: every button of the settings, an admin's for the server and everybody's own, changes what it says, in the
// same message, until it has gone round; nothing else is sent.
func TestSettingsByButtons(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := arrive(t)
		admin := discordtest.User{ID: "109", Name: "adm", Rights: 8, Locale: "en-US"}
		for _, test := range []struct {
			who   discordtest.User
			line  map[string]any
			signs []string
		}{
			{admin, nil, []string{"🗣", "🖼", "⏱", "🔑", "🎁", "🪙", "👁", "📅", "♦", "▦"}},
			{vika, map[string]any{"what": "me"}, []string{"🗣", "🔊", "♦"}},
		} {
			h.server.Command(test.who, discordtest.Channel, "settings", test.line).Answer()
			all := h.panels(discordtest.Channel, test.who)
			panel := all[len(all)-1].ID
			label := func(sign string) (m discordtest.Message, found string) {
				m, _ = h.server.Message(panel)
				for _, row := range m.Rows {
					for _, b := range row {
						if strings.HasPrefix(b.Label, sign+" ") {
							found = b.Label
						}
					}
				}
				return m, found
			}
			for _, sign := range test.signs {
				m, first := label(sign)
				if first == "" {
					t.Fatalf("%s has no button %s: %+v", test.who.Name, sign, m.Rows)
				}
				seen := map[string]bool{first: true}
				for now := first; len(seen) < 30; {
					h.pressOn(test.who, m, now)
					before := now
					h.server.Until(before+" changes", func() bool { m, now = label(sign); return now != before })
					if seen[now] {
						break
					}
					seen[now] = true
				}
				if len(seen) < 2 || len(seen) > 12 {
					t.Errorf("%s: %s goes round in %v", test.who.Name, sign, seen)
				}
			}
		}
		h.quietly()
	})
}
