// Package live keeps those up to date who look at tables: it follows a table from move to move as long as somebody looks at
// it, and draws a Scene for each viewer: what they may see of it and may try, in their language, and what has moved since. What is hidden
// from the viewer isn't in it.
package live

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/storage"
)

// Deps are what Tables work with. All must be given.
type Deps struct {
	table.House
	// Running is the running time.
	Running func() table.Running
	Tables  *play.Tables
}

// Tables are the tables that somebody looks at. They are safe for use by many goroutines.
type Tables struct {
	Deps
	mu      sync.RWMutex
	follows map[table.ID]*follow
	// rested are the positions of tables that nobody looks at any more, maxRested at most.
	rested map[table.ID]*position
	places map[chat.Place]*around
}

// New is a house where nobody looks yet.
func New(d Deps) *Tables {
	return &Tables{Deps: d, follows: map[table.ID]*follow{}, rested: map[table.ID]*position{}, places: map[chat.Place]*around{}}
}

// Changed takes a table as it was saved, and tells those who look at it. It is called in the order in which the table is
// saved, and doesn't wait. The table may be changed afterwards as tables are.
func (l *Tables) Changed(t *table.Table) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if f := l.follows[t.ID]; f != nil {
		now := *t
		f.tell(&now)
	}
	if a := l.places[spot(t.Place)]; a != nil {
		now := *t
		a.tell(&now)
	}
}

// Moved has everybody who looks at a table of a community come anew, where the platform has given that another ID: the table has one, too.
func (l *Tables) Moved(from chat.Community) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for id, f := range l.follows {
		if id.Community == from {
			f.leaves()
		}
	}
}

// Said tells those who look at a table what is said there, once for each request. It doesn't wait.
func (l *Tables) Said(s play.Sign) {
	l.mu.RLock()
	f := l.follows[s.Table]
	l.mu.RUnlock()
	if f == nil || !f.says(s.Request) {
		return
	}
	for _, k := range f.lookers() {
		if heard := k.heard.Load(); heard != nil {
			(*heard)(s)
		}
	}
}

// Watched is how many tables, and how many places for their tables, somebody looks at.
func (l *Tables) Watched() (tables, places int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.follows), len(l.places)
}

// Sees reports whether somebody has a table before their eyes now.
func (l *Tables) Sees(id table.ID, user int64) bool {
	l.mu.RLock()
	f := l.follows[id]
	l.mu.RUnlock()
	return f != nil && slices.ContainsFunc(f.lookers(), func(k *Look) bool { return user != 0 && k.who.ID == user && !k.hidden.Load() })
}

// Look begins to look at a table for the one who asks, from a place of the table's community. Told is called whenever there
// is something new to be seen; it must not wait, and may be called before Look returns. Whoever looks must Close. The error
// is a Refusal if there is no such table there.
func (l *Tables) Look(ctx context.Context, r chat.Request, id table.ID, told func()) (*Look, error) {
	if r.In.Community != id.Community {
		return nil, chat.ErrToken
	}
	own, err := storage.Read(ctx, l.Store, func(from storage.Reader) (table.Choices, error) {
		origin, err := table.Origin(from, id.Community)
		if err != nil {
			return table.Choices{}, err
		}
		return table.GetChoices(from, origin, r.Who.ID)
	})
	if err != nil {
		return nil, err
	}
	k := &Look{all: l, id: id, who: r.Who, own: own, told: told}
	l.mu.Lock()
	f := l.follows[id]
	if f == nil {
		f = &follow{all: l, looks: map[*Look]struct{}{}, position: l.rested[id]}
		if f.position == nil {
			f.position = &position{}
		}
		delete(l.rested, id)
		l.follows[id] = f
	}
	k.at = f
	f.add(k)
	l.mu.Unlock()
	if t := f.newest(); t == nil || t.Phase == table.Ended { // Somebody may have been forgotten at one that ended.
		t, err := l.Tables.LookAt(ctx, id)
		if err != nil {
			k.Close()
			return nil, err
		}
		f.found(t)
	}
	return k, nil
}

// Chose has what somebody who looks at tables of a community has chosen for themselves show at once.
func (l *Tables) Chose(in chat.Community, user int64, own table.Choices) {
	var looks []*Look
	l.mu.RLock()
	for id, f := range l.follows {
		if id.Community == in {
			looks = append(looks, f.lookers()...)
		}
	}
	l.mu.RUnlock()
	for _, k := range looks {
		k.chose(user, own)
	}
}

// Look is somebody who looks at a table. Its methods may be called by one goroutine at a time; Close by any, and again.
type Look struct {
	all  *Tables
	at   *follow
	id   table.ID
	who  chat.User
	own  table.Choices
	told func()
	// heard is told what is said at the table; nil where nobody listens.
	heard atomic.Pointer[func(play.Sign)]
	// hidden is as Hide says.
	hidden atomic.Bool
	// pending are the moves that the viewer hasn't seen, missed says that there were more; the follow's lock guards them.
	pending []*Made
	missed  bool
}

// Plays reports whether the viewer sits at the table, and a game goes on there.
func (k *Look) Plays() bool {
	t := k.at.newest()
	if t == nil || t.Phase != table.Cutting && t.Phase != table.Playing {
		return false
	}
	_, sits := t.SeatOf(k.who.ID)
	return sits
}

// maxPending is how many moves wait for a viewer: one who is further behind sees the table as it is.
const maxPending = 48

// Next is what there is to be seen now, with the moves since it was called last. It may be what others are shown, too: it must
// not be changed. The error is one of the store, or of ctx, or says that the table goes on under another ID.
func (k *Look) Next(ctx context.Context) (Scene, error) {
	d, err := k.next(ctx)
	if err != nil {
		return Scene{}, err
	}
	return d.Scene, nil
}

