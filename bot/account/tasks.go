package account

import (
	"context"
	"fmt"
	"sync"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/pace"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/storage"
)

// task is something that takes longer than a press may: nobody waits for it. Either the list of the richest of a
// community is made anew, or, with a user, that user's name is taken out of what is left of it.
type task struct {
	origin string
	user   int64
}

// maxTasks is how many tasks wait; those for which there is no room are asked for again.
const maxTasks = 256

// tasks does what nobody waits for.
type tasks struct {
	table.House
	Index  *table.Index
	eraser *eraser
	next   chan task
	// look has one where people may still have to be forgotten whom no task in next names.
	look chan struct{}

	mu sync.Mutex
	// waiting are the tasks in next, each once.
	waiting map[task]bool
}

// postpone has a task done by run.
func (b *tasks) postpone(t task) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting[t] {
		return
	}
	select {
	case b.next <- t:
		b.waiting[t] = true
	default:
		b.lookLater()
	}
}

// lookLater has it looked up after a while who is still to be forgotten: whoever is may not sit down until then.
func (b *tasks) lookLater() {
	select {
	case b.look <- struct{}{}:
	default:
	}
}

// begin notes that a task waits no longer: what is asked for from now on is done after it.
func (b *tasks) begin(t task) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.waiting, t)
}

// run does tasks until ctx ends: at first what a database needs that has no index yet, and what a stop of the process has
// interrupted.
func (b *tasks) run(ctx context.Context) {
	slow := pace.Slow(b.Store)
	for more := !b.Index.Done(); more; {
		var err error
		if more, err = b.Index.Step(ctx, slow); err != nil && !b.waitAfter(ctx, err) {
			return
		} else if err != nil {
			more = true
		}
	}
	if !b.resume(ctx) {
		b.lookLater()
	}
	if err := leaveRatings(ctx, slow); err != nil && ctx.Err() == nil {
		b.Log.Warn("lists that nobody reads any more are still there", "error", err)
	}
	var due <-chan time.Time
	pause := resumeAfter
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.look:
			if due == nil {
				due = time.After(pause)
			}
		case <-due:
			due = nil
			if b.resume(ctx) {
				pause = resumeAfter
				continue
			}
			pause = min(2*pause, resumeAtMost)
			b.lookLater()
		case t := <-b.next:
			b.begin(t)
			if err := b.do(ctx, t); err != nil && ctx.Err() == nil {
				origin, _ := chat.ParseCommunity(t.origin) // It is one's text form.
				b.Log.Warn("a task is not done yet", "chat", origin, "error", err)
				b.lookLater()
			}
		}
	}
}

// resumeAfter is after how long it is gone on with what went wrong, and resumeAtMost after how long at most if it does again and again.
const resumeAfter, resumeAtMost = time.Minute, time.Hour

// resume goes on forgetting all whom it was begun with. It reports whether nobody is left.
func (b *tasks) resume(ctx context.Context) bool {
	err := b.eraser.resume(ctx)
	if err != nil && ctx.Err() == nil {
		b.Log.Warn("a person is not forgotten yet", "error", err)
	}
	return err == nil
}

// leaveRatings takes away the lists of communities in which ratings of a person once counted together.
func leaveRatings(ctx context.Context, s storage.Store) error {
	for items, err := range storage.Pages(ctx, s, keyspace.Ratings) {
		if err != nil {
			return fmt.Errorf("look through lists of ratings: %w", err)
		}
		err = storage.Update(ctx, s, func(tx storage.Tx) error {
			for _, item := range items {
				tx.Delete(item.Key)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("take lists of ratings away: %w", err)
		}
	}
	return nil
}

// lookAgain is after how long people are looked up again where that went wrong.
const lookAgain = 10 * time.Minute

// waitAfter waits a while after an error; false if ctx has ended.
func (b *tasks) waitAfter(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	b.Log.Warn("people can't be looked up yet", "error", err)
	return pace.Sleep(ctx, lookAgain) == nil
}

// do does one task.
func (b *tasks) do(ctx context.Context, t task) error {
	slow := pace.Slow(b.Store)
	if t.user == 0 {
		_, err := purse.Book{Store: slow, Community: t.origin}.Richest(ctx, topLength)
		return err
	}
	return b.eraser.goOn(ctx, t.origin, t.user)
}
