package bottest

import (
	"fmt"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine/games"
	"zevaka/storage"
)

// Sit opens a table in a channel, seats the users and deals.
func (h *Hall) Sit(channel int64, options string, users ...int64) *table.Table {
	h.T.Helper()
	h.Must(channel, users[0], chat.Command, "/banchok "+options)
	id := h.Table(channel).ID
	for _, user := range users[1:] {
		h.Must(channel, user, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	}
	h.Must(channel, users[0], chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	h.Cut(channel)
	return h.Table(channel)
}

// Cut lets the cutter of the channel's table cut.
func (h *Hall) Cut(channel int64) {
	h.T.Helper()
	t := h.Table(channel)
	h.Must(channel, t.Chairs[t.Cutter].User, chat.Press, table.Token{Table: t.ID, Epoch: 1, Do: "!cut 7"}.String())
}

// Turn is who must move at the channel's table.
func (h *Hall) Turn(channel int64) int64 {
	h.T.Helper()
	t := h.Table(channel)
	return t.Chairs[h.State(t).Turn()[0]].User
}

// SettleHand lets the one whose turn it is stake so much, and the banker turn the card.
func (h *Hall) SettleHand(channel int64, stake int) {
	h.T.Helper()
	h.Move(channel, h.Turn(channel), fmt.Sprint("stake ", stake))
	h.Move(channel, h.Turn(channel), "open")
}

// SettleHandSides settles a hand when the time for side bets is over.
func (h *Hall) SettleHandSides(channel int64) {
	h.T.Helper()
	h.Move(channel, h.Turn(channel), fmt.Sprint("stake ", min(20, h.Table(channel).Chips.Bank)))
	h.Pass(11 * time.Second)
	h.Move(channel, h.Turn(channel), "open")
}

// Finish lets every hand be staked on with the whole bank until this one ends, and returns its table.
func (h *Hall) Finish(channel int64) *table.Table {
	h.T.Helper()
	id := h.Table(channel).ID
	for range 100 {
		t := h.Look(id)
		if t.Phase == table.Ended {
			return t
		}
		h.SettleHand(channel, int(t.Chips.Bank))
	}
	h.T.Fatal("the bank doesn't end")
	return nil
}

// Redraw lets no draw for a bank stand any longer.
func (h *Hall) Redraw() {
	h.T.Helper()
	err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) error {
		tx.Delete("q/" + PlaceOf(1).Community.String())
		return nil
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// Purse is what the user's purse holds.
func (h *Hall) Purse(user int64) int64 {
	h.T.Helper()
	return h.PurseOf(user).Balance
}

// PurseOf is the purse of the user.
func (h *Hall) PurseOf(user int64) purse.Purse {
	h.T.Helper()
	var p []purse.Purse
	err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) (err error) {
		p, err = purse.Ledger{Tx: tx, Community: PlaceOf(1).Community.String()}.Purses(user)
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
	return p[0]
}

// LeaveWith takes chips out of a purse, or puts some in, until it holds so much.
func (h *Hall) LeaveWith(user, has int64) {
	h.T.Helper()
	h.Must(1, 98, chat.Command, "/balance")
	if more := h.Purse(user) - has; more > 0 {
		r := h.Must(1, user, chat.Command, fmt.Sprint("/give P98 ", more))
		h.Must(1, user, chat.Press, r.Posts[0].Buttons[0][0].Token)
	}
	if h.Purse(user) != has {
		h.T.Fatalf("P%d has %d, want %d", user, h.Purse(user), has)
	}
}

// SitMany plays a session to its end in which all but the next banker leave after one bank and others come, and returns how many
// people have sat down.
func (h *Hall) SitMany() int64 {
	h.T.Helper()
	h.Sit(1, "20 min=20 limit=none", 1, 2)
	last := int64(2)
	for h.Table(1).Session.Deal < 3*table.MaxPeople {
		now := h.Table(1)
		for range 12 {
			r := h.Ask(1, last+1, chat.Press, table.Token{Table: now.ID, Epoch: 2, Do: "!join"}.String())
			if r.Alert {
				break
			}
			last++
		}
		for _, c := range now.Chairs[2:] {
			h.Ask(1, c.User, chat.Command, "/leave")
		}
		if h.Look(now.ID).Phase != table.Ended {
			h.Finish(1)
		}
		if h.Look(now.ID).Next == "" {
			break
		}
		h.Cut(1)
	}
	return last
}

// Lies is what lies on a table for each of its chairs.
func (h *Hall) Lies(t *table.Table) []int64 {
	lies := make([]int64, len(t.Chairs))
	copy(lies, t.Chips.Stakes)
	lies[0] += t.Chips.Bank
	return lies
}

// Seat is where the user sits at the table in channel 1.
func (h *Hall) Seat(user int64) int {
	seat, _ := h.Table(1).SeatOf(user)
	return int(seat)
}

// Audit wants every chip to be where it should be, and the scores to be those of the tables.
func (h *Hall) Audit() upkeep.Audited {
	h.T.Helper()
	return AuditStore(h.T, h.Store)
}

// AuditStore wants every chip in a store to be where it should be, and the scores to be those of the tables.
func AuditStore(t testing.TB, s storage.Store) upkeep.Audited {
	t.Helper()
	archive := upkeep.NewArchive(s, games.All())
	all, err := archive.Audit(t.Context(), func(p purse.Problem) { t.Error(p) })
	if err != nil || all.Chips+all.Laid+all.House != 0 {
		t.Fatalf("the audit: %+v, %v", all, err)
	}
	again, err := archive.Scores(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Compare(t.Context(), s, func(d scores.Difference) { t.Error(d) }); err != nil {
		t.Fatal(err)
	}
	return all
}
