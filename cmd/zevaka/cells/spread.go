package cells

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"zevaka/storage"
	"zevaka/storage/etcd"
)

const (
	// spreadThing is held by whoever moves slots: in the head, and in both directories.
	spreadThing = "slots"
	// shiftSlots is how many slots move at once, at most, and shiftHomes of how many communities they have hardly more.
	shiftSlots = 32
	shiftHomes = 1000
)

var (
	// ErrSpreading is the error for slots that somebody moves at the moment.
	ErrSpreading = errors.New("another command of zevaka works on the directories")
	// ErrNoDirectory is the error for an address that no directory has.
	ErrNoDirectory = errors.New("there is no such directory")
	// ErrLastDirectory says that no directory would be left.
	ErrLastDirectory = errors.New("one directory has to stay")
)

// Part is one of the directories.
type Part struct {
	// Address is where it is; empty for the head.
	Address string
	// Slots is how many it has, Communities how many IDs of communities lie in those.
	Slots, Communities int
	// Closed says that it is to have none.
	Closed bool
}

// Parts are all directories, the head first.
func (d *Directory) Parts(ctx context.Context) ([]Part, error) {
	if err := d.load(ctx); err != nil {
		return nil, err
	}
	r := d.known()
	all := make([]Part, len(r.Places))
	for at, p := range r.Places {
		all[at].Address, all[at].Closed = p.Address, p.Closed
		store, err := d.store(ctx, r, at)
		if err != nil {
			return nil, err
		}
		for page, err := range storage.Pages(ctx, store, homeKeys) {
			if err != nil {
				return nil, fmt.Errorf("directory: %w", err)
			}
			all[at].Communities += len(page)
		}
	}
	for _, at := range r.Slots {
		all[at].Slots++
	}
	return all, nil
}

// known is the root as it was read last, which nobody changes.
func (d *Directory) known() *root {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.root
}

// Spreader moves slots between directories.
type Spreader struct {
	*Directory
	// Step is told of each step when it is done, of one at a time, for tests; with an error it stops there. It may be nil.
	Step func(name string) error
}

// Add makes the store at an address one of the directories, and moves slots until each has as many as the others, while all are
// served. A store that is one already gets that address. When it was ended in the middle, called again it goes on where it was.
func (s Spreader) Add(ctx context.Context, address string) error {
	return s.held(ctx, func(x *spreading) error {
		if address != "" {
			if err := x.enter(ctx, address); err != nil {
				return err
			}
		}
		return x.run(ctx)
	})
}

// Remove moves all slots of a directory to the others. An empty address is the head's, which stays the head.
func (s Spreader) Remove(ctx context.Context, address string) error {
	return s.held(ctx, func(x *spreading) error {
		err := x.change(ctx, func(r *root) error {
			at := slices.IndexFunc(r.Places, func(p site) bool { return p.Address == address })
			if at < 0 {
				return fmt.Errorf("%w: %s", ErrNoDirectory, address)
			}
			r.Places[at].Closed = true
			if !slices.ContainsFunc(r.Places, func(p site) bool { return !p.Closed }) {
				return ErrLastDirectory
			}
			return nil
		})
		if err != nil {
			return err
		}
		return x.run(ctx)
	})
}

// spreading is a Spreader at work.
type spreading struct {
	Spreader
	// holds are what it holds in the directories, by their numbers, leave ends the sessions in which it does.
	holds map[int]*etcd.Hold
	leave []func(context.Context) error
	mu    sync.Mutex // held while Step is told
}

// held calls fn while nobody else moves slots.
func (s Spreader) held(ctx context.Context, fn func(*spreading) error) (err error) {
	x := &spreading{Spreader: s, holds: map[int]*etcd.Hold{}}
	defer func() {
		for _, leave := range x.leave {
			err = errors.Join(err, leave(context.WithoutCancel(ctx)))
		}
		if err != nil {
			err = fmt.Errorf("directories: %w", err)
		}
	}()
	if _, err := x.hold(ctx, 0); err != nil {
		return err
	}
	return fn(x)
}

// hold is what this command holds in a directory, so that whatever another does there late is refused.
func (x *spreading) hold(ctx context.Context, at int) (*etcd.Hold, error) {
	if h := x.holds[at]; h != nil {
		return h, nil
	}
	store, err := x.store(ctx, x.known(), at)
	if err != nil {
		return nil, err
	}
	session, err := store.Join(ctx, "zevaka-directories")
	if err != nil {
		return nil, err
	}
	x.leave = append(x.leave, session.Leave)
	h, err := session.Take(ctx, spreadThing)
	if err == nil && h == nil {
		err = ErrSpreading
	}
	x.holds[at] = h
	return h, err
}

// change changes the root.
func (x *spreading) change(ctx context.Context, fn func(*root) error) error {
	err := storage.Update(ctx, x.holds[0].Whole(), func(tx storage.Tx) error {
		r, err := storage.GetJSON[root](tx, rootKey)
		if err != nil {
			return err
		}
		before, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := fn(&r); err != nil {
			return err
		}
		after, err := json.Marshal(r)
		if err == nil && !bytes.Equal(before, after) {
			tx.Put(rootKey, after)
		}
		return err
	})
	if err != nil {
		return err
	}
	return x.load(ctx)
}

