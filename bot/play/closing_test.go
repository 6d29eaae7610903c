package play_test

import (
	"fmt"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// bankOf opens a table where the first user is the host and, if that is what he wants to be, the banker.
func bankOf(h *bottest.Hall, options string, banker bool, users ...int64) *table.Table {
	h.T.Helper()
	for range 50 {
		t := h.Sit(1, options, users...)
		if (t.Chairs[0].User == users[0]) == banker {
			return t
		}
		h.Must(1, 0, chat.Gone, "") // The draw of these seeds isn't what the test is about.
		h.Redraw()
	}
	h.T.Fatal("the draw never comes out so")
	return nil
}

// others do everything that a host can have done to others, in the order of the list.
func others(h *bottest.Hall, t *table.Table, host int64) {
	for _, c := range t.Chairs {
		if c.User != host {
			h.Press(host, t, "remove "+c.Key())
		}
	}
	h.Press(host, t, "stop")
	h.Press(host, t, "remove "+table.Chair{User: host}.Key())
	h.Press(host, t, "leave")
	h.Press(host, t, "back")
	h.Press(host, t, "join")
}

// TestStakeStands: a banker who is the host, too, sees a stake of the whole bank, and does what a host can. The card is
// turned all the same.
func TestStakeStands(t *testing.T) {
	for _, do := range []string{"stop", "remove", "everything"} {
		t.Run(do, func(t *testing.T) {
			h := bottest.NewHall(t)
			one := bankOf(h, "500 limit=60s", true, 1, 2)
			h.Move(1, 2, "stake 500")
			switch do {
			case "remove":
				h.Press(1, one, "remove "+one.Chairs[1].Key())
			case "everything":
				others(h, one, 1)
			default:
				h.Press(1, one, do)
			}
			h.Pass(65 * time.Second)
			staked(h, 2, 500)
			h.Audit()
		})
	}
}

// TestBankStands: nobody who plays ends a bank before its end, neither its banker nor somebody whom he has brought along:
// others play on until it is broken or tripled.
func TestBankStands(t *testing.T) {
	for host, banker := range map[string]bool{"the banker": true, "another punter": false} {
		for _, cut := range []bool{false, true} {
			t.Run(fmt.Sprint(host, ", before the cut: ", cut), func(t *testing.T) {
				h := bottest.NewHall(t)
				one := bankOf(h, "20 min=20 limit=60s", banker, 1, 2, 3)
				if cut {
					h.Must(1, 0, chat.Gone, "")
					h.Redraw()
					h.Seeds -= 2 // The same draw comes again, and this time nobody cuts.
					one = seated(h, "20 min=20 limit=60s", 1, 2, 3)
				}
				others(h, one, 1)
				if now := h.Look(one.ID); now.Phase != one.Phase || now.Closing == nil {
					t.Fatalf("the table was in phase %d, and is in phase %d: %v", one.Phase, now.Phase, now.Closing)
				}
				for range 40 {
					now := h.Look(one.ID)
					switch now.Phase {
					case table.Cutting:
						h.Cut(1)
					case table.Playing:
						user := h.Turn(1)
						h.Move(1, user, h.Games["banchok"].Text(h.State(now).Idle(h.State(now).Turn()[0])))
					}
				}
				last := h.Look(one.ID)
				if last.Phase != table.Ended || last.Result == nil || last.Next != "" || last.Why != "stop-host" {
					t.Errorf("phase %d, %q, result %v, next %q", last.Phase, last.Why, last.Result, last.Next)
				}
				if net := last.Chips.Seats[0]; net != -20 && net < 40 {
					t.Errorf("a bank of 20 has brought %d", net)
				}
				h.Audit()
			})
		}
	}
}

// seated is sit without a cut.
func seated(h *bottest.Hall, options string, users ...int64) *table.Table {
	h.T.Helper()
	h.Must(1, users[0], chat.Command, "/banchok "+options)
	one := h.Table(1)
	for _, user := range users[1:] {
		h.Must(1, user, chat.Press, table.Token{Table: one.ID, Do: "!join"}.String())
	}
	h.Must(1, users[0], chat.Press, table.Token{Table: one.ID, Do: "!deal"}.String())
	return h.Table(1)
}

// TestEarlyCardStays: a card was turned too early for somebody who may then stake half the bank on it. Being removed, by
// the banker or by an admin, or being about to leave takes nothing of that away; nor does it when all others have gone.
func TestEarlyCardStays(t *testing.T) {
	for name, do := range map[string]func(*bottest.Hall, *table.Table){
		"the banker removes him": func(h *bottest.Hall, t *table.Table) { h.Press(1, t, "remove "+t.Chairs[1].Key()) },
		"an admin removes him":   func(h *bottest.Hall, t *table.Table) { h.Press(bottest.Warden, t, "remove "+t.Chairs[1].Key()) },
		"all are removed": func(h *bottest.Hall, t *table.Table) {
			for _, c := range t.Chairs {
				h.Press(bottest.Warden, t, "remove "+c.Key())
			}
		},
		"an admin stops":   func(h *bottest.Hall, t *table.Table) { h.Press(bottest.Warden, t, "stop") },
		"the banker stops": func(h *bottest.Hall, t *table.Table) { h.Press(1, t, "stop") },
		"he leaves":        func(h *bottest.Hall, t *table.Table) { h.Press(2, t, "leave") },
	} {
		for _, limit := range []string{"60s", "none"} {
			t.Run(name+" with limit="+limit, func(t *testing.T) {
				h := bottest.NewHall(t)
				one := bankOf(h, "500 limit="+limit, true, 1, 2)
				h.Move(1, 1, "open")
				do(h, one)
				h.Pass(30 * time.Second)
				h.Must(1, 2, chat.Command, "/bet 250")
				staked(h, 2, 250)
				h.Audit()
			})
		}
	}
}

// staked wants a purse of 3,000 to have won or lost a stake.
func staked(h *bottest.Hall, user, stake int64) {
	h.T.Helper()
	if won := h.Purse(user) - 3000; won != stake && won != -stake {
		h.T.Errorf("a stake of %d has brought %d", stake, won)
	}
}

// TestEarlyCardEnds: who has such a card and says that he leaves keeps nobody waiting by it, whatever he presses.
func TestEarlyCardEnds(t *testing.T) {
	h := bottest.NewHall(t)
	one := bankOf(h, "500 limit=60s", true, 1, 2)
	h.Move(1, 1, "open")
	for range 15 {
		h.Press(2, one, "leave")
		h.Pass(2 * time.Second)
		h.Press(2, one, "back")
		h.Pass(2 * time.Second)
	}
	if now := h.Look(one.ID); now.Moves < 2 {
		t.Errorf("after more than a minute %d moves were made", now.Moves)
	}
	h.Audit()
}

// TestLeftAfterHand: whoever asks to leave, or is removed by somebody who doesn't play, is out when the stake is settled,
// and comes back only if it was his own wish.
func TestLeftAfterHand(t *testing.T) {
	for name, by := range map[string]int64{"leaves": 2, "is removed": bottest.Warden} {
		for _, comesBack := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", comes back: ", comesBack), func(t *testing.T) {
				h := bottest.NewHall(t)
				one := bankOf(h, "500 limit=none", true, 1, 2, 3)
				for h.Turn(1) != 2 {
					h.SettleHand(1, 5)
				}
				h.Move(1, 2, "stake 5")
				do := "leave"
				if by != 2 {
					do = "remove " + table.Chair{User: 2}.Key()
				}
				h.Press(by, one, do)
				if comesBack {
					if r := h.Press(2, one, "back"); r.Alert != (by != 2) || r.Alert == (r.Opened == one.ID.String()) {
						t.Errorf("coming back is answered %q", r.Toast)
					}
				}
				h.Move(1, 1, "open")
				now := h.Look(one.ID)
				seat, _ := now.SeatOf(2)
				if stays := comesBack && by == 2; now.Chairs[seat].Out == stays || now.Chairs[seat].Left == stays {
					t.Errorf("after the hand: %+v", now.Chairs[seat])
				}
				h.Audit()
			})
		}
	}
}

