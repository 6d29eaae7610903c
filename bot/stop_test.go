package bot

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/storage"
)

// stops are all the ways in which a table with chips can end before its time, but for a host who plays there. Each is told
// to end the table in channel 1.
func stops() map[string]func(*hall, *table.Table) {
	return map[string]func(*hall, *table.Table){
		"an admin": func(h *hall, _ *table.Table) {
			r := h.must(1, 99, chat.Command, "/stop")
			h.must(1, 99, chat.Press, r.Posts[0].Buttons[0][0].Token)
			h.sleepOver()
		},
		"the channel is gone":   func(h *hall, _ *table.Table) { h.must(1, 0, chat.Gone, "") },
		"the community is gone": func(h *hall, _ *table.Table) { h.must(0, 0, chat.Gone, "") },
		otherRules:              func(h *hall, t *table.Table) { h.age(t); h.ask(1, t.Host, chat.Command, "/table") },
		otherRules + ", by the clock": func(h *hall, t *table.Table) {
			h.age(t)
			h.restart()
			h.pass(1e9)
		},
		"nobody plays for long": func(h *hall, _ *table.Table) {
			for range 9 {
				h.running += 31 * oneDay
				h.pass(1e9)
			}
		},
		"all are removed": func(h *hall, t *table.Table) {
			for _, c := range t.Chairs {
				h.sure(1, 99, chat.Press, table.Token{Table: t.ID, Do: "!remove " + c.Key()}.String())
			}
			h.sleepOver()
		},
	}
}

// otherRules ends a table whose moves nobody can make any more, not even those that would settle its hand.
const otherRules = "other rules"

// sleepOver lets as much time pass as anybody has for one turn, and for all that follows by itself.
func (h *hall) sleepOver() {
	h.t.Helper()
	h.pass(65e9)
	h.running += oneDay
	h.pass(5e9)
}

// age makes a table one of rules that the program doesn't know any more.
func (h *hall) age(t *table.Table) {
	h.t.Helper()
	err := storage.Update(h.t.Context(), h.store, func(tx storage.Tx) error {
		items, err := tx.Get(table.KeyOpen(t.ID))
		if err == nil {
			tx.Put(table.KeyOpen(t.ID), bytes.Replace(items[0].Value, []byte(`"rev":1`), []byte(`"rev":0`), 1))
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// moments are how far a table of four has come when it is stopped.
func moments() map[string]func(*hall) {
	return map[string]func(*hall){
		"before the cut": func(h *hall) {
			h.must(1, 1, chat.Command, "/banchok 200 side limit=none banks=2")
			for user := range int64(3) {
				h.must(1, user+2, chat.Press, table.Token{Table: h.table(1).ID, Do: "!join"}.String())
			}
			h.must(1, 1, chat.Press, table.Token{Table: h.table(1).ID, Do: "!deal"}.String())
		},
		"with nothing staked": func(h *hall) { h.sit(1, "200 side limit=none", 1, 2, 3, 4) },
		"with bets on the table": func(h *hall) {
			t := h.sit(1, "200 side limit=none", 1, 2, 3, 4)
			h.move(1, h.turn(1), "stake 20")
			h.pass(11e9)
			h.move(1, h.turn(1), "open")
			h.move(1, h.turn(1), "stake 30")
			h.side(t, 7)
		},
		"with an early card": func(h *hall) {
			t := h.sit(1, "200 side limit=none", 1, 2, 3, 4)
			h.move(1, t.Chairs[0].User, "open")
		},
		"before the cut of the second bank": func(h *hall) {
			h.sit(1, "20 min=20 limit=none", 1, 2, 3, 4)
			h.finish(1)
		},
		"in the second bank": func(h *hall) {
			h.sit(1, "20 min=20 limit=none", 1, 2, 3, 4)
			h.finish(1)
			h.cut(1)
			h.move(1, h.turn(1), "stake 20")
		},
	}
}

// side lets a punter bet so much on the hand of the one who has staked.
func (h *hall) side(t *table.Table, amount int) {
	h.t.Helper()
	now := h.look(t.ID)
	for i, c := range now.Chairs[1:] {
		if now.Chips.Stakes[i+1] == 0 {
			h.move(1, c.User, fmt.Sprint("side ", amount))
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
				h := newHall(t)
				h.keep = 30 * oneDay
				h.restart()
				runs(h)
				open := h.table(1)
				bets := make([]int64, len(open.Chairs))
				if open.Phase == table.Playing && !strings.HasPrefix(how, otherRules) {
					bets = open.Chips.Stakes
				}
				want := map[int64]int64{}
				lies, before := h.lies(open), play.Broken(*open.Chips).Seats
				for i, c := range open.Chairs {
					want[c.User] = h.purse(c.User) + lies[i]
				}
				stop(h, open)
				nets := h.look(open.ID).Chips.Seats
				for i, c := range open.Chairs {
					want[c.User] += nets[i] - before[i]
				}
				wantSettled(t, when, bets, before, nets)
				for range 2 { // Whatever comes later changes nothing.
					after := h.look(open.ID)
					if after.Phase != table.Ended || after.Why == "" && after.Result == nil || after.Next != "" {
						t.Fatalf("phase %d, why %q, result %v, next %q", after.Phase, after.Why, after.Result, after.Next)
					}
					for user, chips := range want {
						if got := h.purse(user); got != chips {
							t.Errorf("P%d has %d, want %d", user, got, chips)
						}
					}
					if all := h.audit(); all.Laid != 0 {
						t.Errorf("%d still lie somewhere", all.Laid)
					}
					h.ask(1, 1, chat.Press, table.Token{Table: open.ID, Epoch: 2, Do: "open"}.String())
					h.ask(1, 99, chat.Press, table.Token{Table: open.ID, Do: "!stop"}.String())
					h.ask(1, 0, chat.Gone, "")
					h.restart()
					h.pass(3e9)
				}
				h.records(open)
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

// lies is what lies on a table for each of its chairs.
func (h *hall) lies(t *table.Table) []int64 {
	lies := make([]int64, len(t.Chairs))
	copy(lies, t.Chips.Stakes)
	lies[0] += t.Chips.Bank
	return lies
}

// records wants the deals that ended to be exported, each with an outcome if it was played to its end.
func (h *hall) records(stopped *table.Table) {
	h.t.Helper()
	n := 0
	err := upkeep.NewArchive(h.store, []engine.Rules{h.bot.games["banchok"]}).Export(h.t.Context(), func(r engine.Record) error {
		n++
		over := r.Seed != stopped.Seed || h.look(stopped.ID).Result != nil
		if (r.Outcome != nil) != over {
			h.t.Errorf("the deal is over: %t, and its record is %+v", over, r)
		}
		return nil
	})
	want := 0
	if h.look(stopped.ID).Dealt != 0 {
		want++
	}
	want += stopped.Session.Deal - 1
	if err != nil || n != want {
		h.t.Errorf("%d records, %v; want %d", n, err, want)
	}
}
