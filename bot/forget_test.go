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

	"zevaka/storage"
	"zevaka/storage/mem"
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
	h.must(2, somebody, Command, "/tecza deal=7")
	h.must(2, somebody, Press, h.button(2, "!giveup-now"))
	h.must(3, somebody, Command, "/zevaka")
	h.must(3, somebody, Press, token{Table: h.table(3).id, Do: "!robot"}.String())
	h.must(3, somebody, Press, token{Table: h.table(3).id, Do: "!stop-now"}.String())
	h.must(1, somebody, Command, "/daily")
	h.showSome()
	return h
}

// showSome shows the last pictures of every other table that ended, which then lies among the ended ones.
func (h *hall) showSome() {
	h.t.Helper()
	var all []stored
	for tables, err := range h.bot.partsOf(h.t.Context(), hallPlace(1).Community.String(), somebody, "") {
		if err != nil {
			h.t.Fatal(err)
		}
		all = append(all, tables...)
	}
	for i, t := range all {
		if i%2 == 0 {
			h.bot.Handle(h.t.Context(), Request{ID: "shown " + t.key, In: t.Place, Kind: Shown, Data: t.receipt(), On: "m"})
		}
	}
	items, err := h.store.Scan(h.t.Context(), endedPrefix, "", 100)
	if err != nil || len(items) < 3 {
		h.t.Fatalf("%d tables lie among the ended ones, %v", len(items), err)
	}
}

// forgets wants somebody to be forgotten, for whatever reason they were not.
func (h *hall) forgets() {
	h.t.Helper()
	if r := h.ask(1, somebody, Press, h.forgetButton()); r.Alert {
		h.t.Fatalf("not forgotten: %s", r.Toast)
	}
}

func (h *hall) forgetButton() string {
	return token{Table: tableID{h.place(1).Community, noTable}, Do: "!forget"}.String()
}

// traces are the keys of all that is stored with somebody's name in it, and of their scores.
func (h *hall) traces() []string {
	h.t.Helper()
	var found []string
	for items, err := range storage.Pages(h.t.Context(), h.store, "") {
		if err != nil {
			h.t.Fatal(err)
		}
		for _, item := range items {
			scored := strings.HasPrefix(item.Key, "s/") && strings.HasSuffix(item.Key, "/"+strconv.FormatInt(somebody, 36))
			if scored || bytes.Contains(item.Value, []byte(hallUser(somebody).Name)) {
				found = append(found, item.Key)
			}
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
	if n := last.Session.person(somebody).N; n != 1 {
		t.Errorf("the first session afterwards has the number %d", n)
	}
	if n := last.Session.person(1).N; n != 3 {
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
		h.must(1, 99, Press, token{Table: t.id, Do: "!stop-now"}.String())
	}
}

// TestForgetWhilePlaying refuses to forget somebody who has any part in a game that goes on.
func TestForgetWhilePlaying(t *testing.T) {
	for name, play := range map[string]func(h *hall){
		"in a lobby":  func(h *hall) { h.must(1, somebody, Command, "/zevaka") },
		"at the bank": func(h *hall) { h.sit(1, "20 min=20", 1, somebody, 3) },
		"left already": func(h *hall) {
			h.punting("20 min=20")
			h.must(1, somebody, Command, "/leave")
		},
		"waiting": func(h *hall) {
			t := h.sit(1, "20 min=20", 1, 2)
			h.must(1, somebody, Press, token{Table: t.id, Do: "!join"}.String())
		},
		"gone before this deal": func(h *hall) {
			h.punting("20 min=20 limit=none banks=2")
			h.must(1, somebody, Command, "/leave")
			h.finish(1)
		},
		"with a patience": func(h *hall) { h.must(1, somebody, Command, "/tecza") },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t)
			play(h)
			if r := h.ask(2, somebody, Press, h.forgetButton()); !h.is(r, errPlays) {
				t.Errorf("forgotten: %+v", r)
			}
			if len(h.traces()) == 0 {
				t.Error("the name is gone")
			}
			h.must(3, somebody, Command, "/zevaka") // They may still sit down.
		})
	}
}

// dying is a store that is not there any more after so many commits.
type dying struct {
	storage.Store
	left int
}

func (d *dying) Commit(ctx context.Context, t storage.Txn) error {
	if d.left--; d.left < 0 {
		return storage.ErrUnavailable
	}
	return d.Store.Commit(ctx, t)
}

