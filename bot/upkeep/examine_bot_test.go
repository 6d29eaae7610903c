package upkeep_test

import (
	"encoding/json"
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// TestExamine: all that a season stores is what its keys say, and nothing that a bit or two make of it is taken for it
// silently: either it is refused, or it still can be read.
func TestExamine(t *testing.T) {
	h := bottest.NewKeeper(t)
	h.Season()
	h.Must(1, 1, chat.Command, "/lang pl")
	h.Must(1, 99, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!set gifts off"))
	h.PlayZevaka(6, 5, 6)
	h.Restart()
	examine := upkeep.Examine(games.All())
	kinds := map[string]storage.Item{}
	look := func() {
		for _, item := range stores.Items(t, h.Store, "") {
			if err := examine(item); err != nil {
				t.Errorf("%s: %v", item.Key, err)
			}
			kinds[item.Key[:2]] = item
		}
	}
	look()
	h.Running += 40 * bottest.OneDay
	for n := range 60 {
		m := &stores.Mortal{Store: h.Store, Left: n}
		if _, err := h.Keeper(m, 0).Sweep(t.Context()); err == nil {
			break
		}
		look()
	}
	look()
	kinds["m/"] = storage.Item{Key: "m/t-25", Value: []byte("t-26")}
	kinds["w/"] = storage.Item{Key: "w/t-25", Value: []byte("[]")}
	kinds["x/"] = storage.Item{Key: "x/t-25/7", Value: []byte("{}")}
	for _, kind := range strings.Fields("a/ b/ c/ d/ e/ f/ g/ h/ k/ l/ m/ o/ p/ r/ s/ w/ x/") {
		item, ok := kinds[kind]
		if !ok {
			t.Errorf("the season stores nothing under %s", kind)
			continue
		}
		if err := examine(item); err != nil {
			t.Errorf("%s: %v", item.Key, err)
		}
		for _, bad := range []storage.Item{
			{Key: item.Key, Value: []byte("{")}, {Key: item.Key, Value: []byte{}}, {Key: kind, Value: item.Value},
			{Key: kind + "?", Value: item.Value}, {Key: item.Key + "/?", Value: item.Value},
		} {
			bad.Rev = 1
			if err := examine(bad); err == nil && (kind != "e/" || !json.Valid(bad.Value)) {
				t.Errorf("%s %.40q is taken", bad.Key, bad.Value)
			}
		}
	}
	for _, key := range []string{"", "q", "q/w1", "aa/w1/u1"} {
		if err := examine(storage.Item{Key: key}); err == nil {
			t.Errorf("%q is taken", key)
		}
	}
}
