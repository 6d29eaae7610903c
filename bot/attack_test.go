package bot

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"zevaka/storage"
)

// wishes are all that a table's own buttons ask for, and what a forger would try.
func wishes(t *table) []string {
	all := []string{
		"!join", "!leave", "!back", "!stop", "!stop-now", "!whom", "!show", "!rules", "!m flip", "!m draw", "!undo", "!redo",
		"!hint", "!home", "!page", "!giveup", "!giveup-now", "!hand", "!pass", "!bet 20", "!cut 7", "!no-cut", "!robot",
		"!norobot", "!panel", "!set 21b", "!opt pack", "!limit", "!fast", "!rounds", "!deal", "!again", "!remove #1",
		"flip", "keep", "centre", "put 1", "take", "stake 20", "open", "side 20 1", "draw",
	}
	for _, c := range t.Chairs {
		all = append(all, "!remove "+c.key())
	}
	return all
}

// street is a hall with tables of all kinds, in channels 1 to 5: in a lobby, cut, played by two, at a bank, a patience.
func street(t *testing.T) *hall {
	h := newHall(t)
	join := func(channel int64) {
		h.must(channel, 2, Press, token{Table: h.table(channel).id, Do: "!join"}.String())
	}
	h.must(1, 1, Command, "/zevaka")
	h.must(2, 1, Command, "/zevaka limit=none")
	h.must(3, 1, Command, "/zevaka limit=none")
	for channel := int64(2); channel <= 3; channel++ {
		join(channel)
		h.must(channel, 1, Press, token{Table: h.table(channel).id, Do: "!deal"}.String())
	}
	h.cut(3)
	h.sit(4, "100 side limit=none", 1, 2)
	h.must(5, 1, Command, "/tecza deal=7")
	return h
}

// everything is all that is stored.
func (h *hall) everything() map[string]string {
	h.t.Helper()
	all := map[string]string{}
	for items, err := range storage.Pages(h.t.Context(), h.store, "") {
		if err != nil {
			h.t.Fatal(err)
		}
		for _, item := range items {
			all[item.Key] = string(item.Value)
		}
	}
	return all
}

