package bot

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

const oneDay = 24 * time.Hour

// newKeeper is a hall whose bot keeps what has ended for thirty days.
func newKeeper(t *testing.T) *hall {
	h := &hall{t: t, store: mem.New(), keep: 30 * oneDay}
	h.restart()
	return h
}

// keeper keeps the hall's tables in order over another store, with so many tables of a community that ended; 0 is as many
// as usual.
func (h *hall) keeper(s storage.Store, maxEnded int) *upkeep.Keeper {
	b := h.bot
	return upkeep.New(upkeep.Options{
		Store: s, Games: b.order, Log: b.log, Now: b.now, Keep: h.keep, SaveRecords: h.save, MaxEnded: maxEnded, Tables: b.tables,
		Index: b.tables.Index,
	})
}

// playZevaka plays a game of two in a channel to its end.
func (h *hall) playZevaka(channel int64, one, other int64) table.ID {
	h.t.Helper()
	h.must(channel, one, chat.Command, "/zevaka limit=none")
	id := h.table(channel).ID
	h.must(channel, other, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	h.must(channel, one, chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	h.cut(channel)
	chance := rand.New(rand.NewPCG(uint64(channel), 1))
	for range 2000 {
		t := h.look(id)
		if t.Phase == table.Ended {
			return id
		}
		state := h.state(t)
		seat := state.Turn()[0]
		do := h.bot.games[t.Game].Text(state.Auto(seat, 1, chance))
		h.must(channel, t.Chairs[seat].User, chat.Press, table.Token{Table: id, Epoch: t.Epoch(state), Do: do}.String())
	}
	h.t.Fatal("the game doesn't end")
	return id
}

// giveUpPatience begins a patience and gives it up.
func (h *hall) giveUpPatience(channel, user int64) {
	h.t.Helper()
	h.must(channel, user, chat.Command, "/tecza")
	h.must(channel, user, chat.Command, "/m draw")
	t := h.table(channel)
	h.sure(channel, user, chat.Press, table.Token{Table: t.ID, Epoch: t.Epoch(h.state(t)), Do: "!giveup"}.String())
}

// lookedAt says of every table in the channels that its picture was shown, so that those that ended are closed.
func (h *hall) lookedAt() {
	h.t.Helper()
	items, err := h.store.Scan(h.t.Context(), keyspace.OpenTables, "", 1000)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, item := range items {
		id, _ := table.ParseID(strings.TrimPrefix(item.Key, keyspace.OpenTables))
		t := h.look(id)
		h.asked++
		h.bot.seen(h.t.Context(), chat.Request{ID: fmt.Sprint("shown ", h.asked), In: t.Place, Kind: chat.Shown, Data: t.Receipt(), On: "m"})
	}
}

// season plays some of everything: banks with days between them, games of Зевака, patiences, gifts, lobbies that nobody
// came to, and a bank that is broken off.
func (h *hall) season() {
	h.t.Helper()
	for round := range 2 {
		h.sit(1, "100 min=20 limit=45s", 1, 2, 3)
		for h.finish(1).Next != "" {
			h.running += oneDay
			h.cut(1)
		}
		h.must(1, 4, chat.Command, "/daily")
		r := h.must(1, 4, chat.Command, "/give P1 50")
		h.must(1, 4, chat.Press, r.Posts[0].Buttons[0][0].Token)
		h.playZevaka(2, 1, int64(2+round))
		h.giveUpPatience(3, 2)
		h.running += oneDay
		if round == 0 {
			h.lookedAt() // The others end without anybody seeing it.
		}
	}
	h.sit(4, "100 limit=45s", 2, 4)
	h.move(4, h.turn(4), "stake 5")
	h.sure(4, 99, chat.Press, table.Token{Table: h.table(4).ID, Do: "!stop"}.String())
	h.must(5, 3, chat.Command, "/zevaka")
	h.pass(2 * time.Hour)
}

// possessions are what players have: accounts, scores and the best.
func possessions(t *testing.T, s storage.Store) map[string]string {
	t.Helper()
	return stores.Contents(t, s, "a/", "s/", "b/")
}

// count is how many items have one of the prefixes.
func count(t *testing.T, s storage.Store, prefixes ...string) int {
	t.Helper()
	n := 0
	for _, prefix := range prefixes {
		n += len(stores.Items(t, s, prefix))
	}
	return n
}
