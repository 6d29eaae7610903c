package purse

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Problem is something that an audit found, with the key at which it shows, in words for the operator.
type Problem struct {
	Key  string
	What string
}

// String is the problem in one line.
func (p Problem) String() string { return p.Key + ": " + p.What }

// Totals are what an audit has read.
type Totals struct {
	Communities int
	Purses      int
	Postings    int
	Lines       int
	// Chips are all chips in purses, Laid those that lie at tables, and House is the sum of what the houses hold. The
	// three sum to zero.
	Chips int64
	Laid  int64
	House int64
}

// Audit works out every balance in the store from what is carried forward and the postings, and reports what doesn't
// agree: a posting that can't be read or doesn't sum to zero, an account that is not the sum of its postings, a line of history without its posting or
// a posting without its lines, a balance in a line that doesn't follow from the line before, a community whose accounts
// don't sum to zero, somebody rich who isn't listed so. Nothing else may write to the store meanwhile. It keeps the accounts of one community in memory,
// not its postings.
//
// The error is one of the store, or of ctx; then not everything was read.
func Audit(ctx context.Context, s storage.Store, report func(Problem)) (Totals, error) {
	a := &audit{ctx: ctx, store: s, report: report}
	community, ok, err := a.next("")
	for ok && err == nil {
		if err = a.run(community); err != nil {
			break
		}
		a.totals.Communities++
		// What begins with a community's text and "/" comes before the same text and "0".
		community, ok, err = a.next(community + "0")
	}
	if err != nil {
		return a.totals, fmt.Errorf("audit the purses: %w", err)
	}
	return a.totals, nil
}

// audit is an audit under way in one community after another.
type audit struct {
	ctx    context.Context
	store  storage.Store
	report func(Problem)
	totals Totals

	community string
	// forward is what all accounts carry forward together.
	forward int64
	// books are the accounts, as the postings make them and as they are stored.
	books map[Account]*book
	// last is the line of history read last, of lastOf.
	last   Line
	lastOf Account
}

// book is one account: the sum and the number of its postings, and what is stored of it.
type book struct {
	sum     int64
	entries int64
	stored  Purse
	found   bool
}

func (a *audit) problem(key, format string, args ...any) {
	a.report(Problem{key, fmt.Sprintf(format, args...)})
}

// next is the first community that has a key after the given end of one.
func (a *audit) next(after string) (community string, ok bool, err error) {
	for _, prefix := range []string{keyspace.Accounts, keyspace.Postings, keyspace.History, keyspace.CarriedChips} {
		from := ""
		if after != "" {
			from = prefix + after
		}
		items, err := a.store.Scan(a.ctx, prefix, from, 1)
		if err != nil {
			return "", false, err
		}
		if len(items) == 0 {
			continue
		}
		found, _, _ := strings.Cut(strings.TrimPrefix(items[0].Key, prefix), "/")
		if !ok || found+"/" < community+"/" {
			community, ok = found, true
		}
	}
	return community, ok, nil
}

// run audits one community.
func (a *audit) run(community string) error {
	a.community, a.forward, a.books, a.lastOf = community, 0, map[Account]*book{}, ""
	parts := []struct {
		prefix string
		each   func([]storage.Item) error
	}{{keyspace.CarriedChips, a.carried}, {keyspace.Postings, a.postings}, {keyspace.Accounts, a.accounts}, {keyspace.History, a.history}}
	for _, part := range parts {
		items, err := a.store.Get(a.ctx, part.prefix+community)
		if err != nil {
			return err
		}
		if items[0].Rev != 0 {
			a.problem(items[0].Key, "nothing of the ledger has this key")
		}
		for items, err := range storage.Pages(a.ctx, a.store, part.prefix+community+"/") {
			if err == nil {
				err = part.each(items)
			}
			if err != nil {
				return err
			}
		}
		switch {
		case part.prefix == keyspace.CarriedChips && a.forward != 0:
			a.problem(keyspace.CarriedChips+community+"/", "what is carried forward in the community sums to %d", a.forward)
		case part.prefix == keyspace.Accounts:
			a.balance()
			if err := a.rich(); err != nil {
				return err
			}
		}
	}
	return nil
}

