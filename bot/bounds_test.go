package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage/storagetest/stores"
)

// TestBoundedLog: a table at which no game ends is closed after so many moves. A stake is settled first, which takes one
// more, and what else lies there goes back.
func TestBoundedLog(t *testing.T) {
	for _, test := range []struct {
		name string
		open func(h *bottest.Hall) (user int64, token string)
		// settles is how many moves come after the last one, and bring somebody stake.
		settles int
		stake   int64
	}{
		{name: "a patience", open: func(h *bottest.Hall) (int64, string) {
			h.Must(1, 1, chat.Command, "/tecza deal=7")
			return 1, h.Button(1, "draw")
		}},
		{name: "a bank", settles: 1, stake: 20, open: func(h *bottest.Hall) (int64, string) {
			h.Sit(1, "200 min=20 limit=none", 1, 2)
			return h.Turn(1), h.Button(1, "stake 20")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			store := stores.Bolt(t)
			h := &bottest.Hall{T: t, Store: store}
			h.Restart()
			user, token := test.open(h)
			id := h.Table(1).ID
			moves := h.Look(id).Moves + 1
			h.Bot.SetMaxMoves(moves)
			h.Must(1, user, chat.Press, token)
			if last := h.Look(id); last.Phase != table.Ended || last.Why != "stop-long" || last.Moves != moves+test.settles {
				t.Errorf("phase %d, %q, %d moves", last.Phase, last.Why, last.Moves)
			}
			for user := int64(1); user <= 2; user++ {
				if got := h.Purse(user) - 3000; got != test.stake && got != -test.stake {
					t.Errorf("P%d has won %d", user, got)
				}
			}
		})
	}
}

// TestBoundedRequests: whatever somebody sends of a request, no more of it is kept than there is room for.
func TestBoundedRequests(t *testing.T) {
	long := strings.Repeat("Ж", 100_000)
	for name, send := range map[string]func(h *bottest.Hall) chat.Response{
		"a name": func(h *bottest.Hall) chat.Response {
			return bottest.Seen(h.T.Context(), h.Bot, chat.Request{
				ID: "x", Kind: chat.Command, Who: chat.User{ID: 5, Name: long, Lang: long}, In: h.Place(1), Data: "/zevaka",
			})
		},
		"a command": func(h *bottest.Hall) chat.Response { return h.Ask(1, 5, chat.Command, "/zevaka "+long) },
		"a token":   func(h *bottest.Hall) chat.Response { return h.Ask(1, 5, chat.Press, "1.t-25.1."+long) },
		"a cut": func(h *bottest.Hall) chat.Response {
			h.Must(2, 5, chat.Command, "/tecza")
			return bottest.Seen(h.T.Context(), h.Bot, chat.Request{
				ID: "x", Kind: chat.Press, Who: bottest.User(5), In: h.Place(2), Text: long,
				Data: table.Token{Table: h.Table(2).ID, Epoch: 1, Do: "!cut"}.String(),
			})
		},
		"a request's ID": func(h *bottest.Hall) chat.Response {
			return bottest.Seen(h.T.Context(), h.Bot, chat.Request{ID: long, Kind: chat.Command, Who: bottest.User(5), In: h.Place(1), Data: "/zevaka"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			send(h)
			for key, value := range h.Everything() {
				if len(key) > 100 || len(value) > 2000 {
					t.Errorf("%s has %d bytes", key, len(value))
				}
			}
		})
	}
}

// TestBoundedMemory: a table remembers as many requests as it may, however many come.
func TestBoundedMemory(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/zevaka")
	fast := table.Token{Table: h.Table(1).ID, Do: "!fast"}.String()
	for range 3 * table.MaxSeen {
		h.Must(1, 1, chat.Press, fast)
	}
	if n := len(h.Table(1).Seen); n != 8*table.MaxSeen {
		t.Errorf("%d bytes are remembered, want %d", n, 8*table.MaxSeen)
	}
}

// TestBoundedSeats: no more people and computer players sit down than there are seats.
func TestBoundedSeats(t *testing.T) {
	for _, rules := range games.All() {
		info := rules.Info()
		if info.ForOne() {
			continue
		}
		t.Run(info.Name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Must(1, 1, chat.Command, "/"+info.Name)
			id := h.Table(1).ID
			for user := range int64(2 * info.MaxSeats) {
				h.Ask(1, user+2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
				h.Ask(1, 1, chat.Press, table.Token{Table: id, Do: "!robot"}.String())
			}
			if n := len(h.Table(1).Chairs); n != info.MaxSeats {
				t.Errorf("%d sit at a table for %d", n, info.MaxSeats)
			}
			if r := h.Ask(1, 90, chat.Press, table.Token{Table: id, Do: "!join"}.String()); !h.Is(r, table.ErrFull) {
				t.Errorf("one more sits down: %+v", r)
			}
		})
	}
}

// TestBoundedPlace: what a place keeps doesn't grow with the tables that were open there.
func TestBoundedPlace(t *testing.T) {
	h := bottest.NewHall(t)
	size := func() int { return len(h.Everything()[table.KeyPlace(h.Place(1))]) }
	h.Must(1, 1, chat.Command, "/lang en")
	opens := func() {
		h.Must(1, 1, chat.Command, "/zevaka")
		h.Sure(1, 1, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!stop"}.String())
	}
	opens()
	before := size()
	for range 3 * table.MaxTables {
		opens()
	}
	if now := size(); now != before {
		t.Errorf("%d bytes, and %d before", now, before)
	}
	var refused engine.Refusal
	for n := range table.MaxTables + 1 {
		r := h.Ask(1, int64(n+1), chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka"))
		if h.Is(r, table.ErrManyTables) {
			refused = table.ErrManyTables
		}
	}
	if tables, err := bottest.Shelf(h.Store).TableIDs(t.Context(), h.Place(1)); err != nil || len(tables) != table.MaxTables || refused == "" {
		t.Errorf("%d tables are open, %q, %v", len(tables), fmt.Sprint(refused), err)
	}
}
