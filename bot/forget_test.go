package bot

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot/account"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine/enginetest"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// somebody is the person who is to be forgotten.
const somebody = 37

// lived is a hall in which somebody has played much: a bank, a Zevaka, patiences, a table that was stopped.
func lived(t *testing.T) *hall {
	h := newHall(t)
	for range 2 {
		h.sit(1, "20 min=20 limit=none", 1, somebody, 3)
		h.finish(1)
		for {
			h.cut(1)
			if h.finish(1).Next == "" {
				break
			}
		}
	}
	h.must(2, somebody, chat.Command, "/tecza deal=7")
	h.move(2, somebody, "draw")
	h.sure(2, somebody, chat.Press, h.button(2, "!giveup"))
	h.must(3, somebody, chat.Command, "/zevaka")
	h.must(3, somebody, chat.Press, table.Token{Table: h.table(3).ID, Do: "!robot"}.String())
	h.sure(3, somebody, chat.Press, table.Token{Table: h.table(3).ID, Do: "!stop"}.String())
	h.must(1, somebody, chat.Command, "/daily")
	h.showSome()
	return h
}

// showSome shows the last pictures of every other table that ended, which then lies among the ended ones.
func (h *hall) showSome() {
	h.t.Helper()
	var all []table.Stored
	for tables, err := range h.bot.tables.Index.PartsOf(h.t.Context(), hallPlace(1).Community.String(), somebody, "") {
		if err != nil {
			h.t.Fatal(err)
		}
		all = append(all, tables...)
	}
	for i, t := range all {
		if i%2 == 0 {
			h.bot.seen(h.t.Context(), chat.Request{ID: "shown " + t.Key, In: t.Place, Kind: chat.Shown, Data: t.Receipt(), On: "m"})
		}
	}
	items, err := h.store.Scan(h.t.Context(), keyspace.EndedTables, "", 100)
	if err != nil || len(items) < 3 {
		h.t.Fatalf("%d tables lie among the ended ones, %v", len(items), err)
	}
}

// forgets wants somebody to be forgotten, for whatever reason they were not.
func (h *hall) forgets() {
	h.t.Helper()
	if r := h.ask(1, somebody, chat.Press, h.forgetButton()); r.Alert {
		h.t.Fatalf("not forgotten: %s", r.Toast)
	}
}

func (h *hall) forgetButton() string {
	h.t.Helper()
	return h.answer(1, somebody, chat.Command, "/forgetme")
}

// traces are the keys of all that is stored with somebody's name in it, and of their scores.
func (h *hall) traces() []string {
	h.t.Helper()
	var found []string
	for _, item := range stores.Items(h.t, h.store, "") {
		scored := strings.HasPrefix(item.Key, "s/") && strings.HasSuffix(item.Key, "/"+strconv.FormatInt(somebody, 36))
		if scored || bytes.Contains(item.Value, []byte(hallUser(somebody).Name)) {
			found = append(found, item.Key)
		}
	}
	return found
}

