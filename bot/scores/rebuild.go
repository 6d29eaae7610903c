package scores

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Entry is a finish as the table that ended has kept it: whose it was, what the user was called, and its number from
// Record.
type Entry struct {
	Key
	Name string
	N    int
	Finish
}

// Rebuilder works all tallies out again from what is carried forward and the tables that ended. It keeps one tally for
// each key and four bytes for each finish in memory.
type Rebuilder struct {
	tallies map[Key]*rebuilt
}

// rebuilt is a tally being worked out.
type rebuilt struct {
	Tally
	// named is the number of the finish that the name is from, and rated that of the one that the rating is from.
	named, rated int
	// order are the finishes as they came: twice the number, and one more if it was won.
	order []uint32
	// runs are the finishes that were carried forward, carried the number of the last rated one, and left the rating after it.
	runs    []run
	carried int
	left    KeptRating
	// links are the rated finishes as they came.
	links []link
}

// link is what a rated finish, by its number, found and left: each rating but for its count of games.
type link struct {
	n        int32
	was, is  uint64
	wasGames int32
}

// packed is a rating in one number.
func packed(k KeptRating) uint64 { return uint64(k.Mean)<<32 ^ uint64(k.Spread) }

// NewRebuilder returns one to which nothing was added.
func NewRebuilder() *Rebuilder { return &Rebuilder{tallies: map[Key]*rebuilt{}} }

// Add adds a finish, in any order. The error says that no finish can be like that.
func (r *Rebuilder) Add(e Entry) error {
	if err := e.check(); err != nil {
		return err
	}
	if e.N < 1 || e.N > maxGames {
		return fmt.Errorf("finish %d of %s: there is no such number", e.N, e.text())
	}
	t := r.rebuilt(e.Key)
	t.Tally = t.count(e.Finish)
	mark := uint32(e.N) << 1
	if e.Won {
		mark++
	}
	t.order = append(t.order, mark)
	if e.Name != "" && e.N > t.named {
		t.Name, t.named = validName(e.Name), e.N
	}
	if e.Rated() {
		t.links = append(t.links, link{int32(e.N), packed(e.Was), packed(e.Rating), int32(e.Was.Games)})
		if e.N > t.rated {
			t.Rating, t.rated = e.Rating, e.N
		}
	}
	return nil
}

// rebuilt is the tally of a key, as it is being worked out.
func (r *Rebuilder) rebuilt(k Key) *rebuilt {
	t := r.tallies[k]
	if t == nil {
		t = &rebuilt{}
		r.tallies[k] = t
	}
	return t
}

// tally is the tally when all finishes were added, with what is wrong with their numbers, if anything is.
func (t *rebuilt) tally() (sum Tally, wrong string) {
	slices.Sort(t.order)
	runs, n := t.runs, 0
	sum = t.Tally
	follow := func(r run) {
		if r.first != n+1 && wrong == "" {
			wrong = fmt.Sprintf("the finish in place %d has the number %d", n+1, r.first)
		}
		n += r.len()
		sum = sum.run(r)
	}
	for _, mark := range t.order {
		one := single(int(mark>>1), mark&1 == 1)
		for len(runs) > 0 && runs[0].first <= one.first {
			follow(runs[0])
			runs = runs[1:]
		}
		follow(one)
	}
	for _, r := range runs {
		follow(r)
	}
	return sum, cmp.Or(wrong, t.broken())
}

// broken says at which finish the rating that it found isn't the one that the last before it had left; empty if at none.
func (t *rebuilt) broken() string {
	slices.SortFunc(t.links, func(a, b link) int { return cmp.Compare(a.n, b.n) })
	now, games := packed(StartRating()), int32(0)
	if t.carried > 0 {
		now, games = packed(t.left), int32(t.left.Games)
	}
	for _, l := range t.links {
		if int(l.n) < t.carried {
			continue // It has left before its time, and nobody knows what was found after it.
		}
		if l.was != now || l.wasGames != games {
			return fmt.Sprintf("finish %d has found another rating than was left", l.n)
		}
		now, games = l.is, games+1
	}
	return ""
}

// Difference is where the stored scores are not what the tables say, in words for the operator.
type Difference struct {
	Key  string
	What string
}

// String is the difference in one line.
func (d Difference) String() string { return d.Key + ": " + d.What }

