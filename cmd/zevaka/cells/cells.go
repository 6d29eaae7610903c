// Package cells spreads communities over several clusters. A cell is one of them, with the processes that serve it; each community
// lives in one cell, whole, and stays there when others are added. A directory says in which, and Move takes a community from
// one to another.
package cells

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/storage"
	"zevaka/storage/etcd"
)

// cellKey is what the keys of cells begin with.
const cellKey = "cells/"

var (
	// ErrNoCell is the error for a name that no cell has.
	ErrNoCell = errors.New("there is no such cell")
	// ErrFull says that no cell takes new communities.
	ErrFull = errors.New("no cell takes new communities")
	// ErrNowhere is the error for a community that lives in no cell yet.
	ErrNowhere = errors.New("nobody there has used the bot yet")
	// ErrElsewhere is the error for a community that lives in another cell than it must.
	ErrElsewhere = errors.New("the community lives in another cell")
	// ErrServed is the error for a database that can't become a cell while it is served without a directory.
	ErrServed = errors.New("the database is served without a directory: stop all that do first")
	// ErrLabel is the error for a place that is something else than it is taken for.
	ErrLabel = errors.New("the place is used for something else")
)

// Cell is a cluster, as the directory knows it.
type Cell struct {
	Name string `json:"-"`
	// Store is its address.
	Store string `json:"store"`
	// Closed says that it takes no new communities, but for those that are moved there.
	Closed bool `json:"closed,omitempty"`
	// Founding says that not all are written down yet who lived there before it was a cell; it takes no new ones meanwhile.
	Founding bool `json:"founding,omitempty"`
	// Communities is how many live there, as of some moment in each directory.
	Communities int `json:"-"`
}

// Home is where a community lives.
type Home struct {
	// Cell is the name of the cell.
	Cell string
	// First is the ID under which the community came: it moves by that, with all IDs that it has had since.
	First string
	// Moving says that it is on its way between two cells, and nobody may serve it.
	Moving bool
}

// record is what the directory keeps of a community. That of another ID than the first has only As.
type record struct {
	Cell string `json:"cell,omitempty"`
	// Step is how far a move is, with the Other cell; empty if there is none.
	Step  step   `json:"step,omitempty"`
	Other string `json:"other,omitempty"`
	// As is the first ID of the community, Also are all the others.
	As   string   `json:"as,omitempty"`
	Also []string `json:"also,omitempty"`
	// Joining says that the first one's Also may not name it yet: see Rename. Nobody is served under it meanwhile.
	Joining bool `json:"joining,omitempty"`
}

// Directory says which community lives in which cell. It is one store, the head, or several that share the communities: see slots.
// It is safe for use by many goroutines and processes.
type Directory struct {
	head *etcd.Store
	open Opener
	slots
}

// Store is the head, where processes of all cells find each other.
func (d *Directory) Store() *etcd.Store { return d.head }

// Cells are all cells, by name.
func (d *Directory) Cells(ctx context.Context) ([]Cell, error) {
	all, err := d.list(ctx)
	if err != nil {
		return nil, err
	}
	live, err := d.population(ctx)
	for i, one := range all {
		all[i].Communities = live[one.Name]
	}
	return all, err
}

// list are all cells, by name, without how many live there.
func (d *Directory) list(ctx context.Context) (all []Cell, err error) {
	for page, err := range storage.Pages(ctx, d.head, cellKey) {
		if err != nil {
			return nil, fmt.Errorf("directory: %w", err)
		}
		for _, it := range page {
			one, err := readJSON[Cell](it)
			if err != nil {
				return nil, err
			}
			one.Name = strings.TrimPrefix(it.Key, cellKey)
			all = append(all, one)
		}
	}
	return all, nil
}

// Cell is the cell of a name, without how many live there; ErrNoCell if there is none.
func (d *Directory) Cell(ctx context.Context, name string) (Cell, error) {
	items, err := d.head.Get(ctx, cellKey+name)
	if err != nil {
		return Cell{}, fmt.Errorf("directory: %w", err)
	}
	if items[0].Rev == 0 {
		return Cell{}, fmt.Errorf("%w: %q", ErrNoCell, name)
	}
	one, err := readJSON[Cell](items[0])
	one.Name = name
	return one, err
}

