package bot

import (
	"fmt"

	"zevaka/storage"
)

// keyHome is where a community's first name stands, if the platform has given it another since.
func keyHome(c Community) string { return homePrefix + c.String() }

const homePrefix = "m/"

// home is the name under which a community's chips and scores are kept: its first one, for ever.
func home(tx storage.Tx, c Community) (string, error) {
	items, err := tx.Get(keyHome(c))
	if err != nil {
		return "", fmt.Errorf("look for the first name of community %s: %w", c, err)
	}
	if items[0].Rev == 0 {
		return c.String(), nil
	}
	return string(items[0].Value), nil
}

// ledger is the name under which the chips and scores of the table's community are kept.
func (t *table) ledger() string {
	if t.Ledger != "" {
		return t.Ledger
	}
	return t.Place.Community.String()
}
