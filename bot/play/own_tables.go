package play

import (
	"context"
	"fmt"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// makeRoom makes room for another table of this name, as Room says: it returns the last picture of the table that it
// closes. Asked is the table that is to be shown instead of another one; nil if there is none.
func (b *Tables) makeRoom(ctx context.Context, r chat.Request, name string, o Opening) (closed []chat.Post, asked *table.Table, err error) {
	tables, err := b.Look(ctx, r.In)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range tables {
		switch {
		case t.ID.Name == name:
			return nil, nil, nil
		case t.Applied(table.Hash(r.ID)): // It was delivered again.
			return nil, t, nil
		}
	}
	closes, asked, ok := o.Room(tables, hostOf(r.Who))
	switch {
	case !ok:
		return nil, nil, words.Refuse(string(table.ErrOwnTables), words.Blanks{"n": MaxOwn})
	case closes == nil:
		return nil, asked, nil
	}
	response, err := b.at(ctx, r, closes.ID, func(tx *transaction) (outcome, error) {
		if !tx.table.IsFree() {
			return outcome{}, table.ErrOwnTables // Somebody has just sat down.
		}
		return tx.end("stop-replaced", nil), nil
	})
	return response.Posts, nil, err
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