// TestForgetInterrupted stops the process at each step: what is stored is sound, the person can't sit down, and the next
// start goes on with it.
func TestForgetInterrupted(t *testing.T) {
	for step := 0; ; step++ {
		h := lived(t)
		h.sit(4, "20 min=20 limit=none", 1, 3)
		h.bot.store = &dying{h.store, step}
		r := h.ask(1, somebody, Press, h.forgetButton())
		if !r.Alert {
			if step < 4 {
				t.Fatalf("forgotten in %d commits", step)
			}
			return
		}
		h.bot.store = h.store
		h.restart()
		h.audit()
		mark, err := h.store.Get(t.Context(), keyForgetting(h.place(1).Community.String(), somebody))
		if err != nil {
			t.Fatal(err)
		}
		begun := mark[0].Rev != 0
		if r := h.ask(5, somebody, Command, "/zevaka"); h.is(r, errForgetting) != begun {
			t.Errorf("step %d: whoever is being forgotten sits down: %+v", step, r)
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if !begun {
			continue
		}
		if err := h.bot.forgetRest(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := h.bot.Run(ctx, func(context.Context, Response) {}); err != nil {
			t.Fatal(err)
		}
		if left := h.traces(); len(left) > 0 {
			t.Errorf("step %d: left %v", step, left)
		}
		h.audit()
		h.must(5, somebody, Command, "/zevaka")
	}
}

// TestForgetMoved: tables that ended before the community got another ID are found, too.
func TestForgetMoved(t *testing.T) {
	h := lived(t)
	to := Community{Telegram, -1001}
	h.must(1, 0, Moved, to.String())
	h.at = to
	h.must(2, somebody, Command, "/tecza deal=8")
	h.must(2, somebody, Press, h.button(2, "!giveup-now"))
	h.forgets()
	if left := h.traces(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	h.audit()
}

// TestForgetAfterRetention: what was carried forward of tables that have left is forgotten, too.
func TestForgetAfterRetention(t *testing.T) {
	h := lived(t)
	h.bot.keep = time.Hour
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
	for range 20 {
		h := lived(t)
		var all sync.WaitGroup
		for n := range 2 {
			all.Go(func() {
				in := h.place(int64(5 + n))
				ask := func(what string, kind Kind, data string) Response {
					return h.bot.Handle(t.Context(), Request{
						ID: fmt.Sprint(what, n), Kind: kind, Who: hallUser(somebody), Data: data, In: in,
					})
				}
				ask("forget", Press, h.forgetButton())
				r := ask("open", Command, "/tecza deal=9")
				if len(r.Posts) == 0 {
					return // Still being forgotten by the other press.
				}
				ask("give up", Press, h.button(in.Channel, "!giveup-now"))
			})
		}
		all.Wait()
		h.audit()
	}
}

// TestMyData: all tables that somebody has sat at are told, page by page, each once, and none to anybody else.
func TestMyData(t *testing.T) {
	h := newHall(t)
	const patiences = 2*partsPage + 3
	for n := range int64(patiences) {
		h.must(10+n, somebody, Command, "/tecza deal=7")
		if n%2 == 0 {
			h.must(10+n, somebody, Press, h.button(10+n, "!giveup-now"))
		}
	}
	h.must(1, 2, Command, "/tecza deal=7")
	told, button := 0, ""
	for page := 0; ; page++ {
		r := h.ask(1, somebody, Command, "/mydata")
		if page > 0 {
			r = h.ask(1, somebody, Press, button)
		}
		if len(r.Posts) != 1 || r.Posts[0].To == nil || r.Posts[0].To.ID != somebody {
			t.Fatalf("page %d: %+v", page, r)
		}
		told += strings.Count(flat(r.Posts[0].Text), " – P37, en, 1/1")
		if strings.Contains(flat(r.Posts[0].Text), "P2") {
			t.Errorf("somebody else is told: %s", flat(r.Posts[0].Text))
		}
		button = ""
		for _, row := range r.Posts[0].Buttons {
			if i := slices.IndexFunc(row, func(b Button) bool { return strings.Contains(b.Token, "!mydata ") }); i >= 0 {
				button = row[i].Token
			}
		}
		if len(button) > MaxToken {
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

// FuzzKept reads anything as what is stored of somebody who is being forgotten, and of a table that they sat at.
func FuzzKept(f *testing.F) {
	f.Add("x/t1/11", []byte(`{"scores":true}`), []byte(`{"v":1,"phase":4,"chairs":[{"user":37,"name":"x"}]}`+"\n\x00"))
	f.Add("x/", []byte(`1`), []byte(`{"user":37,"v":1}`))
	first := like(f)
	f.Fuzz(func(t *testing.T, key string, mark, table []byte) {
		if len(mark)+len(table) > storage.MaxValue || len(key) > 200 || mark == nil || table == nil {
			return
		}
		s := mem.New()
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
			tx.Put(forgettingPrefix+key, mark)
			tx.Put(endedPrefix+"t1/a", table)
			return nil
		})
		if err != nil {
			return
		}
		b := another(t, first, s)
		_ = b.forgetRest(t.Context())
		_, _ = NewArchive(s, b.order).Scores(t.Context())
	})
}
