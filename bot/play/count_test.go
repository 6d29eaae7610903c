package play_test

import (
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/table"
)

// TestChainHasAHead: "Again" under an old table costs the same however many tables came after it, and leads to the
// newest.
func TestChainHasAHead(t *testing.T) {
	costs := map[int]bottest.Counted{}
	for _, length := range []int{20, 200} {
		h := bottest.NewCounted(t)
		first := h.PlayOne(1, 1, chat.Command, "/tecza deal=7")
		again := table.Token{Table: first, Do: "!again"}.String()
		for range length {
			h.PlayOne(1, 1, chat.Press, again)
		}
		costs[length] = h.Costs(func() { h.Must(1, 1, chat.Press, again) })
		newest := h.Table(1).ID
		for _, id := range []table.ID{first, newest} {
			if r := h.Ask(1, 2, chat.Press, table.Token{Table: id, Do: "!again"}.String()); id == first && (r.Alert || r.Posts[0].Table != newest.String()) {
				t.Errorf("somebody else is answered %+v", r)
			}
		}
	}
	if costs[200].Above(costs[20]) {
		t.Errorf("after 20 tables it costs %+v, after 200 %+v", costs[20], costs[200])
	}
}

// TestChainFromBefore: a chain that was made before its newest table was stored is gone along for a while only, and has a
// newest from then on. It is let go of when that table has left.
func TestChainFromBefore(t *testing.T) {
	h := bottest.NewCounted(t)
	h.Keep = 48 * 3600e9
	h.Restart()
	first := h.PlayOne(1, 1, chat.Command, "/tecza deal=7")
	again := table.Token{Table: first, Do: "!again"}.String()
	for range 5 * play.MaxHops {
		last := h.PlayOne(1, 1, chat.Press, again)
		h.ChangeEnded(last, func(t *table.Table) { t.Chain = "" })
	}
	h.Delete(table.KeyChain(first))
	if cost := h.Costs(func() { h.Must(1, 1, chat.Press, again) }); cost.Keys > 3*play.MaxHops+20 {
		t.Errorf("the first press costs %+v", cost)
	}
	newest := h.Table(1).ID
	if r := h.Must(1, 2, chat.Press, again); r.Posts[0].Table != newest.String() {
		t.Errorf("the second press leads to %s, the first to %s", r.Posts[0].Table, newest)
	}
	h.Must(1, 1, chat.Command, "/stop")
	h.ShowLast(newest)
	h.Wall += 49 * 3600e9
	if _, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for key := range h.Everything() {
		if key[:2] == keyspace.Chains || key[:2] == keyspace.EndedTables {
			t.Errorf("%s has stayed", key)
		}
	}
}
