package bot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
)

// TestSpentElsewhere: somebody whose turn it is spends at another table what they need at this one. The table goes on all
// the same.
func TestSpentElsewhere(t *testing.T) {
	const here, there = 1, 2
	for _, test := range []struct {
		name string
		// before is done at the table where P2 is to stake, after when the purse is empty.
		before, after func(*hall, *table.Table)
		// out says that P2 has left the bank, waits that a card waits for the stake of the next punter.
		out bool
	}{
		{name: "the time runs out", after: func(h *hall, _ *table.Table) { h.pass(65 * time.Second) }, out: true},
		{name: "he stakes", after: func(h *hall, _ *table.Table) { h.ask(here, 2, chat.Command, "/bet 5") }, out: true},
		{name: "the card comes too early", after: func(h *hall, t *table.Table) { h.move(here, t.Chairs[0].User, "open") }, out: true},
		{
			name:   "the card has come too early",
			before: func(h *hall, t *table.Table) { h.move(here, t.Chairs[0].User, "open") },
			after:  func(h *hall, _ *table.Table) { h.pass(65 * time.Second) },
		},
		{
			name:   "he leaves the early card",
			before: func(h *hall, t *table.Table) { h.move(here, t.Chairs[0].User, "open") },
			after:  func(h *hall, _ *table.Table) { h.sure(here, 2, chat.Command, "/leave"); h.pass(65 * time.Second) },
			out:    true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHall(t)
			seated := h.sit(here, "500 limit=60s", 1, 2, 3)
			for h.turn(here) != 2 {
				h.settleHand(here, 5)
			}
			if test.before != nil {
				test.before(h, seated)
			}
			h.empty(there, 2)
			test.after(h, seated)
			after := h.look(seated.ID)
			seat, _ := after.SeatOf(2)
			if after.Chairs[seat].Out != test.out {
				t.Errorf("P2 is out: %t, want %t", after.Chairs[seat].Out, test.out)
			}
			h.running += time.Hour
			if alarmed := rung(t, h.bot)[seated.ID]; after.Phase != table.Playing || !alarmed {
				t.Errorf("the table is in phase %d, an alarm is set: %t", after.Phase, alarmed)
			}
			if h.turn(here) == 2 {
				t.Error("it is still the turn of P2")
			}
			h.audit()
		})
	}
}

// empty gives somebody's whole purse to P98.
func (h *hall) empty(channel, user int64) {
	h.t.Helper()
	h.must(channel, 98, chat.Command, "/balance")
	r := h.must(channel, user, chat.Command, fmt.Sprint("/give P98 ", h.purse(user)))
	h.must(channel, user, chat.Press, r.Posts[0].Buttons[0][0].Token)
	if h.purse(user) != 0 {
		h.t.Fatalf("P%d still has %d", user, h.purse(user))
	}
}

// TestSameChipsTwice: what is staked at one table can't be staked at another.
func TestSameChipsTwice(t *testing.T) {
	h := newHall(t)
	h.sit(1, "bank=1400 side limit=none", 1, 2, 3)
	h.sit(2, "bank=1400 side limit=none", 1, 2, 3)
	user := h.table(1).Chairs[1].User
	if user == h.table(2).Chairs[0].User {
		user = h.table(1).Chairs[2].User
	}
	for _, channel := range []int64{1, 2} {
		for h.turn(channel) != user {
			h.settleHandSides(channel)
		}
	}
	h.leaveWith(user, 1000)
	h.move(1, user, "stake 900")
	for _, line := range []string{"/bet 900", "/m stake 900", "/bet 101"} {
		if r := h.ask(2, user, chat.Command, line); !h.is(r, "purse-short") || h.purse(user) != 100 {
			t.Errorf("%s at the second table is answered %q, and %d are left", line, r.Toast, h.purse(user))
		}
	}
	h.must(2, user, chat.Command, "/bet 100")
	if h.purse(user) != 0 {
		t.Errorf("%d are left", h.purse(user))
	}
	h.audit()
}

