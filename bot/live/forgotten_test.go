package live_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/live"
)

// TestForgottenAtEndedTable: whoever comes to look at a game that has ended doesn't read the name of somebody who was forgotten since,
// also where others have looked at it all the time.
func TestForgottenAtEndedTable(t *testing.T) {
	c := newClub(t, 1)
	id := c.open("/tecza deal=7")
	ann, bob := c.people[0], c.people[3]
	acts := c.see(ann).Acts
	c.press(ann, acts[slices.IndexFunc(acts, func(a live.Act) bool { return a.Kind == "move" || a.Kind == "deal" })])
	for _, line := range []string{"/stop", "/forgetme"} {
		if shown := fmt.Sprint(c.see(bob).Seats); !strings.Contains(shown, ann.Name) {
			t.Errorf("before %s one reads %s", line, shown)
		}
		c.ask(ann, chat.Press, bottest.AnswerIn(c.ask(ann, chat.Command, line, "")), "")
	}
	c.look(bob, id)
	if shown := fmt.Sprintf("%+v", c.see(bob)); strings.Contains(shown, ann.Name) {
		t.Errorf("after that whoever comes is shown %s", shown)
	}
}
