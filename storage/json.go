package storage

import (
	"encoding/json"
	"fmt"
)

// GetJSON is the value of a key read as JSON, the zero T where there is none. The error is one of the store, or of a value
// that can't be read so.
func GetJSON[T any](from Getter, key string) (T, error) {
	var value T
	items, err := from.Get(key)
	if err == nil && items[0].Rev != 0 {
		err = json.Unmarshal(items[0].Value, &value)
	}
	return value, err
}

// PutJSON writes a value as JSON. The error says that JSON can't be made of it; then nothing is written.
func PutJSON(tx Tx, key string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode %s: %w", key, err)
	}
	tx.Put(key, text)
	return nil
}
