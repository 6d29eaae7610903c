package play

import (
	"errors"
	"fmt"

	"zevaka/bot/table"
)

// Tables that follow each other by "Again" are a chain, called after its first table. The name of its newest table is
// stored under a key of its own: whoever presses the button of an old table gets to the newest without reading those
// between.

// ErrOvertaken says that somebody else has added a table to the chain meanwhile.
var ErrOvertaken = errors.New("another table follows already")

// inChain makes a new table the newest of its chain. The error is ErrOvertaken if another table has become the newest
// meanwhile.
func (tx lobby) inChain(id table.ID, link Link, isNew bool) error {
	if link.First == "" {
		return nil
	}
	key := table.KeyChain(table.ID{Community: id.Community, Name: link.First})
	items, err := tx.Get(key)
	if err != nil {
		return fmt.Errorf("look for the newest table of a chain: %w", err)
	}
	if string(items[0].Value) != link.Newest {
		return ErrOvertaken
	}
	if isNew {
		tx.Put(key, []byte(id.Name))
	}
	return nil
}