// SetClosed says whether a cell takes new communities.
func (d *Directory) SetClosed(ctx context.Context, name string, closed bool) error {
	return d.change(ctx, name, func(c *Cell) { c.Closed = closed })
}

// Find is where a community lives; ErrNowhere if that isn't decided yet.
func (d *Directory) Find(ctx context.Context, c string) (Home, error) {
	first, r, err := d.read(ctx, c)
	if err != nil {
		return Home{}, err
	}
	return Home{Cell: r.Cell, First: first, Moving: r.Step == copying || r.Step == entering}, nil
}

// Family are all IDs that a community has had, the first of them first.
func (d *Directory) Family(ctx context.Context, c string) ([]string, error) {
	first, r, err := d.read(ctx, c)
	return append([]string{first}, r.Also...), err
}

// read is the record of a community, and the first ID that it had.
func (d *Directory) read(ctx context.Context, c string) (first string, r record, err error) {
	item, err := d.look(ctx, c)
	if err == nil && item.Rev != 0 {
		r, err = readJSON[record](item)
	}
	switch {
	case err != nil:
		return "", r, fmt.Errorf("directory: %w", err)
	case item.Rev == 0:
		return "", r, fmt.Errorf("%w: %s", ErrNowhere, c)
	case r.Joining: // Whoever began that has not ended it.
		if err := d.join(ctx, r.As, c); err != nil && !errors.Is(err, ErrElsewhere) {
			return "", r, err
		}
		return d.read(ctx, c)
	case r.As != "":
		return d.read(ctx, r.As)
	}
	return c, r, nil
}

// Settle is where a community lives. One that lives nowhere gets a home for good: in the cell near, if that is one, or else in one
// that takes new ones and has few.
func (d *Directory) Settle(ctx context.Context, c, near string) (Home, error) {
	home, err := d.Find(ctx, c)
	if !errors.Is(err, ErrNowhere) {
		return home, err
	}
	if _, err := chat.ParseCommunity(c); err != nil {
		return Home{}, fmt.Errorf("directory: community %q: %w", c, err)
	}
	if near == "" {
		all, err := d.list(ctx)
		if err != nil {
			return Home{}, err
		}
		if near, err = d.roomy(ctx, slotOf(c), all); err != nil {
			return Home{}, err
		}
	} else if _, err := d.Cell(ctx, near); err != nil {
		return Home{}, err
	}
	if err := d.update(ctx, slotOf(c), func(tx storage.Tx) error { return settle(tx, near, c) }); err != nil {
		return Home{}, err
	}
	return d.Find(ctx, c)
}

// roomy is the one of two cells, at random among those that take new communities, that has fewer of those in the directory of a
// slot: so many who choose at once don't all choose the same.
func (d *Directory) roomy(ctx context.Context, slot int, all []Cell) (string, error) {
	all = slices.DeleteFunc(all, func(c Cell) bool { return c.Closed || c.Founding })
	if len(all) == 0 {
		return "", ErrFull
	}
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if len(all) == 1 {
		return all[0].Name, nil
	}
	live, err := d.populationOf(ctx, slot, all[0].Name, all[1].Name)
	if live[1] < live[0] {
		return all[1].Name, err
	}
	return all[0].Name, err
}

// settle has communities of one slot live in a cell that live nowhere.
func settle(tx storage.Tx, cell string, communities ...string) error {
	n := 0
	for _, c := range communities {
		items, err := tx.Get(homeKey(c))
		if err != nil {
			return err
		}
		if items[0].Rev != 0 {
			continue
		}
		if err := storage.PutJSON(tx, homeKey(c), record{Cell: cell}); err != nil {
			return err
		}
		n++
	}
	return count(tx, slotOf(communities[0]), map[string]int{cell: n})
}

