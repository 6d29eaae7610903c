//go:build faults

package faults

import (
	"context"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
)

// summary is one table as it is stored, for comparison with what people did and saw.
type summary struct {
	// Table names the table as Post.Table does, and Level is how far it has come.
	Table string
	Level uint64
	Place chat.Place
	// Board is the message that bears the table's picture; empty if that isn't known yet.
	Board chat.Ref
	// Open says that the table waits for something: a move, or that its last picture is shown. Over says that nothing is
	// played there any more.
	Open, Over bool
	// People are the users who sit at the table or wait to.
	People []int64
	// Moves are those that stand, in order.
	Moves []made
}

// made is a move with who made it: a user's ID, 0 for a computer player and for the table itself.
type made struct {
	User int64
	Move string
}

// summaries calls each on every table, the open ones first.
func summaries(ctx context.Context, store storage.Store, each func(summary) error) error {
	return upkeep.NewArchive(store, games.All()).Each(ctx, func(key string, t *table.Table, rules engine.Rules) error {
		texts, err := table.ReadLine(ctx, store, t)
		if err != nil {
			return err
		}
		s := summary{
			Table: t.ID.String(), Level: t.Level, Place: t.Place, Board: t.Board,
			Open: strings.HasPrefix(key, keyspace.OpenTables), Over: t.Phase == table.Ended,
		}
		for _, c := range slices.Concat(t.Chairs, t.Waiting) {
			if c.User != 0 && !c.Left {
				s.People = append(s.People, c.User)
			}
		}
		for _, text := range texts {
			step, err := engine.ParseStep(rules, text)
			if err != nil {
				return err
			}
			m := made{Move: rules.Text(step.Move)}
			if step.Seat != engine.Nobody {
				m.User = t.Chairs[step.Seat].User
			}
			s.Moves = append(s.Moves, m)
		}
		return each(s)
	})
}
