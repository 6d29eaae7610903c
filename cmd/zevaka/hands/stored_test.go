//go:build faults

package hands

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
)

// made is a move in the log of a table, by somebody.
type made struct {
	user int64
	do   string
	// at is how many moves the log had with it.
	at int
}

// stored is what the store has of one table in the end.
type stored struct {
	level uint64
	log   []made
}

// findings are what came of the comparison.
type findings struct {
	// moves are those that people were told to count.
	moves, lost, doubled int
	drift                int64
	// histories were checked, of tables and purses.
	tables, purses int
	problems       []string
}

func (f *findings) problem(format string, args ...any) {
	const most = 1000
	if len(f.problems) < most {
		f.problems = append(f.problems, fmt.Sprintf(format, args...))
	}
}

// checker compares what people did and saw with what is stored.
type checker struct {
	*history
	store storage.Store
	findings
	tables map[string]stored
	// makers are the presses that made moves, by table and number of the move.
	makers map[string]map[int]*press
}

// newChecker reads the tables.
func newChecker(t *testing.T, h *history, store storage.Store) *checker {
	t.Helper()
	c := &checker{history: h, store: store, tables: map[string]stored{}, makers: map[string]map[int]*press{}}
	err := upkeep.NewArchive(store, games.All()).Each(t.Context(), func(_ string, t *table.Table, rules engine.Rules) error {
		texts, err := table.ReadLine(context.Background(), store, t)
		if err != nil {
			return err
		}
		one := stored{level: t.Level}
		for i, text := range texts {
			step, err := engine.ParseStep(rules, text)
			if err != nil {
				return err
			}
			if do := rules.Text(step.Move); step.Seat != engine.Nobody {
				one.log = append(one.log, made{t.Chairs[step.Seat].User, do, i + 1})
			}
		}
		c.tables[t.ID.String()] = one
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// check is all of it.
func (c *checker) check(t *testing.T) findings {
	t.Helper()
	for _, one := range slices.Concat(c.torn, c.mute) {
		c.problem("%s", one)
	}
	c.logs()
	c.histories()
	if err := c.books(t.Context()); err != nil {
		t.Fatal(err)
	}
	totals, err := upkeep.NewArchive(c.store, games.All()).Audit(t.Context(), func(p purse.Problem) {
		c.drift++
		c.problem("the audit: %s", p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if sum := totals.Chips + totals.Laid + totals.House; sum != 0 {
		c.drift += max(sum, -sum)
		c.problem("the sum of all accounts is %d", sum)
	}
	return c.findings
}

// logs wants the log of each table to be the presses that people were told to count, in their order, each once, and nothing else.
func (c *checker) logs() {
	of := map[string][]*press{}
	for _, p := range c.presses {
		if p.do[0] != '!' && p.verdict != refused {
			of[p.table] = append(of[p.table], p)
		}
		if p.verdict == counted && c.tables[p.table].level == 0 {
			c.problem("%q at %s counted, and there is no such table", p.do, p.table)
		}
	}
	for name, one := range c.tables {
		c.log(name, one.log, of[name])
	}
}

func (c *checker) log(name string, log []made, presses []*press) {
	slices.SortFunc(presses, func(a, b *press) int { return cmp.Or(cmp.Compare(a.epoch, b.epoch), cmp.Compare(a.call, b.call)) })
	c.makers[name] = map[int]*press{}
	for n, m := range log {
		if m.do == "quit" || m.do == "leave" { // The table lets people go who can't pay, also when they press something.
			if len(presses) > 0 && presses[0].user == m.user && (n+1 == len(log) || log[n+1].user != m.user || log[n+1].do != presses[0].do) {
				c.makers[name][m.at] = presses[0]
				presses = presses[1:]
			}
			continue
		}
		i := slices.IndexFunc(presses, func(p *press) bool { return p.user == m.user && p.do == m.do })
		if i < 0 {
			c.doubled++
			c.problem("%+v is in the log of %s, and nobody pressed it then", m, name)
			continue
		}
		// The same button may have been pressed again by somebody who was told nothing.
		if again := slices.IndexFunc(presses, func(p *press) bool {
			return p.user == m.user && p.do == m.do && p.epoch == presses[i].epoch && p.verdict == counted
		}); again >= 0 {
			i = again
		}
		c.missed(presses[:i], presses[:min(len(presses), i+4)], m)
		c.makers[name][m.at] = presses[i]
		if presses[i].verdict == counted {
			c.moves++
		}
		presses = presses[i+1:]
	}
	c.missed(presses, nil, made{})
}

// missed are presses whose moves are not in the log where they would be, before the next; around are those pressed about then.
func (c *checker) missed(presses, around []*press, next made) {
	for _, p := range presses {
		if p.verdict == counted {
			c.moves++
			c.lost++
			c.problem("%+v counted, and is not in the log before %+v; pressed were", *p, next)
			for _, other := range around {
				c.problem("  %+v", *other)
			}
		}
	}
}

// histories wants what was done at each table, and seen of it, to have come one after the other.
func (c *checker) histories() {
	of := map[string][]step{}
	for _, p := range c.presses {
		if p.verdict == refused {
			continue
		}
		of[p.table] = append(of[p.table], step{p.span, true, p.may || p.verdict == unknown || p.verdict == either, p.level, p.sum, p.most})
	}
	for _, l := range c.looks {
		of[l.table] = append(of[l.table], step{span: l.span, level: l.level, sum: l.sum})
	}
	last := c.now()
	for name, one := range c.tables {
		steps := append(of[name], step{span: span{last, last + 1}, level: one.level})
		if err := linearizable(tableModel(), steps, func(s step) span { return s.span }); err != nil {
			c.problem("table %s: %v", name, err)
		}
		c.findings.tables++
	}
}

// books wants each posting at a table to belong to a press, and what was read of each purse to be what it held then.
func (c *checker) books(ctx context.Context) error {
	read := map[string]map[int64][]reading{}
	for _, r := range c.readings {
		if read[r.community] == nil {
			read[r.community] = map[int64][]reading{}
		}
		read[r.community][r.user] = append(read[r.community][r.user], r)
	}
	for community, people := range read {
		of, err := chat.ParseCommunity(community)
		if err != nil {
			return err
		}
		for user, readings := range people {
			if err := c.purse(ctx, purse.Book{Store: c.store, Community: of.String()}, user, readings); err != nil {
				return err
			}
		}
	}
	return nil
}

// purse checks one.
func (c *checker) purse(ctx context.Context, book purse.Book, user int64, readings []reading) error {
	balances := []int64{0}
	var changes []change
	for before := int64(0); before != 1; {
		lines, err := book.History(ctx, user, before, 1000)
		if err != nil {
			return err
		}
		if len(lines) == 0 {
			break
		}
		for _, line := range lines {
			changes = append(changes, change{c.when(book.Community, line), int(line.N), line.Amount})
			balances = append(balances, line.Balance)
			before = line.N
		}
	}
	slices.Reverse(balances[1:])
	for _, r := range readings {
		changes = append(changes, change{r.span, 0, r.chips})
	}
	if err := linearizable(purseModel(balances), changes, func(c change) span { return c.span }); err != nil {
		c.problem("the purse of %d in %s: %v", user, book.Community, err)
	}
	c.purses++
	return nil
}

// when is when a posting can have been made: while the press was under way that made its move, or some time if it belongs to none.
func (c *checker) when(community string, line purse.Line) span {
	name := community + "/" + line.Table
	for at := line.Move; at > 0; at-- { // What the table itself did belongs to the press before.
		if p := c.makers[name][at]; p != nil {
			return p.span
		}
	}
	if line.Move > 0 || line.Table == "" && line.Kind != purse.KindOpen && line.Kind != purse.KindGrant {
		c.problem("posting %s in %s belongs to no press: %+v", line.ID, community, line)
	}
	return span{0, never}
}
