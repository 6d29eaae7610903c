package share

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"zevaka/storage"
	"zevaka/storage/etcd"
)

// alone is what is held by whoever wants to have a store to themselves.
const alone = "alone"

var (
	// ErrServed is the error for a store that is wanted by one alone while others serve it.
	ErrServed = errors.New("the database is served")
	// ErrAlone is the error for a store that somebody has to themselves.
	ErrAlone = errors.New("another command of zevaka works on the database")
)

// Alone calls fn with a store that nobody serves meanwhile, and that nobody else has alone.
func Alone(ctx context.Context, store *etcd.Store, name string, fn func(storage.Store) error) (err error) {
	session, err := store.Join(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Leave(context.WithoutCancel(ctx))) }()
	// Whoever begins to serve writes that down, and then looks who is alone: so one of the two sees the other.
	hold, err := session.Take(ctx, alone)
	switch {
	case err != nil:
		return err
	case hold == nil:
		return ErrAlone
	}
	held, err := store.Held(ctx)
	if err != nil {
		return err
	}
	for _, one := range held {
		if strings.HasPrefix(one.Thing, process) {
			return fmt.Errorf("%w by the process at %s", ErrServed, addressOf(one.By))
		}
	}
	return fn(hold.Whole())
}

// nobodyAlone returns an error if somebody has the store to themselves.
func nobodyAlone(ctx context.Context, store *etcd.Store) error {
	held, err := store.Held(ctx)
	if err != nil {
		return err
	}
	for _, one := range held {
		if one.Thing == alone {
			return fmt.Errorf("%w: %s", ErrAlone, one.By)
		}
	}
	return nil
}
