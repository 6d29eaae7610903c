package discord

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync/atomic"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// maxWaiting bounds what waits in all lanes together.
	maxWaiting = 10_000
	// maxParents is of how many channels it is remembered what they belong to.
	maxParents = 4096
)

// core is what all parts of an adapter share: the bot, the way to Discord, and what runs beside Run.
type core struct {
	*outbox.Tasks
	bot  chat.Handler
	opts Options
	log  *slog.Logger
	rest *client
	// watch is told what happens.
	watch chat.Observer
	// in are the lanes of what happened and is to be handled.
	in     *outbox.Lanes[string]
	guilds guilds
	// parents are the channels that threads belong to; 0 for channels that are no threads, or that the bot may not see.
	parents *outbox.Memory[int64, int64]
	// share is what this process serves of Discord, alone that there is no other.
	share adapters.Share
	alone bool
	// errands are what goes to communities.
	errands errands
	// app is the application's ID, once it is known.
	app atomic.Pointer[string]
	// own is what self returns; nil is the zero identity.
	own      atomic.Pointer[identity]
	run      string
	requests atomic.Uint64
}

func newCore(h chat.Handler, o Options) *core {
	c := &core{
		bot: h, opts: o, log: o.Log.With("platform", "discord"), watch: chat.Observe(o.Observer), rest: newClient(o),
		in: outbox.NewLanes[string](maxWaiting, 0), run: strconv.FormatUint(rand.Uint64(), 36), guilds: newGuilds(), share: o.Share,
		parents: outbox.NewMemory[int64, int64](maxParents),
	}
	c.rest.watch = c.watch
	if c.share == nil {
		c.share = adapters.Alone{}
	}
	c.rest.serves = c.share.Serves
	if _, c.alone = c.share.(adapters.Alone); !c.alone {
		c.rest.limits.rate = func() float64 { return globalRate * c.share.Portion() }
	}
	c.Tasks = outbox.NewTasks(func(panicked any) {
		c.log.Error("something broke", "panic", fmt.Sprint(panicked))
		c.watch.Caught(chat.Discord)
	})
	return c
}

// ask puts a request to the bot.
func (c *core) ask(r chat.Request) chat.Response {
	ctx, cancel := context.WithTimeout(c.Life, handleTime)
	defer cancel()
	return c.bot.Handle(ctx, r)
}

// application is the application's ID; empty as long as Discord hasn't told it.
func (c *core) application() string {
	if app := c.app.Load(); app != nil {
		return *app
	}
	return ""
}

// self is what Discord knows of the bot now.
func (c *core) self() identity {
	if me := c.own.Load(); me != nil {
		return *me
	}
	return identity{}
}

// nextID names a request of the adapter's own.
func (c *core) nextID() string {
	return "discord/" + c.run + "/" + strconv.FormatUint(c.requests.Add(1), 36)
}

// during is the context of what is done for a request.
func (c *core) during(request string) context.Context { return chat.WithRequest(c.Life, request) }

// say is a sentence in the language nearest to the tag.
func (c *core) say(key, tag string) string { return c.opts.Words.Lang(tag).Say(key) }
