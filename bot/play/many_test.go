package play_test

import (
	"sync"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// TestSitsAtManyAtOnce: the bound of seats in a place holds also for who asks for all of them in the same moment.
func TestSitsAtManyAtOnce(t *testing.T) {
	h := bottest.NewHall(t)
	for n := range int64(table.MaxTables) {
		h.Must(1, 10+n, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka limit=none"))
	}
	var presses sync.WaitGroup
	for _, one := range h.OpenTables(1) {
		r := h.Request(1, 5, chat.Press, table.Token{Table: one.ID, Do: "!join"}.String())
		presses.Go(func() { h.Bot.Handle(t.Context(), r) })
	}
	presses.Wait()
	seats := 0
	for _, one := range h.OpenTables(1) {
		if one.At(5) {
			seats++
		}
	}
	if seats != 9 {
		t.Errorf("they have %d seats", seats)
	}
}
