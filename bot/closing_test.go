package bot

import (
	"fmt"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine/enginetest"
)

// press makes somebody press one of the own buttons of a table in channel 1, whether it is refused or not, and give the
// first answer if one is asked again.
func (h *hall) press(user int64, t *table.Table, do string) chat.Response {
	r := h.ask(1, user, chat.Press, table.Token{Table: t.ID, Do: "!" + do}.String())
	if answer := answerIn(r); answer != "" {
		return h.ask(1, user, chat.Press, answer)
	}
	return r
}

// bankOf opens a table where the first user is the host and, if that is what he wants to be, the banker.
func (h *hall) bankOf(options string, banker bool, users ...int64) *table.Table {
	h.t.Helper()
	for range 50 {
		t := h.sit(1, options, users...)
		if (t.Chairs[0].User == users[0]) == banker {
			return t
		}
		h.must(1, 0, chat.Gone, "") // The draw of these seeds isn't what the test is about.
		h.redraw()
	}
	h.t.Fatal("the draw never comes out so")
	return nil
}

// others do everything that a host can have done to others, in the order of the list.
func (h *hall) others(t *table.Table, host int64) {
	for _, c := range t.Chairs {
		if c.User != host {
			h.press(host, t, "remove "+c.Key())
		}
	}
	h.press(host, t, "stop")
	h.press(host, t, "remove "+table.Chair{User: host}.Key())
	h.press(host, t, "leave")
	h.press(host, t, "back")
	h.press(host, t, "join")
}

// TestStakeStands: a banker who is the host, too, sees a stake of the whole bank, and does what a host can. The card is
// turned all the same.
func TestStakeStands(t *testing.T) {
	for _, do := range []string{"stop", "remove", "everything"} {
		t.Run(do, func(t *testing.T) {
			h := newHall(t)
			one := h.bankOf("500 limit=60s", true, 1, 2)
			h.move(1, 2, "stake 500")
			switch do {
			case "remove":
				h.press(1, one, "remove "+one.Chairs[1].Key())
			case "everything":
				h.others(one, 1)
			default:
				h.press(1, one, do)
			}
			h.pass(65 * time.Second)
			h.staked(2, 500)
			h.audit()
		})
	}
}

// TestBankStands: nobody who plays ends a bank before its end, neither its banker nor somebody whom he has brought along:
// others play on until it is broken or tripled.
func TestBankStands(t *testing.T) {
	for host, banker := range map[string]bool{"the banker": true, "another punter": false} {
		for _, cut := range []bool{false, true} {
			t.Run(fmt.Sprint(host, ", before the cut: ", cut), func(t *testing.T) {
				h := newHall(t)
				one := h.bankOf("20 min=20 limit=60s", banker, 1, 2, 3)
				if cut {
					h.must(1, 0, chat.Gone, "")
					h.redraw()
					h.seeds -= 2 // The same draw comes again, and this time nobody cuts.
					one = h.seated("20 min=20 limit=60s", 1, 2, 3)
				}
				h.others(one, 1)
				if now := h.look(one.ID); now.Phase != one.Phase || now.Closing == nil {
					t.Fatalf("the table was in phase %d, and is in phase %d: %v", one.Phase, now.Phase, now.Closing)
				}
				for range 40 {
					now := h.look(one.ID)
					switch now.Phase {
					case table.Cutting:
						h.cut(1)
					case table.Playing:
						user := h.turn(1)
						h.move(1, user, h.bot.games["banchok"].Text(h.state(now).Idle(h.state(now).Turn()[0])))
					}
				}
				last := h.look(one.ID)
				if last.Phase != table.Ended || last.Result == nil || last.Next != "" || last.Why != "stop-host" {
					t.Errorf("phase %d, %q, result %v, next %q", last.Phase, last.Why, last.Result, last.Next)
				}
				if net := last.Chips.Seats[0]; net != -20 && net < 40 {
					t.Errorf("a bank of 20 has brought %d", net)
				}
				h.audit()
			})
		}
	}
}

// seated is sit without a cut.
func (h *hall) seated(options string, users ...int64) *table.Table {
	h.t.Helper()
	h.must(1, users[0], chat.Command, "/banchok "+options)
	one := h.table(1)
	for _, user := range users[1:] {
		h.must(1, user, chat.Press, table.Token{Table: one.ID, Do: "!join"}.String())
	}
	h.must(1, users[0], chat.Press, table.Token{Table: one.ID, Do: "!deal"}.String())
	return h.table(1)
}

