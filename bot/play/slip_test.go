package play_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/table"
	"zevaka/bot/words"
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
		between func(h *bottest.Hall)
		// early says that the card is turned too early, and turned that the card of a stake is turned.
		early, turned bool
	}{
		{name: "the same button at once"},
		{name: "the same button a moment later", after: 700 * ms},
		{name: "the same button much later", after: 10 * time.Second},
		{name: "the same button after a start", after: time.Second, between: (*bottest.Hall).Restart},
		{name: "the new button at once", fresh: true},
		{name: "the new button a moment later", fresh: true, after: 1400 * ms},
		{name: "the new button after a start is meant", fresh: true, after: time.Second, between: (*bottest.Hall).Restart, early: true},
		{name: "the new button, others pressing meanwhile", fresh: true, after: time.Second, between: crowd},
		{name: "the new button, meant", fresh: true, after: 1600 * ms, early: true},
		{name: "the new button, meant, others pressing meanwhile", fresh: true, after: 1600 * ms, between: crowd, early: true},
		{
			name: "the next stake is there", fresh: true, after: 600 * ms,
			between: func(h *bottest.Hall) { h.Soon(1, h.Turn(1), chat.Press, h.Button(1, "stake 5")) }, turned: true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := bottest.NewHall(t)
			now := h.Sit(1, "500 limit=none", 1, 2, 3, 4)
			banker := now.Chairs[0].User
			h.Move(1, h.Turn(1), "stake 5")
			first := h.Button(1, "open")
			h.Must(1, banker, chat.Press, first)
			second := first
			if test.fresh {
				second = h.Button(1, "open")
			}
			if test.between != nil {
				test.between(h)
			}
			before := h.Look(now.ID).Moves
			h.Running += test.after
			answer := bottest.AnswerIn(h.Soon(1, banker, chat.Press, second))
			if (answer != "") != test.early || len(turned(h, h.Look(now.ID))) > 0 {
				t.Errorf("the banker is asked %q", answer)
			}
			if answer != "" {
				h.Soon(1, banker, chat.Press, answer)
			}
			after := h.Look(now.ID)
			early := len(turned(h, after)) > 0
			if early != test.early || (after.Moves > before) != (test.early || test.turned) {
				t.Errorf("a card is turned too early: %t, moves %d and %d", early, before, after.Moves)
			}
			h.Audit()
		})
	}
}

// crowd lets others at the table, and people around it, press what they may.
func crowd(h *bottest.Hall) {
	h.Soon(1, 7, chat.Press, h.Button(1, "!join"))
	turn := h.Turn(1)
	for _, c := range h.Table(1).Chairs {
		h.Soon(1, c.User, chat.Press, h.Button(1, "!hand"))
		if c.User != turn && c.User != h.Table(1).Chairs[0].User {
			h.Soon(1, c.User, chat.Command, "/leave")
		}
	}
}

// turned are the cards that wait for a stake.
func turned(h *bottest.Hall, t *table.Table) []engine.Card {
	for _, pile := range h.State(t).View(engine.Nobody).Piles {
		if pile.Name == "turned" {
			return pile.Cards
		}
	}
	return nil
}

// TestBounce: a thumb that bounces on an amount stakes once, also when the two presses have nothing in common but that. What is pressed
// after a start is meant.
func TestBounce(t *testing.T) {
	h := bottest.NewHall(t)
	now := h.Sit(1, "500 side limit=none", 1, 2, 3, 4)
	h.Move(1, h.Turn(1), "stake 5")
	var punter int64
	for i, c := range now.Chairs[1:] {
		if h.Look(now.ID).Chips.Stakes[i+1] == 0 {
			punter = c.User
			break
		}
	}
	h.Move(1, punter, "side 7")
	h.Soon(1, now.Chairs[0].User, chat.Press, h.Button(1, "!hand"))
	h.Running += 300 * time.Millisecond
	h.Soon(1, punter, chat.Press, h.Button(1, "side 7"))
	if got := h.Purse(punter); got != 3000-7 {
		t.Errorf("P%d has bet %d", punter, 3000-got)
	}
	h.Running += 2 * time.Second
	h.Soon(1, punter, chat.Press, h.Button(1, "side 7"))
	if got := h.Purse(punter); got != 3000-14 {
		t.Errorf("P%d, who means it, has bet %d", punter, 3000-got)
	}
	h.Running += clock.SaveEvery - h.Running%clock.SaveEvery + 5*time.Second
	h.Soon(1, punter, chat.Press, h.Button(1, "side 7"))
	h.Restart() // The running time is five seconds behind what the table has seen.
	h.Running += 4 * time.Second
	h.Soon(1, punter, chat.Press, h.Button(1, "side 7"))
	if got := h.Purse(punter); got != 3000-28 {
		t.Errorf("P%d, who means it after a start, has bet %d", punter, 3000-got)
	}
	h.Audit()
}

