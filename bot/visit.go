package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"zevaka/engine"
	"zevaka/storage"
)

// visit is one request at one table, within one transaction: the table as it was read, what the request does to it,
// and what there is to say afterwards. A transaction that runs again begins a new visit.
type visit struct {
	bot   *Bot
	tx    storage.Tx
	req   Request
	table *table
	rules engine.Rules
	// state is nil until play needs it.
	state engine.State
	// key is where the table lies, raw the value that agrees with table and state.
	key string
	raw []byte
	// now is the running time in milliseconds.
	now int64
	// steps are how many moves this request made.
	steps int
	// picked says that the table was found among several, of which the command named none.
	picked bool

	// removed says that somebody is taken from the table by somebody else.
	removed bool
	// events are what this request made happen at the table.
	events []engine.Event
	// changed says that the table must be saved, shown that its picture must be.
	changed, shown bool
	// toast is for the one who pressed, alert says that it is a refusal.
	toast *phrase
	alert bool
	// quits says that the player of a game for one gives up.
	quits bool
	// ending says that the deal ends with this request, and next is the table that the session goes on at.
	ending bool
	next   *table
	// anew says that the picture goes to the bottom of the channel; unlisted, that the place's list must lose the table.
	anew, unlisted bool
	// posts come after the picture.
	posts []Post
}

// errGone refuses a press at a table that is not there any more.
const errGone engine.Refusal = "table-gone"

// load reads the table: from the cache if what is stored is what the cache was made from.
func (v *visit) load(id tableID) error {
	v.key = keyOpen(id)
	items, err := v.tx.Get(v.key)
	if err == nil && items[0].Rev == 0 {
		v.key = keyEnded(id)
		items, err = v.tx.Get(v.key)
	}
	if err != nil {
		return fmt.Errorf("load table %s: %w", id, err)
	}
	if items[0].Rev == 0 {
		return errGone
	}
	v.raw = items[0].Value
	if cached, ok := v.bot.cache.take(id, v.raw); ok {
		v.table, v.state = cached.table, cached.state
	}
	if v.table == nil {
		if v.table, err = decodeTable(id, v.raw); err != nil {
			return err
		}
	}
	v.rules = v.bot.games[v.table.Game]
	if v.rules == nil {
		return fmt.Errorf("load table %s: no game is called %q", id, v.table.Game)
	}
	return v.table.fits(v.rules.Info())
}

// save puts the table where it belongs. It raises the level, so that no two pictures share one.
func (v *visit) save() error {
	t := v.table
	if v.ending {
		if err := v.closeBooks(); err != nil {
			return err
		}
	}
	t.Level++
	if len(t.tail) > maxTail {
		v.tx.Put(keyChunk(t, t.Chunks), t.tail)
		t.Chunks++
		t.tail = nil
	}
	value, err := t.encode()
	if err != nil {
		return err
	}
	v.raw = value
	v.tx.Put(v.key, value)
	if v.unlisted {
		return unlist(v.tx, t)
	}
	return nil
}

// at runs one request at one table: fn looks at it and changes it, or refuses. Fn may run more than once.
func (b *Bot) at(ctx context.Context, r Request, id tableID, fn func(*visit) error) (Response, error) {
	release, err := b.locks.acquire(ctx, id)
	if err != nil {
		return Response{}, fmt.Errorf("wait for table %s: %w", id, err)
	}
	defer release()
	var v *visit
	err = storage.Update(ctx, b.store, func(tx storage.Tx) error {
		v = &visit{bot: b, tx: tx, req: r, now: b.clock.now()}
		if err := v.load(id); err != nil {
			return err
		}
		if v.table.applied(r.ID) {
			// A person wants to see what became of the press; nobody waits for the rest.
			v.shown = r.Kind == Press || r.Kind == Command
			return nil
		}
		if t := v.table; t.Rev != v.rules.Info().Rev && t.Phase != ended {
			v.state = nil
			v.end("stop-rev", nil)
		} else if err := fn(v); err != nil || !v.changed {
			return err
		}
		v.table.remember(r.ID)
		return v.save()
	})
	response, err := v.close(ctx, err)
	if err == nil && v.next != nil {
		next, failed := b.at(ctx, r, v.next.id, func(v *visit) error { v.shown = true; return nil })
		response.Posts, err = append(response.Posts, next.Posts...), failed
	}
	return response, err
}

