package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/engine"
	"zevaka/storage"
)

// People's parts at tables, the roll of names and the list of games that ended are kept by whoever changes them. A database in
// which programs have written that don't know them, or keep them otherwise, is gone through once: what there is of them leaves,
// and then they are made anew, some items in each transaction, while others play: at the start if it is small, and else by Step.

const (
	// stepItems is how many items one step looks at, startSteps how many steps are made at a start.
	stepItems, startSteps = 50, 100
	// generation rises when what is looked up lies otherwise, or has to be made anew because programs didn't keep it.
	generation = 2
)

// ErrNotReady refuses what can be found only when all has been gone through.
const ErrNotReady engine.Refusal = "indexing"

// IndexProgress is how far the database has been gone through: the prefix of keys, and the last key done of it. Done says that
// people and games that ended are found. Generation is that of the index.
type IndexProgress struct {
	Prefix     string `json:"prefix,omitempty"`
	After      string `json:"after,omitempty"`
	Done       bool   `json:"done,omitempty"`
	Generation int    `json:"generation,omitempty"`
}

// indexed are the prefixes that are gone through, in their order: first those of the index, which leave, and then what people
// are found in. A purse knows its user's name better than a tally, and both better than a table.
func indexed() []string {
	return []string{
		keyspace.OpenParts, keyspace.EndedParts, keyspace.Played, keyspace.Names, keyspace.CalledSo,
		keyspace.Accounts, keyspace.Tallies, keyspace.OpenTables, keyspace.EndedTables,
	}
}

// start finds out whether all can be found, and sees to it where there is little.
func (b *Index) start(ctx context.Context) error {
	for range startSteps {
		more, err := b.Step(ctx, b.store)
		if err != nil || !more {
			return err
		}
	}
	b.log.Info("people's tables and names are looked up: until that is done some questions are refused")
	return nil
}

// Index finds people's tables, and says whether people can be found by their names. It is safe for use by many goroutines.
type Index struct {
	store storage.Store
	log   *slog.Logger
	names names
	// done says that everything can be found by persons and names, and the games that ended by when they did.
	done atomic.Bool
}

// NewIndex is the index of a store that nothing is read of yet: for reading alone, beside a store that nobody else changes.
func NewIndex(s storage.Store, log *slog.Logger) *Index { return &Index{store: s, log: log} }

// OpenIndex is the index of a store. It reads the names that communities have had, and goes through a small database that has
// no index yet; a large one is left to Step, and until that has come to its end Ready refuses.
func OpenIndex(ctx context.Context, s storage.Store, log *slog.Logger) (*Index, error) {
	b := NewIndex(s, log)
	if err := b.ReadNames(ctx); err != nil {
		return nil, err
	}
	return b, b.start(ctx)
}

// Ready refuses to look for somebody as long as not all can be found.
func (b *Index) Ready() error {
	if !b.Done() {
		return ErrNotReady
	}
	return nil
}

// Done reports whether everything can be found by persons and names.
func (b *Index) Done() bool { return b.done.Load() }

// Step goes through some more items. It reports whether there are others.
func (b *Index) Step(ctx context.Context, s storage.Store) (more bool, err error) {
	state, err := ReadIndexProgress(ctx, s)
	if err != nil {
		b.done.Store(false)
		return false, err
	}
	if b.done.Store(state.Done); state.Done {
		return false, nil
	}
	items, err := s.Scan(ctx, state.Prefix, state.After, stepItems)
	var damaged storage.Damaged
	if err != nil && !errors.As(err, &damaged) {
		return false, fmt.Errorf("look for people: %w", err)
	}
	for len(items) > 0 {
		n := fewKeys(items)
		state.After = items[n-1].Key
		if err := b.addSome(ctx, s, items[:n], state); err != nil {
			return false, err
		}
		items = items[n:]
	}
	switch {
	case damaged.Key != "":
		state.After = damaged.Key // It is set aside.
	case state.After == "" || !b.more(ctx, s, state):
		state = state.next()
	}
	err = storage.Update(ctx, s, func(tx storage.Tx) error { return putProgress(tx, state) })
	b.done.Store(err == nil && state.Done)
	return !state.Done, err
}

// next is where it goes on when all was gone through under a prefix.
func (p IndexProgress) next() IndexProgress {
	i := slices.Index(indexed(), p.Prefix) + 1
	if i == len(indexed()) {
		return IndexProgress{Done: true, Generation: generation}
	}
	return IndexProgress{Prefix: indexed()[i], Generation: generation}
}

// more reports whether there are items yet to be gone through under a prefix.
func (b *Index) more(ctx context.Context, s storage.Store, state IndexProgress) bool {
	items, err := s.Scan(ctx, state.Prefix, state.After, 1)
	return err != nil || len(items) > 0
}

