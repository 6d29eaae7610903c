package upkeep_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
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
	before.Former = "-55/7" // A message of the old chat's.
	value := bottest.Must(before.Encode())
	err := storage.Update(t.Context(), c.Store, func(tx storage.Tx) error { tx.Put(table.KeyOpen(before.ID), value); return nil })
	if err != nil {
		t.Fatal(err)
	}
	r := ask(1, chat.Migrated, to.String())
	if len(r.Posts) != 1 || r.Posts[0].In.Channel != to.ID || r.Posts[0].Edit != "" || !strings.Contains(words.Flat(r.Posts[0].Text), "Środek") {
		t.Fatalf("the move is answered %+v", r)
	}
	if r := ask(1, chat.Command, "/table"); r.Toast == "" {
		t.Error("the old chat still has a table")
	}
	in = chat.Place{Community: to, Channel: to.ID}
	if moved := bottest.Must(bottest.Shelf(c.Store).Look(t.Context(), in)); moved[0].Former != "" {
		t.Errorf("message %s is to be deleted there", moved[0].Former)
	}
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

// TestToldLate: people have played under a group's new ID before the bot is told whose that is. What they have won there comes to what they had, once,
// and the books are in order; who has lost there keeps what they had.
func TestToldLate(t *testing.T) {
	h := bottest.NewHall(t)
	old := h.Place(1).Community
	daily := func(users ...int64) {
		h.Wall += 24 * time.Hour
		for _, user := range users {
			h.Must(1, user, chat.Command, "/daily")
		}
	}
	held := func(in chat.Community) (all []int64) {
		purses := bottest.Must(storage.Read(t.Context(), h.Store, func(from storage.Reader) ([]purse.Purse, error) { return purse.Purses(from, in.String(), 1, 2, 3, 4) }))
		for _, p := range purses {
			all = append(all, p.Balance)
		}
		return all
	}
	daily(1, 2)
	had := held(old)
	h.At = chat.Community{Platform: chat.Telegram, ID: -1000077}
	daily(1, 3)
	daily(1, 3)
	for user := range int64(4) {
		h.Must(1, user+1, chat.Command, "/balance")
	}
	first := held(h.At)[1]
	h.Sure(1, 3, chat.Command, "/give P4 50")
	h.Sure(1, 2, chat.Command, "/give P4 100")
	won := held(h.At)
	h.Write("a/"+h.At.String()+"/u9", []byte("{")) // It keeps nobody else's.
	for range 2 {
		h.Moved(old, h.At)
		there := held(h.At)
		for i, now := range held(old) {
			if want := had[i] + max(0, won[i]-first); now != want || there[i] != min(won[i], first) {
				t.Errorf("P%d has %d, not %d, who had %d and held %d there, where %d are left", i+1, now, want, had[i], won[i], there[i])
			}
		}
	}
	h.Delete("a/" + h.At.String() + "/u9")
	top, err := purse.Book{Store: h.Store, Community: old.String()}.Richest(t.Context(), 10)
	if err != nil || len(top) != 1 || top[0].User != 4 {
		t.Errorf("those who have won are %+v (%v)", top, err)
	}
	if won[0] <= first || won[1] >= first || won[3] != first+150 {
		t.Errorf("there they hold %v", won)
	}
	h.Audit()
}

