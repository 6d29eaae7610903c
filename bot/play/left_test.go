package play_test

import (
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/storage"
)

// TestLeftBanks: two homes have left banks at all tables of a place, and nobody has done anything there for a month; others can open a table
// all the same.
func TestLeftBanks(t *testing.T) {
	h := bottest.NewKeeper(t)
	leaveBanks(h)
	for d, opened := range map[time.Duration]bool{time.Hour: false, 25 * time.Hour: true} {
		h := h.Twin(t)
		h.Running += d
		r := h.Request(1, 1, chat.Command, "/zevaka")
		r.From = "198.51.100.7/32"
		if r := h.Bot.Handle(t.Context(), r); (r.Opened != "") != opened {
			t.Errorf("after %v: %q, %q", d, r.Toast, r.Opened)
		}
		h.Audit()
	}
}

// leaveBanks has people of two homes open a bank at every table that a place may have, and play no further.
func leaveBanks(h *bottest.Hall) {
	h.T.Helper()
	for n := range int64(table.MaxTables) {
		host := 1000 + n/3 // So many tables of one's own everybody may have.
		opens := func(kind chat.Kind, data string) chat.Response {
			r := h.Request(1, host, kind, data)
			r.From = []string{"192.0.2.1/32", "2001:db8::/64"}[n%2]
			h.Running += 2 * time.Second
			return h.Bot.Handle(h.T.Context(), r)
		}
		r := opens(chat.Command, "/banchok 20 limit=none")
		if r.Opened == "" {
			r = opens(chat.Press, bottest.ButtonOf(r, "nother"))
		}
		id, ok := table.ParseID(r.Opened)
		if !ok {
			h.T.Fatalf("table %d: %q", n, r.Toast)
		}
		h.Must(1, 2000+n/3, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		h.Must(1, host, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
		h.Cut(1)
	}
}

// TestGuardedPlaceStaysFull: who may open no table closes none by trying, where the place is full.
func TestGuardedPlaceStaysFull(t *testing.T) {
	h := bottest.NewKeeper(t)
	leaveBanks(h)
	err := storage.Update(t.Context(), h.Store, func(tx storage.Tx) error {
		record, err := table.GetPlace(tx, h.Place(1))
		record.Guarded = true
		if err == nil {
			err = table.PutPlace(tx, h.Place(1), record)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.Running += 25 * time.Hour
	was := len(h.OpenTables(1))
	r := h.Ask(1, 1, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka"))
	if now := len(h.OpenTables(1)); now != was {
		t.Errorf("%q, and of %d tables %d are open", r.Toast, was, now)
	}
}
