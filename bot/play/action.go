package play

import (
	"context"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// Role is who may ask for something. What is asked for checks that itself, each with a refusal of its own.
type Role uint8

const (
	// ByAnybody is everybody in the place.
	ByAnybody Role = iota + 1
	// BySitter is who sits at the table, or waits to.
	BySitter
	// ByPlayer is who has cards in the deal.
	ByPlayer
	// ByCutter is who sits at a table whose pack is cut, and has added nothing yet.
	ByCutter
	// ByHost is the table's host, or an admin of the place.
	ByHost
	// ByOwner is the table's host, and an admin of the place only where the table has no panel of the host's own.
	ByOwner
	// ByAdmin is an admin of the place.
	ByAdmin
	// ByFirst is an admin of the place, and anybody as long as nobody has decided.
	ByFirst
	// ByAsked is whoever was asked the question that is answered.
	ByAsked
)

// Asking is whether somebody is asked again before something is done. The question is stored for them.
type Asking uint8

const (
	// Never is for what costs nothing, can be made good again, or is the game itself.
	Never Asking = iota
	// IfLost asks only where somebody would lose something by it.
	IfLost
	// Always asks everybody again, every time.
	Always
)

// Action is something that a button of a table's own asks for.
type Action struct {
	Name string
	By   Role
	Asks Asking
	// Afar says that it concerns nobody but the one who asks. They may do it from outside the table's place, too, even when
	// they aren't in it any more.
	Afar bool
	// run does it. The epoch is that of the button; arg is the text behind the name.
	run func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error)
}

// simply is how an action runs to which neither the epoch nor the argument of the button matters.
func simply(run func(*transaction, context.Context) (outcome, error)) func(*transaction, context.Context, int, string) (outcome, error) {
	return func(tx *transaction, ctx context.Context, _ int, _ string) (outcome, error) { return run(tx, ctx) }
}

// Actions are all that the buttons of a table's own can ask for.
func Actions() []Action {
	all := []Action{
		{"join", ByAnybody, Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return lobby{tx}.join(ctx) })},
		{"leave", BySitter, IfLost, true, func(tx *transaction, ctx context.Context, _ int, arg string) (outcome, error) {
			return seats{tx}.leave(ctx, arg == "ask")
		}},
		{"back", BySitter, Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return seats{tx}.comeBack(ctx) })},
		{"stop", ByHost, IfLost, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return seats{tx}.stop(ctx) })},
		{"whom", ByHost, Always, false, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) { return seats{tx}.whom() }},
		{"remove", ByHost, IfLost, false, func(tx *transaction, ctx context.Context, _ int, arg string) (outcome, error) {
			return seats{tx}.remove(ctx, arg)
		}},
		{"show", ByAnybody, Never, false, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) { return tx.show() }},
		{"rules", ByAnybody, Never, true, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) { return tx.tellRules() }},
		{"check", ByAnybody, Never, true, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) {
			post := tx.drawing(tx.tables.Words.Lang(tx.req.Who.Lang)).CheckPost(tx.req)
			return outcome{posts: []chat.Post{post}}, nil
		}},
		{"m", ByPlayer, IfLost, false, func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error) {
			return tx.typed(ctx, epoch, arg)
		}},
		{"undo", ByPlayer, Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) {
			return single{free{tx}}.takeBack(ctx, table.UndoMark)
		})},
		{"redo", ByPlayer, Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) {
			return single{free{tx}}.takeBack(ctx, table.RedoMark)
		})},
		{"hint", ByPlayer, Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return single{free{tx}}.hint(ctx) })},
		{"home", ByPlayer, Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) {
			return single{free{tx}}.toFoundations(ctx)
		})},
		{"pile", ByPlayer, Never, false, func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error) {
			return single{free{tx}}.carry(ctx, epoch, arg)
		}},
		{"page", ByPlayer, Never, false, func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error) {
			return single{free{tx}}.choosePlaces(ctx, epoch, arg)
		}},
		{"giveup", ByPlayer, IfLost, true, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return single{free{tx}}.giveUp(ctx) })},
		{"hand", ByPlayer, Never, true, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return tx.hand(ctx) })},
		{"pass", ByPlayer, Never, false, simply(func(tx *transaction, ctx context.Context) (outcome, error) { return bank{free{tx}}.pass(ctx) })},
		{"bet", ByPlayer, Never, false, func(tx *transaction, ctx context.Context, epoch int, arg string) (outcome, error) {
			return bank{free{tx}}.bet(ctx, epoch, arg)
		}},
		{"cut", ByCutter, Never, false, func(tx *transaction, _ context.Context, _ int, arg string) (outcome, error) {
			return dealing{tx}.cut(arg, false)
		}},
		{"no-cut", ByCutter, Never, false, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) {
			return dealing{tx}.cut("", true)
		}},
		{"enough", BySitter, Never, true, simply(func(tx *transaction, _ context.Context) (outcome, error) { return seats{tx}.enough() })},
		{"answer", ByAsked, Never, true, func(tx *transaction, ctx context.Context, _ int, arg string) (outcome, error) {
			return press{tx}.answer(ctx, arg)
		}},
	}
	for _, name := range []string{"robot", "norobot", "deal"} {
		all = append(all, Action{name, ByHost, Never, false, func(tx *transaction, _ context.Context, _ int, _ string) (outcome, error) {
			return lobby{tx}.arrange(name)
		}})
	}
	for _, name := range []string{"panel", "details", "set", "opt", "limit", "fast", "rounds", "temper"} {
		all = append(all, Action{name, ByOwner, Never, false, func(tx *transaction, _ context.Context, _ int, arg string) (outcome, error) {
			return lobby{tx}.toggle(name, arg)
		}})
	}
	return all
}

// act does what a button of the table's own asks.
func (tx press) act(ctx context.Context, epoch int, name, arg string) (outcome, error) {
	all := Actions()
	i := slices.IndexFunc(all, func(a Action) bool { return a.Name == name })
	early := tx.table.Phase == table.Lobby || tx.table.Phase == table.Cutting
	switch {
	case i < 0:
		return outcome{}, table.ErrAction
	case tx.req.Barred() != nil && !all[i].Afar:
		return outcome{}, tx.req.Barred()
	case early && epoch > 1:
		return outcome{}, table.ErrAction
	}
	return all[i].run(tx.transaction, ctx, epoch, arg)
}
