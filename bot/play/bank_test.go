package play_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// TestSpentElsewhere: somebody whose turn it is spends at another table what they need at this one. The table goes on all
// the same.
func TestSpentElsewhere(t *testing.T) {
	const here, there = 1, 2
	for _, test := range []struct {
		name string
		// before is done at the table where P2 is to stake, after when the purse is empty.
		before, after func(*bottest.Hall, *table.Table)
		// out says that P2 has left the bank, waits that a card waits for the stake of the next punter.
		out bool
	}{
		{name: "the time runs out", after: func(h *bottest.Hall, _ *table.Table) { h.Pass(65 * time.Second) }, out: true},
		{name: "he stakes", after: func(h *bottest.Hall, _ *table.Table) { h.Ask(here, 2, chat.Command, "/bet 5") }, out: true},
		{name: "the card comes too early", after: func(h *bottest.Hall, t *table.Table) { h.Move(here, t.Chairs[0].User, "open") }, out: true},
		{
			name:   "the card has come too early",
			before: func(h *bottest.Hall, t *table.Table) { h.Move(here, t.Chairs[0].User, "open") },
			after:  func(h *bottest.Hall, _ *table.Table) { h.Pass(65 * time.Second) },
		},
		{
			name:   "he leaves the early card",
			before: func(h *bottest.Hall, t *table.Table) { h.Move(here, t.Chairs[0].User, "open") },
			after: func(h *bottest.Hall, _ *table.Table) {
				h.Sure(here, 2, chat.Command, "/leave")
				h.Pass(65 * time.Second)
			},
			out: true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := bottest.NewHall(t)
			seated := h.Sit(here, "500 limit=60s", 1, 2, 3)
			for h.Turn(here) != 2 {
				h.SettleHand(here, 5)
			}
			if test.before != nil {
				test.before(h, seated)
			}
			empty(h, there, 2)
			test.after(h, seated)
			after := h.Look(seated.ID)
			seat, _ := after.SeatOf(2)
			if after.Chairs[seat].Out != test.out {
				t.Errorf("P2 is out: %t, want %t", after.Chairs[seat].Out, test.out)
			}
			if h.Turn(here) == 2 {
				t.Error("it is still the turn of P2")
			}
			h.Pass(65 * time.Second)
			if now := h.Look(seated.ID); after.Phase != table.Playing || now.Level == after.Level {
				t.Errorf("the table is in phase %d, and nobody is waited for", after.Phase)
			}
			h.Audit()
		})
	}
}

// empty gives somebody's whole purse to P98.
func empty(h *bottest.Hall, channel, user int64) {
	h.T.Helper()
	h.Must(channel, 98, chat.Command, "/balance")
	r := h.Must(channel, user, chat.Command, fmt.Sprint("/give P98 ", h.Purse(user)))
	h.Must(channel, user, chat.Press, r.Posts[0].Buttons[0][0].Token)
	if h.Purse(user) != 0 {
		h.T.Fatalf("P%d still has %d", user, h.Purse(user))
	}
}

// TestSameChipsTwice: what is staked at one table can't be staked at another.
func TestSameChipsTwice(t *testing.T) {
	h := bottest.NewHall(t)
	h.Sit(1, "bank=1400 side limit=none", 1, 2, 3)
	h.Sit(2, "bank=1400 side limit=none", 1, 2, 3)
	user := h.Table(1).Chairs[1].User
	if user == h.Table(2).Chairs[0].User {
		user = h.Table(1).Chairs[2].User
	}
	for _, channel := range []int64{1, 2} {
		for h.Turn(channel) != user {
			h.SettleHandSides(channel)
		}
	}
	h.LeaveWith(user, 1000)
	h.Move(1, user, "stake 900")
	for _, line := range []string{"/bet 900", "/m stake 900", "/bet 101"} {
		if r := h.Ask(2, user, chat.Command, line); !h.Is(r, "purse-short") || h.Purse(user) != 100 {
			t.Errorf("%s at the second table is answered %q, and %d are left", line, r.Toast, h.Purse(user))
		}
	}
	h.Must(2, user, chat.Command, "/bet 100")
	if h.Purse(user) != 0 {
		t.Errorf("%d are left", h.Purse(user))
	}
	h.Audit()
}

