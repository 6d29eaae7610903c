package bot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/engine/enginetest"
	"zevaka/storage"
)

// lines are all commands with whatever may follow them, as a person types them who knows somebody called "N 7".
func lines(t testing.TB, b *Bot) []string {
	t.Helper()
	after := map[string][]string{
		"": {""}, "text": {"x"}, "patience": {"", "tecza deal=7"}, "move": {"draw"}, "amount": {"5"}, "seat": {"", "1"},
		"person": {"", "N 7", "<@107>", "Nobody"}, "gift": {"N 7 5", "<@107> 5", "Nobody 5"}, "switch": {"on", "off"}, "season": {"on", "off"},
		"scores":  {"", "zevaka", "N 7", "zevaka N 7", "<@107>", "Nobody"},
		"history": {"", "tecza", "N 7", "tecza <@1>", "Nobody"}, "replay": {"", "2"}, "settings": {"", "text", "pictures"}, "day": {"", "tecza", "post 9", "post off", "post=9"},
		"game": {"", "banchok"}, "lang": {"en"},
	}
	var all []string
	for _, rules := range b.order {
		all = append(all, "/"+rules.Info().Name)
	}
	for _, v := range (&Bot{}).verbs() {
		arguments, ok := after[v.argument]
		if !ok {
			t.Errorf("what can follow /%s? Say it here, so that it is measured", v.Name)
		}
		for _, a := range arguments {
			all = append(all, strings.TrimSpace("/"+v.Name+" "+a))
		}
	}
	return all
}

// arguments are what a button says after its action, as far as it must say something.
func arguments(action string) string {
	return map[string]string{
		"!m": " draw", "!remove": " #1", "!bet": " 20", "!cut": " 7", "!set": " 21b", "!opt": " pack",
		"!patience": " tecza", "!ledger": " 7", "!mydata": " i/0", "!here": " abc", "!answer": " abc 0",
		"!games": " tecza 1 zzzzzzxabcd", "!chart": " chips",
	}[action]
}

// pressed are the buttons of every kind of table: what is pressed where, by user 1.
func pressed(t testing.TB, h *hall) (all []chat.Request) {
	t.Helper()
	add := func(channel int64, do string, epoch int, id table.ID) {
		all = append(all, chat.Request{Kind: chat.Press, Who: hallUser(1), In: h.place(channel), Data: table.Token{Table: id, Epoch: epoch, Do: do}.String()})
	}
	for channel := int64(1); channel <= 5; channel++ {
		one := h.table(channel)
		epoch := 0
		switch one.Phase {
		case table.Cutting:
			epoch = 1
		case table.Playing:
			state := h.state(one)
			epoch = one.Epoch(state)
			moves := state.Moves(state.Turn()[0], nil)
			for _, m := range moves[:min(len(moves), 5)] {
				add(channel, h.bot.games[one.Game].Text(m), epoch, one.ID)
			}
		}
		for _, w := range play.Actions() {
			add(channel, "!"+w.Name+arguments("!"+w.Name), epoch, one.ID)
		}
	}
	for _, w := range (&Bot{}).placeActions() {
		add(1, "!"+w.Name+arguments("!"+w.Name), 0, table.ID{Community: h.place(1).Community, Name: table.NoTable})
	}
	return all
}

// crowd stores tables that ended, at each of which user 1 has sat, and people with purses, tallies and names.
func crowd(t testing.TB, s storage.Store, at chat.Community, tables, people int) {
	t.Helper()
	origin := at.String()
	for first := 0; first < max(tables, people); first += 8 {
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
			for i := first; i < min(first+8, max(tables, people)); i++ {
				if i < people {
					if err := comer(tx, origin, i); err != nil {
						return err
					}
				}
				if i >= tables {
					continue
				}
				id := table.ID{Community: at, Name: table.NameFor(fmt.Sprint("crowd ", i))}
				one := &table.Table{
					ID: id, Format: table.Format, Phase: table.Ended,
					Agreed: table.Agreed{Place: chat.Place{Community: at, Channel: 1}, Game: "tecza", Rev: 1},
					Chairs: []table.Chair{{User: 1, Name: "P1"}}, LogState: table.LogState{Moves: 1}, Tail: []byte("draw;"),
					End: table.End{Opened: 1, Dealt: 1, Ended: 2},
				}
				value, err := one.Encode()
				if err != nil {
					return err
				}
				tx.Put(table.KeyEnded(id), value)
				table.ListEnded(tx, one)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// comer stores somebody who has a purse, a tally and a name.
func comer(tx storage.Tx, origin string, i int) error {
	user, name := int64(100+i), fmt.Sprint("N ", i)
	if _, err := (purse.Ledger{Tx: tx, Community: origin}).Open(user, name); err != nil {
		return err
	}
	if err := purse.SeenName(tx, origin, user, name); err != nil {
		return err
	}
	f := scores.Finish{Won: i%2 == 0, Place: 1}
	_, err := scores.Record(tx, scores.Key{Community: origin, Game: "zevaka", User: user}, name, f)
	return err
}

// costsOfAll is what each command and button reads where a community has so many tables, purses, tallies and names. Each is
// tried on a store as it was before the others.
func costsOfAll(t *testing.T, n int) map[string]counted {
	t.Helper()
	h := street(t)
	crowd(t, h.store, h.place(1).Community, n, n)
	for user := int64(1); user <= 2; user++ {
		h.must(1, user, chat.Command, "/balance")
	}
	presses := pressed(t, h)
	kept, c, now := h.everything(), newCounter(h.store), h.running
	h.store = c
	costs := map[string]counted{}
	try := func(what string, r chat.Request) {
		h.restart()
		h.running = now + 5e9
		r.ID, c.written = "try "+what, nil
		var asked string
		costs[what] = h.costs(func() { asked = answerIn(h.bot.seen(t.Context(), r)) })
		if asked != "" {
			answer := chat.Request{ID: "answer " + what, Kind: chat.Press, Who: r.Who, In: r.In, Data: asked}
			costs[what+", answered"] = h.costs(func() { h.bot.seen(t.Context(), answer) })
		}
		h.restore(kept, c.written)
	}
	for _, line := range lines(t, h.bot) {
		for _, user := range []int64{1, 99} {
			try(fmt.Sprint(line, " by ", user), chat.Request{Kind: chat.Command, Who: hallUser(user), In: h.place(1), Data: line})
		}
	}
	for _, r := range presses {
		try(fmt.Sprint(r.Data, " in ", r.In.Channel), r)
	}
	return costs
}

// restore makes what is stored under the keys what it was.
func (h *hall) restore(kept map[string]string, keys []string) {
	h.t.Helper()
	for some := range slices.Chunk(keys, storage.MaxKeys/2) {
		err := storage.Update(h.t.Context(), h.store, func(tx storage.Tx) error {
			for _, key := range some {
				if value, ok := kept[key]; ok {
					tx.Put(key, []byte(value))
				} else {
					tx.Delete(key)
				}
			}
			return nil
		})
		if err != nil {
			h.t.Fatal(err)
		}
	}
}

// TestCostsDoNotGrow: no command and no button reads more where there are many tables, purses, tallies and names than
// where there are few.
func TestCostsDoNotGrow(t *testing.T) {
	few, many := costsOfAll(t, fileTables+20), costsOfAll(t, enginetest.Bound(600, 2000))
	if len(few) < 150 || len(few) != len(many) {
		t.Fatalf("%d things were tried, and %d", len(few), len(many))
	}
	for what, cost := range many {
		if cost.above(few[what]) {
			t.Errorf("%s: %+v where there are many, %+v where there are few", what, cost, few[what])
		}
	}
}
