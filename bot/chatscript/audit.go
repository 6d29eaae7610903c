package chatscript

import (
	"strings"
	"testing"

	"zevaka/bot/purse"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
)

// AuditBank checks the books after a session with a banker among so many people: they come to nothing, and every one of
// the stakes that counted is in the records once.
func AuditBank(t testing.TB, store storage.Store, people, stakes int) {
	t.Helper()
	archive := upkeep.NewArchive(store, games.All())
	totals, err := archive.Audit(t.Context(), func(p purse.Problem) { t.Errorf("%s: %s", p.Key, p.What) })
	if err != nil || totals.Chips+totals.Laid+totals.House != 0 || totals.Laid != 0 || totals.Purses != people {
		t.Errorf("the books come to %+v, %v", totals, err)
	}
	deals, moves := 0, 0
	err = archive.Export(t.Context(), func(r engine.Record) error {
		deals++
		for _, text := range r.Moves {
			if strings.Contains(text, "stake ") || strings.Contains(text, "side ") {
				moves++
			}
		}
		return nil
	})
	if err != nil || deals < people || moves != stakes {
		t.Errorf("%d stakes in %d deals, and %d were answered: %v", moves, deals, stakes, err)
	}
	t.Logf("%d deals, %d stakes, the books: %+v", deals, moves, totals)
}
