package cells

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd"
)

// Slots is how many slots communities lie in, by a hash of their IDs. Each slot is in one directory, with all that is kept of those
// who lie in it. The number never changes.
const Slots = 4096

// What the keys of a directory begin with: those of its slots, of communities, and of how many of them live in which cell. In the
// head stands which directory has which slot.
const (
	slotKeys  = "slot/"
	homeKeys  = "homes/"
	countKeys = "count/"
	rootKey   = "directories"
	// oldKeys began those of communities when there was but one directory, without slots.
	oldKeys = "lives/"
)

const (
	// maxDirectories is how many there can be.
	maxDirectories = 256
	// counters is how many keys of each directory count who lives in a cell, so that not all who settle there change the same.
	counters = 8
	// astrayTime is how long a slot is looked for that is on its way from one directory to another, astrayPause how long it takes
	// until it is looked again, half of that at least, and rootTime how long it is believed where slots are when one isn't there.
	astrayTime  = 3 * time.Second
	astrayPause = 200 * time.Millisecond
	rootTime    = 500 * time.Millisecond
)

// ErrAstray is the error for a slot that its directory doesn't have.
var ErrAstray = errors.New("a part of the directory is on its way to another cluster, or its cluster has lost its data")

// Opener opens the store of another directory than the head, at an address; fresh allows to begin one.
type Opener func(ctx context.Context, address string, fresh bool) (*etcd.Store, error)

// root is what the head says of all directories. The first of them is the head.
type root struct {
	// ID tells the directories of one head from those of another.
	ID     string `json:"id"`
	Places []site `json:"places"`
	// Slots has for each slot the number of its directory.
	Slots []byte `json:"slots"`
	// Moving are slots on their way, if any are.
	Moving *shift `json:"moving,omitempty"`
}

// site is a directory.
type site struct {
	// Key is its name within the root, which its store is called by; Address is where that is. The head has neither.
	Key     string `json:"key,omitempty"`
	Address string `json:"address,omitempty"`
	// Closed says that it is to have no slots.
	Closed bool `json:"closed,omitempty"`
}

// label is what the store of a directory is called.
func (p site) label(r *root) string { return headLabel + " " + p.Key + " of " + r.ID }

// headLabel is what the head is called.
const headLabel = "directory"

// slotOf is the slot of an ID.
func slotOf(c string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(c))
	sum := h.Sum32()
	return int((sum ^ sum>>12 ^ sum>>24) % Slots)
}

func slotKey(n int) string    { return fmt.Sprintf("%s%03x", slotKeys, n) }
func homesOf(n int) string    { return fmt.Sprintf("%s%03x/", homeKeys, n) }
func homeKey(c string) string { return homesOf(slotOf(c)) + c }

// countKey is where those are counted that lie in a slot and live in a cell, among others.
func countKey(cell string, n int) string { return fmt.Sprintf("%s%s/%d", countKeys, cell, n%counters) }

// count changes how many of a slot live in cells.
func count(tx storage.Tx, n int, by map[string]int) error {
	for _, cell := range slices.Sorted(maps.Keys(by)) {
		if by[cell] == 0 {
			continue
		}
		live, err := storage.GetJSON[int](tx, countKey(cell, n))
		if err != nil {
			return err
		}
		if err := storage.PutJSON(tx, countKey(cell, n), live+by[cell]); err != nil {
			return err
		}
	}
	return nil
}

// slots is what is known of where slots are.
type slots struct {
	mu     sync.Mutex
	root   *root
	loaded time.Time
	// others are the directories but the head, by their keys.
	others map[string]*other
}

// other is a directory that isn't the head.
type other struct {
	turn  chan struct{} // has one that opens it
	store *etcd.Store
}

