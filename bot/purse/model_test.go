package purse

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

var seed = flag.Uint64("seed", 0, "seed of the random tests; 0 is by the clock")

// model is what the ledger should be: balances by account, those of users who never came left out.
type model struct {
	r        *rand.Rand
	balances map[Account]int64
	lines    map[int64]int
	done     map[string]bool
	days     map[int64][2]int64 // by user: day and streak
	now      int64
}

// has is what an account holds.
func (m *model) has(a Account) int64 {
	if _, ok := a.User(); ok && m.lines[user(a)] == 0 {
		return firstChips
	}
	return m.balances[a]
}

func user(a Account) int64 { id, _ := a.User(); return id }

// post makes the posting, or says why it can't be made.
func (m *model) post(id string, legs []Leg) (posted bool, short bool, fault bool) {
	sums := map[Account]int64{}
	for _, leg := range legs {
		sums[leg.Account] += leg.Amount
	}
	maps.DeleteFunc(sums, func(_ Account, sum int64) bool { return sum == 0 })
	if m.done[id] || len(sums) == 0 {
		return false, false, false
	}
	for a, sum := range sums {
		_, _, table := a.Table()
		below := m.has(a)+sum < 0
		short = short || below && a != House && !table
		fault = fault || below && table
	}
	if short || fault {
		return false, short, fault
	}
	for a, sum := range sums {
		if u := user(a); u != 0 {
			if m.lines[u] == 0 {
				m.balances[House] -= firstChips
				m.balances[a], m.lines[u] = firstChips, 1
			}
			m.lines[u]++
		}
		m.balances[a] += sum
	}
	m.done[id] = true
	return true, false, false
}

// accounts are those of the model: six users, two tables.
func (m *model) account() Account {
	owner := User(m.r.Int64N(6) + 1)
	if m.r.IntN(20) == 0 {
		owner = House
	}
	if m.r.IntN(2) == 0 {
		return At(fmt.Sprint("k", m.r.IntN(2)), owner)
	}
	return owner
}

// step does one thing to the ledger and the model and compares what both say of it.
func (m *model) step(t *testing.T, s storage.Store, n int) {
	m.now += m.r.Int64N(secondsPerDay / 2)
	id := fmt.Sprint("p", n)
	var got bool
	switch m.r.IntN(8) {
	case 0:
		m.daily(t, s, id)
		return
	case 1:
		table := fmt.Sprint("k", m.r.IntN(2))
		var legs []Leg
		for a, amount := range m.balances {
			if name, owner, ok := a.Table(); ok && name == table {
				legs = append(legs, mv(a, -amount), mv(owner, amount))
			}
		}
		want, _, _ := m.post(id, legs)
		err := at(t, s, m.now, func(l Ledger) (err error) {
			got, err = l.Refund(id, Cause{Kind: "stop", Table: table})
			return err
		})
		if err != nil || got != want {
			t.Errorf("step %d, refund: %v, %v; want %v", n, got, err, want)
		}
		return
	}
	var legs []Leg
	for range m.r.IntN(4) + 1 {
		amount := m.r.Int64N(1500) + 1
		legs = append(legs, mv(m.account(), -amount), mv(m.account(), amount))
	}
	want, short, fault := m.post(id, legs)
	for delivery := range 2 {
		err := at(t, s, m.now, func(l Ledger) (err error) { got, err = l.Post(id, Cause{Kind: "move"}, legs...); return err })
		if got != want || (err != nil) != (short || fault) || errors.Is(err, ErrShort) && !short || !fault && short && !errors.Is(err, ErrShort) {
			t.Errorf("step %d, delivery %d of %v: %v, %v; want %v, short %v, fault %v", n, delivery, legs, got, err, want, short, fault)
		}
		want = false
	}
}

func (m *model) daily(t *testing.T, s storage.Store, id string) {
	u, today := m.r.Int64N(6)+1, m.now/secondsPerDay
	last := m.days[u]
	streak := int64(1)
	if last[0] == today-1 {
		streak = last[1] + 1
	}
	amount := min(250+50*streak, 900)
	var got Gift
	err := at(t, s, m.now, func(l Ledger) (err error) { got, err = l.Daily(id, u); return err })
	if last[0] == today {
		if !errors.Is(err, ErrDaily) {
			t.Errorf("a second time on day %d: %+v, %v", today, got, err)
		}
		return
	}
	m.post(id, []Leg{mv(House, -amount), mv(User(u), amount)})
	m.days[u] = [2]int64{today, streak}
	if err != nil || got.Amount != amount || got.Streak != int(streak) {
		t.Errorf("day %d of %d: %+v, %v", streak, u, got, err)
	}
}

