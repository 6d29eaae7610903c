package bot

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"zevaka/engine"
	"zevaka/storage"
	"zevaka/storage/bolt"
)

// TestBoundedLog: a table at which no game ends is closed after so many moves, and what lies on it goes back.
func TestBoundedLog(t *testing.T) {
	for name, open := range map[string]func(h *hall) (user int64, token string){
		"a patience": func(h *hall) (int64, string) {
			h.must(1, 1, Command, "/tecza deal=7")
			return 1, h.button(1, "draw")
		},
		"a bank": func(h *hall) (int64, string) {
			h.sit(1, "200 min=20 limit=none", 1, 2)
			return h.turn(1), h.button(1, "stake 20")
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, err := bolt.Open(filepath.Join(t.TempDir(), "z.db"), bolt.Options{NoSync: true})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			h := &hall{t: t, store: store}
			h.restart()
			user, token := open(h)
			id := h.table(1).id
			h.lengthen(id, maxLog-1)
			h.must(1, user, Press, token)
			if last := h.look(id); last.Phase != ended || last.Why != "stop-long" || last.Moves != maxLog {
				t.Errorf("phase %d, %q, %d moves", last.Phase, last.Why, last.Moves)
			}
			for user := int64(1); user <= 2; user++ {
				if got := h.purse(user); got != 3000 {
					t.Errorf("P%d has %d", user, got)
				}
			}
		})
	}
}

// lengthen makes a table one that is said to have had so many moves, with its state at hand.
func (h *hall) lengthen(id tableID, moves int) {
	h.t.Helper()
	one := h.look(id)
	state := h.state(one)
	one.Moves = moves
	value, err := one.encode()
	if err == nil {
		err = storage.Update(h.t.Context(), h.store, func(tx storage.Tx) error {
			tx.Put(keyOpen(id), value)
			return nil
		})
	}
	if err != nil {
		h.t.Fatal(err)
	}
	h.bot.cache.put(&cached{table: one, state: state, value: value})
}

// TestBoundedRequests: whatever somebody sends of a request, no more of it is kept than there is room for.
func TestBoundedRequests(t *testing.T) {
	long := strings.Repeat("Ж", 100_000)
	for name, send := range map[string]func(h *hall) Response{
		"a name": func(h *hall) Response {
			return h.bot.Handle(h.t.Context(), Request{
				ID: "x", Kind: Command, Who: User{ID: 5, Name: long, Lang: long}, In: h.place(1), Data: "/zevaka",
			})
		},
		"a command": func(h *hall) Response { return h.ask(1, 5, Command, "/zevaka "+long) },
		"a token":   func(h *hall) Response { return h.ask(1, 5, Press, "1.t-25.1."+long) },
		"a cut": func(h *hall) Response {
			h.must(2, 5, Command, "/tecza")
			return h.bot.Handle(h.t.Context(), Request{
				ID: "x", Kind: Press, Who: hallUser(5), In: h.place(2), Text: long,
				Data: token{Table: h.table(2).id, Epoch: 1, Do: "!cut"}.String(),
			})
		},
		"a request's ID": func(h *hall) Response {
			return h.bot.Handle(h.t.Context(), Request{ID: long, Kind: Command, Who: hallUser(5), In: h.place(1), Data: "/zevaka"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t)
			send(h)
			for key, value := range h.everything() {
				if len(key) > 100 || len(value) > 2000 {
					t.Errorf("%s has %d bytes", key, len(value))
				}
			}
		})
	}
}

// TestBoundedMemory: a table remembers as many requests as it may, however many come.
func TestBoundedMemory(t *testing.T) {
	h := newHall(t)
	h.must(1, 1, Command, "/zevaka")
	fast := token{Table: h.table(1).id, Do: "!fast"}.String()
	for range 3 * maxSeen {
		h.must(1, 1, Press, fast)
	}
	if n := len(h.table(1).seen); n != 8*maxSeen {
		t.Errorf("%d bytes are remembered, want %d", n, 8*maxSeen)
	}
}

// TestBoundedSeats: no more people and computer players sit down than there are seats.
func TestBoundedSeats(t *testing.T) {
	for _, rules := range newHall(t).bot.order {
		info := rules.Info()
		if isSolo(info) {
			continue
		}
		t.Run(info.Name, func(t *testing.T) {
			h := newHall(t)
			h.must(1, 1, Command, "/"+info.Name)
			id := h.table(1).id
			for user := range int64(2 * info.MaxSeats) {
				h.ask(1, user+2, Press, token{Table: id, Do: "!join"}.String())
				h.ask(1, 1, Press, token{Table: id, Do: "!robot"}.String())
			}
			if n := len(h.table(1).Chairs); n != info.MaxSeats {
				t.Errorf("%d sit at a table for %d", n, info.MaxSeats)
			}
			if r := h.ask(1, 90, Press, token{Table: id, Do: "!join"}.String()); !h.is(r, errFull) {
				t.Errorf("one more sits down: %+v", r)
			}
		})
	}
}

// TestBoundedPlace: what a place keeps doesn't grow with the tables that were open there.
func TestBoundedPlace(t *testing.T) {
	h := newHall(t)
	size := func() int { return len(h.everything()[keyPlace(h.place(1))]) }
	h.must(1, 1, Command, "/lang en")
	before := size()
	for range 3 * maxTables {
		h.must(1, 1, Command, "/zevaka")
		h.must(1, 1, Press, token{Table: h.table(1).id, Do: "!stop-now"}.String())
	}
	if now := size(); now != before {
		t.Errorf("%d bytes, and %d before", now, before)
	}
	var refused engine.Refusal
	for n := range maxTables + 1 {
		r := h.ask(1, int64(n+1), Command, "/zevaka")
		if h.is(r, errManyTables) {
			refused = errManyTables
		}
	}
	if tables, err := h.bot.tableIDs(t.Context(), h.place(1)); err != nil || len(tables) != maxTables || refused == "" {
		t.Errorf("%d tables are open, %q, %v", len(tables), fmt.Sprint(refused), err)
	}
}
