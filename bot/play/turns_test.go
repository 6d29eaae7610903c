package play_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// TestNextIsNamed: who moves reads whose turn it is by that, however much there is to tell, and nothing of it as long as others may bet.
func TestNextIsNamed(t *testing.T) {
	for _, side := range []string{"off", "on"} {
		h := bottest.NewHall(t)
		name := func(user int64) string { return fmt.Sprint(strings.Repeat("Ы", 19), user) }
		do := func(user int64, kind chat.Kind, data string) string {
			h.Running += 11 * time.Second // The time for side bets is over.
			r := h.Request(1, user, kind, data)
			r.Who.Name, r.Who.Lang = name(user), "ru"
			return bottest.Seen(t.Context(), h.Bot, r).Toast
		}
		do(1, chat.Command, "/banchok 500 limit=none side="+side)
		id := h.Table(1).ID
		for user := range int64(2) {
			do(user+2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		}
		do(1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
		h.Cut(1)
		next := func() string { return " Ходит " + name(h.Turn(1)) + "." }
		cuts := 0
		for range 6 {
			if said := do(h.Turn(1), chat.Press, h.Button(1, "stake 5")); strings.HasSuffix(said, next()) != (side == "off") {
				t.Errorf("side bets %s: the punter reads %q", side, said)
			}
			said := do(h.Turn(1), chat.Press, h.Button(1, "open"))
			if !strings.HasSuffix(said, next()) || utf8.RuneCountInString(said) > chat.MaxToast {
				t.Errorf("side bets %s: the banker reads %q", side, said)
			}
			if strings.HasSuffix(said, "…"+next()) {
				cuts++
			}
		}
		if cuts == 0 {
			t.Error("no toast was too long")
		}
	}
}
