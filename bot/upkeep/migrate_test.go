package upkeep_test

import (
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
)

// TestMoved: a chat gets another ID in the middle of a deal with a full chunk of moves; the deal goes on there, in the
// language that was set, and the old chat has no table any more.
func TestMoved(t *testing.T) {
	c := bottest.NewClocked(t)
	from := chat.Community{Platform: chat.Telegram, ID: -55}
	to := chat.Community{Platform: chat.Telegram, ID: -1001234567890}
	in := chat.Place{Community: from, Channel: from.ID}
	n := 0
	ask := func(user int64, kind chat.Kind, data string) chat.Response {
		n++
		c.Running += 1e9
		return bottest.Seen(t.Context(), c.Bot, chat.Request{
			ID: strings.Repeat("m", n), Kind: kind, Who: chat.User{ID: user, Name: "Ann", Lang: "en"}, Data: data, In: in,
		})
	}
	ask(1, chat.Command, "/lang pl")
	opened := ask(1, chat.Command, "/zevaka limit=none 52 open=off")
	id, _ := table.ParseID(opened.Posts[0].Table)
	ask(2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	ask(1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	ask(1, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!cut 5"}.String())
	ask(2, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!cut 5"}.String())
	play := func(moves int) *table.Table {
		t.Helper()
		var tb *table.Table
		for range moves {
			tables, err := bottest.Shelf(c.Store).Look(t.Context(), in)
			if err != nil || len(tables) != 1 {
				t.Fatalf("%d tables, %v", len(tables), err)
			}
			tb = tables[0]
			rules := games.All()[0]
			state, err := table.Replay(t.Context(), c.Store, rules, tb)
			if err != nil {
				t.Fatal(err)
			}
			seat := state.Turn()[0]
			do := rules.Text(restlessMove(rules, state, seat, 1))
			if r := ask(tb.Chairs[seat].User, chat.Press, table.Token{Table: tb.ID, Epoch: tb.Epoch(state), Do: do}.String()); r.Alert {
				t.Fatal(r.Toast)
			}
		}
		return tb
	}
	before := play(200)
	if before.Chunks == 0 {
		t.Fatal("no chunk is full yet: the test is too short")
	}
	r := ask(1, chat.Migrated, to.String())
	if len(r.Posts) != 1 || r.Posts[0].In.Channel != to.ID || r.Posts[0].Edit != "" || !strings.Contains(words.Flat(r.Posts[0].Text), "Środek") {
		t.Fatalf("the move is answered %+v", r)
	}
	if r := ask(1, chat.Command, "/table"); r.Toast == "" {
		t.Error("the old chat still has a table")
	}
	in = chat.Place{Community: to, Channel: to.ID}
	if after := play(200); after.Moves < before.Moves+199 || after.Place.Community != to {
		t.Errorf("%d moves at %v after the move, %d before", after.Moves, after.Place, before.Moves)
	}
	ask(1, chat.Command, "/zevaka")
	for _, table := range bottest.Must(bottest.Shelf(c.Store).Look(t.Context(), in)) {
		if table.Origin() != from.String() {
			t.Errorf("chips and scores of table %s are kept for %q, not %q", table.ID, table.Origin(), from)
		}
	}
	if r := ask(1, chat.Migrated, "rubbish"); r.Toast != c.Bot.Words().Lang("en").Say("broken") {
		t.Errorf("a move to nowhere is answered %+v", r)
	}
}

// restlessMove makes a deal long: it flips and keeps, and only now and then puts a card into the centre.
func restlessMove(rules engine.Rules, state engine.State, seat engine.Seat, n int) engine.Move {
	moves := state.Moves(seat, nil)
	for _, m := range moves {
		if text := rules.Text(m); text == "flip" || text == "keep" || text == "centre" && n%2 == 0 {
			return m
		}
	}
	return moves[0]
}
