package purse

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"zevaka/bot/keyspace"
)

// Cause says why chips moved.
type Cause struct {
	// Kind is one word, as "stake".
	Kind string `json:"kind"`
	// Table is the table's name, Deal the number of the deal there and Move that of the move, both from 1; empty and 0
	// where the chips moved elsewhere.
	Table string `json:"table,omitempty"`
	Deal  int    `json:"deal,omitempty"`
	Move  int    `json:"move,omitempty"`
}

// ID is the ID of a posting at a table: one for each move of each deal, and always the same.
func (c Cause) ID() string { return fmt.Sprintf("%s/%d/%d", c.Table, c.Deal, c.Move) }

// Leg is one side of a posting: the account gains the amount, or loses it if the amount is below zero.
type Leg struct {
	Account Account `json:"account"`
	Amount  int64   `json:"amount"`
	// N is which posting of its account this is, from 1; 0 for an account at a table, and in a leg yet to be posted.
	N int64 `json:"n,omitempty"`
}

// posting is a posting as it is stored, but for its ID, which is in its key. The legs are in order of account, one for
// each, and sum to zero.
type posting struct {
	Cause
	id   string
	Time int64 `json:"time"`
	Legs []Leg `json:"legs"`
}

// Line is one line of a user's history: a posting as their purse saw it.
type Line struct {
	// N is which posting of the purse this is, from 1.
	N int64 `json:"-"`
	// ID is the posting's.
	ID string `json:"id"`
	Cause
	// With is the other user in a gift; 0 elsewhere.
	With   int64 `json:"with,omitempty"`
	Amount int64 `json:"amount"`
	// Balance is that after the posting.
	Balance int64 `json:"balance"`
	Time    int64 `json:"time"`
}

// keyAccount is where a purse or the house lies, keyTable where all accounts at a table do, keyPosting where a posting
// lies for ever, and keyLine the n-th line of a user's history, the newest first.
func keyAccount(community string, a Account) string {
	return keyspace.Accounts + community + "/" + string(a)
}
func keyTable(community, table string) string { return keyspace.Accounts + community + "/t" + table }
func keyPosting(community, id string) string  { return keyspace.Postings + community + "/" + id }
func keyLine(community string, user Account, n int64) string {
	return fmt.Sprintf("%s%0*d", linesOf(community, user), lineDigits, lastLine-n)
}

// linesOf begins the keys of a user's history.
func linesOf(community string, user Account) string {
	return keyspace.History + community + "/" + string(user) + "/"
}

// lineDigits are the digits of a line's number in its key, counted down from lastLine.
const (
	lineDigits = 12
	lastLine   = 999_999_999_999
)

// lineNumber is the number of the line that lies under the key.
func lineNumber(key string) (int64, error) {
	digits := key[strings.LastIndex(key, "/")+1:]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(digits) != lineDigits || n < 0 || n >= lastLine {
		return 0, fmt.Errorf("decode %s: no line of history has this key", key)
	}
	return lastLine - n, nil
}

// maxBalance bounds every balance, so that sums never overflow.
const maxBalance = 1 << 60

// maxGranted is what the house's account may fall to by grants: there are never so many chips that a purse could hold no more of them, so
// no table and no gift meets maxBalance.
const maxGranted = maxBalance / 2

func decodePurse(key string, value []byte) (Purse, error) {
	var p Purse
	if err := json.Unmarshal(value, &p); err != nil {
		return Purse{}, fmt.Errorf("decode %s: %w", key, err)
	}
	if p.Balance < -maxBalance || p.Balance > maxBalance || p.Entries < 1 || p.Entries >= lastLine || p.Streak < 0 || p.Given < 0 || p.Given > maxBalance {
		return Purse{}, fmt.Errorf("decode %s: no account is like that", key)
	}
	return p, nil
}

