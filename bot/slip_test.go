package bot

import (
	"fmt"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
)

// TestSlip: after the banker has turned a card, nothing that a bouncing thumb does turns the next punter's: neither the
// same button again, however late it comes, nor the new one under the same thumb, whoever presses in between.
func TestSlip(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		name string
		// fresh says that the second press is of the button of the new picture.
		fresh bool
		after time.Duration
		// between is done between the two presses.
		between func(h *hall)
		// early says that the card is turned too early, and turned that the card of a stake is turned.
		early, turned bool
	}{
		{name: "the same button at once"},
		{name: "the same button a moment later", after: 700 * ms},
		{name: "the same button much later", after: 10 * time.Second},
		{name: "the same button after a start", after: time.Second, between: (*hall).restart},
		{name: "the new button at once", fresh: true},
		{name: "the new button a moment later", fresh: true, after: 1400 * ms},
		{name: "the new button after a start", fresh: true, after: time.Second, between: (*hall).restart},
		{name: "the new button, others pressing meanwhile", fresh: true, after: time.Second, between: (*hall).crowd},
		{name: "the new button, meant", fresh: true, after: 1600 * ms, early: true},
		{name: "the new button, meant, others pressing meanwhile", fresh: true, after: 1600 * ms, between: (*hall).crowd, early: true},
		{
			name: "the next stake is there", fresh: true, after: 600 * ms,
			between: func(h *hall) { h.soon(1, h.turn(1), chat.Press, h.button(1, "stake 5")) }, turned: true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHall(t)
			now := h.sit(1, "500 limit=none", 1, 2, 3, 4)
			banker := now.Chairs[0].User
			h.move(1, h.turn(1), "stake 5")
			first := h.button(1, "open")
			h.must(1, banker, chat.Press, first)
			second := first
			if test.fresh {
				second = h.button(1, "open")
			}
			if test.between != nil {
				test.between(h)
			}
			before := h.look(now.ID).Moves
			h.running += test.after
			answer := answerIn(h.soon(1, banker, chat.Press, second))
			if (answer != "") != test.early || len(h.turned(h.look(now.ID))) > 0 {
				t.Errorf("the banker is asked %q", answer)
			}
			if answer != "" {
				h.soon(1, banker, chat.Press, answer)
			}
			after := h.look(now.ID)
			early := len(h.turned(after)) > 0
			if early != test.early || (after.Moves > before) != (test.early || test.turned) {
				t.Errorf("a card is turned too early: %t, moves %d and %d", early, before, after.Moves)
			}
			h.audit()
		})
	}
}

// crowd lets others at the table, and people around it, press what they may.
func (h *hall) crowd() {
	h.soon(1, 7, chat.Press, h.button(1, "!join"))
	turn := h.turn(1)
	for _, c := range h.table(1).Chairs {
		h.soon(1, c.User, chat.Press, h.button(1, "!hand"))
		if c.User != turn && c.User != h.table(1).Chairs[0].User {
			h.soon(1, c.User, chat.Command, "/leave")
		}
	}
}

// turned are the cards that wait for a stake.
func (h *hall) turned(t *table.Table) []engine.Card {
	for _, pile := range h.state(t).View(engine.Nobody).Piles {
		if pile.Name == "turned" {
			return pile.Cards
		}
	}
	return nil
}

// TestBounce: a thumb that bounces on an amount stakes once, also when the two presses have nothing in common but that.
func TestBounce(t *testing.T) {
	h := newHall(t)
	now := h.sit(1, "500 side limit=none", 1, 2, 3, 4)
	h.move(1, h.turn(1), "stake 5")
	var punter int64
	for i, c := range now.Chairs[1:] {
		if h.look(now.ID).Chips.Stakes[i+1] == 0 {
			punter = c.User
			break
		}
	}
	h.move(1, punter, "side 7")
	h.soon(1, now.Chairs[0].User, chat.Press, h.button(1, "!hand"))
	h.running += 300 * time.Millisecond
	h.soon(1, punter, chat.Press, h.button(1, "side 7"))
	if got := h.purse(punter); got != 3000-7 {
		t.Errorf("P%d has bet %d", punter, 3000-got)
	}
	h.running += 2 * time.Second
	h.soon(1, punter, chat.Press, h.button(1, "side 7"))
	if got := h.purse(punter); got != 3000-14 {
		t.Errorf("P%d, who means it, has bet %d", punter, 3000-got)
	}
	h.audit()
}