// changed are the keys of what is stored otherwise than before.
func (h *hall) changed(before map[string]string) []string {
	h.t.Helper()
	var keys []string
	now := h.everything()
	for key, value := range now {
		if before[key] != value {
			keys = append(keys, key)
		}
	}
	for key := range before {
		if _, ok := now[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// TestOutsiders writes tokens for every table, epoch and wish of a group: somebody who is not in that group, but in a
// private chat with the bot or the admin of another group, changes nothing and is shown nothing.
func TestOutsiders(t *testing.T) {
	for name, at := range map[string]struct {
		in  Place
		who User
	}{
		"in private":           {Place{Community: Community{Telegram, 5}, Channel: 5, Private: true}, User{ID: 5, Name: "Eve", Lang: "en"}},
		"admin in private":     {Place{Community: Community{Telegram, 5}, Channel: 5, Private: true}, User{ID: 5, Name: "Eve", Lang: "en", Admin: true}},
		"admin of a group":     {Place{Community: Community{Telegram, -5}, Channel: 1}, User{ID: 5, Name: "Eve", Lang: "en", Admin: true}},
		"speaking for a group": {Place{Community: Community{Telegram, -5}, Channel: 1}, User{ID: 6, Name: "Eve", Admin: true, Nameless: true}},
		"on another platform":  {Place{Community: Community{Discord, -77}, Channel: 1}, User{ID: 5, Name: "Eve", Lang: "en", Admin: true}},
		"a player elsewhere":   {Place{Community: Community{Telegram, -5}, Channel: 1}, hallUser(1)},
	} {
		t.Run(name, func(t *testing.T) {
			h := street(t)
			var tables []*table
			for channel := range int64(5) {
				tables = append(tables, h.table(channel+1))
			}
			before := h.everything()
			tried := 0
			for _, one := range tables {
				for _, do := range wishes(one) {
					for epoch := range 5 {
						h.running += 2e9
						tried++
						r := h.bot.Handle(t.Context(), Request{
							ID: fmt.Sprint("attack ", tried), Kind: Press, Who: at.who, In: at.in,
							Data: token{Table: one.id, Epoch: epoch, Do: do}.String(),
						})
						if !r.Alert || len(r.Posts) > 0 {
							t.Errorf("%s at table %s: %+v", do, one.id, r)
						}
					}
				}
			}
			if changed := h.changed(before); len(changed) > 0 {
				t.Errorf("after %d tokens other things are stored under %v", tried, changed)
			}
		})
	}
}

// TestStrangers: a member of the group who doesn't play may sit down and look, and nothing else.
func TestStrangers(t *testing.T) {
	h := street(t)
	for channel := range int64(5) {
		one := h.table(channel + 1)
		for _, do := range wishes(one) {
			before := maps.Clone(h.everything())
			for epoch := range 5 {
				h.ask(channel+1, 5, Press, token{Table: one.id, Epoch: epoch, Do: do}.String())
			}
			changed := h.changed(before)
			switch {
			case do == "!join":
				if sits := len(changed) > 0; sits != (one.Phase == lobby || one.Game == "banchok") {
					t.Errorf("%s at a table of %s, phase %d, changes %v", do, one.Game, one.Phase, changed)
				}
				h = street(t) // From now on they would play.
			case len(changed) > 0:
				t.Errorf("%s at a table of %s, phase %d, changes %v", do, one.Game, one.Phase, changed)
			}
		}
	}
}

// TestHostileAdmin: an admin can close tables, remove players and grant chips before everybody's eyes; stakes come back,
// nobody's purse is emptied, and no hand or seed is shown.
func TestHostileAdmin(t *testing.T) {
	h := street(t)
	one := h.table(4)
	h.move(4, h.turn(4), "stake 20")
	purses := map[int64]int64{}
	lies := h.lies(h.table(4))
	for i, c := range one.Chairs {
		purses[c.User] = h.purse(c.User) + lies[i]
	}
	seeds := []string{fmt.Sprintf("%x", one.Seed), fmt.Sprintf("%x", h.table(3).Seed)}
	look := func(r Response) {
		t.Helper()
		for _, p := range r.Posts {
			for _, seed := range seeds {
				if strings.Contains(flat(p.Text), seed) && h.look(one.id).Phase != ended {
					t.Errorf("a seed is shown: %s", flat(p.Text))
				}
			}
		}
	}
	for _, line := range []string{
		"/hand", "/bet 20", "/m open", "/give P2 100", "/balance P2", "/ledger", "/mydata", "/gifts off", "/gifts on", "/lang ru", "/lang en",
	} {
		look(h.ask(4, 99, Command, line))
	}
	for _, do := range wishes(one) {
		if do != "!join" && !strings.HasPrefix(do, "!stop") && !strings.HasPrefix(do, "!remove") {
			look(h.ask(4, 99, Press, token{Table: one.id, Epoch: 2, Do: do}.String()))
		}
	}
	if now := h.look(one.id); now.Phase != playing || now.Moves != one.Moves+1 {
		t.Errorf("phase %d and %d moves, before that %d moves", now.Phase, now.Moves, one.Moves)
	}
	if r := h.must(4, 99, Command, "/grant P2 100"); len(r.Posts) != 1 || r.Posts[0].To != nil {
		t.Errorf("a grant is not told to everybody: %+v", r)
	}
	purses[2] += 100
	h.must(4, 99, Press, token{Table: one.id, Do: "!stop-now"}.String())
	for user, chips := range purses {
		if got := h.purse(user); got != chips {
			t.Errorf("P%d has %d, want %d", user, got, chips)
		}
	}
	h.audit()
}

// TestReplays makes every press of a session once more after each that follows, as it was delivered and as a new one:
// nothing that is stored becomes otherwise by the first, and no chip moves by the others once the session is over.
func TestReplays(t *testing.T) {
	h := newHall(t)
	var made []Request
	press := func(user int64, do string) {
		h.running += 2e9
		made = append(made, Request{
			ID: fmt.Sprint("made ", len(made)), Kind: Press, Who: hallUser(user), In: h.place(1), Data: h.button(1, do),
		})
		if r := h.bot.Handle(t.Context(), made[len(made)-1]); r.Alert {
			t.Fatalf("%s: %s", do, r.Toast)
		}
	}
	one := h.sit(1, "40 min=20 limit=none", 1, 2)
	for range 50 {
		if h.look(one.id).Phase == ended {
			break
		}
		press(h.turn(1), "stake 20")
		if h.look(one.id).Phase != ended {
			press(h.turn(1), "open")
		}
		before := h.everything()
		for _, r := range made {
			h.bot.Handle(t.Context(), r)
		}
		if changed := h.changed(before); len(changed) > 0 {
			t.Fatalf("what was delivered again changes %v", changed)
		}
	}
	if h.look(one.id).Phase != ended {
		t.Fatal("the bank doesn't end")
	}
	before := h.everything()
	for i, r := range made {
		h.running += 2e9
		r.ID = fmt.Sprint("again ", i)
		h.bot.Handle(t.Context(), r)
		r.ID, r.Who = fmt.Sprint("by another ", i), hallUser(3)
		h.bot.Handle(t.Context(), r)
	}
	if changed := h.changed(before); len(changed) > 0 {
		t.Errorf("old buttons change %v", changed)
	}
	h.audit()
}
