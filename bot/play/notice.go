package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/storage"
)

// NoticeReceipt is the Receipt of a post that tells somebody in private about a table, or about none, which is table.NoTable.
func NoticeReceipt(id table.ID, user int64) string {
	return id.String() + " " + strconv.FormatInt(user, 36)
}

// inPrivate tells somebody in their private chat that it is their turn.
func (tx alarmed) inPrivate(who table.Chair, own table.Choices) chat.Post {
	t, to := tx.table, *who.Person()
	to.Lang = cmp.Or(own.Lang, who.Lang, t.Lang)
	return chat.Post{
		In: t.Place, To: &to, Direct: true, About: t.Board, Receipt: NoticeReceipt(t.ID, who.User), Quiet: own.Quiet,
		Message: chat.Message{Text: tx.tables.Words.Lang(to.Lang).Spans(board.Turn(t.Game))},
	}
}

// Unreached has somebody who can't be told in private told by name from now on, and, if it is still their turn, at once.
func (b *Tables) Unreached(ctx context.Context, r chat.Request) (chat.Response, error) {
	name, number, _ := strings.Cut(r.Data, " ")
	id, ok := table.ParseID(name)
	user, err := strconv.ParseInt(number, 36, 64)
	if !ok || err != nil {
		return chat.Response{}, fmt.Errorf("somebody was not reached about %.80q", r.Data)
	}
	var own table.Choices
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		origin, err := table.Origin(tx, id.Community)
		if err != nil {
			return err
		}
		own, err = table.GetChoices(tx, origin, user)
		if err != nil || own.Notice != table.InPrivate {
			return err
		}
		own.Notice = table.ByMention
		return table.PutChoices(tx, origin, user, own)
	})
	if err != nil || id.Name == table.NoTable {
		return chat.Response{}, err
	}
	response, err := b.at(ctx, r, id, func(tx *transaction) (outcome, error) {
		t := tx.table
		if t.Phase != table.Playing || !t.Told || t.Chairs[t.Mover].User != user {
			return outcome{}, nil
		}
		return alarmed{tx}.aloud(own.Quiet), nil
	})
	if errors.Is(err, table.ErrGone) {
		err = nil
	}
	return response, err
}
