package cells

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"zevaka/storage"
	"zevaka/storage/etcd"
)

// shift is some slots on their way from one directory to another, by their numbers.
type shift struct {
	Slots []int `json:"slots"`
	From  int   `json:"from"`
	To    int   `json:"to"`
	// Clearing says that they are there, and that what is left where they were is taken away.
	Clearing bool `json:"clearing,omitempty"`
}

// has reports whether a slot is on its way.
func (s *shift) has(n int) bool { return !s.Clearing && slices.Contains(s.Slots, n) }

// moved says in the root that slots are where they go.
func (s *shift) moved(r *root) error {
	for _, n := range s.Slots {
		r.Slots[n] = byte(s.To) //nolint:gosec // There are no more than maxDirectories.
	}
	r.Moving = &shift{Slots: s.Slots, From: s.From, To: s.To, Clearing: true}
	return nil
}

// isOpen reports whether a store has slots, of which it has all or none.
func isOpen(ctx context.Context, store storage.Store, slots []int) (bool, error) {
	items, err := store.Get(ctx, slotKey(slots[0]))
	return err == nil && items[0].Rev != 0, err
}

// mark puts the keys of slots, or takes them away if value is nil.
func mark(ctx context.Context, hold *etcd.Hold, slots []int, value []byte) error {
	return storage.Update(ctx, hold.Whole(), func(tx storage.Tx) error {
		for _, n := range slots {
			if value == nil {
				tx.Delete(slotKey(n))
			} else {
				tx.Put(slotKey(n), value)
			}
		}
		return nil
	})
}

// copy copies what is kept in slots, and compares. What an earlier try has left there is taken away first.
func (x *spreading) copy(ctx context.Context, s *shift, from, to storage.Store) error {
	return each(ctx, s.Slots, func(ctx context.Context, n int) error {
		if err := clearSlot(ctx, to, n); err != nil {
			return err
		}
		if err := copySlot(ctx, from, to, n); err != nil {
			return err
		}
		return x.tell("slot")
	})
}

// each calls fn for all slots, for some at a time.
func each(ctx context.Context, slots []int, fn func(context.Context, int) error) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(slotsAtOnce)
	for _, n := range slots {
		all.Go(func() error { return fn(ctx, n) })
	}
	return all.Wait()
}

// copySlot copies what is kept in a slot, and compares.
func copySlot(ctx context.Context, from, to storage.Store, n int) error {
	want, found := 0, 0
	for page, err := range storage.Pages(ctx, from, homesOf(n)) {
		if err != nil {
			return err
		}
		for some := range slices.Chunk(page, atOnce/2) {
			if err := storage.Update(ctx, to, func(tx storage.Tx) error { return fill(tx, n, some...) }); err != nil {
				return err
			}
			there, err := to.Get(ctx, keysOf(some)...)
			if err != nil {
				return err
			}
			for i, it := range there {
				if !bytes.Equal(it.Value, some[i].Value) {
					return fmt.Errorf("the copy differs at %s", it.Key)
				}
			}
		}
		want += len(page)
	}
	for page, err := range storage.Pages(ctx, to, homesOf(n)) {
		if err != nil {
			return err
		}
		found += len(page)
	}
	if found != want {
		return fmt.Errorf("the copy of %s has %d items of %d", homesOf(n), found, want)
	}
	return nil
}

// clearSlots takes away what a store keeps in slots.
func clearSlots(ctx context.Context, store storage.Store, slots []int) error {
	return each(ctx, slots, func(ctx context.Context, n int) error { return clearSlot(ctx, store, n) })
}

// clearSlot takes away what a store keeps in a slot, and who of that is counted.
func clearSlot(ctx context.Context, store storage.Store, n int) error {
	for page, err := range storage.Pages(ctx, store, homesOf(n)) {
		if err != nil {
			return err
		}
		for some := range slices.Chunk(page, atOnce/2) {
			err := storage.Update(ctx, store, func(tx storage.Tx) error {
				there, err := tx.Get(keysOf(some)...)
				if err != nil {
					return err
				}
				by := map[string]int{}
				for _, it := range there {
					if it.Rev == 0 {
						continue
					}
					r, err := readJSON[record](it)
					if err != nil {
						return err
					}
					if r.Cell != "" {
						by[r.Cell]--
					}
					tx.Delete(it.Key)
				}
				return count(tx, n, by)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
