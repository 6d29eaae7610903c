package bot

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/storage"
)

// healing is a cracked store in which a key is well again when it is written.
type healing struct{ *cracked }

func (s *healing) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	rev, err := s.Store.Commit(ctx, t)
	for _, w := range t.Writes {
		if err == nil && w.Key == s.key {
			s.key = ""
		}
	}
	return rev, err
}

// TestRepaired damages an item of each kind that can be told from others, after a season of which a part has left. Whoever
// needs it goes on without noticing, and then it is what it was.
func TestRepaired(t *testing.T) {
	before := newKeeper(t)
	before.season()
	before.running += 26 * oneDay
	if swept, err := before.bot.Sweep(t.Context()); err != nil || swept.Tables == 0 {
		t.Fatal(swept, err)
	}
	before.must(7, 1, chat.Command, "/zevaka limit=none")
	before.must(7, 1, chat.Command, "/lang pl")
	before.opens(7, 3, "/zevaka")
	before.askWhere(1)
	before.must(7, 1, chat.Command, "/top")
	for _, test := range []struct {
		key string
		// do needs the item, as ask does that may not be refused.
		do func(*hall)
		// changed says that it is not what it was, since do has changed it.
		changed bool
	}{
		{key: "s/t-25/zevaka/1", do: func(h *hall) { h.playZevaka(6, 1, 2) }, changed: true},
		{key: "s/t-25/zevaka/1", do: func(h *hall) { h.must(6, 2, chat.Command, "/scores P1") }},
		{key: "s/t-25/banchok/2", do: func(h *hall) { h.sit(6, "100 limit=45s", 1, 2); h.finish(6); h.cut(6); h.finish(6) }, changed: true},
		{key: "s/t-25/tecza/2", do: func(h *hall) { h.giveUpPatience(6, 2) }, changed: true},
		{key: "b/t-25/zevaka", do: func(h *hall) { h.must(6, 2, chat.Command, "/scores") }},
		{key: "b/t-25/banchok", do: func(h *hall) { h.must(6, 2, chat.Command, "/top") }},
		{key: "b/t-25/tecza", do: func(h *hall) { h.giveUpPatience(6, 2) }, changed: true},
		{key: "p/t-25/7/0", do: func(h *hall) { h.must(7, 1, chat.Command, "/table") }},
		{key: "p/t-25/7/0", do: func(h *hall) { h.opens(7, 2, "/zevaka") }, changed: true},
		{key: "w/t-25", do: func(h *hall) { h.askWhere(2) }, changed: true},
		{key: "t/t-25/rich", do: func(h *hall) { h.must(6, 2, chat.Command, "/top") }},
		{key: "t/t-25/rich", do: func(h *hall) { h.must(6, 9, chat.Command, "/balance"); h.must(6, 9, chat.Command, "/top") }, changed: true},
	} {
		t.Run(strings.ReplaceAll(test.key, "/", "_"), func(t *testing.T) {
			h := before.twin(t)
			s := &healing{crack(h.store, test.key)}
			was := h.value(test.key)
			players := possessions(t, h.store)
			h.store = s
			h.restart()
			test.do(h)
			if s.key != "" {
				t.Fatal("it is still damaged")
			}
			// What the rich have held at most nobody knows afterwards.
			now, _, _ := strings.Cut(h.value(test.key), `,"most"`)
			if was, _, _ := strings.Cut(was, `,"most"`); (now != was) != test.changed {
				t.Errorf("it is %q, and was %q", now, was)
			}
			if !test.changed && !maps.Equal(players, possessions(t, h.store)) {
				t.Error("players have something else")
			}
			h.audit()
		})
	}
}

