package upkeep_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// TestRepaired damages an item of each kind that can be told from others, after a season of which a part has left. Whoever
// needs it goes on without noticing, and then it is what it was.
func TestRepaired(t *testing.T) {
	before := bottest.NewKeeper(t)
	before.Season()
	before.Running += 26 * bottest.OneDay
	if swept, err := before.Keeper(before.Store, 0).Sweep(t.Context()); err != nil || swept.Tables == 0 {
		t.Fatal(swept, err)
	}
	before.Must(7, 1, chat.Command, "/zevaka limit=none")
	before.Must(7, 1, chat.Command, "/lang pl")
	before.Opens(7, 3, "/zevaka")
	askWhere(before, 1)
	before.Must(7, 1, chat.Command, "/top")
	for _, test := range []struct {
		key string
		// do needs the item, as ask does that may not be refused.
		do func(*bottest.Hall)
		// changed says that it is not what it was, since do has changed it.
		changed bool
	}{
		{key: "s/t-25/zevaka/1", do: func(h *bottest.Hall) { h.PlayZevaka(6, 1, 2) }, changed: true},
		{key: "s/t-25/zevaka/1", do: func(h *bottest.Hall) { h.Must(6, 2, chat.Command, "/scores P1") }},
		{key: "s/t-25/banchok/2", do: func(h *bottest.Hall) { h.Sit(6, "100 limit=45s", 1, 2); h.Finish(6); h.Cut(6); h.Finish(6) }, changed: true},
		{key: "s/t-25/tecza/2", do: func(h *bottest.Hall) { h.GiveUpPatience(6, 2) }, changed: true},
		{key: "b/t-25/zevaka", do: func(h *bottest.Hall) { h.Must(6, 2, chat.Command, "/scores") }},
		{key: "b/t-25/banchok", do: func(h *bottest.Hall) { h.Must(6, 2, chat.Command, "/top") }},
		{key: "b/t-25/tecza", do: func(h *bottest.Hall) { h.GiveUpPatience(6, 2) }, changed: true},
		{key: "p/t-25/7/0", do: func(h *bottest.Hall) { h.Must(7, 1, chat.Command, "/table") }},
		{key: "p/t-25/7/0", do: func(h *bottest.Hall) { h.Opens(7, 2, "/zevaka") }, changed: true},
		{key: "w/t-25", do: func(h *bottest.Hall) { askWhere(h, 2) }, changed: true},
		{key: "t/t-25/rich", do: func(h *bottest.Hall) { h.Must(6, 2, chat.Command, "/top") }},
		{key: "t/t-25/rich", do: func(h *bottest.Hall) {
			h.Must(6, 9, chat.Command, "/balance")
			h.Sure(6, 1, chat.Command, "/give P9 5")
			h.Must(6, 9, chat.Command, "/top")
		}, changed: true},
	} {
		t.Run(strings.ReplaceAll(test.key, "/", "_"), func(t *testing.T) {
			h := before.Twin(t)
			s := &bottest.Healing{Cracked: bottest.Crack(h.Store, test.key)}
			was := value(h, test.key)
			players := possessions(t, h.Store)
			h.Store = s
			h.Restart()
			test.do(h)
			if s.Key != "" {
				t.Fatal("it is still damaged")
			}
			// What the rich have held at most nobody knows afterwards.
			now, _, _ := strings.Cut(value(h, test.key), `,"most"`)
			if was, _, _ := strings.Cut(was, `,"most"`); (now != was) != test.changed {
				t.Errorf("it is %q, and was %q", now, was)
			}
			if !test.changed && !maps.Equal(players, possessions(t, h.Store)) {
				t.Error("players have something else")
			}
			h.Audit()
		})
	}
}