// TestWindow: the card waits for the others' bets, ten seconds at most, and no longer than until all have said what they
// do; and an early card needs no such time.
func TestWindow(t *testing.T) {
	for _, test := range []struct {
		name, options string
		play          func(h *hall, others []int64)
		// open says that the banker may open after it.
		open bool
	}{
		{"at once", "side", func(*hall, []int64) {}, false},
		{"one bets", "side", func(h *hall, o []int64) { h.move(1, o[0], "side 5") }, false},
		{"one bets, one passes", "side", func(h *hall, o []int64) { h.move(1, o[0], "side 5"); h.move(1, o[1], "!pass") }, true},
		{"both pass", "side", func(h *hall, o []int64) { h.move(1, o[0], "!pass"); h.move(1, o[1], "!pass") }, true},
		{"both bet", "side", func(h *hall, o []int64) { h.move(1, o[0], "side 5"); h.move(1, o[1], "side 5") }, true},
		{"the bank is full", "side", func(h *hall, o []int64) { h.move(1, o[0], "side 480") }, true},
		{"one passes, one leaves", "side", func(h *hall, o []int64) { h.move(1, o[0], "!pass"); h.must(1, o[1], chat.Command, "/leave") }, true},
		{"nine seconds", "side", func(h *hall, _ []int64) { h.pass(6 * time.Second) }, false},
		{"eleven seconds", "side", func(h *hall, _ []int64) { h.pass(8 * time.Second) }, true},
		{"twenty seconds with a start between", "side", func(h *hall, _ []int64) { h.restart(); h.pass(17 * time.Second) }, true},
		{"without side bets", "", func(*hall, []int64) {}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHall(t)
			now := h.sit(1, "500 limit=20s "+test.options, 1, 2, 3, 4)
			banker, punter := now.Chairs[0].User, h.turn(1)
			var others []int64
			for _, c := range now.Chairs[1:] {
				if c.User != punter {
					others = append(others, c.User)
				}
			}
			h.move(1, punter, "stake 20")
			staked := h.running
			test.play(h, others)
			r := h.ask(1, banker, chat.Press, h.button(1, "open"))
			if open := h.look(now.ID).Chips.Stakes[1] == 0; open != test.open || h.is(r, table.ErrSideTime) == test.open {
				t.Errorf("the card is turned: %t, and the banker reads %q", open, r.Toast)
			}
			if !test.open { // The banker has the whole of his own time after that of the others.
				h.turnsBetween(now.ID, staked+29*time.Second, staked+32*time.Second)
			}
			h.audit()
		})
	}
}

// turnsBetween lets time pass, and wants the card of the hand that waits to be turned between two moments of running time.
func (h *hall) turnsBetween(id table.ID, early, late time.Duration) {
	h.t.Helper()
	if h.pass(early - h.running); h.look(id).Chips.Stakes[1] == 0 {
		h.t.Error("the card was turned before the time")
	}
	if h.pass(late - h.running); h.look(id).Chips.Stakes[1] != 0 {
		h.t.Error("the card was not turned when the time was over")
	}
}

// TestWindowOfTheBot: where the bot turns the cards it gives everybody their time, through starts, too, and draws the
// table after each of them.
func TestWindowOfTheBot(t *testing.T) {
	for starts := range 4 {
		t.Run(fmt.Sprint(starts, " starts"), func(t *testing.T) {
			h := newHall(t)
			h.running = 95 * time.Second
			now := h.sit(1, "500 side dealer=bot limit=20s", 1, 2, 3)
			h.move(1, h.turn(1), "stake 20")
			staked := h.running
			for range starts {
				h.restart()
				h.said = nil
				h.pass(2 * time.Second)
				if len(h.said) == 0 {
					t.Error("after a start the table was not drawn")
				}
			}
			h.turnsBetween(now.ID, staked+9*time.Second, staked+21*time.Second)
			h.audit()
		})
	}
}

