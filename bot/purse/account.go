package purse

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Account names one account of a community: the purse of a user, what lies at a table for somebody, or the house.
// Its text form is what postings store.
type Account string

// House is the account that grants the first purse and the daily chips. It alone may go below zero.
const House Account = "house"

// User is the purse of a user; the ID is not 0.
func User(id int64) Account { return Account("u" + strconv.FormatInt(id, 36)) }

// At is what lies at the table of that name for its owner: a user, or the house. What is lost to somebody else at the
// same table goes from the one's account at the table to the other's. The accounts of one table lie under one key,
// which is there while anything lies at the table.
func At(table string, owner Account) Account { return Account("t" + table + "/" + string(owner)) }

// User is whose purse the account is; false for any other account.
func (a Account) User() (id int64, ok bool) {
	text, ok := strings.CutPrefix(string(a), "u")
	if !ok {
		return 0, false
	}
	id, err := strconv.ParseInt(text, 36, 64)
	if err != nil || id == 0 || User(id) != a {
		return 0, false
	}
	return id, true
}

// Table is at which table the account lies and for whom; false for any other account.
func (a Account) Table() (table string, owner Account, ok bool) {
	name, rest, ok := strings.Cut(string(a), "/")
	table, isTable := strings.CutPrefix(name, "t")
	owner = Account(rest)
	if _, user := owner.User(); !ok || !isTable || !isTableName(table) || !user && owner != House {
		return "", "", false
	}
	return table, owner, true
}

// valid reports whether the text names an account.
func (a Account) valid() bool {
	_, user := a.User()
	_, _, table := a.Table()
	return a == House || user || table
}

// maxTableName is how many letters and digits a table's name may have.
const maxTableName = 32

func isTableName(text string) bool {
	if len(text) == 0 || len(text) > maxTableName {
		return false
	}
	for _, r := range []byte(text) {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return true
}

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

// scanned are at most limit purses that aren't idle, the fullest first, and those that hold the same in order of their keys. It reads all
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
			if p.User, _ = Account(strings.TrimPrefix(item.Key, prefix)).User(); !p.idle() {
				top = insert(top, p, limit)
			}
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

// NameIn is the name in the item of a purse, with whose it is in which community; an empty one if there is none.
func NameIn(item storage.Item) (community string, user int64, name string) {
	community, account, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.Accounts), "/")
	user, ok := Account(account).User()
	if !ok {
		return "", 0, ""
	}
	p, err := decodePurse(item.Key, item.Value)
	if err != nil {
		return "", 0, ""
	}
	return community, user, p.Name
}

// Settlement is what a posting at a table has changed in purses.
type Settlement struct {
	// Key is where the posting lies.
	Key string
	Cause
	// Purses are the changes by user.
	Purses map[int64]int64
}

// AtTable returns what the postings of a table have changed, in order of deals and moves: those whose ID is that of a
// Cause at the table, or begins with it. Those that can't be read are left to Audit.
func (b Book) AtTable(ctx context.Context, table string) ([]Settlement, error) {
	var all []Settlement
	for items, err := range storage.Pages(ctx, b.Store, keyspace.Postings+b.Community+"/"+table+"/") {
		if err != nil {
			return nil, fmt.Errorf("read the postings of table %s: %w", table, err)
		}
		for _, item := range items {
			p, err := decodePosting(item.Key, item.Value)
			if err != nil {
				continue
			}
			s := Settlement{Key: item.Key, Cause: p.Cause, Purses: map[int64]int64{}}
			for _, leg := range p.Legs {
				if user, ok := leg.Account.User(); ok {
					s.Purses[user] += leg.Amount
				}
			}
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Settlement) int {
		return cmp.Or(cmp.Compare(a.Deal, b.Deal), cmp.Compare(a.Move, b.Move), strings.Compare(a.Key, b.Key))
	})
	return all, nil
}

// Tables calls each on every table in the store at which chips have moved, by the postings. Those that can't be read are
// left to Audit.
func Tables(ctx context.Context, s storage.Store, each func(community, table string) error) error {
	for after := ""; ; {
		items, err := s.Scan(ctx, keyspace.Postings, after, 1)
		if err != nil {
			return fmt.Errorf("look for tables in the ledger: %w", err)
		}
		if len(items) == 0 {
			return nil
		}
		parts := strings.SplitN(items[0].Key, "/", 4)
		community, first := parts[1], parts[min(2, len(parts)-1)]
		p, err := decodePosting(items[0].Key, items[0].Value)
		if err == nil && p.Table == first {
			if err := each(community, p.Table); err != nil {
				return err
			}
		}
		// What begins with a key and "/" comes before the same key and "0".
		after = keyspace.Postings + community + "/" + first + "0"
	}
}

// Forget takes the name out of the user's purse. The chips stay, and so do the postings, under the user's number.
func (l Ledger) Forget(user int64) error {
	key := keyAccount(l.Community, User(user))
	items, err := l.get([]string{key})
	if err != nil {
		return fmt.Errorf("read a purse: %w", err)
	}
	if items[0].Rev == 0 {
		return nil
	}
	p, err := decodePurse(key, items[0].Value)
	if err != nil || p.Name == "" {
		return err
	}
	p.Name = ""
	return storage.PutJSON(l.Tx, key, p)
}