// TestRunningDamaged: without the running time the bot goes on from the earliest deadline.
func TestRunningDamaged(t *testing.T) {
	for _, test := range []struct {
		name string
		open func(*bottest.Hall)
		want time.Duration
	}{
		{"no table", func(*bottest.Hall) {}, 0},
		{"a lobby", func(h *bottest.Hall) { h.Must(1, 1, chat.Command, "/zevaka") }, 5*bottest.OneDay + 2*time.Second + time.Hour},
		{"a lobby and a turn", func(h *bottest.Hall) { h.Must(2, 1, chat.Command, "/zevaka"); h.Sit(1, "100 limit=60s", 1, 2) }, 5*bottest.OneDay + 10*time.Second + time.Minute},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Running = 5 * bottest.OneDay
			test.open(h)
			h.Store, h.Running = &bottest.Healing{Cracked: bottest.Crack(h.Store, keyspace.RunningTime)}, 0
			h.Bot = nil
			h.Restart()
			least := test.want - warningOf(test.want)
			if now := time.Duration(h.ClockNow()) * time.Millisecond; now > test.want || now < least {
				t.Errorf("the running time is %v, want %v at most and %v at least", now, test.want, least)
			}
			value(h, keyspace.RunningTime)
		})
	}
}

// warningOf is by how much a warning can come before a deadline.
func warningOf(d time.Duration) time.Duration { return min(d, time.Minute) }

// askWhere has a user ask for a patience where all tables share what may be shown.
func askWhere(h *bottest.Hall, user int64) {
	h.T.Helper()
	h.Asked++
	in := bottest.PlaceOf(8)
	in.Crowded = true
	r := bottest.Seen(h.T.Context(), h.Bot, chat.Request{ID: "crowd " + bottest.User(user).Name, Kind: chat.Command, Who: bottest.User(user), Data: "/zaba", In: in})
	if r.Alert || len(r.Posts) != 1 {
		h.T.Fatalf("the patience is answered %+v", r)
	}
}

// value is what is stored under a key.
func value(h *bottest.Hall, key string) string {
	h.T.Helper()
	items, err := h.Store.Get(h.T.Context(), key)
	if err != nil || items[0].Rev == 0 {
		h.T.Fatalf("%s: %v, %v", key, items, err)
	}
	return string(items[0].Value)
}

// TestNotRepaired: what nothing else tells of is set aside; the rest goes on.
func TestNotRepaired(t *testing.T) {
	for _, test := range []struct {
		key string
		// broken is what P1 can't do, and well what somebody can.
		broken string
		user   int64
		well   string
	}{
		{"a/t-25/u1", "/balance", 2, "/balance"},
		{"g/t-25", "/give P2 5", 1, "/balance"},
		{"h/t-25/u1/999999999998", "", 1, "/ledger"},
		{"o/t-25/", "", 1, "/zevaka"},
	} {
		t.Run(strings.ReplaceAll(test.key, "/", "_"), func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Must(1, 2, chat.Command, "/daily")
			h.Must(1, 1, chat.Command, "/daily")
			h.Must(1, 99, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!set gifts off"))
			h.Must(1, 99, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!set gifts on"))
			s := bottest.Crack(h.Store, test.key)
			if test.key == "o/t-25/" {
				h.Must(1, 1, chat.Command, "/zevaka")
				s.Key = table.KeyOpen(h.Table(1).ID)
			}
			h.Store = s
			h.Restart()
			if test.broken != "" {
				r := bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "broken", Kind: chat.Command, Who: bottest.User(1), Data: test.broken, In: bottest.PlaceOf(1)})
				if !r.Alert || r.Toast != h.Bot.Words().Lang("en").Say("broken-storage") {
					t.Errorf("%s is answered %+v", test.broken, r)
				}
			}
			h.Must(1, test.user, chat.Command, test.well)
		})
	}
}

// TestMovedDamaged: a community moves though a table in it can't be read, and a place that is gone takes the others along.
func TestMovedDamaged(t *testing.T) {
	h := bottest.NewHall(t)
	for range 3 {
		h.Must(1, 1, chat.Command, "/zevaka limit=none")
	}
	ids, err := bottest.Shelf(h.Store).TableIDs(t.Context(), bottest.PlaceOf(1))
	if err != nil || len(ids) != 3 {
		t.Fatal(ids, err)
	}
	h.Store = bottest.Crack(h.Store, table.KeyOpen(ids[1]))
	h.Restart()
	to := chat.Community{Platform: chat.Telegram, ID: -100}
	h.Moved(bottest.PlaceOf(1).Community, to)
	h.At = to
	if ids, err = bottest.Shelf(h.Store).TableIDs(t.Context(), h.Place(1)); err != nil || len(ids) != 2 {
		t.Errorf("%d tables have moved, %v", len(ids), err)
	}
	bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "gone", Kind: chat.Gone, In: chat.Place{Community: to}})
	if ids, err = bottest.Shelf(h.Store).TableIDs(t.Context(), h.Place(1)); err != nil || len(ids) != 0 {
		t.Errorf("%d tables are left, %v", len(ids), err)
	}
}