// TestRunningDamaged: without the running time the bot goes on from the earliest deadline.
func TestRunningDamaged(t *testing.T) {
	for _, test := range []struct {
		name string
		open func(*hall)
		want time.Duration
	}{
		{"no table", func(*hall) {}, 0},
		{"a lobby", func(h *hall) { h.must(1, 1, chat.Command, "/zevaka") }, 5*oneDay + 2*time.Second + time.Hour},
		{"a lobby and a turn", func(h *hall) { h.must(2, 1, chat.Command, "/zevaka"); h.sit(1, "100 limit=60s", 1, 2) }, 5*oneDay + 10*time.Second + time.Minute},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			h := newHall(t)
			h.running = 5 * oneDay
			test.open(h)
			h.store, h.running = &healing{crack(h.store, keyspace.RunningTime)}, 0
			h.bot = nil
			h.restart()
			least := test.want - warningOf(test.want)
			if now := time.Duration(h.bot.clock.Now()) * time.Millisecond; now > test.want || now < least {
				t.Errorf("the running time is %v, want %v at most and %v at least", now, test.want, least)
			}
			if err := h.bot.clock.Save(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.value(keyspace.RunningTime)
		})
	}
}

// warningOf is by how much a warning can come before a deadline.
func warningOf(d time.Duration) time.Duration { return min(d, time.Minute) }

// askWhere has a user ask for a patience where all tables share what may be shown.
func (h *hall) askWhere(user int64) {
	h.t.Helper()
	h.asked++
	in := hallPlace(8)
	in.Crowded = true
	r := h.bot.seen(h.t.Context(), chat.Request{ID: "crowd " + hallUser(user).Name, Kind: chat.Command, Who: hallUser(user), Data: "/zaba", In: in})
	if r.Alert || len(r.Posts) != 1 {
		h.t.Fatalf("the patience is answered %+v", r)
	}
}

// value is what is stored under a key.
func (h *hall) value(key string) string {
	h.t.Helper()
	items, err := h.store.Get(h.t.Context(), key)
	if err != nil || items[0].Rev == 0 {
		h.t.Fatalf("%s: %v, %v", key, items, err)
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
			h := newHall(t)
			h.must(1, 2, chat.Command, "/daily")
			h.must(1, 1, chat.Command, "/daily")
			h.must(1, 99, chat.Command, "/gifts off")
			h.must(1, 99, chat.Command, "/gifts on")
			s := crack(h.store, test.key)
			if test.key == "o/t-25/" {
				h.must(1, 1, chat.Command, "/zevaka")
				s.key = table.KeyOpen(h.table(1).ID)
			}
			h.store = s
			h.restart()
			if test.broken != "" {
				r := h.bot.seen(t.Context(), chat.Request{ID: "broken", Kind: chat.Command, Who: hallUser(1), Data: test.broken, In: hallPlace(1)})
				if !r.Alert || r.Toast != h.bot.words.Lang("en").Say("broken-storage") {
					t.Errorf("%s is answered %+v", test.broken, r)
				}
			}
			h.must(1, test.user, chat.Command, test.well)
		})
	}
}

// TestMovedDamaged: a community moves though a table in it can't be read, and a place that is gone takes the others along.
func TestMovedDamaged(t *testing.T) {
	h := newHall(t)
	for range 3 {
		h.must(1, 1, chat.Command, "/zevaka limit=none")
	}
	ids, err := h.bot.tables.TableIDs(t.Context(), hallPlace(1))
	if err != nil || len(ids) != 3 {
		t.Fatal(ids, err)
	}
	h.store = crack(h.store, table.KeyOpen(ids[1]))
	h.restart()
	to := chat.Community{Platform: chat.Telegram, ID: -100}
	h.moved(hallPlace(1).Community, to)
	h.at = to
	if ids, err = h.bot.tables.TableIDs(t.Context(), h.place(1)); err != nil || len(ids) != 2 {
		t.Errorf("%d tables have moved, %v", len(ids), err)
	}
	h.bot.seen(t.Context(), chat.Request{ID: "gone", Kind: chat.Gone, In: chat.Place{Community: to}})
	if ids, err = h.bot.tables.TableIDs(t.Context(), h.place(1)); err != nil || len(ids) != 0 {
		t.Errorf("%d tables are left, %v", len(ids), err)
	}
}
