package bot

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage/storagetest/stores"
)

// chipsAndScores are all that is stored of chips and of scores, by key.
func (h *hall) chipsAndScores() map[string]string {
	h.t.Helper()
	all := map[string]string{}
	for _, prefix := range []string{
		keyspace.Accounts, keyspace.Postings, keyspace.History, keyspace.CarriedChips, keyspace.Richest, keyspace.Draws,
		keyspace.Tallies, keyspace.Boards, keyspace.CarriedTallies,
	} {
		for _, item := range stores.Items(h.t, h.store, prefix) {
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
		h := newHall(t)
		h.must(9, 1, chat.Command, "/daily")
		before, purse := h.chipsAndScores(), h.purse(1)
		h.must(1, 1, chat.Command, "/banchok practice "+options)
		press := func(user int64, do string) {
			h.must(1, user, chat.Press, table.Token{Table: h.table(1).ID, Do: do}.String())
		}
		press(2, "!join")
		press(1, "!deal")
		h.cut(1)
		one, held, computers := h.table(1), map[string]int{}, 0
		for {
			held[one.Chairs[0].Name]++
			if one.Chairs[0].User == 0 {
				computers++
			}
			last := h.practise(one.ID)
			if h.addsUp(last); last.Next == "" {
				one = last
				break
			}
			one = h.look(table.ID{Community: one.ID.Community, Name: last.Next})
			if one.Phase == table.Cutting {
				h.cut(1)
			}
			one = h.look(one.ID)
		}
		if computers < 2 || len(held) != 4 || len(one.Session.People) != 4 {
			t.Errorf("%s: the banks were held by %v, and there played %+v", options, held, one.Session.People)
		}
		if after := h.chipsAndScores(); !maps.Equal(before, after) || h.purse(1) != purse {
			t.Errorf("%s: chips or scores were %v, and are %v", options, slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
		}
		if got := h.audit(); got.Tables != 0 {
			t.Errorf("%s: the audit takes %d tables for tables with chips of purses", options, got.Tables)
		}
		h.must(1, 1, chat.Press, table.Token{Table: one.ID, Do: "!again"}.String())
		if again := h.table(1); !again.Practice || len(again.Chairs) < 3 {
			t.Errorf("%s: once more it is %+v", options, again)
		}
	}
}

// practise plays a practice bank to its end, and looks at its chips after every move. Nobody opens before others could bet.
func (h *hall) practise(id table.ID) *table.Table {
	h.t.Helper()
	for range 3000 {
		t := h.look(id)
		h.addsUp(t)
		if t.Phase == table.Ended {
			return t
		}
		state := h.state(t)
		seat := state.Turn()[0]
		if t.Chairs[seat].Computer() || t.Window > table.Running(h.running.Milliseconds()) || t.Chance != 0 {
			h.pass(3 * time.Second)
			continue
		}
		do := h.bot.games[t.Game].Text(state.Idle(seat))
		h.must(1, t.Chairs[seat].User, chat.Press, table.Token{Table: id, Epoch: t.Epoch(state), Do: do}.String())
	}
	h.t.Fatal("it doesn't end")
	return nil
}

// addsUp wants the chips of a practice table to be those that everybody began with, and nobody to owe any.
func (h *hall) addsUp(t *table.Table) {
	h.t.Helper()
	var sum int64
	for _, c := range t.Chairs {
		funds := play.Funds(t, c)
		if sum += funds; funds < 0 {
			h.t.Errorf("%s has %d", c.Name, funds)
		}
	}
	if t.Phase != table.Ended && t.Chips != nil {
		sum += t.Chips.Bank
		for _, n := range t.Chips.Stakes {
			sum += n
		}
	}
	if want := int64(len(t.Chairs)) * play.PracticeChips; sum != want && t.Session != nil && len(t.Session.People) <= len(t.Chairs) {
		h.t.Errorf("%d chips, not %d, at %+v", sum, want, t.Chips)
	}
}

// TestPracticeApart: no computer sits down where purses pay, whatever is pressed or typed, and no table becomes another kind.
func TestPracticeApart(t *testing.T) {
	h := newHall(t)
	h.must(1, 1, chat.Command, "/banchok")
	real := h.table(1)
	for _, do := range []string{"!robot", "!temper"} {
		before := h.table(1)
		h.ask(1, 1, chat.Press, table.Token{Table: real.ID, Do: do}.String())
		if now := h.table(1); len(now.Chairs) != 1 || now.Practice != before.Practice {
			t.Errorf("%s makes it %+v", do, now)
		}
	}
	if r := h.ask(1, 1, chat.Press, table.Token{Table: real.ID, Do: "!robot"}.String()); !h.is(r, table.ErrNoRobots) {
		t.Errorf("a computer is answered %q", r.Toast)
	}
	for _, line := range []string{"/banchok computers=2", "/banchok now", "/banchok practice=off computers=1"} {
		if r := h.ask(2, 3, chat.Command, line); !h.is(r, table.ErrNoRobots) {
			t.Errorf("%s is answered %q", line, r.Toast)
		}
	}
	h.must(1, 2, chat.Command, "/banchok practice")
	tables := h.open(1)
	if len(tables) != 2 || tables[0].ID != real.ID || tables[0].Practice || !tables[1].Practice {
		t.Fatalf("there are %d tables", len(tables))
	}
	for _, o := range []string{"practice", "side", "rounds"} {
		h.ask(1, 1, chat.Press, table.Token{Table: real.ID, Do: "!opt " + o}.String())
		h.ask(1, 1, chat.Press, table.Token{Table: real.ID, Do: "!set " + o}.String())
	}
	if h.look(real.ID).Practice {
		t.Error("a table for purses has become one for practice")
	}
	if r := h.ask(1, 1, chat.Command, "/banchok"); len(r.Posts) == 0 || strings.Contains(words.Flat(drawn(r.Posts[len(r.Posts)-1]).Text), "🎓") {
		t.Errorf("who asks for a table is shown one for practice: %s", words.Flat(drawn(r.Posts[len(r.Posts)-1]).Text))
	}
}

// TestPracticeLeft: a practice table ends when its last person leaves.
func TestPracticeLeft(t *testing.T) {
	h := newHall(t)
	h.must(1, 1, chat.Command, "/banchok practice computers=3 now dealer=bot")
	one := h.table(1)
	if len(one.Chairs) != 4 || one.Phase != table.Playing {
		t.Fatalf("%+v", one)
	}
	h.playUntil(one.ID, func(t *table.Table) bool { return t.Moves > 3 })
	for range 100 {
		if tables := h.open(1); len(tables) == 0 || tables[len(tables)-1].Phase == table.Ended && tables[len(tables)-1].Next == "" {
			break
		}
		h.ask(1, 1, chat.Command, "/leave") // A banker stays until the bank has ended.
		h.pass(30 * time.Second)
	}
	last := h.look(one.ID)
	for last.Next != "" {
		last = h.look(table.ID{Community: one.ID.Community, Name: last.Next})
	}
	if last.Phase != table.Ended || last.Persons() != 0 {
		t.Errorf("it goes on: %d, %+v", last.Phase, last.Chairs)
	}
	if len(h.chipsAndScores()) != 0 {
		t.Errorf("%v", h.chipsAndScores())
	}
}