// TestTypedAtTwoTables: whoever could stake at two tables and types a sum is asked at which, and the button is good for
// this hand alone.
func TestTypedAtTwoTables(t *testing.T) {
	h := newHall(t)
	one := h.sit(1, "500 limit=none", 1, 2)
	other := h.sit(1, "100 limit=none", 1, 2)
	for other.Chairs[0].User != one.Chairs[0].User { // Others may be drawn to hold the bank.
		h.sure(1, 99, chat.Press, table.Token{Table: other.ID, Do: "!stop"}.String())
		h.redraw()
		other = h.sit(1, "100 limit=none", 1, 2)
	}
	h.must(1, 1, chat.Command, "/zevaka limit=none")
	for _, line := range []string{"/bet 5", "/m stake 5"} {
		now := h.look(one.ID)
		user := now.Chairs[h.state(now).Turn()[0]].User
		r := h.must(1, user, chat.Command, line)
		if len(r.Posts) != 1 || len(r.Posts[0].Buttons) != 2 {
			t.Fatalf("%s is answered %+v", line, r)
		}
		button := r.Posts[0].Buttons[0][0].Token
		h.must(1, user, chat.Press, button)
		if now = h.look(one.ID); now.Chips.Stakes[1] != 5 {
			t.Errorf("after %s: %+v", line, now.Chips)
		}
		h.must(1, now.Chairs[0].User, chat.Press, table.Token{Table: one.ID, Epoch: now.Epoch(h.state(now)), Do: "open"}.String())
		moves := h.look(one.ID).Moves
		if r := h.ask(1, user, chat.Press, button); !h.is(r, table.ErrStale) || h.look(one.ID).Moves != moves {
			t.Errorf("%s in the next hand is answered %q", line, r.Toast)
		}
	}
	h.audit()
}

// TestTypedAtOneOfTwo: whoever sits at two tables and can stake at one of them stakes there, once, and is told where.
func TestTypedAtOneOfTwo(t *testing.T) {
	h := newHall(t)
	one := h.sit(1, "500 limit=none", 1, 2)
	other := h.sit(1, "100 limit=none", 1, 2)
	for other.Chairs[0].User == one.Chairs[0].User {
		h.sure(1, 99, chat.Press, table.Token{Table: other.ID, Do: "!stop"}.String())
		h.redraw()
		other = h.sit(1, "100 limit=none", 1, 2)
	}
	for mine, theirs := range map[*table.Table]*table.Table{one: other, other: one} {
		user := mine.Chairs[1].User
		r := h.must(1, user, chat.Command, "/bet 7")
		want := "P1 · playing · Polish Bank · starting bank " + mine.Options["bank"] + fmt.Sprintf(": P%d stakes 7.", user)
		if r.Toast != want {
			t.Errorf("it is told %q, want %q", r.Toast, want)
		}
		h.asked-- // It is delivered again.
		h.must(1, user, chat.Command, "/bet 7")
		if now, has := h.look(mine.ID), 3000-7-h.look(theirs.ID).Chips.Bank; now.Chips.Stakes[1] != 7 || h.purse(user) != has {
			t.Errorf("at stake are %v, and the purse holds %d, not %d", now.Chips, h.purse(user), has)
		}
		if r := h.ask(1, user, chat.Command, "/bet 8"); !h.is(r, table.ErrNoBet) {
			t.Errorf("where nothing more can be staked it is answered %q", r.Toast)
		}
	}
	h.audit()
}

