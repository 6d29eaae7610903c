package telegram

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/mem"
)

// casino is all of it: a store, the bot with its clock, and a house, to be killed and started again.
type casino struct {
	*house
	dir string // where the database is; empty: in memory
	// public is the address of the live tables; empty where there are none.
	public string
	// pictures has games for one shown as pictures.
	pictures bool

	lives int
	store storage.Store
	bot   *bot.Bot
	quit  context.CancelFunc
	rang  chan error
	seeds atomic.Uint64

	// heard, if not nil, is told what the bot was asked and what it said.
	heard func(chat.Request, chat.Response)

	mu        sync.Mutex
	responses map[string]chat.Response
}

// inCasino runs a test in time of its own, where all of it is open.
func inCasino(t *testing.T, test func(*testing.T, *house, *casino)) {
	t.Helper()
	c := &casino{}
	c.host(t, telegramtest.Options{}, func(t *testing.T, x *house) { test(t, x, c) })
}

// host runs a test in time of its own, where all of this casino is open.
func (c *casino) host(t *testing.T, o telegramtest.Options, test func(*testing.T, *house)) {
	t.Helper()
	bubble(t, nil, o, func(t *testing.T, x *house) {
		c.house = x
		c.open()
		test(t, x)
	})
}

// open starts the bot, its clock and an adapter.
func (c *casino) open() {
	c.t.Helper()
	c.responses = map[string]chat.Response{}
	var err error
	switch {
	case c.dir != "":
		c.store, err = bolt.Open(c.path(), bolt.Options{NoSync: true})
	case c.store == nil:
		c.store = mem.New()
	}
	if err == nil {
		c.bot, err = bot.New(c.t.Context(), bot.Options{
			Store: c.store, Games: games.All(), Seed: c.seed, Pictures: c.pictures, Deals: chatscript.Calendar{}, Now: noon,
		})
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.handler = c
	r := c.start(Options{Commands: c.bot.Commands, PublicURL: c.public})
	ctx, quit := context.WithCancel(c.t.Context())
	c.quit, c.rang = quit, make(chan error, 1)
	go func() { c.rang <- c.bot.Run(ctx, r.Show) }()
}

// noon is what a clock shows on which scripts begin where the time of a bubble does.
func noon() time.Time {
	return chatscript.Noon().Add(time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)))
}

func (c *casino) path() string { return filepath.Join(c.dir, fmt.Sprintf("life%d.db", c.lives)) }

// Handle passes a request on, and remembers what the bot said.
func (c *casino) Handle(ctx context.Context, r chat.Request) chat.Response {
	response := c.bot.Handle(ctx, r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heard != nil {
		c.heard(r, response)
	}
	if r.Kind == chat.Press {
		c.responses[r.ID] = response
	}
	return response
}

// seed is the n-th for the n-th call, so that a test knows the cards.
func (c *casino) seed() engine.Seed { return numbered(c.seeds.Add(1)) }

func numbered(n uint64) (seed engine.Seed) {
	binary.BigEndian.PutUint64(seed[:], n)
	return seed
}

// close ends the adapter, the clock and the store.
func (c *casino) close() {
	c.t.Helper()
	c.end()
	c.quit()
	if err := <-c.rang; err != nil {
		c.t.Error(err)
	}
	if c.dir != "" {
		if err := c.store.Close(); err != nil {
			c.t.Error(err)
		}
	}
}

// crash breaks off in the middle of whatever goes on. The database is taken as it lies there, and nothing is closed
// before.
func (c *casino) crash() {
	c.t.Helper()
	c.run.wire.Cut()
	synctest.Wait()
	if c.dir != "" {
		before := c.path()
		c.lives++
		image, err := os.ReadFile(before)
		if err == nil {
			err = os.WriteFile(c.path(), image, 0o600)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
	c.close()
	c.twice += 2   // What was answered and not confirmed comes again.
	c.unanswered++ // What was durable and confirmed a moment before its answer doesn't.
	c.open()
}
