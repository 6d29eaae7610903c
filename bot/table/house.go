package table

import (
	"log/slog"
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
	// Keep is how long what has ended is kept, and how long a table waits for people who don't come; 0 is for ever.
	Keep time.Duration
}

// NewHouse is a house with these games; Keep is 0.
func NewHouse(store storage.Store, games []engine.Rules, catalogue *words.Catalogue, log *slog.Logger, now func() time.Time) House {
	h := House{
		Store: store, Order: games, Games: map[string]engine.Rules{}, Words: catalogue, Names: words.NewNames(catalogue, games), Log: log, Now: now,
	}
	for _, rules := range games {
		h.Games[rules.Info().Name] = rules
	}
	return h
}
