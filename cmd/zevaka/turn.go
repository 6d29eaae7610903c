package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd"
)

const (
	// serving is what the one process holds that serves a database in a cluster.
	serving = "serving"
	// lookEvery is how often one that waits looks whether nobody serves any more.
	lookEvery = time.Second
	// leaveTime is how long letting go may take at the end.
	leaveTime = 2 * time.Second
)

// turn waits until nobody else serves the database. The store that it returns takes nothing any more, and held ends, when
// this process has been away from the cluster for so long that another may serve; leave then says so, and else lets another
// serve at once. A file has only one who serves anyway.
func turn(ctx context.Context, store storage.Store, log *slog.Logger) (
	mine storage.Store, held context.Context, leave func(*error), err error,
) {
	cluster, ok := store.(*etcd.Store)
	if !ok {
		return store, ctx, func(*error) {}, nil
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("the name of this machine: %w", err)
	}
	session, err := cluster.Join(ctx, fmt.Sprintf("%s, process %d", host, os.Getpid()))
	if err != nil {
		return nil, nil, nil, err
	}
	leave = func(err *error) {
		if errors.Is(context.Cause(session.Context()), etcd.ErrLost) {
			*err = errors.Join(*err, etcd.ErrLost)
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		defer cancel()
		if failed := session.Leave(last); failed != nil {
			log.Warn("another zevaka can serve only in a while", "error", failed)
		}
	}
	hold, err := taken(session, log)
	if err != nil {
		leave(&err)
		return nil, nil, nil, err
	}
	return hold.Whole(), session.Context(), leave, nil
}

// taken takes the turn to serve as soon as nobody else has it.
func taken(session *etcd.Session, log *slog.Logger) (*etcd.Hold, error) {
	ctx := session.Context()
	for told := false; ; {
		hold, err := session.Take(ctx, serving)
		switch {
		case hold != nil:
			return hold, nil
		case err != nil && !errors.Is(err, storage.ErrUnavailable):
			return nil, err
		case err != nil:
			log.Warn("etcd can't be reached, trying again", "error", err)
		case !told:
			told = true
			log.Info("another zevaka serves; this one goes on when that has ended")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lookEvery):
		}
	}
}
