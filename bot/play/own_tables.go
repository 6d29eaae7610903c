package play

import (
	"context"
	"fmt"
	"slices"

	"zevaka/bot/chat"
	"zevaka/bot/refusal"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// MaxOwn is how many tables one person may have open in a place: those of which they are the host.
const MaxOwn = 3

// makeRoom makes room for another table of this name, where the one who opens it has as many as they may. It closes their
// oldest table at which nobody else sits and nothing has begun, and returns its last picture.
func (b *Tables) makeRoom(ctx context.Context, r chat.Request, name string) ([]chat.Post, error) {
	tables, err := b.Look(ctx, r.In)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(tables, func(t *table.Table) bool { return t.ID.Name == name }) {
		return nil, nil
	}
	own := slices.DeleteFunc(tables, func(t *table.Table) bool { return t.Host != hostOf(r.Who) })
	if len(own) < MaxOwn {
		return nil, nil
	}
	for _, t := range own {
		if !t.IsFree() {
			continue
		}
		response, err := b.at(ctx, r, t.ID, func(tx *transaction) (outcome, error) {
			if !tx.table.IsFree() {
				return outcome{}, refusal.OwnTables // Somebody has just sat down.
			}
			return tx.end("stop-replaced", nil), nil
		})
		return response.Posts, err
	}
	return nil, words.Refuse(string(refusal.OwnTables), words.Blanks{"n": MaxOwn})
}

// hostOf is who is the host of a table that somebody opens.
func hostOf(u chat.User) int64 {
	if u.Anonymous {
		return 0
	}
	return u.ID
}

// ownTables is a lock for those who open tables in a place. They do so one after the other, so that each counts what the
// one before has opened. No table has this name.
func ownTables(r chat.Request) table.ID {
	return table.ID{Community: r.In.Community, Name: fmt.Sprintf("own %d %d %d", r.In.Channel, r.In.Thread, hostOf(r.Who))}
}
