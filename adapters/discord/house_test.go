package discord

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/outbox"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chatscript"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/bolt"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// fake is a Discord in the bubble of a test; a benchmark's is reached over loopback.
func fake(t testing.TB, o discordtest.Options) *discordtest.Server {
	t.Helper()
	_, o.Memory = t.(*testing.T)
	return discordtest.New(t, o)
}

// dial is the way to a server; nil is the network.
func dial(s *discordtest.Server, t testing.TB) func(context.Context, string, string) (net.Conn, error) {
	if _, memory := t.(*testing.T); memory {
		return s.Dial
	}
	return nil
}

// The people of the tests.
var (
	ann  = discordtest.User{ID: "101", Name: "ann", Global: "Аня", Locale: "ru"}
	bob  = discordtest.User{ID: "102", Name: "bob", Nick: "Боря", Locale: "ru"}
	vika = discordtest.User{ID: "103", Name: "vika", Locale: "pl"}
)

// house is the bot on a Discord of its own.
type house struct {
	t      testing.TB
	server *discordtest.Server
	store  storage.Store
	dealer *dealer
	*Adapter
	stop    context.CancelFunc
	stopped chan error
	// before is how often others had identified when the adapter began.
	before int
	log    *slog.Logger
	words  *words.Catalogue
	shards string
	// secret is the client secret, where the adapter has one.
	secret string
	// seeds says that each seed is another; else all are the same.
	seeds bool
	// dealt is how many there were.
	dealt uint64
	// pictures says that the bot shows games for one as pictures.
	pictures bool
	// set is called with each new adapter before it runs.
	set func(*Adapter)
}

// dealer is the bot behind a door: it can be slow or dead, notes what comes in, and a second goes by with each press.
type dealer struct {
	bot     *bot.Bot
	running *atomic.Int64
	dead    atomic.Bool
	// broken says that the next request breaks it.
	broken atomic.Bool
	slow   atomic.Int64

	// heard, if not nil, is told what the bot was asked and what it said.
	heard func(chat.Request, chat.Response)

	asked chatscript.Asked
}

func (d *dealer) Handle(ctx context.Context, r chat.Request) chat.Response {
	if wait := time.Duration(d.slow.Load()); wait > 0 && (r.Kind == chat.Press || r.Kind == chat.Command) {
		_ = outbox.SleepUntil(ctx, time.Now().Add(wait))
	}
	if d.dead.Load() {
		return chat.Response{}
	}
	if d.broken.Swap(false) {
		panic("broken")
	}
	if r.Kind == chat.Press {
		d.running.Add(int64(time.Second))
	}
	d.asked.Add(r)
	response := d.bot.Handle(ctx, r)
	if d.heard != nil {
		d.heard(r, response)
	}
	return response
}

// arrive is a house with a bot over an empty store, connected.
func arrive(t testing.TB) *house {
	t.Helper()
	return enter(t, mem.New(), discordtest.Options{})
}

// enter is a house with a bot over a store, connected.
func enter(t testing.TB, store storage.Store, o discordtest.Options) *house {
	t.Helper()
	h := build(t, store, fake(t, o))
	h.start()
	return h
}

func build(t testing.TB, store storage.Store, server *discordtest.Server) *house {
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, server: server, store: store, log: slog.New(slog.DiscardHandler), words: catalogue}
	h.dealer = &dealer{running: &atomic.Int64{}}
	t.Cleanup(func() {
		if h.stop != nil {
			h.end()
		}
	})
	return h
}

// start begins the bot and its adapter, and waits until they are connected and the commands are there.
func (h *house) start() {
	h.t.Helper()
	h.run()
	h.connected()
	h.server.Until("the bot has introduced itself", func() bool { return h.self().invite != "" })
}

// connected waits until the adapter that was begun last is.
func (h *house) connected() {
	h.t.Helper()
	h.server.Until("it is connected", func() bool {
		now, _ := h.server.Identifies()
		return now > h.before && h.server.Connected() > 0
	})
}

func (h *house) run() {
	h.t.Helper()
	b := h.lone()
	h.dealer.bot = b
	h.dealer.dead.Store(false)
	h.serve(h.dealer, b.Commands)
}

