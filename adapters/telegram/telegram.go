// Package telegram deals in Telegram chats. A press is answered at once by a toast, without limit; the board follows
// by an edit within what Telegram lets a bot write to a chat, and is only ever the newest one.
//
// Nothing is stored here: Telegram keeps an update until it is confirmed, and that is done only when what it asked is
// durable; where the tables' messages stand is kept by the bot, and a lost picture is repaired by the next.
//
// Where several processes share the bot one of them asks Telegram for updates, or Telegram calls any of them. An update is handled by
// the process that serves the community it is about, and counts as durable when that has said so.
package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
	"zevaka/adapters/telegram/webapp"
	"zevaka/bot/chat"
)

// maxSeen is how many requests are remembered.
const maxSeen = 8192

// maxLogins is how many logins at the live tables are remembered that may not be used again.
const maxLogins = 1 << 15

// maxLanes is how many chats' updates are handled at the same time.
const maxLanes = 64

// Adapter is a bot on Telegram. Its methods may be called from anywhere.
type Adapter struct {
	*core
	out *sender
	// up says that news come.
	up atomic.Bool
	// lanes are the chats in which something happened that is to be handled.
	lanes *outbox.Lanes[int64]
	// arriving are the chats of which updates came that go on to whichever process serves them. They wait there, which is no work.
	arriving *outbox.Lanes[int64]
	known    names
	// seen are the requests that came lately. What they asked is done once whatever is remembered here: that is the bot's
	// to know.
	seen *outbox.Memory[string, struct{}]
	// members are those who asked for something from outside their group.
	members members
	// logins are those by which somebody came to the live tables.
	logins *webapp.Once
}

// New is an adapter that talks to nobody yet.
func New(h chat.Handler, opts Options) *Adapter {
	opts.Token = strings.TrimSpace(opts.Token)
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	if opts.Share == nil {
		opts.Share = adapters.Alone{}
	}
	c := newCore(h, opts)
	if c.opts.Secret == "" {
		c.opts.Secret = c.newSecret()
	}
	a := &Adapter{
		core: c, out: newSender(c), known: namesOf(opts.Commands), lanes: outbox.NewLanes[int64](0, maxLanes),
		arriving: outbox.NewLanes[int64](0, 0), seen: outbox.NewMemory[string, struct{}](maxSeen), members: newMembers(c),
		logins: webapp.NewOnce(maxLogins, c.born),
	}
	return a
}

// Run deals until ctx ends, and then returns nil once everything begun is finished. It runs once. Only what can't get
// better by waiting is an error: a token that is refused, an address that can't be listened on.
func (a *Adapter) Run(ctx context.Context) error {
	defer func() {
		a.Close(stopTime) // What is still to be shown will be drawn at the next start.
		a.api.close()
	}()
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
		a.spawn(func() { menus{a.core}.set(ctx) })
	}
	if a.opts.PublicURL != "" {
		a.spawn(func() { menus{a.core}.setButton(ctx) })
	}
	if a.opts.Webhook != "" {
		return a.listen(ctx)
	}
	return a.poll(ctx)
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
		outbox.Sleep(ctx, pause)
	}
}

// start lets what was posted meanwhile go.
func (a *Adapter) start() {
	a.started.Store(true)
	for _, c := range a.out.chats.all() {
		c.wake()
	}
}

// Show takes what the bot has to say: the answer to a request, or what its clock posts. It doesn't wait for Telegram.
// Posts for other platforms are left to their adapters.
func (a *Adapter) Show(_ context.Context, response chat.Response) { a.out.show(response) }
