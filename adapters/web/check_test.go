package web

import (
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/bot"
	"zevaka/bot/words"
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
		r, srv := serve(t, b)
		ann, bob, eve := sit(t, srv, "Ann"), sit(t, srv, "Bob"), sit(t, srv, "Eve")
		own := eve.look()
		own.until("room")
		ann.say("/zevaka")
		bob.presses(r, "!join")
		ann.presses(r, "!deal")
		asks, _ := offered(r, "!cut 13")
		digits := regexp.MustCompile(`🔒 ([0-9a-f]{4}(?: [0-9a-f]{4}){3})\b`).FindStringSubmatch(words.Flat(asks.body.text))
		if digits == nil {
			t.Fatalf("it is asked to cut by %q", words.Flat(asks.body.text))
		}
		eve.presses(r, "!check")
		told := own.until("put").Message
		for !told.Private {
			told = own.until("put").Message
		}
		sum := regexp.MustCompile(`[0-9a-f]{64}`).FindString(told.read())
		if sum == "" || !strings.HasPrefix(sum, strings.ReplaceAll(digits[1], " ", "")) {
			t.Errorf("the board shows %v, and Check tells %q", digits, told.read())
		}
		bob.presses(r, "!check")
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