// TestForget: no name and no score of somebody is left, the chips and the others' scores are as before, and what is
// played afterwards counts from the beginning.
func TestForget(t *testing.T) {
	h := lived(t)
	before, chips := h.audit(), h.purse(somebody)
	if n := len(h.traces()); n < 8 {
		t.Fatalf("only %d traces to remove", n)
	}
	h.forgets()
	if left := h.traces(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if after := h.audit(); after != before || h.purse(somebody) != chips {
		t.Errorf("%+v and %d, before that %+v and %d", after, h.purse(somebody), before, chips)
	}
	h.forgets() // Nothing is left to forget.
	h.sit(1, "20 min=20 limit=none", 1, somebody)
	h.finish(1)
	h.cut(1)
	last := h.finish(1)
	if n := last.Session.Person(somebody).N; n != 1 {
		t.Errorf("the first session afterwards has the number %d", n)
	}
	if n := last.Session.Person(1).N; n != 3 {
		t.Errorf("the other one's third session has the number %d", n)
	}
	h.audit()
}

// punting seats somebody at a bank that somebody else holds.
func (h *hall) punting(options string) {
	h.t.Helper()
	for {
		t := h.sit(1, options, 1, 2, somebody)
		if t.Chairs[0].User != somebody {
			return
		}
		h.sure(1, 99, chat.Press, table.Token{Table: t.ID, Do: "!stop"}.String())
		h.redraw()
	}
}

// TestForgetWhilePlaying refuses to forget somebody who has any part in a game that goes on, before it asks and afterwards.
func TestForgetWhilePlaying(t *testing.T) {
	for name, play := range map[string]func(h *hall){
		"in a lobby":  func(h *hall) { h.must(1, somebody, chat.Command, "/zevaka") },
		"at the bank": func(h *hall) { h.sit(1, "20 min=20", 1, somebody, 3) },
		"left already": func(h *hall) {
			h.punting("20 min=20")
			h.must(1, somebody, chat.Command, "/leave")
		},
		"waiting": func(h *hall) {
			t := h.sit(1, "20 min=20", 1, 2)
			h.must(1, somebody, chat.Press, table.Token{Table: t.ID, Do: "!join"}.String())
		},
		"gone before this deal": func(h *hall) {
			h.punting("20 min=20 limit=none banks=2")
			h.must(1, somebody, chat.Command, "/leave")
			h.finish(1)
		},
		"with a patience": func(h *hall) { h.must(1, somebody, chat.Command, "/tecza") },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t)
			button := h.forgetButton()
			play(h)
			if r := h.ask(2, somebody, chat.Press, button); !h.is(r, account.ErrPlays) {
				t.Errorf("forgotten: %+v", r)
			}
			if r := h.ask(2, somebody, chat.Command, "/forgetme"); !h.is(r, account.ErrPlays) || answerIn(r) != "" {
				t.Errorf("asked: %+v", r)
			}
			if len(h.traces()) == 0 {
				t.Error("the name is gone")
			}
			h.must(3, somebody, chat.Command, "/zevaka") // They may still sit down.
		})
	}
}

// dying is a store that is not there any more after so many commits.
type dying struct {
	storage.Store
	left int
}

func (d *dying) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	if d.left--; d.left < 0 {
		return 0, storage.ErrUnavailable
	}
	return d.Store.Commit(ctx, t)
}

