package web

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// TestCheckInTheRoom: the message that asks for the cut shows the first digits of what Check tells one who watches, and all others in a
// message of its own, in their language.
func TestCheckInTheRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All()})
		if err != nil {
			t.Fatal(err)
		}
		_, srv := serve(t, b)
		ann, bob, eve := sit(t, srv, "Ann"), sit(t, srv, "Bob"), sit(t, srv, "Eve")
		all, own := ann.look(), eve.look()
		all.until("room")
		own.until("room")
		called := func(m messageView, label string) (buttonView, bool) {
			for _, b := range slices.Concat(m.Buttons...) {
				if b.Label == label {
					return b, true
				}
			}
			return buttonView{}, false
		}
		// board is the next picture with a button called so.
		board := func(label string) messageView {
			for {
				m := all.until("put").Message
				if _, ok := called(m, label); ok {
					return m
				}
			}
		}
		press := func(who *tab, m messageView, label string) {
			b, _ := called(m, label)
			who.press(b.Token, m.Ref)
		}
		ann.say("/zevaka")
		press(bob, board("Join"), "Join")
		press(ann, board("Deal"), "Deal")
		asks := board("13")
		digits := regexp.MustCompile(`🔒 ([0-9a-f]{4}(?: [0-9a-f]{4}){3})\b`).FindStringSubmatch(asks.read())
		if digits == nil {
			t.Fatalf("it is asked to cut by %q", asks.read())
		}
		press(eve, asks, "🔒 Check")
		told := own.until("put").Message
		for !told.Private {
			told = own.until("put").Message
		}
		sum := regexp.MustCompile(`[0-9a-f]{64}`).FindString(told.read())
		if sum == "" || !strings.HasPrefix(sum, strings.ReplaceAll(digits[1], " ", "")) {
			t.Errorf("the board shows %v, and Check tells %q", digits, told.read())
		}
		press(bob, asks, "🔒 Check")
		var promised []string
		bob.lang = "pl"
		for _, m := range bob.look().until("room").Messages {
			switch {
			case m.Ref == told.Ref:
				t.Error("others read what is told to Eve")
			case !m.Private && m.Table == "" && strings.Contains(m.read(), sum):
				promised = append(promised, m.read())
			}
		}
		if len(promised) != 1 || !strings.Contains(promised[0], "Karty") {
			t.Errorf("Bob, who reads Polish, reads %q", promised)
		}
	})
}
