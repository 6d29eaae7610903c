package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
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
		"!games": " tecza 1 zzzzzzxabcd", "!chart": " chips", "!own": " my-calls once",
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

// costsOfAll is what each command and button reads where a community has so many tables, of which some are open, purses, tallies and names.
// Each is tried on a store as it was before the others.
func costsOfAll(t *testing.T, n int) map[string]bottest.Counted {
	t.Helper()
	h := bottest.Street(t)
	bottest.Crowd(t, h.Store, h.Place(1).Community, n, n)
	for user := int64(1); user <= 2; user++ {
		h.Must(1, user, chat.Command, "/balance")
	}
	for others := range int64(n / 10) {
		h.Must(100+others, 1000+others, chat.Command, "/tecza")
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
	try("who has gone", chat.Request{Kind: chat.Left, Who: bottest.User(2), In: h.Place(1)})
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

// meter is a store that measures transactions: how many keys each has, and how many people's chips it moves.
type meter struct {
	storage.Store
	mu   sync.Mutex
	seen []metered
}

// metered is one transaction: its keys, the owners of the chips that it moves, and the table that it leads to.
type metered struct {
	keys   map[string]bool
	owners map[string]bool
	next   bool
	scores int
	parts  int
}

// Commit measures what is committed.
func (m *meter) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	rev, err := m.Store.Commit(ctx, t)
	if err != nil || len(t.Writes) == 0 {
		return rev, err
	}
	one := metered{keys: map[string]bool{}, owners: map[string]bool{}}
	tables := 0
	for _, r := range t.Reads {
		one.keys[r.Key] = true
	}
	for _, w := range t.Writes {
		one.keys[w.Key] = true
		switch w.Key[:2] {
		case keyspace.OpenTables:
			tables++
		case "s/":
			one.scores++
		case keyspace.OpenParts, keyspace.EndedParts:
			one.parts++
		case "e/":
			var posting struct{ Legs []purse.Leg }
			if err := json.Unmarshal(w.Value, &posting); err != nil {
				return 0, err
			}
			for _, leg := range posting.Legs {
				owner := string(leg.Account)
				if _, at, ok := leg.Account.Table(); ok {
					owner = string(at)
				}
				one.owners[owner] = true
			}
		}
	}
	one.next = tables > 1
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, one)
	return rev, nil
}

// TestKeys: a settlement has at most 8 keys and 3 for each person whose chips it moves, also that which ends a bank and
// lays out the next one. There is one more for each person who gets a part in that, or whose result is recorded where the
// session ends.
func TestKeys(t *testing.T) {
	h := bottest.NewHall(t)
	m := &meter{Store: h.Store}
	h.Store = m
	h.Restart()
	people := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	now := h.Sit(1, "100 side limit=none", people...)
	h.Must(1, 12, chat.Press, table.Token{Table: now.ID, Epoch: 2, Do: "!join"}.String())
	m.seen = nil
	banks, ends := 0, 0
	for h.Look(now.ID).Next != "" || h.Look(now.ID).Phase != table.Ended {
		if now = h.Look(now.ID); now.Phase == table.Ended {
			now = h.Table(1)
			h.Cut(1)
		}
		switch bank := h.Look(now.ID).Chips.Bank; {
		case h.Look(now.ID).Moves%7 == 3:
			h.Move(1, now.Chairs[0].User, "open")
			h.Move(1, h.Turn(1), fmt.Sprint("stake ", max(1, bank/2)))
		default:
			punter := h.Turn(1)
			h.Move(1, punter, fmt.Sprint("stake ", max(min(5, bank), bank/3)))
			for _, c := range h.Look(now.ID).Chairs[1:] {
				if c.User != punter {
					h.Ask(1, c.User, chat.Command, "/bet 2")
				}
			}
			h.Pass(11e9)
			h.Move(1, now.Chairs[0].User, "open")
		}
	}
	most := map[string]int{}
	origin := now.Origin() + "/"
	for _, one := range m.seen {
		for key := range one.keys {
			if !strings.HasPrefix(key[2:]+"/", origin) {
				t.Errorf("%s is of another community", key)
			}
		}
		allowed, kind := 8+3*len(one.owners)+one.scores+one.parts, "move"
		switch {
		case one.scores > 0:
			kind = "end of the session"
			ends++
		case one.next:
			kind = "end of a bank"
			banks++
		}
		most[kind] = max(most[kind], len(one.keys)-3*len(one.owners)-one.scores-one.parts)
		if len(one.owners) > 0 && len(one.keys) > allowed || len(one.keys) > storage.MaxKeys {
			t.Errorf("%s: %d keys for %d whose chips move and %d results: %v", kind, len(one.keys), len(one.owners), one.scores, one.keys)
		}
	}
	if banks < 8 || ends != 1 {
		t.Errorf("%d banks and %d sessions ended", banks, ends)
	}
	t.Logf("keys beside 3 for each seat, at most: %v, in %d transactions", most, len(m.seen))
	if all := h.Audit(); all.Laid != 0 {
		t.Errorf("%d are still laid out", all.Laid)
	}
}

