package bot_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// forged are all that a table's own buttons ask for, and what a forger would try.
func forged(t *table.Table) []string {
	all := []string{
		"!join", "!leave", "!back", "!stop", "!stop-now", "!whom", "!show", "!rules", "!m flip", "!m draw", "!undo", "!redo",
		"!hint", "!home", "!pile b1 f1", "!page", "!giveup", "!giveup-now", "!hand", "!pass", "!bet 20", "!cut 7", "!no-cut", "!robot",
		"!norobot", "!panel", "!set 21b", "!opt pack", "!limit", "!fast", "!rounds", "!deal", "!again", "!remove #1",
		"flip", "keep", "centre", "put 1", "take", "stake 20", "open", "side 20 1", "draw",
	}
	for _, c := range t.Chairs {
		all = append(all, "!remove "+c.Key())
	}
	return all
}

// TestOutsiders writes tokens for every table, epoch and action of a group: somebody who is not in that group, but in a
// private chat with the bot or the admin of another group, changes nothing and is shown nothing.
func TestOutsiders(t *testing.T) {
	for name, at := range map[string]struct {
		in  chat.Place
		who chat.User
	}{
		"in private":           {chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 5}, Channel: 5, Private: true}, chat.User{ID: 5, Name: "Eve", Lang: "en"}},
		"admin in private":     {chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 5}, Channel: 5, Private: true}, chat.User{ID: 5, Name: "Eve", Lang: "en", Admin: true}},
		"admin of a group":     {chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -5}, Channel: 1}, chat.User{ID: 5, Name: "Eve", Lang: "en", Admin: true}},
		"speaking for a group": {chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -5}, Channel: 1}, chat.User{ID: 6, Name: "Eve", Admin: true, Anonymous: true}},
		"on another platform":  {chat.Place{Community: chat.Community{Platform: chat.Discord, ID: -77}, Channel: 1}, chat.User{ID: 5, Name: "Eve", Lang: "en", Admin: true}},
		"a player elsewhere":   {chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -5}, Channel: 1}, bottest.User(1)},
	} {
		t.Run(name, func(t *testing.T) {
			h := bottest.Street(t)
			var tables []*table.Table
			for channel := range int64(5) {
				tables = append(tables, h.Table(channel+1))
			}
			before := h.Everything()
			tried := 0
			for _, one := range tables {
				for _, do := range forged(one) {
					for epoch := range 5 {
						h.Running += 2e9
						tried++
						r := bottest.Seen(t.Context(), h.Bot, chat.Request{
							ID: fmt.Sprint("attack ", tried), Kind: chat.Press, Who: at.who, In: at.in,
							Data: table.Token{Table: one.ID, Epoch: epoch, Do: do}.String(),
						})
						if !r.Alert || len(r.Posts) > 0 {
							t.Errorf("%s at table %s: %+v", do, one.ID, r)
						}
					}
				}
			}
			if changed := h.Changed(before); len(changed) > 0 {
				t.Errorf("after %d tokens other things are stored under %v", tried, changed)
			}
		})
	}
}

// TestStrangers: a member of the group who doesn't play may sit down and look, and nothing else.
func TestStrangers(t *testing.T) {
	h := bottest.Street(t)
	for channel := range int64(5) {
		one := h.Table(channel + 1)
		for _, do := range forged(one) {
			before := maps.Clone(h.Everything())
			for epoch := range 5 {
				h.Ask(channel+1, 5, chat.Press, table.Token{Table: one.ID, Epoch: epoch, Do: do}.String())
			}
			changed := h.Changed(before)
			switch {
			case do == "!join":
				if sits := len(changed) > 0; sits != (one.Phase == table.Lobby || one.Game == "banchok") {
					t.Errorf("%s at a table of %s, phase %d, changes %v", do, one.Game, one.Phase, changed)
				}
				h = bottest.Street(t) // From now on they would play.
			case len(changed) > 0:
				t.Errorf("%s at a table of %s, phase %d, changes %v", do, one.Game, one.Phase, changed)
			}
		}
	}
}