// TestEarlyCardStays: a card was turned too early for somebody who may then stake half the bank on it. Being removed, by
// the banker or by an admin, or being about to leave takes nothing of that away; nor does it when all others have gone.
func TestEarlyCardStays(t *testing.T) {
	for name, do := range map[string]func(*hall, *table.Table){
		"the banker removes him": func(h *hall, t *table.Table) { h.press(1, t, "remove "+t.Chairs[1].Key()) },
		"an admin removes him":   func(h *hall, t *table.Table) { h.press(warden, t, "remove "+t.Chairs[1].Key()) },
		"all are removed": func(h *hall, t *table.Table) {
			for _, c := range t.Chairs {
				h.press(warden, t, "remove "+c.Key())
			}
		},
		"an admin stops":   func(h *hall, t *table.Table) { h.press(warden, t, "stop") },
		"the banker stops": func(h *hall, t *table.Table) { h.press(1, t, "stop") },
		"he leaves":        func(h *hall, t *table.Table) { h.press(2, t, "leave") },
	} {
		for _, limit := range []string{"60s", "none"} {
			t.Run(name+" with limit="+limit, func(t *testing.T) {
				h := newHall(t)
				one := h.bankOf("500 limit="+limit, true, 1, 2)
				h.move(1, 1, "open")
				do(h, one)
				h.pass(30 * time.Second)
				h.must(1, 2, chat.Command, "/bet 250")
				h.staked(2, 250)
				h.audit()
			})
		}
	}
}

// staked wants a purse of 3,000 to have won or lost a stake.
func (h *hall) staked(user, stake int64) {
	h.t.Helper()
	if won := h.purse(user) - 3000; won != stake && won != -stake {
		h.t.Errorf("a stake of %d has brought %d", stake, won)
	}
}

// TestEarlyCardEnds: who has such a card and says that he leaves keeps nobody waiting by it, whatever he presses.
func TestEarlyCardEnds(t *testing.T) {
	h := newHall(t)
	one := h.bankOf("500 limit=60s", true, 1, 2)
	h.move(1, 1, "open")
	for range 15 {
		h.press(2, one, "leave")
		h.pass(2 * time.Second)
		h.press(2, one, "back")
		h.pass(2 * time.Second)
	}
	if now := h.look(one.ID); now.Moves < 2 {
		t.Errorf("after more than a minute %d moves were made", now.Moves)
	}
	h.audit()
}

// TestLeftAfterHand: whoever asks to leave, or is removed by somebody who doesn't play, is out when the stake is settled,
// and comes back only if it was his own wish.
func TestLeftAfterHand(t *testing.T) {
	for name, by := range map[string]int64{"leaves": 2, "is removed": warden} {
		for _, comesBack := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", comes back: ", comesBack), func(t *testing.T) {
				h := newHall(t)
				one := h.bankOf("500 limit=none", true, 1, 2, 3)
				for h.turn(1) != 2 {
					h.settleHand(1, 5)
				}
				h.move(1, 2, "stake 5")
				do := "leave"
				if by != 2 {
					do = "remove " + table.Chair{User: 2}.Key()
				}
				h.press(by, one, do)
				if comesBack {
					if r := h.press(2, one, "back"); r.Alert != (by != 2) {
						t.Errorf("coming back is answered %q", r.Toast)
					}
				}
				h.move(1, 1, "open")
				now := h.look(one.ID)
				seat, _ := now.SeatOf(2)
				if stays := comesBack && by == 2; now.Chairs[seat].Out == stays || now.Chairs[seat].Left == stays {
					t.Errorf("after the hand: %+v", now.Chairs[seat])
				}
				h.audit()
			})
		}
	}
}

// TestRemovedAfterBank: whom the host removes who plays there himself plays until the bank ends, and not in the next one.
func TestRemovedAfterBank(t *testing.T) {
	h := newHall(t)
	one := h.bankOf("20 min=20 limit=none", true, 1, 2, 3)
	h.press(1, one, "remove "+table.Chair{User: 2}.Key())
	last := h.finish(1)
	next := h.table(1)
	seat, _ := last.SeatOf(2)
	if _, sits := next.SeatOf(2); last.Chairs[seat].Out || sits || last.Next == "" {
		t.Errorf("P2 left the bank: %t, sits at the next one: %t", last.Chairs[seat].Out, sits)
	}
	if r := h.press(2, next, "join"); !h.is(r, table.ErrRemoved) {
		t.Errorf("sitting down again is answered %q", r.Toast)
	}
	h.audit()
}

// TestRemovedKeepsNobodyWaiting: somebody who plays removes the one whose turn it is, where turns have no limit. The
// others don't wait for ever for a stake.
func TestRemovedKeepsNobodyWaiting(t *testing.T) {
	h := newHall(t)
	h.keep = 90 * oneDay
	h.restart()
	one := h.bankOf("500 limit=none", true, 1, 2, 3)
	late := h.turn(1)
	h.press(1, one, "remove "+table.Chair{User: late}.Key())
	h.movesAfter(one.ID, 0, oneDay)
	h.audit()
}

// movesAfter lets time pass at a table where so many moves were made: one more is made at its end, and not before.
func (h *hall) movesAfter(id table.ID, made int, wait time.Duration) {
	h.t.Helper()
	h.running += wait - 30*time.Second
	h.pass(5 * time.Second)
	if now := h.look(id); now.Moves != made {
		h.t.Errorf("too early: %d moves", now.Moves)
	}
	h.pass(45 * time.Second)
	if now := h.look(id); now.Moves != made+1 {
		h.t.Errorf("too late: %d moves", now.Moves)
	}
}

