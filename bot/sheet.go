package bot

import (
	"context"
	"strings"

	"zevaka/engine"
)

// Sheet is one table as it is stored, for comparison with what people did and saw.
type Sheet struct {
	// Table names the table as Post.Table does, and Level is how far it has come.
	Table string
	Level uint64
	Place Place
	// Board is the message that bears the table's picture; empty if that isn't known yet.
	Board Ref
	// Open says that the table waits for something: a move, or that its last picture is shown. Over says that nothing is
	// played there any more.
	Open, Over bool
	// Moves are those that stand, in order.
	Moves []Made
}

// Made is a move with who made it: a user's ID, 0 for a computer player and for the table itself.
type Made struct {
	User int64
	Move string
}

// Sheets calls each on every table, the open ones first.
func (a *Archive) Sheets(ctx context.Context, each func(Sheet) error) error {
	return a.each(ctx, func(key string, t *table, rules engine.Rules) error {
		texts, err := a.bot.line(ctx, t)
		if err != nil {
			return err
		}
		s := Sheet{
			Table: t.id.String(), Level: t.Level, Place: t.Place, Board: t.Board,
			Open: strings.HasPrefix(key, openPrefix), Over: t.Phase == ended,
		}
		for _, text := range texts {
			step, err := engine.ParseStep(rules, text)
			if err != nil {
				return err
			}
			made := Made{Move: rules.Text(step.Move)}
			if step.Seat != engine.Nobody {
				made.User = t.Chairs[step.Seat].User
			}
			s.Moves = append(s.Moves, made)
		}
		return each(s)
	})
}
