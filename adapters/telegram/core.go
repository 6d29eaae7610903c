package telegram

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// core is what all parts of an adapter share: the bot, the way to Telegram, and what runs beside Run.
type core struct {
	*outbox.Tasks
	bot    chat.Handler
	opts   Options
	log    *slog.Logger
	api    *client
	watch  chat.Observer
	people people
	// share is what this process serves of Telegram; alone says that there is no other.
	share  adapters.Share
	alone  bool
	me     atomic.Pointer[user]
	tables [32]byte // signs the links to tables
	run    string   // names this run of the program in the requests that the adapter itself makes
	last   atomic.Uint64
	born   time.Time
	// started says that the bot knows who it is: before, nothing is begun.
	started atomic.Bool
}

func newCore(h chat.Handler, opts Options) *core {
	c := &core{
		bot: h, opts: opts, log: opts.Log, api: newClient(opts), watch: chat.Observe(opts.Observer), run: rand.Text()[:10], born: time.Now(),
		tables: opts.tableKey(), share: opts.Share,
	}
	_, c.alone = opts.Share.(adapters.Alone)
	c.api.http.Transport = watched{c.api.http.Transport, c.watch}
	c.people.init()
	c.Tasks = outbox.NewTasks(func(panicked any) {
		c.log.Error("something broke in the Telegram adapter", "panic", panicked)
		c.watch.Caught(chat.Telegram)
	})
	return c
}

// spawn runs do beside Run, which waits for it. False: it doesn't run at all, because nothing does now.
func (c *core) spawn(do func()) bool { return c.started.Load() && c.Admit(do) }

// during is the context of what is sent for a request.
func (c *core) during(request string) context.Context { return chat.WithRequest(c.Life, request) }

// nextID names a request of the adapter's own.
func (c *core) nextID() string {
	return "tg/" + c.run + "/" + strconv.FormatUint(c.last.Add(1), 36)
}