// TestRemovedAfterBank: whom the host removes who plays there himself plays until the bank ends, and not in the next one.
func TestRemovedAfterBank(t *testing.T) {
	h := bottest.NewHall(t)
	one := bankOf(h, "20 min=20 limit=none", true, 1, 2, 3)
	h.Press(1, one, "remove "+table.Chair{User: 2}.Key())
	last := h.Finish(1)
	next := h.Table(1)
	seat, _ := last.SeatOf(2)
	if _, sits := next.SeatOf(2); last.Chairs[seat].Out || sits || last.Next == "" {
		t.Errorf("P2 left the bank: %t, sits at the next one: %t", last.Chairs[seat].Out, sits)
	}
	if r := h.Press(2, next, "join"); !h.Is(r, table.ErrRemoved) {
		t.Errorf("sitting down again is answered %q", r.Toast)
	}
	h.Audit()
}

// TestRemovedKeepsNobodyWaiting: somebody who plays removes the one whose turn it is, where turns have no limit. The
// others don't wait for ever for a stake.
func TestRemovedKeepsNobodyWaiting(t *testing.T) {
	h := bottest.NewHall(t)
	h.Keep = 90 * bottest.OneDay
	h.Restart()
	one := bankOf(h, "500 limit=none", true, 1, 2, 3)
	late := h.Turn(1)
	h.Press(1, one, "remove "+table.Chair{User: late}.Key())
	movesAfter(h, one.ID, 0, bottest.OneDay)
	h.Audit()
}

