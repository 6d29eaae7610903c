package storage

import (
	"context"
	"fmt"
)

// CheckKeys returns ErrTooLarge, wrapped, when one Get may not ask for these keys. Every store calls it.
func CheckKeys(keys []string) error {
	if len(keys) > MaxKeys {
		return fmt.Errorf("%w: %d keys, %d are allowed", ErrTooLarge, len(keys), MaxKeys)
	}
	for _, k := range keys {
		if err := checkKey(k); err != nil {
			return err
		}
	}
	return nil
}

// CheckView returns ErrUnavailable, wrapped, when a View is over or its context has ended. Every store calls it when it
// is read in a View.
func CheckView(ctx context.Context, over bool) error {
	if over {
		return fmt.Errorf("%w: the view is over", ErrUnavailable)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// Check returns ErrTooLarge, wrapped, when the transaction is over the limits. Every store calls it.
func (t Txn) Check() error {
	for _, r := range t.Reads {
		if err := checkKey(r.Key); err != nil {
			return err
		}
	}
	for _, w := range t.Writes {
		if err := checkKey(w.Key); err != nil {
			return err
		}
		if len(w.Value) > MaxValue {
			return fmt.Errorf("%w: value of %q has %d bytes, %d are allowed", ErrTooLarge, w.Key, len(w.Value), MaxValue)
		}
	}
	if len(t.Reads)+len(t.Writes) <= MaxKeys {
		return nil
	}
	if n := t.keys(); n > MaxKeys {
		return fmt.Errorf("%w: transaction of %d keys, %d are allowed", ErrTooLarge, n, MaxKeys)
	}
	return nil
}

// keys is how many different keys the transaction has.
func (t Txn) keys() int {
	set := make(map[string]bool, len(t.Reads)+len(t.Writes))
	for _, r := range t.Reads {
		set[r.Key] = true
	}
	for _, w := range t.Writes {
		set[w.Key] = true
	}
	return len(set)
}

func checkKey(key string) error {
	if key == "" {
		return fmt.Errorf("%w: empty key", ErrTooLarge)
	}
	if len(key) > MaxKey {
		return fmt.Errorf("%w: key of %d bytes, %d are allowed", ErrTooLarge, len(key), MaxKey)
	}
	return nil
}
