package table

import (
	"fmt"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// MaxDraws is how many draws stand in a community.
const MaxDraws = 512

// KeptDraw is a draw for the bank that stands, because its bank wasn't played to its end. When the same people sit down
// again nobody draws: otherwise one could draw again by ending a bank.
type KeptDraw struct {
	// People is a hash of the users who drew. First is who of them drew the bank: an index in the order of their IDs.
	People uint64 `json:"people"`
	First  int    `json:"first"`
	// At is when that bank ended, in seconds since 1970, UTC.
	At int64 `json:"at"`
}

// GetDraws reads the draws that were kept in the community with that origin, the oldest first; nil if there are none. The
// error is one of the store, or of a value that can't be decoded.
func GetDraws(from storage.Getter, origin string) ([]KeptDraw, error) {
	all, err := storage.GetJSON[[]KeptDraw](from, keyspace.Draws+origin)
	if err != nil {
		return nil, fmt.Errorf("read the draws that stand in %s: %w", origin, err)
	}
	return all, nil
}

// PutDraws keeps these draws in place of those before: the last MaxDraws of them.
func PutDraws(tx storage.Tx, origin string, all []KeptDraw) error {
	return storage.PutJSON(tx, keyspace.Draws+origin, all[max(0, len(all)-MaxDraws):])
}
