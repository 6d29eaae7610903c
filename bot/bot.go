// Package bot is the door between platforms and games: an adapter gives Handle a chat.Request of what happened, and shows
// the chat.Response. It has the list of the commands, and wires to each other the packages below it that do the work.
package bot

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"zevaka/bot/account"
	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/day"
	"zevaka/bot/keyspace"
	"zevaka/bot/live"
	"zevaka/bot/pace"
	"zevaka/bot/picture"
	"zevaka/bot/play"
	"zevaka/bot/replay"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/storage"
)

// Options are what a Bot is made of. Store and Games must be given; the rest have defaults.
type Options struct {
	Store storage.Store
	Games []engine.Rules
	// Deals are those of the patiences of a day; nil has them numbered as the days are.
	Deals day.Deals
	Log   *slog.Logger
	// Now is the time of day, for the times written to tables; time.Now by default.
	Now func() time.Time
	// Running is how long the process has been running, by a clock that only goes forward; since New by default.
	Running func() time.Duration
	// Beside is how many bots run beside this one, each with a store of its own, and share what the platforms let through.
	Beside int
	// Seed makes a new secret seed; from crypto/rand by default.
	Seed func() engine.Seed
	// States is how many tables are kept in memory with their states; 1,000 by default.
	States int
	// Pictures has tables shown as pictures: games for one, but where a place wants text; those for several where it wants
	// pictures, and else how they end.
	Pictures bool
	// Observer is told of every request; nil is nobody.
	Observer chat.Observer
	// Keep is how long what has ended is kept, and how long a table waits for people who don't come; 0 is for ever.
	Keep time.Duration
	// Copied is when the backup was made that the store goes on from, zero for none: games of several whose seed had been chosen by then are
	// closed, since who played on knows the cards.
	Copied time.Time
	// AddTime is how long a pack isn't dealt though its cutter has cut, from when people were asked to: so whoever looks can add
	// something. 0 is not at all.
	AddTime time.Duration
	// RoomOpen says that anybody reaches the room, under as many names as they like: there only chips that were won can be
	// given away.
	RoomOpen bool
	// Contact is how whoever runs the bot can be reached, a line of text; empty: nobody says.
	Contact string
	// Deaf is for how long the platform of a community has brought no presses from there, or had brought none until a moment ago; 0 where it brings
	// them: nobody's turn runs out there. Nil where that is so everywhere.
	Deaf func(chat.Community) time.Duration
	// Late is for how long no message of a table's has shown whose turn it is, or did not before one came, and for how long one has since; less than
	// 0 where none does: a turn has its whole time from then on. Nil where messages are never late.
	Late func(chat.Place, table.ID) (late, shown time.Duration)
	// Serves reports whether the tables of a community are the bot's to show and to ring for, where several share a store; nil: all are.
	Serves func(chat.Community) bool
	// SaveRecords is given the records of deals that are about to leave the store. They must be durable when it returns
	// nil; otherwise they stay. It may get a record again that it has saved. Nil lets them leave unsaved.
	SaveRecords func(context.Context, []upkeep.Saved) error
}

// remembered is how many bytes of a store Remember remembers.
const remembered = 256 << 10

// Remember is a store that remembers what a Bot needs for presses, so that it isn't asked for it again. It is for a store that is
// far away, and of which others write little while the Bot does.
func Remember(s storage.Store) storage.Store {
	return storage.Remember(s, remembered, func(key string) bool { return strings.HasPrefix(key, keyspace.Postings) })
}

// Bot plays all tables of one store. It is safe for use by many goroutines.
type Bot struct {
	*Menu
	store storage.Store
	games map[string]engine.Rules
	log   *slog.Logger
	now   func() time.Time
	seed  func() engine.Seed
	watch chat.Observer
	clock *clock.Clock

	tables   *play.Tables
	live     *live.Tables
	host     *play.Host
	today    *day.Today
	langs    *table.Langs
	accounts *account.Accounts
	charts   *account.Charts
	replays  *replay.Replays
	keeper   *upkeep.Keeper
	taps     taps
	control  control
	keep     *table.Keeping
	// posts is the running time before which no posts are made, since something broke at that; 0 otherwise. It is Ring's.
	posts time.Duration
}