// movesAfter lets time pass at a table where so many moves were made: one more is made at its end, and not before.
func movesAfter(h *bottest.Hall, id table.ID, made int, wait time.Duration) {
	h.T.Helper()
	h.Running += wait - 30*time.Second
	h.Pass(5 * time.Second)
	if now := h.Look(id); now.Moves != made {
		h.T.Errorf("too early: %d moves", now.Moves)
	}
	h.Pass(45 * time.Second)
	if now := h.Look(id); now.Moves != made+1 {
		h.T.Errorf("too late: %d moves", now.Moves)
	}
}

// TestBankerKeepsNobodyWaiting: a banker never turns the card of a stake, where turns have no limit. It turns itself after
// a day; after a minute if the table closes.
func TestBankerKeepsNobodyWaiting(t *testing.T) {
	for name, test := range map[string]struct {
		do   func(*bottest.Hall, *table.Table)
		wait time.Duration
	}{
		"he waits":           {func(*bottest.Hall, *table.Table) {}, bottest.OneDay},
		"he asks to leave":   {func(h *bottest.Hall, t *table.Table) { h.Press(1, t, "leave") }, bottest.OneDay},
		"he stops":           {func(h *bottest.Hall, t *table.Table) { h.Press(1, t, "stop") }, time.Minute},
		"an admin stops":     {func(h *bottest.Hall, t *table.Table) { h.Press(bottest.Warden, t, "stop") }, time.Minute},
		"it was stored once": {func(h *bottest.Hall, t *table.Table) { forever(h, t.ID); h.Restart(); h.Pass(time.Second) }, bottest.OneDay},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Keep = 90 * bottest.OneDay
			h.Restart()
			one := bankOf(h, "500 limit=none", true, 1, 2)
			h.Move(1, 2, "stake 500")
			test.do(h, one)
			movesAfter(h, one.ID, 1, test.wait)
			staked(h, 2, 500)
			h.Audit()
		})
	}
}

