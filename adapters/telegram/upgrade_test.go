package telegram

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/telegram/telegramtest"
)

// TestToldWhereTheGroupGoesOn: how a patience ends that was asked for in a group, and is played in private, is told where the group goes on, also
// if the bot was started since it has become a supergroup.
func TestToldWhereTheGroupGoesOn(t *testing.T) {
	for _, line := range []string{"/patience zaba", "/day"} {
		for _, starts := range []bool{false, true} {
			c := &casino{dir: t.TempDir()}
			c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) {
				x.age = time.Hour
				u := x.server.NewUser("U", "en")
				group, private, chance := x.server.NewGroup("Cards", u), u.Private(), rand.New(rand.NewPCG(3, 3))
				u.Start("")
				group.Say(u, line)
				rest(10 * time.Second)
				for _, m := range group.Messages() {
					if at := slices.IndexFunc(m.Buttons, func(b telegramtest.Button) bool { return strings.Contains(b.URL, "start=p-") }); at >= 0 {
						_, link, _ := strings.Cut(m.Buttons[at].URL, "start=")
						u.Start(link)
						break
					}
				}
				rest(10 * time.Second)
				press := func(fits func(do string) bool) {
					for _, m := range slices.Backward(private.Messages()) {
						for _, b := range m.Buttons {
							if do := b.Data[strings.LastIndexByte(b.Data, '.')+1:]; do != "" && fits(do) {
								m.Chat = private.ID
								<-x.server.Answered(u.Press(m, b.Data))
								rest(2 * time.Second)
								return
							}
						}
					}
				}
				for range 6 {
					press(func(do string) bool { return do[0] != '!' && chance.IntN(2) == 0 })
				}
				now := group.Upgrade(true)
				rest(time.Minute)
				if starts {
					c.crash()
					rest(time.Minute)
				}
				before := len(now.Messages())
				for _, do := range []string{"!giveup", "!answer", "!day-share", "!share"} {
					press(func(one string) bool { return strings.HasPrefix(one, do) })
				}
				rest(2 * time.Minute)
				if said := now.Messages()[before:]; len(said) != 1 || !strings.HasPrefix(said[0].Text, "Frog") && !strings.HasPrefix(said[0].Text, "U: Frog") {
					t.Errorf("after %s, started again %t, the group reads %+v", line, starts, said)
				}
				c.close()
			})
		}
	}
}
