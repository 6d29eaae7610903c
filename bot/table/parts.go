package table

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

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
		if err != nil && !errors.As(err, &damaged) {
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

// TablesOf reads the tables of a page of parts.
func (b *Index) TablesOf(ctx context.Context, prefix, origin string, user int64, parts []storage.Item) ([]Stored, error) {
	if len(parts) == 0 {
		return nil, nil
	}
	var found []Stored
	for _, part := range parts {
		for _, key := range b.tableKeys(prefix, origin, part) {
			items, err := b.store.Get(ctx, key)
			switch {
			case storage.IsDamaged(err):
				continue
			case err != nil:
				return nil, fmt.Errorf("read a table of a person: %w", err)
			case items[0].Rev == 0:
				continue
			}
			id, ok := ParseID(key[len(keyspace.OpenTables):])
			if t, err := Decode(id, items[0].Value); ok && err == nil && slices.Contains(t.People(), user) {
				found = append(found, Stored{key, part.Key, t})
			}
		}
	}
	return found, nil
}

// tableKeys are where the table of a part may lie.
func (b *Index) tableKeys(prefix, origin string, part storage.Item) []string {
	name := NameIn(part.Key)
	if prefix == keyspace.EndedParts {
		community := string(part.Value)
		if community == "" {
			community = origin
		}
		return []string{keyspace.EndedTables + community + "/" + name}
	}
	var keys []string
	for _, community := range b.NamesOf(origin) {
		keys = append(keys, keyspace.OpenTables+community+"/"+name)
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