// carried begins with what is carried forward of some accounts. That of all sums to zero.
func (a *audit) carried(items []storage.Item) error {
	prefix := keyspace.CarriedChips + a.community + "/"
	for _, item := range items {
		account := Account(strings.TrimPrefix(item.Key, prefix))
		c, err := decodeCarried(item.Key, item.Value)
		_, _, isTable := account.Table()
		if err == nil && (!account.valid() || isTable != (c.Entries == 0)) {
			err = fmt.Errorf("nothing of the ledger has this key")
		}
		if err != nil {
			a.problem(item.Key, "%v", err)
			continue
		}
		a.forward += c.Amount
		b := a.book(account)
		b.sum, b.entries = c.Amount, c.Entries
	}
	return nil
}

// postings adds up some postings and looks for their lines of history.
func (a *audit) postings(items []storage.Item) error {
	var keys []string
	var wanted []wantedLine
	for _, item := range items {
		p, err := decodePosting(item.Key, item.Value)
		if err != nil {
			a.problem(item.Key, "%v", err)
			continue
		}
		a.totals.Postings++
		for _, leg := range p.Legs {
			a.add(leg)
			if _, ok := leg.Account.User(); ok {
				keys = append(keys, keyLine(a.community, leg.Account, leg.N))
				wanted = append(wanted, wantedLine{posting: item.Key, line: p.line(leg)})
			}
		}
	}
	return a.getAll(keys, func(i int, item storage.Item) {
		if item.Rev == 0 {
			a.problem(wanted[i].posting, "its line of history %s is missing", item.Key)
			return
		}
		line, err := decodeLine(item.Key, item.Value)
		wanted[i].line.Balance = line.Balance
		if err == nil && line != wanted[i].line {
			a.problem(wanted[i].posting, "its line of history %s tells something else", item.Key)
		}
	})
}

// add counts a leg. An account at a table at which nothing lies is forgotten, as the ledger forgets it.
func (a *audit) add(leg Leg) {
	b := a.book(leg.Account)
	b.sum += leg.Amount
	b.entries++
	if _, _, ok := leg.Account.Table(); ok && b.sum == 0 {
		delete(a.books, leg.Account)
	}
}

// wantedLine is a line that the posting under that key must have.
type wantedLine struct {
	posting string
	line    Line
}

func (a *audit) book(account Account) *book {
	b := a.books[account]
	if b == nil {
		b = &book{}
		a.books[account] = b
	}
	return b
}

// accounts takes down some accounts as they are stored.
func (a *audit) accounts(items []storage.Item) error {
	prefix := keyspace.Accounts + a.community + "/"
	for _, item := range items {
		account := Account(strings.TrimPrefix(item.Key, prefix))
		user, isUser := account.User()
		table, isTable := strings.CutPrefix(string(account), "t")
		switch {
		case isUser || account == House:
			p, err := decodePurse(item.Key, item.Value)
			if err != nil {
				a.problem(item.Key, "%v", err)
			}
			p.User = user
			b := a.book(account)
			b.stored, b.found = p, true
		case isTable && isTableName(table):
			held, err := decodeHeld(item.Key, item.Value)
			if err != nil {
				a.problem(item.Key, "%v", err)
			}
			for owner, amount := range held {
				b := a.book(At(table, owner))
				b.stored.Balance, b.found = amount, true
			}
		default:
			a.problem(item.Key, "nothing of the ledger has this key")
		}
	}
	return nil
}

