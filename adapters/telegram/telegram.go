// Package telegram brings the bot to Telegram's chats. A press is answered at once by a toast, which Telegram doesn't limit. The
// board follows by an edit, as soon as the chat's budget allows it, and always shows the newest picture.
//
// Nothing is stored here. Telegram keeps an update until it is confirmed, and it is confirmed only when what it asked is durable. The
// bot keeps where the tables' messages stand. A picture that is lost is replaced by the next one.
//
// Where several processes share the bot, one of them asks Telegram for updates, or Telegram calls any of them. The process that serves
// an update's community handles it, and says when it is durable.
package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
	"zevaka/adapters/telegram/webapp"
	"zevaka/bot/chat"
)

// maxSeen is how many IDs of requests are remembered.
const maxSeen = 8192

// maxTold is of how many presses it is remembered what their answer was.
const maxTold = 256

// maxLogins is how many logins at the live tables are remembered that may not be used again.
const maxLogins = 1 << 15

const (
	// maxLanes is how many chats' updates are handled at the same time.
	maxLanes = 64
	// maxAsking is of how many people it may wait to be asked whether they have left, askingAtOnce of how many it is asked at the same time.
	maxAsking, askingAtOnce = 4096, 4
)

// Adapter is a bot on Telegram. Its methods may be called from anywhere.
type Adapter struct {
	*core
	out *sender
	// up says that updates come.
	up atomic.Bool
	// rings is how many calls of the webhook have come.
	rings atomic.Int64
	// ears know for how long they haven't come.
	ears outbox.Hearing
	// backlog is what was known to wait at the last look; the poll's.
	backlog backlog
	// hearsay is what the process that asks for them says of that.
	hearsay outbox.Hearsay
	// reached is when another process said last that it reaches Telegram, in nanoseconds since 1970.
	reached atomic.Int64
	// token is whether the token is refused where the bot asks for updates; that alone asks and tells.
	token outbox.Token
	// lanes have the updates that this process handles, by their chats.
	lanes *outbox.Lanes[int64]
	// arriving has the updates that are passed on to whichever process serves them, by their chats. It has no bound on lanes at
	// work, as most of them only wait.
	arriving *outbox.Lanes[int64]
	// asking has those of whom it is asked whether they have left a group, as Telegram has told late.
	asking *outbox.Lanes[int64]
	// queues say who has more in a lane.
	queues queues
	// calls are Telegram's calls to the webhook that aren't answered yet, by their chats alone.
	calls queues
	known names
	// seen are the IDs of the latest requests. It only saves work: the bot itself does the same request once.
	seen *outbox.Memory[string, struct{}]
	// told are the answers to the latest presses that went back with Telegram's own calls, where they may be lost.
	told *outbox.Memory[string, reply]
	// members knows who is in which group.
	members members
	// logins are the logins at the live tables that were used.
	logins *webapp.Once
	// doubted is when the bot was last in doubt of its name, in nanoseconds since 1970.
	doubted atomic.Int64
}

// New is an adapter that does nothing before Run.
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
		arriving: outbox.NewLanes[int64](0, 0), asking: outbox.NewLanes[int64](maxAsking, askingAtOnce), seen: outbox.NewMemory[string, struct{}](maxSeen), members: newMembers(c),
		told: outbox.NewMemory[string, reply](maxTold), logins: webapp.NewOnce(maxLogins, c.startTime),
	}
	return a
}

// Run serves Telegram until ctx ends. Then it finishes what was begun, and returns nil. It is called once. Errors are only those that
// waiting can't mend: Telegram refuses the token, or the address for the webhook can't be listened on.
func (a *Adapter) Run(ctx context.Context) error {
	defer func() {
		a.Close(stopTime) // Pictures that still wait are drawn again after the next start.
		a.api.close()
	}()
	opts := a.opts
	if err := opts.Check(); err != nil {
		return err
	}
	a.reach(false)
	if err := a.connect(ctx); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return nil
	}
	defer a.reach(false)
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

