package scores

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// carried is where that of the key's tally lies.
func (k Key) carried() string {
	return keyspace.CarriedTallies + strings.TrimPrefix(k.text(), keyspace.Tallies)
}

// carried is what some finishes of a tally come to.
type carried struct {
	// Tally has no streaks: these follow from the runs.
	Tally
	// named is the number of the finish that the name is from, and rated that of the one that the rating is from.
	named, rated int
	// runs are the finishes, those with consecutive numbers in one, in order.
	runs []run
}

// run is some finishes with consecutive numbers: the first and the last of these, and how many were won at the
// beginning, at the end and at most in a row.
type run struct {
	first, last         int
	head, tail, longest int
}

// single is a run of one finish.
func single(n int, won bool) run {
	if won {
		return run{n, n, 1, 1, 1}
	}
	return run{first: n, last: n}
}

// then is the run with the one that follows it.
func (r run) then(next run) run {
	all := run{r.first, next.last, r.head, next.tail, max(r.longest, next.longest, r.tail+next.head)}
	if r.head == r.len() {
		all.head += next.head
	}
	if next.tail == next.len() {
		all.tail += r.tail
	}
	return all
}

// len is how many finishes the run has.
func (r run) len() int { return r.last - r.first + 1 }

// add is what it comes to with one finish more. The error says that this one is in it.
func (c carried) add(name string, n int, f Finish) (carried, error) {
	i, _ := slices.BinarySearchFunc(c.runs, n, func(r run, n int) int { return cmp.Compare(r.last, n) })
	if i < len(c.runs) && c.runs[i].first <= n {
		return c, fmt.Errorf("finish %d was carried forward before", n)
	}
	c.Tally = c.count(f)
	if name != "" && n > c.named {
		c.Name, c.named = validName(name), n
	}
	if f.Rated() && n > c.rated {
		c.Rating, c.rated = f.Rating, n
	}
	var runs []run
	for _, r := range slices.Insert(slices.Clone(c.runs), i, single(n, f.Won)) {
		if last := len(runs) - 1; last >= 0 && runs[last].last+1 == r.first {
			runs[last] = runs[last].then(r)
		} else {
			runs = append(runs, r)
		}
	}
	c.runs = runs
	return c, nil
}

// CarryForward adds a finish, recorded before with that number and name, to what is carried forward of its tally, so
// that its table needn't be kept for a Rebuilder. The tally stays as it is. The caller sees to it that the table leaves
// in the same transaction.
func CarryForward(tx storage.Tx, e Entry) error {
	if err := e.check(); err != nil {
		return err
	}
	items, err := tx.Get(e.carried())
	if err != nil {
		return fmt.Errorf("read what is carried forward of scores: %w", err)
	}
	var c carried
	if items[0].Rev != 0 {
		if c, err = decodeCarried(items[0]); err != nil {
			return err
		}
	}
	if c, err = c.add(e.Name, e.N, e.Finish); err != nil {
		return fmt.Errorf("%s: %w", e.text(), err)
	}
	value, err := c.encode()
	if err != nil {
		return fmt.Errorf("encode %s: %w", e.carried(), err)
	}
	tx.Put(e.carried(), value)
	return nil
}

// storedCarried is how it is stored: the runs as their five numbers.
type storedCarried struct {
	Tally string   `json:"t"`
	Named int      `json:"n,omitempty"`
	Rated int      `json:"g,omitempty"`
	Runs  [][5]int `json:"r"`
}

func (c carried) encode() ([]byte, error) {
	s := storedCarried{Tally: string(c.Tally.encode()), Named: c.named, Rated: c.rated}
	for _, r := range c.runs {
		s.Runs = append(s.Runs, [5]int{r.first, r.last, r.head, r.tail, r.longest})
	}
	return json.Marshal(s)
}

func decodeCarried(item storage.Item) (carried, error) {
	var s storedCarried
	if err := json.Unmarshal(item.Value, &s); err != nil {
		return carried{}, fmt.Errorf("decode %s: %w", item.Key, err)
	}
	t, err := decode(storage.Item{Key: item.Key, Value: []byte(s.Tally)})
	if err != nil {
		return carried{}, err
	}
	c := carried{Tally: t, named: s.Named, rated: s.Rated}
	end, games := 0, int64(0)
	for _, n := range s.Runs {
		r := run{n[0], n[1], n[2], n[3], n[4]}
		if r.first <= end || r.last < r.first || min(r.head, r.tail) < 0 || max(r.head, r.tail) > r.longest || r.longest > r.len() {
			return carried{}, fmt.Errorf("decode %s: no finishes are like %v", item.Key, n)
		}
		end, games = r.last, games+int64(r.len())
		c.runs = append(c.runs, r)
	}
	if games != t.Games {
		return carried{}, fmt.Errorf("decode %s: %d finishes are said to be %d", item.Key, games, t.Games)
	}
	return c, nil
}

// AddCarried adds all finishes that are carried forward in the store.
func (r *Rebuilder) AddCarried(ctx context.Context, s storage.Store) error {
	for items, err := range storage.Pages(ctx, s, keyspace.CarriedTallies) {
		if err != nil {
			return fmt.Errorf("read what is carried forward of scores: %w", err)
		}
		for _, item := range items {
			k, err := parseKey(keyspace.Tallies + strings.TrimPrefix(item.Key, keyspace.CarriedTallies))
			if err != nil {
				return err
			}
			c, err := decodeCarried(item)
			if err != nil {
				return err
			}
			r.rebuilt(k).carry(c)
		}
	}
	return nil
}

// carry adds what is carried forward.
func (t *rebuilt) carry(c carried) {
	t.Tally, t.runs = t.merge(c.Tally), c.runs
	if c.named > t.named {
		t.Name, t.named = c.Name, c.named
	}
	if t.carried = c.rated; c.rated > t.rated {
		t.Rating, t.rated = c.Rating, c.rated
	}
	t.left = c.Rating
}

// merge is what the finishes of two tallies come to, but for streaks, the name and the rating.
func (t Tally) merge(o Tally) Tally {
	if t.Games == 0 || o.Games > 0 && o.BestChips > t.BestChips {
		t.BestChips = o.BestChips
	}
	t.Games += o.Games
	t.Wins += o.Wins
	t.Last += o.Last
	t.Chips += o.Chips
	t.Bank = max(t.Bank, o.Bank)
	t.Fastest, t.Fewest = lesser(t.Fastest, o.Fastest), lesser(t.Fewest, o.Fewest)
	t.Solved += o.Solved
	t.Score = max(t.Score, o.Score)
	t.Seconds += o.Seconds
	t.Undos += o.Undos
	t.Hints += o.Hints
	t.Month = t.Month.and(o.Month)
	for i, n := range o.Places {
		t.Places[i] += n
	}
	for i, level := range o.Levels {
		t.Levels[i].Games += level.Games
		t.Levels[i].Solved += level.Solved
	}
	for i, at := range o.Firsts {
		t.Firsts[i] = lesser(t.Firsts[i], at)
	}
	return t
}

// lesser is the lesser of two records, of which 0 is none.
func lesser(a, b int64) int64 {
	if b == 0 {
		return a
	}
	return least(a, b)
}

// run is the tally with the streaks that the next finishes make.
func (t Tally) run(r run) Tally {
	t.Longest = max(t.Longest, t.Streak+int64(r.head), int64(r.longest))
	if r.tail < r.len() {
		t.Streak = 0
	}
	t.Streak += int64(r.tail)
	return t
}
