package play_test

import (
	"fmt"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// TestNobodyCutsItShort: who plays a deal that counts can end it, or remove others from it, in its opening and once nobody else plays on or
// the one keeps a table without a limit waiting; an admin who doesn't play can always.
func TestNobodyCutsItShort(t *testing.T) {
	stop := func(id table.ID) string { return table.Token{Table: id, Do: "!stop"}.String() }
	remove := func(id table.ID) string { return table.Token{Table: id, Do: "!remove 2"}.String() }
	under := func(h *bottest.Hall, moves int, user int64) *table.Table {
		playUntil(h, h.Table(1).ID, func(t *table.Table) bool { return t.Moves >= moves && h.Turn(1) == user })
		return h.Table(1)
	}
	for name, test := range map[string]struct {
		limit  string
		before func(*bottest.Hall, table.ID)
		by     int64
		may    bool
	}{
		"the opening":                {"60s", func(h *bottest.Hall, _ table.ID) { under(h, 3, 1) }, 1, true},
		"the host":                   {"60s", func(h *bottest.Hall, _ table.ID) { under(h, 21, 2) }, 1, false},
		"the host, long into a turn": {"1h", func(h *bottest.Hall, _ table.ID) { under(h, 21, 2); h.Pass(40 * time.Minute) }, 1, false},
		"an admin":                   {"60s", func(h *bottest.Hall, _ table.ID) { under(h, 21, 2) }, bottest.Warden, true},
		"the other has left": {"60s", func(h *bottest.Hall, _ table.ID) {
			h.Sure(1, 2, chat.Press, table.Token{Table: under(h, 21, 1).ID, Do: "!leave"}.String())
		}, 1, true},
		"no limit":                          {"none", func(h *bottest.Hall, _ table.ID) { under(h, 21, 2); h.Pass(9 * time.Minute) }, 1, false},
		"no limit, and the other is late":   {"none", func(h *bottest.Hall, _ table.ID) { under(h, 21, 2); h.Pass(11 * time.Minute) }, 1, true},
		"no limit, and the other isn't due": {"none", func(h *bottest.Hall, _ table.ID) { under(h, 21, 1); h.Pass(11 * time.Minute) }, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			id := h.Dealt(test.limit)
			test.before(h, id)
			for what, token := range map[string]string{"stop": stop(id), "remove": remove(id)} {
				before := h.Everything()
				r := h.Ask(1, test.by, chat.Press, token)
				gone := what == "remove" && chair(h, h.Look(id), 2).Left
				if h.Is(r, table.ErrCounts) == test.may && !gone {
					t.Errorf("to %s is answered %q", what, r.Toast)
				} else if !test.may && len(h.Changed(before)) > 0 {
					t.Errorf("to %s changes %v", what, h.Changed(before))
				}
			}
			if !test.may {
				return
			}
			if h.Sure(1, test.by, chat.Press, stop(id)); h.Look(id).Phase != table.Ended {
				t.Error("it goes on")
			}
		})
	}
}

// dealTo deals a game of Зевака to so many people and computers.
func dealTo(h *bottest.Hall, line string, people int64, computers int) table.ID {
	h.T.Helper()
	h.Must(1, 1, chat.Command, line)
	id := h.Table(1).ID
	press := func(user int64, do string) { h.Must(1, user, chat.Press, table.Token{Table: id, Do: do}.String()) }
	for user := int64(2); user <= people; user++ {
		press(user, "!join")
	}
	for range computers {
		press(1, "!robot")
	}
	press(1, "!deal")
	h.Cut(1)
	return id
}

// goAndCome has somebody leave the table and come back at once.
func goAndCome(h *bottest.Hall, id table.ID, user int64) {
	h.T.Helper()
	h.Sure(1, user, chat.Press, table.Token{Table: id, Do: "!leave"}.String())
	h.Soon(1, user, chat.Press, table.Token{Table: id, Do: "!back"}.String())
}

// TestLateStaysLate: who has to move, or sits there beside them, and leaves and comes back without a move puts off neither the call nor what
// the others may do about the turn.
func TestLateStaysLate(t *testing.T) {
	for _, comes := range []int64{2, 3} {
		for _, every := range []time.Duration{9 * time.Second, 9 * time.Minute} {
			t.Run(fmt.Sprint("P", comes, " every ", every), func(t *testing.T) {
				h := bottest.NewHall(t)
				id := dealTo(h, "/zevaka limit=none", 3, 0)
				playUntil(h, id, func(t *table.Table) bool { return t.Moves >= 40 && h.Turn(1) == 2 })
				for from := h.Running; h.Running < from+20*time.Minute; {
					h.Pass(every)
					goAndCome(h, id, comes)
				}
				now := h.Look(id)
				if h.Turn(1) != 2 || !now.Skippable || comes == 3 && !now.Told {
					t.Errorf("after 20 minutes in the turn of P%d: told %v, late %v", h.Turn(1), now.Told, now.Skippable)
				}
				if r := h.Ask(1, 1, chat.Press, table.Token{Table: id, Do: "!remove 2"}.String()); h.Is(r, table.ErrCounts) {
					t.Errorf("to remove them is answered %q", r.Toast)
				}
			})
		}
	}
}

