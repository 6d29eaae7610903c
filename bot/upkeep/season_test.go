package upkeep_test

import (
	"testing"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

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
