package play_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage/storagetest/stores"
)

// chipsAndScores are all that is stored of chips and of scores, by key.
func chipsAndScores(h *bottest.Hall) map[string]string {
	h.T.Helper()
	all := map[string]string{}
	for _, prefix := range []string{
		keyspace.Accounts, keyspace.Postings, keyspace.History, keyspace.CarriedChips, keyspace.Richest, keyspace.Draws,
		keyspace.Tallies, keyspace.Boards, keyspace.CarriedTallies,
	} {
		for _, item := range stores.Items(h.T, h.Store, prefix) {
			all[item.Key] = string(item.Value)
		}
	}
	return all
}

// TestPractice plays practice sessions of two people and two computers to the end, in all forms of the game: the computers
// hold the bank in their turn, the funds of a table add up at every moment, and outside the table there is nothing of it. A
// purse that was there before stays as it was.
func TestPractice(t *testing.T) {
	for _, options := range []string{"20", "20 side=on", "20 side=on dealer=bot min=20", "60 banks=2"} {
		h := bottest.NewHall(t)
		h.Must(9, 1, chat.Command, "/daily")
		before, purse := chipsAndScores(h), h.Purse(1)
		h.Must(1, 1, chat.Command, "/banchok practice "+options)
		press := func(user int64, do string) {
			h.Must(1, user, chat.Press, table.Token{Table: h.Table(1).ID, Do: do}.String())
		}
		press(2, "!join")
		press(1, "!deal")
		h.Cut(1)
		one, held, computers := h.Table(1), map[string]int{}, 0
		for {
			held[one.Chairs[0].Name]++
			if one.Chairs[0].User == 0 {
				computers++
			}
			last := practise(h, one.ID)
			if addsUp(h, last); last.Next == "" {
				one = last
				break
			}
			one = h.Look(table.ID{Community: one.ID.Community, Name: last.Next})
			if one.Phase == table.Cutting {
				h.Cut(1)
			}
			one = h.Look(one.ID)
		}
		if computers < 2 || len(held) != 4 || len(one.Session.People) != 4 {
			t.Errorf("%s: the banks were held by %v, and there played %+v", options, held, one.Session.People)
		}
		if after := chipsAndScores(h); !maps.Equal(before, after) || h.Purse(1) != purse {
			t.Errorf("%s: chips or scores were %v, and are %v", options, slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
		}
		if got := h.Audit(); got.Tables != 0 {
			t.Errorf("%s: the audit takes %d tables for tables with chips of purses", options, got.Tables)
		}
		h.Must(1, 1, chat.Press, table.Token{Table: one.ID, Do: "!again"}.String())
		if again := h.Table(1); !again.Practice || len(again.Chairs) < 3 {
			t.Errorf("%s: once more it is %+v", options, again)
		}
	}
}

// practise plays a practice bank to its end, and looks at its chips after every move. Nobody opens before others could bet.
func practise(h *bottest.Hall, id table.ID) *table.Table {
	h.T.Helper()
	for range 3000 {
		t := h.Look(id)
		addsUp(h, t)
		if t.Phase == table.Ended {
			return t
		}
		state := h.State(t)
		seat := state.Turn()[0]
		if t.Chairs[seat].Computer() || t.Window > table.Running(h.Running.Milliseconds()) || t.Chance != 0 {
			h.Pass(3 * time.Second)
			continue
		}
		do := h.Games[t.Game].Text(state.Idle(seat))
		h.Must(1, t.Chairs[seat].User, chat.Press, table.Token{Table: id, Epoch: t.Epoch(state), Do: do}.String())
	}
	h.T.Fatal("it doesn't end")
	return nil
}

// addsUp wants the chips of a practice table to be those that everybody began with, and nobody to owe any.
func addsUp(h *bottest.Hall, t *table.Table) {
	h.T.Helper()
	var sum int64
	for _, c := range t.Chairs {
		funds := play.Funds(t, c)
		if sum += funds; funds < 0 {
			h.T.Errorf("%s has %d", c.Name, funds)
		}
	}
	if t.Phase != table.Ended && t.Chips != nil {
		sum += t.Chips.Bank
		for _, n := range t.Chips.Stakes {
			sum += n
		}
	}
	if want := int64(len(t.Chairs)) * play.PracticeChips; sum != want && t.Session != nil && len(t.Session.People) <= len(t.Chairs) {
		h.T.Errorf("%d chips, not %d, at %+v", sum, want, t.Chips)
	}
}

// TestPracticeApart: no computer sits down where purses pay, whatever is pressed or typed, and no table becomes another kind.
func TestPracticeApart(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/banchok")
	real := h.Table(1)
	for _, do := range []string{"!robot", "!temper"} {
		before := h.Table(1)
		h.Ask(1, 1, chat.Press, table.Token{Table: real.ID, Do: do}.String())
		if now := h.Table(1); len(now.Chairs) != 1 || now.Practice != before.Practice {
			t.Errorf("%s makes it %+v", do, now)
		}
	}
	if r := h.Ask(1, 1, chat.Press, table.Token{Table: real.ID, Do: "!robot"}.String()); !h.Is(r, table.ErrNoRobots) {
		t.Errorf("a computer is answered %q", r.Toast)
	}
	for _, line := range []string{"/banchok computers=2", "/banchok now", "/banchok practice=off computers=1", "/banchok temper=eager"} {
		if r := h.Ask(2, 3, chat.Command, line); !h.Is(r, table.ErrNoRobots) {
			t.Errorf("%s is answered %q", line, r.Toast)
		}
	}
	h.Must(1, 2, chat.Command, "/banchok practice")
	tables := h.OpenTables(1)
	if len(tables) != 2 || tables[0].ID != real.ID || tables[0].Practice || !tables[1].Practice {
		t.Fatalf("there are %d tables", len(tables))
	}
	for _, o := range []string{"practice", "side", "rounds"} {
		h.Ask(1, 1, chat.Press, table.Token{Table: real.ID, Do: "!opt " + o}.String())
		h.Ask(1, 1, chat.Press, table.Token{Table: real.ID, Do: "!set " + o}.String())
	}
	if h.Look(real.ID).Practice {
		t.Error("a table for purses has become one for practice")
	}
	if r := h.Ask(1, 1, chat.Command, "/banchok"); len(r.Posts) == 0 || strings.Contains(words.Flat(bottest.Drawn(r.Posts[len(r.Posts)-1]).Text), "🎓") {
		t.Errorf("who asks for a table is shown one for practice: %s", words.Flat(bottest.Drawn(r.Posts[len(r.Posts)-1]).Text))
	}
}

// TestPracticeLeft: a practice table ends when its last person leaves.
func TestPracticeLeft(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/banchok practice computers=3 now dealer=bot")
	one := h.Table(1)
	if len(one.Chairs) != 4 || one.Phase != table.Playing {
		t.Fatalf("%+v", one)
	}
	playUntil(h, one.ID, func(t *table.Table) bool { return t.Moves > 3 })
	for range 100 {
		if tables := h.OpenTables(1); len(tables) == 0 || tables[len(tables)-1].Phase == table.Ended && tables[len(tables)-1].Next == "" {
			break
		}
		h.Ask(1, 1, chat.Command, "/leave") // A banker stays until the bank has ended.
		h.Pass(30 * time.Second)
	}
	last := h.Look(one.ID)
	for last.Next != "" {
		last = h.Look(table.ID{Community: one.ID.Community, Name: last.Next})
	}
	if last.Phase != table.Ended || last.Persons() != 0 {
		t.Errorf("it goes on: %d, %+v", last.Phase, last.Chairs)
	}
	if len(chipsAndScores(h)) != 0 {
		t.Errorf("%v", chipsAndScores(h))
	}
}
