package play

import (
	"cmp"
	"context"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/day"
	"zevaka/bot/keyspace"
	"zevaka/bot/pace"
	"zevaka/bot/picture"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// Deps are what Tables work with. All but Painter must be given.
type Deps struct {
	table.House
	// Clock is the running time, and the deadlines of tables.
	Clock *clock.Clock
	// Seed makes a new secret seed.
	Seed func() engine.Seed
	// Painter makes the pictures of tables; nil if there are to be none.
	Painter *picture.Painter
	// AddTime is how long a pack isn't dealt though its cutter has cut, from when people were asked to.
	AddTime time.Duration
	// Copied is when the backup was made that the store goes on from; zero for none.
	Copied time.Time
	// MaxMoves is how many moves a table may have, those taken back, too: one that has more is closed. It is 65,536 unless
	// it is given.
	MaxMoves int
	// Heavy is the budget of what takes long, and Watching that of those who only look: they take nothing from who plays.
	Heavy, Watching *pace.Budget
	Questions       *table.Asker
	Index           *table.Index
	Days            *day.Days
	// Looking reports whether somebody has a table before their eyes now, apart from its message; nil where nobody can.
	Looking func(table.ID, int64) bool
	// Deaf is for how long the platform of a community has brought no presses from there, or had brought none until a moment ago; 0 where it brings
	// them: nobody's turn runs out there. Nil where that is so everywhere.
	Deaf func(chat.Community) time.Duration
	// Late is for how long no message of a table's has shown whose turn it is, or did not before one came, and for how long one has since; less than
	// 0 where none does: a turn has its whole time from then on. Nil where messages are never late.
	Late func(chat.Place, table.ID) (late, shown time.Duration)
	// Changed is told of tables as they were saved, in that order for each, and doesn't wait.
	Changed func(*table.Table)
	// Said is told of what is said at a table, and doesn't wait; nil where nobody hears it.
	Said func(Sign)
}

// Tables are all tables of a store. They are safe for use by many goroutines.
type Tables struct {
	Deps
	table.Shelf
	locks table.Locks
	cache *table.Cache
	homes homes
	shows shows
	given given
	// callers are to which tables people were called last.
	callers callers
	// signs is how fast people say something.
	signs *pace.Pace[int64]
	// families are what each game is played as, by its name.
	families map[string]func(*transaction) family
}

// New makes the tables of a store. So many of them are kept in memory with their states.
func New(deps Deps, states int) *Tables {
	deps.MaxMoves = cmp.Or(deps.MaxMoves, 1<<16)
	b := &Tables{Deps: deps, Shelf: table.NewShelf(deps.Store, deps.Log), cache: table.NewCache(states), signs: pace.NewPace[int64](signs), families: map[string]func(*transaction) family{}}
	for _, rules := range deps.Order {
		info := rules.Info()
		b.families[info.Name] = familyOf(info)
	}
	return b
}

// looks reports whether the chair's person has the table before their eyes.
func (b *Tables) looks(t *table.Table, c table.Chair) bool {
	return b.Looking != nil && b.Looking(t.ID, c.User)
}

// familyOf is what a game is played as.
func familyOf(info engine.Info) func(*transaction) family {
	switch {
	case info.Banker:
		return func(tx *transaction) family { return bank{free{tx}} }
	case info.ForOne():
		return func(tx *transaction) family { return single{free{tx}} }
	}
	return func(tx *transaction) family { return free{tx} }
}

// family is what one of the three kinds of games does in its own way: free play, where everybody plays for themselves; a
// bank, which one player holds against the others for chips; and a game for one. Its values are free, bank and single. A
// function that changes the table doesn't settle it, unless it says so.
type family interface {
	traits() traits
	// opened is called when a table has been opened and its host sits there.
	opened(Opening) error
	// enter is called before somebody sits down.
	enter() error
	// drawn is who sits in seat 0, as a number in order of joining; begin is called when all seats are fixed.
	drawn() (first int, err error)
	begin() error
	// play makes a person's move and settles it; read does so with moves as they were typed.
	play(context.Context, engine.State, engine.Seat, engine.Move) (outcome, error)
	read(context.Context, engine.State, engine.Seat, string) (outcome, error)
	// clear lets those go before a move who can't stay. It reports whether anybody went.
	clear(engine.State) (bool, error)
	// attempt makes a person's move, or returns why the table refuses it.
	attempt(engine.State, engine.Seat, engine.Move) error
	// square is called after moves, before the table looks whether the deal has ended.
	square(engine.State) error
	// finished reports whether the deal ends with this position: with a result, or, if that is nil, for a reason.
	finished(engine.State) (why string, result *engine.Result, over bool)
	// deadlines sets the table's deadlines for a position. By is who moved; who must move keeps a deadline that runs
	// already when it was somebody else, and at a bank also where the same hand is played.
	deadlines(state engine.State, by engine.Seat)
	// expire does what is due when the time for a turn is up, ownMove what is due when the table itself is to move; both
	// settle it.
	expire(context.Context) (outcome, error)
	ownMove(context.Context) (outcome, error)
	// absent notes that the table has moved too often for somebody. It returns the event that tells so.
	absent(engine.Seat) (event string)
	// leave takes the one who asks from their seat, or asks them again. takeOut takes a seat's person from the table.
	leave(context.Context, engine.Seat) (outcome, error)
	takeOut(context.Context, engine.Seat) (outcome, error)
	// stop ends the table if the one who asks may. cutShort ends it because it can't go on.
	stop(context.Context) (outcome, error)
	cutShort(ctx context.Context, why string) (outcome, error)
	// close is called in the transaction in which a deal has ended. It returns the table that the session goes on at, if any.
	close() (next *table.Table, err error)
}

// traits are what differs between the families and is only looked up.
type traits struct {
	// alone says that there is but one player: nobody draws, and the table is theirs.
	alone bool
	// chips says that chips are at stake.
	chips bool
	// late says that people may sit down for the next deal while one is on, computers that computer players may sit down.
	late, computers bool
	// lines is how much of what happened a picture tells.
	lines int
	// tooFew refuses to deal where too few people sit.
	tooFew engine.Refusal
}

// pass says a sign to those who look, unless its person says too much.
func (b *Tables) pass(s *Sign) error {
	switch {
	case s == nil:
	case !b.signs.Allow(s.User, b.Now()):
		return pace.ErrFast
	case b.Said != nil:
		b.Said(*s)
	}
	return nil
}

// openOf are the open tables of the request's community in which the one has a part whom it is about: all that are open there as long as
// these can't be found.
func (b *Tables) openOf(ctx context.Context, r chat.Request) (ids []table.ID, err error) {
	if !b.Index.Done() {
		return b.OpenIn(ctx, r.In.Community)
	}
	origin, err := storage.Read(ctx, b.Store, func(from storage.Reader) (string, error) { return table.Origin(from, r.In.Community) })
	if err != nil {
		return nil, err
	}
	b.Index.PartsIn(ctx, keyspace.OpenParts, origin, r.Who.ID, "", func(tables []table.Stored, failed error) bool {
		for _, t := range tables {
			ids = append(ids, t.ID)
		}
		err = failed
		return err == nil
	})
	return ids, err
}
