//go:build faults

package hands

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/testlog"
	"zevaka/bot/words"
	"zevaka/cmd/zevaka/share"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

// houses is how many processes serve a club, so to speak: they are in one here.
const houses = 3

// prefix is where the club's database is in the cluster.
const prefix = "club"

// club is a database in a cluster, and the houses that serve it together. It is a door to whichever of them serves a community.
type club struct {
	*testing.T
	*play
	cluster *etcdtest.Cluster
	words   *words.Catalogue
	houses  []*house
	running sync.WaitGroup
	// clients write to the cluster, too.
	clients []*client
	dice    *dice
	// calm is held by what goes wrong while nothing else does.
	calm     sync.RWMutex
	mu       sync.Mutex
	happened map[string]int // how often each fault has
	// rest ends all houses, and waits until they have.
	rest func()
}

// house is one of those who serve a club, which begins anew when it has ended: its share, and a platform whose requests are JSON.
type house struct {
	*club
	name  string
	hosts []string
	share atomic.Pointer[share.Share]
	// end ends the share that is there.
	mu  sync.Mutex
	end context.CancelFunc
	// begun counts how often it began.
	begun atomic.Int64
	// log is what it has said: a test that fails shows the end of it.
	log testlog.Log
}

// newClub starts a cluster and the houses, which end with the test.
func newClub(t *testing.T, p *play) *club {
	t.Helper()
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	c := &club{T: t, play: p, words: all, dice: &dice{by: rand.New(rand.NewPCG(*seed, 0))}, happened: map[string]int{}, cluster: etcdtest.New(t, etcdtest.Options{
		Links: true, Election: time.Second, // As the operators' page starts members, only that old revisions go sooner.
		Args: []string{"--quota-backend-bytes", "8589934592", "--auto-compaction-mode", "periodic", "--auto-compaction-retention", "1m"},
	})}
	if err := c.open(t.Context(), c.cluster.Hosts(), true).Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	c.rest = func() {
		stop()
		c.running.Wait()
	}
	t.Cleanup(c.rest)
	for i := range houses {
		h := &house{club: c, name: []string{"north", "east", "west"}[i]}
		h.hosts = c.cluster.Doors(h.name)
		c.houses = append(c.houses, h)
		t.Cleanup(func() {
			if text := h.log.String(); t.Failed() {
				t.Logf("%s said:\n%s", h.name, text[max(0, len(text)-1<<14):])
			}
		})
		c.running.Go(func() {
			for ctx.Err() == nil {
				if err := h.serve(ctx); err != nil {
					t.Logf("%s ended: %v", h.name, err)
				}
			}
		})
	}
	return c
}

// opens waits until each house has taken what it serves: before, nobody there could say what goes wrong.
func (c *club) opens() {
	for _, h := range c.houses {
		for h.share.Load() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		<-h.share.Load().Begun()
	}
}

// open opens the store by some hosts.
func (c *club) open(ctx context.Context, hosts []string, fresh bool) *etcd.Store {
	s, err := etcd.Open(ctx, etcd.Address{Hosts: hosts, Prefix: prefix}, etcd.Options{New: fresh, Layout: keyspace.Community})
	if err != nil && ctx.Err() == nil {
		c.Fatal(err)
	}
	return s
}

// serve takes part until ctx ends, or the session does.
func (h *house) serve(ctx context.Context) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	store, err := etcd.Open(ctx, etcd.Address{Hosts: h.hosts, Prefix: prefix}, etcd.Options{Layout: keyspace.Community})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	one, err := share.Join(ctx, store, share.Options{
		Listen: "127.0.0.1:0", Words: h.words, Log: slog.New(slog.NewTextHandler(&h.log, nil)),
		Open: func(ctx context.Context, part storage.Store, serves func(chat.Community) bool) (*bot.Bot, error) {
			return bot.New(ctx, bot.Options{Store: part, Serves: serves, Games: games.All(), Observer: clockwork{history: h.history}})
		},
	})
	if err != nil {
		return err
	}
	one.Serve(map[chat.Platform]adapters.Shared{chat.Discord: &platform{one, h.words.Lang("en")}}, nil)
	h.mu.Lock()
	h.end = stop
	h.mu.Unlock()
	h.begun.Add(1)
	h.share.Store(one)
	err = one.Run(one.Context(), func(context.Context, chat.Response) {})
	h.share.Store(nil)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	return errors.Join(err, one.Leave(last))
}

// ends has the share that is there leave.
func (h *house) ends() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.end != nil {
		h.end()
	}
}

// platform is an adapter that takes requests for one share.
type platform struct {
	*share.Share
	lang *words.Lang
}

func (*platform) Run(context.Context) error                        { return nil }
func (*platform) Show(context.Context, chat.Response)              {}
func (*platform) Pulse() chat.Pulse                                { return chat.Pulse{} }
func (*platform) Leave(context.Context, func(chat.Community) bool) {}

// Take implements adapters.Shared.
func (p *platform) Take(ctx context.Context, what adapters.Parcel) ([]byte, error) {
	var r request
	if err := json.Unmarshal(what.Body, &r); err != nil {
		return nil, err
	}
	if !p.Serves(r.In.Community) {
		return nil, adapters.ErrNobody
	}
	return json.Marshal(asked(ctx, p.Share, p.lang, r))
}

var errNoHouse = errors.New("hands: that house is closed")

// deliver implements door: mostly by the house that serves the community, else by any.
func (c *club) deliver(ctx context.Context, r request) (a answer, err error) {
	body, err := json.Marshal(r)
	if err != nil {
		return a, err
	}
	at := c.houses[c.dice.IntN(houses)].share.Load()
	if c.dice.IntN(4) > 0 {
		for _, h := range c.houses {
			if s := h.share.Load(); s != nil && s.Serves(r.In.Community) {
				at = s
			}
		}
	}
	if at == nil {
		return a, errNoHouse
	}
	text, err := at.Pass(ctx, r.In.Community, adapters.Parcel{Kind: "request", Body: body})
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(text, &a)
}
