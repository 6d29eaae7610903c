package upkeep

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// Audited is what an audit has read.
type Audited struct {
	purse.Totals
	// Tables are those with chips. Older are how many of them were dealt by rules that have changed since: their moves
	// can't be made again, so the ledger was compared with what they had stored of their chips.
	Tables, Older int
}

// Audit works out every balance again from the ledger, and every settlement from the moves of its table, and reports
// what doesn't agree. The error is one of the store.
func (a *Archive) Audit(ctx context.Context, report func(purse.Problem)) (Audited, error) {
	var all Audited
	var err error
	if all.Totals, err = purse.Audit(ctx, a.store, report); err != nil {
		return all, err
	}
	err = a.items(ctx, func(key string, t *table.Table, rules engine.Rules, err error) error {
		one := tableAudit{archive: a, table: t, rules: rules, key: key, report: report}
		switch {
		case err != nil:
			one.problem(key, "%v", err)
			return nil
		case !t.Wagered():
			return nil
		case t.Rev != rules.Info().Rev:
			all.Older++
		}
		all.Tables++
		return one.run(ctx)
	})
	if err != nil {
		return all, err
	}
	if err := a.lost(ctx, report); err != nil {
		return all, err
	}
	return all, a.auditIndex(ctx, report)
}

// tableAudit is the audit of one table with chips.
type tableAudit struct {
	archive *Archive
	table   *table.Table
	rules   engine.Rules
	key     string
	report  func(purse.Problem)
	// settled are the postings not yet looked at, posted what the others have brought to each user.
	settled []purse.Settlement
	posted  map[int64]int64
}

func (a *tableAudit) problem(key, format string, args ...any) {
	a.report(purse.Problem{Key: key, What: fmt.Sprintf(format, args...)})
}

// run compares the table's moves with what the ledger says of it, posting by posting.
func (a *tableAudit) run(ctx context.Context) (err error) {
	t := a.table
	book := purse.Book{Store: a.archive.store, Community: t.Origin()}
	if a.settled, err = book.AtTable(ctx, t.ID.Name); err != nil {
		return err
	}
	a.posted = map[int64]int64{}
	end := *t.Chips
	if t.Rev == a.rules.Info().Rev {
		if end, err = a.replay(ctx); err != nil {
			a.problem(a.key, "%v", err)
			return nil
		}
	}
	last := a.key
	for _, s := range a.settled {
		if t.Rev == a.rules.Info().Rev && (s.Kind != purse.KindRefund || t.Result != nil) {
			a.problem(s.Key, "it is said to be of move %d of table %s, which didn't make it", s.Move, t.ID)
		}
		a.add(s)
		last = s.Key
	}
	a.compare(last, end)
	return nil
}

// replay makes the moves again and compares the postings after each. It returns the chips as they should be stored now.
func (a *tableAudit) replay(ctx context.Context) (engine.Chips, error) {
	t := a.table
	r, err := a.archive.record(ctx, a.rules, t)
	if err != nil {
		return engine.Chips{}, err
	}
	var end engine.Chips
	over := false
	err = engine.Replay(a.rules, r, func(n int, _ string, st engine.State) error {
		for len(a.settled) > 0 && a.settled[0].Move == n && a.settled[0].Kind != purse.KindRefund {
			a.add(a.settled[0])
			a.compare(a.settled[0].Key, play.Laid(a.rules.Info(), st))
			a.settled = a.settled[1:]
		}
		if n == len(r.Moves) {
			end = play.Laid(a.rules.Info(), st)
			_, over = st.Result()
			a.prove(st)
		}
		return nil
	})
	if err != nil {
		return end, fmt.Errorf("replay the deal: %w", err)
	}
	if over != (t.Result != nil) {
		a.problem(a.key, "by its moves the deal is over: %t, as stored: %t", over, t.Result != nil)
	}
	if t.Phase == table.Ended {
		end = play.Broken(end)
	}
	if s := t.Chips; s.Bank != end.Bank || !slices.Equal(s.Seats, end.Seats) || !slices.Equal(s.Stakes, end.Stakes) {
		a.problem(a.key, "its chips are stored as %v, and by its moves they are %v", *s, end)
	}
	return end, nil
}

// prove looks whether people have done in the deal, which has come to this position, what the table says of them.
func (a *tableAudit) prove(st engine.State) {
	proved := *a.table
	proved.Note(st)
	for i, c := range a.table.Chairs {
		if c.Feats&^proved.Chairs[i].Feats != 0 {
			a.problem(a.key, "seat %d is said to have done %b, and by its moves has done %b", i, c.Feats, proved.Chairs[i].Feats)
		}
	}
}

// add counts a posting.
func (a *tableAudit) add(s purse.Settlement) {
	deal := 1
	if s := a.table.Session; s != nil {
		deal = s.Deal
	}
	if s.Deal != deal || s.Table != a.table.ID.Name {
		a.problem(s.Key, "it is said to be of deal %d at table %s", s.Deal, s.Table)
	}
	for user, amount := range s.Purses {
		a.posted[user] += amount
	}
}

// compare wants what was posted to be what the chips say.
func (a *tableAudit) compare(key string, chips engine.Chips) {
	sitting := map[int64]bool{}
	for i, c := range a.table.Chairs {
		sitting[c.User] = true
		want := chips.Seats[i] - chips.Stakes[i]
		if got := a.posted[c.User]; got != want {
			a.problem(key, "seat %d (%s) of table %s has %d by the moves, and %d by the ledger", i, c.Name, a.table.ID, want, got)
		}
	}
	for user, amount := range a.posted {
		if !sitting[user] && amount != 0 {
			a.problem(key, "user %d has %d by the ledger, and doesn't sit at table %s", user, amount, a.table.ID)
		}
	}
}

// lost reports tables that the ledger knows and that are not there.
func (a *Archive) lost(ctx context.Context, report func(purse.Problem)) error {
	names := map[string][]string{}
	for items, err := range storage.Pages(ctx, a.store, keyspace.Origins) {
		if err != nil {
			return fmt.Errorf("read the names of communities: %w", err)
		}
		for _, item := range items {
			origin := string(item.Value)
			names[origin] = append(names[origin], strings.TrimPrefix(item.Key, keyspace.Origins))
		}
	}
	return purse.Tables(ctx, a.store, func(community, at string) error {
		var keys []string
		for _, name := range append(names[community], community) {
			keys = append(keys, keyspace.Leftovers+name+"/"+at, keyspace.OpenTables+name+"/"+at, keyspace.EndedTables+name+"/"+at)
		}
		items, err := a.store.Get(ctx, keys...)
		if err != nil {
			return fmt.Errorf("look for table %s: %w", at, err)
		}
		if !slices.ContainsFunc(items, func(item storage.Item) bool { return item.Rev != 0 }) {
			report(purse.Problem{Key: keys[len(keys)-1], What: "chips have moved at this table, and it is missing"})
		}
		return nil
	})
}
