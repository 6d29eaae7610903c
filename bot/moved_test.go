package bot

import (
	"strings"
	"testing"
)

// TestMoved: a chat gets another ID in the middle of a deal with a full chunk of moves; the deal goes on there, in the
// language that was set, and the old chat has no table any more.
func TestMoved(t *testing.T) {
	c := newClocked(t)
	from := Community{Telegram, -55}
	to := Community{Telegram, -1001234567890}
	in := Place{Community: from, Channel: from.ID}
	n := 0
	ask := func(user int64, kind Kind, data string) Response {
		n++
		c.running += 1e9
		return c.bot.Handle(t.Context(), Request{
			ID: strings.Repeat("m", n), Kind: kind, Who: User{ID: user, Name: "Ann", Lang: "en"}, Data: data, In: in,
		})
	}
	ask(1, Command, "/lang pl")
	opened := ask(1, Command, "/zevaka limit=none 52 open=off")
	id, _ := parseTableID(opened.Posts[0].Table)
	ask(2, Press, token{Table: id, Do: "!join"}.String())
	ask(1, Press, token{Table: id, Do: "!deal"}.String())
	ask(1, Press, token{Table: id, Epoch: 1, Do: "!cut 5"}.String())
	ask(2, Press, token{Table: id, Epoch: 1, Do: "!cut 5"}.String())
	play := func(moves int) *table {
		t.Helper()
		var table *table
		for range moves {
			tables, err := c.bot.look(t.Context(), in)
			if err != nil || len(tables) != 1 {
				t.Fatalf("%d tables, %v", len(tables), err)
			}
			table = tables[0]
			v := &visit{bot: c.bot, table: table, rules: c.bot.order[0]}
			state, err := v.play(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			seat := state.Turn()[0]
			do := v.rules.Text(restlessMove(v.rules, state, seat, 1))
			if r := ask(table.Chairs[seat].User, Press, token{Table: table.id, Epoch: table.playEpoch(state), Do: do}.String()); r.Alert {
				t.Fatal(r.Toast)
			}
		}
		return table
	}
	before := play(200)
	if before.Chunks == 0 {
		t.Fatal("no chunk is full yet: the test is too short")
	}
	r := ask(1, Moved, to.String())
	if len(r.Posts) != 1 || r.Posts[0].In.Channel != to.ID || r.Posts[0].Edit != "" || !strings.Contains(flat(r.Posts[0].Text), "Środek") {
		t.Fatalf("the move is answered %+v", r)
	}
	if r := ask(1, Command, "/table"); r.Toast == "" {
		t.Error("the old chat still has a table")
	}
	in = Place{Community: to, Channel: to.ID}
	if after := play(200); after.Moves < before.Moves+199 || after.Place.Community != to {
		t.Errorf("%d moves at %v after the move, %d before", after.Moves, after.Place, before.Moves)
	}
	ask(1, Command, "/zevaka")
	for _, table := range must(c.bot.look(t.Context(), in)) {
		if table.ledger() != from.String() {
			t.Errorf("chips and scores of table %s are kept for %q, not %q", table.id, table.ledger(), from)
		}
	}
	if r := ask(1, Moved, "rubbish"); r.Toast != c.bot.words.Lang("en").Say("broken") {
		t.Errorf("a move to nowhere is answered %+v", r)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