// close ends the visit after its transaction: what is worth keeping goes to the cache, and what there is to say into
// the Response. A visit that was refused shows the table only if it says so.
func (v *visit) close(ctx context.Context, err error) (Response, error) {
	var refused engine.Refusal
	if v == nil || v.table == nil || err != nil && v.raw == nil || err != nil && !errors.As(err, &refused) {
		return Response{}, err
	}
	if err != nil {
		// Nothing was saved: back to the table as it is stored, and to its state unless a move was made on it.
		fresh, broken := decodeTable(v.table.id, v.raw)
		if broken != nil {
			return Response{}, broken
		}
		v.table = fresh
		if v.steps > 0 {
			v.state = nil
		}
	}
	response, broken := v.response(ctx)
	if broken != nil {
		return response, broken
	}
	v.bot.cache.put(&cached{table: v.table, state: v.state, value: v.raw})
	if err == nil || v.req.Kind != Timeout { // A deadline that can't be kept is tried again later.
		v.bot.clock.set(v.table.id, v.table.due(), v.table.Level)
	}
	if next := v.next; next != nil && err == nil {
		v.bot.clock.set(next.id, next.due(), next.Level)
	}
	return response, err
}

// play replays the deal, unless it is at hand.
func (v *visit) play(ctx context.Context) (engine.State, error) {
	if v.state != nil {
		return v.state, nil
	}
	t := v.table
	state, err := v.rules.Deal(t.setup(), engine.NewShuffler(t.Seed, t.Cut))
	if err != nil {
		return nil, fmt.Errorf("deal table %s again: %w", t.id, asFault(err))
	}
	moves, err := v.bot.line(ctx, t)
	if err != nil {
		return nil, err
	}
	for i, text := range moves {
		step, err := engine.ParseStep(v.rules, text)
		if err == nil {
			_, err = state.Apply(step)
		}
		if err != nil {
			return nil, fmt.Errorf("replay table %s: move %d, %q: %w", t.id, i+1, text, asFault(err))
		}
	}
	v.state = state
	return state, nil
}

// asFault makes an error that a player caused into one for the operator: in a log that was accepted once, a refusal
// is nobody's wish.
func asFault(err error) error { return errors.New(err.Error()) }

func (t *table) setup() engine.Setup {
	return engine.Setup{Seats: len(t.Chairs), Options: t.Options}
}

// moves reads the texts of all moves made at the table. Full chunks never change, so they are read outside the
// transaction.
func (b *Bot) moves(ctx context.Context, t *table) ([]string, error) {
	var moves []string
	for first := 0; first < t.Chunks; first += storage.MaxKeys {
		var keys []string
		for n := first; n < min(t.Chunks, first+storage.MaxKeys); n++ {
			keys = append(keys, keyChunk(t, n))
		}
		items, err := b.store.Get(ctx, keys...)
		if err != nil {
			return nil, fmt.Errorf("read the moves of table %s: %w", t.id, err)
		}
		for _, item := range items {
			moves = append(moves, splitMoves(item.Value)...)
		}
	}
	moves = append(moves, splitMoves(t.tail)...)
	if len(moves) != t.Moves {
		return nil, fmt.Errorf("read the moves of table %s: %d are stored, and there should be %d", t.id, len(moves), t.Moves)
	}
	return moves, nil
}

func splitMoves(chunk []byte) []string {
	text := strings.TrimSuffix(string(chunk), ";")
	if text == "" {
		return nil
	}
	return strings.Split(text, ";")
}

// log adds a move to the table's. Giving up is no move of those that stand.
func (t *table) log(rules engine.Rules, step engine.Step) {
	t.tail = append(t.tail[:len(t.tail):len(t.tail)], engine.StepText(rules, step)+";"...)
	t.Moves++
	if isSolo(rules.Info()) && rules.Info().Verbs[step.Move.Verb-1].Name != quitMove {
		t.Line, t.Undone, t.Page = t.Line+1, 0, 0
	}
}
