package cells

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"zevaka/storage"
	"zevaka/storage/etcd"
)

// step is how far a move is.
type step string

const (
	// copying: it lives in Cell, Other gets a copy, and nobody serves it. It can still stay.
	copying step = "copying"
	// entering: it lives in Cell, which was told so by nobody yet; nobody serves it.
	entering step = "entering"
	// clearing: it lives in Cell and is served there; what is left of it in Other is taken away.
	clearing step = "clearing"
)

// wait is Mover.Wait if nothing was said.
const wait = 500 * time.Millisecond

const (
	// MoveThing begins the name of what is held by whoever moves a community: in the directory, and in both cells.
	MoveThing = "move/"
	// AloneThing is what is held by whoever has the database of a cell to themselves.
	AloneThing = "alone"
)

var (
	// ErrSame is the error for a community that is to move where it lives.
	ErrSame = errors.New("the community lives there already")
	// ErrMoving is the error for a community that somebody moves at the moment.
	ErrMoving = errors.New("the community is being moved by another command")
	// ErrOnItsWay is the error for a community that is on its way to another cell.
	ErrOnItsWay = errors.New("the community is on its way to another cell: end that first, or call it back")
	// ErrAlone is the error for a cell that a command has to itself.
	ErrAlone = errors.New("another command of zevaka works on the database of the cell")
)

// Mover moves communities.
type Mover struct {
	Directory *Directory
	// Open opens the store of a cell, which the Mover closes.
	Open func(context.Context, Cell) (*etcd.Store, error)
	// Wait is how long those who serve the community have to end what is under way when they hear that it moves, half a second if
	// it is 0. What takes longer is refused.
	Wait time.Duration
	// Step is told of each step when it is done, for tests; with an error the move stops there. It may be nil.
	Step func(name string) error
}

// Moved is what was moved.
type Moved struct {
	From, To string
	Items    int
	// Away is how long nobody served the community.
	Away time.Duration
}

// Moving is the move of which those are told who follow what is held in the directory; false if the thing is no move. By is who
// holds it, First the community, From and To the cells.
func Moving(thing, by string) (first, from, to string, ok bool) {
	first, ok = strings.CutPrefix(thing, MoveThing)
	if fields := strings.Fields(by); len(fields) == 3 {
		from, to = fields[1], fields[2]
	}
	return first, from, to, ok
}

// move is a move under way.
type move struct {
	Mover
	first    string
	family   []string
	at       record
	hold     *etcd.Hold // in the directory that has the record
	from, to side
	moved    Moved
}

// side is one of the two cells.
type side struct {
	name  string
	store *etcd.Store
	hold  *etcd.Hold
}

// Move has a community live in another cell, while both are served. When it was ended in the middle, called again it goes on where
// it was; called with the cell from which it came it goes back, as long as the other one hasn't begun. Nobody serves the community
// while it is copied.
func (m Mover) Move(ctx context.Context, community, to string) (moved Moved, err error) {
	for {
		moved, err = m.move(ctx, community, to)
		if !errors.Is(err, ErrAstray) || ctx.Err() != nil {
			return moved, err
		}
		sleep(ctx, astrayPause) // The record moves to another directory: from there it goes on.
	}
}

// move is Move where the record stays in its directory.
func (m Mover) move(ctx context.Context, community, to string) (moved Moved, err error) {
	if _, err := m.Directory.Cell(ctx, to); err != nil {
		return moved, err
	}
	first, r, err := m.Directory.read(ctx, community)
	if err != nil {
		return moved, err
	}
	if r.Step == entering || r.Step == clearing { // What was begun comes first.
		if moved, err = m.between(ctx, first, r.Other, r.Cell); err != nil || r.Cell == to {
			return moved, err
		}
		r.Step = ""
	}
	switch {
	case r.Step == copying && to == r.Cell:
		return m.between(ctx, first, r.Other, r.Cell)
	case r.Step == copying && to != r.Other:
		return moved, fmt.Errorf("%w: from %s to %s", ErrOnItsWay, r.Cell, r.Other)
	case r.Cell == to:
		return moved, fmt.Errorf("%w: %s in %s", ErrSame, community, to)
	}
	return m.between(ctx, first, r.Cell, to)
}

// between moves a community from one cell to another, or ends that.
func (m Mover) between(ctx context.Context, first, from, to string) (Moved, error) {
	x := &move{Mover: m, first: first, from: side{name: from}, to: side{name: to}, moved: Moved{From: from, To: to}}
	err := x.enter(ctx, &x.from, func() error {
		return x.enter(ctx, &x.to, func() error {
			return x.announced(ctx, func() error { return x.run(ctx) })
		})
	})
	if err != nil {
		return x.moved, fmt.Errorf("move %s from %s to %s: %w", first, from, to, err)
	}
	return x.moved, nil
}

// announced calls fn while it is held in the head, where those who serve see it, and in the directory that has the record, that the
// community is moved.
func (x *move) announced(ctx context.Context, fn func() error) error {
	head := x.Directory.head
	store, err := x.Directory.storeOf(ctx, slotOf(x.first), false)
	switch {
	case err != nil:
		return err
	case store == head:
		return x.held(ctx, head, func(hold *etcd.Hold) error { x.hold = hold; return fn() })
	}
	return x.held(ctx, store, func(hold *etcd.Hold) error {
		x.hold = hold
		return x.held(ctx, head, func(*etcd.Hold) error { return fn() })
	})
}