// TestForgetInterrupted stops the process at each step: what is stored is sound, the person can't sit down, and the next
// start goes on with it.
func TestForgetInterrupted(t *testing.T) {
	for step := 0; ; step++ {
		const ages = 1 << 30
		h := lived(t)
		d := &dying{h.store, ages}
		h.store = d
		h.restart()
		h.sit(4, "20 min=20 limit=none", 1, 3)
		button := h.forgetButton()
		d.left = step
		r := h.ask(1, somebody, chat.Press, button)
		if !r.Alert {
			if step < 4 {
				t.Fatalf("forgotten in %d commits", step)
			}
			return
		}
		d.left = ages
		h.restart()
		h.audit()
		mark, err := h.store.Get(t.Context(), table.KeyForgetting(h.place(1).Community.String(), somebody))
		if err != nil {
			t.Fatal(err)
		}
		begun := mark[0].Rev != 0
		if r := h.ask(5, somebody, chat.Command, "/zevaka"); h.is(r, table.ErrForgetting) != begun {
			t.Errorf("step %d: whoever is being forgotten sits down: %+v", step, r)
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if !begun {
			continue
		}
		h.runTasks(table.KeyForgetting(h.place(1).Community.String(), somebody), false)
		if err := h.bot.Run(ctx, func(context.Context, chat.Response) {}); err != nil {
			t.Fatal(err)
		}
		if left := h.traces(); len(left) > 0 {
			t.Errorf("step %d: left %v", step, left)
		}
		h.audit()
		h.must(5, somebody, chat.Command, "/zevaka")
	}
}

// TestForgetMoved: tables that ended before the community got another ID are found, too.
func TestForgetMoved(t *testing.T) {
	h := lived(t)
	to := chat.Community{Platform: chat.Telegram, ID: -1001}
	h.must(1, 0, chat.Migrated, to.String())
	h.at = to
	h.must(2, somebody, chat.Command, "/tecza deal=8")
	h.sure(2, somebody, chat.Press, h.button(2, "!giveup"))
	h.forgets()
	if left := h.traces(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	h.audit()
}

// TestForgetAfterRetention: what was carried forward of tables that have left is forgotten, too.
func TestForgetAfterRetention(t *testing.T) {
	h := lived(t)
	h.keep = time.Hour
	h.restart()
	h.running += 2 * time.Hour
	if swept, err := h.bot.Sweep(t.Context()); err != nil || swept.Tables < 3 {
		t.Fatalf("%+v, %v", swept, err)
	}
	if !slices.ContainsFunc(h.traces(), func(key string) bool { return strings.HasPrefix(key, "r/") }) {
		t.Fatalf("nothing was carried forward: %v", h.traces())
	}
	h.forgets()
	if left := h.traces(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	h.audit()
}

// TestForgetRace: two presses at once, and somebody who goes on to play right after the first answer, leave sound scores.
func TestForgetRace(t *testing.T) {
	for range enginetest.Bound(5, 20) {
		h := lived(t)
		var all sync.WaitGroup
		buttons := []string{h.forgetButton(), h.forgetButton()}
		for n := range 2 {
			all.Go(func() {
				in := h.place(int64(5 + n))
				ask := func(what string, kind chat.Kind, data string) chat.Response {
					return h.bot.seen(t.Context(), chat.Request{
						ID: fmt.Sprint(what, n), Kind: kind, Who: hallUser(somebody), Data: data, In: in,
					})
				}
				ask("forget", chat.Press, buttons[n])
				r := ask("open", chat.Command, "/tecza deal=9")
				if len(r.Posts) == 0 {
					return // Still being forgotten by the other press.
				}
				ask("give up", chat.Press, h.button(in.Channel, "!giveup"))
			})
		}
		all.Wait()
		h.audit()
	}
}

// TestMyData: all tables that somebody has sat at are told, page by page, each once, and none to anybody else.
func TestMyData(t *testing.T) {
	h := newHall(t)
	const patiences = 2*12 + 3
	for n := range int64(patiences) {
		h.must(10+n, somebody, chat.Command, "/tecza deal=7")
		if n%2 == 0 {
			h.sure(10+n, somebody, chat.Press, h.button(10+n, "!giveup"))
		}
	}
	h.must(1, 2, chat.Command, "/tecza deal=7")
	told, button := 0, ""
	for page := 0; ; page++ {
		r := h.ask(1, somebody, chat.Command, "/mydata")
		if page > 0 {
			r = h.ask(1, somebody, chat.Press, button)
		}
		if len(r.Posts) != 1 || r.Posts[0].To == nil || r.Posts[0].To.ID != somebody {
			t.Fatalf("page %d: %+v", page, r)
		}
		told += strings.Count(words.Flat(r.Posts[0].Text), " – P37, en, 1/1")
		if strings.Contains(words.Flat(r.Posts[0].Text), "P2") {
			t.Errorf("somebody else is told: %s", words.Flat(r.Posts[0].Text))
		}
		button = ""
		for _, row := range r.Posts[0].Buttons {
			if i := slices.IndexFunc(row, func(b chat.Button) bool { return strings.Contains(b.Token, "!mydata ") }); i >= 0 {
				button = row[i].Token
			}
		}
		if len(button) > table.MaxToken {
			t.Fatalf("a token of %d bytes", len(button))
		}
		if button == "" {
			break
		}
	}
	if told != patiences {
		t.Errorf("%d tables are told, want %d", told, patiences)
	}
}