// NextJSON is Next as JSON, which must not be changed either.
func (k *Look) NextJSON(ctx context.Context) ([]byte, error) {
	d, err := k.next(ctx)
	if err != nil {
		return nil, err
	}
	return d.encode()
}

func (k *Look) next(ctx context.Context) (*drawn, error) {
	f := k.at
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.catchUp(ctx); err != nil {
		return nil, err
	}
	sight := k.sight(f)
	eyes, alike := k.eyes(f, sight.Lang)
	d := f.drawn[eyes]
	if !alike || !f.fresh(d, sight.Now) {
		d = &drawn{Scene: sight.Draw(), of: f.table, at: sight.Now}
		for _, made := range k.pending {
			d.Steps = append(d.Steps, sight.Step(*made))
		}
		if alike {
			f.keep(eyes, d)
		}
	}
	k.pending, k.missed = nil, false
	return k.withPurse(ctx, f, d)
}

// Hear has heard be told what is said at the table from now on. It must not wait, and may be told something yet when the look is closed.
func (k *Look) Hear(heard func(play.Sign)) { k.heard.Store(&heard) }

// Hide says whether what shows the table is hidden from the viewer now. At first it isn't.
func (k *Look) Hide(hidden bool) { k.hidden.Store(hidden) }

// Speak changes the viewer's language, and their name.
func (k *Look) Speak(who chat.User) {
	k.at.mu.Lock()
	defer k.at.mu.Unlock()
	k.who = who
}

// chose changes what the viewer has chosen for themselves, if it is that user.
func (k *Look) chose(user int64, own table.Choices) {
	k.at.mu.Lock()
	mine := k.who.ID == user && k.own != own
	if mine {
		k.own = own
	}
	k.at.mu.Unlock()
	if mine {
		k.told()
	}
}

// Closed reports whether the table isn't to be shown to the viewer unless the platform says that they are in its place: that was
// chosen there, and they have no part in it.
func (k *Look) Closed() bool {
	t := k.at.newest()
	return t.Closed && !t.At(k.who.ID)
}

// Place is where the table is.
func (k *Look) Place() chat.Place { return k.at.newest().Place }

// Table is the text form of the table's ID.
func (k *Look) Table() string { return k.id.String() }

// Log is all moves that stand at the table, in words, one line for each that has any. It takes its turn among what takes long, and is a
// Refusal where there is no time for it.
func (k *Look) Log(ctx context.Context) ([]string, error) {
	f := k.at
	t := f.newest()
	rules := k.all.Games[t.Game]
	if t.Dealt == 0 || rules == nil || t.Rev != rules.Info().Rev {
		return nil, nil
	}
	end, err := k.all.Tables.Watching.Begin(ctx, k.who.ID)
	if err != nil {
		return nil, err
	}
	defer end()
	lang := k.all.Words.Lang(k.who.Lang)
	sight := Sight{Drawing: board.Drawing{Table: table.ReadIn(t, lang), Rules: rules, Lang: lang}, Who: k.who}
	var lines []string
	_, err = table.ReplayEach(ctx, k.all.Store, rules, t, func(state engine.State, _ engine.Step, made engine.Outcome) {
		var view *engine.View
		if rules.Info().ForOne() {
			now := state.View(engine.Nobody)
			view = &now
		}
		lines = append(lines, sight.Lines(made.Events, view)...)
	})
	return lines, err
}

// maxRested is of how many tables that nobody looks at the positions are kept.
const maxRested = 64

// Close ends looking.
func (k *Look) Close() {
	l := k.all
	l.mu.Lock()
	defer l.mu.Unlock()
	if k.at.remove(k) && l.follows[k.id] == k.at {
		delete(l.follows, k.id)
		if len(l.rested) >= maxRested {
			clear(l.rested)
		}
		l.rested[k.id] = k.at.position
	}
}

// sight is the table as the viewer looks at it now.
func (k *Look) sight(f *follow) Sight {
	lang := k.all.Words.Lang(k.who.Lang)
	return Sight{
		Drawing: board.Drawing{
			Table: table.ReadIn(f.table, lang), Rules: k.all.Games[f.table.Game], Lang: lang,
			Tip: k.tip(f),
		},
		Who: k.who, Own: k.own, State: f.state, Now: k.all.Running(), Time: k.all.Now().Unix(),
	}
}

// tip is what a lesson says of the position to the viewer: more to its learner than to others.
func (k *Look) tip(f *follow) string {
	_, learns := f.table.SeatOf(k.who.ID)
	lang := k.all.Words.Lang(k.who.Lang)
	return board.LessonTip(lang, k.all.Games[f.table.Game], table.ReadIn(f.table, lang), f.state, learns, true)
}

// withPurse is a drawing with what the viewer has, where that matters.
func (k *Look) withPurse(ctx context.Context, f *follow, d *drawn) (*drawn, error) {
	t := f.table
	if k.who.ID == 0 || !k.all.Games[t.Game].Info().Banker {
		return d, nil
	}
	if seat, seated := t.SeatOf(k.who.ID); t.Practice {
		own := &drawn{Scene: d.Scene}
		if seated {
			funds := play.Funds(t, t.Chairs[seat])
			own.Purse = &funds
		}
		return own, nil
	}
	purses, err := storage.Read(ctx, k.all.Store, func(from storage.Reader) ([]purse.Purse, error) {
		return purse.Purses(from, t.Origin(), k.who.ID)
	})
	if err != nil || len(purses) == 0 {
		return d, err
	}
	own := &drawn{Scene: d.Scene}
	own.Purse = &purses[0].Balance
	return own, nil
}
