package table

import (
	"fmt"

	"zevaka/storage"
)

// Find reads the item of a table among the open ones, or else among those that ended. It returns ErrGone if there is none.
func Find(from storage.Getter, id ID) (storage.Item, error) {
	items, err := from.Get(KeyOpen(id))
	if err == nil && items[0].Rev == 0 {
		items, err = from.Get(KeyEnded(id))
	}
	if err != nil {
		return storage.Item{}, fmt.Errorf("load table %s: %w", id, err)
	}
	if items[0].Rev == 0 {
		return storage.Item{}, ErrGone
	}
	return items[0], nil
}

// Look is Find with the table that the item is.
func Look(from storage.Getter, id ID) (*Table, error) {
	item, err := Find(from, id)
	if err != nil {
		return nil, err
	}
	return Decode(id, item.Value)
}