// balance compares the accounts of the community with its postings.
func (a *audit) balance() {
	total := int64(0)
	for _, account := range slices.Sorted(maps.Keys(a.books)) {
		b := a.books[account]
		table, _, isTable := account.Table()
		key := keyAccount(a.community, account)
		if isTable {
			key = keyTable(a.community, table)
		}
		switch {
		case !b.found && !isTable:
			a.problem(key, "it is missing; its %d postings sum to %d", b.entries, b.sum)
		case b.stored.Balance != b.sum:
			a.problem(key, "%s holds %d, but its %d postings sum to %d", account, b.stored.Balance, b.entries, b.sum)
		case !isTable && b.stored.Entries != b.entries:
			a.problem(key, "it counts %d postings, but there are %d", b.stored.Entries, b.entries)
		}
		total += b.stored.Balance
		switch {
		case isTable:
			a.totals.Laid += b.stored.Balance
		case account == House:
			a.totals.House += b.stored.Balance
		case b.found:
			a.totals.Purses++
			a.totals.Chips += b.stored.Balance
		}
	}
	if total != 0 {
		a.problem(keyspace.Accounts+a.community+"/", "the accounts of the community sum to %d", total)
	}
}

// rich looks for somebody who is missing from the list of the richest.
func (a *audit) rich() error {
	items, err := a.store.Get(a.ctx, keyRich(a.community))
	if err != nil {
		return err
	}
	r, err := decodeRich(items[0])
	if err != nil {
		a.problem(items[0].Key, "%v", err)
	}
	if err != nil || r == nil || r.Making {
		return nil
	}
	for _, account := range slices.Sorted(maps.Keys(a.books)) {
		_, ok := account.User()
		if b := a.books[account]; ok && b.found && r.rise(b.stored) {
			a.problem(items[0].Key, "%s holds %d and isn't listed", account, b.stored.Balance)
		}
	}
	return nil
}

// history compares some lines with their postings, and each balance with the next.
func (a *audit) history(items []storage.Item) error {
	var keys []string
	var lines []Line
	var of []Account
	for _, item := range items {
		text, _, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.History+a.community+"/"), "/")
		account := Account(text)
		line, err := decodeLine(item.Key, item.Value)
		if _, ok := account.User(); err == nil && (!ok || keyLine(a.community, account, line.N) != item.Key) {
			err = fmt.Errorf("nothing of the ledger has this key")
		}
		if err != nil {
			a.problem(item.Key, "%v", err)
			continue
		}
		a.totals.Lines++
		a.follow(item.Key, account, line)
		if line.ID == "" || len(line.ID) > maxID {
			a.problem(item.Key, "no posting has the ID %.40q", line.ID)
			continue
		}
		keys, lines, of = append(keys, keyPosting(a.community, line.ID)), append(lines, line), append(of, account)
	}
	return a.getAll(keys, func(i int, item storage.Item) {
		if item.Rev != 0 {
			p, err := decodePosting(item.Key, item.Value)
			if err != nil {
				return // It was reported as a posting.
			}
			for _, leg := range p.Legs {
				if leg.Account == of[i] && leg.N == lines[i].N {
					return
				}
			}
		}
		a.problem(keyLine(a.community, of[i], lines[i].N), "its posting %s is not there", item.Key)
	})
}

// follow checks the balance in a line against the line after it, or the account. The newest comes first.
func (a *audit) follow(key string, account Account, line Line) {
	b := a.book(account)
	switch {
	case a.lastOf == account && a.last.N == line.N+1 && a.last.Balance-a.last.Amount != line.Balance:
		a.problem(key, "it ends with %d, but the next begins with %d", line.Balance, a.last.Balance-a.last.Amount)
	case line.N == b.stored.Entries && line.Balance != b.stored.Balance:
		a.problem(key, "it ends with %d, but the account holds %d", line.Balance, b.stored.Balance)
	case line.N == 1 && line.Balance != line.Amount:
		a.problem(key, "it is the first and ends with %d, not %d", line.Balance, line.Amount)
	}
	a.last, a.lastOf = line, account
}

// getAll gets any number of keys and calls each with their items, in order.
func (a *audit) getAll(keys []string, each func(i int, item storage.Item)) error {
	for first := 0; first < len(keys); first += storage.MaxKeys {
		items, err := a.store.Get(a.ctx, keys[first:min(first+storage.MaxKeys, len(keys))]...)
		if err != nil {
			return err
		}
		for i, item := range items {
			each(first+i, item)
		}
	}
	return nil
}