// TestMovedBank: a group gets another ID in the middle of a bank, and once more in that of the next one. Chips stay those
// of the same purses, at the tables and in every command.
func TestMovedBank(t *testing.T) {
	h := newHall(t)
	from := hallPlace(1).Community
	to, again := chat.Community{Platform: chat.Telegram, ID: -1001}, chat.Community{Platform: chat.Telegram, ID: -1002}
	h.sit(1, "100 side banks=2 limit=none", 1, 2, 3)
	h.settleHandSides(1)
	h.moved(from, to)
	before := []int64{h.purse(1), h.purse(2), h.purse(3)}
	if r := h.ask(1, 1, chat.Command, "/table"); !h.is(r, play.ErrNothingHere) {
		t.Errorf("the old chat still has a table: %+v", r)
	}
	h.at = to
	for i, has := range before {
		if got := h.purse(int64(i + 1)); got != has {
			t.Errorf("P%d has %d after the move, and had %d", i+1, got, has)
		}
		if r := h.must(1, int64(i+1), chat.Command, "/balance"); !strings.Contains(r.Toast, fmt.Sprint(" ", has, ".")) {
			t.Errorf("P%d reads %q, and has %d", i+1, r.Toast, has)
		}
	}
	h.finishSides(1)
	h.cut(1)
	h.settleHandSides(1)
	h.moved(to, again)
	h.at = again
	h.restart()
	h.finishSides(1)
	now := h.table(1)
	if now.Origin() != from.String() || now.Session.Deal != 3 {
		t.Errorf("the third bank is number %d, with the chips of %s", now.Session.Deal, now.Origin())
	}
	h.must(1, 1, chat.Command, "/daily")
	r := h.must(1, 1, chat.Command, "/give P2 5")
	h.must(1, 1, chat.Press, r.Posts[0].Buttons[0][0].Token)
	for _, line := range []string{"/ledger", "/top", "/scores", "/grant P3 5"} {
		h.must(1, 99, chat.Command, line)
	}
	h.sure(1, 99, chat.Press, table.Token{Table: now.ID, Do: "!stop"}.String())
	if all := h.audit(); all.Communities != 1 || all.Laid != 0 || all.Tables != 3 {
		t.Errorf("the audit counts %+v", all)
	}
}

// TestMovedInto: a group gets an ID under which people were quicker to play than the platform was to say so. The tables of
// both are open there, and each pays those who play at it.
func TestMovedInto(t *testing.T) {
	h := newHall(t)
	from, to := hallPlace(1).Community, chat.Community{Platform: chat.Telegram, ID: -1001}
	h.sit(1, "100 limit=none", 1, 2, 3)
	h.move(1, h.turn(1), "stake 30")
	h.at = to
	early := h.sit(1, "20 min=20 limit=none", 1, 2, 3)
	h.move(1, h.turn(1), "stake 20")
	h.at = chat.Community{}
	h.moved(from, to)
	h.at = to
	tables, err := h.bot.tables.Look(t.Context(), h.place(1))
	if err != nil || len(tables) != 2 || tables[1].ID != early.ID {
		t.Fatalf("%d tables are open there: %v", len(tables), err)
	}
	for _, open := range tables {
		now := h.look(open.ID)
		h.must(1, now.Chairs[0].User, chat.Press, table.Token{Table: now.ID, Epoch: now.Epoch(h.state(now)), Do: "open"}.String())
		h.audit()
	}
	h.stopAll()
}

// moved gives the community another ID, which every platform says twice.
func (h *hall) moved(from, to chat.Community) {
	h.t.Helper()
	for range 2 {
		h.asked++
		r := h.bot.seen(h.t.Context(), chat.Request{
			ID: fmt.Sprint("moved ", h.asked), In: chat.Place{Community: from, Channel: 1}, Kind: chat.Migrated, Data: to.String(),
		})
		if r.Alert {
			h.t.Fatal(r.Toast)
		}
	}
}

// settleHandSides settles a hand when the time for side bets is over.
func (h *hall) settleHandSides(channel int64) {
	h.t.Helper()
	h.move(channel, h.turn(channel), fmt.Sprint("stake ", min(20, h.table(channel).Chips.Bank)))
	h.pass(11 * time.Second)
	h.move(channel, h.turn(channel), "open")
}

// finishSides plays the bank to its end.
func (h *hall) finishSides(channel int64) {
	h.t.Helper()
	for id := h.table(channel).ID; h.look(id).Phase != table.Ended; {
		h.settleHandSides(channel)
	}
}