// TestDamage: one table of three can't be read. The bot starts, draws the others, and finds them by command.
func TestDamage(t *testing.T) {
	for _, test := range []struct {
		name   string
		damage func(t *testing.T, s *bottest.Cracked, key string)
	}{
		{"bits of it", func(_ *testing.T, s *bottest.Cracked, key string) { s.Key = key }},
		{"rubbish", func(t *testing.T, s *bottest.Cracked, key string) { overwrite(t, s, key, "rubbish") }},
		{"another format", func(t *testing.T, s *bottest.Cracked, key string) { overwrite(t, s, key, `{"v":99}`+"\n\x00") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := bottest.Crack(mem.New(), "")
			in := chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}
			running := time.Duration(0)
			clock := func() time.Duration { return running }
			first := bottest.Must(bot.New(t.Context(), bot.Options{Store: s, Games: games.All(), Running: clock}))
			var ids []table.ID
			for n := range 3 {
				running += bottest.DoubleTap // No double tap.
				r := bottest.Seen(t.Context(), first, chat.Request{
					ID: fmt.Sprint(n), Kind: chat.Press, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, In: in,
					Data: table.PlaceToken(chat.Request{In: in}, "!another zevaka"),
				})
				id, _ := table.ParseID(r.Posts[0].Table)
				ids = append(ids, id)
			}
			test.damage(t, s, table.KeyOpen(ids[1]))
			var rings bottest.Rung
			b, err := bot.New(t.Context(), bot.Options{Store: s, Games: games.All(), Running: clock, Observer: &rings})
			if err != nil {
				t.Fatal(err)
			}
			running += time.Second
			drawn := rings.Ring(t, b)
			for _, i := range []int{0, 2} {
				if !drawn[ids[i]] {
					t.Errorf("table %d won't be drawn", i)
				}
			}
			r := bottest.Seen(t.Context(), b, chat.Request{
				ID: "list", Kind: chat.Command, Who: chat.User{ID: 1, Name: "Ann", Lang: "en"}, Data: "/table", In: in,
			})
			if len(r.Posts) != 1 || len(r.Posts[0].Rows(5)) != 2 || !strings.Contains(words.Flat(r.Posts[0].Text), "which table") {
				t.Errorf("/table is answered %+v", r)
			}
		})
	}
}

