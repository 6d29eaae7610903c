// Package purse keeps the play chips of communities as a double-entry ledger over a storage.Tx: every posting takes
// from some accounts what it gives to others, so that the sum over all accounts of a community is zero at every
// commit. Chips come from the house and from nowhere else; nothing buys or sells them.
//
// A posting has an ID, and is made once, however often it is posted. What is stored of a community are its postings,
// its accounts with their balances, and for each user one line of history for each posting that moved their chips. Old
// postings may leave: what they moved is carried forward, a sum for each account. Audit checks the four against each
// other. A list of who may be among the richest saves reading all purses.
//
// The package also knows who is called how in a community: for each person the name under which they were seen last, and for each name
// those who are called so, so that nobody has to read everybody's to find one.
//
// A community is given as its short text form, which has no "/" in it. Amounts and balances are in kopecks, 100 to the
// rouble; times are in seconds since 1970, UTC.
package purse

import (
	"context"
	"fmt"
	"strings"

	"zevaka/engine"
	"zevaka/storage"
)

const (
	// firstChips is what the house lays into a new purse (RULES.md 6.1).
	firstChips int64 = 3000
	// dailyFirst is what Daily gives on the first day of a streak; each day that follows gives dailyStep more, up to
	// dailyMost.
	dailyFirst int64 = 300
	dailyStep  int64 = 50
	dailyMost  int64 = 900
	// MaxAmount is how much one leg of a posting may move, and how much may lie at a table for anybody.
	MaxAmount int64 = 1_000_000_000_000
)

// The kinds of postings, as they stand in the ledger. The first are those of this package.
const (
	KindOpen  = "open"
	KindDaily = "daily"
	KindGift  = "gift"
	KindGrant = "grant"
	// Those of a table with a banker: KindBank lays out the bank, KindStake what somebody stakes on their own hand, KindSide what
	// they bet on another's; KindWin pays what was won, KindRefund gives back what wasn't played for.
	KindBank   = "bank"
	KindStake  = "stake"
	KindSide   = "side"
	KindWin    = "win"
	KindRefund = "refund"
)

const (
	// ErrShort refuses a posting that would take more from a purse than it holds. It comes in a Short.
	ErrShort engine.Refusal = "purse-short"
	// ErrDaily refuses the daily chips to a user who has had them. It comes in a TooEarly.
	ErrDaily engine.Refusal = "daily-taken"
	// ErrAmount refuses a gift or a grant of nothing, of less than nothing, or of more than MaxAmount.
	ErrAmount engine.Refusal = "bad-amount"
	// ErrSelf refuses a gift to oneself.
	ErrSelf engine.Refusal = "gift-to-self"
	// ErrUnwon refuses a gift of chips that came from the house. It comes in an Unwon.
	ErrUnwon engine.Refusal = "gift-unwon"
)

// Short is the Refusal ErrShort with whose purse holds how much and how much it lacks.
type Short struct {
	User  int64
	Has   int64
	Lacks int64
}

// Error is the name of the sentence.
func (Short) Error() string { return string(ErrShort) }

// Unwrap is the plain Refusal.
func (Short) Unwrap() error { return ErrShort }

// TooEarly is the Refusal ErrDaily with the time from which on the user gets the daily chips.
type TooEarly struct{ Next int64 }

// Error is the name of the sentence.
func (TooEarly) Error() string { return string(ErrDaily) }

// Unwrap is the plain Refusal.
func (TooEarly) Unwrap() error { return ErrDaily }

// Unwon is the Refusal ErrUnwon with how much the giver could give.
type Unwon struct{ Has int64 }

// Error is the name of the sentence.
func (Unwon) Error() string { return string(ErrUnwon) }

// Unwrap is the plain Refusal.
func (Unwon) Unwrap() error { return ErrUnwon }

// Ledger is the ledger of a community within one transaction. All its methods either put everything that they promise
// into the transaction or return an error and put nothing, so that a transaction can go on after a Refusal. They see
// what was put into the transaction before. A purse that was never touched is opened by whatever touches it first.
type Ledger struct {
	Tx        storage.Tx
	Community string
	// Now is the time of day that postings bear, and whose UTC day counts.
	Now int64
	// WonOnly has gifts made only of what Purse.Won says: for a community in which anybody can be many people, each of
	// whom gets chips from the house.
	WonOnly bool
}

