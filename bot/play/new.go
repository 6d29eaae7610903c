package play

import (
	"cmp"

	"zevaka/bot/table"
	"zevaka/engine"
)

// New makes the tables of a store. So many of them are kept in memory with their states.
func New(deps Deps, states int) *Tables {
	deps.MaxMoves = cmp.Or(deps.MaxMoves, 1<<16)
	b := &Tables{Deps: deps, Shelf: table.NewShelf(deps.Store, deps.Log), cache: table.NewCache(states), families: map[string]func(*transaction) family{}}
	for _, rules := range deps.Order {
		info := rules.Info()
		b.families[info.Name] = familyOf(info)
	}
	return b
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