// TestBankerKeepsNobodyWaiting: a banker never turns the card of a stake, where turns have no limit. It turns itself after
// a day; after a minute if the table closes.
func TestBankerKeepsNobodyWaiting(t *testing.T) {
	for name, test := range map[string]struct {
		do   func(*hall, *table.Table)
		wait time.Duration
	}{
		"he waits":           {func(*hall, *table.Table) {}, oneDay},
		"he asks to leave":   {func(h *hall, t *table.Table) { h.press(1, t, "leave") }, oneDay},
		"he stops":           {func(h *hall, t *table.Table) { h.press(1, t, "stop") }, time.Minute},
		"an admin stops":     {func(h *hall, t *table.Table) { h.press(warden, t, "stop") }, time.Minute},
		"it was stored once": {func(h *hall, t *table.Table) { h.forever(t.ID); h.restart(); h.pass(time.Second) }, oneDay},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t)
			h.keep = 90 * oneDay
			h.restart()
			one := h.bankOf("500 limit=none", true, 1, 2)
			h.move(1, 2, "stake 500")
			test.do(h, one)
			h.movesAfter(one.ID, 1, test.wait)
			h.staked(2, 500)
			h.audit()
		})
	}
}

// TestClosingSeatsNobody: nobody sits down at a table that closes, and who waited for the next bank gets none.
func TestClosingSeatsNobody(t *testing.T) {
	h := newHall(t)
	one := h.bankOf("20 min=20 limit=none", true, 1, 2)
	h.must(1, 3, chat.Press, table.Token{Table: one.ID, Do: "!join"}.String())
	h.press(1, one, "stop")
	if r := h.press(4, one, "join"); !h.is(r, table.ErrCloses) {
		t.Errorf("sitting down is answered %q", r.Toast)
	}
	if last := h.finish(1); last.Next != "" {
		t.Error("there is another bank")
	}
	h.audit()
}

// TestClosingAfterThrowingIn: a host who has thrown in the hand has had a part in the bank, as before: it could be a friend's,
// who would keep what has been won so far. The table closes, and the others leave, when the bank has ended.
func TestClosingAfterThrowingIn(t *testing.T) {
	for _, do := range []string{"stop", "remove"} {
		t.Run(do, func(t *testing.T) {
			h := newHall(t)
			one := h.bankOf("500 limit=none", false, 1, 2, 3)
			if h.turn(1) != 1 {
				h.settleHand(1, 5)
			}
			h.move(1, 1, "leave")
			if seat, _ := one.SeatOf(1); !h.table(1).Chairs[seat].Out || h.table(1).Host != 1 {
				t.Fatal("the host hasn't thrown in the hand")
			}
			punter := h.turn(1)
			if do == "remove" {
				do += " " + table.Chair{User: punter}.Key()
			}
			h.press(1, one, do)
			now := h.look(one.ID)
			if seat, _ := now.SeatOf(punter); now.Phase != table.Playing || now.Chairs[seat].Left || now.Chairs[seat].Out {
				t.Errorf("phase %d, the punter sits as %+v", now.Phase, now.Chairs[seat])
			}
			if last := h.finish(1); last.Result == nil || do == "stop" && last.Next != "" {
				t.Errorf("result %v, the next bank %q", last.Result, last.Next)
			}
			h.audit()
		})
	}
}

// TestClosingSooner: what the host has asked for, an admin who doesn't play can have sooner, and nobody later.
func TestClosingSooner(t *testing.T) {
	h := newHall(t)
	one := h.bankOf("500 limit=none", true, 1, 2)
	h.move(1, 2, "stake 5")
	h.press(1, one, "stop")
	h.press(warden, one, "stop")
	h.press(1, one, "stop")
	h.move(1, 1, "open")
	if last := h.look(one.ID); last.Phase != table.Ended || last.Result != nil {
		t.Errorf("phase %d, result %v", last.Phase, last.Result)
	}
	h.audit()
}

// forever stores a table as it was stored when a banker without a limit could wait for ever.
func (h *hall) forever(id table.ID) {
	h.t.Helper()
	one := h.look(id)
	one.Hurry, one.Ends, one.Warn = false, table.Running((h.running + h.keep).Milliseconds()), 0
	h.put(one)
}

// TestCutShort: a card lies open for somebody whose purse holds little, and the channel goes. As much as he has is staked
// on a card that he covers, and the least on one that he doesn't.
func TestCutShort(t *testing.T) {
	staked := map[int64]bool{}
	h := newHall(t)
	for range enginetest.Bound(12, 40) {
		one := h.bankOf("500 limit=60s", true, 1, 2)
		h.leaveWith(2, 20)
		h.move(1, 1, "open")
		h.must(1, 0, chat.Gone, "")
		won := h.look(one.ID).Chips.Seats[1]
		if won != -5 && won != 20 {
			t.Fatalf("with 20 in the purse %d were won", won)
		}
		staked[won] = true
		h.audit()
		h.redraw()
		h.must(1, warden, chat.Command, "/grant P2 3000")
	}
	if len(staked) != 2 {
		t.Error("no card was covered, or each was")
	}
}
