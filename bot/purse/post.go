package purse

import (
	"fmt"
	"maps"
	"slices"

	"zevaka/storage"
)

// Post makes a posting: the legs, which sum to zero, move the chips. Several legs of one account count as one; when
// nothing is left to move, nothing is posted. Posted is false when there is a posting of that ID already: it stays as
// it is, and that it moves the same chips for the same reason is checked.
//
// The ID is chosen so that the same cause has the same ID however often its request runs, as Cause.ID; at most 128
// bytes, not beginning with "open/". A purse that doesn't hold enough is refused with Short. An account at a table that
// doesn't is a fault, and so is everything else.
//
// A posting reads and writes its own key, one key for each table in it, one for the house if that is in it, and two for
// each user; opening a purse on the way costs two more, and the house's. It reads the list of the richest, too, and
// writes it where somebody becomes one of them.
func (l Ledger) Post(id string, c Cause, legs ...Leg) (posted bool, err error) {
	p, err := newPosting(id, c, legs)
	if err != nil {
		return false, err
	}
	accounts := make([]Account, len(p.Legs))
	for i, leg := range p.Legs {
		accounts[i] = leg.Account
	}
	s := l.sheet()
	stored, err := s.read(keyPosting(l.Community, id), accounts)
	if err != nil {
		return false, err
	}
	if stored.Rev != 0 {
		was, err := decodePosting(stored.Key, stored.Value)
		if err != nil || !was.same(p) {
			return false, otherPosting(stored.Key, err)
		}
		return false, nil
	}
	if len(p.Legs) == 0 {
		return false, nil
	}
	if err := s.open(); err != nil {
		return false, err
	}
	if err := s.apply(p); err != nil {
		return false, err
	}
	return true, s.write()
}

// otherPosting is the fault of a posting whose ID has another one, or one that can't be read.
func otherPosting(key string, err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("posting %s was made before, and moved other chips", key)
}

// Refund makes a posting that gives back all that lies at the table c.Table to those for whom it lies there. Posted is
// false when nothing lies there. The ID is like that of Post.
func (l Ledger) Refund(id string, c Cause) (posted bool, err error) {
	held, err := l.Held(c.Table)
	if err != nil || len(held) == 0 {
		return false, err
	}
	var legs []Leg
	for owner, amount := range held {
		legs = append(legs, Leg{Account: At(c.Table, owner), Amount: -amount}, Leg{Account: owner, Amount: amount})
	}
	return l.Post(id, c, legs...)
}

// sheet is what a method of the ledger works on: the accounts as they were read, and what happens to them. Nothing is
// put before write.
type sheet struct {
	ledger Ledger
	// purses are the accounts of users and the house, tables what lies at tables, by owner.
	purses map[Account]*Purse
	tables map[string]map[Account]int64
	// postings were applied, and lines are those that they add to histories, by key.
	postings []posting
	lines    map[string]Line
	// rich is the list of the richest, nil where there is none; looked says that it was read, risen that it has changed.
	rich          *rich
	looked, risen bool
}

func (l Ledger) sheet() *sheet {
	return &sheet{ledger: l, purses: map[Account]*Purse{}, tables: map[string]map[Account]int64{}, lines: map[string]Line{}}
}

// read reads accounts and, if it is not empty, one more key with one Get. A purse that is not there is nil.
func (s *sheet) read(more string, accounts []Account) (storage.Item, error) {
	community := s.ledger.Community
	var keys []string
	for _, a := range accounts {
		if !a.valid() {
			return storage.Item{}, fmt.Errorf("%q is no account", a)
		}
		if table, _, ok := a.Table(); ok {
			keys = append(keys, keyTable(community, table))
		} else {
			keys = append(keys, keyAccount(community, a))
		}
	}
	if more != "" {
		keys = append(keys, more)
	}
	look := !s.looked && slices.ContainsFunc(accounts, func(a Account) bool { _, ok := a.User(); return ok })
	if look {
		keys = append(keys, keyRich(community))
	}
	items, err := s.ledger.get(keys)
	if err != nil {
		return storage.Item{}, fmt.Errorf("read accounts: %w", err)
	}
	if look {
		if s.rich, err = decodeRich(items[len(items)-1]); err != nil {
			return storage.Item{}, err
		}
		s.looked = true
	}
	for i, a := range accounts {
		if err := s.keep(a, items[i]); err != nil {
			return storage.Item{}, err
		}
	}
	if more == "" {
		return storage.Item{}, nil
	}
	return items[len(accounts)], nil
}

