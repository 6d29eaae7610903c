package storage

import "context"

// Read is a View whose fn returns what it has read.
func Read[T any](ctx context.Context, s Store, fn func(Reader) (T, error)) (T, error) {
	var read T
	err := s.View(ctx, func(from Reader) (err error) {
		read, err = fn(from)
		return err
	})
	return read, err
}