// TestClosedUnread: a table that can't be read is closed all the same. Its chips go back, nothing points to it any more, and the next sweep takes
// what it leaves.
func TestClosedUnread(t *testing.T) {
	for _, test := range []struct {
		name   string
		ended  bool
		damage func(t *testing.T, s *bottest.Healing, key string)
	}{
		{"bits of an open one", false, func(_ *testing.T, s *bottest.Healing, key string) { s.Key = key }},
		{"an open one is rubbish", false, func(t *testing.T, s *bottest.Healing, key string) { overwrite(t, s, key, "rubbish") }},
		{"bits of one that ended", true, func(_ *testing.T, s *bottest.Healing, key string) { s.Key = key }},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := bottest.NewKeeper(t)
			h.Must(1, 3, chat.Command, "/zevaka limit=none")
			id := h.Sit(1, "100 limit=none", 1, 2).ID
			key, left := table.KeyOpen(id), 1
			if test.ended {
				h.Finish(1)
				left++ // The next one.
				bottest.Seen(t.Context(), h.Bot, chat.Request{ID: "shown", In: h.Place(1), Kind: chat.Shown, Data: h.Look(id).Receipt(), On: "m"})
				key = table.KeyEnded(id)
			} else if h.Audit().Laid == 0 {
				t.Fatal("nothing lies there")
			}
			s := &bottest.Healing{Cracked: bottest.Crack(h.Store, "")}
			test.damage(t, s, key)
			h.Store = s
			h.Restart()
			var failed atomic.Int32
			for begin := h.Running; h.Running < begin+50*time.Minute; h.Running += 10 * time.Second {
				for h.Bot.Ring(t.Context(), func(_ context.Context, r chat.Response) {
					if r.Alert {
						failed.Add(1)
					}
				}) == 0 {
				}
			}
			if failed.Load() > 1 {
				t.Errorf("the clock fails %d times at what can't be read", failed.Load())
			}
			for _, want := range []bool{true, false} {
				if closed, err := h.Bot.Close(t.Context(), id); closed != want || err != nil {
					t.Errorf("closed: %v, %v", closed, err)
				}
			}
			for _, sweep := range []bool{false, true} {
				if sweep {
					bottest.Must(h.Keeper(h.Store, 0).Sweep(t.Context()))
				}
				all, err := upkeep.NewArchive(h.Store, games.All()).Audit(t.Context(), func(p purse.Problem) { t.Error(p) })
				if err != nil || all.Chips+all.Laid+all.House != 0 || (all.Laid != 0) != test.ended {
					t.Errorf("the audit: %+v, %v", all, err)
				}
			}
			for _, item := range stores.Items(t, h.Store, "") {
				if strings.Contains(item.Key, id.Name) && item.Key[:2] != keyspace.Chains || item.Key[:2] == keyspace.Places && strings.Contains(string(item.Value), id.Name) {
					t.Errorf("left: %s", item.Key)
				}
			}
			if tables, err := h.Bot.OpenIn(t.Context(), id.Community); err != nil || len(tables) != left {
				t.Errorf("%d tables are left, %v", len(tables), err)
			}
		})
	}
}

// TestExportDamaged: the records of all deals come that can be read, and the others are named.
func TestExportDamaged(t *testing.T) {
	h := bottest.NewKeeper(t)
	h.Season()
	export := func() (lines []string, err error) {
		err = upkeep.NewArchive(h.Store, games.All()).Export(t.Context(), func(r engine.Record) error {
			line, err := r.Marshal(h.Games[r.Game].Info())
			lines = append(lines, string(line))
			return err
		})
		return lines, err
	}
	want, err := export()
	if err != nil {
		t.Fatal(err)
	}
	whole := h.Store
	for _, prefix := range []string{keyspace.OpenTables, keyspace.EndedTables, keyspace.Moves} {
		key := stores.Items(t, whole, prefix)[0].Key
		h.Store = bottest.Crack(whole, key)
		got, err := export()
		if !storage.IsDamaged(err) || !strings.Contains(err.Error(), key) || len(got) < len(want)-1 || prefix == keyspace.EndedTables && len(got) == len(want) {
			t.Errorf("%s: %d records of %d, %v", key, len(got), len(want), err)
		}
	}
}

// TestExportStuck: the record of a patience in which no move is left, and which nobody has given up, says what came of it.
func TestExportStuck(t *testing.T) {
	h := bottest.NewKeeper(t)
	id, _ := table.ParseID(h.Must(1, 1, chat.Command, "/gwiazda").Opened)
	state, chance := h.State(h.Look(id)), rand.New(rand.NewPCG(1, 1))
	for len(state.Turn()) > 0 {
		move := state.Auto(0, 0, chance)
		h.Running += time.Second
		h.Must(1, 1, chat.Command, "/m "+h.Games["gwiazda"].Text(move))
		if _, err := state.Apply(engine.Step{Move: move}); err != nil {
			t.Fatal(err)
		}
	}
	h.Running += 8 * bottest.OneDay
	h.Pass(time.Minute)
	if ended := h.Look(id); ended.Why != "stop-idle" {
		t.Fatalf("it has ended: %v, %q", ended.Phase, ended.Why)
	}
	err := upkeep.NewArchive(h.Store, games.All()).Export(t.Context(), func(r engine.Record) error {
		_, err := engine.Prove(h.Games[r.Game], r)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func overwrite(t *testing.T, s storage.Store, key, value string) {
	t.Helper()
	err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
		tx.Put(key, []byte(value))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

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
