package play_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// TestPlayedForByComputer: who lets the computer play, which overlooks nothing, has played and not won. P1 comes first in
// each of these games; the others overlook everything.
func TestPlayedForByComputer(t *testing.T) {
	leave := func(h *bottest.Hall, _ *table.Table) { h.Must(1, 1, chat.Command, "/leave") }
	helped := func(t *table.Table) bool {
		return slices.ContainsFunc(t.Chairs, func(c table.Chair) bool { return c.User == 1 && c.Helped })
	}
	for _, test := range []struct {
		name    string
		options string
		// begin is what P1 does after the deal, after what once they have no cards left.
		begin, after func(*bottest.Hall, *table.Table)
		// first and other are what the scores say of P1 and P2: games, wins, first places.
		first, other string
	}{
		{name: "who plays to the end has won", first: "1 1 1", other: "1 0 0"},
		{name: "who leaves has not", begin: leave, first: "1 0 0", other: "1 0 0"},
		{
			name: "who comes back after the computer has moved has not",
			begin: func(h *bottest.Hall, t *table.Table) {
				leave(h, t)
				playUntil(h, t.ID, helped)
				h.Must(1, 1, chat.Command, "/back")
			},
			first: "1 0 0", other: "1 0 0",
		},
		{
			name:  "who comes back before has",
			begin: func(h *bottest.Hall, t *table.Table) { leave(h, t); h.Must(1, 1, chat.Command, "/back") },
			first: "1 1 1", other: "1 0 0",
		},
		{
			name: "who doesn't answer until the computer plays has not", options: "limit=15s",
			begin: func(h *bottest.Hall, t *table.Table) {
				for !chair(h, h.Look(t.ID), 1).Away {
					playUntil(h, t.ID, func(*table.Table) bool { return h.Turn(1) == 1 })
					h.Pass(16 * time.Second)
				}
				playUntil(h, t.ID, helped)
			},
			first: "1 0 0", other: "1 0 0",
		},
		{name: "who leaves after their last card has", options: "end=last", after: leave, first: "1 1 1", other: "1 0 0"},
		{name: "who was removed has not even played", begin: removeP1, first: "0 0 0", other: "1 0 0"},
		{
			name: "who is left alone has not, either",
			begin: func(h *bottest.Hall, t *table.Table) {
				removeP1(h, t)
				change(h, t.ID, func(t *table.Table) { c := chair(h, t, 3); c.Left, c.Removed = true, true })
			},
			first: "0 0 0", other: "0 0 0",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Must(1, 1, chat.Command, "/zevaka limit=none end=first "+test.options)
			id := h.Table(1).ID
			h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			h.Must(1, 3, chat.Press, table.Token{Table: id, Do: "!join"}.String())
			h.Must(1, 1, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
			h.Cut(1)
			if test.begin != nil {
				test.begin(h, h.Look(id))
			}
			playUntil(h, id, func(t *table.Table) bool { return chair(h, t, 1).Out })
			if test.after != nil {
				test.after(h, h.Look(id))
			}
			playUntil(h, id, func(*table.Table) bool { return false })
			now := h.Look(id)
			if first := now.Chairs[now.Result.Places[0]].User; first != 1 {
				t.Fatalf("P%d came first", first)
			}
			for user, want := range map[int64]string{1: test.first, 2: test.other} {
				if got := tally(h, now, user); got != want {
					t.Errorf("the scores of P%d are %s, not %s", user, got, want)
				}
			}
			h.Audit()
		})
	}
}

// TestComputerCameLast: who lets the computer play is the зевака all the same when it comes last.
func TestComputerCameLast(t *testing.T) {
	end := &table.Table{
		Chairs: []table.Chair{{User: 1}, {User: 2, Helped: true}},
		End:    table.End{Result: &engine.Result{Places: []engine.Seat{0, 1}}},
	}
	for _, f := range (&table.Table{Chairs: []table.Chair{{User: 1}, {User: 2}}, End: table.End{Result: end.Result}}).Finishes(6) {
		if f.Won != (f.Place == 1) || f.Place == 0 {
			t.Errorf("a finish of before is %+v", f.Finish)
		}
	}
	all := end.Finishes(6)
	if all[0].Last || !all[0].Won || all[0].Place != 1 || !all[1].Last || all[1].Won || all[1].Place != 0 {
		t.Errorf("the finishes are %+v and %+v", all[0].Finish, all[1].Finish)
	}
}

// chair is where the user sits.
func chair(h *bottest.Hall, t *table.Table, user int64) *table.Chair {
	h.T.Helper()
	seat, ok := t.SeatOf(user)
	if !ok {
		h.T.Fatalf("P%d doesn't sit there", user)
	}
	return &t.Chairs[seat]
}

// change changes a table where it lies.
func change(h *bottest.Hall, id table.ID, fn func(*table.Table)) {
	h.T.Helper()
	t := h.Look(id)
	fn(t)
	err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) error {
		value, err := t.Encode()
		tx.Put(table.KeyOpen(id), value)
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// removeP1 has somebody take P1 from the table, for whom the computer moves then.
func removeP1(h *bottest.Hall, t *table.Table) {
	h.T.Helper()
	change(h, t.ID, func(t *table.Table) {
		c := chair(h, t, 1)
		c.Left, c.Removed = true, true
		t.Chance = table.Running(h.Running.Milliseconds()) // It may be P1's turn.
	})
	h.Restart()
}

// playUntil lets people move until done says so or the table has ended: P1 overlooks nothing, the others everything.
func playUntil(h *bottest.Hall, id table.ID, done func(*table.Table) bool) {
	h.T.Helper()
	chance := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		t := h.Look(id)
		if t.Phase == table.Ended || done(t) {
			return
		}
		state := h.State(t)
		seat := state.Turn()[0]
		if t.Chairs[seat].Computer() {
			h.Pass(2 * time.Second)
			continue
		}
		skill := 0.0
		if t.Chairs[seat].User == 1 {
			skill = 1
		}
		do := h.Games[t.Game].Text(state.Auto(seat, skill, chance))
		h.Must(1, t.Chairs[seat].User, chat.Press, table.Token{Table: id, Epoch: t.Epoch(state), Do: do}.String())
	}
	h.T.Fatal("it doesn't come to that")
}

// tally is what the scores say of somebody: games, wins, first places.
func tally(h *bottest.Hall, t *table.Table, user int64) string {
	h.T.Helper()
	var all []scores.Tally
	err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) (err error) {
		all, err = scores.Read(tx, scores.Key{Community: t.Origin(), Game: t.Game, User: user})
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
	return fmt.Sprint(all[0].Games, all[0].Wins, all[0].Places[0])
}
