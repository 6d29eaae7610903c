package bot

import (
	"context"
	"testing"

	"zevaka/bot/clock"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// Sweep lets leave at once what ended longer ago than Options.Keep.
func (b *Bot) Sweep(ctx context.Context) (upkeep.Swept, error) { return b.keeper.Sweep(ctx) }

// SetMaxMoves changes how many moves a table may have.
func (b *Bot) SetMaxMoves(n int) { b.tables.MaxMoves = n }

// Deed is what people can ask for by a command or by a button of no table.
type Deed struct {
	Name, Argument string
	Who            table.Role
	Asks           table.Asking
	FromOutside    bool
}

// Verbs are the commands, but those of games, and PlaceDeeds what buttons of no table do.
func Verbs() (all []Deed) {
	for _, v := range (&Bot{}).verbs() {
		all = append(all, Deed{v.Name, v.argument, v.Who, v.Asks, v.FromOutside})
	}
	return all
}

// PlaceDeeds are what buttons of no table do.
func PlaceDeeds() (all []Deed) {
	for _, a := range (&Bot{}).placeActions() {
		all = append(all, Deed{a.Name, "", a.Who, a.Asks, a.FromOutside})
	}
	return all
}

// Another is a bot like the given one over another store. It is made in a fraction of the time that New takes.
func Another(t *testing.T, like *Bot, s storage.Store) *Bot {
	t.Helper()
	b := &Bot{
		Menu: like.Menu, store: s, games: like.games, log: like.log, now: like.now, seed: like.seed,
		watch: like.watch,
	}
	var err error
	if b.clock, err = clock.Open(t.Context(), b.store, b.log, nil, 1); err != nil {
		t.Fatal(err)
	}
	if err := b.build(t.Context(), Options{States: 10}, table.NewIndex(s, b.log)); err != nil {
		t.Fatal(err)
	}
	return b
}

// Like is the bot that others are made like.
func Like(f *testing.F) *Bot {
	f.Helper()
	b, err := New(f.Context(), Options{Store: mem.New(), Games: games.All(), Seed: func() engine.Seed { return engine.Seed{} }})
	if err != nil {
		f.Fatal(err)
	}
	return b
}