// keep takes an account as it was read.
func (s *sheet) keep(a Account, item storage.Item) (err error) {
	if table, _, ok := a.Table(); ok {
		held := map[Account]int64{}
		if item.Rev != 0 {
			held, err = decodeHeld(item.Key, item.Value)
		}
		s.tables[table] = held
		return err
	}
	if item.Rev == 0 {
		s.purses[a] = nil
		return nil
	}
	p, err := decodePurse(item.Key, item.Value)
	p.User, _ = a.User()
	s.purses[a] = &p
	return err
}

// openID begins the ID of the posting that opens a purse.
const openID = "open/"

// open opens the purses that were read and are not there. That the purse is not there is the condition of its opening;
// the posting is not looked for, since what is read later may be of a later moment.
func (s *sheet) open() error {
	for _, a := range slices.Sorted(maps.Keys(s.purses)) {
		if s.purses[a] != nil {
			continue
		}
		s.purses[a] = &Purse{}
		user, ok := a.User()
		if !ok {
			continue
		}
		s.purses[a].User = user
		if s.purses[House] == nil {
			if _, err := s.read("", []Account{House}); err != nil {
				return err
			}
		}
		if s.purses[House] == nil {
			s.purses[House] = &Purse{}
			if s.rich == nil { // It is the community's first purse.
				s.rich, s.risen = &rich{Floor: -1}, true
			}
		}
		p, err := newPosting(openID+string(a), Cause{Kind: KindOpen}, []Leg{{Account: House, Amount: -firstChips}, {Account: a, Amount: firstChips}})
		if err != nil {
			return err
		}
		if err := s.apply(p); err != nil {
			return err
		}
	}
	return nil
}

// apply makes a posting on the sheet.
func (s *sheet) apply(p posting) error {
	p.Legs, p.Time = slices.Clone(p.Legs), s.ledger.Now
	for i, leg := range p.Legs {
		if _, _, ok := leg.Account.Table(); ok {
			if err := s.lay(p.id, leg); err != nil {
				return err
			}
			continue
		}
		purse := s.purses[leg.Account]
		sum := purse.Balance + leg.Amount
		user, isUser := leg.Account.User()
		if sum < 0 && isUser {
			return Short{User: user, Has: purse.Balance, Lacks: -sum}
		}
		if leg.Account == House && p.Kind == KindGrant && sum < -maxGranted {
			return ErrAmount
		}
		if s.ledger.WonOnly && p.Kind == KindGift && -leg.Amount > purse.Won() {
			return Unwon{Has: purse.Won()}
		}
		if sum > maxBalance || sum < -maxBalance {
			return fmt.Errorf("posting %s: account %s can't hold %d", p.id, leg.Account, sum)
		}
		purse.Balance = sum
		if isUser && leg.Amount > 0 && (p.Kind == KindDaily || p.Kind == KindGrant) {
			purse.Given = min(purse.Given+leg.Amount, maxBalance)
		}
		purse.Entries++
		p.Legs[i].N = purse.Entries
		if isUser {
			line := p.line(p.Legs[i])
			line.Balance = sum
			s.lines[keyLine(s.ledger.Community, leg.Account, line.N)] = line
		}
	}
	s.postings = append(s.postings, p)
	return nil
}

// lay changes what lies at a table for somebody.
func (s *sheet) lay(id string, leg Leg) error {
	table, owner, _ := leg.Account.Table()
	sum := s.tables[table][owner] + leg.Amount
	switch {
	case sum < 0 || sum > MaxAmount:
		return fmt.Errorf("posting %s: account %s can't hold %d", id, leg.Account, sum)
	case sum == 0:
		delete(s.tables[table], owner)
	default:
		s.tables[table][owner] = sum
	}
	return nil
}

// write puts the sheet into the transaction.
func (s *sheet) write() error {
	community := s.ledger.Community
	values := map[string]any{}
	for _, p := range s.postings {
		values[keyPosting(community, p.id)] = p
	}
	for key, line := range s.lines {
		values[key] = line
	}
	for a, p := range s.purses {
		values[keyAccount(community, a)] = p
	}
	for table, held := range s.tables {
		values[keyTable(community, table)] = held
		if len(held) == 0 {
			values[keyTable(community, table)] = nil
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if values[key] == nil {
			s.ledger.Tx.Delete(key)
			continue
		}
		if err := storage.PutJSON(s.ledger.Tx, key, values[key]); err != nil {
			return err
		}
	}
	return s.enrich()
}

// enrich lists those who have become rich.
func (s *sheet) enrich() error {
	for a, p := range s.purses {
		if _, ok := a.User(); ok && s.rich != nil && s.rich.rise(*p) {
			s.risen = true
		}
	}
	if !s.risen {
		return nil
	}
	return s.rich.put(s.ledger.Tx, keyRich(s.ledger.Community))
}