// enter makes the store at an address one of the directories.
func (x *spreading) enter(ctx context.Context, address string) (err error) {
	store, err := x.open(ctx, address, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	is, err := store.Label(ctx, "")
	if err != nil {
		return err
	}
	if is == headLabel {
		r := x.known()
		there, err := store.Get(ctx, rootKey)
		if err != nil {
			return err
		}
		if head, err := readJSON[root](there[0]); err != nil || head.ID != r.ID {
			return errors.Join(err, fmt.Errorf("%w: %s is a directory of its own", ErrLabel, address))
		}
		return x.change(ctx, func(r *root) error { r.Places[0].Closed = false; return nil })
	}
	if is == "" {
		there, err := store.Scan(ctx, "", "", 1)
		if err == nil && len(there) > 0 {
			err = fmt.Errorf("%w: there is a database", ErrLabel)
		}
		if err == nil {
			is, err = store.Label(ctx, site{Key: rand.Text()[:8]}.label(x.known()))
		}
		if err != nil {
			return err
		}
	}
	return x.change(ctx, func(r *root) error {
		key, ok := strings.CutPrefix(is, headLabel+" ")
		if ok {
			key, ok = strings.CutSuffix(key, " of "+r.ID)
		}
		if !ok {
			return fmt.Errorf("%w: %s is %s", ErrLabel, address, is)
		}
		at := slices.IndexFunc(r.Places, func(p site) bool { return p.Key == key })
		if at < 0 {
			if at = len(r.Places); at == maxDirectories {
				return fmt.Errorf("there are %d directories, and no more can be", at)
			}
			r.Places = append(r.Places, site{Key: key})
		}
		r.Places[at].Address, r.Places[at].Closed = address, false
		return nil
	})
}

// run moves slots until each directory has its share.
func (x *spreading) run(ctx context.Context) error {
	for {
		s := x.known().Moving
		if s == nil {
			var err error
			if s, err = x.next(ctx); err != nil || s == nil {
				return err
			}
			if err := x.change(ctx, func(r *root) error { r.Moving = s; return nil }); err != nil {
				return err
			}
			if err := x.tell("begun"); err != nil {
				return err
			}
		}
		if err := x.end(ctx, s); err != nil {
			return err
		}
	}
}

// tell tells of a step.
func (x *spreading) tell(name string) error {
	if x.Step == nil {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.Step(name)
}

// next are some slots that one directory has too many of and another too few; nil if all have their shares.
func (x *spreading) next(ctx context.Context) (*shift, error) {
	r := x.known()
	over := r.over()
	from, to := 0, 0
	for at := range over {
		if over[at] > over[from] {
			from = at
		}
		if over[at] < over[to] {
			to = at
		}
	}
	most := min(over[from], -over[to], shiftSlots)
	if most <= 0 {
		return nil, nil
	}
	store, err := x.store(ctx, r, from)
	if err != nil {
		return nil, err
	}
	first := slices.Index(r.Slots, byte(from)) //nolint:gosec // There are no more than maxDirectories.
	// As many of the next slots as have so many communities together.
	homes, err := store.Scan(ctx, homeKeys, homesOf(first), shiftHomes)
	if err != nil {
		return nil, err
	}
	end := Slots
	if len(homes) == shiftHomes {
		name, _, _ := strings.Cut(strings.TrimPrefix(homes[len(homes)-1].Key, homeKeys), "/")
		last, err := strconv.ParseInt(name, 16, 0)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", homes[len(homes)-1].Key, err)
		}
		end = max(int(last), first+1)
	}
	s := &shift{From: from, To: to}
	for n := first; n < end && len(s.Slots) < most; n++ {
		if int(r.Slots[n]) == from {
			s.Slots = append(s.Slots, n)
		}
	}
	return s, nil
}

// over is for each directory how many slots more it has than its share; less than 0 if it has fewer.
func (r *root) over() []int {
	over := make([]int, len(r.Places))
	for _, at := range r.Slots {
		over[at]++
	}
	open, nth := 0, 0
	for _, p := range r.Places {
		if !p.Closed {
			open++
		}
	}
	for at, p := range r.Places {
		if p.Closed {
			continue
		}
		over[at] -= Slots / open
		if nth < Slots%open {
			over[at]--
		}
		nth++
	}
	return over
}

// end moves slots, from wherever that was broken off: nobody can reach them any more where they are, they are copied, they can be
// reached where they go, that stands in the root, and what is left where they were is taken away. Those who look for one of them
// meanwhile try again.
func (x *spreading) end(ctx context.Context, s *shift) error {
	from, err := x.hold(ctx, s.From)
	if err != nil {
		return err
	}
	to, err := x.hold(ctx, s.To)
	if err != nil {
		return err
	}
	open, err := isOpen(ctx, to.Whole(), s.Slots)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		name string
		done bool
		do   func() error
	}{
		{"shut", open, func() error { return mark(ctx, from, s.Slots, nil) }},
		{"copied", open, func() error { return x.copy(ctx, s, from.Whole(), to.Whole()) }},
		{"opened", open, func() error { return mark(ctx, to, s.Slots, []byte{}) }},
		{"moved", s.Clearing, func() error { return x.change(ctx, s.moved) }},
		{"cleared", false, func() error { return clearSlots(ctx, from.Whole(), s.Slots) }},
		{"ended", false, func() error { return x.change(ctx, func(r *root) error { r.Moving = nil; return nil }) }},
	} {
		if step.done {
			continue
		}
		if err := step.do(); err != nil {
			return err
		}
		if err := x.tell(step.name); err != nil {
			return err
		}
	}
	return nil
}
