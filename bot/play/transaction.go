// Package play opens tables and plays at them. A Host opens one as somebody has asked for it, and finds the one that a command is meant for.
// Tables serve requests at one: people sit down, cut, move, stake and leave; the table moves by itself when their time is up. Each
// request is one transaction: load the table, find the seat of the user who asks, let the engine judge the move, move chips between
// purses and the table, count what has ended, save. What there is to say is made after the commit.
package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// transaction is one request at one table, within one transaction of the store: the table as it was read, and what the
// request has done to it so far. One that runs again begins anew.
type transaction struct {
	tables *Tables
	storage.Tx
	found  table.Found // what was asked for ahead
	req    chat.Request
	table  *table.Table
	rules  engine.Rules
	family family
	// state is nil until play needs it.
	state engine.State
	// stored is the table as it lies in the store: that agrees with table and state. Its Rev is storage.Pending when the
	// transaction has put it.
	stored storage.Item
	// now is the running time.
	now table.Running
	// unsure says that the one who asks plays on at the live table, and nobody says whether they are in the place.
	unsure bool
	// answered is the question whose answer this is; nil if it is none.
	answered *table.Question

	// phase is the table's as it was read, mover whose turn it was, and people are those whom it named then.
	phase  table.Phase
	mover  int
	people []int64

	// steps are how many moves this request made, events what it made happen at the table. Passed says that buttons mean something else by
	// them: at a bank that another hand is played.
	steps  int
	events []engine.Event
	passed bool
	// slept says that some of it was done for somebody who sleeps.
	slept bool
	// quits says that the player of a game for one gives up.
	quits bool
	// counts says that this request has ended a patience of the day that counts.
	counts bool
	// newcomer says that the one who asks has sat down and never had before.
	newcomer bool
	// invited are those whom the first message of a new table calls because they want to be.
	invited []chat.User
	// recalls says that they were called in vain just before.
	recalls bool
	// repeated says that the request was made when it was delivered before.
	repeated bool
}

// load takes the table from the cache, or else reads it. If what was cached is out of date, the transaction runs again, and
// then there is nothing cached.
func (tx *transaction) load(id table.ID) (err error) {
	if cached := tx.tables.cache.Take(id); cached != nil && tx.Assume(cached.Stored) {
		tx.table, tx.state, tx.stored = cached.Table, cached.State, cached.Stored
	} else {
		if tx.stored, err = table.Find(tx, id); err != nil {
			return err
		}
		if tx.table, err = table.Decode(id, tx.stored.Value); err != nil {
			return err
		}
	}
	tx.rules = tx.tables.Games[tx.table.Game]
	if tx.rules == nil {
		return fmt.Errorf("load table %s: no game is called %q", id, tx.table.Game)
	}
	tx.phase, tx.mover, tx.people = tx.table.Phase, tx.table.Mover, tx.table.People()
	tx.family = tx.tables.families[tx.table.Game](tx)
	return tx.table.Fits(tx.rules.Info())
}

// at runs one request at one table: fn looks at it and changes it, or refuses. Fn may run more than once.
func (b *Tables) at(ctx context.Context, r chat.Request, id table.ID, fn func(*transaction) (outcome, error)) (_ chat.Response, err error) {
	if err := b.locks.Acquire(ctx, r.Kind, id); err != nil {
		return chat.Response{}, err
	}
	defer func() { b.locks.Release(id, err) }()
	found, err := b.cache.Ahead(ctx, b.Store, id)
	if err != nil {
		return chat.Response{}, err
	}
	var tx *transaction
	var o outcome
	rev, err := storage.UpdateRev(ctx, b.Store, func(stored storage.Tx) (err error) {
		tx = &transaction{tables: b, Tx: stored, found: found, req: r, now: b.Clock.Now()}
		o, err = tx.serve(id, fn)
		return err
	})
	response, err := tx.conclude(ctx, o, rev, err)
	if err == nil {
		err = b.pass(o.said)
	}
	if errors.Is(err, storage.ErrUnknown) {
		b.Clock.Look(id)
	}
	if err == nil {
		response.Posts = append(response.Posts, tx.reported(ctx, o.report)...)
	}
	if err == nil && (o.next != nil || o.follows) && tx.table.Next != "" {
		response.Posts = append(response.Posts, b.showNext(ctx, r, table.ID{Community: tx.table.ID.Community, Name: tx.table.Next})...)
	}
	return response, err
}