// ReadIndexProgress reads how far a store has been gone through; at its beginning where nobody has begun. The error is one of
// the store, or of a value that can't be read.
func ReadIndexProgress(ctx context.Context, s storage.Store) (IndexProgress, error) {
	anew := IndexProgress{Prefix: indexed()[0], Generation: generation}
	state := anew
	items, err := s.Get(ctx, keyspace.IndexState)
	if storage.IsDamaged(err) {
		return anew, nil
	}
	if err == nil && items[0].Rev != 0 {
		state = IndexProgress{}
		err = json.Unmarshal(items[0].Value, &state)
	}
	if err == nil && state.Generation != generation {
		return anew, nil
	}
	if err == nil && !state.Done && !slices.Contains(indexed(), state.Prefix) {
		err = fmt.Errorf("nothing is looked for under %q", state.Prefix)
	}
	if err != nil {
		return state, fmt.Errorf("read how far people are looked up: %w", err)
	}
	return state, nil
}

func putProgress(tx storage.Tx, state IndexProgress) error {
	return storage.PutJSON(tx, keyspace.IndexState, state)
}

// fewKeys is how many of the items one transaction can go through.
func fewKeys(items []storage.Item) int {
	keys := 1
	for n, item := range items {
		keys += 4
		if id, ok := ParseID(item.Key[2:]); ok && strings.HasPrefix(item.Key, keyspace.OpenTables) || strings.HasPrefix(item.Key, keyspace.EndedTables) {
			if t, err := Decode(id, item.Value); err == nil {
				keys += 5 * len(t.People())
			}
		}
		if n > 0 && keys > storage.MaxKeys {
			return n
		}
	}
	return len(items)
}

// addSome goes through some items as they are now.
func (b *Index) addSome(ctx context.Context, s storage.Store, items []storage.Item, state IndexProgress) error {
	err := storage.Update(ctx, s, func(tx storage.Tx) error {
		for _, item := range items {
			now, err := tx.Get(item.Key)
			if err == nil && now[0].Rev != 0 {
				err = addItem(tx, now[0])
			}
			if err != nil {
				return err
			}
		}
		return putProgress(tx, state)
	})
	if err != nil {
		return fmt.Errorf("note where people are found: %w", err)
	}
	return nil
}

// addItem notes who is found in an item, or takes away one of the index. One that can't be read is left to zevaka check.
func addItem(tx storage.Tx, item storage.Item) error {
	origin, user, name := "", int64(0), ""
	switch item.Key[:2] {
	case keyspace.OpenParts, keyspace.EndedParts, keyspace.Played:
		tx.Delete(item.Key)
	case keyspace.Names, keyspace.CalledSo:
		return purse.DropName(tx, item)
	case keyspace.OpenTables, keyspace.EndedTables:
		return addTable(tx, item)
	case keyspace.Accounts:
		origin, user, name = purse.NameIn(item)
	case keyspace.Tallies:
		origin, user, name = scores.NameIn(item)
	}
	if name == "" {
		return nil
	}
	return purse.AddName(tx, origin, user, name)
}

func addTable(tx storage.Tx, item storage.Item) error {
	id, ok := ParseID(item.Key[2:])
	t, err := Decode(id, item.Value)
	if !ok || err != nil {
		return nil
	}
	if item.Key[:2] == keyspace.EndedTables {
		ListEnded(tx, t)
		return nil
	}
	for _, user := range t.People() {
		tx.Put(KeyPart(keyspace.OpenParts, t.Origin(), user, id.Name), nil)
	}
	for _, c := range t.Chairs {
		if c.User == 0 {
			continue
		}
		if err := purse.AddName(tx, t.Origin(), c.User, c.Name); err != nil {
			return err
		}
	}
	return nil
}

// At which tables somebody has a part stands under a key for each of them, so that nobody has to read all tables to know:
// the tables that are open, or whose last picture was not shown, under OpenPart, those that ended under keyspace.EndedParts. The
// keys of a table change in the transaction that seats people there, and in that which lays it among the ended ones.

// MaxParts is how many people's parts a transaction changes that lays a table among the ended ones, two keys for each.
const MaxParts = storage.MaxKeys/2 - 3

// Stored is a table with where it lies, and where a person's part in it stands.
type Stored struct {
	Key  string
	part string
	*Table
}

// Cursor is the part in short, for PartsOf to go on after.
func (s Stored) Cursor() string {
	parts := strings.SplitN(s.part, "/", 4) // The prefix, the origin, the user, and the rest.
	return s.part[:2] + parts[len(parts)-1]
}

