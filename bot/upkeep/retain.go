package upkeep

import (
	"context"
	"time"

	"zevaka/bot/pace"
)

const (
	// firstSweep is how long after a start the store is first looked through for what may leave, sweepEvery how far
	// apart that is done at least, and sweepAgain after how long one is tried again that couldn't be made to its end.
	firstSweep, sweepEvery, sweepAgain = time.Minute, 24 * time.Hour, 10 * time.Minute
)

// Swept is what has left the store in a sweep.
type Swept struct {
	// Tables are those that ended, Postings those of the ledger that belonged to none of these.
	Tables   int
	Postings int
	// Stayed is how many tables couldn't leave; which and why stands in the log.
	Stayed int
	// Most is how many tables that ended stay in the community that has most of them.
	Most int
	// Oldest is the time, in seconds since 1970, of the oldest of what stays because it isn't old enough; 0 if nothing
	// does.
	Oldest int64
}

// Retain lets leave, until ctx ends, what ended longer ago than Options.Keep: tables, and postings of the ledger. It
// looks through the store at most once a day, and not before there is something that may leave. Whoever calls it waits
// for it. With a Keep of 0 it returns at once.
func (b *Keeper) Retain(ctx context.Context) {
	if b.keep == 0 {
		return
	}
	for wait := firstSweep; pace.Sleep(ctx, wait) == nil; {
		slow := pace.Slow(b.store)
		begun := time.Now()
		swept, err := b.sweepIn(ctx, slow)
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
		wait = b.nextSweep(swept)
	}
}

// nextSweep is how long there is surely nothing that may leave, at least sweepEvery, after a sweep. What ends from now on
// is younger than what has stayed. Where a community may soon have too many tables that ended it is no more than that.
func (b *Keeper) nextSweep(swept Swept) time.Duration {
	left := b.keep
	if swept.Oldest != 0 {
		left -= b.now().Sub(time.Unix(swept.Oldest, 0))
	}
	if swept.Most > b.maxEnded/100 {
		left = 0
	}
	return max(left, sweepEvery)
}

// Sweep lets leave at once what ended longer ago than Options.Keep.
func (b *Keeper) Sweep(ctx context.Context) (Swept, error) {
	if b.keep == 0 {
		return Swept{}, nil
	}
	return b.sweepIn(ctx, b.store)
}
