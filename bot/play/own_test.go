package play_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
)

// TestOwnTables: who has as many tables open as one may gets the oldest replaced at which nobody else sits and nothing was
// done; where there is none they are told so, and others may open theirs.
func TestOwnTables(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		// before does something at the tables in order.
		before func(h *bottest.Hall, ids []table.ID)
		// replaced is which of the tables is closed; -1 where the next one is refused.
		replaced int
	}{
		"lobbies":             {lines: []string{"/zevaka", "/banchok", "/zevaka"}},
		"patiences not begun": {lines: []string{"/tecza deal=7", "/tecza", "/tecza"}},
		"somebody else sits at the oldest": {
			lines: []string{"/zevaka", "/zevaka", "/zevaka"}, replaced: 1,
			before: func(h *bottest.Hall, ids []table.ID) {
				h.Must(1, 2, chat.Press, table.Token{Table: ids[0], Do: "!join"}.String())
			},
		},
		"the oldest patience was begun": {
			lines: []string{"/tecza deal=7", "/zevaka", "/zevaka"}, replaced: 1,
			before: func(h *bottest.Hall, ids []table.ID) {
				now := h.Look(ids[0])
				h.Must(1, 1, chat.Press, table.Token{Table: ids[0], Epoch: now.Epoch(h.State(now)), Do: "draw"}.String())
			},
		},
		"others sit at all of them": {
			lines: []string{"/zevaka", "/banchok", "/zevaka"}, replaced: -1,
			before: func(h *bottest.Hall, ids []table.ID) {
				for _, id := range ids {
					h.Must(1, 2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Must(1, 3, chat.Command, "/zevaka")
			var ids []table.ID
			for _, line := range test.lines {
				h.Opens(1, 1, line)
				ids = append(ids, h.Table(1).ID)
				h.ShowLast(ids[len(ids)-1])
			}
			if test.before != nil {
				test.before(h, ids)
			}
			h.Must(2, 1, chat.Command, "/zevaka") // Elsewhere they have none.
			r := h.Opens(1, 1, "/zevaka")
			if refused := strings.Contains(r.Toast, "You already have these open here: Zevaka ("); refused != (test.replaced < 0) {
				t.Fatalf("the answer is %+v", r)
			}
			if test.replaced < 0 {
				led := r.Posts[0].Buttons
				shown := h.Ask(1, 1, chat.Press, led[len(led)-1][0].Token)
				if len(r.Posts) != 1 || r.Posts[0].To == nil || len(led) != len(ids) || shown.Alert || shown.Posts[len(shown.Posts)-1].Table != ids[len(ids)-1].String() {
					t.Errorf("they are led by %+v, to %+v", r.Posts, shown)
				}
			}
			for i, id := range ids {
				if open := h.Look(id).Phase != table.Ended; open == (i == test.replaced) {
					t.Errorf("table %d is open: %t", i, open)
				}
			}
			if test.replaced >= 0 && (len(r.Posts) != 2 || r.Posts[0].Table != ids[test.replaced].String() || !r.Posts[0].Final) {
				t.Errorf("what is shown: %+v", r.Posts)
			}
			if h.Opens(1, 2, "/zevaka"); h.Table(1).Host != 2 {
				t.Error("somebody else can't open a table")
			}
		})
	}
}

// TestAskedOnceMore: who has as many tables open as one may, and asks for one again that no message shows yet, gets that one: in a
// chat that takes few messages none would ever be seen otherwise.
func TestAskedOnceMore(t *testing.T) {
	for name, test := range map[string]struct {
		line string
		// same is which of the tables is shown again; -1 where another is opened, and the first one closed.
		same int
	}{
		"the same":                {"/zevaka", 1},
		"the other game":          {"/banchok", 2},
		"another pace":            {"/zevaka limit=15", -1},
		"other rules":             {"/zevaka penalty=call", -1},
		"with computers":          {"/zevaka computers=1", -1},
		"a game nobody waits for": {"/tecza", -1},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			var ids []table.ID
			for i, line := range []string{"/zevaka", "/zevaka", "/banchok"} {
				h.Opens(1, 1, line)
				ids = append(ids, h.Table(1).ID)
				if i == 0 {
					h.ShowLast(ids[0])
				}
			}
			r := h.Opens(1, 1, test.line)
			last := r.Posts[len(r.Posts)-1]
			if test.same < 0 {
				if h.Look(ids[0]).Phase != table.Ended || last.Table != h.Table(1).ID.String() {
					t.Errorf("what is shown: %+v", r.Posts)
				}
				return
			}
			if len(r.Posts) != 1 || last.Table != ids[test.same].String() || last.Final {
				t.Errorf("what is shown: %+v", r.Posts)
			}
			for i, id := range ids {
				if h.Look(id).Phase != table.Lobby {
					t.Errorf("table %d is closed", i)
				}
			}
		})
	}
}

