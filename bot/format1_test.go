package bot

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// TestDatabaseOfBefore opens a database that an earlier program has written, with tables of every kind in every phase, some
// from before their community had another ID; plays on at all of them to the end, and wants everything in it to be right.
func TestDatabaseOfBefore(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/format1.bolt")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "format1.bolt")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path)
	store, err := bolt.Open(path, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	h := &hall{t: t, store: store, asked: 100_000, seeds: 1000, wall: time.Hour, at: chat.Community{Platform: chat.Telegram, ID: -1001}}
	h.restart()
	h.audit()
	phases, ended := map[table.Phase]int{}, 0
	for channel := int64(1); channel <= 12; channel++ {
		for _, one := range h.open(channel) {
			phases[one.Phase]++
		}
	}
	for channel := int64(1); channel <= 12; channel++ {
		ended += h.playOut(channel)
	}
	if phases[table.Lobby] != 1 || phases[table.Cutting] != 2 || phases[table.Playing] != 7 || ended < 17 {
		t.Errorf("there were tables in the phases %v, and %d have ended", phases, ended)
	}
	for _, line := range []string{"/daily", "/ledger", "/top", "/scores", "/mydata"} {
		h.must(1, 5, chat.Command, line)
	}
	h.audit()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path)
}

// checkFile wants everything in a database to be sound.
func checkFile(t *testing.T, path string) {
	t.Helper()
	if _, err := bolt.Check(path, upkeep.Examine(games.All()), func(err error) { t.Error(err) }); err != nil {
		t.Fatal(err)
	}
}

// open are the channel's open tables.
func (h *hall) open(channel int64) []*table.Table {
	h.t.Helper()
	tables, err := h.bot.tables.Look(h.t.Context(), h.place(channel))
	if err != nil {
		h.t.Fatal(err)
	}
	return tables
}

// playOut plays at the channel's tables until none is open, and returns how many have ended.
func (h *hall) playOut(channel int64) int {
	h.t.Helper()
	seen := map[table.ID]bool{}
	for range 3000 {
		tables := slices.DeleteFunc(h.open(channel), func(one *table.Table) bool { return one.Phase == table.Ended })
		if len(tables) == 0 {
			return len(seen)
		}
		for _, one := range tables {
			seen[one.ID] = true
			h.playAt(channel, h.look(one.ID))
		}
	}
	h.t.Fatalf("the tables of channel %d don't end", channel)
	return 0
}

// playAt does what comes next at a table.
func (h *hall) playAt(channel int64, one *table.Table) {
	h.t.Helper()
	press := func(user int64, epoch int, do string) {
		h.surely(channel, user, chat.Press, table.Token{Table: one.ID, Epoch: epoch, Do: do}.String())
	}
	switch one.Phase {
	case table.Lobby:
		press(one.Host, 0, "!deal")
		return
	case table.Cutting:
		press(one.Chairs[one.Cutter].User, 1, "!cut 7")
		return
	case table.Ended:
		return
	}
	state := h.state(one)
	if _, over := state.Result(); over {
		press(one.Host, one.Epoch(state), "!giveup")
		return
	}
	if one.Asleep {
		press(one.Host, one.Epoch(state), "!back")
		return
	}
	seat := state.Turn()[0]
	if one.Chairs[seat].Computer() || one.Window > h.bot.clock.Now() {
		h.pass(2 * time.Second)
		return
	}
	move := state.Auto(seat, 0.8, rand.New(rand.NewPCG(one.Level, 1)))
	press(one.Chairs[seat].User, one.Epoch(state), h.bot.games[one.Game].Text(move))
}
