package play_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
)

// cutting is a table of these people whose pack is to be cut, and what was posted when it was.
func cutting(h *bottest.Hall, users ...int64) (*table.Table, []chat.Post) {
	h.T.Helper()
	h.Must(1, users[0], chat.Command, "/zevaka")
	for _, user := range users[1:] {
		h.Must(1, user, chat.Press, table.Token{Table: h.Table(1).ID, Do: "!join"}.String())
	}
	posts := h.Must(1, users[0], chat.Press, table.Token{Table: h.Table(1).ID, Do: "!deal"}.String()).Posts
	return h.Table(1), posts
}

// add has the person in a seat add something to the cut.
func add(h *bottest.Hall, seat int, do string) chat.Response {
	h.T.Helper()
	t := h.Table(1)
	return h.Ask(1, t.Chairs[seat].User, chat.Press, table.Token{Table: t.ID, Epoch: 1, Do: do}.String())
}

func dealtAt(t *table.Table) bool { return t.Phase == table.Playing }

// TestOthersHaveTime: the cutter's cut deals, but not before the others had their time, unless all have cut; and when time is up
// the pack is dealt with what is there.
func TestOthersHaveTime(t *testing.T) {
	const others = 5 * time.Second
	for name, test := range map[string]struct {
		cut   func(h *bottest.Hall, cutter int)
		dealt bool
		pass  time.Duration
		cuts  []string
	}{
		"the cutter at once":           {func(h *bottest.Hall, c int) { add(h, c, "!cut 7") }, false, others, []string{"7"}},
		"the cutter a little later":    {func(h *bottest.Hall, c int) { h.Pass(time.Second); add(h, c, "!cut 7") }, false, others, []string{"7"}},
		"the cutter when time is over": {func(h *bottest.Hall, c int) { h.Pass(others); add(h, c, "!cut 7") }, true, 0, []string{"7"}},
		"another after the cutter": {func(h *bottest.Hall, c int) {
			add(h, c, "!cut 7")
			add(h, (c+1)%3, "!cut 13")
		}, false, others, []string{"7", "13"}},
		"all": {func(h *bottest.Hall, c int) {
			add(h, c, "!cut 7")
			add(h, (c+1)%3, "!cut 13")
			add(h, (c+2)%3, "!no-cut")
		}, true, 0, []string{"7", "13"}},
		"only another":             {func(h *bottest.Hall, c int) { add(h, (c+1)%3, "!cut 13") }, false, 20 * time.Second, []string{"13"}},
		"nobody":                   {func(*bottest.Hall, int) {}, false, 20 * time.Second, nil},
		"the cutter wants nothing": {func(h *bottest.Hall, c int) { h.Pass(others); add(h, c, "!no-cut") }, true, 0, nil},
		"the others leave": {func(h *bottest.Hall, c int) {
			add(h, c, "!cut 7")
			for _, seat := range []int{(c + 1) % 3, (c + 2) % 3} {
				h.Press(h.Table(1).Chairs[seat].User, h.Table(1), "leave")
			}
		}, true, 0, []string{"7"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.AddTime = others
			h.Restart()
			one, _ := cutting(h, 1, 2, 3)
			test.cut(h, one.Cutter)
			if dealt := dealtAt(h.Table(1)); dealt != test.dealt {
				t.Fatalf("the cards are dealt: %t", dealt)
			}
			if now := h.Table(1); !dealtAt(now) {
				if began := one.Ends.Add(-20 * time.Second); began.Until(now.Ends) != test.pass {
					t.Errorf("the cards are dealt after %v", began.Until(now.Ends))
				}
				h.Pass(h.ClockNow().Until(now.Ends) + time.Second)
			}
			now := h.Table(1)
			var cuts []string
			for i := range 3 {
				if cut := table.CutOf(now, engine.Seat((one.Cutter+i)%3)); cut != "" {
					cuts = append(cuts, cut)
				}
			}
			if now.Phase != table.Playing || now.Ends == one.Ends || !slices.Equal(cuts, test.cuts) {
				t.Errorf("it is in phase %d, cut by %q", now.Phase, cuts)
			}
			h.Restart() // It is dealt again from what is stored.
			boardText(h, 1)
			if again := h.Table(1); again.Phase != table.Playing || again.Seed != one.Seed {
				t.Errorf("after a start it is in phase %d", again.Phase)
			}
		})
	}
}