// TestClosingSeatsNobody: nobody sits down at a table that closes, and who waited for the next bank gets none.
func TestClosingSeatsNobody(t *testing.T) {
	h := bottest.NewHall(t)
	one := bankOf(h, "20 min=20 limit=none", true, 1, 2)
	h.Must(1, 3, chat.Press, table.Token{Table: one.ID, Do: "!join"}.String())
	h.Press(1, one, "stop")
	if r := h.Press(4, one, "join"); !h.Is(r, table.ErrCloses) {
		t.Errorf("sitting down is answered %q", r.Toast)
	}
	if last := h.Finish(1); last.Next != "" {
		t.Error("there is another bank")
	}
	h.Audit()
}

// TestClosingAfterThrowingIn: a host who has thrown in the hand has had a part in the bank, as before: it could be a friend's,
// who would keep what has been won so far. The table closes, and the others leave, when the bank has ended.
func TestClosingAfterThrowingIn(t *testing.T) {
	for _, do := range []string{"stop", "remove"} {
		t.Run(do, func(t *testing.T) {
			h := bottest.NewHall(t)
			one := bankOf(h, "500 limit=none", false, 1, 2, 3)
			if h.Turn(1) != 1 {
				h.SettleHand(1, 5)
			}
			h.Move(1, 1, "leave")
			if seat, _ := one.SeatOf(1); !h.Table(1).Chairs[seat].Out || h.Table(1).Host != 1 {
				t.Fatal("the host hasn't thrown in the hand")
			}
			punter := h.Turn(1)
			if do == "remove" {
				do += " " + table.Chair{User: punter}.Key()
			}
			h.Press(1, one, do)
			now := h.Look(one.ID)
			if seat, _ := now.SeatOf(punter); now.Phase != table.Playing || now.Chairs[seat].Left || now.Chairs[seat].Out {
				t.Errorf("phase %d, the punter sits as %+v", now.Phase, now.Chairs[seat])
			}
			if last := h.Finish(1); last.Result == nil || do == "stop" && last.Next != "" {
				t.Errorf("result %v, the next bank %q", last.Result, last.Next)
			}
			h.Audit()
		})
	}
}

// TestClosingSooner: what the host has asked for, an admin who doesn't play can have sooner, and nobody later.
func TestClosingSooner(t *testing.T) {
	h := bottest.NewHall(t)
	one := bankOf(h, "500 limit=none", true, 1, 2)
	h.Move(1, 2, "stake 5")
	h.Press(1, one, "stop")
	h.Press(bottest.Warden, one, "stop")
	h.Press(1, one, "stop")
	h.Move(1, 1, "open")
	if last := h.Look(one.ID); last.Phase != table.Ended || last.Result != nil {
		t.Errorf("phase %d, result %v", last.Phase, last.Result)
	}
	h.Audit()
}

// forever stores a table as it was stored when a banker without a limit could wait for ever.
func forever(h *bottest.Hall, id table.ID) {
	h.T.Helper()
	one := h.Look(id)
	one.Hurry, one.Ends, one.Warn = false, table.Running((h.Running + h.Keep).Milliseconds()), 0
	h.Put(one)
}

// TestCutShort: a card lies open for somebody whose purse holds little, and the channel goes. As much as he has is staked
// on a card that he covers, and the least on one that he doesn't.
func TestCutShort(t *testing.T) {
	staked := map[int64]bool{}
	h := bottest.NewHall(t)
	for range 12 * *rounds {
		one := bankOf(h, "500 limit=60s", true, 1, 2)
		h.LeaveWith(2, 20)
		h.Move(1, 1, "open")
		h.Must(1, 0, chat.Gone, "")
		won := h.Look(one.ID).Chips.Seats[1]
		if won != -5 && won != 20 {
			t.Fatalf("with 20 in the purse %d were won", won)
		}
		staked[won] = true
		h.Audit()
		h.Redraw()
		h.Must(1, bottest.Warden, chat.Command, "/grant P2 3000")
	}
	if len(staked) != 2 {
		t.Error("no card was covered, or each was")
	}
}