// showNext shows the table at which a session goes on.
func (b *Tables) showNext(ctx context.Context, r chat.Request, id table.ID) []chat.Post {
	r.ID += " next" // That table remembers what was asked at the one before.
	next, err := b.Redraw(ctx, r, id)
	if err != nil && !errors.Is(err, table.ErrGone) { // What was asked is done.
		b.Log.Error("the next table could not be shown", "table", id, "error", err)
		b.Clock.Look(id)
	}
	return next.Posts
}

// serve loads the table, has fn look at it and change it, and saves it if it was changed.
func (tx *transaction) serve(id table.ID, fn func(*transaction) (outcome, error)) (outcome, error) {
	if err := tx.load(id); err != nil {
		return outcome{}, err
	}
	var o outcome
	request := table.Hash(tx.req.ID)
	switch t := tx.table; {
	case t.Applied(request):
		tx.repeated = true
		// A person wants to see what became of the press; nobody waits for the rest, but for the table that came of it.
		return outcome{shown: tx.req.Kind.ByPerson(), follows: true}, nil
	case t.Rev != tx.rules.Info().Rev && t.Phase != table.Ended:
		tx.state = nil
		o = tx.end("stop-rev", nil)
	case t.IsKnown(tx.tables.Copied):
		tx.state = nil
		o = tx.end("stop-known", nil)
	case t.IsForeseen(tx.tables.Copied):
		var err error
		t.Draw, t.Opened = tx.tables.Seed(), tx.tables.Now().Unix()
		if tx.req.Kind.ByPerson() { // They see first what the new number must agree with.
			o = done("done.drawn-anew")
		} else if o, err = fn(tx); err != nil {
			return o, err
		} else {
			o.shown = true
		}
	default:
		var err error
		if o, err = fn(tx); err != nil || !o.changed {
			return o, err
		}
	}
	tx.table.Remember(request)
	return tx.save(o)
}

// stands marks an error that came when the request had been made: nobody must be told that nothing has changed.
func stands(err error) error {
	return fmt.Errorf("%w: what was asked is done: %w", storage.ErrUnknown, err)
}

// conclude ends a transaction that was committed at a revision, or refused: what is worth keeping goes to the cache, and
// what there is to say into the Response.
func (tx *transaction) conclude(ctx context.Context, o outcome, rev uint64, err error) (chat.Response, error) {
	if tx != nil && tx.repeated && err != nil {
		return chat.Response{}, stands(err)
	}
	if tx == nil || tx.table == nil || err != nil && tx.stored.Value == nil || err != nil && !errors.As(err, new(engine.Refusal)) {
		return chat.Response{}, err
	}
	if err != nil {
		// Nothing was saved: back to the table as it is stored, and to its state unless a move was made on it.
		fresh, broken := table.Decode(tx.table.ID, tx.stored.Value)
		if broken != nil {
			return chat.Response{}, broken
		}
		tx.table = fresh
		if tx.steps > 0 {
			tx.state = nil
		}
		o = outcome{shown: errors.As(err, new(table.Showing)), posts: o.posts}
	}
	var response chat.Response
	broken := tx.stillCalls(ctx, &o)
	if broken == nil {
		response, broken = tx.response(ctx, o)
	}
	if broken != nil && err == nil {
		broken = stands(broken)
	}
	if broken != nil {
		return response, broken
	}
	if tx.stored.Rev == storage.Pending {
		tx.stored.Rev = rev
	}
	tx.tables.Changed(tx.table)
	if tx.stored.Rev != 0 {
		tx.tables.cache.Put(&table.Cached{Table: tx.table, State: tx.state, Stored: tx.stored})
	}
	if err == nil || tx.req.Kind != chat.Timeout { // A deadline that can't be kept is tried again later.
		tx.tables.Clock.Set(tx.table.ID, tx.table.Due(), tx.table.Level, o.shown)
	}
	if next := o.next; next != nil && err == nil {
		tx.tables.Clock.Set(next.ID, next.Due(), next.Level, false)
	}
	if err != nil {
		err = refused{err, tx.table.Lang}
	}
	return response, err
}

