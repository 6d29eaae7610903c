package play_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/storage"
)

// stops are all the ways in which a table with chips can end before its time, but for a host who plays there. Each is told
// to end the table in channel 1.
func stops() map[string]func(*bottest.Hall, *table.Table) {
	return map[string]func(*bottest.Hall, *table.Table){
		"an admin": func(h *bottest.Hall, _ *table.Table) {
			r := h.Must(1, 99, chat.Command, "/stop")
			h.Must(1, 99, chat.Press, r.Posts[0].Buttons[0][0].Token)
			sleepOver(h)
		},
		"the channel is gone":   func(h *bottest.Hall, _ *table.Table) { h.Must(1, 0, chat.Gone, "") },
		"the community is gone": func(h *bottest.Hall, _ *table.Table) { h.Must(0, 0, chat.Gone, "") },
		otherRules:              func(h *bottest.Hall, t *table.Table) { age(h, t); h.Ask(1, t.Host, chat.Command, "/table") },
		otherRules + ", by the clock": func(h *bottest.Hall, t *table.Table) {
			age(h, t)
			h.Restart()
			h.Pass(1e9)
		},
		"nobody plays for long": func(h *bottest.Hall, _ *table.Table) {
			for range 9 {
				h.Running += 31 * bottest.OneDay
				h.Pass(1e9)
			}
		},
		"all are removed": func(h *bottest.Hall, t *table.Table) {
			for _, c := range t.Chairs {
				h.Sure(1, 99, chat.Press, table.Token{Table: t.ID, Do: "!remove " + c.Key()}.String())
			}
			sleepOver(h)
		},
	}
}

// otherRules ends a table whose moves nobody can make any more, not even those that would settle its hand.
const otherRules = "other rules"

// sleepOver lets as much time pass as anybody has for one turn, and for all that follows by itself.
func sleepOver(h *bottest.Hall) {
	h.T.Helper()
	h.Pass(65e9)
	h.Running += bottest.OneDay
	h.Pass(5e9)
}

