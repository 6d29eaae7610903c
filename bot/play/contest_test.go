package play_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// TestNobodyCutsItShort: who plays a deal that counts can end it, or remove others from it, in its opening and once nobody else plays on, or
// has left a turn to the computer; an admin who doesn't play can always.
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
		"no limit": {"none", func(h *bottest.Hall, _ table.ID) { under(h, 21, 2); h.Pass(25 * time.Hour) }, 1, false},
		"no limit, and not waited for": {"none", func(h *bottest.Hall, _ table.ID) {
			waitNoMore(h, under(h, 21, 2).ID, 1)
			playUntil(h, h.Table(1).ID, func(now *table.Table) bool { return chair(h, now, 2).Helped })
		}, 1, true},
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
		for every, last := range map[time.Duration]time.Duration{9 * time.Second: 20 * time.Minute, 3 * time.Hour: 25 * time.Hour} {
			t.Run(fmt.Sprint("P", comes, " every ", every), func(t *testing.T) {
				h := bottest.NewHall(t)
				id := dealTo(h, "/zevaka limit=none", 3, 0)
				playUntil(h, id, func(t *table.Table) bool { return t.Moves >= 40 && h.Turn(1) == 2 })
				for from := h.Running; h.Running < from+last; {
					h.Pass(every)
					goAndCome(h, id, comes)
				}
				now := h.Look(id)
				if h.Turn(1) != 2 || now.Skippable != (last > table.Overdue) || comes == 3 && !now.Told {
					t.Errorf("after %v in the turn of P%d: told %v, late %v", last, h.Turn(1), now.Told, now.Skippable)
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
		"the other lets it lie": func(h *bottest.Hall, id table.ID) {
			for n := 0; n < 1000 && h.Turn(1) != 2; n++ {
				h.Pass(time.Second)
			}
			waitNoMore(h, id, 1)
		},
		"both let it lie": func(h *bottest.Hall, _ table.ID) { h.Pass(h.Keep + time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			h, limit := bottest.NewKeeper(t), "15s"
			if strings.Contains(name, "lie") {
				limit = "none"
			}
			id := dealTo(h, "/zevaka 21a limit="+limit, 2, 3)
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

// TestWinnerGoes: who is out of a game that goes on leaves without a question, as nothing is lost by it, and nothing is said of a computer that
// plays for them.
func TestWinnerGoes(t *testing.T) {
	h := bottest.NewHall(t)
	id := dealTo(h, "/zevaka 21a", 3, 0)
	wins(h, id)
	r := h.Must(1, 1, chat.Press, h.Button(1, "!leave ask"))
	board := words.Flat(bottest.Drawn(r.Posts[0]).Text)
	if now := h.Look(id); bottest.AnswerIn(r) != "" || !chair(h, now, 1).Left || strings.Contains(r.Toast+board, "computer") || !strings.Contains(board, "P1 is no longer at the table.") {
		t.Errorf("it is answered %q, and shown\n%s", r.Toast, board)
	}
	playUntil(h, id, func(*table.Table) bool { return false })
	if now := h.Look(id); tally(h, now, 1) != "1 1 1" {
		t.Errorf("P1 has %s", tally(h, now, 1))
	}
}

// waitNoMore has the others wait for a day for whose turn it is, and then no longer.
func waitNoMore(h *bottest.Hall, id table.ID, who ...int64) {
	h.T.Helper()
	h.Pass(25 * time.Hour)
	mover := h.Look(id).Mover
	for _, user := range who {
		h.Must(1, user, chat.Press, h.Button(1, fmt.Sprint("!skip ", mover)))
	}
	if now := h.Look(id); !now.Chairs[mover].Away {
		h.T.Fatalf("seat %d has %+v", mover, now.Chairs[mover])
	}
}

// TestLateLoses: who keeps the others waiting until they remove them has lost, as by getting up, and doesn't come back.
func TestLateLoses(t *testing.T) {
	for _, limit := range []string{"none", "15s"} {
		t.Run(limit, func(t *testing.T) {
			h := bottest.NewHall(t)
			id := dealTo(h, "/zevaka limit="+limit, 3, 0)
			playUntil(h, id, func(t *table.Table) bool { return t.Moves >= 40 && h.Turn(1) == 2 })
			for n := 0; n < 1000 && !chair(h, h.Look(id), 2).Helped; n++ {
				switch {
				case h.Turn(1) == 2 && limit == "none" && !chair(h, h.Look(id), 2).Away:
					waitNoMore(h, id, 3)
					continue
				case h.Turn(1) == 2:
					h.Pass(3 * time.Second)
					continue
				}
				moved := h.Look(id).Moves
				playUntil(h, id, func(t *table.Table) bool { return t.Moves > moved })
			}
			h.Sure(1, 1, chat.Press, table.Token{Table: id, Do: "!remove 2"}.String())
			if r := h.Ask(1, 2, chat.Press, table.Token{Table: id, Do: "!back"}.String()); !h.Is(r, table.ErrRemoved) {
				t.Errorf("who was removed comes back: %q", r.Toast)
			}
			playUntil(h, id, func(*table.Table) bool { return false })
			if now := h.Look(id); tally(h, now, 2) != "1 0 0" || tally(h, now, 1)[0] != '1' {
				t.Errorf("it is %v, why %q; P1 %s, P2 %s", now.Phase, now.Why, tally(h, now, 1), tally(h, now, 2))
			}
		})
	}
}

// loses and wins are moments of a game that counts: P1 has to move, or has won.
func loses(h *bottest.Hall, id table.ID) {
	playUntil(h, id, func(t *table.Table) bool { return t.Moves >= 40 && h.Turn(1) == 1 })
}

func wins(h *bottest.Hall, id table.ID) {
	playUntil(h, id, func(now *table.Table) bool { return chair(h, now, 1).Out })
}

// tallies are those of so many people.
func tallies(h *bottest.Hall, id table.ID, people int64) (all []string) {
	h.T.Helper()
	for user := range people {
		all = append(all, tally(h, h.Look(id), user+1))
	}
	return all
}

// TestExpelled: who has somebody beside them taken from the community gains nothing by that, nor does it lose that one anything, and who has
// won by then has. Who does it themselves has lost, and gains nothing by coming back.
func TestExpelled(t *testing.T) {
	const none, lost, won = "0 0 0", "1 0 0", "1 1 1"
	for _, test := range []struct {
		until  func(*bottest.Hall, table.ID)
		people int64
		who    int64
		data   string
		by     int64
		want   []string
	}{
		{loses, 2, 2, "", 0, []string{lost, lost}}, // The computer that plays on for them comes first.
		{loses, 2, 2, chat.Expelled, 0, []string{none, none}},
		{loses, 2, 2, chat.Expelled, 1, []string{lost, none}},
		{loses, 3, 2, chat.Expelled, 1, []string{lost, none, lost}},
		{loses, 3, 1, chat.Expelled, 2, []string{none, lost, lost}},
		{wins, 4, 1, "", 0, []string{won, lost}},
		{wins, 4, 1, chat.Expelled, 0, []string{won, lost}},
		{wins, 4, 1, chat.Expelled, 2, []string{won, lost}},
		{wins, 4, 2, chat.Expelled, 1, []string{won, none}},
	} {
		h := bottest.NewHall(t)
		id := dealTo(h, "/zevaka 21a limit=60s", test.people, 0)
		test.until(h, id)
		leaves := func() {
			r := h.Request(1, test.who, chat.Left, test.data)
			r.By = test.by
			h.Bot.Handle(t.Context(), r)
		}
		leaves()
		if r := h.Ask(1, test.who, chat.Press, table.Token{Table: id, Do: "!back"}.String()); !r.Alert && test.data != "" {
			t.Errorf("%+v: who comes back is answered %q", test, r.Toast)
		}
		h.Soon(1, test.by, chat.Press, table.Token{Table: id, Do: "!back"}.String())
		leaves()
		playUntil(h, id, func(*table.Table) bool { return false })
		if now := h.Look(id); now.Phase != table.Ended || !slices.Equal(tallies(h, id, int64(len(test.want))), test.want) {
			t.Errorf("%+v: it is %v, why %q; they have %q", test, now.Phase, now.Why, tallies(h, id, test.people))
		}
	}
}

// TestGoneCounts: who removes the bot from the place in a game that counts has lost it, nobody else loses anything by that, and who has won
// by then has. Nobody loses where it isn't known who did it, nor in the opening.
func TestGoneCounts(t *testing.T) {
	const none, lost, won = "0 0 0", "1 0 0", "1 1 1"
	opening := func(h *bottest.Hall, id table.ID) {
		playUntil(h, id, func(t *table.Table) bool { return t.Moves >= 5 })
	}
	for name, test := range map[string]struct {
		until func(*bottest.Hall, table.ID)
		by    int64
		want  []string
	}{
		"in play":                      {loses, 0, []string{none, none, none, none}},
		"in play, by who plays":        {loses, 1, []string{lost, none, none, none}},
		"in play, by who doesn't":      {loses, bottest.Warden, []string{none, none, none, none}},
		"in the opening, by who plays": {opening, 1, []string{none, none, none, none}},
		"won":                          {wins, 0, []string{won, none, none, none}},
		"won, by who loses":            {wins, 2, []string{won, lost, none, none}},
		"won, by who has won":          {wins, 1, []string{won, none, none, none}},
		"by who had left": {func(h *bottest.Hall, id table.ID) {
			loses(h, id)
			h.Sure(1, 1, chat.Press, table.Token{Table: id, Do: "!leave"}.String())
		}, 1, []string{lost, none, none, none}},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			id := dealTo(h, "/zevaka 21a limit=60s", 4, 0)
			test.until(h, id)
			r := h.Request(1, 0, chat.Gone, "")
			r.By = test.by
			h.Bot.Handle(t.Context(), r)
			now := h.Look(id)
			if got := tallies(h, id, 4); now.Phase != table.Ended || !slices.Equal(got, test.want) {
				t.Errorf("it is %v, why %q; they have %q", now.Phase, now.Why, got)
			}
			for _, f := range now.Finishes(6) {
				start := scores.StartRating()
				if up := f.Rating.Mean > start.Mean; *f.N > 0 && (f.Rating.Mean == start.Mean || up != f.Won) {
					t.Errorf("%s, who has won: %t, has the rating %v", f.Name, f.Won, f.Rating)
				}
			}
			h.Audit()
		})
	}
}

// TestRoomIsElsewhere: a game that counts makes no room for tables that who plays in it opens, as long as its turn may last: be it that they
// have left it, or let a turn of theirs go.
func TestRoomIsElsewhere(t *testing.T) {
	waits := func(d time.Duration) func(*bottest.Hall, table.ID) {
		return func(h *bottest.Hall, _ table.ID) { h.Pass(d) }
	}
	leaves := func(h *bottest.Hall, id table.ID) {
		h.Sure(1, 2, chat.Press, table.Token{Table: id, Do: "!leave"}.String())
		playUntil(h, id, func(*table.Table) bool { return h.Turn(1) == 1 })
		h.Pass(3 * time.Minute)
	}
	for name, test := range map[string]struct {
		people int64
		limit  string
		then   func(*bottest.Hall, table.ID)
	}{
		"an hour a turn":      {2, "1h", waits(55 * time.Minute)},
		"no limit":            {2, "none", waits(47 * time.Hour)},
		"who loses has left":  {2, "10m", leaves},
		"in the other's turn": {2, "1h", waits(71 * time.Minute)},
		"in a third's turn":   {3, "1h", waits(131 * time.Minute)},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			id := dealTo(h, "/zevaka limit="+test.limit, test.people, 0)
			playUntil(h, id, func(t *table.Table) bool { return t.Moves >= 40 && h.Turn(1) == 2 })
			test.then(h, id)
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

// TestSeatsOfOthers: two people who open tables for each other by turns, and leave them to the other, leave room for the others.
func TestSeatsOfOthers(t *testing.T) {
	for name, leaves := range map[string]func(press func(int64, string), host, other int64, cut func()){
		"a lobby": func(press func(int64, string), host, other int64, _ func()) {
			press(other, "!join")
			press(host, "!leave")
			press(host, "!join")
		},
		"a deal": func(press func(int64, string), host, other int64, cut func()) {
			press(other, "!join")
			press(host, "!deal")
			cut()
			press(host, "!leave")
		},
	} {
		t.Run(name, func(t *testing.T) {
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
					if known[one.ID.Name] {
						continue
					}
					press := func(user int64, do string) {
						h.Surely(1, user, chat.Press, table.Token{Table: one.ID, Do: do}.String())
					}
					leaves(press, one.Host, 17-one.Host, func() {
						now := h.Look(one.ID)
						h.Must(1, now.Chairs[now.Cutter].User, chat.Press, table.Token{Table: one.ID, Epoch: 1, Do: "!cut 7"}.String())
					})
				}
			}
			if n := len(h.OpenTables(1)); n > 18 {
				t.Errorf("two people have %d tables", n)
			}
			if r := h.Opens(1, 1, "/tecza"); r.Alert {
				t.Errorf("somebody else is told %q", r.Toast)
			}
		})
	}
}

// TestSitsAtMany: one person's tables, and the others that they sit at, are bounded in a place; who was removed from a table isn't at it, and
// patiences are nobody else's.
func TestSitsAtMany(t *testing.T) {
	h := bottest.NewHall(t)
	sit := func(host int64) (table.ID, chat.Response) {
		known := map[table.ID]bool{}
		for _, one := range h.OpenTables(1) {
			known[one.ID] = true
		}
		h.Opens(1, host, "/zevaka limit=none")
		for _, one := range h.OpenTables(1) {
			if !known[one.ID] {
				return one.ID, h.Ask(1, 5, chat.Press, table.Token{Table: one.ID, Do: "!join"}.String())
			}
		}
		t.Fatal("no table was opened")
		return table.ID{}, chat.Response{}
	}
	var all []table.ID
	for n := range int64(9) {
		id, r := sit(10 + n)
		if all = append(all, id); r.Alert {
			t.Fatalf("table %d: %q", n, r.Toast)
		}
	}
	tenth, r := sit(30)
	if !h.Is(r, table.ErrOwnTables) {
		t.Errorf("a seat at a tenth table is answered %q", r.Toast)
	}
	if r := h.Ask(1, 5, chat.Press, table.Token{Table: tenth, Do: "!join x"}.String()); !h.Is(r, table.ErrOwnTables) {
		t.Errorf("a seat by more than the button says is answered %q", r.Toast)
	}
	if r := h.Opens(1, 5, "/zevaka"); !h.Is(r, table.ErrOwnTables) {
		t.Errorf("who sits at nine tables opens one: %q", r.Toast)
	}
	h.Must(1, 40, chat.Command, "/zevaka limit=none computers=2 now")
	ended := h.OpenTables(1)[len(h.OpenTables(1))-1].ID
	for _, one := range h.OpenTables(1) {
		if one.Host == 40 {
			ended = one.ID
		}
	}
	playUntil(h, ended, func(t *table.Table) bool { return t.Moves > 2 })
	h.Surely(1, 40, chat.Press, table.Token{Table: ended, Do: "!stop"}.String())
	h.Must(1, 40, chat.Press, table.Token{Table: ended, Do: "!again"}.String())
	if r := h.Ask(1, 5, chat.Press, table.Token{Table: ended, Do: "!again"}.String()); !h.Is(r, table.ErrOwnTables) {
		t.Errorf("a tenth seat by another game is answered %q", r.Toast)
	}
	if r := h.Opens(1, 5, "/tecza"); r.Alert {
		t.Errorf("who sits at nine tables lays no patience: %q", r.Toast)
	}
	for n, id := range all[:4] {
		host := int64(10 + n)
		h.Surely(1, host, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
		now := h.Look(id)
		h.Must(1, now.Chairs[now.Cutter].User, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!cut 7"}.String())
		h.Surely(1, host, chat.Press, table.Token{Table: id, Do: "!remove 5"}.String())
	}
	if r := h.Opens(1, 5, "/zevaka"); r.Alert {
		t.Errorf("who was removed from four of nine opens none: %q", r.Toast)
	}
}

// TestRemovedKeepNoTable: where a place is full, a table at which somebody plays on with computers alone keeps nobody away, though they have
// removed a person from it in time.
func TestRemovedKeepNoTable(t *testing.T) {
	h := bottest.NewHall(t)
	var first table.ID
	for n := range int64(table.MaxTables) {
		r := h.Must(1, 10*n+1, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka limit=none"))
		id, _ := table.ParseID(r.Opened)
		h.Must(1, 10*n+2, chat.Press, table.Token{Table: id, Do: "!join"}.String())
		if n == 0 {
			first = id
		}
	}
	press := func(do string) { h.Surely(1, 1, chat.Press, table.Token{Table: first, Do: do}.String()) }
	press("!robot")
	press("!deal")
	now := h.Look(first)
	h.Must(1, now.Chairs[now.Cutter].User, chat.Press, table.Token{Table: first, Epoch: 1, Do: "!cut 7"}.String())
	press("!remove 2")
	playUntil(h, first, func(t *table.Table) bool { return t.Moves > 20 })
	if now := h.Look(first); now.Persons() != 1 || now.Phase != table.Playing {
		t.Fatalf("%d play there", now.Persons())
	}
	h.Running += 3 * time.Minute
	r := h.Ask(1, 999, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another zevaka"))
	if r.Alert || h.Look(first).Why != "stop-left" {
		t.Errorf("somebody else is answered %q", r.Toast)
	}
}

// TestRemovedSitsAtTheBank: who is removed from a bank, and leaves when that has ended, sits there until then.
func TestRemovedSitsAtTheBank(t *testing.T) {
	h := bottest.NewHall(t)
	for n := range int64(6) {
		host := 10 + n
		r := h.Must(1, host, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!another banchok bank=50 limit=none"))
		id, _ := table.ParseID(r.Opened)
		press := func(user int64, do string) {
			h.Surely(1, user, chat.Press, table.Token{Table: id, Do: do}.String())
		}
		press(5, "!join")
		press(host, "!deal")
		now := h.Look(id)
		h.Must(1, now.Chairs[now.Cutter].User, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!cut 7"}.String())
		press(host, "!remove "+strconv.FormatInt(5, 36))
		seat, _ := h.Look(id).SeatOf(5)
		if c := h.Look(id).Chairs[seat]; !c.Removed || c.Left {
			t.Fatalf("bank %d: %+v", n, c)
		}
	}
	if r := h.Opens(1, 5, "/zevaka"); !h.Is(r, table.ErrOwnTables) {
		t.Errorf("who sits at six banks opens a table: %q", r.Toast)
	}
}

// TestPuntersDay: a banker waits for a punter for a day at most where turns have no limit.
func TestPuntersDay(t *testing.T) {
	h := bottest.NewHall(t)
	bank := h.Sit(1, "100 min=20 limit=none side=on", 1, 2, 3)
	punter := h.Turn(1)
	skip := func() chat.Response {
		return h.Ask(1, bank.Chairs[0].User, chat.Press, table.Token{Table: bank.ID, Epoch: h.Look(bank.ID).Epoch(h.State(h.Look(bank.ID))), Do: fmt.Sprint("!skip ", h.Look(bank.ID).Mover)}.String())
	}
	for n := range 22 { // Who has to stake, and changes their mind about side bets, gains no time.
		h.Pass(time.Hour)
		h.Move(1, punter, []string{"allow off", "allow on"}[n%2])
	}
	if r := skip(); !h.Is(r, table.ErrNoSkip) {
		t.Errorf("before it is over the banker is told %q", r.Toast)
	}
	h.Pass(3 * time.Hour)
	if r := skip(); r.Alert || h.Turn(1) == punter {
		t.Errorf("after it the banker is told %q, and it is the turn of P%d", r.Toast, h.Turn(1))
	}
	h.Audit()
}