// PartsOf yields the tables of a community in which the user has a part, a page of them at a time, after the cursor
// given: those that are open and those that ended. One that can't be read is left out. Origin is the community's.
func (b *Index) PartsOf(ctx context.Context, origin string, user int64, after string) iter.Seq2[[]Stored, error] {
	return func(yield func([]Stored, error) bool) {
		for _, prefix := range []string{keyspace.OpenParts, keyspace.EndedParts} {
			name, here := strings.CutPrefix(after, prefix)
			if after != "" && !here {
				continue
			}
			if !b.PartsIn(ctx, prefix, origin, user, name, yield) {
				return
			}
			after = ""
		}
	}
}

// PartsIn yields the tables of one kind; false ends it.
func (b *Index) PartsIn(ctx context.Context, prefix, origin string, user int64, name string, yield func([]Stored, error) bool) bool {
	const page = 12
	within := PartsAt(prefix, origin, user)
	after := ""
	if name != "" {
		after = within + name
	}
	for {
		parts, err := b.store.Scan(ctx, within, after, page)
		var damaged storage.Damaged
		if errors.As(err, &damaged) {
			parts = append(parts, storage.Item{Key: damaged.Key}) // Which table it is of its key says.
		} else if err != nil {
			return yield(nil, fmt.Errorf("look for tables of a person: %w", err))
		}
		found, failed := b.TablesOf(ctx, prefix, origin, user, parts)
		if failed != nil {
			return yield(nil, failed)
		}
		if !yield(found, nil) {
			return false
		}
		switch {
		case err != nil:
			after = damaged.Key
		case len(parts) < page:
			return true
		default:
			after = parts[page-1].Key
		}
	}
}

// TablesOf reads the tables of a page of parts, which are no more than a few.
func (b *Index) TablesOf(ctx context.Context, prefix, origin string, user int64, parts []storage.Item) ([]Stored, error) {
	var keys []string
	var partOf []string
	for _, part := range parts {
		for _, key := range b.tableKeys(prefix, origin, part) {
			keys, partOf = append(keys, key), append(partOf, part.Key)
		}
	}
	items, err := b.readable(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("read the tables of a person: %w", err)
	}
	var found []Stored
	for i, item := range items {
		if item.Rev == 0 {
			continue
		}
		id, ok := ParseID(item.Key[len(keyspace.OpenTables):])
		if t, err := Decode(id, item.Value); ok && err == nil && slices.Contains(t.People(), user) {
			found = append(found, Stored{item.Key, partOf[i], t})
		}
	}
	return found, nil
}

// readable are the items of the keys, as many at once as a store gives; one that is damaged counts as absent.
func (b *Index) readable(ctx context.Context, keys []string) (found []storage.Item, err error) {
	for some := range slices.Chunk(keys, storage.MaxKeys) {
		items, err := b.store.Get(ctx, some...)
		if storage.IsDamaged(err) {
			items, err = nil, nil
			for _, key := range some {
				one, failed := b.store.Get(ctx, key)
				if storage.IsDamaged(failed) {
					one, failed = []storage.Item{{Key: key}}, nil
				}
				items, err = append(items, one...), errors.Join(err, failed)
			}
		}
		if err != nil {
			return nil, err
		}
		found = append(found, items...)
	}
	return found, nil
}

// tableKeys are where the table of a part may lie.
func (b *Index) tableKeys(prefix, origin string, part storage.Item) []string {
	kind, communities := keyspace.OpenTables, b.NamesOf(origin)
	if prefix == keyspace.EndedParts {
		kind = keyspace.EndedTables
		if len(part.Value) > 0 {
			communities = []string{string(part.Value)}
		}
	}
	var keys []string
	for _, community := range communities {
		keys = append(keys, kind+community+"/"+NameIn(part.Key))
	}
	return keys
}

// names are the names that communities have had beside their origin, by that.
type names struct {
	mu    sync.Mutex
	later map[string][]string
}

// NamesOf are the names that a community has had, its origin first.
func (b *Index) NamesOf(origin string) []string {
	b.names.mu.Lock()
	defer b.names.mu.Unlock()
	return append([]string{origin}, b.names.later[origin]...)
}

// AddName notes another name of a community.
func (b *Index) AddName(origin, name string) {
	n := &b.names
	n.mu.Lock()
	defer n.mu.Unlock()
	if origin != name && !slices.Contains(n.later[origin], name) {
		if n.later == nil {
			n.later = map[string][]string{}
		}
		n.later[origin] = append(n.later[origin], name)
	}
}

// ReadNames reads the names that communities have had, as far as they can be read.
func (b *Index) ReadNames(ctx context.Context) error {
	for items, err := range storage.Pages(ctx, b.store, keyspace.Origins) {
		if err != nil && !storage.IsDamaged(err) {
			return fmt.Errorf("read the names of communities: %w", err)
		}
		for _, item := range items {
			b.AddName(string(item.Value), strings.TrimPrefix(item.Key, keyspace.Origins))
		}
	}
	return nil
}