// TestEarlyIsAsked: the banker is asked before a card comes too early; nobody is asked
// about one that is due, and the answer counts for that hand only.
func TestEarlyIsAsked(t *testing.T) {
	for _, test := range []struct {
		name string
		// before is done before the banker presses, between before the banker answers.
		before, between []string
		by              engine.Seat
		asked, refused  bool
		cards           int
	}{
		{name: "before the stake", asked: true, cards: 1},
		{name: "a punter", by: 1, refused: true},
		{name: "after the stake", before: []string{"stake 5"}},
		{name: "the stake comes before the answer", between: []string{"stake 5"}, asked: true},
		{name: "the next hand comes before the answer", between: []string{"stake 5", "open"}, asked: true, refused: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHall(t)
			now := h.sit(1, "500 limit=none", 1, 2, 3)
			for _, do := range test.before {
				h.move(1, h.turn(1), do)
			}
			user := now.Chairs[test.by].User
			r := h.ask(1, user, chat.Press, h.button(1, "open"))
			answer := answerIn(r)
			for _, do := range test.between {
				h.move(1, h.turn(1), do)
			}
			if answer != "" {
				r = h.ask(1, user, chat.Press, answer)
			}
			if cards := len(h.turned(h.look(now.ID))); (answer != "") != test.asked || r.Alert != test.refused || cards != test.cards {
				t.Errorf("asked %q, told %q, %d cards lie open", answer, r.Toast, cards)
			}
			h.audit()
		})
	}
}

// TestEarlyBesideSides: with side bets, too, a card may come too early; then nobody bets along, and it is settled at once.
func TestEarlyBesideSides(t *testing.T) {
	h := newHall(t)
	now := h.sit(1, "500 side limit=none", 1, 2, 3, 4)
	banker, punter := now.Chairs[0].User, h.turn(1)
	h.move(1, banker, "open")
	if cards := h.turned(h.look(now.ID)); len(cards) != 1 || h.purse(punter) != 3000-5 {
		t.Fatalf("the turned cards are %v, and the punter has %d", cards, h.purse(punter))
	}
	for _, c := range now.Chairs[1:] {
		if r := h.ask(1, c.User, chat.Command, "/m side 5"); !r.Alert {
			t.Errorf("P%d bets along", c.User)
		}
	}
	if r := h.ask(1, punter, chat.Command, "/bet 251"); !h.is(r, "stake-half") {
		t.Error(r.Toast)
	}
	h.move(1, punter, "stake 250")
	if after := h.look(now.ID); len(h.turned(after)) != 0 || h.turn(1) == punter || after.Chips.Seats[1] == 0 {
		t.Errorf("it was not settled: %+v", after.Chips)
	}
	h.audit()
}

// TestAway: whoever lets time pass stakes the least, and leaves after the third time; for a banker who is away the cards
// turn themselves, and he holds no further bank.
func TestAway(t *testing.T) {
	h := newHall(t)
	now := h.sit(1, "500 limit=15s", 1, 2)
	h.pass(32 * time.Second)
	chips := h.look(now.ID).Chips
	if len(chips.Seats) != 2 || chips.Seats[1] != 5 && chips.Seats[1] != -5 {
		t.Errorf("after one hand without anybody: %+v", chips)
	}
	h.pass(60 * time.Second)
	after := h.look(now.ID)
	if after.Phase != table.Ended || after.Result == nil || after.Next != "" || after.Chairs[1].Missed != 3 || !after.Chairs[1].Left {
		t.Errorf("after three hands: phase %d, %+v", after.Phase, after.Chairs)
	}
	h.audit()

	h = newHall(t)
	now = h.sit(1, "500 limit=15s", 1, 2, 3)
	stakes := func() {
		h.move(1, h.turn(1), "stake 5")
	}
	for range 3 {
		stakes()
		h.pass(16 * time.Second)
	}
	if c := h.look(now.ID).Chairs[0]; !c.Away {
		t.Fatalf("the banker is %+v", c)
	}
	stakes()
	h.pass(2 * time.Second)
	if h.turn(1) == now.Chairs[0].User {
		t.Error("the card doesn't turn itself")
	}
	if h.pass(12 * time.Second); h.look(now.ID).Chips.Stakes[1] != 0 || h.look(now.ID).Chips.Stakes[2] != 0 {
		t.Error("nobody waits for the punter's stake any more")
	}
	h.move(1, h.turn(1), "stake 5")
	h.must(1, now.Chairs[0].User, chat.Press, h.button(1, "open"))
	if c := h.look(now.ID).Chairs[0]; c.Away {
		t.Error("the banker who opens is still away")
	}
	h.audit()
}
