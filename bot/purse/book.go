package purse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Book reads what is stored of a community outside any transaction.
type Book struct {
	Store     storage.Store
	Community string
	// Most is how many purses Richest reads; 0 is as many as there are.
	Most int
}

// History returns at most limit lines of a user's history, the newest first: those with numbers under before, or all
// if before is 0. A line that is damaged is left out.
func (b Book) History(ctx context.Context, user, before int64, limit int) ([]Line, error) {
	prefix, after := linesOf(b.Community, User(user)), ""
	if before > 0 {
		after = keyLine(b.Community, User(user), before)
	}
	var items []storage.Item
	for {
		more, err := b.Store.Scan(ctx, prefix, after, limit-len(items))
		items = append(items, more...)
		var damaged storage.Damaged
		if err == nil {
			break
		}
		if !errors.As(err, &damaged) {
			return nil, fmt.Errorf("read history: %w", err)
		}
		after = damaged.Key
	}
	var err error
	lines := make([]Line, len(items))
	for i, item := range items {
		if lines[i], err = decodeLine(item.Key, item.Value); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// scanned are at most limit purses, the fullest first, and those that hold the same in order of their keys. It reads all
// purses of the community.
func (b Book) scanned(ctx context.Context, limit int) ([]Purse, error) {
	var top []Purse
	prefix := keyspace.Accounts + b.Community + "/"
	for items, err := range storage.Pages(ctx, b.Store, prefix+"u") {
		if err != nil {
			return nil, fmt.Errorf("read purses: %w", err)
		}
		for _, item := range items {
			if len(top) == limit && limit > 0 && holdsAtMost(item.Value, top[limit-1].Balance) {
				continue
			}
			p, err := decodePurse(item.Key, item.Value)
			if err != nil {
				return nil, err
			}
			p.User, _ = Account(strings.TrimPrefix(item.Key, prefix)).User()
			top = insert(top, p, limit)
		}
	}
	return top, nil
}

// holdsAtMost reports whether a stored purse says at once, in the first field, that it holds at most so much. Most
// purses are told from the richest by it in a fraction of the time that decoding takes.
func holdsAtMost(value []byte, most int64) bool {
	text, ok := bytes.CutPrefix(value, []byte(`{"balance":`))
	digits, _, comma := bytes.Cut(text, []byte(","))
	balance, err := strconv.ParseInt(string(digits), 10, 64)
	return ok && comma && err == nil && balance <= most
}

// insert puts a purse where it belongs among the fullest.
func insert(top []Purse, p Purse, limit int) []Purse {
	i, _ := slices.BinarySearchFunc(top, p.Balance, func(q Purse, balance int64) int {
		if q.Balance >= balance {
			return -1
		}
		return 1
	})
	if i >= limit {
		return top
	}
	top = slices.Insert(top, i, p)
	return top[:min(len(top), limit)]
}
