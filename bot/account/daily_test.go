package account_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// TestDailyByTheClock: the chips of the day come once in a day of UTC, whatever the clock does. Where it is put back nobody
// gets a day twice, and whoever goes on afterwards goes on with their streak.
func TestDailyByTheClock(t *testing.T) {
	const day = 24 * time.Hour
	h := bottest.NewHall(t)
	midnight := time.Unix(1_800_000_000, 0).UTC().Truncate(day).Add(day).Sub(time.Unix(1_800_000_000, 0))
	has := int64(3000)
	for _, step := range []struct {
		name string
		// at is the time of day, from the first midnight on.
		at time.Duration
		// gets is what the purse gets; 0 is a refusal.
		gets int64
	}{
		{"a second before midnight", -time.Second, 300},
		{"at midnight", 0, 350},
		{"the clock is put back over midnight", -time.Second, 0},
		{"midnight comes again", 0, 0},
		{"a year back", -365 * day, 0},
		{"the last second of the day", day - time.Second, 0},
		{"the next day", day, 400},
		{"an hour back", day - time.Hour, 0},
		{"the day after", 2 * day, 450},
		{"a day is left out", 4 * day, 300},
		{"before there were clocks", -60 * 365 * day, 0},
		{"a day later", 5 * day, 350},
	} {
		h.Wall = midnight + step.at - h.Running - 2*time.Second // ask takes two seconds.
		r := h.Ask(1, 1, chat.Command, "/daily")
		has += step.gets
		if refused := h.Is(r, purse.ErrDaily); refused != (step.gets == 0) || h.Purse(1) != has {
			t.Errorf("%s: it is answered %q, and the purse holds %d, not %d", step.name, r.Toast, h.Purse(1), has)
		}
		h.Audit()
	}
}

// TestClockPutBack: a bank is played to its end while the time of day is put back a day with every hand.
func TestClockPutBack(t *testing.T) {
	h := bottest.NewHall(t)
	played := h.Sit(1, "100 side limit=60s banks=2", 1, 2, 3)
	for h.Look(played.ID).Phase != table.Ended {
		h.Wall -= 24 * time.Hour
		h.SettleHandSides(1)
		h.Restart()
	}
	for user := range int64(3) {
		if r := h.Must(1, user+1, chat.Command, "/ledger"); len(r.Posts) != 1 {
			t.Errorf("the ledger of P%d: %+v", user+1, r)
		}
	}
	h.Audit()
}

// TestGrantMost: an admin can't grant more than the ledger counts, and whoever has the most of all plays like everybody.
func TestGrantMost(t *testing.T) {
	h := bottest.NewHall(t)
	for user := range int64(3) {
		h.Must(1, user+1, chat.Command, "/balance")
	}
	for _, grant := range []struct {
		amount string
		want   engine.Refusal
	}{
		{"9223372036854775808", words.ErrBetAmount}, {"-9223372036854775808", words.ErrBetAmount}, {"9223372036854775807", purse.ErrAmount},
		{fmt.Sprint(purse.MaxAmount + 1), purse.ErrAmount}, {"0", words.ErrBetAmount}, {"0x7f", words.ErrBetAmount}, {"1_000", words.ErrBetAmount},
	} {
		if r := h.Ask(1, 99, chat.Command, "/grant P2 "+grant.amount); !h.Is(r, grant.want) || h.Purse(2) != 3000 {
			t.Errorf("%s is answered %q, and the purse holds %d", grant.amount, r.Toast, h.Purse(2))
		}
	}
	for range 3 {
		h.Must(1, 99, chat.Command, fmt.Sprint("/grant P2 ", purse.MaxAmount))
	}
	most := 3*purse.MaxAmount + 3000
	if r := h.Must(1, 2, chat.Command, "/balance"); h.Purse(2) != most || !strings.Contains(r.Toast, fmt.Sprint(most)) {
		t.Errorf("the purse holds %d, and its owner reads %q", h.Purse(2), r.Toast)
	}
	h.Sit(1, "1000 bank=1000 limit=none", 1, 2, 3)
	for h.Turn(1) != 2 {
		if h.Table(1).Chairs[0].User == 2 { // The banker can't stake.
			h.Finish(1)
			h.Cut(1)
			continue
		}
		h.SettleHand(1, 5)
	}
	for _, sum := range []string{fmt.Sprint(most), fmt.Sprint(h.Table(1).Chips.Bank + 1), "9223372036854775807"} {
		if r := h.Ask(1, 2, chat.Command, "/bet "+sum); !r.Alert || h.Purse(2) != most-h.Lies(h.Table(1))[h.Seat(2)] {
			t.Errorf("/bet %s is answered %q, and the purse holds %d", sum, r.Toast, h.Purse(2))
		}
	}
	h.Finish(1)
	h.Audit()
}
