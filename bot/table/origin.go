package table

import (
	"fmt"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// KeyOrigin is where the origin of a community is stored, if the platform has given the community another ID since.
func KeyOrigin(c chat.Community) string { return keyspace.Origins + c.String() }

// Origin is the name under which the chips and scores of a community are kept: the text of its first ID, for ever.
func Origin(from storage.Getter, c chat.Community) (string, error) {
	items, err := from.Get(KeyOrigin(c))
	if err != nil {
		return "", fmt.Errorf("look for the origin of community %s: %w", c, err)
	}
	if items[0].Rev == 0 {
		return c.String(), nil
	}
	return string(items[0].Value), nil
}

// Origin is the name under which the chips and scores of the table's community are kept.
func (t *Table) Origin() string {
	if t.FormerCommunity != "" {
		return t.FormerCommunity
	}
	return t.Place.Community.String()
}