// enter calls fn with the store of a cell open, in which nobody else moves the community.
func (x *move) enter(ctx context.Context, s *side, fn func() error) (err error) {
	cell, err := x.Directory.Cell(ctx, s.name)
	if err != nil {
		return err
	}
	if s.store, err = x.Open(ctx, cell); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.store.Close()) }()
	if is, err := s.store.Label(ctx, ""); err != nil || is != cellLabel(s.name) {
		return errors.Join(err, fmt.Errorf("%w: %s is %q, not cell %s", ErrLabel, cell.Store, is, s.name))
	}
	return x.held(ctx, s.store, func(hold *etcd.Hold) error {
		s.hold = hold
		// Whoever wants to be alone looks whether something is moved after it has written that down: so one of the two sees the
		// other.
		all, err := s.store.Held(ctx)
		if err != nil {
			return err
		}
		for _, one := range all {
			if one.Thing == AloneThing {
				return fmt.Errorf("%w: %s", ErrAlone, one.By)
			}
		}
		return fn()
	})
}

// held calls fn while it is held in a store that the community is moved.
func (x *move) held(ctx context.Context, store *etcd.Store, fn func(*etcd.Hold) error) (err error) {
	session, err := store.Join(ctx, fmt.Sprintf("zevaka-move %s %s", x.from.name, x.to.name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Leave(context.WithoutCancel(ctx))) }()
	hold, err := session.Take(ctx, MoveThing+x.first)
	if err == nil && hold == nil {
		err = ErrMoving
	}
	if err != nil {
		return err
	}
	return fn(hold)
}

// run does what is left to do.
func (x *move) run(ctx context.Context) (err error) {
	if _, x.at, err = x.Directory.read(ctx, x.first); err != nil {
		return err
	}
	x.family = append([]string{x.first}, x.at.Also...)
	if x.at.Step == copying && x.at.Cell == x.to.name {
		if err := x.resolve(ctx); err != nil {
			return err
		}
		return x.back(ctx)
	}
	begun := time.Now()
	for _, one := range []struct {
		before step
		do     func(context.Context) error
		after  record
	}{
		{"", nil, record{Cell: x.from.name, Step: copying, Other: x.to.name}},
		{copying, x.copy, record{Cell: x.to.name, Step: entering, Other: x.from.name}},
		{entering, x.admit, record{Cell: x.to.name, Step: clearing, Other: x.from.name}},
		{clearing, func(ctx context.Context) error { return x.clear(ctx, x.from) }, record{Cell: x.to.name}},
	} {
		if x.at.Step != one.before {
			continue
		}
		if one.do != nil {
			if err := one.do(ctx); err != nil {
				return err
			}
		}
		if err := x.tell("before " + string(one.after.Step)); err != nil {
			return err
		}
		if err := x.set(ctx, one.after); err != nil {
			return err
		}
		if one.after.Step == clearing {
			x.moved.Away = time.Since(begun)
		}
		if err := x.tell("after " + string(one.after.Step)); err != nil {
			return err
		}
		if one.after.Step == "" {
			return nil
		}
	}
	return fmt.Errorf("%w: it is at %+v", ErrMoving, x.at)
}

// admit has the community live in the other cell.
func (x *move) admit(ctx context.Context) error { return x.to.hold.Admit(ctx, x.family...) }

// tell tells of a step.
func (x *move) tell(name string) error {
	if x.Step == nil {
		return nil
	}
	return x.Step(name)
}

// back has the community stay where it lives, though it was on its way: from the other cell, which has some of it, to that one.
func (x *move) back(ctx context.Context) error {
	if err := x.clear(ctx, x.from); err != nil {
		return err
	}
	if err := x.to.hold.Admit(ctx, x.family...); err != nil {
		return err
	}
	return x.set(ctx, record{Cell: x.to.name})
}

// resolve lets go of IDs that are none of the community's after all: of which it was begun to say so, and couldn't be. From when it
// is being moved none is added.
func (x *move) resolve(ctx context.Context) error {
	var also []string
	for _, c := range x.at.Also {
		first, _, err := x.Directory.read(ctx, c)
		switch {
		case err == nil && first == x.first:
			also = append(also, c)
		case err != nil && !errors.Is(err, ErrNowhere):
			return err
		}
	}
	if len(also) == len(x.at.Also) {
		return nil
	}
	x.family = append([]string{x.first}, also...)
	now := x.at
	now.Also = also
	return x.put(ctx, now)
}

// set changes what the directory says of how far the move is.
func (x *move) set(ctx context.Context, now record) error {
	now.Also = x.at.Also
	return x.put(ctx, now)
}

// put changes what the directory says, on the condition that it says what is known, and that nobody else moves the community.
func (x *move) put(ctx context.Context, now record) error {
	known, err := json.Marshal(x.at)
	if err != nil {
		return err
	}
	wanted, err := json.Marshal(now)
	if err != nil {
		return err
	}
	key, n := homeKey(x.first), slotOf(x.first)
	err = updateSlot(ctx, x.hold.Whole(), n, func(tx storage.Tx) error {
		items, err := tx.Get(key)
		switch {
		case err != nil:
			return err
		case bytes.Equal(items[0].Value, wanted): // It was made, and the answer was lost.
			return nil
		case !bytes.Equal(items[0].Value, known):
			return ErrMoving
		}
		tx.Put(key, wanted)
		if now.Cell == x.at.Cell {
			return nil
		}
		return count(tx, n, map[string]int{x.at.Cell: -1, now.Cell: 1})
	})
	if err == nil {
		x.at = now
	}
	return err
}
