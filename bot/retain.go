package bot

import (
	"context"
	"errors"
	"time"

	"zevaka/storage"
)

const (
	// firstSweep is how long after a start the store is first looked through for what may leave, sweepEvery how far
	// apart that is done at least, and sweepAgain after how long one is tried again that couldn't be made to its end.
	firstSweep, sweepEvery, sweepAgain = time.Minute, 24 * time.Hour, 10 * time.Minute
	// restShare is how many times as long as it works a sweep rests, so that presses hardly notice it, and longestRest
	// how long at most.
	restShare, longestRest = 9, time.Second
)

// Swept is what has left the store in a sweep.
type Swept struct {
	// Tables are those that ended, Postings those of the ledger that belonged to none of these.
	Tables   int
	Postings int
	// Stayed is how many tables couldn't leave; which and why stands in the log.
	Stayed int
	// Oldest is the time, in seconds since 1970, of the oldest of what stays because it isn't old enough; 0 if nothing
	// does.
	Oldest int64
}

// Retain lets leave, until ctx ends, what ended longer ago than Options.Keep: tables, and postings of the ledger. It
// looks through the store at most once a day, and not before there is something that may leave. Whoever calls it waits
// for it. With a Keep of 0 it returns at once.
func (b *Bot) Retain(ctx context.Context) {
	if b.keep == 0 {
		return
	}
	for wait := firstSweep; waitFor(ctx, wait) == nil; {
		slow := &slowStore{Store: b.store, free: time.Now()}
		begun := time.Now()
		swept, err := b.sweep(ctx, slow)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			b.log.Warn("what ended long ago could not leave", "error", err)
			wait = sweepAgain
			continue
		case swept.Tables+swept.Postings+swept.Stayed > 0:
			b.log.Info("what ended long ago has left", "tables", swept.Tables, "postings", swept.Postings,
				"stayed", swept.Stayed, "took", time.Since(begun).Round(time.Millisecond))
		}
		wait = b.nextSweep(swept.Oldest)
	}
}

// nextSweep is how long there is surely nothing that may leave, at least sweepEvery, when that is the oldest thing.
// What ends from now on is younger.
func (b *Bot) nextSweep(oldest int64) time.Duration {
	left := b.keep
	if oldest != 0 {
		left -= b.now().Sub(time.Unix(oldest, 0))
	}
	return max(left, sweepEvery)
}

// Sweep lets leave at once what ended longer ago than Options.Keep.
func (b *Bot) Sweep(ctx context.Context) (Swept, error) {
	if b.keep == 0 {
		return Swept{}, nil
	}
	return b.sweep(ctx, b.store)
}

// waitFor waits, unless ctx ends before: then it returns the error of ctx.
func waitFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// slowStore is a store whose one user rests after each call, longer than it has worked since the rest before.
type slowStore struct {
	storage.Store
	free time.Time
}

func (s *slowStore) rest(ctx context.Context) error {
	err := waitFor(ctx, min(restShare*time.Since(s.free), longestRest))
	s.free = time.Now()
	return err
}

// Get implements storage.Store.
func (s *slowStore) Get(ctx context.Context, keys ...string) ([]storage.Item, error) {
	items, err := s.Store.Get(ctx, keys...)
	return items, errors.Join(err, s.rest(ctx))
}

// Scan implements storage.Store.
func (s *slowStore) Scan(ctx context.Context, prefix, after string, limit int) ([]storage.Item, error) {
	items, err := s.Store.Scan(ctx, prefix, after, limit)
	return items, errors.Join(err, s.rest(ctx))
}

// Commit implements storage.Store. Its rest comes first, since what was committed must be said.
func (s *slowStore) Commit(ctx context.Context, t storage.Txn) error {
	if err := s.rest(ctx); err != nil {
		return errors.Join(storage.ErrUnavailable, err)
	}
	return s.Store.Commit(ctx, t)
}
