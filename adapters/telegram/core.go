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

// core is what all parts of an adapter share: the bot, the client of the Bot API, and the tasks beside Run.
type core struct {
	*outbox.Tasks
	bot    chat.Handler
	opts   Options
	log    *slog.Logger
	api    *client
	watch  chat.Observer
	people people
	// share says which communities this process serves; alone that there is no other process.
	share     adapters.Share
	alone     bool
	me        atomic.Pointer[user]
	tables    [32]byte // signs the links to tables
	run       string   // names this run of the program in the adapter's own requests
	last      atomic.Uint64
	startTime time.Time
	// started is closed once the adapter knows which bot it is. Nothing is sent before.
	started chan struct{}
}

func newCore(h chat.Handler, opts Options) *core {
	c := &core{
		bot: h, opts: opts, log: opts.Log, api: newClient(opts), watch: chat.Observe(opts.Observer), run: rand.Text()[:10], startTime: time.Now(),
		tables: opts.tableKey(), share: opts.Share, started: make(chan struct{}),
	}
	_, c.alone = opts.Share.(adapters.Alone)
	c.api.http.Transport = observedTransport{c.api.http.Transport, c.watch}
	c.people.init()
	c.Tasks = outbox.NewTasks(func(panicked any) {
		c.log.Error("something broke in the Telegram adapter", "panic", panicked)
		c.watch.Caught(chat.Telegram)
	})
	return c
}

// spawn runs do beside Run, which waits for it. It reports false, and runs nothing, before the start and after the end.
func (c *core) spawn(do func()) bool { return c.hasStarted() && c.Admit(do) }

// spawnOnce is spawn for what is to be done once the adapter has started.
func (c *core) spawnOnce(do func()) {
	c.Admit(func() {
		select {
		case <-c.started:
		case <-c.Closing:
		}
		if c.hasStarted() {
			do()
		}
	})
}

func (c *core) hasStarted() bool {
	select {
	case <-c.started:
		return true
	default:
		return false
	}
}

// during is the context of calls that a request causes.
func (c *core) during(request string) context.Context { return chat.WithRequest(c.Life, request) }

// nextID is the ID of a new request of the adapter's own.
func (c *core) nextID() string {
	return "tg/" + c.run + "/" + strconv.FormatUint(c.last.Add(1), 36)
}

// answers asks whether Telegram answers at all, and how many updates wait there: -1 where it doesn't say. One method may fail alone, or a gateway
// keep it back: another one is asked then.
func (c *core) answers(ctx context.Context) (waiting int, ok bool) {
	ask := func(method string, into any) bool {
		const enough = 5 * time.Second
		ctx, cancel := context.WithTimeout(ctx, enough)
		defer cancel()
		err := c.api.callFor(ctx, method, nil, into)
		return err == nil || verdictOn(err) != passes
	}
	hook := webhookInfo{Pending: -1}
	ok = ask("getWebhookInfo", &hook) || ask("getMe", nil)
	return hook.Pending, ok
}