// TestSkipStays: who keeps the others waiting has them ask no second time for the end of the turn by leaving and coming back.
func TestSkipStays(t *testing.T) {
	h := bottest.NewHall(t)
	id := dealTo(h, "/zevaka limit=10m", 3, 0)
	playUntil(h, id, func(t *table.Table) bool { return t.Moves >= 40 && h.Turn(1) == 2 })
	h.Pass(5*time.Minute + time.Second)
	skip := func(user int64) { h.Must(1, user, chat.Press, h.Button(1, fmt.Sprint("!skip ", h.Table(1).Mover))) }
	skip(1)
	goAndCome(h, id, 2)
	if skip(3); h.Turn(1) == 2 {
		t.Error("two of the others have asked for it, and the turn goes on")
	}
}

// TestWonIsWon: once somebody has won, a game with computers comes to its end and counts, whether the last person beside them gets up or
// sleeps, and whether they have got up themselves.
func TestWonIsWon(t *testing.T) {
	up := func(h *bottest.Hall, id table.ID, user int64) {
		h.Sure(1, user, chat.Press, table.Token{Table: id, Do: "!leave"}.String())
	}
	for name, then := range map[string]func(*bottest.Hall, table.ID){
		"the other gets up": func(h *bottest.Hall, id table.ID) { up(h, id, 2) },
		"both get up":       func(h *bottest.Hall, id table.ID) { up(h, id, 1); up(h, id, 2) },
		"the other sleeps":  func(*bottest.Hall, table.ID) {},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			id := dealTo(h, "/zevaka 21a limit=15s", 2, 3)
			playUntil(h, id, func(now *table.Table) bool { return chair(h, now, 1).Out })
			if now := h.Look(id); now.Phase != table.Playing || !chair(h, now, 1).Out {
				t.Fatalf("it is %v", now.Phase)
			}
			if r := h.Ask(1, 2, chat.Press, table.Token{Table: id, Do: "!stop"}.String()); !r.Alert {
				t.Errorf("who is losing may end it: %q", r.Toast)
			}
			then(h, id)
			h.Pass(time.Hour)
			now := h.Look(id)
			if now.Phase != table.Ended || now.Result == nil || tally(h, now, 1)[0] != '1' || tally(h, now, 2) != "1 0 0" {
				t.Errorf("it is %v, why %q; P1 %s, P2 %s", now.Phase, now.Why, tally(h, now, 1), tally(h, now, 2))
			}
		})
	}
}

// TestLateLoses: who keeps the others waiting until they remove them has lost, as by getting up.
func TestLateLoses(t *testing.T) {
	for limit, sleeps := range map[string]time.Duration{"none": 11 * time.Minute, "15s": 3 * time.Second} {
		t.Run(limit, func(t *testing.T) {
			h := bottest.NewHall(t)
			id := dealTo(h, "/zevaka limit="+limit, 3, 0)
			playUntil(h, id, func(t *table.Table) bool { return t.Moves >= 40 && h.Turn(1) == 2 })
			late := func() bool { seat, _ := h.Look(id).SeatOf(2); return h.Look(id).Late(seat) }
			for n := 0; n < 1000 && !late(); n++ {
				if h.Turn(1) == 2 {
					h.Pass(sleeps)
					continue
				}
				moved := h.Look(id).Moves
				playUntil(h, id, func(t *table.Table) bool { return t.Moves > moved })
			}
			h.Sure(1, 1, chat.Press, table.Token{Table: id, Do: "!remove 2"}.String())
			playUntil(h, id, func(*table.Table) bool { return false })
			if now := h.Look(id); tally(h, now, 2) != "1 0 0" || tally(h, now, 1)[0] != '1' {
				t.Errorf("it is %v, why %q; P1 %s, P2 %s", now.Phase, now.Why, tally(h, now, 1), tally(h, now, 2))
			}
		})
	}
}

// TestRoomIsElsewhere: a game that counts makes no room for tables that who plays in it opens, as long as its turn may last.
func TestRoomIsElsewhere(t *testing.T) {
	for limit, waits := range map[string]time.Duration{"1h": 65 * time.Minute, "none": 5 * time.Hour} {
		t.Run(limit, func(t *testing.T) {
			h := bottest.NewHall(t)
			id := h.Dealt(limit)
			playUntil(h, id, func(t *table.Table) bool { return t.Moves >= 40 && h.Turn(1) == 2 })
			h.Pass(waits - 10*time.Minute)
			for user := int64(10); user < 22; user++ {
				for range 3 {
					h.Opens(1, user, "/zevaka limit=none")
				}
			}
			if now := h.Look(id); now.Phase != table.Playing {
				t.Errorf("it has made room: %q", now.Why)
			}
		})
	}
}

// TestSeatsOfOthers: two people who open tables for each other by turns leave room for the others.
func TestSeatsOfOthers(t *testing.T) {
	h := bottest.NewHall(t)
	for range 24 {
		known := map[string]bool{}
		for _, one := range h.OpenTables(1) {
			known[one.ID.Name] = true
		}
		for user := int64(8); user < 10; user++ {
			h.Opens(1, user, "/zevaka limit=none")
		}
		for _, one := range h.OpenTables(1) {
			if other := 17 - one.Host; !known[one.ID.Name] {
				for _, step := range []struct {
					user int64
					do   string
				}{{other, "!join"}, {one.Host, "!leave"}, {one.Host, "!join"}} {
					h.Surely(1, step.user, chat.Press, table.Token{Table: one.ID, Do: step.do}.String())
				}
			}
		}
	}
	if n := len(h.OpenTables(1)); n > 18 {
		t.Errorf("two people have %d tables", n)
	}
	if r := h.Opens(1, 1, "/tecza"); r.Alert {
		t.Errorf("somebody else is told %q", r.Toast)
	}
}
