// Package discord is the bot's way into Discord: slash commands, buttons and modals come in over the gateway, and the
// answer to a press is the new board, in one call.
//
// What the library's REST half can't do is done here: every call takes a context, obeys the limits that Discord names,
// and never sleeps where a press waits. The gateway half is the library's, one Session per shard, looked after from
// outside: it is opened again whenever it is lost, where Discord says, through a proxy if one is set, and never
// identifies out of turn. What is left of the library's ways: after each lost connection it rests for a second.
package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"zevaka/bot"
	"zevaka/bot/words"
)

// Options are what an Adapter is made of. Token, Commands and Words must be given.
type Options struct {
	// Token is the bot's token, without "Bot ".
	Token string
	// API replaces scheme and host of all calls, as "http://127.0.0.1:9100"; empty is Discord itself.
	API string
	// Shards says which shards this process serves, as "0-3/8"; empty is all that Discord recommends.
	Shards string
	// Log takes what the operator should know; nil is slog.Default().
	Log *slog.Logger
	// Commands are the bot's commands in the language nearest to the tag.
	Commands func(lang string) []bot.CommandInfo
	// Words are the catalogues that the bot speaks from.
	Words *words.Catalogue
	// Observer is told of calls and answers; nil is nobody.
	Observer bot.Observer
}

// ErrToken is the refusal of a token that Discord doesn't know.
var ErrToken = errors.New("discord doesn't accept the token: look it up again on the Bot page of the developer portal (DISCORD_TOKEN)")

// How long things take, unless a test is in a hurry.
const (
	// deferAfter is when an interaction is acknowledged whose answer isn't there yet; answerTime is when Discord gives up.
	deferAfter = 1500 * time.Millisecond
	answerTime = 2900 * time.Millisecond
	// handleTime is the time the bot has for a request, deliverTime the time for a message to be shown.
	handleTime  = 20 * time.Second
	deliverTime = 30 * time.Second
	// stopTime is how long what was begun may go on when the adapter stops.
	stopTime = 3 * time.Second
	// redrawEvery is how far apart boards are drawn after a reconnect.
	redrawEvery = 50 * time.Millisecond
)

// pace is how long the gateway's waits are.
type pace struct {
	// identify is how far apart two identifies of one concurrency slot are, retry the first wait before a shard
	// connects again, open the time for a connection to stand, and quiet the longest silence of a living one.
	identify, retry, open, quiet time.Duration
	// deferral is when an interaction is acknowledged whose answer isn't there yet.
	deferral time.Duration
	// rude says that connections end without a word: a close frame takes the library a second.
	rude bool
}

// Adapter is the bot on Discord. Its methods may be called from anywhere.
type Adapter struct {
	bot  bot.Handler
	opts Options
	log  *slog.Logger
	rest *client
	pace pace
	// watch is told what happens.
	watch bot.Observer
	// proxy is the proxy that a connection to the gateway goes through.
	proxy func(*http.Request) (*url.URL, error)

	lanes  lanes
	boards boards
	guilds guilds
	seen   *memory[string, struct{}]
	told   *memory[notice, struct{}]
	// wordy are the channels that take no pictures, and until when none is tried there.
	wordy    *memory[int64, time.Time]
	app      atomic.Pointer[string]
	run      string
	requests atomic.Uint64
	// links is how many connections to the gateway there should be, up how many stand.
	links, up atomic.Int64

	// What was begun is counted in work, and ends with life.
	work   sync.WaitGroup
	life   context.Context
	end    context.CancelFunc
	mu     sync.Mutex
	closed bool
}

// New is an adapter that isn't connected yet. The handler h must be given.
func New(h bot.Handler, o Options) *Adapter {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	life, end := context.WithCancel(context.Background())
	a := &Adapter{
		bot: h, opts: o, log: o.Log.With("platform", "discord"), watch: bot.Observe(o.Observer), proxy: http.ProxyFromEnvironment,
		pace: pace{
			identify: 5500 * time.Millisecond, retry: time.Second, open: 30 * time.Second, quiet: 2 * time.Minute,
			deferral: deferAfter,
		},
		seen: newMemory[string, struct{}](4096), told: newMemory[notice, struct{}](1024), wordy: newMemory[int64, time.Time](1024),
		run: strconv.FormatUint(rand.Uint64(), 36), life: life, end: end,
	}
	a.rest = newClient(o.API, o.Token)
	a.rest.watch = a.watch
	a.boards.tables = newMemory[string, *board](4096)
	a.links.Store(1)
	return a
}

// Run connects, registers the commands if they changed, and serves until ctx ends; then it returns nil once what was
// begun is done. An error says in one line why it can't go on. It runs once.
func (a *Adapter) Run(ctx context.Context) error {
	defer a.close()
	first, last, count, err := parseShards(a.opts.Shards)
	if err != nil {
		return err
	}
	info, err := a.gateway(ctx)
	if err != nil {
		return err
	}
	if count == 0 {
		last, count = max(info.Shards, 1)-1, max(info.Shards, 1)
	}
	a.links.Store(int64(last - first + 1))
	g := newGate(info.SessionStartLimit, a.pace.identify)
	group, serving := errgroup.WithContext(ctx)
	register := make(chan string, 1)
	for id := first; id <= last; id++ {
		s := &shard{adapter: a, id: id, count: count, gate: g, ready: register}
		group.Go(func() error { return s.run(serving) })
	}
	group.Go(func() error {
		defer a.recover()
		select {
		case app := <-register:
			a.register(serving, app)
		case <-serving.Done():
		}
		return nil
	})
	return group.Wait()
}

// close ends what was begun: first by waiting, then by force.
func (a *Adapter) close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	force := time.AfterFunc(stopTime, a.end)
	defer force.Stop()
	a.work.Wait()
	a.end()
	a.rest.close()
}

// admit does something that comes from outside; false if the adapter has been closed.
func (a *Adapter) admit(do func()) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed {
		a.begin(do)
	}
	return !a.closed
}

// begin does something beside what was begun already. A panic ends only the thing itself.
func (a *Adapter) begin(do func()) {
	a.work.Go(func() {
		defer a.recover()
		do()
	})
}

func (a *Adapter) recover() {
	if p := recover(); p != nil {
		a.log.Error("something broke", "panic", fmt.Sprint(p))
		a.watch.Caught(bot.Discord)
	}
}

// ask puts a request to the bot.
func (a *Adapter) ask(r bot.Request) bot.Response {
	ctx, cancel := context.WithTimeout(a.life, handleTime)
	defer cancel()
	return a.bot.Handle(ctx, r)
}

// nextID names a request of the adapter's own.
func (a *Adapter) nextID() string {
	return "discord/" + a.run + "/" + strconv.FormatUint(a.requests.Add(1), 36)
}

// during is the context of what is done for a request.
func (a *Adapter) during(request string) context.Context { return bot.WithRequest(a.life, request) }

// Show delivers what the bot has to say that answers nobody: the posts of its clock. It returns at once; what can't be
// delivered now is shown with the table's next picture. Posts of other platforms are left alone.
func (a *Adapter) Show(_ context.Context, resp bot.Response) {
	a.admit(func() { a.deliver(delivery{posts: resp.Posts, id: a.nextID()}) })
}
