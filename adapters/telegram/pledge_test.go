package telegram

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chatscript"
)

// TestPledgeGoesFirst: the message that promises the seed stands before the picture that asks for the cut, and as it was to the end of
// the game.
func TestPledgeGoesFirst(t *testing.T) {
	c := &casino{pictures: false}
	bubble(t, nil, telegramtest.Options{}, func(t *testing.T, x *house) {
		x.age = time.Hour
		c.house = x
		p := newPhones(c)
		chatscript.NewJourney(t, p, p.refused.Load).Play(cutByBoth)
		digits := regexp.MustCompile("[0-9a-f]{64}")
		var promised, asked int
		seen := p.Look(chatscript.People()[0], false)
		for i, s := range seen {
			if digits.MatchString(s.Text) {
				if promised == 0 {
					promised = i + 1
				}
				if s.Edits > 0 || len(s.Keys) > 0 || s.Rings {
					t.Errorf("what was promised has changed %d times: %q", s.Edits, s.Text)
				}
			} else if strings.Contains(s.Text, "🏆") {
				asked = i + 1
			}
		}
		if promised == 0 || asked < promised {
			t.Errorf("the promise is message %d, and the table message %d of %+v", promised, asked, seen)
		}
		c.close()
	})
}

// cutByBoth is a bank of two people, who both cut.
const cutByBoth = `> Аня: /banchok 20 min=20 banks=1 limit=none
> Ola: [Сесть]
> Аня: [Сдавать]
> Аня: [13]
> Ola: [7]
> play
> wait 30s`