// TestPledge: who asks for it before the cut has the seed promised to everybody, once, in a message that stays; who looks at the table from
// elsewhere is told it alone. In the room, where everybody looks at the live table, who asks first is told it there, too.
func TestPledge(t *testing.T) {
	room := chat.Community{Platform: chat.Web, ID: 1}
	for name, test := range map[string]struct {
		at                  chat.Community
		live, outside       bool
		promised, toldAlone bool
	}{
		"a chat":         {promised: true},
		"a private chat": {outside: true, toldAlone: true},
		"an Activity":    {live: true, toldAlone: true},
		"a Mini App":     {live: true, outside: true, toldAlone: true},
		"the room":       {at: room, live: true, promised: true, toldAlone: true},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			h.At = test.at
			one, posts := cutting(h, 1, 2)
			sum, number := one.Seed.Commitment(), string(bottest.Must(one.Seed.MarshalText()))
			for _, p := range posts {
				if strings.Contains(words.Flat(p.Text), sum) {
					t.Errorf("it is promised though nobody has asked: %+v", p)
				}
			}
			ask := func(user int64, promised, toldAlone bool) {
				t.Helper()
				r := h.Request(1, user, chat.Press, table.Token{Table: one.ID, Epoch: 1, Do: "!check"}.String())
				r.Live, r.FromOutside = test.live, test.outside
				was := h.Table(1).Pledged
				var all, own int
				for _, p := range bottest.Seen(t.Context(), h.Bot, r).Posts {
					if text := words.Flat(p.Text); !strings.Contains(text, sum) || strings.Contains(text, number) {
						t.Errorf("P%d is told %q", user, text)
					}
					switch {
					case p.Edit != "" || p.Table != "" || p.Receipt != "" || len(p.Buttons)+len(p.Mention) > 0 || p.Delete:
						t.Errorf("it is promised by %+v", p)
					case p.To == nil && p.Open != chat.Common: // Else whoever asks in the room is told alone.
						all++
					case p.To != nil && p.To.ID == user:
						own++
					}
				}
				if (all == 1) != promised || (own == 1) != toldAlone || max(all, own) > 1 {
					t.Errorf("P%d has %d posts made for all and %d for themselves", user, all, own)
				}
				if now := h.Table(1).Pledged; now != (was || promised) {
					t.Errorf("it is noted as promised: %t", now)
				}
			}
			ask(3, test.promised, test.toldAlone)
			ask(2, false, test.promised || test.toldAlone)
		})
	}
}

// TestCutsOfAnEarlierProgram: what was cut when only the cutter could is the cutter's, and dealt as it was.
func TestCutsOfAnEarlierProgram(t *testing.T) {
	h := bottest.NewHall(t)
	one, _ := cutting(h, 1, 2, 3)
	h.Cut(1)
	old := *h.Table(1)
	old.Chairs = slices.Clone(old.Chairs)
	old.Chairs[old.Cutter].Cut = ""
	if old.Cut != "7" || table.CutOf(&old, engine.Seat(one.Cutter)) != "7" || table.CutOf(&old, engine.Seat((one.Cutter+1)%3)) != "" {
		t.Errorf("it was cut by %q", old.Cut)
	}
	a, b := engine.Pack(6), engine.Pack(6)
	table.ShufflerOf(&old).Shuffle(a)
	engine.NewShuffler(old.Seed, "7").Shuffle(b)
	if e := table.CutEvent(&old); !slices.Equal(a, b) || int(e.Seat) != one.Cutter || e.What != "cut" {
		t.Errorf("it is dealt otherwise, and told as %+v", e)
	}
}

// TestSharedTableIsNew: a table whose pack several have cut is none that an earlier program may play on at.
func TestSharedTableIsNew(t *testing.T) {
	h := bottest.NewHall(t)
	one, _ := cutting(h, 1, 2, 3)
	add(h, (one.Cutter+1)%3, "!cut 13")
	if h.Table(1).Format != table.Format {
		t.Errorf("before the deal it has format %d", h.Table(1).Format)
	}
	h.Cut(1)
	if h.Table(1).Format == table.Format {
		t.Error("an earlier program would deal it otherwise")
	}
	if r := add(h, (one.Cutter+1)%3, "!cut 14"); !h.Is(r, table.ErrNoCut) {
		t.Errorf("after the deal it is cut: %q", r.Toast)
	}
}
