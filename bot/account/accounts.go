// Package account is what people have and may ask about themselves: chips and gifts, scores and charts, settings, what is kept about
// them and how to be forgotten; and what admins choose for their chat.
package account

import (
	"context"
	"log/slog"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/pace"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// Accounts are what people have: chips, scores, settings, and what is kept about them. Its commands answer a line that
// somebody has typed, without the command's name. It is safe for use by many goroutines.
type Accounts struct {
	store    storage.Store
	games    []engine.Rules
	words    *words.Catalogue
	now      func() time.Time
	keep     time.Duration
	saves    bool
	contact  string
	roomOpen bool
	budget   *pace.Budget
	tables   *play.Tables
	index    *table.Index
	charts   *Charts
	eraser   *eraser
	tasks    *tasks
}

// Options are what Accounts are made of. All must be given but those of which it is said otherwise.
type Options struct {
	Store storage.Store
	// Games are in the order in which people read of them.
	Games []engine.Rules
	Words *words.Catalogue
	Log   *slog.Logger
	// Now is the time of day.
	Now func() time.Time
	// Keep is how long what has ended is kept; 0 is for ever.
	Keep time.Duration
	// SavesRecords says that records of deals are saved before they leave the store.
	SavesRecords bool
	// Contact is how whoever runs the bot can be reached; it may be empty.
	Contact string
	// RoomOpen says that anybody reaches the room, under as many names as they like: there only chips that were won can be
	// given away.
	RoomOpen bool
	// Budget is that of the process for what takes long.
	Budget *pace.Budget
	Tables *play.Tables
	Index  *table.Index
	Charts *Charts
}

// New is the accounts of a store.
func New(o Options) *Accounts {
	e := &eraser{store: o.Store, games: o.Games, words: o.Words, now: o.Now, tables: o.Tables, index: o.Index}
	return &Accounts{
		store: o.Store, games: o.Games, words: o.Words, now: o.Now, keep: o.Keep, saves: o.SavesRecords, contact: o.Contact,
		roomOpen: o.RoomOpen, budget: o.Budget, tables: o.Tables, index: o.Index, charts: o.Charts, eraser: e,
		tasks: &tasks{
			store: o.Store, log: o.Log, index: o.Index, eraser: e, next: make(chan task, maxTasks), waiting: map[task]bool{},
		},
	}
}

// RunTasks does, until ctx ends, what takes too long for a press: it goes through a database that has no index of people
// yet, forgets people to the end, also those with whom a stop of the process has interrupted it, and makes long lists.
// Whoever calls it waits for it. It works a tenth of the time.
func (b *Accounts) RunTasks(ctx context.Context) { b.tasks.run(ctx) }

// ForgetEverywhere forgets a person in all communities of a platform as they can themselves in one, and tells each of
// what was taken out in those where there was something. Where the person has a part in games that aren't over, it
// is ErrStillPlays and nothing is changed; with stop these are closed first, and the chips go back. It may be done again
// after an error.
func (b *Accounts) ForgetEverywhere(ctx context.Context, on chat.Platform, user int64, stop bool, tell func(Forgotten)) error {
	return b.eraser.forgetEverywhere(ctx, on, user, stop, tell)
}
