package upkeep_test

import (
	"flag"
	"os"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/engine/enginetest"
)

// TestCount counts tables as they open and close, and purses as they are opened; more tables than are read at once.
func TestCount(t *testing.T) {
	h := bottest.NewHall(t)
	want := func(open, purses, people int) {
		t.Helper()
		got, err := h.Bot.Count(t.Context())
		if err != nil || got.Open != open || got.Chips.Purses != purses || got.Chips.Off != 0 || got.Chips.Uneven != 0 {
			t.Errorf("%+v, %v; want %d tables and %d purses", got, err, open, purses)
		}
		if got.Games["zevaka"] != open || got.Chats != min(open, 1) || got.People != people || got.Live != 0 {
			t.Errorf("%+v; want all tables to be of zevaka, and %d people", got, people)
		}
	}
	want(0, 0, 0)
	h.Must(1, 1, chat.Command, "/zevaka")
	want(1, 0, 1)
	h.Must(1, 1, chat.Command, "/balance")
	h.Must(1, 2, chat.Command, "/daily")
	want(1, 2, 2)
	for i := range int64(300) {
		h.Must(100+i, 1, chat.Command, "/zevaka")
	}
	want(301, 2, 2)
	h.Must(1, 1, chat.Command, "/stop")
	h.LookedAt()
	want(300, 2, 2)
}

// rounds is how many times as far those tests go that could go on for ever.
var rounds = flag.Int("rounds", 1, "how many times as far tests go that could go on for ever")

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }
