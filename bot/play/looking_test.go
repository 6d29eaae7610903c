package play_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// TestLooksAway: who has the table before their eyes is called to their turn once they look away, if there is still time for it, and else to
// the next one; so is who was called once and didn't come, since the call may not have got through.
func TestLooksAway(t *testing.T) {
	hide, show, shut := func(k *live.Look) { k.Hide(true) }, func(k *live.Look) { k.Hide(false) }, (*live.Look).Close
	const s = time.Second
	for name, test := range map[string]struct {
		limit string
		// does are what becomes of the page when the turn has run for so long.
		does map[time.Duration]func(*live.Look)
		// called, next and again are after how long their person is called in this turn, in the next, and in one after they have played; 0
		// is never.
		called, next, again time.Duration
	}{
		"never":              {"60s", nil, 0, 15 * s, 0}, // Who misses one is called to the next: not every browser says that nobody sees a page.
		"before the call":    {"60s", map[time.Duration]func(*live.Look){5 * s: hide}, 15 * s, 15 * s, 15 * s},
		"after it":           {"60s", map[time.Duration]func(*live.Look){16 * s: hide}, 25 * s, 15 * s, 15 * s},
		"for good":           {"60s", map[time.Duration]func(*live.Look){16 * s: shut}, 25 * s, 15 * s, 15 * s},
		"late":               {"60s", map[time.Duration]func(*live.Look){36 * s: hide}, 45 * s, 15 * s, 15 * s},
		"too late":           {"60s", map[time.Duration]func(*live.Look){46 * s: hide}, 0, 15 * s, 15 * s},
		"and back":           {"60s", map[time.Duration]func(*live.Look){16 * s: hide, 20 * s: show}, 0, 15 * s, 0},
		"where a turn lasts": {"1h", map[time.Duration]func(*live.Look){16 * s: hide}, 75 * s, 0, 0},
		"with no limit":      {"none", map[time.Duration]func(*live.Look){16 * s: hide}, 75 * s, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.NewHall(t)
			id := dealTo(h, "/zevaka limit="+test.limit, 2, 0)
			look, err := h.Bot.Live().Look(t.Context(), chat.Request{Who: bottest.User(2), In: h.Place(1)}, id, func() {})
			if err != nil {
				t.Fatal(err)
			}
			defer look.Close()
			for turn, want := range []time.Duration{test.called, test.next, test.again} {
				if turn == 2 {
					playUntil(h, id, func(*table.Table) bool { return h.Turn(1) == 2 })
					playUntil(h, id, func(*table.Table) bool { return h.Turn(1) == 1 })
				}
				playUntil(h, id, func(*table.Table) bool { return h.Turn(1) == 2 })
				called := []time.Duration{}
				h.Said = nil
				for past := time.Duration(0); past < 90*s && h.Look(id).Mover == h.Seat(2); past += s {
					if do := test.does[past]; do != nil && turn == 0 {
						do(look)
					}
					h.Pass(s)
					for _, p := range h.Said {
						if slices.ContainsFunc(p.Mention, func(u chat.User) bool { return u.ID == 2 }) {
							called = append(called, past)
						}
					}
					h.Said = nil
				}
				if got, wants := fmt.Sprint(called), map[bool]string{true: "[]", false: fmt.Sprint([]time.Duration{want})}[want == 0]; got != wants {
					t.Errorf("in turn %d they are called after %v, not %v", turn, got, wants)
				}
				if test.limit != "60s" {
					return
				}
			}
		})
	}
}

// TestSeemsToLook: who lets a turn wait for long is called though their page says that they look: some browsers say so of every page.
func TestSeemsToLook(t *testing.T) {
	for _, line := range []string{"/zevaka limit=1h", "/zevaka limit=none", "/banchok bank=20 min=20 limit=none"} {
		h := bottest.NewHall(t)
		id := dealTo(h, line, 2, 0)
		for !strings.HasPrefix(line, "/zevaka") && h.Look(id).Mover != 0 { // The banker has a limit of his own.
			h.Must(1, h.Turn(1), chat.Press, h.Button(1, fmt.Sprint("stake ", h.Look(id).Chips.Bank)))
		}
		if strings.HasPrefix(line, "/zevaka") {
			playUntil(h, id, func(*table.Table) bool { return h.Turn(1) == 2 })
		}
		look, err := h.Bot.Live().Look(t.Context(), chat.Request{Who: bottest.User(h.Turn(1)), In: h.Place(1)}, id, func() {})
		if err != nil {
			t.Fatal(err)
		}
		calls := func(d time.Duration) (n int) {
			h.Said = nil
			for range 10 {
				h.Pass(d / 10)
			}
			for _, p := range h.Said {
				n += len(p.Mention)
			}
			return n
		}
		if early, then, later := calls(10*time.Minute), calls(90*time.Second), calls(20*time.Minute); early != 0 || then != 1 || later != 0 {
			t.Errorf("%s: called %d times in ten minutes, %d after that, %d later", line, early, then, later)
		}
		look.Close()
	}
}

// callsUnseen is a hall where whoever has the turn at a table is called by a message that doesn't stand until show says where.
func callsUnseen(t *testing.T) (h *bottest.Hall, id table.ID, show func(on chat.Ref)) {
	t.Helper()
	h = bottest.NewHall(t)
	id = dealTo(h, "/zevaka limit=60s", 3, 0)
	show = func(on chat.Ref) {
		h.Asked++
		r := chat.Request{ID: fmt.Sprint("shown ", h.Asked), In: h.Place(1), Kind: chat.Shown, Data: fmt.Sprint(id, " ", h.Look(id).Level), On: on}
		bottest.Seen(t.Context(), h.Bot, r)
	}
	show("first")
	h.Pass(20 * time.Second)
	return h, id, show
}

// TestNeedsNoCall: who is called by a message that doesn't stand yet isn't called by a picture that they ask for themselves, and by no later one
// either once they play, have left or were removed.
func TestNeedsNoCall(t *testing.T) {
	for does, later := range map[string]bool{"/table": true, "/m flip": false, "/leave": false, "out": false, "removed": false} {
		h, id, _ := callsUnseen(t)
		who := h.Turn(1)
		var r chat.Response
		switch does {
		case "out":
			r = h.Ask(1, who, chat.Left, "")
		case "removed":
			r = h.Sure(1, 99, chat.Press, table.Token{Table: id, Do: "!remove " + h.Look(id).Chairs[h.Seat(who)].Key()}.String())
		default:
			r = h.Ask(1, who, chat.Command, does)
		}
		if called := mentioned(r); called != "" || len(r.Posts) == 0 || h.Look(id).Mover != h.Seat(who) {
			t.Errorf("%s: %q is called by %d posts", does, called, len(r.Posts))
		}
		if called := mentioned(h.Ask(1, 99, chat.Command, "/table")); (called != "") != later {
			t.Errorf("%s: %q is called later", does, called)
		}
	}
}

// TestCalledByWhatComes: whoever is called by a message that doesn't stand yet is called by the picture that takes its place, drawn at half of the
// turn or since somebody presses; and by no other once it stands.
func TestCalledByWhatComes(t *testing.T) {
	for _, stands := range []bool{false, true} {
		h, id, show := callsUnseen(t)
		if stands {
			show("second")
		}
		called := func(when string) {
			t.Helper()
			for _, p := range h.Said {
				if p.Table == "" {
					continue
				}
				m := slices.ContainsFunc(p.Mention, func(u chat.User) bool { return u.ID == h.Turn(1) })
				p, _ = p.Drawn()
				if said := strings.Contains(words.Flat(p.Text), "it's your turn"); m == stands || said == stands {
					t.Errorf("%s, where the call stands: %t: mentioned %t, said %t: %q", when, stands, m, said, words.Flat(p.Text))
				}
			}
			if len(h.Said) == 0 {
				t.Errorf("%s nothing is shown", when)
			}
		}
		h.Said = h.Ask(1, 99, chat.Command, "/table").Posts
		called("shown to somebody")
		h.Said = h.Ask(1, 99, chat.Press, table.Token{Table: id, Do: "!join"}.String()).Posts
		called("shown to who presses what is over")
		h.Said = nil
		h.Pass(15 * time.Second)
		called("at half of the turn")
	}
}