// TestTypedAtTwoTables: whoever could stake at two tables and types a sum is asked at which, and the button is good for
// this hand alone.
func TestTypedAtTwoTables(t *testing.T) {
	h := bottest.NewHall(t)
	one := h.Sit(1, "500 limit=none", 1, 2)
	other := h.Sit(1, "100 limit=none", 1, 2)
	for other.Chairs[0].User != one.Chairs[0].User { // Others may be drawn to hold the bank.
		h.Sure(1, 99, chat.Press, table.Token{Table: other.ID, Do: "!stop"}.String())
		h.Redraw()
		other = h.Sit(1, "100 limit=none", 1, 2)
	}
	h.Must(1, 1, chat.Command, "/zevaka limit=none")
	for _, line := range []string{"/bet 5", "/m stake 5"} {
		now := h.Look(one.ID)
		user := now.Chairs[h.State(now).Turn()[0]].User
		r := h.Must(1, user, chat.Command, line)
		if len(r.Posts) != 1 || len(r.Posts[0].Buttons) != 2 {
			t.Fatalf("%s is answered %+v", line, r)
		}
		button := r.Posts[0].Buttons[0][0].Token
		h.Must(1, user, chat.Press, button)
		if now = h.Look(one.ID); now.Chips.Stakes[1] != 5 {
			t.Errorf("after %s: %+v", line, now.Chips)
		}
		h.Must(1, now.Chairs[0].User, chat.Press, table.Token{Table: one.ID, Epoch: now.Epoch(h.State(now)), Do: "open"}.String())
		moves := h.Look(one.ID).Moves
		if r := h.Ask(1, user, chat.Press, button); !h.Is(r, table.ErrStale) || h.Look(one.ID).Moves != moves {
			t.Errorf("%s in the next hand is answered %q", line, r.Toast)
		}
	}
	h.Audit()
}

// TestTypedAtOneOfTwo: whoever sits at two tables and can stake at one of them stakes there, once, and is told where.
func TestTypedAtOneOfTwo(t *testing.T) {
	h := bottest.NewHall(t)
	one := h.Sit(1, "500 limit=none", 1, 2)
	other := h.Sit(1, "100 limit=none", 1, 2)
	for other.Chairs[0].User == one.Chairs[0].User {
		h.Sure(1, 99, chat.Press, table.Token{Table: other.ID, Do: "!stop"}.String())
		h.Redraw()
		other = h.Sit(1, "100 limit=none", 1, 2)
	}
	for mine, theirs := range map[*table.Table]*table.Table{one: other, other: one} {
		user := mine.Chairs[1].User
		r := h.Must(1, user, chat.Command, "/bet 7")
		want := "P1 · playing · Polish Bank · starting bank " + mine.Options["bank"] + fmt.Sprintf(": P%d stakes 7. P%d's turn.", user, mine.Chairs[0].User)
		if r.Toast != want {
			t.Errorf("it is told %q, want %q", r.Toast, want)
		}
		h.Asked-- // It is delivered again.
		h.Must(1, user, chat.Command, "/bet 7")
		if now, has := h.Look(mine.ID), 3000-7-h.Look(theirs.ID).Chips.Bank; now.Chips.Stakes[1] != 7 || h.Purse(user) != has {
			t.Errorf("at stake are %v, and the purse holds %d, not %d", now.Chips, h.Purse(user), has)
		}
		if r := h.Ask(1, user, chat.Command, "/bet 8"); !h.Is(r, table.ErrNoBet) {
			t.Errorf("where nothing more can be staked it is answered %q", r.Toast)
		}
	}
	h.Audit()
}

// TestMovedBank: a group gets another ID in the middle of a bank, and once more in that of the next one. Chips stay those
// of the same purses, at the tables and in every command.
func TestMovedBank(t *testing.T) {
	h := bottest.NewHall(t)
	from := bottest.PlaceOf(1).Community
	to, again := chat.Community{Platform: chat.Telegram, ID: -1001}, chat.Community{Platform: chat.Telegram, ID: -1002}
	h.Sit(1, "100 side banks=2 limit=none", 1, 2, 3)
	h.SettleHandSides(1)
	h.Moved(from, to)
	before := []int64{h.Purse(1), h.Purse(2), h.Purse(3)}
	if r := h.Ask(1, 1, chat.Command, "/table"); !h.Is(r, play.ErrNothingHere) {
		t.Errorf("the old chat still has a table: %+v", r)
	}
	h.At = to
	for i, has := range before {
		if got := h.Purse(int64(i + 1)); got != has {
			t.Errorf("P%d has %d after the move, and had %d", i+1, got, has)
		}
		if r := h.Must(1, int64(i+1), chat.Command, "/balance"); !strings.Contains(r.Toast, fmt.Sprint(" ", has, ".")) {
			t.Errorf("P%d reads %q, and has %d", i+1, r.Toast, has)
		}
	}
	finishSides(h, 1)
	h.Cut(1)
	h.SettleHandSides(1)
	h.Moved(to, again)
	h.At = again
	h.Restart()
	finishSides(h, 1)
	now := h.Table(1)
	if now.Origin() != from.String() || now.Session.Deal != 3 {
		t.Errorf("the third bank is number %d, with the chips of %s", now.Session.Deal, now.Origin())
	}
	h.Must(1, 1, chat.Command, "/daily")
	r := h.Must(1, 1, chat.Command, "/give P2 5")
	h.Must(1, 1, chat.Press, r.Posts[0].Buttons[0][0].Token)
	for _, line := range []string{"/ledger", "/top", "/scores", "/grant P3 5"} {
		h.Must(1, 99, chat.Command, line)
	}
	h.Sure(1, 99, chat.Press, table.Token{Table: now.ID, Do: "!stop"}.String())
	if all := h.Audit(); all.Communities != 1 || all.Laid != 0 || all.Tables != 3 {
		t.Errorf("the audit counts %+v", all)
	}
}

