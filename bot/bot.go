// Package bot is everything between a platform and the rules: tables with people at them, lobbies, turn limits,
// commands and words. It knows no platform: an adapter makes a Request of what happened, and shows the Response.
//
// A request at a table runs in one storage.Update: load the table, find the seat of the user who pressed, let the
// engine judge the move, save the table. What there is to say is made after the commit, so no message goes out before
// its move is durable. Every message shows the whole table, so a lost one is repaired by the next.
package bot

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"zevaka/bot/picture"
	"zevaka/bot/purse"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// Options are what a Bot is made of. Store and Games must be given; the rest have defaults.
type Options struct {
	Store storage.Store
	Games []engine.Rules
	Log   *slog.Logger
	// Now is the time of day, for the times written to tables; time.Now by default.
	Now func() time.Time
	// Running is how long the process has been running, by a clock that only goes forward; since New by default.
	Running func() time.Duration
	// Seed makes a new secret seed; from crypto/rand by default.
	Seed func() engine.Seed
	// States is how many tables are kept in memory with their states; 1,000 by default.
	States int
	// Pictures has games for one shown as pictures, but where a place wants text.
	Pictures bool
	// Observer is told of every request; nil is nobody.
	Observer Observer
	// Keep is how long what has ended is kept, and how long a table waits for people who don't come; 0 is for ever.
	Keep time.Duration
	// SaveRecords is given the records of deals that are about to leave the store. They must be durable when it returns
	// nil; otherwise they stay. It may get a record again that it has saved. Nil lets them leave unsaved.
	SaveRecords func(context.Context, []Saved) error
}

// Bot plays all tables of one store. It is safe for use by many goroutines.
type Bot struct {
	store storage.Store
	order []engine.Rules
	games map[string]engine.Rules
	words *words.Catalogue
	log   *slog.Logger
	now   func() time.Time
	seed  func() engine.Seed
	locks locks
	cache *cache
	clock *clock
	watch Observer
	// painter makes the pictures of tables; nil if there are to be none.
	painter *picture.Painter
	// keep and saveRecords are those of Options.
	keep        time.Duration
	saveRecords func(context.Context, []Saved) error
	// mending is held while a damaged item is made anew.
	mending sync.Mutex
}

// New reads what is stored of the clock and of open tables.
func New(ctx context.Context, o Options) (*Bot, error) {
	catalogue, err := words.Load()
	if err != nil {
		return nil, err
	}
	var painter *picture.Painter
	if o.Pictures {
		if painter, err = picture.New(); err != nil {
			return nil, fmt.Errorf("make the cards: %w", err)
		}
	}
	b := &Bot{painter: painter, store: o.Store, games: map[string]engine.Rules{}, words: catalogue,
		log: o.Log, now: o.Now, seed: o.Seed, cache: newCache(1000), watch: Observe(o.Observer), keep: o.Keep, saveRecords: o.SaveRecords}
	for _, rules := range o.Games {
		g := game{rules, rules.Info()}
		b.games[g.info.Name] = g
		b.order = append(b.order, g)
	}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	if b.now == nil {
		b.now = time.Now
	}
	if b.seed == nil {
		b.seed = newSeed
	}
	if o.States > 0 {
		b.cache.max = o.States
	}
	b.clock, err = b.newClock(ctx, o.Running)
	return b, err
}

// game is a game's Rules that make their Info once.
type game struct {
	engine.Rules
	info engine.Info
}

// Info is what the Rules said at first.
func (g game) Info() engine.Info { return g.info }

func newSeed() (seed engine.Seed) {
	crand.Read(seed[:])
	return seed
}

// Words are the catalogues that the bot speaks from.
func (b *Bot) Words() *words.Catalogue { return b.words }

// Handle does what the request asks, and returns what there is to say. It always answers: what goes wrong is logged,
// and told to the one who asked.
func (b *Bot) Handle(ctx context.Context, r Request) (response Response) {
	ctx, done := b.watch.Request(WithRequest(ctx, r.ID), r)
	outcome := Done
	defer func() {
		if p := recover(); p != nil {
			outcome = Panicked
			response = b.broken(r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
		for i := range response.Posts {
			response.Posts[i].Request = r.ID
		}
		done(outcome)
	}()
	if r.Who.Bot {
		return Response{}
	}
	r.Who.Name = CleanName(r.Who.Name)
	if r.Who.Nameless {
		response, outcome = b.handle(ctx, b.speaking(ctx, r))
		return aloud(response)
	}
	response, outcome = b.handle(ctx, r)
	return response
}

// handle does what the request asks, and says what went wrong.
func (b *Bot) handle(ctx context.Context, r Request) (Response, Outcome) {
	response, err := b.serve(ctx, r)
	for n := 0; n < maxMends && err != nil && b.mended(ctx, err); n++ {
		response, err = b.serve(ctx, r)
	}
	if err == nil {
		return response, Done
	}
	if refused, ok := b.refused(r, err); ok && r.Kind != Timeout {
		refused.Posts = response.Posts
		return refused, Refused
	}
	return b.broken(r, err), Broken
}

// serve does what the request asks.
func (b *Bot) serve(ctx context.Context, r Request) (Response, error) {
	switch r.Kind {
	case Press:
		return b.press(ctx, r)
	case Command:
		return b.command(ctx, r)
	case Timeout:
		return b.timeout(ctx, r)
	case Shown:
		return b.shown(ctx, r)
	case Gone:
		return b.gone(ctx, r)
	case Moved:
		return b.moved(ctx, r)
	}
	return Response{}, fmt.Errorf("no request is of kind %d", r.Kind)
}

// refused says a Refusal to the one who asked; false if the error is another one.
func (b *Bot) refused(r Request, err error) (Response, bool) {
	var own refusal
	var plain engine.Refusal
	var short purse.Short
	var early purse.TooEarly
	p := phrase{}
	switch {
	case errors.As(err, &short) && short.User == r.Who.ID:
		p = phrase{key: short.Error(), blanks: blanks{"n": int(short.Has)}}
	case errors.As(err, &early):
		left := early.Next - b.now().Unix()
		p = phrase{key: early.Error(), blanks: blanks{"hours": int(left / 3600), "minutes": int(left % 3600 / 60)}}
	case errors.As(err, &own):
		p = own.phrase
	case errors.As(err, &plain):
		p.key = string(plain)
	default:
		return Response{}, false
	}
	p.key = "no." + p.key
	return Response{Toast: shorten(p.flat(b.words.Lang(r.Who.Lang)), maxToast), Alert: true}, true
}

// maxToast is how many characters a toast may have.
const maxToast = 200

// broken logs an error and tells the one who asked that nothing was lost.
func (b *Bot) broken(r Request, err error) Response {
	if r.Kind == Timeout {
		b.clock.again(r.Data)
	}
	b.log.Error("request failed", "request", r.ID, "kind", r.Kind, "community", r.In.Community.String(), "error", err)
	key := "broken"
	if errors.Is(err, storage.ErrUnavailable) && !errors.Is(err, storage.ErrUnknown) {
		key = "broken-storage"
	}
	return Response{Toast: shorten(b.words.Lang(r.Who.Lang).Say(key), maxToast), Alert: true}
}