// Purse is a user's chips.
type Purse struct {
	User    int64 `json:"-"`
	Balance int64 `json:"balance"`
	// Entries are how many postings have moved it; 0 means that it is not open yet and will hold First.
	Entries int64 `json:"entries"`
	// Name is what the user was called when seen last; empty if nobody has said.
	Name string `json:"name,omitempty"`
	// Day is when the daily chips were taken last, in days since 1970, UTC; Streak is on how many days in a row.
	Day    int64 `json:"day,omitempty"`
	Streak int   `json:"streak,omitempty"`
	// Given is what the house has given beside First: daily chips and grants. A purse of an earlier format counts from
	// when it was touched first since.
	Given int64 `json:"given,omitempty"`
}

// Won is how much the purse holds beyond all that the house ever gave: what was won, or given by others. Somebody who has
// lost the house's chips wins them back first.
func (p Purse) Won() int64 { return max(0, p.Balance-firstChips-p.Given) }

// idle reports whether the purse holds just what the house has given: nobody has won or lost anything with it, or given any of it.
func (p Purse) idle() bool { return p.Balance == firstChips+p.Given }

// Open returns the user's purse, opens it if it was never touched, and keeps the name, unless that is empty. It puts
// nothing when there is nothing new.
func (l Ledger) Open(user int64, name string) (Purse, error) {
	s := l.sheet()
	if _, err := s.read("", []Account{User(user)}); err != nil {
		return Purse{}, err
	}
	if err := s.open(); err != nil {
		return Purse{}, err
	}
	p := s.purses[User(user)]
	name = strings.ToValidUTF8(name, "�")
	renamed := name != "" && name != p.Name
	if renamed {
		p.Name = name
	}
	if !renamed && len(s.postings) == 0 {
		return *p, nil
	}
	return *p, s.write()
}

// Purses returns the purses of the users, in that order, with one Get. It opens none.
func (l Ledger) Purses(users ...int64) ([]Purse, error) { return Purses(l.Tx, l.Community, users...) }

// Purses returns the purses of the community's users, in that order, with one Get. It opens none.
func Purses(from storage.Getter, community string, users ...int64) ([]Purse, error) {
	var keys []string
	for _, user := range users {
		keys = append(keys, keyAccount(community, User(user)))
	}
	items, err := get(from, community, keys)
	if err != nil {
		return nil, fmt.Errorf("read purses: %w", err)
	}
	purses := make([]Purse, len(users))
	for i, item := range items {
		purses[i] = Purse{User: users[i], Balance: firstChips}
		if item.Rev == 0 {
			continue
		}
		if purses[i], err = decodePurse(item.Key, item.Value); err != nil {
			return nil, err
		}
		purses[i].User = users[i]
	}
	return purses, nil
}

// Ahead asks a store that is far away at one go for what postings at a table read, where these are the users who may be in one.
func Ahead(ctx context.Context, s storage.Store, community, table string, users []int64) error {
	keys := []string{keyTable(community, table), keyRich(community)}
	for _, user := range users {
		keys = append(keys, keyAccount(community, User(user)))
	}
	if _, err := storage.Ahead(ctx, s, keys...); err != nil {
		return fmt.Errorf("read purses: %w", err)
	}
	return nil
}

// Held returns what lies at a table, by owner, each more than zero; nil if nothing does.
func (l Ledger) Held(table string) (map[Account]int64, error) {
	if !isTableName(table) {
		return nil, fmt.Errorf("%q is no table", table)
	}
	items, err := l.get([]string{keyTable(l.Community, table)})
	if err != nil {
		return nil, fmt.Errorf("read the chips at table %s: %w", table, err)
	}
	if items[0].Rev == 0 {
		return nil, nil
	}
	return decodeHeld(items[0].Key, items[0].Value)
}

// get is Tx.Get, for a community that can be part of a key.
func (l Ledger) get(keys []string) ([]storage.Item, error) { return get(l.Tx, l.Community, keys) }

func get(from storage.Getter, community string, keys []string) ([]storage.Item, error) {
	if community == "" || strings.Contains(community, "/") {
		return nil, fmt.Errorf("%q is no community", community)
	}
	return from.Get(keys...)
}
