package bot

import (
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
)

// TestDrawStands: a bank has been drawn, and isn't played to its end. However it ended, when the same people sit down again,
// in whatever order, at whatever table of the community, whoever drew it holds the first bank, and all are told.
func TestDrawStands(t *testing.T) {
	for name, end := range map[string]func(*hall, *table.Table){
		"an admin stops before the cut": func(h *hall, t *table.Table) { h.press(warden, t, "stop") },
		"the channel is gone":           func(h *hall, _ *table.Table) { h.must(1, 0, chat.Gone, "") },
		"an admin stops after some hands": func(h *hall, t *table.Table) {
			h.cut(1)
			h.settleHand(1, 5)
			h.press(warden, t, "stop")
		},
		"the punters leave before the cut": func(h *hall, t *table.Table) {
			h.press(t.Chairs[1].User, t, "leave")
			h.press(t.Chairs[2].User, t, "leave")
			h.pass(61 * time.Second)
		},
		"an admin removes all before the cut": func(h *hall, t *table.Table) {
			for _, c := range t.Chairs {
				h.press(warden, t, "remove "+c.Key())
			}
		},
		"the host does all he can, and an admin stops": func(h *hall, t *table.Table) {
			h.others(t, 1)
			h.cut(1)
			h.others(t, 1)
			h.press(warden, t, "stop")
		},
		"the rules change": func(h *hall, t *table.Table) { h.age(t); h.ask(1, 1, chat.Command, "/table") },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t)
			h.seeds += uint64(len(name))
			one := h.seated("100 limit=60s", 1, 2, 3)
			drawn := one.Chairs[0].User
			end(h, one)
			if now := h.look(one.ID); now.Phase != table.Ended {
				t.Fatalf("it is in phase %d", now.Phase)
			}
			for i, users := range [][]int64{{1, 2, 3}, {3, 1, 2}, {2, 1, 3}} {
				channel := int64(i + 2)
				h.sit(channel, "200 limit=none", users...)
				again := h.table(channel)
				if again.Chairs[0].User != drawn || !again.Stands {
					t.Errorf("P%d had drawn the bank, and P%d holds it", drawn, again.Chairs[0].User)
				}
			}
			h.audit()
		})
	}
}

// TestDrawEnds: a draw stands until its bank is played to the end, for a day, and for those people alone.
func TestDrawEnds(t *testing.T) {
	for name, test := range map[string]struct {
		then  func(*hall)
		users []int64
	}{
		"the bank is played": {func(h *hall) { h.cut(1); h.finish(1) }, []int64{1, 2}},
		"a day later":        {func(h *hall) { h.press(warden, h.table(1), "stop"); h.wall += oneDay + time.Minute }, []int64{1, 2}},
		"others sit down":    {func(h *hall) { h.press(warden, h.table(1), "stop") }, []int64{1, 3}},
		"one more sits down": {func(h *hall) { h.press(warden, h.table(1), "stop") }, []int64{1, 2, 3}},
		"a later bank is stopped": {func(h *hall) {
			h.cut(1)
			h.finish(1)
			h.press(warden, h.table(1), "stop")
		}, []int64{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t)
			h.seated("20 min=20 limit=none", 1, 2)
			test.then(h)
			if again := h.sit(2, "20 min=20 limit=none", test.users...); again.Stands {
				t.Errorf("P%d holds the bank by an old draw", again.Chairs[0].User)
			}
		})
	}
}

// TestDrawsAreBounded: however many draws stand in a community, the newest few are kept.
func TestDrawsAreBounded(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	for user := range int64(table.MaxDraws + 8) {
		h.press(warden, h.seated("20 min=20 limit=none", 1, user+101), "stop")
	}
	all := h.everything()[keyspace.Draws+hallPlace(1).Community.String()]
	if n := len(all); n == 0 || n > 60*table.MaxDraws {
		t.Errorf("%d bytes are kept of draws: %s", n, all)
	}
	if again := h.seated("20 min=20 limit=none", 1, table.MaxDraws+108); !again.Stands {
		t.Error("the newest draw doesn't stand")
	}
}

// TestPoorTellNothing: who can't lay out a bank is named in order of joining, whoever would have drawn it.
func TestPoorTellNothing(t *testing.T) {
	for seed := range uint64(8) {
		h := newHall(t)
		h.seeds = seed
		h.must(1, 1, chat.Command, "/banchok 2000 bank=2000")
		one := h.table(1)
		for user := int64(2); user <= 3; user++ {
			h.must(1, user, chat.Press, table.Token{Table: one.ID, Do: "!join"}.String())
			h.leaveWith(user, 5)
		}
		if r := h.press(1, one, "deal"); !r.Alert || r.Toast != "P2 can't lay out a bank of 2000." {
			t.Errorf("with seed %d it is answered %q", seed, r.Toast)
		}
	}
}

// TestDamagedDraws: where nobody can read any more which draws stand, people draw again.
func TestDamagedDraws(t *testing.T) {
	h := newHall(t)
	h.press(warden, h.seated("20 min=20 limit=none", 1, 2), "stop")
	key := keyspace.Draws + hallPlace(1).Community.String()
	s := &healing{crack(h.store, key)}
	h.store = s
	h.restart()
	if again := h.sit(1, "20 min=20 limit=none", 1, 2); again.Stands || s.key != "" {
		t.Errorf("a draw stands: %t, and what is damaged is %q", again.Stands, s.key)
	}
}
