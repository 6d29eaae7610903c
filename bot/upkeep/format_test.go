package upkeep_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
)

// TestDatabaseOfBefore opens a database that the last program of each earlier format has written, with tables of every kind in
// every phase, some from before their community had another ID; plays on at all of them to the end, and wants everything in it to
// be right.
func TestDatabaseOfBefore(t *testing.T) {
	for n := 1; n < storage.Format; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) { playFormat(t, fmt.Sprintf("format%d.bolt", n)) })
	}
}

func playFormat(t *testing.T, name string) {
	t.Parallel()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	checkFile(t, path)
	store, err := bolt.Open(path, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	h := &bottest.Hall{T: t, Store: store, Asked: 100_000, Seeds: 1000, Wall: time.Hour, At: chat.Community{Platform: chat.Telegram, ID: -1001}}
	h.Restart()
	h.Audit()
	phases, ended := map[table.Phase]int{}, 0
	for channel := int64(1); channel <= 12; channel++ {
		for _, one := range h.OpenTables(channel) {
			phases[one.Phase]++
		}
	}
	for channel := int64(1); channel <= 12; channel++ {
		ended += playOut(h, channel)
	}
	if phases[table.Lobby] != 1 || phases[table.Cutting] != 2 || phases[table.Playing] != 7 || ended < 17 {
		t.Errorf("there were tables in the phases %v, and %d have ended", phases, ended)
	}
	for _, line := range []string{"/daily", "/ledger", "/top", "/scores", "/mydata"} {
		h.Must(1, 5, chat.Command, line)
	}
	h.Audit()
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

// playOut plays at the channel's tables until none is open, and returns how many have ended.
func playOut(h *bottest.Hall, channel int64) int {
	h.T.Helper()
	seen := map[table.ID]bool{}
	for range 3000 {
		tables := slices.DeleteFunc(h.OpenTables(channel), func(one *table.Table) bool { return one.Phase == table.Ended })
		if len(tables) == 0 {
			return len(seen)
		}
		for _, one := range tables {
			seen[one.ID] = true
			h.PlayAt(channel, h.Look(one.ID))
		}
	}
	h.T.Fatalf("the tables of channel %d don't end", channel)
	return 0
}
