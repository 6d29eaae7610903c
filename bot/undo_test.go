package bot

import (
	"fmt"
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/engine/enginetest"
)

// TestUndoStaysCheap: to take a move back and make it again reads as much after thousands of times as after some, and the
// deal, with what can be made again, is the same.
func TestUndoStaysCheap(t *testing.T) {
	t.Parallel()
	h := newCounted(t)
	h.must(1, 1, chat.Command, "/pauk deal=7")
	id := h.table(1).ID
	moves := enginetest.Bound(70, 200)
	for range moves {
		h.anyMove(1, 1)
	}
	if h.look(id).Chunks == 0 {
		t.Fatal("all moves lie at the table")
	}
	do := func(name string) {
		h.must(1, 1, chat.Press, table.Token{Table: id, Do: name}.String())
	}
	cards := func() string { return fmt.Sprint(h.state(h.look(id)).View(0)) }
	all := cards()
	for range 4 {
		do("!undo")
	}
	want := cards()
	var most counted
	turns := enginetest.Bound(5, 12) * table.MaxMarks / 2
	for i := range turns {
		cost := h.costs(func() { do("!undo"); do("!redo") })
		if i < 2*table.MaxMarks {
			most = counted{max(most.calls, cost.calls), max(most.keys, cost.keys), max(most.bytes, cost.bytes)}
		} else if cost.above(most) {
			t.Fatalf("after %d times it costs %+v, and never more than %+v before", i, cost, most)
		}
	}
	now := h.look(id)
	if now.Moves > moves+4+table.MaxMarks+4 || now.Line != moves-4 || now.Undone != 4 || now.Undos != 4+turns {
		t.Errorf("%d moves, %d stand, %d can be made again, after %d", now.Moves, now.Line, now.Undone, now.Undos)
	}
	h.restart()
	if got := cards(); got != want {
		t.Errorf("it is\n%s, and was\n%s", got, want)
	}
	for range 4 {
		do("!redo")
	}
	if got := cards(); got != all {
		t.Errorf("after all was made again it is\n%s, and was\n%s", got, all)
	}
	h.anyMove(1, 1)
	h.restart()
	if now := h.look(id); now.Line != moves+1 || now.Undone != 0 {
		t.Errorf("%d stand, %d can be made again", now.Line, now.Undone)
	}
	h.state(h.look(id))
}

// TestBoundedLine: a game for one in which so many moves stand is closed.
func TestBoundedLine(t *testing.T) {
	h := newHall(t)
	h.must(1, 1, chat.Command, "/sklep deal=7")
	id := h.table(1).ID
	one := h.look(id)
	state := h.state(one)
	one.Line = play.MaxLine - 1
	value, err := one.Encode()
	if err != nil {
		t.Fatal(err)
	}
	h.write(table.KeyOpen(id), value)
	h.must(1, 1, chat.Press, table.Token{Table: id, Epoch: one.Epoch(state), Do: h.bot.games["sklep"].Text(state.Moves(0, nil)[0])}.String())
	if last := h.look(id); last.Phase != table.Ended || last.Why != "stop-long" {
		t.Errorf("phase %d, %q", last.Phase, last.Why)
	}
}

// anyMove makes some move in a game for one.
func (h *hall) anyMove(channel, user int64) {
	h.t.Helper()
	one := h.table(channel)
	state := h.state(one)
	moves := state.Moves(0, nil)
	text := h.bot.games[one.Game].Text(moves[(one.Line*7)%len(moves)])
	if text == "quit" {
		text = h.bot.games[one.Game].Text(moves[0])
	}
	h.must(channel, user, chat.Press, table.Token{Table: one.ID, Epoch: one.Epoch(state), Do: text}.String())
}