// TestWindow: the card waits for the others' bets, ten seconds at most, and no longer than until all have said what they
// do; and an early card needs no such time.
func TestWindow(t *testing.T) {
	for _, test := range []struct {
		name, options string
		play          func(h *bottest.Hall, others []int64)
		// open says that the banker may open after it.
		open bool
	}{
		{"at once", "side", func(*bottest.Hall, []int64) {}, false},
		{"one bets", "side", func(h *bottest.Hall, o []int64) { h.Move(1, o[0], "side 5") }, false},
		{"one bets, one passes", "side", func(h *bottest.Hall, o []int64) { h.Move(1, o[0], "side 5"); h.Move(1, o[1], "!pass") }, true},
		{"both pass", "side", func(h *bottest.Hall, o []int64) { h.Move(1, o[0], "!pass"); h.Move(1, o[1], "!pass") }, true},
		{"both bet", "side", func(h *bottest.Hall, o []int64) { h.Move(1, o[0], "side 5"); h.Move(1, o[1], "side 5") }, true},
		{"the bank is full", "side", func(h *bottest.Hall, o []int64) { h.Move(1, o[0], "side 480") }, true},
		{"one passes, one leaves", "side", func(h *bottest.Hall, o []int64) { h.Move(1, o[0], "!pass"); h.Must(1, o[1], chat.Command, "/leave") }, true},
		{"nine seconds", "side", func(h *bottest.Hall, _ []int64) { h.Pass(6 * time.Second) }, false},
		{"eleven seconds", "side", func(h *bottest.Hall, _ []int64) { h.Pass(8 * time.Second) }, true},
		{"twenty seconds with a start between", "side", func(h *bottest.Hall, _ []int64) { h.Restart(); h.Pass(17 * time.Second) }, true},
		{"without side bets", "", func(*bottest.Hall, []int64) {}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := bottest.NewHall(t)
			now := h.Sit(1, "500 limit=20s "+test.options, 1, 2, 3, 4)
			banker, punter := now.Chairs[0].User, h.Turn(1)
			var others []int64
			for _, c := range now.Chairs[1:] {
				if c.User != punter {
					others = append(others, c.User)
				}
			}
			h.Move(1, punter, "stake 20")
			staked := h.Running
			test.play(h, others)
			r := h.Ask(1, banker, chat.Press, h.Button(1, "open"))
			if open := h.Look(now.ID).Chips.Stakes[1] == 0; open != test.open || h.Is(r, table.ErrSideTime) == test.open {
				t.Errorf("the card is turned: %t, and the banker reads %q", open, r.Toast)
			}
			if !test.open { // The banker has the whole of his own time after that of the others.
				turnsBetween(h, now.ID, staked+29*time.Second, staked+32*time.Second)
			}
			h.Audit()
		})
	}
}

