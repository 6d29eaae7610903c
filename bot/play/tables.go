package play

import (
	"log/slog"
	"time"

	"zevaka/bot/clock"
	"zevaka/bot/day"
	"zevaka/bot/pace"
	"zevaka/bot/picture"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// Deps are what Tables work with. All but Painter must be given.
type Deps struct {
	Store storage.Store
	// Order are the games as they are listed, Games the same by name.
	Order []engine.Rules
	Games map[string]engine.Rules
	Words *words.Catalogue
	Log   *slog.Logger
	// Now is the time of day, Clock the running time and the deadlines of tables.
	Now   func() time.Time
	Clock *clock.Clock
	// Seed makes a new secret seed.
	Seed func() engine.Seed
	// Painter makes the pictures of tables; nil if there are to be none.
	Painter *picture.Painter
	// Keep is how long what has ended is kept, and how long a table waits for people who don't come; 0 is for ever.
	Keep time.Duration
	// AddTime is how long a pack isn't dealt though its cutter has cut, from when people were asked to.
	AddTime time.Duration
	// MaxMoves is how many moves a table may have, those taken back, too: one that has more is closed. It is 65,536 unless
	// it is given.
	MaxMoves int
	// Heavy is the budget of what takes long.
	Heavy     *pace.Budget
	Names     *words.Names
	Questions *table.Asker
	Index     *table.Index
	Days      *day.Days
	// Looking reports whether somebody has a table before their eyes now, apart from its message; nil where nobody can.
	Looking func(table.ID, int64) bool
	// Changed is told of tables as they were saved, in that order for each, and doesn't wait.
	Changed func(*table.Table)
}

// Tables are all tables of a store. They are safe for use by many goroutines.
type Tables struct {
	Deps
	table.Shelf
	locks table.Locks
	cache *table.Cache
	// families are what each game is played as, by its name.
	families map[string]func(*transaction) family
}

// The parts of what a request does at a table.
type (
	lobby   struct{ *transaction }
	dealing struct{ *transaction }
	seats   struct{ *transaction }
	alarmed struct{ *transaction }
	press   struct{ *transaction }
)
