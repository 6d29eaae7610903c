package play

import (
	"context"
	"errors"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

// Epoch is the epoch of tokens for a table as it is now.
func (b *Tables) Epoch(ctx context.Context, r chat.Request, t *table.Table) (epoch int, err error) {
	switch t.Phase {
	case table.Cutting:
		return 1, nil
	case table.Playing:
		_, err = b.at(ctx, r, t.ID, func(tx *transaction) (outcome, error) {
			state, err := tx.position(ctx)
			if err == nil {
				epoch = tx.table.Epoch(state)
			}
			return outcome{}, err
		})
	}
	return epoch, err
}

// RedrawAll changes how the tables of a place are drawn, and shows them. Of a change of looks it shows those tables that are
// pictures before or after it, at the bottom of the channel.
func (b *Tables) RedrawAll(ctx context.Context, r chat.Request, looks bool, change func(*table.Table)) ([]chat.Post, error) {
	var posts []chat.Post
	ids, err := b.TableIDs(ctx, r.In)
	for _, id := range ids {
		one, failed := b.at(ctx, r, id, func(tx *transaction) (outcome, error) {
			drawn := tx.placeDrawing().Pictured()
			change(tx.table)
			return outcome{changed: true, shown: !looks || drawn || tx.placeDrawing().Pictured(), anew: looks}, nil
		})
		posts = append(posts, one.Posts...)
		err = errors.Join(err, failed)
	}
	return posts, err
}

// Redraw shows a table as it is where nobody knows what was shown before.
func (b *Tables) Redraw(ctx context.Context, r chat.Request, id table.ID) (chat.Response, error) {
	return b.at(ctx, r, id, func(*transaction) (outcome, error) { return outcome{shown: true}, nil })
}

// tellRules tells the rules of the table's game to the one who asks.
func (tx *transaction) tellRules() (outcome, error) {
	post, err := board.RulesPost(tx.tables.Words, tx.req, tx.rules)
	return outcome{posts: []chat.Post{post}}, err
}