// Rename has a community live on under another ID, in the cell where it lives. It is ErrElsewhere if something lives in another
// cell under that ID already, or on its way.
//
// The two IDs may be in different directories, which no transaction spans. So the new one is marked first as joining, which nobody
// is served under and which can't move; then the first one takes it along from then on, if it is where it was; then the mark goes.
// Whoever finds the mark does the rest.
func (d *Directory) Rename(ctx context.Context, old, now string) error {
	first, r, err := d.read(ctx, old)
	if err != nil || now == first {
		return err
	}
	marked := false
	err = d.update(ctx, slotOf(now), func(tx storage.Tx) error {
		is, err := storage.GetJSON[*record](tx, homeKey(now))
		marked = is == nil || is.As != first || is.Joining
		switch {
		case err != nil || is != nil && is.As == first:
			return err
		case is == nil:
			is = &record{}
		case is.Cell != r.Cell || is.As != "" || is.Step != "" || len(is.Also) > 0:
			return apartError(now)
		}
		return storage.PutJSON(tx, homeKey(now), record{Cell: is.Cell, As: first, Joining: true})
	})
	if err != nil || !marked {
		return err
	}
	return d.join(ctx, first, now)
}

// join does what is left of Rename: with ErrElsewhere the ID is again what it was.
func (d *Directory) join(ctx context.Context, first, now string) error {
	is, err := d.look(ctx, now)
	var mark record
	if err == nil && is.Rev != 0 {
		mark, err = readJSON[record](is)
	}
	switch {
	case err != nil:
		return err
	case mark.As != first:
		return apartError(now) // Whoever came first has found that it can't be.
	case !mark.Joining:
		return nil
	}
	err = d.update(ctx, slotOf(first), func(tx storage.Tx) error {
		r, err := storage.GetJSON[record](tx, homeKey(first))
		switch {
		case err != nil || slices.Contains(r.Also, now):
			return err
		case r.As != "" || r.Step != "" || mark.Cell != "" && mark.Cell != r.Cell:
			return apartError(now)
		}
		r.Also = append(r.Also, now)
		return storage.PutJSON(tx, homeKey(first), r)
	})
	apart := errors.Is(err, ErrElsewhere)
	if err != nil && !apart {
		return err
	}
	return errors.Join(err, d.update(ctx, slotOf(now), func(tx storage.Tx) error { return unmark(tx, now, mark, apart) }))
}

// unmark ends that an ID joins a community: it is one of its IDs now, or, if apart is set, what it was.
func unmark(tx storage.Tx, now string, mark record, apart bool) error {
	is, err := storage.GetJSON[record](tx, homeKey(now))
	switch {
	case err != nil || !is.Joining && is.As == mark.As:
		return err
	case is.As != mark.As || is.Cell != mark.Cell:
		return apartError(now)
	case apart && mark.Cell == "":
		tx.Delete(homeKey(now))
		return nil
	case apart:
		return storage.PutJSON(tx, homeKey(now), record{Cell: mark.Cell})
	case mark.Cell != "": // Two become one.
		if err := count(tx, slotOf(now), map[string]int{mark.Cell: -1}); err != nil {
			return err
		}
	}
	return storage.PutJSON(tx, homeKey(now), record{As: mark.As})
}

// apartError says that an ID can't be one of a community.
func apartError(c string) error { return fmt.Errorf("%w, or is on its way: %s", ErrElsewhere, c) }

// Names are what a cell may be called.
var names = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// Enter makes a store the cell of a name, at an address. What a store has in it already comes to live there with the first time.
func (d *Directory) Enter(ctx context.Context, store *etcd.Store, name, address string) error {
	if !names.MatchString(name) {
		return fmt.Errorf("%q can't be the name of a cell: it is to have up to 32 small letters, digits and dashes", name)
	}
	label := cellLabel(name)
	is, err := store.Label(ctx, "")
	if err == nil && is == "" {
		if is, err = label, nobody(ctx, store); err == nil {
			is, err = store.Label(ctx, label)
		}
	}
	switch {
	case err != nil:
		return fmt.Errorf("cell %s: %w", name, err)
	case is != label:
		return fmt.Errorf("cell %s: %w: it is %s", name, ErrLabel, is)
	}
	old, err := d.Cell(ctx, name)
	if errors.Is(err, ErrNoCell) || old.Founding {
		return d.found(ctx, store, name, address)
	}
	if err != nil || old.Store == address {
		return err
	}
	return d.change(ctx, name, func(c *Cell) { c.Store = address })
}