// TestNothingStays: of tables at which no move was made nothing is left when their last picture was shown, however many
// there were, and the command that opened one opens none when it is delivered again.
func TestNothingStays(t *testing.T) {
	sizes := map[int]int{}
	for _, times := range []int{table.MaxVanished, 5 * table.MaxVanished} {
		h := bottest.NewHall(t)
		for i := range times {
			h.Must(1, 1, chat.Command, []string{"/zevaka", "/tecza deal=7", "/banchok", "/tecza"}[i%4])
			id := h.Table(1).ID
			h.Sure(1, 99, chat.Press, table.Token{Table: id, Do: "!stop"}.String())
			h.ShowLast(id)
		}
		for key, value := range h.Everything() {
			sizes[times] += len(key) + len(value)
			if key[:2] == keyspace.EndedTables || key[:2] == keyspace.OpenTables {
				t.Errorf("%s has stayed", key)
			}
		}
	}
	if sizes[5*table.MaxVanished] > sizes[table.MaxVanished]+50 {
		t.Errorf("bytes stored by how often: %v", sizes)
	}
}

// TestUnseenEnd: a table whose last picture can't be shown, as after its player has blocked the bot, is drawn again at once and then ever more
// seldom. After a day it leaves the open ones all the same, and after an hour one at which no move was made, of which nothing is left.
func TestUnseenEnd(t *testing.T) {
	for _, c := range []struct {
		moves string
		stays time.Duration
		draws int
	}{{"", time.Hour, 7}, {"/m draw", 24 * time.Hour, 12}} {
		h := bottest.NewHall(t)
		h.Must(1, 1, chat.Command, "/tecza deal=7")
		id := h.Table(1).ID
		if c.moves != "" {
			h.Must(1, 1, chat.Command, c.moves)
		}
		h.Sure(1, 1, chat.Command, "/giveup")
		h.Said = nil
		if h.Pass(3 * time.Minute); len(h.Said) == 0 {
			t.Errorf("after %q the end isn't drawn again at once", c.moves)
		}
		h.Pass(c.stays - 4*time.Minute)
		level, all := h.Look(id).Level, h.Everything()
		if len(all[table.KeyOpen(id)]) == 0 || len(h.Said) > c.draws {
			t.Errorf("after %q the end has left before %v, or is drawn %d times", c.moves, c.stays, len(h.Said))
		}
		h.Pass(5 * time.Minute)
		h.Restart()
		if all = h.Everything(); len(all[table.KeyOpen(id)]) > 0 || len(all[table.KeyEnded(id)]) > 0 != (c.moves != "") {
			t.Errorf("after %q and %v it lies open: %q, ended: %q", c.moves, c.stays, all[table.KeyOpen(id)], all[table.KeyEnded(id)])
		}
		if c.moves != "" && h.Look(id).Level > level+2 {
			t.Errorf("after %q it is stored %d times more", c.moves, h.Look(id).Level-level)
		}
	}
}

// TestEndedAhead: a table that has ended while the clock was ahead, and whose last picture can't be shown, is drawn again as seldom as any other; and by
// whatever part of a millisecond the clock differs.
func TestEndedAhead(t *testing.T) {
	for _, ahead := range []time.Duration{0, 500 * time.Microsecond, 3 * time.Hour} {
		h := bottest.NewHall(t)
		h.Must(1, 1, chat.Command, "/tecza deal=7")
		h.Must(1, 1, chat.Command, "/m draw")
		h.Sure(1, 1, chat.Command, "/giveup")
		h.Said, h.Wall = nil, h.Wall-ahead
		if h.Pass(27 * time.Hour); len(h.Said) > 16 {
			t.Errorf("put back by %v, the end is drawn %d times", ahead, len(h.Said))
		}
	}
}

// TestOpenedOnce: a command that comes a second time, when its table has vanished, opens no other.
func TestOpenedOnce(t *testing.T) {
	h := bottest.NewHall(t)
	open := chat.Request{ID: "twice", Kind: chat.Command, Who: bottest.User(1), In: h.Place(1), Data: "/zevaka"}
	bottest.Seen(t.Context(), h.Bot, open)
	id := h.Table(1).ID
	h.Must(1, 1, chat.Command, "/stop")
	h.ShowLast(id)
	if r := bottest.Seen(t.Context(), h.Bot, open); !h.Is(r, table.ErrGone) {
		t.Errorf("it is answered %+v", r)
	}
	if tables, err := bottest.Shelf(h.Store).Look(t.Context(), h.Place(1)); err != nil || len(tables) > 0 {
		t.Errorf("%d tables are open, %v", len(tables), err)
	}
}

