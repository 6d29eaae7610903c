package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/engine/games"
	"zevaka/storage"
)

// lines are all commands with whatever may follow them, as a person types them who knows somebody called "N 7".
func lines(t testing.TB, b *bot.Bot) []string {
	t.Helper()
	after := map[string][]string{
		"": {""}, "text": {"x"}, "patience": {"", "tecza deal=7"}, "move": {"draw"}, "amount": {"5"}, "seat": {"", "1"},
		"person": {"", "N 7", "<@107>", "Nobody"}, "gift": {"N 7 5", "<@107> 5", "Nobody 5"}, "switch": {"on", "off"}, "season": {"on", "off"},
		"scores":  {"", "zevaka", "N 7", "zevaka N 7", "<@107>", "Nobody"},
		"history": {"", "tecza", "N 7", "tecza <@1>", "Nobody"}, "replay": {"", "2"}, "settings": {"", "text", "pictures"}, "day": {"", "tecza", "post 9", "post off", "post=9"},
		"game": {"", "banchok"}, "lang": {"en"},
	}
	var all []string
	for _, rules := range games.All() {
		all = append(all, "/"+rules.Info().Name)
	}
	for _, v := range bot.Verbs() {
		arguments, ok := after[v.Argument]
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
func pressed(t testing.TB, h *bottest.Hall) (all []chat.Request) {
	t.Helper()
	add := func(channel int64, do string, epoch int, id table.ID) {
		all = append(all, chat.Request{Kind: chat.Press, Who: bottest.User(1), In: h.Place(channel), Data: table.Token{Table: id, Epoch: epoch, Do: do}.String()})
	}
	for channel := int64(1); channel <= 5; channel++ {
		one := h.Table(channel)
		epoch := 0
		switch one.Phase {
		case table.Cutting:
			epoch = 1
		case table.Playing:
			state := h.State(one)
			epoch = one.Epoch(state)
			moves := state.Moves(state.Turn()[0], nil)
			for _, m := range moves[:min(len(moves), 5)] {
				add(channel, h.Games[one.Game].Text(m), epoch, one.ID)
			}
		}
		for _, w := range play.Actions() {
			add(channel, "!"+w.Name+arguments("!"+w.Name), epoch, one.ID)
		}
	}
	for _, w := range bot.PlaceDeeds() {
		add(1, "!"+w.Name+arguments("!"+w.Name), 0, table.ID{Community: h.Place(1).Community, Name: table.NoTable})
	}
	return all
}

// costsOfAll is what each command and button reads where a community has so many tables, purses, tallies and names. Each is
// tried on a store as it was before the others.
func costsOfAll(t *testing.T, n int) map[string]bottest.Counted {
	t.Helper()
	h := bottest.Street(t)
	bottest.Crowd(t, h.Store, h.Place(1).Community, n, n)
	for user := int64(1); user <= 2; user++ {
		h.Must(1, user, chat.Command, "/balance")
	}
	presses := pressed(t, h)
	kept, c, now := h.Everything(), bottest.NewCounter(h.Store), h.Running
	h.Store = c
	costs := map[string]bottest.Counted{}
	try := func(what string, r chat.Request) {
		h.Restart()
		h.Running = now + 5e9
		r.ID, c.Written = "try "+what, nil
		var asked string
		costs[what] = h.Costs(func() { asked = bottest.AnswerIn(bottest.Seen(t.Context(), h.Bot, r)) })
		if asked != "" {
			answer := chat.Request{ID: "answer " + what, Kind: chat.Press, Who: r.Who, In: r.In, Data: asked}
			costs[what+", answered"] = h.Costs(func() { bottest.Seen(t.Context(), h.Bot, answer) })
		}
		restore(h, kept, c.Written)
	}
	for _, line := range lines(t, h.Bot) {
		for _, user := range []int64{1, 99} {
			try(fmt.Sprint(line, " by ", user), chat.Request{Kind: chat.Command, Who: bottest.User(user), In: h.Place(1), Data: line})
		}
	}
	for _, r := range presses {
		try(fmt.Sprint(r.Data, " in ", r.In.Channel), r)
	}
	return costs
}

// restore makes what is stored under the keys what it was.
func restore(h *bottest.Hall, kept map[string]string, keys []string) {
	h.T.Helper()
	for some := range slices.Chunk(keys, storage.MaxKeys/2) {
		err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) error {
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
			h.T.Fatal(err)
		}
	}
}

// TestCostsDoNotGrow: no command and no button reads more where there are many tables, purses, tallies and names than
// where there are few.
func TestCostsDoNotGrow(t *testing.T) {
	few, many := costsOfAll(t, 50+20), costsOfAll(t, 300**rounds)
	if len(few) < 150 || len(few) != len(many) {
		t.Fatalf("%d things were tried, and %d", len(few), len(many))
	}
	for what, cost := range many {
		if cost.Above(few[what]) {
			t.Errorf("%s: %+v where there are many, %+v where there are few", what, cost, few[what])
		}
	}
}
