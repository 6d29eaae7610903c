package play_test

import (
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/storage"
)

// TestDrawStands: a bank has been drawn, and isn't played to its end. However it ended, when the same people sit down again,
// in whatever order, at whatever table of the community, whoever drew it holds the first bank, and all are told.
func TestDrawStands(t *testing.T) {
	for name, end := range map[string]func(*bottest.Hall, *table.Table){
		"an admin stops before the cut": func(h *bottest.Hall, t *table.Table) { h.Press(bottest.Warden, t, "stop") },
		"the channel is gone":           func(h *bottest.Hall, _ *table.Table) { h.Must(1, 0, chat.Gone, "") },
		"an admin stops after some hands": func(h *bottest.Hall, t *table.Table) {
			h.Cut(1)
			h.SettleHand(1, 5)
			h.Press(bottest.Warden, t, "stop")
		},
		"the punters leave before the cut": func(h *bottest.Hall, t *table.Table) {
			h.Press(t.Chairs[1].User, t, "leave")
			h.Press(t.Chairs[2].User, t, "leave")
			h.Pass(61 * time.Second)
		},
		"an admin removes all before the cut": func(h *bottest.Hall, t *table.Table) {
			for _, c := range t.Chairs {
				h.Press(bottest.Warden, t, "remove "+c.Key())
			}
		},
		"the host does all he can, and an admin stops": func(h *bottest.Hall, t *table.Table) {
			others(h, t, 1)
			h.Cut(1)
			others(h, t, 1)
			h.Press(bottest.Warden, t, "stop")
		},
		"the punters leave before a stake": func(h *bottest.Hall, t *table.Table) {
			h.Cut(1)
			h.Press(t.Chairs[1].User, t, "leave")
			h.Press(t.Chairs[2].User, t, "leave")
			h.Pass(61 * time.Second)
		},
		"who has drawn it leaves before the cut": func(h *bottest.Hall, t *table.Table) {
			h.Press(t.Chairs[0].User, t, "leave")
			h.Pass(61 * time.Second)
			h.Press(bottest.Warden, t, "stop")
		},
		"three tables are opened at once": func(*bottest.Hall, *table.Table) {},
		"the rules change":                func(h *bottest.Hall, t *table.Table) { age(h, t); h.Ask(1, 1, chat.Command, "/table") },
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Seeds += uint64(len(name))
			one := seated(h, "100 limit=60s", 1, 2, 3)
			drawn := one.Chairs[0].User
			end(h, one)
			if now := h.Look(one.ID); name != "three tables are opened at once" && now.Phase != table.Ended {
				t.Fatalf("it is in phase %d", now.Phase)
			}
			for i, users := range [][]int64{{1, 2, 3}, {3, 1, 2}, {2, 1, 3}} {
				channel := int64(i + 2)
				h.Sit(channel, "200 limit=none", users...)
				again := h.Table(channel)
				if again.Chairs[0].User != drawn || !again.Stands {
					t.Errorf("P%d had drawn the bank, and P%d holds it", drawn, again.Chairs[0].User)
				}
			}
			h.Audit()
		})
	}
}

// TestDrawEnds: a draw stands until its bank is played to the end, for a day, and for those people alone.
func TestDrawEnds(t *testing.T) {
	for name, test := range map[string]struct {
		then  func(*bottest.Hall)
		users []int64
	}{
		"the bank is played": {func(h *bottest.Hall) { h.Cut(1); h.Finish(1) }, []int64{1, 2}},
		"a day later": {func(h *bottest.Hall) {
			h.Press(bottest.Warden, h.Table(1), "stop")
			h.Wall += bottest.OneDay + time.Minute
		}, []int64{1, 2}},
		"others sit down":    {func(h *bottest.Hall) { h.Press(bottest.Warden, h.Table(1), "stop") }, []int64{1, 3}},
		"one more sits down": {func(h *bottest.Hall) { h.Press(bottest.Warden, h.Table(1), "stop") }, []int64{1, 2, 3}},
		"a later bank is stopped": {func(h *bottest.Hall) {
			h.Cut(1)
			h.Finish(1)
			h.Press(bottest.Warden, h.Table(1), "stop")
		}, []int64{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			seated(h, "20 min=20 limit=none", 1, 2)
			test.then(h)
			if again := h.Sit(2, "20 min=20 limit=none", test.users...); again.Stands {
				t.Errorf("P%d holds the bank by an old draw", again.Chairs[0].User)
			}
		})
	}
}

// TestDrawsAreBounded: however many draws stand in a community, the newest few are kept.
func TestDrawsAreBounded(t *testing.T) {
	h := bottest.NewHall(t)
	err := storage.Update(t.Context(), h.Store, func(tx storage.Tx) error {
		var draws []table.KeptDraw
		for i := range uint64(table.MaxDraws) {
			draws = append(draws, table.KeptDraw{People: 1<<63 + i, First: 1, At: h.TimeOfDay().Unix()})
		}
		return table.PutDraws(tx, bottest.PlaceOf(1).Community.String(), draws)
	})
	if err != nil {
		t.Fatal(err)
	}
	for user := int64(2); user < 6; user++ {
		h.Press(bottest.Warden, seated(h, "20 min=20 limit=none", 1, user), "stop")
	}
	all := h.Everything()[keyspace.Draws+bottest.PlaceOf(1).Community.String()]
	if n := len(all); n == 0 || n > 60*table.MaxDraws {
		t.Errorf("%d bytes are kept of draws: %s", n, all)
	}
	if again := seated(h, "20 min=20 limit=none", 1, 5); !again.Stands {
		t.Error("the newest draw doesn't stand")
	}
}

// TestPoorTellNothing: who can't lay out a bank is named in order of joining, whoever would have drawn it.
func TestPoorTellNothing(t *testing.T) {
	for seed := range uint64(8) {
		h := bottest.NewHall(t)
		h.Seeds = seed
		h.Must(1, 1, chat.Command, "/banchok 2000 bank=2000")
		one := h.Table(1)
		for user := int64(2); user <= 3; user++ {
			h.Must(1, user, chat.Press, table.Token{Table: one.ID, Do: "!join"}.String())
			h.LeaveWith(user, 5)
		}
		if r := h.Press(1, one, "deal"); !r.Alert || r.Toast != "P2 can't put up a bank of 2000." {
			t.Errorf("with seed %d it is answered %q", seed, r.Toast)
		}
	}
}

// TestDamagedDraws: where nobody can read any more which draws stand, people draw again.
func TestDamagedDraws(t *testing.T) {
	h := bottest.NewHall(t)
	h.Press(bottest.Warden, seated(h, "20 min=20 limit=none", 1, 2), "stop")
	key := keyspace.Draws + bottest.PlaceOf(1).Community.String()
	s := &bottest.Healing{Cracked: bottest.Crack(h.Store, key)}
	h.Store = s
	h.Restart()
	if again := h.Sit(1, "20 min=20 limit=none", 1, 2); again.Stands || s.Key != "" {
		t.Errorf("a draw stands: %t, and what is damaged is %q", again.Stands, s.Key)
	}
}
