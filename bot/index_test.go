package bot

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine/enginetest"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// indexKeys are the prefixes of all that people and names are found by.
func indexKeys() []string {
	return []string{keyspace.OpenParts, keyspace.EndedParts, keyspace.Played, "u/", "v/", keyspace.IndexState}
}

// before makes the hall's store one from before anything could be found by people and names.
func (h *hall) before() {
	h.t.Helper()
	for key := range h.everything() {
		for _, prefix := range indexKeys() {
			if strings.HasPrefix(key, prefix) {
				h.delete(key)
			}
		}
	}
}

// TestIndexOfBefore: a database from before people and names could be looked up has the same of it when it has been gone
// through, also when that was broken off after any transaction; an audit finds nothing.
func TestIndexOfBefore(t *testing.T) {
	h := lived(t)
	want := h.everything()
	for stops := 1; ; stops++ {
		h.before()
		store := h.store
		broken := 0
		for n := 0; ; n++ {
			h.store = &stores.Mortal{Store: store, Left: stops}
			bot, err := New(t.Context(), Options{Store: h.store, Games: h.bot.order})
			if err == nil {
				h.bot = bot
				break
			}
			if broken++; n > 1000 {
				t.Fatal("it comes to no end")
			}
		}
		h.store = store
		got := h.everything()
		for key, value := range want {
			if key != keyspace.IndexState && got[key] != value {
				t.Errorf("%d transactions at a time: %s is %q, and was %q", stops, key, got[key], value)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d things are stored, and were %d", len(got), len(want))
		}
		h.audit()
		if broken == 0 {
			break
		}
	}
}

// TestIndexingTakesItsTime: a large database is gone through while others play. Until then questions for which all must be
// known are refused in words, and afterwards answered.
func TestIndexingTakesItsTime(t *testing.T) {
	enginetest.Long(t)
	const many = 105 * 50 // A start goes through less.
	h := newHall(t)
	crowd(t, h.store, h.place(1).Community, many, many)
	h.before()
	h.restart()
	h.must(1, 1, chat.Command, "/zevaka")
	questions := []string{"/mydata", "/balance N 7", "/give N 7 5", "/scores N 7"}
	for _, line := range questions {
		if r := h.ask(1, 1, chat.Command, line); !h.is(r, table.ErrNotReady) {
			t.Errorf("%s is answered %+v", line, r)
		}
	}
	for more := true; more; {
		var err error
		if more, err = h.bot.tables.Index.Step(t.Context(), h.store); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range questions {
		h.must(1, 1, chat.Command, line)
	}
}

// TestForgetInShort: somebody with thousands of tables is forgotten by a press that reads no more than for some; the rest
// is done when nobody waits, and none of it stays.
func TestForgetInShort(t *testing.T) {
	costs := map[int]counted{}
	for _, n := range []int{60, 1500} {
		h := newCounted(t)
		crowd(t, h.store, h.place(1).Community, n, n)
		h.must(1, 1, chat.Command, "/balance")
		forget := h.answer(1, 1, chat.Command, "/forgetme")
		costs[n] = h.costs(func() {
			if r := h.must(1, 1, chat.Press, forget); r.Toast != h.bot.words.Lang("en").Say("forgotten-soon") {
				t.Errorf("the answer is %+v", r)
			}
		})
		if r := h.ask(2, 1, chat.Command, "/zevaka"); !h.is(r, table.ErrForgetting) {
			t.Errorf("they sit down: %+v", r)
		}
		h.runTasks(table.KeyForgetting(h.place(1).Community.String(), 1), false)
		for key, value := range h.everything() {
			if strings.HasPrefix(key, keyspace.Forgetting) || strings.HasPrefix(key, keyspace.EndedTables) && strings.Contains(value, "P1") {
				t.Fatalf("%s is %s", key, value)
			}
		}
		if _, err := upkeep.NewArchive(h.store, h.bot.order).Audit(t.Context(), func(p purse.Problem) { t.Error(p) }); err != nil {
			t.Fatal(err)
		}
	}
	if costs[1500].above(costs[60]) {
		t.Errorf("with 60 tables it costs %+v, with 1500 %+v", costs[60], costs[1500])
	}
}

// TestTopWithoutAList: where nobody knows who is rich, a press reads no purses to find out: it is found out when nobody
// waits.
func TestTopWithoutAList(t *testing.T) {
	const many = 2 * 500 // A press looks into half of them at most.
	h := newCounted(t)
	crowd(t, h.store, h.place(1).Community, many, many)
	rich := "t/" + h.place(1).Community.String() + "/rich"
	h.delete(rich)
	cost := h.costs(func() {
		if r := h.ask(1, 1, chat.Command, "/top"); !h.is(r, table.ErrNotReady) {
			t.Errorf("the answer is %+v", r)
		}
	})
	if cost.keys > many {
		t.Errorf("it costs %+v", cost)
	}
	h.runTasks(rich, true)
	if r := h.must(1, 1, chat.Command, "/top"); !strings.Contains(text(r), "10. ") {
		t.Errorf("the answer is %+v", r)
	}
}

// text is what the posts of an answer say.
func text(r chat.Response) string {
	var b strings.Builder
	for _, p := range r.Posts {
		for _, s := range p.Text {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// TestLookedUpWhole: the audit tells who can't be found at a table, and who is found where they aren't.
func TestLookedUpWhole(t *testing.T) {
	for what, spoil := range map[string]func(h *hall, keys map[string]string){
		"a part is missing": func(h *hall, keys map[string]string) { h.delete(first(keys, keyspace.EndedParts)) },
		"an open one is":    func(h *hall, keys map[string]string) { h.delete(first(keys, keyspace.OpenParts)) },
		"a part in no table": func(h *hall, _ map[string]string) {
			h.write(table.KeyPart(keyspace.EndedParts, "t-25", 1, "0/zzzzzzx/abc"), []byte{})
		},
		"of another's": func(h *hall, keys map[string]string) {
			h.write(table.KeyPart(keyspace.OpenParts, "t-25", 77, h.table(4).ID.Name), []byte{})
		},
		"under another name":  func(h *hall, keys map[string]string) { h.write(first(keys, keyspace.EndedParts), []byte("t1")) },
		"a game isn't listed": func(h *hall, keys map[string]string) { h.delete(first(keys, keyspace.Played)) },
		"one is that isn't there": func(h *hall, keys map[string]string) {
			h.write(first(keys, keyspace.Played)+"x", []byte{})
		},
		"a name is not found": func(h *hall, keys map[string]string) { h.delete(first(keys, "v/")) },
	} {
		h := street(t)
		h.playOne(6, 1, chat.Command, "/tecza deal=7")
		spoil(h, h.everything())
		found := 0
		if _, err := upkeep.NewArchive(h.store, h.bot.order).Audit(t.Context(), func(purse.Problem) { found++ }); err != nil || found == 0 {
			t.Errorf("%s: %d problems, %v", what, found, err)
		}
	}
}

// first is the first key with the prefix.
func first(keys map[string]string, prefix string) string {
	least := ""
	for key := range keys {
		if strings.HasPrefix(key, prefix) && (least == "" || key < least) {
			least = key
		}
	}
	return least
}

// TestRepairedIndex: what people and names are found by is made anew where it can't be read.
func TestRepairedIndex(t *testing.T) {
	for _, prefix := range []string{keyspace.EndedParts, keyspace.OpenParts, keyspace.Played, "v/", "u/", keyspace.Chains} {
		h := newHall(t)
		id := h.playOne(1, 1, chat.Command, "/tecza deal=7")
		h.must(1, 1, chat.Press, table.Token{Table: id, Do: "!again"}.String())
		key := first(h.everything(), prefix)
		was := h.everything()[key]
		h.store = &healing{crack(h.store, key)}
		h.restart()
		if !h.bot.keeper.Repaired(t.Context(), storage.Damaged{Key: key}) {
			t.Errorf("%s is not made anew", key)
		}
		if now, ok := h.everything()[key]; prefix != "u/" && prefix != keyspace.Chains && (!ok || now != was) {
			t.Errorf("%s is %q, and was %q", key, now, was)
		}
		if prefix != "u/" {
			h.audit()
		}
	}
}

// runTasks does what nobody waits for until there is an item with that key, and finished, or none any more.
func (h *hall) runTasks(key string, there bool) {
	h.t.Helper()
	finished := func() bool {
		items, err := h.store.Get(h.t.Context(), key)
		if err != nil {
			h.t.Fatal(err)
		}
		return items[0].Rev != 0 && !strings.Contains(string(items[0].Value), `"making":true`)
	}
	for finished() != there { // What was done may have begun once more when it was stopped.
		ctx, stop := context.WithCancel(h.t.Context())
		var done sync.WaitGroup
		done.Go(func() { h.bot.RunTasks(ctx) })
		for finished() != there {
			time.Sleep(time.Millisecond)
		}
		stop()
		done.Wait()
	}
}
