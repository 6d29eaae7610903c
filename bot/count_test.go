package bot

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// counter is a store that counts what is read of it, and what is committed.
type counter struct {
	stores.Reads
	mu sync.Mutex
	counted
	// written are the keys written, and before what lay there before the first time, if that is not nil.
	written []string
	before  map[string]storage.Item
}

func newCounter(s storage.Store) *counter {
	c := &counter{}
	c.Reads = stores.Reads{Store: s, Got: c.add, Scanned: c.add}
	return c
}

// Commit implements storage.Store.
func (c *counter) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	c.mu.Lock()
	for _, w := range t.Writes {
		if slices.Contains(c.written, w.Key) {
			continue
		}
		c.written = append(c.written, w.Key)
		if items, err := c.Store.Get(ctx, w.Key); err == nil && c.before != nil {
			c.before[w.Key] = items[0]
		}
	}
	c.mu.Unlock()
	return c.Store.Commit(ctx, t)
}

// counted is how often a store was called, how many keys it was asked for or gave, and of how many bytes.
type counted struct{ calls, keys, bytes int }

func (c *counter) add(items []storage.Item, err error) ([]storage.Item, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	c.keys += len(items)
	for _, item := range items {
		c.bytes += len(item.Value)
	}
	return items, err
}

// above reports whether it is more than the other, but for numbers that have become longer.
func (c counted) above(other counted) bool {
	return c.calls > other.calls || c.keys > other.keys || c.bytes > other.bytes+other.bytes/10+100
}

// costs is what do reads of the hall's store.
func (h *hall) costs(do func()) counted {
	c, ok := h.store.(*counter)
	if !ok {
		h.t.Fatal("nobody counts")
	}
	c.counted = counted{}
	do()
	return c.counted
}

// newCounted is a hall whose store counts.
func newCounted(t *testing.T) *hall {
	h := newHall(t)
	h.store = newCounter(h.store)
	h.restart()
	return h
}

// playOne opens a patience with a press or a command, makes a move and gives up, and returns the table.
func (h *hall) playOne(channel, user int64, kind chat.Kind, data string) table.ID {
	h.t.Helper()
	h.must(channel, user, kind, data)
	id := h.table(channel).ID
	if t := h.look(id); t.Phase == table.Cutting {
		h.must(channel, user, chat.Press, table.Token{Table: id, Epoch: 1, Do: "!no-cut"}.String())
	}
	h.must(channel, user, chat.Press, h.button(channel, "draw"))
	t := h.look(id)
	h.sure(channel, user, chat.Press, table.Token{Table: id, Epoch: t.Epoch(h.state(t)), Do: "!giveup"}.String())
	h.showLast(id)
	return id
}

// showLast says that a table's last picture was shown.
func (h *hall) showLast(id table.ID) {
	h.t.Helper()
	h.bot.seen(h.t.Context(), chat.Request{
		ID: "shown " + id.String(), Kind: chat.Shown, In: h.place(1), Data: fmt.Sprint(id, " ", h.look(id).Level), On: "m",
	})
}

// TestChainHasAHead: "Again" under an old table costs the same however many tables came after it, and leads to the
// newest.
func TestChainHasAHead(t *testing.T) {
	costs := map[int]counted{}
	for _, length := range []int{20, 200} {
		h := newCounted(t)
		first := h.playOne(1, 1, chat.Command, "/tecza deal=7")
		again := table.Token{Table: first, Do: "!again"}.String()
		for range length {
			h.playOne(1, 1, chat.Press, again)
		}
		costs[length] = h.costs(func() { h.must(1, 1, chat.Press, again) })
		newest := h.table(1).ID
		for _, id := range []table.ID{first, newest} {
			if r := h.ask(1, 2, chat.Press, table.Token{Table: id, Do: "!again"}.String()); id == first && (r.Alert || r.Posts[0].Table != newest.String()) {
				t.Errorf("somebody else is answered %+v", r)
			}
		}
	}
	if costs[200].above(costs[20]) {
		t.Errorf("after 20 tables it costs %+v, after 200 %+v", costs[20], costs[200])
	}
}

// TestChainFromBefore: a chain that was made before its newest table was stored is gone along for a while only, and has a
// newest from then on. It is let go of when that table has left.
func TestChainFromBefore(t *testing.T) {
	h := newCounted(t)
	h.keep = 48 * 3600e9
	h.restart()
	first := h.playOne(1, 1, chat.Command, "/tecza deal=7")
	again := table.Token{Table: first, Do: "!again"}.String()
	for range 5 * play.MaxHops {
		last := h.playOne(1, 1, chat.Press, again)
		h.changeEnded(last, func(t *table.Table) { t.Chain = "" })
	}
	h.delete(table.KeyChain(first))
	if cost := h.costs(func() { h.must(1, 1, chat.Press, again) }); cost.keys > 3*play.MaxHops+20 {
		t.Errorf("the first press costs %+v", cost)
	}
	newest := h.table(1).ID
	if r := h.must(1, 2, chat.Press, again); r.Posts[0].Table != newest.String() {
		t.Errorf("the second press leads to %s, the first to %s", r.Posts[0].Table, newest)
	}
	h.must(1, 1, chat.Command, "/stop")
	h.showLast(newest)
	h.wall += 49 * 3600e9
	if _, err := h.bot.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for key := range h.everything() {
		if key[:2] == keyspace.Chains || key[:2] == keyspace.EndedTables {
			t.Errorf("%s has stayed", key)
		}
	}
}

// changeEnded stores an ended table otherwise.
func (h *hall) changeEnded(id table.ID, fn func(*table.Table)) {
	h.t.Helper()
	t := h.look(id)
	fn(t)
	value, err := t.Encode()
	if err == nil {
		err = storage.Update(h.t.Context(), h.store, func(tx storage.Tx) error { tx.Put(table.KeyEnded(id), value); return nil })
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *hall) delete(key string) {
	h.t.Helper()
	err := storage.Update(h.t.Context(), h.store, func(tx storage.Tx) error { tx.Delete(key); return nil })
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *hall) write(key string, value []byte) {
	h.t.Helper()
	err := storage.Update(h.t.Context(), h.store, func(tx storage.Tx) error { tx.Put(key, value); return nil })
	if err != nil {
		h.t.Fatal(err)
	}
}