// Tune changes Options.Keep and Options.Contact.
func (b *Bot) Tune(keep time.Duration, contact string) {
	b.keep.Set(keep)
	b.accounts.SetContact(contact)
}

// New reads what is stored of the clock and of open tables.
func New(ctx context.Context, o Options) (*Bot, error) {
	menu, err := NewMenu(o.Games)
	if err != nil {
		return nil, err
	}
	b := &Bot{
		Menu: menu, store: o.Store, games: map[string]engine.Rules{}, log: o.Log, now: o.Now, seed: o.Seed,
		watch: chat.Observe(o.Observer),
	}
	for _, rules := range b.order {
		b.games[rules.Info().Name] = rules
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
	if o.Serves == nil {
		o.Serves = func(chat.Community) bool { return true }
	}
	if now := b.now(); o.Copied.After(now) { // The clock was ahead then; what is dealt from now on stays.
		o.Copied = now
	}
	if b.clock, err = clock.Open(ctx, b.store, b.log, o.Running, 1+o.Beside); err != nil {
		return nil, err
	}
	found, err := table.OpenIndex(ctx, b.store, b.log)
	if err != nil {
		return nil, err
	}
	if err := b.control.open(ctx, b.store, b.log); err != nil {
		return nil, err
	}
	if err := b.build(ctx, o, found); err != nil {
		return nil, err
	}
	return b, nil
}

// build makes what the bot is made of.
func (b *Bot) build(ctx context.Context, o Options, found *table.Index) error {
	var painter *picture.Painter
	if o.Pictures {
		var err error
		if painter, err = picture.New(); err != nil {
			return fmt.Errorf("make the cards: %w", err)
		}
	}
	states := 1000
	if o.States > 0 {
		states = o.States
	}
	house := table.NewHouse(b.store, b.order, b.words, b.log, b.now)
	house.Keep = table.NewKeeping(o.Keep)
	days := day.New(o.Deals, b.order, b.words, b.now)
	b.keep = house.Keep
	b.tables = play.New(play.Deps{
		House: house, Seed: b.seed, Clock: b.clock, Painter: painter, AddTime: o.AddTime, Copied: o.Copied, Heavy: pace.NewBudget(b.clock.Running), Watching: pace.NewBudget(b.clock.Running),
		Questions: table.NewAsker(b.words, b.now), Index: found, Days: days, Changed: func(t *table.Table) { b.live.Changed(t) }, Said: func(s play.Sign) { b.live.Said(s) },
		Looking: func(id table.ID, user int64) bool { return b.live.Sees(id, user) }, Deaf: o.Deaf, Late: o.Late,
	}, states)
	b.live = live.New(live.Deps{House: house, Running: b.clock.Now, Tables: b.tables})
	b.host, b.langs = play.NewHost(b.tables), table.NewLangs(b.store, b.clock.Running)
	var err error
	if b.today, err = day.OpenToday(ctx, day.Options{House: house, Days: days, Opener: b.host, Running: b.clock.Running}); err != nil {
		return err
	}
	b.charts = &account.Charts{House: house, Painter: painter}
	b.accounts = account.New(account.Options{
		House: house, SavesRecords: o.SaveRecords != nil, Contact: o.Contact, RoomOpen: o.RoomOpen, Budget: b.tables.Heavy, Tables: b.tables,
		Index: found, Charts: b.charts, Today: b.today, Langs: b.langs, Live: b.live,
	})
	b.replays = replay.New(b.tables)
	b.keeper = upkeep.New(upkeep.Options{House: house, SaveRecords: o.SaveRecords, Tables: b.tables, Index: found, Serves: o.Serves})
	return nil
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

// Live are the tables for those who look at them without a message of a platform's.
func (b *Bot) Live() *live.Tables { return b.live }

// Handle does what the request asks, and returns what there is to say. It always answers: what goes wrong is logged,
// and told to the one who asked.
func (b *Bot) Handle(ctx context.Context, r chat.Request) (response chat.Response) {
	ctx, done := b.watch.Request(chat.WithRequest(ctx, r.ID), r)
	outcome := chat.Done
	defer func() {
		if p := recover(); p != nil {
			outcome = chat.Panicked
			response = b.broken(r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
		for i := range response.Posts {
			response.Posts[i].Request = r.ID
		}
		done(outcome)
	}()
	if r.Who.Bot {
		return chat.Response{}
	}
	r.Who.Name = chat.CleanName(r.Who.Name)
	r.Who.Lang = b.langOf(ctx, r)
	if r.Who.Anonymous {
		response, outcome = b.handle(ctx, b.speaking(ctx, r))
		return publicAnswer(response)
	}
	response, outcome = b.handle(ctx, r)
	return response
}

// Ring handles the deadlines that have passed, makes the posts whose hour has come, and gives what there is to say to show. It returns
// how long there is nothing more to do. Only one at a time may call it.
func (b *Bot) Ring(ctx context.Context, show func(context.Context, chat.Response)) time.Duration {
	shown := func(ctx context.Context, r chat.Response) { b.apart("showing", func() { show(ctx, r) }) }
	next := b.clock.Ring(ctx, b.Handle, shown)
	posts := b.posts - b.clock.Running()
	if posts <= 0 {
		b.posts, posts = b.clock.Running()+leftAlone, leftAlone
		b.apart("posts", func() { posts = b.today.Ring(ctx, shown); b.posts = 0 })
	}
	return min(next, posts)
}

// leftAlone is how long what has panicked is let be.
const leftAlone = time.Hour

// apart does what nobody has asked for. A panic ends that alone: nobody else's game hangs on it.
func (b *Bot) apart(what string, do func()) {
	defer func() {
		if p := recover(); p != nil {
			b.log.Error("something broke that nobody waits for", "what", what, "error", fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	do()
}

// again does what nobody has asked for until ctx ends, and begins anew a while after a panic.
func (b *Bot) again(ctx context.Context, what string, do func()) {
	for ended := false; !ended; ended = ended || pace.Sleep(ctx, leftAlone) != nil {
		b.apart(what, func() { do(); ended = true })
	}
}

// Run serves the clock until ctx ends: it draws every open table once, keeps turn limits, lets computer players move, tells chats
// of the patience of the day, and saves the running time. What there is to say goes to show, which must not wait for a platform.
func (b *Bot) Run(ctx context.Context, show func(context.Context, chat.Response)) error {
	return b.clock.Run(ctx, func(ctx context.Context) time.Duration { return b.Ring(ctx, show) })
}

// RunTasks does, until ctx ends, what takes too long for a press: it goes through a database from before people and names
// could be looked up, forgets people to the end, also those with whom a stop of the process or an error has interrupted it, and
// makes long lists. Whoever calls it waits for it. It works a tenth of the time.
func (b *Bot) RunTasks(ctx context.Context) {
	b.again(ctx, "tasks", func() { b.accounts.RunTasks(ctx) })
}

// Announce says, until ctx ends, what nobody has asked for: once a month who was best. What there is to say goes to show, which must
// not wait for a platform. Whoever calls it waits for it. It works a tenth of the time.
func (b *Bot) Announce(ctx context.Context, show func(context.Context, chat.Response)) {
	b.again(ctx, "seasons", func() { play.TellSeasons(ctx, b.tables.House, show) })
}

// Retain lets leave, until ctx ends, what ended longer ago than Options.Keep, and what is too much: tables, and postings of the ledger. It
// looks through the store once a day. Whoever calls it waits for it.
func (b *Bot) Retain(ctx context.Context) {
	b.again(ctx, "retain", func() { b.keeper.Retain(ctx) })
}

// Count counts what the bot's store holds. It reads every open table and every account, so it is for once in a while.
// The error is one of the store, or of ctx.
func (b *Bot) Count(ctx context.Context) (upkeep.Counts, error) {
	c, err := b.keeper.Count(ctx)
	c.Live, _ = b.live.Watched()
	return c, err
}

// ForgetEverywhere forgets a person in all communities of a platform as they can themselves in one, and tells each of
// what was taken out in those where there was something. Where the person has a part in games that aren't over, it
// is ErrStillPlays and nothing is changed; with stop these are closed first, and the chips go back. It may be done again
// after an error. One that names what is damaged comes when all else is done.
func (b *Bot) ForgetEverywhere(ctx context.Context, on chat.Platform, user int64, stop bool, tell func(account.Forgotten)) error {
	return b.mending(ctx, func() error { return b.accounts.ForgetEverywhere(ctx, on, user, stop, tell) })
}

// langOf is the language of the one who asks: what they have chosen in the community, and else what the platform says. In the room
// the browser knows it.
func (b *Bot) langOf(ctx context.Context, r chat.Request) string {
	if !r.Kind.ByPerson() || r.Who.Anonymous || r.In.Community.Platform == chat.Web {
		return r.Who.Lang
	}
	home := table.Home(r)
	if tok, err := table.ParseToken(r.Data); r.Kind == chat.Press && err == nil && tok.Table.Name != table.NoTable && table.Verb(tok.Do) != "!join" {
		return cmp.Or(b.langs.Known(home, r.Who.ID), r.Who.Lang) // A move must ask the store for nothing more.
	}
	lang, err := b.langs.Of(ctx, home, r.Who.ID)
	if err != nil {
		b.log.Warn("the language that somebody has chosen can't be read", "request", r.ID, "error", err)
	}
	return cmp.Or(lang, r.Who.Lang)
}

// handle does what the request asks, and says what went wrong.
func (b *Bot) handle(ctx context.Context, r chat.Request) (chat.Response, chat.Outcome) {
	var response chat.Response
	err := b.mending(ctx, func() (err error) {
		response, err = b.serve(ctx, r)
		return err
	})
	if err == nil {
		return response, chat.Done
	}
	if refused, ok := b.tables.Refused(r, err); ok && r.Kind != chat.Timeout {
		refused.Posts = response.Posts
		return refused, chat.Refused
	}
	return b.broken(r, err), chat.Broken
}

// serve does what the request asks.
func (b *Bot) serve(ctx context.Context, r chat.Request) (chat.Response, error) {
	if err := b.control.admits(r, b.asksRights(r), b.asksToLeave(r)); err != nil {
		return chat.Response{}, err
	}
	switch r.Kind {
	case chat.Press:
		response, err := b.press(ctx, r)
		return b.withWord(r, response), err
	case chat.Command:
		return b.command(ctx, r)
	case chat.Timeout:
		return b.tables.Timeout(ctx, r)
	case chat.Shown:
		for _, shown := range []func(context.Context, chat.Request) (bool, error){b.today.Shown, b.seasonShown} {
			if mine, err := shown(ctx, r); mine {
				return chat.Response{}, err
			}
		}
		return b.host.Shown(ctx, r)
	case chat.Gone:
		return b.gone(ctx, r)
	case chat.Migrated:
		return b.migrated(ctx, r)
	case chat.Unreached, chat.Missed:
		return b.tables.Unreached(ctx, r)
	case chat.Left:
		return b.left(ctx, r)
	case chat.Arrived:
		return b.arrived(ctx, r)
	case chat.Talk:
		return chat.Response{}, nil
	case chat.Followed:
		return b.followed(ctx, r)
	}
	return chat.Response{}, fmt.Errorf("no request is of kind %d", r.Kind)
}

// seasonShown notes that what was told of a month stands, if the request says so.
func (b *Bot) seasonShown(ctx context.Context, r chat.Request) (bool, error) {
	return play.TellingShown(ctx, b.store, r)
}

// migrated takes along what belongs to a community that has got another ID.
func (b *Bot) migrated(ctx context.Context, r chat.Request) (chat.Response, error) {
	response, err := b.keeper.Migrate(ctx, r)
	if to, failed := chat.ParseCommunity(r.Data); err == nil && failed == nil {
		b.live.Moved(r.In.Community)
		err = b.today.Migrated(ctx, r.In.Community, to, b.keeper.Serves(to))
	}
	return response, err
}

// gone ends what goes on in a place that is gone, and has nothing told there any more.
func (b *Bot) gone(ctx context.Context, r chat.Request) (chat.Response, error) {
	if r.In.Channel == 0 {
		b.log.Info("the bot was removed", "chat", r.In.Community)
	} else {
		b.log.Info("a place is gone", "chat", r.In.Community, "channel", r.In.Channel, "thread", r.In.Thread)
	}
	err := storage.Update(ctx, b.store, func(tx storage.Tx) error {
		if err := table.GoneFromWishes(tx, r.In); err != nil {
			return err
		}
		return play.GoneFromResults(tx, r.In)
	})
	if err != nil {
		return chat.Response{}, err
	}
	response, err := b.tables.Gone(ctx, r)
	return response, errors.Join(err, b.today.Gone(ctx, r))
}

// left has a community go on without somebody who isn't there any more, who isn't called to its tables either.
func (b *Bot) left(ctx context.Context, r chat.Request) (chat.Response, error) {
	err := storage.Update(ctx, b.store, func(tx storage.Tx) error {
		origin, err := table.Origin(tx, r.In.Community)
		if err != nil {
			return err
		}
		return table.ForgetWishes(tx, origin, r.Who.ID)
	})
	response, failed := b.tables.Left(ctx, r)
	return response, errors.Join(err, failed)
}

// unreadable reports whether a table can't be read, which stays so.
func unreadable(err error) bool {
	var d storage.Damaged
	return errors.Is(err, table.ErrUnreadable) || errors.As(err, &d) && (strings.HasPrefix(d.Key, keyspace.OpenTables) || strings.HasPrefix(d.Key, keyspace.Moves))
}

// broken logs an error and tells the one who asked that nothing was lost.
func (b *Bot) broken(r chat.Request, err error) chat.Response {
	if r.Kind == chat.Timeout {
		b.clock.Again(r.Data, unreadable(err))
	}
	unavailable, unknown := errors.Is(err, storage.ErrUnavailable), errors.Is(err, storage.ErrUnknown)
	if (unavailable || unknown) && !storage.IsDamaged(err) {
		b.clock.Unsaved()
	}
	b.log.Error("request failed", "request", r.ID, "kind", r.Kind.Name(), "chat", r.In.Community, "error", err)
	key := "broken"
	if unavailable && !unknown {
		key = "broken-storage"
	}
	return chat.Response{Toast: chat.Shorten(b.words.Lang(r.Who.Lang).Say(key), chat.MaxToast), Alert: true}
}

// Beside reports whether a button with this token asks for slow work that changes nothing, such as an animated picture. An adapter that
// handles the requests of a chat in order should do this one in parallel, so that the others don't wait for it.
func Beside(token string) bool {
	tok, err := table.ParseToken(token)
	return err == nil && replay.Beside(tok.Do)
}

// withWord is the response to a press with a word for who pressed, where there is nothing else for them alone: what everybody reads may
// come later.
func (b *Bot) withWord(r chat.Request, response chat.Response) chat.Response {
	own := func(p chat.Post) bool { return p.To != nil && p.To.ID == r.Who.ID }
	if response.Toast == "" && response.Done == "" && !slices.ContainsFunc(response.Posts, own) {
		key := "done.plain"
		if response.Opened != "" {
			key = "done.open"
		}
		response.Done = b.words.Lang(r.Who.Lang).Say(key)
	}
	return response
}

// press does what a button says.
func (b *Bot) press(ctx context.Context, r chat.Request) (chat.Response, error) {
	tok, err := table.ParseToken(r.Data)
	if err != nil {
		return chat.Response{}, err
	}
	if r.FromOutside || r.In.Private {
		r.Bar(b.tables.BarNamed(ctx, r, tok.Table.Community))
	}
	if why := b.control.admits(r, false, false); why != nil {
		r.Bar(why) // They may answer that they want to be forgotten or to get up, and nothing else that they were asked.
	}
	if tok.Table.Name == table.NoTable {
		return b.pressPlace(ctx, r, tok)
	}
	if replay.Wants(tok.Do) {
		return b.replays.Press(ctx, r, tok)
	}
	return b.host.Press(ctx, r, tok)
}