// connect asks Telegram which bot this is. It tries until Telegram answers.
func (a *Adapter) connect(ctx context.Context) error {
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		var me user
		err := a.api.call(ctx, "getMe", nil, &me)
		if err == nil && !me.named() {
			err = errUnread
		}
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
		a.log.Warn("Telegram doesn't answer; trying again", "pause", pause, "error", err)
		outbox.Sleep(ctx, pause)
	}
}

// doubtEvery is how often at most Telegram is asked what the bot is called now.
const doubtEvery = 10 * time.Minute

// doubt asks what the bot is called now, where a command was for a bot of another name: its owner may have changed it. The next command
// is heard.
func (a *Adapter) doubt() {
	now, last := time.Now().UnixNano(), a.doubted.Load()
	if now-last < int64(doubtEvery) || !a.doubted.CompareAndSwap(last, now) {
		return
	}
	a.spawn(func() {
		var me user
		if err := a.api.call(a.Life, "getMe", nil, &me); err != nil || !me.named() || me.ID != a.me.Load().ID {
			return
		}
		if was := a.me.Swap(&me); was.Username != me.Username {
			a.log.Info("the bot has another name on Telegram", "bot", "@"+me.Username)
		}
	})
}

// start begins to send what was posted before.
func (a *Adapter) start() {
	close(a.started)
	for _, c := range a.out.chats.all() {
		c.wake()
	}
}

// Show queues the posts of a response, from a request or from the bot's clock. It doesn't wait for Telegram. Posts for other
// platforms are left out.
func (a *Adapter) Show(_ context.Context, response chat.Response) { a.out.show(response, 0) }

// Deaf implements adapters.Hearer.
func (a *Adapter) Deaf(chat.Community) time.Duration { return max(a.ears.Deaf(), a.hearsay.Deaf()) }

// Late implements adapters.Hearer.
func (a *Adapter) Late(in chat.Place, table string) (late, shown time.Duration) {
	c := a.out.chats.known(in.Community.ID)
	if c == nil {
		return 0, 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if b := c.boards[table]; b != nil {
		return b.Late()
	}
	return 0, 0
}

// sayDeaf tells the other processes for how long Telegram has brought nothing, while it brings nothing, until ctx ends.
func (a *Adapter) sayDeaf(ctx context.Context) {
	for outbox.Sleep(ctx, outbox.SayEvery) {
		if lasts := a.ears.Deaf(); lasts > 0 {
			a.share.Tell(ctx, chat.Telegram, adapters.Parcel{Kind: deafParcel, Body: []byte(lasts.String())})
		}
	}
}

// sayReached tells the process that asks for updates, and doesn't reach Telegram, if this one does.
func (a *Adapter) sayReached() {
	ctx, cancel := context.WithTimeout(a.Life, outbox.SayEvery)
	defer cancel()
	if _, ok := a.answers(ctx); ok {
		a.share.Tell(ctx, chat.Telegram, adapters.Parcel{Kind: reachedParcel})
	}
}

// reach notes whether Telegram's updates come.
func (a *Adapter) reach(up bool) {
	a.up.Store(up)
	a.ears.Set(up)
}

// Pulse is the state of the adapter. It has one connection. That is up while the last poll went well, or while Telegram knows the
// webhook and gets through to it.
func (a *Adapter) Pulse() chat.Pulse {
	p := chat.Pulse{Links: 1, Waiting: a.lanes.Waiting() + a.arriving.Waiting()}
	if a.up.Load() {
		p.Up = 1
	}
	for _, c := range a.out.chats.all() {
		p.Unshown += c.unshown()
	}
	return p
}

// unshown is how many messages wait to be sent to the chat.
func (c *conversation) unshown() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.notes)
	for _, b := range c.boards {
		if b.Unshown() {
			n++
		}
	}
	return n
}

// Adapter is an adapter with these options, and with the program's bot, log and texts.
func (o *Options) Adapter(p adapters.Program) adapters.Adapter {
	all := *o
	all.Log, all.Commands, all.Words, all.Observer = p.Log, p.Commands, p.Words, p.Observer
	all.PublicURL, all.Share, all.Bound = p.Door, p.Share, p.Bound
	return New(p.Handler, all)
}