// Compare reports each stored tally that is not the one worked out, each that is missing, and each key whose finishes
// are not numbered from 1 on without a gap. Nothing else may write to the store meanwhile.
func (r *Rebuilder) Compare(ctx context.Context, s storage.Store, report func(Difference)) error {
	for _, k := range r.keys() {
		if _, wrong := r.tallies[k].tally(); wrong != "" {
			report(Difference{k.text(), wrong})
		}
	}
	err := r.differ(ctx, s, func(key string, stored, want []byte) error {
		switch {
		case want == nil:
			report(Difference{key, fmt.Sprintf("%s is stored, but no table says so", stored)})
		case stored == nil:
			report(Difference{key, fmt.Sprintf("nothing is stored, but the tables say %s", want)})
		default:
			report(Difference{key, fmt.Sprintf("%s is stored, but the tables say %s", stored, want)})
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("compare scores: %w", err)
	}
	return nil
}

// Write makes the stored tallies those worked out, in many transactions. Nothing else may write to the store meanwhile.
func (r *Rebuilder) Write(ctx context.Context, s storage.Store) error {
	var writes []storage.Write
	flush := func() error {
		return storage.Update(ctx, s, func(tx storage.Tx) error {
			for _, w := range writes {
				if w.Value == nil {
					tx.Delete(w.Key)
				} else {
					tx.Put(w.Key, w.Value)
				}
			}
			return nil
		})
	}
	err := r.differ(ctx, s, func(key string, _, want []byte) error {
		writes = append(writes, storage.Write{Key: key, Value: want})
		if len(writes) < storage.MaxKeys {
			return nil
		}
		err := flush()
		writes = nil
		return err
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return fmt.Errorf("write scores: %w", err)
	}
	return nil
}

// differ calls each on the keys where what is stored is not what was worked out, nil being nothing.
func (r *Rebuilder) differ(ctx context.Context, s storage.Store, each func(key string, stored, want []byte) error) error {
	boards, seasons := map[string]*Board{}, map[string]*Season{}
	var tallies []string
	for _, k := range r.keys() {
		tallies = append(tallies, k.text())
		board := boards[k.board()]
		if board == nil {
			board = &Board{}
			boards[k.board()], seasons[k.season()] = board, &Season{}
		}
		sum, _ := r.tallies[k].tally()
		board.take(Row{k.User, sum})
		seasons[k.season()].take(Row{k.User, sum})
	}
	own := wanted{keyspace.Tallies, tallies, func(key string) []byte {
		k, err := parseKey(key)
		if t := r.tallies[k]; err == nil && t != nil {
			sum, _ := t.tally()
			return sum.encode()
		}
		return nil
	}}
	if err := own.differ(ctx, s, each); err != nil {
		return err
	}
	common := wanted{keyspace.Boards, slices.Sorted(maps.Keys(boards)), func(key string) []byte {
		if board := boards[key]; board != nil {
			return board.encode()
		}
		return nil
	}}
	if err := common.differ(ctx, s, each); err != nil {
		return err
	}
	for key, season := range seasons {
		if len(season.Wins) == 0 {
			delete(seasons, key)
		}
	}
	monthly := wanted{keyspace.Seasons, slices.Sorted(maps.Keys(seasons)), func(key string) []byte {
		if season := seasons[key]; season != nil {
			return season.stored()
		}
		return nil
	}}
	return monthly.differ(ctx, s, each)
}

// wanted is what should be stored under the keys with a prefix: those listed, each with its value; nil for others.
type wanted struct {
	prefix string
	keys   []string
	value  func(key string) []byte
}

// differ calls each on the keys where something else is stored.
func (w wanted) differ(ctx context.Context, s storage.Store, each func(key string, stored, want []byte) error) error {
	found := map[string]bool{}
	for items, err := range storage.Pages(ctx, s, w.prefix) {
		if err != nil {
			return err
		}
		for _, item := range items {
			found[item.Key] = true
			want := w.value(item.Key)
			if want != nil && bytes.Equal(want, item.Value) {
				continue
			}
			if err := each(item.Key, item.Value, want); err != nil {
				return err
			}
		}
	}
	for _, key := range w.keys {
		if found[key] {
			continue
		}
		if err := each(key, nil, w.value(key)); err != nil {
			return err
		}
	}
	return nil
}

// keys are the keys of all tallies, in order.
func (r *Rebuilder) keys() []Key {
	return slices.SortedFunc(maps.Keys(r.tallies), func(a, b Key) int { return cmp.Compare(a.text(), b.text()) })
}