// TestMovedInto: a group gets an ID under which people were quicker to play than the platform was to say so. The tables of
// both are open there, and each pays those who play at it.
func TestMovedInto(t *testing.T) {
	h := bottest.NewHall(t)
	from, to := bottest.PlaceOf(1).Community, chat.Community{Platform: chat.Telegram, ID: -1001}
	h.Sit(1, "100 limit=none", 1, 2, 3)
	h.Move(1, h.Turn(1), "stake 30")
	h.At = to
	early := h.Sit(1, "20 min=20 limit=none", 1, 2, 3)
	h.Move(1, h.Turn(1), "stake 20")
	h.At = chat.Community{}
	h.Moved(from, to)
	h.At = to
	tables, err := bottest.Shelf(h.Store).Look(t.Context(), h.Place(1))
	if err != nil || len(tables) != 2 || tables[1].ID != early.ID {
		t.Fatalf("%d tables are open there: %v", len(tables), err)
	}
	for _, open := range tables {
		now := h.Look(open.ID)
		h.Must(1, now.Chairs[0].User, chat.Press, table.Token{Table: now.ID, Epoch: now.Epoch(h.State(now)), Do: "open"}.String())
		h.Audit()
	}
	h.StopAll()
}

// finishSides plays the bank to its end.
func finishSides(h *bottest.Hall, channel int64) {
	h.T.Helper()
	for id := h.Table(channel).ID; h.Look(id).Phase != table.Ended; {
		h.SettleHandSides(channel)
	}
}

// bettors are the people of TestBadBets: who holds the bank, whose turn it is to stake, and two others, of whom the second
// has closed his cards to side bets; and somebody who doesn't sit there.
type bettors struct{ banker, punter, other, closed, stranger int64 }

// before are the moments of TestBadBets.
const (
	beforeStake = iota
	afterStake  // the punter has staked 20 of 500, and the others may bet along
	afterWhole  // the punter has staked the whole bank
	onClosed    // the one with closed cards has staked 20
	earlyCard   // the banker has turned a card before the stake
)

