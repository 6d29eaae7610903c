package cells

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"zevaka/bot/clock"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/storage"
	"zevaka/storage/etcd"
)

// batchBytes is how many bytes of values are copied in one transaction, but for a value that has more.
const batchBytes = 512 << 10

// copy has nobody change anything about the community any more, and copies all of it to the other cell, byte for byte but for the
// deadlines of its tables: each part of a cell has a running time of its own.
func (x *move) copy(ctx context.Context) error {
	if err := x.resolve(ctx); err != nil {
		return err
	}
	sleep(ctx, cmp.Or(x.Wait, wait))
	for _, s := range []side{x.from, x.to} {
		if err := s.hold.Shut(ctx, x.family...); err != nil {
			return err
		}
	}
	if err := x.tell("shut"); err != nil {
		return err
	}
	// What an earlier try has left.
	if err := x.clear(ctx, x.to); err != nil {
		return err
	}
	from, to := x.from.hold.Whole(), x.to.hold.Whole()
	for _, c := range x.family {
		shift, err := x.shift(ctx, etcd.PartOf(c))
		if err != nil {
			return err
		}
		for page, err := range items(ctx, from, c) {
			if err != nil {
				return err
			}
			if err := put(ctx, to, shifted(page, shift)); err != nil {
				return err
			}
			if err := x.tell("page"); err != nil {
				return err
			}
		}
		n, err := compare(ctx, from, to, c, shift)
		if err != nil {
			return err
		}
		x.moved.Items += n
	}
	return nil
}

// clear takes all that a cell has of the community away.
func (x *move) clear(ctx context.Context, s side) error {
	store := s.hold.Whole()
	for _, c := range x.family {
		for page, err := range items(ctx, store, c) {
			if err != nil {
				return err
			}
			for some := range slices.Chunk(page, storage.MaxKeys) {
				err := storage.Update(ctx, store, func(tx storage.Tx) error {
					there, err := tx.Get(keysOf(some)...)
					for _, it := range there {
						if it.Rev != 0 {
							tx.Delete(it.Key)
						}
					}
					return err
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// items yields all that a store has of a community, some at a time. They are not of one moment.
func items(ctx context.Context, s storage.Store, c string) iter.Seq2[[]storage.Item, error] {
	return func(yield func([]storage.Item, error) bool) {
		var families []string
		for _, f := range keyspace.All() {
			if f.Prefix != keyspace.Process {
				families = append(families, f.Prefix+c)
			}
		}
		found, err := s.Get(ctx, families...)
		found = slices.DeleteFunc(found, func(it storage.Item) bool { return it.Rev == 0 })
		if !yield(found, err) || err != nil {
			return
		}
		for _, f := range families {
			for page, err := range storage.Pages(ctx, s, f+"/") {
				if !yield(page, err) {
					return
				}
			}
		}
	}
}

// put writes items that aren't there yet. Whatever is made of it late finds them there, and changes nothing.
func put(ctx context.Context, to storage.Store, all []storage.Item) error {
	for len(all) > 0 {
		n, size := 0, 0
		for n < min(len(all), storage.MaxKeys) && (n == 0 || size+len(all[n].Value) <= batchBytes) {
			size += len(all[n].Value)
			n++
		}
		some := all[:n]
		err := storage.Update(ctx, to, func(tx storage.Tx) error {
			there, err := tx.Get(keysOf(some)...)
			if err != nil {
				return err
			}
			for i, it := range there {
				switch {
				case it.Rev == 0:
					tx.Put(it.Key, some[i].Value)
				case !bytes.Equal(it.Value, some[i].Value):
					return fmt.Errorf("something else writes %s", it.Key)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

func keysOf(all []storage.Item) []string {
	keys := make([]string, len(all))
	for i, it := range all {
		keys[i] = it.Key
	}
	return keys
}

// shift is by how much the running time of a part is ahead in the other cell, and something more: nobody has less time for a turn.
func (x *move) shift(ctx context.Context, n int) (time.Duration, error) {
	var times [2]time.Duration
	for i, s := range []side{x.from, x.to} {
		part, err := s.hold.Part(ctx, n)
		if err != nil {
			return 0, err
		}
		saved, err := part.Get(ctx, keyspace.RunningTime)
		if err == nil && saved[0].Rev != 0 {
			err = json.Unmarshal(saved[0].Value, &times[i])
		}
		if err != nil {
			return 0, fmt.Errorf("read a running time: %w", err)
		}
		if err := part.Close(); err != nil {
			return 0, err
		}
	}
	return times[1] + clock.SaveEvery - times[0], nil
}

// shifted are items as another cell has them, whose running time is ahead. What can't be read goes as it is.
func shifted(all []storage.Item, by time.Duration) []storage.Item {
	for i, it := range all {
		id, ok := table.ParseID(strings.TrimPrefix(it.Key, keyspace.OpenTables))
		if !ok || !strings.HasPrefix(it.Key, keyspace.OpenTables) {
			continue
		}
		if t, err := table.Decode(id, it.Value); err == nil {
			table.Shift(t, by)
			if value, err := t.Encode(); err == nil {
				all[i].Value = value
			}
		}
	}
	return all
}

// compare counts the items of a community in two stores, which have to be the same.
func compare(ctx context.Context, a, b storage.Store, c string, shift time.Duration) (n int, err error) {
	for page, err := range items(ctx, a, c) {
		if err != nil {
			return n, err
		}
		for some := range slices.Chunk(shifted(page, shift), storage.MaxKeys) {
			there, err := b.Get(ctx, keysOf(some)...)
			if err != nil {
				return n, err
			}
			for i, it := range there {
				if it.Rev == 0 || !bytes.Equal(it.Value, some[i].Value) {
					return n, fmt.Errorf("the copy differs at %s", it.Key)
				}
			}
			n += len(some)
		}
	}
	copied := 0
	for page, err := range items(ctx, b, c) {
		if err != nil {
			return n, err
		}
		copied += len(page)
	}
	if copied != n {
		return n, fmt.Errorf("the copy has %d items of %d", copied, n)
	}
	return n, nil
}

// sleep waits, but not beyond the end of ctx.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
