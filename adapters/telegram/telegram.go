// Package telegram deals in Telegram chats. A press is answered at once by a toast, without limit; the board follows
// by an edit within what Telegram lets a bot write to a chat, and is only ever the newest one.
//
// Nothing is stored here: Telegram keeps an update until it is confirmed, and that is done only when what it asked is
// durable; where the tables' messages stand is kept by the bot, and a lost picture is repaired by the next.
package telegram

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zevaka/bot"
	"zevaka/bot/words"
)

// Options are what an adapter can be told. Token and Words must be given; the rest have defaults.
type Options struct {
	// Token is the bot's, as BotFather gave it. It appears in no log and no error.
	Token string
	// API replaces scheme and host of Telegram's Bot API, as "http://127.0.0.1:8081"; paths stay.
	API string
	// Webhook is the address that Telegram shall call; without one the adapter asks Telegram for updates.
	Webhook string
	// WebhookListen is where the adapter listens for those calls, as "127.0.0.1:8443"; needed with Webhook.
	WebhookListen string
	// Secret is what Telegram has to say with each call; by default it is a new one at every start.
	Secret string
	// Log takes what the operator should know; nil is slog.Default().
	Log *slog.Logger
	// Commands are the bot's commands in a language, for the menus; nil leaves the menus as they are.
	Commands func(lang string) []bot.CommandInfo
	// Words are the catalogues that the bot speaks from.
	Words *words.Catalogue
	// Transport carries the calls; nil is one of the adapter's own.
	Transport http.RoundTripper
	// Observer is told of calls and answers; nil is nobody.
	Observer bot.Observer
}

// How long things may take.
const (
	handleTime  = 20 * time.Second
	callTime    = 15 * time.Second
	answerTime  = 12 * time.Second
	privateTime = 3 * time.Second
	stopTime    = 3 * time.Second
	firstPause  = time.Second
	longPause   = 30 * time.Second
)

// maxLanes is how many chats' updates are handled at the same time.
const maxLanes = 64

// ErrToken is the refusal of the token by Telegram.
var ErrToken = errors.New("the token is refused by Telegram: check TELEGRAM_TOKEN (BotFather shows it under /mybots)")

// Adapter is a bot on Telegram. Its methods may be called from anywhere.
type Adapter struct {
	bot   bot.Handler
	opts  Options
	log   *slog.Logger
	api   *client
	watch bot.Observer
	// up says that news come.
	up     atomic.Bool
	lanes  lanes
	gate   gate
	chats  chats
	known  names
	posts  privates
	seen   seen
	people people
	me     atomic.Pointer[user]
	run    string // names this run of the program in the requests that the adapter itself makes
	last   atomic.Uint64
	born   time.Time

	// Everything that runs beside Run is counted in tasks, and ends with work.
	work  context.Context
	cut   context.CancelFunc
	quit  chan struct{} // closed when no more is to be sent
	tasks sync.WaitGroup
	mu    sync.Mutex
	state state
}

// state is how far a run has come.
type state uint8

const (
	waiting state = iota
	running
	stopped
)

// New is an adapter that talks to nobody yet.
func New(h bot.Handler, opts Options) *Adapter {
	opts.Token = strings.TrimSpace(opts.Token)
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	if opts.Secret == "" {
		opts.Secret = rand.Text()
	}
	a := &Adapter{
		bot: h, opts: opts, log: opts.Log, api: newClient(opts), watch: bot.Observe(opts.Observer), run: rand.Text()[:10], born: time.Now(),
		quit: make(chan struct{}),
	}
	a.api.http.Transport = watched{a.api.http.Transport, a.watch}
	a.lanes = lanes{room: make(chan struct{}, maxLanes), queues: map[int64][]func(){}}
	a.chats.init()
	a.posts.init()
	a.seen.init()
	a.people.init()
	a.known = namesOf(opts.Commands)
	a.work, a.cut = context.WithCancel(context.Background())
	return a
}

// Run deals until ctx ends, and then returns nil once everything begun is finished. It runs once. Only what can't get
// better by waiting is an error: a token that is refused, an address that can't be listened on.
func (a *Adapter) Run(ctx context.Context) error {
	defer a.stop()
	if err := a.opts.check(); err != nil {
		return err
	}
	if err := a.connect(ctx); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return nil
	}
	defer a.up.Store(false)
	a.start()
	if a.opts.Commands != nil {
		a.spawn(func() { a.menus(ctx) })
	}
	if a.opts.Webhook != "" {
		return a.listen(ctx)
	}
	return a.poll(ctx)
}

// check refuses options that can't be meant. It doesn't say what the token is.
func (o Options) check() error {
	odd := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && r != ':' && r != '_' && r != '-'
	}
	if o.Token == "" || strings.ContainsFunc(o.Token, odd) {
		return ErrToken
	}
	for name, address := range map[string]string{"TELEGRAM_API": o.API, "the webhook": o.Webhook} {
		u, err := url.Parse(address)
		if address != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
			return fmt.Errorf("%s should look like https://example.org, and is %.100q", name, address)
		}
	}
	return nil
}

// connect finds out who the bot is. It tries until Telegram answers.
func (a *Adapter) connect(ctx context.Context) error {
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		var me user
		err := a.api.call(ctx, "getMe", nil, &me)
		var refused *apiError
		switch {
		case err == nil:
			a.me.Store(&me)
			a.log.Info("dealing on Telegram", "bot", "@"+me.Username)
			return nil
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &refused) && refused.badToken():
			return fmt.Errorf("%w (%s)", ErrToken, refused.text)
		}
		a.log.Warn("Telegram doesn't answer; trying again", "in", pause, "err", err)
		sleep(ctx, pause)
	}
}

// start lets what was posted meanwhile go.
func (a *Adapter) start() {
	a.mu.Lock()
	a.state = running
	a.mu.Unlock()
	for _, c := range a.chats.all() {
		c.kick()
	}
}

// stop waits for what was begun. What is still to be shown will be drawn at the next start.
func (a *Adapter) stop() {
	a.mu.Lock()
	a.state = stopped
	a.mu.Unlock()
	close(a.quit)
	late := time.AfterFunc(stopTime, a.cut)
	a.tasks.Wait()
	late.Stop()
	a.cut()
	a.api.close()
}

// spawn runs fn beside Run, which waits for it. False: it doesn't run at all, because nothing does now.
func (a *Adapter) spawn(fn func()) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state != running {
		return false
	}
	a.tasks.Go(func() {
		defer a.recovered()
		fn()
	})
	return true
}

// recovered logs a panic instead of letting one chat take all down.
func (a *Adapter) recovered() {
	if p := recover(); p != nil {
		a.log.Error("something broke in the Telegram adapter", "panic", p)
		a.watch.Caught(bot.Telegram)
	}
}

// during is the context of what is sent for a request.
func (a *Adapter) during(request string) context.Context { return bot.WithRequest(a.work, request) }

// nextID names a request of the adapter's own.
func (a *Adapter) nextID() string {
	return "tg/" + a.run + "/" + strconv.FormatUint(a.last.Add(1), 36)
}

// sleep waits, and reports false if ctx ended before.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
