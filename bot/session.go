package bot

import (
	"fmt"
	"math"
	"slices"

	"zevaka/engine"
)

// session is a chain of deals that people play one after the other, each at a table of its own, as far as it has come.
// The last table has it whole.
type session struct {
	// Deal is the number of the deal, from 1, and Began when the first one was agreed on, in seconds since 1970, UTC.
	Deal  int   `json:"deal"`
	Began int64 `json:"began"`
	// Rounds is how often everybody is to hold the bank.
	Rounds int `json:"rounds"`
	// People are all who have played, in order of sitting down.
	People []player `json:"people,omitempty"`
}

// player is one person's part in a session.
type player struct {
	User int64  `json:"user"`
	Name string `json:"name"`
	// Held is how often the person has held the bank, and Best the best that a bank of theirs came to.
	Held int   `json:"held,omitempty"`
	Best int64 `json:"best,omitempty"`
	// Net is what the person has won so far, in kopecks.
	Net int64 `json:"net"`
	// Removed says that somebody else took the person from the table, and that they may not come back.
	Removed bool `json:"removed,omitempty"`
	// N is which of the person's sessions this is, from 1; 0 as long as it goes on.
	N int `json:"n,omitempty"`
}

const (
	// maxRounds is how often everybody can be asked to hold the bank in one session.
	maxRounds = 5
	// maxPeople is how many people can sit down in one session. What it has brought each of them is recorded in the one
	// transaction that ends it.
	maxPeople = 50
)

// begin begins a session with the table's deal: everybody must be able to hold the bank, and the first banker lays it
// out.
func (v *visit) begin() error {
	t := v.table
	t.Session = &session{Deal: 1, Began: v.bot.now().Unix(), Rounds: max(t.Rounds, 1)}
	chips, err := v.firstChips()
	if err != nil {
		return err
	}
	balances, err := v.balances(t.Chairs)
	if err != nil {
		return err
	}
	for i, c := range t.Chairs {
		if balances[i] < chips.Bank {
			return refuse(string(errPoor), blanks{"who": c.Name, "n": int(chips.Bank)})
		}
	}
	return v.pay(chipsBank, chips)
}

// add counts a deal: who sat there and what it has brought them. Played says that it was played to its end.
func (s *session) add(chairs []chair, net []int64, played bool) {
	s.People = slices.Clone(s.People)
	for i, c := range chairs {
		n := slices.IndexFunc(s.People, func(p player) bool { return p.User == c.User })
		if n < 0 {
			n = len(s.People)
			s.People = append(s.People, player{User: c.User, Name: c.Name})
		}
		p := &s.People[n]
		p.Net += net[i]
		p.Removed = c.Removed
		if i == 0 && played {
			p.Held++
			p.Best = max(p.Best, net[i])
		}
	}
}

// held is how often the user has held the bank.
func (s *session) held(user int64) int { return s.person(user).Held }

// person is the user's part in the session; that of nobody if the user has none.
func (s *session) person(user int64) player {
	for _, p := range s.People {
		if p.User == user {
			return p
		}
	}
	return player{}
}

// admits says why the user can't sit down with the next deal of the table's session; nil if they can.
func (t *table) admits(user int64) error {
	s := t.Session
	if s == nil {
		return nil
	}
	known := map[int64]bool{user: true}
	for _, c := range slices.Concat(t.Chairs, t.Waiting) {
		known[c.User] = true
	}
	for _, p := range s.People {
		known[p.User] = true
	}
	switch {
	case s.person(user).Removed:
		return errRemoved
	case len(known) > maxPeople:
		return errFull
	}
	return nil
}

// isOver reports whether those who would play on have all held the bank as often as was agreed.
func (s *session) isOver(chairs []chair) bool {
	return !slices.ContainsFunc(chairs, func(c chair) bool { return s.held(c.User) < s.Rounds })
}

// closeBooks settles what the end of a deal means for chips, for its session and for the scores.
func (v *visit) closeBooks() error {
	if v.rules.Info().Banker {
		if err := v.closeBank(); err != nil {
			return err
		}
	}
	if err := v.tellAside(); err != nil {
		return err
	}
	return v.record()
}

// closeBank ends a deal's part in its session: chips go back that were not played for, the deal is counted, and the next
// one gets its table, unless that was the last.
func (v *visit) closeBank() error {
	t := v.table
	if t.Chips == nil {
		return nil // Nothing was laid out yet.
	}
	if t.Result == nil {
		if err := v.refund(); err != nil {
			return err
		}
	}
	s := *t.Session
	s.add(t.Chairs, t.Chips.Seats, t.Result != nil)
	t.Session = &s
	if t.Result == nil {
		return nil
	}
	return v.follow()
}

// follow makes the table of the session's next deal, in the same transaction that ends this one.
func (v *visit) follow() error {
	t := v.table
	people := slices.Concat(t.Chairs, t.Waiting)
	setup, more, err := v.nextSetup(people)
	if err != nil || !more {
		return err
	}
	var chairs []chair
	for _, seat := range setup.Order {
		c := people[seat]
		chairs = append(chairs, chair{User: c.User, Name: c.Name, Lang: c.Lang, Missed: c.Missed})
	}
	if t.Session.isOver(chairs) {
		return nil
	}
	v.next = v.nextTable(chairs)
	then := &visit{bot: v.bot, tx: v.tx, req: v.req, table: v.next, rules: v.rules, key: keyOpen(v.next.id), now: v.now}
	chips, err := then.firstChips()
	if err == nil {
		err = then.pay(chipsBank, chips)
	}
	if err == nil {
		err = then.save()
	}
	if err != nil {
		return err
	}
	t.Next = v.next.id.Name
	return v.list(v.next)
}

// nextSetup asks the rules who of the people plays the next deal, and where. It looks into no more purses than it must,
// since others play with them elsewhere: those of people who have only now sat down, of punters who couldn't pay, and of
// whoever is to hold the bank. Whether the others can pay shows when it is their turn.
func (v *visit) nextSetup(people []chair) (engine.Setup, bool, error) {
	t := v.table
	const unknown = math.MaxInt64
	standings := make([]engine.Standing, len(people))
	look := func(i int) error {
		balances, err := v.balances(people[i : i+1])
		if err == nil {
			standings[i].Chips = balances[0]
		}
		return err
	}
	for i, c := range people {
		standings[i] = engine.Standing{Stays: !c.Left && !c.Away, Chips: unknown}
		if standings[i].Stays && (c.Out || i >= len(t.Chairs)) {
			if err := look(i); err != nil {
				return engine.Setup{}, false, err
			}
		}
	}
	for {
		setup, more := v.rules.Next(t.setup(), *t.Result, standings)
		if !more {
			return setup, false, nil
		}
		banker := int(setup.Order[0])
		if standings[banker].Chips != unknown {
			return setup, true, nil
		}
		if err := look(banker); err != nil {
			return setup, false, err
		}
	}
}

// nextTable is the table of the session's next deal, where the chairs' people wait for the cut.
func (v *visit) nextTable(chairs []chair) *table {
	t, s := v.table, *v.table.Session
	s.Deal++
	next := &table{
		id: tableID{t.id.Community, tableName("next " + t.id.Name)}, Format: tableFormat, Phase: cutting, Place: t.Place,
		Lang: t.Lang, Game: t.Game, Rev: t.Rev, Options: t.Options, Limit: t.Limit, Rounds: t.Rounds, looks: t.looks,
		Host: t.Host, Chairs: chairs, Draw: t.Draw, Seed: v.bot.seed(), Ledger: t.Ledger, Session: &s,
		Opened: v.bot.now().Unix(), Ends: v.now + cutTime, Cutter: cutter(chairs, true),
	}
	if _, seated := next.seatOf(next.Host); !seated {
		next.Host = next.nextHost(0)
	}
	return next
}

// list puts a table on its place's list.
func (v *visit) list(t *table) error {
	record, err := getPlace(v.tx, t.Place)
	if err != nil {
		return err
	}
	record.Tables = append(slices.Clone(record.Tables), t.id.Name)
	if err := putPlace(v.tx, t.Place, record); err != nil {
		return fmt.Errorf("list table %s: %w", t.id, err)
	}
	return nil
}