// age makes a table one of rules that the program doesn't know any more.
func age(h *bottest.Hall, t *table.Table) {
	h.T.Helper()
	err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) error {
		items, err := tx.Get(table.KeyOpen(t.ID))
		if err == nil {
			tx.Put(table.KeyOpen(t.ID), bytes.Replace(items[0].Value, []byte(`"rev":1`), []byte(`"rev":0`), 1))
		}
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// moments are how far a table of four has come when it is stopped.
func moments() map[string]func(*bottest.Hall) {
	return map[string]func(*bottest.Hall){
		"before the cut": func(h *bottest.Hall) {
			h.Must(1, 1, chat.Command, "/banchok 200 side limit=none banks=2")
			for user := range int64(3) {
				h.Must(1, user+2, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!join"}.String())
			}
			h.Must(1, 1, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!deal"}.String())
		},
		"with nothing staked": func(h *bottest.Hall) { h.Sit(1, "200 side limit=none", 1, 2, 3, 4) },
		"with bets on the table": func(h *bottest.Hall) {
			t := h.Sit(1, "200 side limit=none", 1, 2, 3, 4)
			h.Move(1, h.Turn(1), "stake 20")
			h.Pass(11e9)
			h.Move(1, h.Turn(1), "open")
			h.Move(1, h.Turn(1), "stake 30")
			side(h, t, 7)
		},
		"with an early card": func(h *bottest.Hall) {
			t := h.Sit(1, "200 side limit=none", 1, 2, 3, 4)
			h.Move(1, t.Chairs[0].User, "open")
		},
		"before the cut of the second bank": func(h *bottest.Hall) {
			h.Sit(1, "20 min=20 limit=none", 1, 2, 3, 4)
			h.Finish(1)
		},
		"in the second bank": func(h *bottest.Hall) {
			h.Sit(1, "20 min=20 limit=none", 1, 2, 3, 4)
			h.Finish(1)
			h.Cut(1)
			h.Move(1, h.Turn(1), "stake 20")
		},
	}
}

// side lets a punter bet so much on the hand of the one who has staked.
func side(h *bottest.Hall, t *table.Table, amount int) {
	h.T.Helper()
	now := h.Look(t.ID)
	for i, c := range now.Chairs[1:] {
		if now.Chips.Stakes[i+1] == 0 {
			h.Move(1, c.User, fmt.Sprint("side ", amount))
			return
		}
	}
}

// TestStopped: however and whenever a table ends before its time, what was settled stands, the hand in play is settled if
// something is staked on it or a card lies open for it, and the rest goes back, once.
func TestStopped(t *testing.T) {
	for when, runs := range moments() {
		for how, stop := range stops() {
			t.Run(when+"/"+how, func(t *testing.T) {
				h := bottest.NewHall(t)
				h.Keep = 30 * bottest.OneDay
				h.Restart()
				runs(h)
				open := h.Table(1)
				bets := make([]int64, len(open.Chairs))
				if open.Phase == table.Playing && !strings.HasPrefix(how, otherRules) {
					bets = open.Chips.Stakes
				}
				want := map[int64]int64{}
				lies, before := h.Lies(open), play.Broken(*open.Chips).Seats
				for i, c := range open.Chairs {
					want[c.User] = h.Purse(c.User) + lies[i]
				}
				stop(h, open)
				nets := h.Look(open.ID).Chips.Seats
				for i, c := range open.Chairs {
					want[c.User] += nets[i] - before[i]
				}
				wantSettled(t, when, bets, before, nets)
				for range 2 { // Whatever comes later changes nothing.
					after := h.Look(open.ID)
					if after.Phase != table.Ended || after.Why == "" && after.Result == nil || after.Next != "" {
						t.Fatalf("phase %d, why %q, result %v, next %q", after.Phase, after.Why, after.Result, after.Next)
					}
					for user, chips := range want {
						if got := h.Purse(user); got != chips {
							t.Errorf("P%d has %d, want %d", user, got, chips)
						}
					}
					if all := h.Audit(); all.Laid != 0 {
						t.Errorf("%d still lie somewhere", all.Laid)
					}
					h.Ask(1, 1, chat.Press, table.Token{Table: open.ID, Epoch: 2, Do: "open"}.String())
					h.Ask(1, 99, chat.Press, table.Token{Table: open.ID, Do: "!stop"}.String())
					h.Ask(1, 0, chat.Gone, "")
					h.Restart()
					h.Pass(3e9)
				}
				records(h, open)
			})
		}
	}
}

// wantSettled wants the bets to have been settled and nothing else: all have won or all have lost, against the bank. What
// is reserved for a card that lies open is the least that can have been staked.
func wantSettled(t *testing.T, when string, bets, before, nets []int64) {
	t.Helper()
	sum, won := int64(0), 0
	for i, bet := range bets {
		gain := nets[i] - before[i]
		sum += gain
		switch {
		case i == 0:
			continue
		case gain > 0:
			won++
		case gain < 0:
			won--
		}
		if exact := gain == bet || gain == -bet; !exact && (when != "with an early card" || bet == 0) {
			t.Errorf("seat %d has bet %d, and it has brought %d", i, bet, gain)
		}
	}
	if bet := slices.IndexFunc(bets, func(n int64) bool { return n > 0 }); bet > 0 && won == 0 || sum != 0 {
		t.Errorf("bets of %v have brought %v after %v", bets, nets, before)
	}
}

// records wants the deals that ended to be exported, each with an outcome if it was played to its end.
func records(h *bottest.Hall, stopped *table.Table) {
	h.T.Helper()
	n := 0
	err := upkeep.NewArchive(h.Store, []engine.Rules{h.Games["banchok"]}).Export(h.T.Context(), func(r engine.Record) error {
		n++
		over := r.Seed != stopped.Seed || h.Look(stopped.ID).Result != nil
		if (r.Outcome != nil) != over {
			h.T.Errorf("the deal is over: %t, and its record is %+v", over, r)
		}
		return nil
	})
	want := 0
	if h.Look(stopped.ID).Dealt != 0 {
		want++
	}
	want += stopped.Session.Deal - 1
	if err != nil || n != want {
		h.T.Errorf("%d records, %v; want %d", n, err, want)
	}
}