// TestHostileAdmin: an admin can close tables, remove players and grant chips before everybody's eyes; a stake is settled,
// what else lies there comes back, and no hand or seed is shown.
func TestHostileAdmin(t *testing.T) {
	h := bottest.Street(t)
	one := h.Table(4)
	h.Move(4, h.Turn(4), "stake 20")
	purses := map[int64]int64{}
	lies := h.Lies(h.Table(4))
	for i, c := range one.Chairs {
		purses[c.User] = h.Purse(c.User) + lies[i]
	}
	seeds := []string{fmt.Sprintf("%x", one.Seed), fmt.Sprintf("%x", h.Table(3).Seed)}
	look := func(r chat.Response) {
		t.Helper()
		for _, p := range r.Posts {
			for _, seed := range seeds {
				if strings.Contains(words.Flat(p.Text), seed) && h.Look(one.ID).Phase != table.Ended {
					t.Errorf("a seed is shown: %s", words.Flat(p.Text))
				}
			}
		}
	}
	for _, line := range []string{
		"/hand", "/bet 20", "/m open", "/give P2 100", "/balance P2", "/ledger", "/mydata", "/lang ru", "/lang en",
	} {
		look(h.Ask(4, 99, chat.Command, line))
	}
	for _, do := range forged(one) {
		if do != "!join" && !strings.HasPrefix(do, "!stop") && !strings.HasPrefix(do, "!remove") {
			look(h.Ask(4, 99, chat.Press, table.Token{Table: one.ID, Epoch: 2, Do: do}.String()))
		}
	}
	if now := h.Look(one.ID); now.Phase != table.Playing || now.Moves != one.Moves+1 {
		t.Errorf("phase %d and %d moves, before that %d moves", now.Phase, now.Moves, one.Moves)
	}
	if r := h.Must(4, 99, chat.Command, "/grant P2 100"); len(r.Posts) != 1 || r.Posts[0].To != nil {
		t.Errorf("a grant is not told to everybody: %+v", r)
	}
	purses[2] += 100
	h.Sure(4, 99, chat.Press, table.Token{Table: one.ID, Do: "!stop"}.String())
	if now := h.Look(one.ID); now.Phase != table.Playing || now.Chips.Stakes[1] != 20 {
		t.Errorf("phase %d, and %+v is left of the stake", now.Phase, now.Chips)
	}
	h.Pass(61 * time.Second)
	settled := h.Look(one.ID).Chips.Seats
	if settled[1] != 20 && settled[1] != -20 {
		t.Errorf("a stake of 20 has brought %d", settled[1])
	}
	for i, c := range one.Chairs {
		purses[c.User] += settled[i]
	}
	for user, chips := range purses {
		if got := h.Purse(user); got != chips {
			t.Errorf("P%d has %d, want %d", user, got, chips)
		}
	}
	h.Audit()
}

// TestReplays makes every press of a session once more after each that follows, as it was delivered and as a new one:
// nothing that is stored becomes otherwise by the first, and no chip moves by the others once the session is over.
func TestReplays(t *testing.T) {
	h := bottest.NewHall(t)
	var made []chat.Request
	press := func(user int64, do string) {
		h.Running += 2e9
		made = append(made, chat.Request{
			ID: fmt.Sprint("made ", len(made)), Kind: chat.Press, Who: bottest.User(user), In: h.Place(1), Data: h.Button(1, do),
		})
		if r := bottest.Seen(t.Context(), h.Bot, made[len(made)-1]); r.Alert {
			t.Fatalf("%s: %s", do, r.Toast)
		}
	}
	one := h.Sit(1, "40 min=20 limit=none", 1, 2)
	for range 50 {
		if h.Look(one.ID).Phase == table.Ended {
			break
		}
		press(h.Turn(1), "stake 20")
		if h.Look(one.ID).Phase != table.Ended {
			press(h.Turn(1), "open")
		}
		before := h.Everything()
		for _, r := range made {
			bottest.Seen(t.Context(), h.Bot, r)
		}
		if changed := h.Changed(before); len(changed) > 0 {
			t.Fatalf("what was delivered again changes %v", changed)
		}
	}
	if h.Look(one.ID).Phase != table.Ended {
		t.Fatal("the bank doesn't end")
	}
	before := h.Everything()
	for i, r := range made {
		h.Running += 2e9
		r.ID = fmt.Sprint("again ", i)
		bottest.Seen(t.Context(), h.Bot, r)
		r.ID, r.Who = fmt.Sprint("by another ", i), bottest.User(3)
		bottest.Seen(t.Context(), h.Bot, r)
	}
	if changed := h.Changed(before); len(changed) > 0 {
		t.Errorf("old buttons change %v", changed)
	}
	h.Audit()
}
