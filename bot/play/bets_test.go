package play_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

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
		{beforeStake, banker, "/bet 5", table.ErrNoBet},
		{beforeStake, banker, "/m stake 5", "banker-only-opens"},
		{beforeStake, other, "/bet 5", table.ErrNoBet},
		{beforeStake, other, "/m stake 5", "not-your-turn"},
		{beforeStake, other, "/m side 5", "side-no-stake"},
		{beforeStake, stranger, "/bet 5", table.ErrNotSeated},
		{beforeStake, banker, "/leave; /m leave", table.ErrBankerStays},

		{afterStake, punter, "/bet 5", table.ErrNoBet},
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
		{earlyCard, banker, "/bet 5", table.ErrNoBet},
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