// farAway is a store that counts how often it is asked for something.
type farAway struct {
	stores.Reads
	trips int
}

func newFarAway(s storage.Store) *farAway {
	f := &farAway{}
	trip := func(items []storage.Item, err error) ([]storage.Item, error) {
		f.trips++
		return items, err
	}
	f.Reads = stores.Reads{Store: s, Got: trip, Scanned: trip}
	return f
}

// Commit implements storage.Store.
func (f *farAway) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	f.trips++
	return f.Store.Commit(ctx, t)
}

// TestTrips: a press at a game in play asks a store that is far away once where the bot has at hand what it needs, and twice where
// it has nothing of the table; at a bank, where it asks for the purses of those whom it finds there, three times.
func TestTrips(t *testing.T) {
	far := newFarAway(stores.Bolt(t))
	h := &bottest.Hall{T: t, Store: far, Remembers: true}
	h.Restart()
	h.Must(1, 1, chat.Command, "/zevaka limit=none")
	h.Must(1, 2, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!join"}.String())
	h.Must(1, 1, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!deal"}.String())
	h.Cut(1)
	h.Sit(2, "300 limit=none", 1, 2, 3)
	h.Must(3, 1, chat.Command, "/tecza deal=7")
	r := rand.New(rand.NewPCG(1, 1))
	press := func(channel int64) (trips int, what string) {
		one := h.Table(channel)
		state := h.State(one)
		seat := state.Turn()[0]
		moves := state.Moves(seat, nil)
		rules := h.Games[one.Game]
		moves = slices.DeleteFunc(moves, func(m engine.Move) bool { return rules.Info().Verbs[m.Verb-1].Role == engine.VerbQuits })
		do := rules.Text(moves[r.IntN(min(len(moves), 3))])
		before := far.trips
		answer := h.Ask(channel, one.Chairs[seat].User, chat.Press, table.Token{Table: one.ID, Epoch: one.Epoch(state), Do: do}.String())
		return far.trips - before, fmt.Sprintf("%s by seat %d of %s with %d chunks: %q", do, seat, one.Game, one.Chunks, strings.TrimSpace(answer.Toast))
	}
	for _, test := range []struct {
		game          string
		channel       int64
		presses, cold int
	}{
		{"zevaka", 1, 150, 2},
		{"banchok", 2, 30, 3},
		{"a patience", 3, 40, 2},
	} {
		press(test.channel)
		for range test.presses {
			if n, what := press(test.channel); n != 1 {
				t.Errorf("at hand, %d trips: %s", n, what)
			}
			if h.Table(test.channel).Phase != table.Playing {
				t.Fatalf("%s has ended too early to be measured", test.game)
			}
		}
		for range 3 {
			h.Restart()
			if n, what := press(test.channel); n > test.cold {
				t.Errorf("not at hand, %d trips: %s", n, what)
			}
		}
	}
}