// position replays the deal, unless it is at hand.
func (tx *transaction) position(ctx context.Context) (_ engine.State, err error) {
	if tx.state != nil {
		return tx.state, nil
	}
	tx.state, err = table.Replay(ctx, tx.found.LogOf(tx.stored, tx.tables.Store), tx.rules, tx.table)
	if err == nil && tx.family.traits().chips && !tx.table.Practice {
		err = purse.Ahead(ctx, tx.tables.Store, tx.table.Origin(), tx.table.ID.Name, tx.table.People())
	}
	return tx.state, err
}

// save puts the table where it belongs, and returns the outcome with what the end of the deal adds to it. It raises the
// level, so that no two pictures share one.
func (tx *transaction) save(o outcome) (_ outcome, err error) {
	t := tx.table
	ends := t.Phase == table.Ended && tx.phase != table.Ended
	if ends {
		if o.next, o.report, err = tx.closeBooks(); err != nil {
			return o, err
		}
	}
	switch {
	case o.lastShown && t.IsNothing():
		tx.stored.Rev = 0
		return o, table.Vanish(tx.Tx, t, tx.stored.Key, tx.people)
	case o.lastShown:
		tx.stored.Key = table.LayAmongEnded(tx.Tx, t, tx.stored.Key)
	case tx.stored.Key == table.KeyOpen(t.ID):
		table.KeepParts(tx.Tx, t, tx.people)
	}
	t.Level++
	switch {
	case o.called != nil:
		t.Former = t.Board
	case tx.uncalled() && tx.req.Who.ID == t.Chairs[t.Mover].User:
		t.Former = "" // They are there, or have left: no later picture calls them, either.
	}
	if len(t.Tail) > table.MaxTail {
		tx.Put(table.KeyChunk(t, t.Chunks), t.Tail)
		t.Chunks++
		t.Tail = nil
	}
	if tx.stored.Value, err = t.Encode(); err != nil {
		return o, err
	}
	tx.stored.Rev = storage.Pending
	tx.Put(tx.stored.Key, tx.stored.Value)
	if ends {
		return o, table.UnlistFromPlace(tx.Tx, t)
	}
	return o, nil
}

// Epoch is the epoch of tokens for a table as it is now.
func (b *Tables) Epoch(ctx context.Context, r chat.Request, t *table.Table) (epoch int, err error) {
	switch t.Phase {
	case table.Cutting:
		return 1, nil
	case table.Playing:
		_, err = b.at(ctx, r, t.ID, func(tx *transaction) (outcome, error) {
			state, err := tx.position(ctx)
			if err == nil {
				epoch = tx.table.Epoch(state)
			}
			return outcome{}, err
		})
	}
	return epoch, err
}

// Chose has the tables of a community know what somebody who sits there has chosen for themselves now.
func (b *Tables) Chose(ctx context.Context, r chat.Request, own table.Choices) error {
	ids, err := b.openOf(ctx, r)
	for _, id := range ids {
		_, failed := b.at(ctx, r, id, func(tx *transaction) (outcome, error) {
			t := tx.table
			seat, seated := t.SeatOf(r.Who.ID)
			if !seated || t.Chairs[seat].AtOnce == own.AtOnce {
				return outcome{}, nil
			}
			t.Chairs = slices.Clone(t.Chairs)
			t.Chairs[seat].AtOnce = own.AtOnce
			return outcome{changed: true}, nil
		})
		err = errors.Join(err, failed)
	}
	return err
}