// TestModel does random things to a ledger and to a model of it, and wants both to agree after each.
func TestModel(t *testing.T) {
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", *seed)
	stores.Each(t, func(t *testing.T, s storage.Store) {
		m := &model{rand.New(rand.NewPCG(*seed, 0)), map[Account]int64{}, map[int64]int{}, map[string]bool{}, map[int64][2]int64{}, noon}
		for n := range 400 {
			m.step(t, s, n)
			must(t, s, func(l Ledger) error { return m.compare(t, l, n) })
			if t.Failed() {
				return
			}
		}
		totals := clean(t, s)
		lines := 0
		for u, n := range m.lines {
			lines += n
			history, err := Book{Store: s, Community: community}.History(t.Context(), u, 0, 10_000)
			if err != nil || len(history) != n {
				t.Errorf("the history of %d has %d lines, %v; want %d", u, len(history), err, n)
			}
		}
		if totals.Lines != lines || totals.Postings != len(m.done)+len(m.lines) || -totals.House != totals.Chips+totals.Laid {
			t.Errorf("the audit counts %+v, want %d lines and %d postings", totals, lines, len(m.done)+len(m.lines))
		}
	})
}

func (m *model) compare(t *testing.T, l Ledger, n int) error {
	for u := range int64(6) {
		purses, err := l.Purses(u + 1)
		if err != nil {
			return err
		}
		if purses[0].Balance != m.has(User(u+1)) || int(purses[0].Entries) != m.lines[u+1] {
			t.Errorf("after step %d: %+v, want %d after %d entries", n, purses[0], m.has(User(u+1)), m.lines[u+1])
		}
	}
	for _, table := range []string{"k0", "k1"} {
		held, err := l.Held(table)
		if err != nil {
			return err
		}
		for u := range int64(7) {
			owner := User(u)
			if u == 0 {
				owner = House
			}
			if held[owner] != m.balances[At(table, owner)] {
				t.Errorf("after step %d: at %s lie %v, want %d for %s", n, table, held, m.balances[At(table, owner)], owner)
			}
		}
	}
	return nil
}

// TestRace lets twenty goroutines post among four users and one table at once, each posting delivered by two of them.
// Every posting is made once, or refused to both.
func TestRace(t *testing.T) {
	const pairs, each = 10, 15
	stores.Each(t, func(t *testing.T, s storage.Store) {
		var made [pairs * each]atomic.Int32
		var all sync.WaitGroup
		for g := range 2 * pairs {
			pair := g % pairs
			all.Go(func() {
				r := rand.New(rand.NewPCG(uint64(pair), 3)) // The two of a pair do the same.
				for i := range each {
					n := pair*each + i
					from, to, amount := User(r.Int64N(4)+1), User(r.Int64N(4)+1), r.Int64N(400)+1
					legs := []Leg{mv(from, -amount), mv(to, amount-1), mv(At("k7", to), 1)}
					var posted bool
					err := at(t, s, noon, func(l Ledger) (err error) {
						posted, err = l.Post(fmt.Sprint("p", n), Cause{Kind: "win", Table: "k7"}, legs...)
						return err
					})
					if err != nil && !errors.Is(err, ErrShort) {
						t.Errorf("posting %d: %v", n, err)
					}
					if posted && err == nil {
						made[n].Add(1)
					}
				}
			})
		}
		all.Wait()
		want := 4 // the purses' openings
		for n := range made {
			if times := made[n].Load(); times > 1 {
				t.Errorf("posting %d was made %d times", n, times)
			}
			want += int(made[n].Load())
		}
		totals := clean(t, s)
		if totals.Postings != want || totals.Chips+totals.Laid != 4*firstChips || totals.House != -4*firstChips {
			t.Errorf("the audit counts %+v, want %d postings", totals, want)
		}
	})
}
