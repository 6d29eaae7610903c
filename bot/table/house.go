package table

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// House is what all of a bot works with. All but Keep must be given.
type House struct {
	Store storage.Store
	// Order are the games in the order in which people read of them, Games the same by name.
	Order []engine.Rules
	Games map[string]engine.Rules
	Words *words.Catalogue
	// Names are what people call games and their options.
	Names *words.Names
	Log   *slog.Logger
	// Now is the time of day.
	Now func() time.Time
	// Keep is how long what has ended is kept, and how long a table waits for people who don't come.
	Keep *Keeping
}

// Keeping is how long something is kept, which may change at any time; 0 is for ever, and so is nil. It is safe for use by many
// goroutines.
type Keeping struct {
	time atomic.Int64
	// changed is told when it has changed.
	changed chan struct{}
}

// NewKeeping is one of that time.
func NewKeeping(d time.Duration) *Keeping {
	k := &Keeping{changed: make(chan struct{}, 1)}
	k.time.Store(int64(d))
	return k
}

// Get is how long.
func (k *Keeping) Get() time.Duration {
	if k == nil {
		return 0
	}
	return time.Duration(k.time.Load())
}

// Set changes it.
func (k *Keeping) Set(d time.Duration) {
	if k.time.Swap(int64(d)) == int64(d) {
		return
	}
	select {
	case k.changed <- struct{}{}:
	default:
	}
}

// Wait waits so long, or until it has changed; false if ctx has ended.
func (k *Keeping) Wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-k.changed:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// NewHouse is a house with these games, where all is kept for ever.
func NewHouse(store storage.Store, games []engine.Rules, catalogue *words.Catalogue, log *slog.Logger, now func() time.Time) House {
	h := House{
		Store: store, Order: games, Games: map[string]engine.Rules{}, Words: catalogue, Names: words.NewNames(catalogue, games), Log: log, Now: now, Keep: NewKeeping(0),
	}
	for _, rules := range games {
		h.Games[rules.Info().Name] = rules
	}
	return h
}
