package play_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
)

// TestSwitchesTell: whoever presses a switch of a lobby is told what it stands at, as its button is called from then on; of a
// set of rules, whether it counts.
func TestSwitchesTell(t *testing.T) {
	for _, game := range []string{"zevaka", "banchok"} {
		s := bottest.NewSitting(t)
		switched := 0
		board := bottest.Drawn(s.Say(1, "/"+game).Posts[0])
		for _, open := range []string{"panel", "details"} {
			for _, b := range slices.Concat(board.Buttons...) {
				if strings.HasSuffix(b.Token, ".!"+open) {
					board = bottest.Drawn(s.Do(1, chat.Press, b.Token).Posts[0])
				}
			}
			for _, b := range slices.Concat(board.Buttons...) {
				do, _, _ := strings.Cut(b.Token[strings.Index(b.Token, "!")+1:], " ")
				if !slices.Contains([]string{"set", "opt", "limit", "fast", "rounds"}, do) {
					continue
				}
				switched++
				s.Running += time.Minute
				r := s.Do(1, chat.Press, b.Token)
				now := slices.Concat(bottest.Drawn(r.Posts[0]).Buttons...)
				i := slices.IndexFunc(now, func(after chat.Button) bool { return after.Token == b.Token })
				says := now[i].Label + "."
				if do == "set" {
					says = now[i].Label + ": " + map[bool]string{false: "off.", true: "on."}[now[i].Look == chat.Primary]
				}
				if r.Alert || r.Toast != says {
					t.Errorf("%s: %q is answered %q, and is now %q", game, b.Label, r.Toast, now[i].Label)
				}
			}
		}
		if switched < 5 {
			t.Errorf("%s has only %d switches", game, switched)
		}
	}
}