// New is the directory whose head is in a store, which must be for nothing else; in an empty one it begins. Open opens the others,
// when they are needed. The Directory must be closed, which closes the store.
func New(ctx context.Context, store *etcd.Store, open Opener) (*Directory, error) {
	is, err := store.Label(ctx, "")
	if err == nil && is == "" {
		var there []storage.Item
		if there, err = store.Scan(ctx, "", "", 1); err == nil && len(there) > 0 {
			return nil, fmt.Errorf("directory: %w: there is a database", ErrLabel)
		}
		if err == nil {
			is, err = store.Label(ctx, headLabel)
		}
	}
	switch {
	case err == nil && strings.HasPrefix(is, headLabel+" "):
		err = fmt.Errorf("%w: it is a %s: name that", ErrLabel, strings.TrimPrefix(is, headLabel+" "))
	case err == nil && is != headLabel:
		err = fmt.Errorf("%w: it is %s, not a directory", ErrLabel, is)
	}
	if err != nil {
		return nil, fmt.Errorf("directory: %w", err)
	}
	d := &Directory{head: store, open: open, slots: slots{others: map[string]*other{}}}
	if err := d.load(ctx); err != nil {
		return nil, err
	}
	if d.root == nil {
		if err := d.begin(ctx); err != nil {
			return nil, err
		}
		if err := d.load(ctx); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Close closes the stores of all directories.
func (d *Directory) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.head.Close()
	for _, o := range d.others {
		if o.store != nil {
			err = errors.Join(err, o.store.Close())
		}
	}
	return err
}

// load reads the root; it is nil where there is none yet.
func (d *Directory) load(ctx context.Context) error {
	items, err := d.head.Get(ctx, rootKey)
	if err != nil {
		return fmt.Errorf("directory: %w", err)
	}
	if items[0].Rev == 0 {
		return nil
	}
	r, err := readJSON[*root](items[0])
	if err == nil && (len(r.Slots) != Slots || len(r.Places) == 0) {
		err = fmt.Errorf("directory: %s has %d slots", rootKey, len(r.Slots))
	}
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.root, d.loaded = r, time.Now()
	return nil
}

// begin makes the head of what there is: nothing, or a directory without slots.
func (d *Directory) begin(ctx context.Context) error {
	if err := d.bring(ctx); err != nil {
		return err
	}
	all := make([]int, Slots)
	for n := range all {
		all[n] = n
	}
	for some := range slices.Chunk(all, storage.MaxKeys/2) {
		err := d.beginning(ctx, func(tx storage.Tx) error {
			for _, n := range some {
				tx.Put(slotKey(n), []byte{})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return d.beginning(ctx, func(tx storage.Tx) error {
		return storage.PutJSON(tx, rootKey, root{ID: rand.Text(), Places: []site{{}}, Slots: make([]byte, Slots)})
	})
}

// beginning is a transaction in the head as long as it has no root.
func (d *Directory) beginning(ctx context.Context, fn func(storage.Tx) error) error {
	return d.updateHead(ctx, func(tx storage.Tx) error {
		items, err := tx.Get(rootKey)
		if err != nil || items[0].Rev != 0 {
			return err
		}
		return fn(tx)
	})
}

// bring brings what stands in a directory without slots to where it belongs now, while nobody serves.
func (d *Directory) bring(ctx context.Context) error {
	there, err := d.head.Scan(ctx, oldKeys, "", 1)
	if err == nil && len(there) > 0 {
		if err = nobody(ctx, d.head); err != nil {
			err = fmt.Errorf("it was made by an older zevaka: %w", err)
		}
	}
	if err != nil {
		return fmt.Errorf("directory: %w", err)
	}
	for page, err := range storage.Pages(ctx, d.head, oldKeys) {
		if err != nil {
			return fmt.Errorf("directory: %w", err)
		}
		for some := range slices.Chunk(page, storage.MaxKeys/4) {
			err := d.beginning(ctx, func(tx storage.Tx) error {
				old, err := tx.Get(keysOf(some)...)
				if err != nil {
					return err
				}
				for _, it := range slices.DeleteFunc(old, func(it storage.Item) bool { return it.Rev == 0 }) {
					c := strings.TrimPrefix(it.Key, oldKeys)
					tx.Delete(it.Key)
					it.Key = homeKey(c)
					if err := fill(tx, slotOf(c), it); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// fill puts what is kept of communities of a slot, where it isn't there yet, and counts them.
func fill(tx storage.Tx, n int, some ...storage.Item) error {
	there, err := tx.Get(keysOf(some)...)
	if err != nil {
		return err
	}
	by := map[string]int{}
	for i, it := range there {
		r, err := readJSON[record](some[i])
		switch {
		case err != nil:
			return err
		case it.Rev != 0:
			continue
		case r.Cell != "":
			by[r.Cell]++
		}
		tx.Put(it.Key, some[i].Value)
	}
	return count(tx, n, by)
}

// storeOf is the store that has a slot, as far as is known. Again says that it wasn't where it was known to be.
func (d *Directory) storeOf(ctx context.Context, n int, again bool) (*etcd.Store, error) {
	d.mu.Lock()
	r, old := d.root, time.Since(d.loaded) > rootTime
	d.mu.Unlock()
	if again && old {
		if err := d.load(ctx); err != nil {
			return nil, err
		}
		d.mu.Lock()
		r = d.root
		d.mu.Unlock()
	}
	at := int(r.Slots[n])
	if r.Moving != nil && r.Moving.has(n) {
		at = r.Moving.To
	}
	return d.store(ctx, r, at)
}

// store is the store of a directory, by its number.
func (d *Directory) store(ctx context.Context, r *root, at int) (*etcd.Store, error) {
	if at == 0 {
		return d.head, nil
	}
	p := r.Places[at]
	d.mu.Lock()
	o := d.others[p.Key]
	if o == nil {
		o = &other{turn: make(chan struct{}, 1)}
		d.others[p.Key] = o
	}
	store := o.store
	d.mu.Unlock()
	if store != nil {
		return store, nil
	}
	select {
	case o.turn <- struct{}{}:
		defer func() { <-o.turn }()
	case <-ctx.Done():
		return nil, fmt.Errorf("directory %s: %w: %w", p.Address, storage.ErrUnavailable, ctx.Err())
	}
	d.mu.Lock()
	store = o.store
	d.mu.Unlock()
	if store != nil {
		return store, nil
	}
	store, err := d.reach(ctx, r, p)
	if err == nil {
		d.mu.Lock()
		o.store = store
		d.mu.Unlock()
	}
	return store, err
}

// reach opens the store of a directory.
func (d *Directory) reach(ctx context.Context, r *root, p site) (*etcd.Store, error) {
	store, err := d.open(ctx, p.Address, false)
	if err != nil {
		return nil, fmt.Errorf("directory: %w", err)
	}
	is, err := store.Label(ctx, "")
	if err == nil && is != p.label(r) {
		err = fmt.Errorf("directory: %w: %s is %q, not %q", ErrLabel, p.Address, is, p.label(r))
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// at calls fn with the store that has a slot; where fn returns ErrAstray, again with the one that has it by then.
func (d *Directory) at(ctx context.Context, n int, fn func(*etcd.Store) error) error {
	for begun, again := time.Now(), false; ; again = true {
		store, err := d.storeOf(ctx, n, again)
		if err == nil {
			err = fn(store)
		}
		if !errors.Is(err, ErrAstray) || ctx.Err() != nil || time.Since(begun) > astrayTime {
			return err
		}
		if again { // The first time it may just have moved.
			sleep(ctx, astrayPause/2+mathrand.N(astrayPause))
		}
	}
}

// look is what is kept of an ID.
func (d *Directory) look(ctx context.Context, c string) (found storage.Item, err error) {
	n := slotOf(c)
	err = d.at(ctx, n, func(s *etcd.Store) error {
		items, err := s.Get(ctx, slotKey(n), homeKey(c))
		if err != nil {
			return err
		}
		found = items[1]
		return there(items[0])
	})
	return found, err
}

// there is ErrAstray if a slot isn't.
func there(slot storage.Item) error {
	if slot.Rev == 0 {
		return fmt.Errorf("%w: %s", ErrAstray, slot.Key)
	}
	return nil
}

// update is storage.Update in the store that has a slot, on the condition that it does.
func (d *Directory) update(ctx context.Context, n int, fn func(storage.Tx) error) error {
	err := d.at(ctx, n, func(s *etcd.Store) error { return updateSlot(ctx, s, n, fn) })
	if err != nil {
		return fmt.Errorf("directory: %w", err)
	}
	return nil
}

// updateSlot is storage.Update in a store, on the condition that it has a slot.
func updateSlot(ctx context.Context, s storage.Store, n int, fn func(storage.Tx) error) error {
	return storage.Update(ctx, s, func(tx storage.Tx) error {
		items, err := tx.Get(slotKey(n))
		if err == nil {
			err = there(items[0])
		}
		if err != nil {
			return err
		}
		return fn(tx)
	})
}

// updateHead is storage.Update in the head.
func (d *Directory) updateHead(ctx context.Context, fn func(storage.Tx) error) error {
	if err := storage.Update(ctx, d.head, fn); err != nil {
		return fmt.Errorf("directory: %w", err)
	}
	return nil
}

// population is how many communities live in each cell.
func (d *Directory) population(ctx context.Context) (map[string]int, error) {
	d.mu.Lock()
	r := d.root
	d.mu.Unlock()
	all := map[string]int{}
	for at := range r.Places {
		store, err := d.store(ctx, r, at)
		if err != nil {
			return nil, err
		}
		for page, err := range storage.Pages(ctx, store, countKeys) {
			if err != nil {
				return nil, fmt.Errorf("directory: %w", err)
			}
			for _, it := range page {
				live, err := readJSON[int](it)
				if err != nil {
					return nil, err
				}
				cell, _, _ := strings.Cut(strings.TrimPrefix(it.Key, countKeys), "/")
				all[cell] += live
			}
		}
	}
	return all, nil
}

// populationOf is how many live in each of two cells, of those in the directory that has a slot.
func (d *Directory) populationOf(ctx context.Context, n int, cells ...string) (live [2]int, err error) {
	keys := []string{slotKey(n)}
	for _, cell := range cells {
		for i := range counters {
			keys = append(keys, countKey(cell, i))
		}
	}
	err = d.at(ctx, n, func(s *etcd.Store) error {
		items, err := s.Get(ctx, keys...)
		if err != nil {
			return err
		}
		live = [2]int{}
		for i, it := range items[1:] {
			if it.Rev == 0 {
				continue
			}
			one, err := strconv.Atoi(string(it.Value))
			if err != nil {
				return fmt.Errorf("directory: read %s: %w", it.Key, err)
			}
			live[i/counters] += one
		}
		return there(items[0])
	})
	return live, err
}