// TestLeftTablesMakeRoom: where a place is full the table makes room that was left for longest: after some minutes one where somebody sits
// alone, later one where several do. Where chips of purses are at stake, and where somebody plays, none does; and nobody is told to close
// what others have opened.
func TestLeftTablesMakeRoom(t *testing.T) {
	for name, test := range map[string]struct {
		left time.Duration
		// together has two people sit at each table, bank has the first be a bank.
		together, bank bool
		// closed is whose table makes room, by its number; -1 is nobody's.
		closed int
		// back is how far the clock is put back meanwhile.
		back time.Duration
	}{
		"all have just come":                            {time.Second, false, false, -1, 0},
		"all are left alone":                            {3 * time.Minute, false, false, 1, 0},
		"two sit at each":                               {3 * time.Minute, true, false, -1, 0},
		"two have sat at each for long":                 {11 * time.Minute, true, false, 1, 0},
		"all were left alone while the clock was ahead": {3 * time.Minute, false, false, 1, 30 * 24 * time.Hour},
		"the first is a bank":                           {11 * time.Minute, false, true, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			var all []table.ID
			for n := range int64(table.MaxTables) {
				var one *table.Table
				switch host := 10*n + 1; {
				case test.bank && n == 0:
					one = h.Sit(1, "100 limit=none", host, host+1)
				default:
					r := h.Must(1, host, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka"))
					id, _ := table.ParseID(r.Opened)
					if one = h.Look(id); test.together {
						h.Must(1, host+1, chat.Press, table.Token{Table: id, Do: "!join"}.String())
					}
				}
				all = append(all, one.ID)
			}
			h.Running += test.left
			h.Wall -= test.back
			for _, id := range all[1:] {
				if now := h.Look(id); now.Phase == table.Lobby {
					h.Press(1, now, "limit") // That is no reason to wait for them longer.
				}
			}
			if !test.bank {
				h.Must(1, 5, chat.Press, table.Token{Table: all[0], Do: "!join"}.String())
			}
			r := h.Ask(1, 999, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka"))
			if refused := h.Is(r, table.ErrManyTables); refused != (test.closed < 0) {
				t.Errorf("it is answered %q", r.Toast)
			}
			for n, id := range all {
				if now := h.Look(id); (now.Phase == table.Ended) != (n == test.closed) || now.Phase == table.Ended && now.Why != "stop-left" {
					t.Errorf("table %d is in phase %d, %q", n, now.Phase, now.Why)
				}
			}
			h.Audit()
		})
	}
}

// TestLookersKeep: where a place is full, who looks at a patience that they have begun keeps it for longer than who hasn't, or looks away.
func TestLookersKeep(t *testing.T) {
	for name, test := range map[string]struct {
		left           time.Duration
		begun, looking bool
		stays          bool
	}{
		"looked at":          {14 * time.Minute, true, true, true},
		"for too long":       {16 * time.Minute, true, true, false},
		"not begun":          {3 * time.Minute, false, true, false},
		"nobody looks at it": {3 * time.Minute, true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			id, _ := table.ParseID(h.Must(1, 1, chat.Command, "/tecza").Opened)
			if test.begun {
				h.Must(1, 1, chat.Press, h.Button(1, "draw"))
			}
			if test.looking {
				look, err := h.Bot.Live().Look(t.Context(), chat.Request{Who: bottest.User(1), In: h.Place(1)}, id, func() {})
				if err != nil {
					t.Fatal(err)
				}
				defer look.Close()
			}
			h.Running += test.left
			for n := range int64(table.MaxTables) {
				h.Ask(1, 10+n, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka"))
			}
			if now := h.Look(id); (now.Phase != table.Ended) != test.stays {
				t.Errorf("it is in phase %d, %q", now.Phase, now.Why)
			}
		})
	}
}

// TestOneHome: from one home half of a place's tables can be opened, whoever there opens them, and another when one of those has ended; the
// rest is for others.
func TestOneHome(t *testing.T) {
	h := bottest.NewHall(t)
	user := int64(0)
	opens := func(from string) chat.Response {
		user++
		r := h.Request(1, user, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka"))
		r.From = from
		return h.Bot.Handle(t.Context(), r)
	}
	const home, other = "192.0.2.1", "198.51.100.1"
	for _, from := range []string{home, other} {
		for n := range table.MaxTables / 2 {
			if r := opens(from); r.Opened == "" {
				t.Fatalf("table %d from %s: %q", n, from, r.Toast)
			}
		}
		if r := opens(from); !h.Is(r, "home-tables") {
			t.Errorf("one more from %s: %+v", from, r)
		}
	}
	h.Must(1, 1, chat.Press, table.Token{Table: h.OpenTables(1)[0].ID, Do: "!stop"}.String())
	if r := opens(other); !h.Is(r, "home-tables") {
		t.Errorf("one more from another home: %+v", r)
	}
	if r := opens(home); r.Opened == "" {
		t.Errorf("a table has ended, and another is refused: %q", r.Toast)
	}
	oldest := h.OpenTables(1)[0].ID
	h.Running += 3 * time.Minute
	if r := opens(home); r.Opened == "" || h.Look(oldest).Why != "stop-left" {
		t.Errorf("a table of the home is left, and another is refused: %q", r.Toast)
	}
}

// TestOneHomeOfManyAddresses: whoever has a network of IPv6 is one home, by however many addresses they come.
func TestOneHomeOfManyAddresses(t *testing.T) {
	h := bottest.NewHall(t)
	for n := range int64(table.MaxTables/2 + 1) {
		r := h.Request(1, n+1, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka"))
		r.From = fmt.Sprintf("2001:db8:7:%x::/64", n)
		if response := h.Bot.Handle(t.Context(), r); (response.Opened == "") != (n == table.MaxTables/2) {
			t.Errorf("table %d: %q", n, response.Toast)
		}
	}
}

// TestOneHomeAtOnce: so it is if all its people open a table in one moment.
func TestOneHomeAtOnce(t *testing.T) {
	h := bottest.NewHall(t)
	var all sync.WaitGroup
	var opened atomic.Int32
	for n := range int64(table.MaxTables) {
		r := h.Request(1, n+1, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka"))
		r.From = "192.0.2.1"
		all.Go(func() {
			if h.Bot.Handle(t.Context(), r).Opened != "" {
				opened.Add(1)
			}
		})
	}
	all.Wait()
	if n := len(h.OpenTables(1)); n != table.MaxTables/2 || int(opened.Load()) != n {
		t.Errorf("%d tables are open, and %d were promised", n, opened.Load())
	}
}

// TestHomeOfASession: a session that goes on at its next table is still that of the home from which it was opened.
func TestHomeOfASession(t *testing.T) {
	h := bottest.NewHall(t)
	opens := func(user int64, line string) chat.Response {
		r := h.Request(1, user, chat.Command, line)
		r.From = "192.0.2.1"
		h.Running += 2 * time.Second
		return h.Bot.Handle(t.Context(), r)
	}
	for n := range int64(table.MaxTables / 2) {
		host := 10*n + 1
		r := opens(host, "/banchok 20 limit=none banks=2")
		id, ok := table.ParseID(r.Opened)
		if !ok {
			t.Fatalf("table %d: %q", n, r.Toast)
		}
		h.Must(1, host+1, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		h.Must(1, host, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
		h.Cut(1)
		if ended := h.Finish(1); ended.Next == "" {
			t.Fatalf("session %d is over", n)
		}
		h.Cut(1)
	}
	if r := opens(999, "/banchok 20"); !h.Is(r, "home-tables") {
		t.Errorf("one more: %q, and %d are open", r.Toast, len(h.OpenTables(1)))
	}
	h.Audit()
}

// TestHomeBesideOthers: also beside others who open tables at the same time one home opens no more than its part.
func TestHomeBesideOthers(t *testing.T) {
	worst := 0
	for round := range 20 {
		h := bottest.NewHall(t)
		var wg sync.WaitGroup
		open := func(user int64, from string) {
			r := chat.Request{ID: fmt.Sprint("o", round, " ", user), Kind: chat.Press, Who: bottest.User(user), In: h.Place(1), From: from,
				Data: table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka")}
			h.Bot.Handle(t.Context(), r)
		}
		for g := range int64(4) {
			wg.Go(func() {
				for n := range int64(6) {
					open(1000+g*100+n, "192.0.2.1/32")
				}
			})
		}
		for g := range int64(3) {
			wg.Go(func() {
				for n := range int64(3) {
					open(5000+g*100+n, fmt.Sprintf("198.51.100.%d/32", g))
				}
			})
		}
		wg.Wait()
		n := 0
		for _, one := range h.OpenTables(1) {
			if one.Host < 5000 {
				n++
			}
		}
		worst = max(worst, n)
	}
	if worst > 12 {
		t.Errorf("one home has opened %d", worst)
	}
}
