package purse

import (
	"fmt"

	"zevaka/storage"
)

// Forget takes the name out of the user's purse. The chips stay, and so do the postings, under the user's number.
func (l Ledger) Forget(user int64) error {
	key := keyAccount(l.Community, User(user))
	items, err := l.get([]string{key})
	if err != nil {
		return fmt.Errorf("read a purse: %w", err)
	}
	if items[0].Rev == 0 {
		return nil
	}
	p, err := decodePurse(key, items[0].Value)
	if err != nil || p.Name == "" {
		return err
	}
	p.Name = ""
	return storage.PutJSON(l.Tx, key, p)
}