// lone is a bot over the house's store. Its seeds are all the same, and its clock goes on from where it was.
func (h *house) lone() *bot.Bot {
	h.t.Helper()
	began := false
	defer func() { began = true }()
	b, err := bot.New(context.Background(), bot.Options{
		Store: h.store, Games: games.All(), Log: h.log, Pictures: h.pictures, Deals: chatscript.Calendar{},
		Now: func() time.Time { return chatscript.Noon().Add(time.Duration(h.dealer.running.Load())) },
		Running: func() time.Duration {
			if !began {
				return 0
			}
			return time.Duration(h.dealer.running.Load())
		},
		Seed: func() (seed engine.Seed) {
			if !h.seeds {
				binary.BigEndian.PutUint64(seed[:], 1)
				return seed
			}
			binary.BigEndian.PutUint64(seed[24:], atomic.AddUint64(&h.dealt, 1))
			return seed
		},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}

// serve begins an adapter for any handler.
func (h *house) serve(handler chat.Handler, commands func(string) []bot.CommandInfo) {
	ctx, stop := context.WithCancel(context.Background())
	h.Adapter = New(handler, Options{
		Token: discordtest.Token, API: h.server.URL(), Log: h.log, Commands: commands, Words: h.words, Shards: h.shards,
		ClientSecret: h.secret, Dial: dial(h.server, h.t),
	})
	h.before, _ = h.server.Identifies()
	if h.set != nil {
		h.set(h.Adapter)
	}
	h.stop, h.stopped = stop, make(chan error, 1)
	adapter, stopped := h.Adapter, h.stopped
	go func() { stopped <- adapter.Run(ctx) }()
}

// ring lets the bot's clock look once at everything that is due.
func (h *house) ring() {
	for h.dealer.bot.Ring(context.Background(), h.Show) == 0 {
	}
}

// end stops the adapter as one does who has the time.
func (h *house) end() {
	h.t.Helper()
	h.settle()
	h.stop()
	if err := <-h.stopped; err != nil {
		h.t.Errorf("run: %v", err)
	}
	h.stop = nil
}

// settle waits, in a bubble, until everything waits for time to pass.
func (h *house) settle() {
	if _, bubble := h.t.(*testing.T); bubble {
		synctest.Wait()
	}
}

// kill stops everything at once: nothing that is on its way arrives.
func (h *house) kill() {
	h.t.Helper()
	h.dealer.dead.Store(true)
	h.Cut()
	h.server.Cut()
	h.end()
	h.server.Forgive()
}

// quietly checks that nothing went wrong that a good bot may not do.
func (h *house) quietly() discordtest.Record {
	h.t.Helper()
	r := h.server.Record()
	for _, text := range r.Violations {
		h.t.Errorf("violation: %s", text)
	}
	if len(r.Unanswered) > 0 {
		h.t.Errorf("unanswered: %v", r.Unanswered)
	}
	if len(r.Twice) > 0 {
		h.t.Errorf("answered twice: %v", r.Twice)
	}
	return r
}

// board is the newest message of the channel with buttons, for everybody.
func (h *house) board(channel string) discordtest.Message {
	all := h.server.Messages(channel, "")
	for i := len(all) - 1; i >= 0; i-- {
		if len(all[i].Rows) > 0 {
			return all[i]
		}
	}
	return discordtest.Message{}
}

// press presses the button so labelled on the board, and waits for the answer.
func (h *house) press(u discordtest.User, label string) *discordtest.Interaction {
	h.t.Helper()
	var b discordtest.Button
	var m discordtest.Message
	h.server.Until("there is a button "+label, func() (ok bool) {
		m = h.board(discordtest.Channel)
		b, ok = m.Button(label)
		return ok
	})
	i := h.server.Press(u, m.ID, b.CustomID)
	i.Answer()
	return i
}

// shown waits until the bot knows where so many pictures stand.
func (h *house) shown(n int) {
	h.t.Helper()
	h.server.Until(fmt.Sprintf("%d pictures are reported as shown", n), func() bool { return len(h.dealer.asked.Of(chat.Shown)) >= n })
}

// table opens a table with two people and deals.
func (h *house) table(options map[string]any) {
	h.t.Helper()
	before := len(h.dealer.asked.Of(chat.Shown))
	h.server.Command(ann, discordtest.Channel, "zevaka", options).Answer()
	h.shown(before + 1)
	h.press(bob, "Сесть")
	h.press(ann, "Сдавать")
	for _, u := range []discordtest.User{ann, bob} {
		h.press(u, "13")
		if m := h.board(discordtest.Channel); strings.Contains(m.Content, "▶") || m.Picture != nil {
			return
		}
	}
	h.t.Fatalf("no cards were dealt: %s", h.board(discordtest.Channel).Content)
}

// playing is a house where cards were dealt at a table without a limit, and the message that shows it.
func playing(t testing.TB) (*house, discordtest.Message) {
	t.Helper()
	h := arrive(t)
	h.table(map[string]any{"limit": "none"})
	return h, h.board(discordtest.Channel)
}

// disk is a store on disk, and how it is opened again.
func disk(t testing.TB) *bolt.Store {
	t.Helper()
	_, bench := t.(*testing.B)
	return stores.Open(t, filepath.Join(t.TempDir(), "zevaka.db"), bolt.Options{NoSync: !bench})
}