// TestBetsShownLate: where others may bet before the card is turned, and the table's picture comes late, they have the whole time from then on; not so where
// all of them have decided, and nobody waits longer than a minute, also where somebody has the picture drawn again and again.
func TestBetsShownLate(t *testing.T) {
	const again = time.Hour
	for _, test := range []struct {
		late, turned time.Duration // When the picture comes, and when the card is turned, both after the stake.
		passes, hand bool          // Hand is a banker who turns the cards, as soon as they may.
		bets         bool          // Somebody bets each five seconds.
		looks        bool          // The banker looks at the table, and has 15 seconds for a turn.
	}{
		{late: 3 * time.Second, turned: table.SideTime}, {late: 7 * time.Second, turned: 17 * time.Second}, {late: 25 * time.Second, turned: 35 * time.Second},
		{late: 10 * time.Minute, turned: time.Minute}, {late: 7 * time.Second, turned: 3 * time.Second, passes: true}, {late: again, turned: time.Minute},
		{late: 3 * time.Second, turned: table.SideTime, hand: true}, {late: 14 * time.Second, turned: 24 * time.Second, hand: true},
		{late: 14 * time.Second, turned: time.Second, passes: true, hand: true}, {late: 10 * time.Minute, turned: time.Minute, hand: true},
		{late: again, turned: time.Minute, hand: true}, {late: again, turned: time.Minute, bets: true},
		{late: 20 * time.Second, turned: 30 * time.Second, hand: true, looks: true},
	} {
		h := bottest.NewHall(t)
		now := h.Sit(1, "500 side limit="+map[bool]string{true: "15s", false: "5m"}[test.looks]+" dealer="+map[bool]string{true: "player", false: "bot"}[test.hand], 1, 2, 3, 4)
		if test.looks {
			look, err := h.Bot.Live().Look(t.Context(), h.Request(1, now.Chairs[0].User, chat.Press, ""), now.ID, func() {})
			if err != nil {
				t.Fatal(err)
			}
			defer look.Close()
		}
		punter := h.Turn(1)
		other := now.Chairs[2].User
		h.Move(1, punter, "stake 20")
		bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "shown", In: h.Place(1), Kind: chat.Shown, Data: h.Look(now.ID).Receipt(), On: "m"})
		staked := h.Running
		h.Late = func() (late, shown time.Duration) {
			switch since := h.Running - staked; {
			case test.late == again:
				return 5 * time.Second, 0
			case since < test.late:
				return since, -1
			}
			return test.late, h.Running - staked - test.late
		}
		for _, c := range now.Chairs[1:] {
			if test.passes && c.User != punter {
				h.Move(1, c.User, "!pass")
			}
		}
		for h.Running-staked < 2*time.Minute && h.Look(now.ID).Chips.Stakes[1] != 0 {
			if h.Pass(time.Second); test.hand {
				h.Soon(1, now.Chairs[0].User, chat.Command, "/m open")
			}
			for _, c := range now.Chairs[2:] { // Who doesn't wait any longer for the banker.
				if test.looks {
					h.Soon(1, c.User, chat.Press, h.Button(1, "!skip 0"))
				}
			}
			if test.bets && (h.Running-staked)%(5*time.Second) < time.Second {
				h.Soon(1, other, chat.Command, "/m side 1")
			}
		}
		if turned := h.Running - staked; turned < test.turned || turned > test.turned+4*time.Second && test.late < time.Minute || turned > time.Minute+table.SideTime+2*time.Second {
			t.Errorf("%+v: the card is turned after %v", test, turned)
		}
		if h.Look(now.ID).Chairs[0].Missed > 0 {
			t.Errorf("%+v: the banker's turn has run out", test)
		}
		h.Audit()
	}
}

// turnsBetween lets time pass, and wants the card of the hand that waits to be turned between two moments of running time.
func turnsBetween(h *bottest.Hall, id table.ID, early, late time.Duration) {
	h.T.Helper()
	if h.Pass(early - h.Running); h.Look(id).Chips.Stakes[1] == 0 {
		h.T.Error("the card was turned before the time")
	}
	if h.Pass(late - h.Running); h.Look(id).Chips.Stakes[1] != 0 {
		h.T.Error("the card was not turned when the time was over")
	}
}

// TestWindowOfTheBot: where the bot turns the cards it gives everybody their time, through starts, too, and draws the
// table after each of them.
func TestWindowOfTheBot(t *testing.T) {
	for starts := range 4 {
		t.Run(fmt.Sprint(starts, " starts"), func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Running = 95 * time.Second
			now := h.Sit(1, "500 side dealer=bot limit=20s", 1, 2, 3)
			h.Move(1, h.Turn(1), "stake 20")
			staked := h.Running
			for range starts {
				h.Restart()
				h.Said = nil
				h.Pass(2 * time.Second)
				if len(h.Said) == 0 {
					t.Error("after a start the table was not drawn")
				}
			}
			turnsBetween(h, now.ID, staked+9*time.Second, staked+21*time.Second)
			h.Audit()
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
			h := bottest.NewHall(t)
			now := h.Sit(1, "500 limit=none", 1, 2, 3)
			for _, do := range test.before {
				h.Move(1, h.Turn(1), do)
			}
			user := now.Chairs[test.by].User
			r := h.Ask(1, user, chat.Press, h.Button(1, "open"))
			answer := bottest.AnswerIn(r)
			for _, do := range test.between {
				h.Move(1, h.Turn(1), do)
			}
			if answer != "" {
				r = h.Ask(1, user, chat.Press, answer)
			}
			if cards := len(turned(h, h.Look(now.ID))); (answer != "") != test.asked || r.Alert != test.refused || cards != test.cards {
				t.Errorf("asked %q, told %q, %d cards lie open", answer, r.Toast, cards)
			}
			h.Audit()
		})
	}
}