// RedrawAll changes how the tables of a place are drawn, and shows those that look otherwise by that. Of a change of looks it shows those
// that are pictures before or after it, and at the bottom of the channel those that weren't before, or aren't after it.
func (b *Tables) RedrawAll(ctx context.Context, r chat.Request, looks bool, change func(*table.Table)) ([]chat.Post, error) {
	var posts []chat.Post
	ids, err := b.TableIDs(ctx, r.In)
	for _, id := range ids {
		one, failed := b.at(ctx, r, id, func(tx *transaction) (outcome, error) {
			t, drawn := tx.table, tx.placeDrawing().Pictured()
			lang, seen := t.Lang, t.Looks.Seen()
			change(t)
			same := t.Lang == lang && t.Looks.Seen() == seen
			now := tx.placeDrawing().Pictured()
			return outcome{changed: true, shown: !same && (!looks || drawn || now), anew: looks && drawn != now}, nil
		})
		posts = append(posts, one.Posts...)
		err = errors.Join(err, failed)
	}
	return posts, err
}

// Redraw shows a table as it is where nobody knows what was shown before.
func (b *Tables) Redraw(ctx context.Context, r chat.Request, id table.ID) (chat.Response, error) {
	return b.at(ctx, r, id, func(*transaction) (outcome, error) { return outcome{shown: true}, nil })
}

// tellRules tells the rules of the table's game to the one who asks.
func (tx *transaction) tellRules() (outcome, error) {
	post, err := board.RulesPost(tx.tables.Words, tx.req, tx.rules, tx.table)
	return outcome{posts: []chat.Post{post}}, err
}

// firstLate is how late a picture has to come for whoever it is for to have the whole time from then on.
const firstLate = 5 * time.Second

// given is how much more time the newest turns of tables were given because they were shown late, and those who may bet along. What is drawn again is
// late again: without a bound somebody could have a turn last for ever who has it drawn.
type given struct {
	mu    sync.Mutex
	times map[timer]gift
}

// timer is a time that lasts so long at a table.
type timer struct {
	id    table.ID
	lasts time.Duration
}

// gift is how much more a time was given last, because it would have ended then, and in all.
type gift struct {
	ends      table.Running
	more, sum time.Duration
}

// maxGiven is of how many times that is remembered.
const maxGiven = 4096

// add reports whether a time at a table, which ends then and lasts so long, may have so much more, where it may have at most so much in all. Whoever
// asks for one that was given more asks when that ends.
func (g *given) add(t *table.Table, ends table.Running, lasts, more, most time.Duration) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.times == nil || len(g.times) >= maxGiven {
		g.times = map[timer]gift{}
	}
	one, sum := timer{t.ID, lasts}, more
	switch was := g.times[one]; ends {
	case was.ends: // The transaction runs once more, or it wasn't given more.
		sum += was.sum - was.more
	case was.ends.Add(was.more):
		sum += was.sum
	}
	g.times[one] = gift{ends, more, sum}
	return sum <= most
}

// lostOf is how much wasn't had of a time that ends then and lasts so long, where that was shown late, by less than most, and where the turn hasn't been
// given as much by now. It notes that it is given.
func (tx *transaction) lostOf(ends table.Running, lasts, most time.Duration) time.Duration {
	t := tx.table
	if tx.tables.Late == nil || t.Board == "" || t.Place.Guest || ends == 0 {
		return 0
	}
	late, shown := tx.tables.Late(t.Place, t.ID)
	missing := lasts - max(0, shown) - tx.now.Until(ends)
	if late < firstLate || late >= most || missing < time.Second || !tx.tables.given.add(t, ends, lasts, missing, most) {
		return 0
	}
	return missing
}