// TestMovedAway: a chat gets an ID that another bot serves: this one does nothing more at its tables, though their time goes by. Where it is
// told again, and they are its own then, it shows them, though they were taken along before.
func TestMovedAway(t *testing.T) {
	from, to := chat.Community{Platform: chat.Telegram, ID: -55}, chat.Community{Platform: chat.Telegram, ID: -1001234567890}
	for _, ours := range []bool{true, false} {
		c := bottest.NewClocked(t)
		c.Serves = func(one chat.Community) bool { return ours || one == from }
		c.Restart()
		n := 0
		ask := func(user int64, kind chat.Kind, data string) chat.Response {
			n++
			c.Running += 1e9
			name := strings.Repeat("m", n)
			if kind == chat.Migrated {
				name = "moved"
			}
			return bottest.Seen(t.Context(), c.Bot, chat.Request{
				ID: name, Kind: kind, Who: chat.User{ID: user, Name: "Ann", Lang: "en"}, Data: data,
				In: chat.Place{Community: from, Channel: from.ID},
			})
		}
		id, _ := table.ParseID(ask(1, chat.Command, "/zevaka limit=15s").Posts[0].Table)
		ask(2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		ask(1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
		r := ask(1, chat.Migrated, to.String())
		if (len(r.Posts) == 1) != ours {
			t.Errorf("ours %t: the move is answered %+v", ours, r)
		}
		for _, p := range r.Posts {
			bottest.Seen(t.Context(), c.Bot, chat.Request{ID: "shown", Kind: chat.Shown, In: p.In, Data: p.Receipt, On: "m"})
		}
		before := fmt.Sprint(bottest.Must(bottest.Shelf(c.Store).Look(t.Context(), chat.Place{Community: to, Channel: to.ID}))[0].Level)
		shown := c.Pass(5 * time.Minute)
		after := fmt.Sprint(bottest.Must(bottest.Shelf(c.Store).Look(t.Context(), chat.Place{Community: to, Channel: to.ID}))[0].Level)
		if (before != after) != ours || (shown > 0) != ours {
			t.Errorf("ours %t: from level %s to %s, %d shown", ours, before, after, shown)
		}
		ours = true
		if r := ask(1, chat.Migrated, to.String()); len(r.Posts) != 1 || r.Posts[0].In.Community != to {
			t.Errorf("told again it answers %+v", r)
		}
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

// TestGone: a channel that is deleted takes its tables along, a community all of its own, whichever channel they stand
// in; nobody else's table ends.
func TestGone(t *testing.T) {
	guild, other := chat.Community{Platform: chat.Discord, ID: 7}, chat.Community{Platform: chat.Discord, ID: 8}
	channel := func(c chat.Community, n int64) chat.Place { return chat.Place{Community: c, Channel: n} }
	tables := []chat.Place{channel(guild, 1), channel(guild, 1), channel(guild, 2), channel(other, 1)}
	for _, test := range []struct {
		name  string
		place chat.Place
		left  []int
	}{
		{"a channel", channel(guild, 1), []int{2, 3}},
		{"a channel without tables", channel(guild, 3), []int{0, 1, 2, 3}},
		{"a community", chat.Place{Community: guild}, []int{3}},
		{"a community without tables", chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 7}}, []int{0, 1, 2, 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := bottest.NewClocked(t)
			n := 0
			ask := func(in chat.Place, kind chat.Kind, data string) chat.Response {
				n++
				return bottest.Seen(t.Context(), c.Bot, chat.Request{
					ID: strconv.Itoa(n), Kind: kind, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, Data: data, In: in,
				})
			}
			var ids []table.ID
			for _, in := range tables {
				r := ask(in, chat.Command, "/zevaka")
				id, _ := table.ParseID(r.Posts[0].Table)
				ids = append(ids, id)
			}
			for range 2 { // The platform may say it twice.
				if r := ask(test.place, chat.Gone, ""); r.Alert || len(r.Posts) > 0 {
					t.Fatalf("the answer is %+v", r)
				}
			}
			open := map[table.ID]bool{}
			for _, i := range test.left {
				open[ids[i]] = true
			}
			for i, id := range ids {
				stored, err := bottest.Shelf(c.Store).LookAt(t.Context(), id)
				if err != nil && !errors.Is(err, table.ErrGone) {
					t.Fatal(err)
				}
				there := err == nil
				isOpen := there && stored.Phase != table.Ended
				if isOpen != open[id] || there != open[id] {
					t.Errorf("table %d is open: %t, is stored: %t", i, isOpen, there)
				}
			}
			c.Running += 24 * time.Hour
			for i, alarmed := range c.Clock.Ring(t, c.Bot) {
				if !open[i] {
					t.Errorf("an alarm is set at table %s: %t", i, alarmed)
				}
			}
		})
	}
}