// TestEarlyBesideSides: with side bets, too, a card may come too early; then nobody bets along, and it is settled at once.
func TestEarlyBesideSides(t *testing.T) {
	h := bottest.NewHall(t)
	now := h.Sit(1, "500 side limit=none", 1, 2, 3, 4)
	banker, punter := now.Chairs[0].User, h.Turn(1)
	h.Move(1, banker, "open")
	if cards := turned(h, h.Look(now.ID)); len(cards) != 1 || h.Purse(punter) != 3000-5 {
		t.Fatalf("the turned cards are %v, and the punter has %d", cards, h.Purse(punter))
	}
	for _, c := range now.Chairs[1:] {
		if r := h.Ask(1, c.User, chat.Command, "/m side 5"); !r.Alert {
			t.Errorf("P%d bets along", c.User)
		}
	}
	if r := h.Ask(1, punter, chat.Command, "/bet 251"); !h.Is(r, "stake-half") {
		t.Error(r.Toast)
	}
	h.Move(1, punter, "stake 250")
	if after := h.Look(now.ID); len(turned(h, after)) != 0 || h.Turn(1) == punter || after.Chips.Seats[1] == 0 {
		t.Errorf("it was not settled: %+v", after.Chips)
	}
	h.Audit()
}

// TestAway: whoever lets time pass stakes the least, and leaves after the third time; for a banker who is away the cards
// turn themselves, and he holds no further bank.
func TestAway(t *testing.T) {
	h := bottest.NewHall(t)
	now := h.Sit(1, "500 limit=15s", 1, 2)
	h.Pass(32 * time.Second)
	chips := h.Look(now.ID).Chips
	if len(chips.Seats) != 2 || chips.Seats[1] != 5 && chips.Seats[1] != -5 {
		t.Errorf("after one hand without anybody: %+v", chips)
	}
	h.Pass(60 * time.Second)
	after := h.Look(now.ID)
	if after.Phase != table.Ended || after.Result == nil || after.Next != "" || after.Chairs[1].Missed != 3 || !after.Chairs[1].Left {
		t.Errorf("after three hands: phase %d, %+v", after.Phase, after.Chairs)
	}
	h.Audit()

	h = bottest.NewHall(t)
	now = h.Sit(1, "500 limit=15s", 1, 2, 3)
	stakes := func() {
		h.Move(1, h.Turn(1), "stake 5")
	}
	for range 3 {
		stakes()
		h.Pass(16 * time.Second)
	}
	if c := h.Look(now.ID).Chairs[0]; !c.Away {
		t.Fatalf("the banker is %+v", c)
	}
	stakes()
	h.Pass(2 * time.Second)
	if h.Turn(1) == now.Chairs[0].User {
		t.Error("the card doesn't turn itself")
	}
	if h.Pass(12 * time.Second); h.Look(now.ID).Chips.Stakes[1] != 0 || h.Look(now.ID).Chips.Stakes[2] != 0 {
		t.Error("nobody waits for the punter's stake any more")
	}
	h.Move(1, h.Turn(1), "stake 5")
	h.Must(1, now.Chairs[0].User, chat.Press, h.Button(1, "open"))
	if c := h.Look(now.ID).Chairs[0]; c.Away {
		t.Error("the banker who opens is still away")
	}
	h.Audit()
}

// TestWhoSitsOutIsAsked: who couldn't pay a stake and waits for the next bank is asked before a slip takes them out of the session.
func TestWhoSitsOutIsAsked(t *testing.T) {
	h := bottest.NewHall(t)
	second := h.Sit(1, "500 limit=none", 1, 2, 3, 4).Chairs[2].User
	h.LeaveWith(second, 0)
	chair := func() table.Chair {
		now := h.Table(1)
		seat, _ := now.SeatOf(second)
		return now.Chairs[seat]
	}
	for range 6 {
		if !chair().Out {
			h.SettleHand(1, 5)
		}
	}
	r := h.Ask(1, second, chat.Press, h.Button(1, "!leave ask"))
	if c := chair(); !c.Out || c.Left || len(r.Posts) != 1 || !strings.HasPrefix(words.Flat(r.Posts[0].Text), "Leave this bank? You can play again") {
		t.Errorf("out %t, they have left: %t, and are answered %+v", c.Out, c.Left, r)
	}
}
