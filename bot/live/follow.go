package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"zevaka/bot/table"
	"zevaka/engine"
)

// maxSaid is how many requests are known again by which something was said at a table.
const maxSaid = 32

// follow is one table that somebody looks at.
type follow struct {
	all *Tables

	// tells guards those who look, the newest that was told of the table, and what was said there.
	tells sync.Mutex
	looks map[*Look]struct{}
	last  *table.Table
	// moved says that the table goes on under another ID.
	moved bool
	// said are the requests by which something was said lately.
	said []string

	*position
	// drawn is what was drawn lately, for others who see the same. The position's mu guards it.
	drawn map[eyes]*drawn
}

// position is a table as it is drawn. It outlasts those who look: who looks away and back again has no long log played for that.
type position struct {
	// mu guards the rest: the table and its position, how many entries of its log that has, and which follow drew it last.
	mu    sync.Mutex
	table *table.Table
	state engine.State
	moves int
	by    *follow
}

// tell takes what the table is now, and tells those who look if it has changed.
func (f *follow) tell(t *table.Table) {
	f.tells.Lock()
	defer f.tells.Unlock()
	if f.last != nil && f.last.Level >= t.Level {
		return
	}
	f.last = t
	for k := range f.looks {
		k.told()
	}
}

// errMoved is what those see whose table goes on under another ID.
var errMoved = errors.New("the table goes on under another ID")

// leaves tells those who look that the table goes on under another ID.
func (f *follow) leaves() {
	f.tells.Lock()
	defer f.tells.Unlock()
	f.moved = true
	for k := range f.looks {
		k.told()
	}
}

// left reports whether the table goes on under another ID.
func (f *follow) left() bool {
	f.tells.Lock()
	defer f.tells.Unlock()
	return f.moved
}

// says notes that a request has said something, and reports whether it is the first time.
func (f *follow) says(request string) bool {
	f.tells.Lock()
	defer f.tells.Unlock()
	if slices.Contains(f.said, request) {
		return false
	}
	f.said = append(f.said, request)
	f.said = f.said[max(0, len(f.said)-maxSaid):]
	return true
}

// found takes the table as it was read, unless something newer was told meanwhile.
func (f *follow) found(t *table.Table) {
	f.tells.Lock()
	defer f.tells.Unlock()
	if f.last == nil || f.last.Phase == table.Ended && f.last.Level <= t.Level {
		f.last = t
	}
}

// newest is the table as it was told last; nil if that isn't known.
func (f *follow) newest() *table.Table {
	f.tells.Lock()
	defer f.tells.Unlock()
	return f.last
}

func (f *follow) add(k *Look) {
	f.tells.Lock()
	defer f.tells.Unlock()
	f.looks[k] = struct{}{}
}

// remove takes out one who looked, and reports whether nobody is left.
func (f *follow) remove(k *Look) bool {
	f.tells.Lock()
	defer f.tells.Unlock()
	delete(f.looks, k)
	return len(f.looks) == 0
}

// lookedAtBy is how many look now.
func (f *follow) lookedAtBy() int {
	f.tells.Lock()
	defer f.tells.Unlock()
	return len(f.looks)
}

// lookers are those who look now.
func (f *follow) lookers() []*Look {
	f.tells.Lock()
	defer f.tells.Unlock()
	var all []*Look
	for k := range f.looks {
		all = append(all, k)
	}
	return all
}

// catchUp makes the moves that were made since, and keeps them for those who look. Where it can't tell them it takes the
// position as it is. The caller holds mu.
func (f *follow) catchUp(ctx context.Context) error {
	if f.left() {
		return errMoved
	}
	t := f.newest()
	if f.by != f && f.table != nil && (f.state == nil || f.table.Level != t.Level) { // Nobody has followed it meanwhile.
		f.table, f.state = nil, nil
	}
	if f.by = f; t == f.table {
		return nil
	}
	rules := f.all.Games[t.Game]
	if rules == nil {
		return fmt.Errorf("look at table %s: no game is called %q", t.ID, t.Game)
	}
	if t.Dealt == 0 || t.Rev != rules.Info().Rev {
		f.table, f.state, f.moves = t, nil, 0
		return nil
	}
	steps, err := f.news(ctx, rules, t)
	if err != nil {
		return err
	}
	if steps == nil && (f.state == nil || t.Moves != f.moves) {
		return f.jump(ctx, rules, t)
	}
	f.table = t
	lookers := f.lookers()
	for _, step := range steps {
		if err := f.make(step, lookers); err != nil {
			f.state = nil
			return fmt.Errorf("follow table %s: move %d: %w", t.ID, f.moves+1, table.AsFault(err))
		}
	}
	return nil
}

// jump takes the position as it is.
func (f *follow) jump(ctx context.Context, rules engine.Rules, t *table.Table) error {
	state, err := table.Replay(ctx, f.all.Store, rules, t)
	if err != nil {
		return err
	}
	f.table, f.state, f.moves = t, state, t.Moves
	for _, k := range f.lookers() {
		k.pending, k.missed = nil, true
	}
	return nil
}

// news are the moves since the position; nil where those alone don't lead from there to the table.
func (f *follow) news(ctx context.Context, rules engine.Rules, t *table.Table) ([]engine.Step, error) {
	n := t.Moves - f.moves
	if f.state == nil || n <= 0 {
		return nil, nil
	}
	log := table.TailMoves(t)
	if n > len(log) {
		var err error
		if log, err = table.ReadLog(ctx, f.all.Store, t); err != nil {
			return nil, err
		}
	}
	log = log[len(log)-n:]
	if n > maxPending || slices.Contains(log, table.UndoMark) || slices.Contains(log, table.RedoMark) {
		return nil, nil
	}
	var steps []engine.Step
	for _, text := range log {
		step, err := table.ParseEntry(rules, t, text)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// make makes one move, and keeps for each who looks what they saw of it.
func (f *follow) make(step engine.Step, lookers []*Look) error {
	seats := f.seats(lookers)
	before := f.views(seats)
	made, err := f.state.Apply(step)
	if err != nil {
		return err
	}
	f.moves++
	after := f.views(seats)
	shown, events := map[engine.Seat]*Made{}, slices.Clone(made.Events)
	for seat := range before {
		shown[seat] = &Made{
			N: f.moves, Step: step, Computer: f.table.Chairs[step.Seat].Computer(), Events: events, Before: before[seat], After: after[seat], Eyes: seat,
		}
	}
	for i, k := range lookers {
		if len(k.pending) >= maxPending {
			k.pending, k.missed = nil, true
		}
		if !k.missed {
			k.pending = append(k.pending, shown[seats[i]])
		}
	}
	return nil
}

// seats are through whose eyes each of those looks who look.
func (f *follow) seats(lookers []*Look) []engine.Seat {
	all := make([]engine.Seat, len(lookers))
	for i, k := range lookers {
		all[i] = Eyes(f.table, f.all.Games[f.table.Game].Info(), k.who.ID)
	}
	return all
}

// views are what is seen of the position through the eyes of those seats.
func (f *follow) views(seats []engine.Seat) map[engine.Seat]engine.View {
	all := map[engine.Seat]engine.View{}
	for _, seat := range seats {
		if _, seen := all[seat]; !seen {
			all[seat] = f.state.View(seat)
		}
	}
	return all
}