func decodeHeld(key string, value []byte) (map[Account]int64, error) {
	var held map[Account]int64
	if err := json.Unmarshal(value, &held); err != nil {
		return nil, fmt.Errorf("decode %s: %w", key, err)
	}
	for owner, amount := range held {
		if _, user := owner.User(); !user && owner != House || amount <= 0 || amount > MaxAmount {
			return nil, fmt.Errorf("decode %s: %d can't lie there for %s", key, amount, owner)
		}
	}
	if len(held) == 0 {
		return nil, fmt.Errorf("decode %s: nothing lies there", key)
	}
	return held, nil
}

func decodePosting(key string, value []byte) (posting, error) {
	var p posting
	if err := json.Unmarshal(value, &p); err != nil {
		return posting{}, fmt.Errorf("decode %s: %w", key, err)
	}
	p.id = strings.SplitN(key, "/", 3)[2]
	before, sum := Account(""), int64(0)
	for _, leg := range p.Legs {
		_, _, table := leg.Account.Table()
		if !leg.Account.valid() || leg.Account <= before || leg.Amount == 0 || table != (leg.N == 0) || leg.N < 0 {
			return posting{}, fmt.Errorf("decode %s: the leg of %s is not right", key, leg.Account)
		}
		if leg.Amount < -MaxAmount || leg.Amount > MaxAmount {
			return posting{}, fmt.Errorf("decode %s: %d is too much for %s", key, leg.Amount, leg.Account)
		}
		before, sum = leg.Account, sum+leg.Amount
	}
	if sum != 0 || len(p.Legs) == 0 {
		return posting{}, fmt.Errorf("decode %s: %d legs sum to %d", key, len(p.Legs), sum)
	}
	return p, nil
}

func decodeLine(key string, value []byte) (Line, error) {
	n, err := lineNumber(key)
	if err != nil {
		return Line{}, err
	}
	line := Line{N: n}
	if err := json.Unmarshal(value, &line); err != nil {
		return Line{}, fmt.Errorf("decode %s: %w", key, err)
	}
	return line, nil
}

// newPosting checks a posting and gives it the form in which it is stored: legs of the same account are made one, and
// those of nothing are left out.
func newPosting(id string, c Cause, legs []Leg) (posting, error) {
	p := posting{Cause: c, id: id}
	reserved := strings.HasPrefix(id, openID) != (c.Kind == KindOpen)
	if id == "" || len(id) > maxID || !utf8.ValidString(id) || c.Kind == "" || reserved {
		return p, fmt.Errorf("%q is no ID for a posting of kind %q", id, c.Kind)
	}
	sums, total := map[Account]int64{}, int64(0)
	for _, leg := range legs {
		if !leg.Account.valid() || leg.Amount < -MaxAmount || leg.Amount > MaxAmount {
			return p, fmt.Errorf("posting %s: account %q can't get %d", id, leg.Account, leg.Amount)
		}
		sums[leg.Account] += leg.Amount
		total += leg.Amount
	}
	if total != 0 {
		return p, fmt.Errorf("posting %s: its legs sum to %d", id, total)
	}
	for account, sum := range sums {
		if sum < -MaxAmount || sum > MaxAmount {
			return p, fmt.Errorf("posting %s: account %q can't get %d", id, account, sum)
		}
		if sum != 0 {
			p.Legs = append(p.Legs, Leg{Account: account, Amount: sum})
		}
	}
	slices.SortFunc(p.Legs, func(a, b Leg) int { return strings.Compare(string(a.Account), string(b.Account)) })
	return p, nil
}

// maxID is how many bytes a posting's ID may have.
const maxID = 128

// same reports whether two postings move the same chips for the same reason.
func (p posting) same(q posting) bool {
	return p.Cause == q.Cause && slices.EqualFunc(p.Legs, q.Legs, func(a, b Leg) bool {
		return a.Account == b.Account && a.Amount == b.Amount
	})
}

// line is the line of history that the posting makes for the account of one of its legs, but for the balance.
func (p posting) line(leg Leg) Line {
	line := Line{N: leg.N, ID: p.id, Cause: p.Cause, Amount: leg.Amount, Time: p.Time}
	if len(p.Legs) != 2 {
		return line
	}
	other := p.Legs[0].Account
	if other == leg.Account {
		other = p.Legs[1].Account
	}
	line.With, _ = other.User()
	return line
}
