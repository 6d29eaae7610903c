package bot

import (
	"bytes"
	"fmt"
	"testing"

	"zevaka/engine"
	"zevaka/storage"
)

// stops are all the ways in which a table with chips can end before its time. Each is told to end the table in channel 1.
func stops() map[string]func(*hall, *table) {
	return map[string]func(*hall, *table){
		"the host": func(h *hall, t *table) {
			r := h.must(1, t.Host, Press, token{Table: t.id, Do: "!stop"}.String())
			h.must(1, t.Host, Press, r.Posts[0].Buttons[0][0].Token)
		},
		"an admin": func(h *hall, _ *table) {
			r := h.must(1, 99, Command, "/stop")
			h.must(1, 99, Press, r.Posts[0].Buttons[0][0].Token)
		},
		"the channel is gone":   func(h *hall, _ *table) { h.must(1, 0, Gone, "") },
		"the community is gone": func(h *hall, _ *table) { h.must(0, 0, Gone, "") },
		"other rules":           func(h *hall, t *table) { h.age(t); h.ask(1, t.Host, Command, "/table") },
		"other rules, by the clock": func(h *hall, t *table) {
			h.age(t)
			h.restart()
			h.pass(1e9)
		},
		"all are removed": func(h *hall, t *table) {
			for _, c := range t.Chairs {
				h.must(1, 99, Press, token{Table: t.id, Do: "!remove " + c.key()}.String())
			}
		},
	}
}

// age makes a table one of rules that the program doesn't know any more.
func (h *hall) age(t *table) {
	h.t.Helper()
	err := storage.Update(h.t.Context(), h.store, func(tx storage.Tx) error {
		items, err := tx.Get(keyOpen(t.id))
		if err == nil {
			tx.Put(keyOpen(t.id), bytes.Replace(items[0].Value, []byte(`"rev":1`), []byte(`"rev":0`), 1))
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
			h.must(1, 1, Command, "/banchok 200 side limit=none banks=2")
			for user := range int64(3) {
				h.must(1, user+2, Press, token{Table: h.table(1).id, Do: "!join"}.String())
			}
			h.must(1, 1, Press, token{Table: h.table(1).id, Do: "!deal"}.String())
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
func (h *hall) side(t *table, amount int) {
	h.t.Helper()
	now := h.look(t.id)
	for i, c := range now.Chairs[1:] {
		if now.Chips.Stakes[i+1] == 0 {
			h.move(1, c.User, fmt.Sprint("side ", amount))
			return
		}
	}
}

// TestStopped: however and whenever a table ends before its time, what was settled stands, what lies on it goes back,
// once, and its record has no outcome.
func TestStopped(t *testing.T) {
	for when, play := range moments() {
		for how, stop := range stops() {
			t.Run(when+"/"+how, func(t *testing.T) {
				h := newHall(t)
				play(h)
				open := h.table(1)
				want := map[int64]int64{}
				lies := h.lies(open)
				for i, c := range open.Chairs {
					want[c.User] = h.purse(c.User) + lies[i]
				}
				stop(h, open)
				for range 2 { // Whatever comes later changes nothing.
					after := h.look(open.id)
					if after.Phase != ended || after.Why == "" || after.Result != nil || after.Next != "" {
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
					h.ask(1, 1, Press, token{Table: open.id, Epoch: 2, Do: "open"}.String())
					h.ask(1, 99, Press, token{Table: open.id, Do: "!stop-now"}.String())
					h.ask(1, 0, Gone, "")
					h.restart()
					h.pass(3e9)
				}
				h.records(open)
			})
		}
	}
}

// lies is what lies on a table for each of its chairs.
func (h *hall) lies(t *table) []int64 {
	lies := make([]int64, len(t.Chairs))
	copy(lies, t.Chips.Stakes)
	lies[0] += t.Chips.Bank
	return lies
}

// records wants the deals that ended to be exported, each with an outcome if it was played to its end.
func (h *hall) records(stopped *table) {
	h.t.Helper()
	n := 0
	err := NewArchive(h.store, []engine.Rules{h.bot.games["banchok"]}).Export(h.t.Context(), func(r engine.Record) error {
		n++
		if over := r.Outcome != nil; over != (r.Seed != stopped.Seed) {
			h.t.Errorf("the record has an outcome: %t: %+v", over, r)
		}
		return nil
	})
	want := 0
	if stopped.Dealt != 0 {
		want++
	}
	want += stopped.Session.Deal - 1
	if err != nil || n != want {
		h.t.Errorf("%d records, %v; want %d", n, err, want)
	}
}