// TestBadBets: what can't be staked is refused in words, and nothing moves.
func TestBadBets(t *testing.T) {
	banker := func(b bettors) int64 { return b.banker }
	punter := func(b bettors) int64 { return b.punter }
	other := func(b bettors) int64 { return b.other }
	closed := func(b bettors) int64 { return b.closed }
	stranger := func(b bettors) int64 { return b.stranger }
	for _, test := range []struct {
		moment int
		who    func(bettors) int64
		lines  string
		want   engine.Refusal
	}{
		{beforeStake, punter, "/bet; /bet 0; /bet -5; /bet +5; /bet 1e9; /bet ва-банк; /bet 12,50; /bet 12.50; /bet 5 10; /bet 99999999999999999999", words.ErrBetAmount},
		{beforeStake, punter, "/bet 4", "stake-low"},
		{beforeStake, punter, "/bet 501; /bet 1000000000; /bet 9223372036854775807", "stake-high"},
		{beforeStake, punter, "/bet 300; /m stake 300", "purse-short"},
		{beforeStake, punter, "/m stake 0", "stake-low"},
		{beforeStake, punter, "/m stake -5; /m stake 1e9; /m stake ва-банк; /m stake 12,50", engine.ErrMoveText},
		{beforeStake, punter, "/m side 5", "side-no-stake"},
		{beforeStake, banker, "/bet 5", "others-bet"},
		{beforeStake, banker, "/m stake 5", "banker-only-opens"},
		{beforeStake, other, "/bet 5", "others-bet"},
		{beforeStake, other, "/m stake 5", "others-turn"},
		{beforeStake, other, "/m side 5", "side-no-stake"},
		{beforeStake, stranger, "/bet 5", table.ErrNotSeated},
		{beforeStake, banker, "/leave; /m leave", table.ErrBankerStays},

		{afterStake, punter, "/bet 5", "bet-stands"},
		{afterStake, punter, "/m side 5", "side-own"},
		{afterStake, punter, "/m stake 30", "stake-stands"},
		{afterStake, banker, "/bet 5", table.ErrNoBet},
		{afterStake, banker, "/m side 5", "banker-only-opens"},
		{afterStake, banker, "/leave", table.ErrBankerStays},
		{afterStake, closed, "/bet 5", table.ErrNoBet},
		{afterStake, closed, "/m side 5", "side-you-refuse"},
		{afterStake, other, "/bet 0; /bet ва-банк", words.ErrBetAmount},
		{afterStake, other, "/m side 0", "side-low"},
		{afterStake, other, "/bet 481; /m side 481; /bet 1000000000", "side-high"},
		{afterStake, other, "/bet 300", "purse-short"},
		{afterStake, stranger, "/bet 5", table.ErrNotSeated},
		{afterWhole, other, "/bet 1", table.ErrNoBet},
		{afterWhole, other, "/m side 1", "side-high"},
		{onClosed, other, "/bet 1", table.ErrNoBet},
		{onClosed, other, "/m side 1", "side-refused"},

		{earlyCard, punter, "/bet 251", "stake-half"},
		{earlyCard, punter, "/bet 250", "purse-short"},
		{earlyCard, other, "/m side 5", "side-no-stake"},
		{earlyCard, banker, "/bet 5", "others-bet"},
	} {
		for _, line := range strings.Split(test.lines, "; ") {
			t.Run(fmt.Sprint(test.moment, line), func(t *testing.T) {
				h := bottest.NewHall(t)
				people := bettorsAt(h, test.moment)
				before, was := h.Audit(), h.Table(1)
				r := h.Ask(1, test.who(people), chat.Command, line)
				if !h.Is(r, test.want) {
					t.Errorf("it is answered %q, want no.%s", r.Toast, test.want)
				}
				if after, now := h.Audit(), h.Table(1); after != before || now.Moves != was.Moves {
					t.Errorf("something has moved: %+v, before %+v", after, before)
				}
			})
		}
	}
}

// bettorsAt seats four people at a bank of 500, of whom all but the banker have 200, and goes on to the moment.
func bettorsAt(h *bottest.Hall, moment int) bettors {
	h.T.Helper()
	now := h.Sit(1, "500 side limit=none", 1, 2, 3, 4)
	b := bettors{banker: now.Chairs[0].User, punter: now.Chairs[1].User, other: now.Chairs[2].User, closed: now.Chairs[3].User, stranger: 5}
	h.Move(1, b.closed, "allow off")
	stake := func(user int64, amount int) { h.Move(1, user, fmt.Sprint("stake ", amount)) }
	switch moment {
	case afterStake:
		stake(b.punter, 20)
	case afterWhole:
		stake(b.punter, 500)
	case onClosed:
		for range 2 {
			stake(h.Turn(1), 5)
			h.Pass(11 * time.Second)
			h.Move(1, b.banker, "open")
		}
		stake(b.closed, 20)
	case earlyCard:
		h.Move(1, b.banker, "open")
	}
	for _, user := range []int64{b.punter, b.other, b.closed} {
		h.LeaveWith(user, 200)
	}
	return b
}

// TestBetAboveThePurse: a stake that is settled in the same move is refused above the purse, also where it would be won.
func TestBetAboveThePurse(t *testing.T) {
	for seed := range uint64(10) {
		h := bottest.NewHall(t)
		h.Seeds = 100 * seed
		now := h.Sit(1, "500 dealer=bot limit=none", 1, 2, 3)
		punter := now.Chairs[1].User
		h.LeaveWith(punter, 100)
		before := h.Audit()
		if r := h.Ask(1, punter, chat.Command, "/bet 101"); !h.Is(r, "purse-short") || h.Audit() != before {
			t.Errorf("seed %d: it is answered %q", seed, r.Toast)
		}
		h.Must(1, punter, chat.Command, "/bet 100")
		if has := h.Purse(punter); has != 0 && has != 200 {
			t.Errorf("seed %d: after a stake of 100 the purse holds %d", seed, has)
		}
		h.Audit()
	}
}
