package bot_test

import (
	"fmt"
	"testing"

	"zevaka/bot/chat"
)

// TestCount counts tables as they open and close, and purses as they are opened.
func TestCount(t *testing.T) {
	c := newChat(t)
	want := func(open, purses int) {
		t.Helper()
		got, err := c.Bot.Count(t.Context())
		if err != nil || got.Open != open || got.Chips.Purses != purses || got.Chips.Off != 0 || got.Chips.Uneven != 0 {
			t.Errorf("%+v, %v; want %d tables and %d purses", got, err, open, purses)
		}
	}
	want(0, 0)
	c.do("Ann: /zevaka")
	want(1, 0)
	c.do("Ann: /balance")
	c.do("Bob: /daily")
	want(1, 2)
	for i := range int64(300) {
		r := chat.Request{ID: fmt.Sprint("more", i), Who: c.People["Ann"], In: place, Kind: chat.Command, Data: "/zevaka"}
		r.In.Channel = 100 + i
		if response := c.Bot.Handle(t.Context(), r); response.Alert {
			t.Fatal(response.Toast)
		}
	}
	want(301, 2)
	c.do("Ann: /stop")
	want(300, 2)
}
