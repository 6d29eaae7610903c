package play_test

import (
	"fmt"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/play"
	"zevaka/bot/table"
)

// TestUndoStaysCheap: to take a move back and make it again reads as much after thousands of times as after some, and the
// deal, with what can be made again, is the same.
func TestUndoStaysCheap(t *testing.T) {
	t.Parallel()
	h := bottest.NewCounted(t)
	h.Must(1, 1, chat.Command, "/pauk deal=7")
	id := h.Table(1).ID
	moves := 70
	for range moves {
		anyMove(h, 1, 1)
	}
	if h.Look(id).Chunks == 0 {
		t.Fatal("all moves lie at the table")
	}
	do := func(name string) {
		h.Must(1, 1, chat.Press, table.Token{Table: id, Do: name}.String())
	}
	cards := func() string { return fmt.Sprint(h.State(h.Look(id)).View(0)) }
	all := cards()
	for range 4 {
		do("!undo")
	}
	want := cards()
	var most bottest.Counted
	turns := table.MaxMarks + *rounds*table.MaxMarks/2 // A press makes two marks: all are made anew twice, and once more for each round.
	for i := range turns {
		cost := h.Costs(func() { do("!undo"); do("!redo") })
		if i < table.MaxMarks {
			most = bottest.Counted{Calls: max(most.Calls, cost.Calls), Keys: max(most.Keys, cost.Keys), Bytes: max(most.Bytes, cost.Bytes)}
		} else if cost.Above(most) {
			t.Fatalf("after %d times it costs %+v, and never more than %+v before", i, cost, most)
		}
	}
	now := h.Look(id)
	if now.Moves > moves+4+table.MaxMarks+4 || now.Line != moves-4 || now.Undone != 4 || now.Undos != 4+turns {
		t.Errorf("%d moves, %d stand, %d can be made again, after %d", now.Moves, now.Line, now.Undone, now.Undos)
	}
	h.Restart()
	h.Running += clock.SaveEvery // So much of the running time may be lost, and another press of the same button be taken for a slip.
	if got := cards(); got != want {
		t.Errorf("it is\n%s, and was\n%s", got, want)
	}
	for range 4 {
		do("!redo")
	}
	if got := cards(); got != all {
		t.Errorf("after all was made again it is\n%s, and was\n%s", got, all)
	}
	anyMove(h, 1, 1)
	h.Restart()
	if now := h.Look(id); now.Line != moves+1 || now.Undone != 0 {
		t.Errorf("%d stand, %d can be made again", now.Line, now.Undone)
	}
	h.State(h.Look(id))
}

// TestBoundedLine: a game for one in which so many moves stand is closed.
func TestBoundedLine(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/sklep deal=7")
	id := h.Table(1).ID
	one := h.Look(id)
	state := h.State(one)
	one.Line = play.MaxLine - 1
	value, err := one.Encode()
	if err != nil {
		t.Fatal(err)
	}
	h.Write(table.KeyOpen(id), value)
	h.Must(1, 1, chat.Press, table.Token{Table: id, Epoch: one.Epoch(state), Do: h.Games["sklep"].Text(state.Moves(0, nil)[0])}.String())
	if last := h.Look(id); last.Phase != table.Ended || last.Why != "stop-long" {
		t.Errorf("phase %d, %q", last.Phase, last.Why)
	}
}

// anyMove makes some move in a game for one.
func anyMove(h *bottest.Hall, channel, user int64) {
	h.T.Helper()
	one := h.Table(channel)
	state := h.State(one)
	moves := state.Moves(0, nil)
	text := h.Games[one.Game].Text(moves[(one.Line*7)%len(moves)])
	if text == "quit" {
		text = h.Games[one.Game].Text(moves[0])
	}
	h.Must(channel, user, chat.Press, table.Token{Table: one.ID, Epoch: one.Epoch(state), Do: text}.String())
}
