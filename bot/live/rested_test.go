package live_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
)

// TestLooksAgain: whoever looks away from a table and at it again has no long log read for that, and sees what has changed meanwhile: also
// where that is shorter than it was, and grows again.
func TestLooksAgain(t *testing.T) {
	t.Parallel()
	h := bottest.NewCounted(t)
	h.Must(1, 1, chat.Command, "/polusharia deal=7")
	id := h.Table(1).ID
	chance := rand.New(rand.NewPCG(7, 1))
	move := func() {
		one := h.Look(id)
		state := h.State(one)
		moves := slices.DeleteFunc(state.Moves(0, nil), func(m engine.Move) bool {
			return slices.Contains([]string{"quit", "redeal"}, h.Games[one.Game].Text(m))
		})
		h.Must(1, 1, chat.Press, h.Button(1, h.Games[one.Game].Text(moves[chance.IntN(len(moves))])))
	}
	scene := func(user int64) (drawn string) {
		k, err := h.Bot.Live().Look(t.Context(), chat.Request{Who: bottest.User(user), In: h.Place(1)}, id, func() {})
		if err != nil {
			t.Fatal(err)
		}
		defer k.Close()
		s, err := k.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(s.Piles)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for range 150 {
		move()
	}
	if n := h.Look(id).Chunks; n < 2 {
		t.Fatalf("the log has %d chunks", n)
	}
	first := h.Costs(func() { scene(2) })
	if again := h.Costs(func() { scene(2) }); again.Bytes > first.Bytes-table.MaxTail {
		t.Errorf("to look again reads %+v, and at first %+v", again, first)
	}
	takesBack := func(times int) {
		for range times {
			h.Must(1, 1, chat.Press, h.Button(1, "!undo"))
			h.Must(1, 1, chat.Press, h.Button(1, "!redo"))
		}
	}
	takesBack(table.MaxMarks/2 - 2)
	scene(2)
	long := h.Look(id).Moves
	takesBack(4)
	if short := h.Look(id).Moves; short >= long {
		t.Fatalf("the log had %d entries, and has %d", long, short)
	}
	for h.Look(id).Moves <= long {
		move()
	}
	got := scene(2)
	h.Restart() // The bot begins anew, and reads all.
	if want := scene(2); got != want {
		t.Errorf("one sees\n%s\nand not\n%s", got, want)
	}
}
