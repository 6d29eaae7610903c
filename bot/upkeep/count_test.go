package upkeep_test

import (
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
)

// TestCount counts tables as they open and close, and purses as they are opened; more tables than are read at once.
func TestCount(t *testing.T) {
	h := bottest.NewHall(t)
	want := func(open, purses int) {
		t.Helper()
		got, err := h.Bot.Count(t.Context())
		if err != nil || got.Open != open || got.Chips.Purses != purses || got.Chips.Off != 0 || got.Chips.Uneven != 0 {
			t.Errorf("%+v, %v; want %d tables and %d purses", got, err, open, purses)
		}
	}
	want(0, 0)
	h.Must(1, 1, chat.Command, "/zevaka")
	want(1, 0)
	h.Must(1, 1, chat.Command, "/balance")
	h.Must(1, 2, chat.Command, "/daily")
	want(1, 2)
	for i := range int64(300) {
		h.Must(100+i, 1, chat.Command, "/zevaka")
	}
	want(301, 2)
	h.Must(1, 1, chat.Command, "/stop")
	h.LookedAt()
	want(300, 2)
}