// cellLabel is what the store of a cell is called.
func cellLabel(name string) string { return "cell " + name }

// nobody returns an error if somebody serves a store.
func nobody(ctx context.Context, store *etcd.Store) error {
	held, err := store.Held(ctx)
	if err == nil && len(held) > 0 {
		err = fmt.Errorf("%w: %s", ErrServed, held[0].By)
	}
	return err
}

// found begins a cell, in which all live that its store has something of.
func (d *Directory) found(ctx context.Context, store *etcd.Store, name, address string) error {
	there, origins := map[string]bool{}, map[string]string{}
	for page, err := range storage.Pages(ctx, store, "") {
		if err != nil {
			return fmt.Errorf("cell %s: who lives there: %w", name, err)
		}
		for _, it := range page {
			c, _ := keyspace.Community(it.Key)
			if c == "" || c == keyspace.Everywhere { // What all of a database have together lives nowhere else.
				continue
			}
			there[c] = true
			if strings.HasPrefix(it.Key, keyspace.Origins) && string(it.Value) != c {
				origins[c] = string(it.Value)
				there[string(it.Value)] = true
			}
		}
	}
	var all []string
	for c := range there {
		if origins[c] == "" {
			all = append(all, c)
		}
	}
	if err := d.updateHead(ctx, func(tx storage.Tx) error {
		items, err := tx.Get(cellKey + name)
		if err != nil || items[0].Rev != 0 {
			return err
		}
		return storage.PutJSON(tx, cellKey+name, Cell{Store: address, Founding: true})
	}); err != nil {
		return err
	}
	if err := d.settleAll(ctx, name, all); err != nil {
		return err
	}
	for c, origin := range origins {
		if err := d.Rename(ctx, origin, c); err != nil {
			return err
		}
	}
	return d.change(ctx, name, func(c *Cell) { c.Founding = false })
}

const (
	// atOnce is how many communities are settled in one transaction, and slotsAtOnce how many transactions are made at a time.
	atOnce      = 50
	slotsAtOnce = 8
)

// settleAll has communities live in a cell. It is ErrElsewhere if one of them lives in another.
func (d *Directory) settleAll(ctx context.Context, cell string, communities []string) error {
	bySlot := map[int][]string{}
	for _, c := range communities {
		bySlot[slotOf(c)] = append(bySlot[slotOf(c)], c)
	}
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(slotsAtOnce)
	for n, here := range bySlot {
		all.Go(func() error {
			for some := range slices.Chunk(here, atOnce) {
				err := d.update(ctx, n, func(tx storage.Tx) error { return errors.Join(nowhereElse(tx, cell, some), settle(tx, cell, some...)) })
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return all.Wait()
}

// nowhereElse is ErrElsewhere if one of the communities lives in another cell than that one.
func nowhereElse(tx storage.Tx, cell string, communities []string) error {
	for _, c := range communities {
		r, err := storage.GetJSON[*record](tx, homeKey(c))
		if err != nil {
			return err
		}
		if r != nil && r.Cell != cell {
			return fmt.Errorf("%w: %s, in %q", ErrElsewhere, c, r.Cell)
		}
	}
	return nil
}

// change changes what is written down of a cell.
func (d *Directory) change(ctx context.Context, name string, do func(*Cell)) error {
	return d.updateHead(ctx, func(tx storage.Tx) error {
		c, err := storage.GetJSON[*Cell](tx, cellKey+name)
		if err != nil {
			return err
		}
		if c == nil {
			return fmt.Errorf("%w: %q", ErrNoCell, name)
		}
		do(c)
		return storage.PutJSON(tx, cellKey+name, c)
	})
}

// readJSON reads what an item has.
func readJSON[T any](it storage.Item) (value T, err error) {
	if err := json.Unmarshal(it.Value, &value); err != nil {
		return value, fmt.Errorf("directory: read %s: %w", it.Key, err)
	}
	return value, nil
}
