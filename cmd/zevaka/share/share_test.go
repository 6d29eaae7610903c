//go:build cluster

package share

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/adapters"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/words"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// patient is how long something may take that takes a moment.
const patient = 30 * time.Second

// club is a database in a cluster, and the processes that serve it.
type club struct {
	*testing.T
	cluster *etcdtest.Cluster
	at      etcd.Address
	words   *words.Catalogue
	// asked counts the requests that were answered, each of which opens a table in a community of its own.
	asked atomic.Int64
	// log is what processes from now on write to.
	log *slog.Logger
}

func newClub(t *testing.T) *club {
	t.Helper()
	all, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	cluster := etcdtest.Shared(t)
	c := &club{T: t, cluster: cluster, at: etcd.Address{Hosts: cluster.Hosts(), Prefix: cluster.Prefix()}, words: all, log: slog.New(slog.DiscardHandler)}
	c.store(true)
	return c
}

func (c *club) store(fresh bool) *etcd.Store {
	c.Helper()
	s, err := etcd.Open(c.Context(), c.at, etcd.Options{New: fresh, Layout: keyspace.Community})
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = s.Close() })
	return s
}

func (c *club) options() Options {
	return Options{
		Listen: "127.0.0.1:0", Words: c.words, Log: c.log,
		Open: func(ctx context.Context, part storage.Store, serves func(chat.Community) bool) (*bot.Bot, error) {
			return bot.New(ctx, bot.Options{Store: part, Games: games.All(), Serves: serves})
		},
	}
}

// house is a process of the club's: its share, and a platform whose requests come as JSON.
type house struct {
	*Share
	*testing.T
	stop  context.CancelFunc
	ended chan error
	// left are the parts whose lanes were emptied.
	mu   sync.Mutex
	left map[int]int
	// notes are what it was told.
	notes []string
}

func (c *club) house() *house {
	c.Helper()
	s, err := Join(c.Context(), c.store(false), c.options())
	if err != nil {
		c.Fatal(err)
	}
	h := &house{Share: s, T: c.T, ended: make(chan error, 1), left: map[int]int{}}
	s.Serve(map[chat.Platform]adapters.Shared{chat.Telegram: h}, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/frozen" {
			<-req.Context().Done()
			return
		}
		fmt.Fprint(w, s.peers.key, " ", req.Host, req.URL.Path, " ", req.Header.Get("X-From"))
	}))
	ctx, stop := context.WithCancel(s.Context())
	h.stop = stop
	go func() { h.ended <- s.Run(ctx, func(context.Context, chat.Response) {}) }()
	c.Cleanup(h.end)
	return h
}

// end lets the process end as one that was told to.
func (h *house) end() {
	if h.stop == nil {
		return
	}
	h.stop()
	if err := <-h.ended; err != nil {
		h.Error(err)
	}
	h.stop = nil
	if err := h.Share.Leave(context.WithoutCancel(h.Context())); err != nil {
		h.Error(err)
	}
}

// Context is the test's.
func (h *house) Context() context.Context { return h.T.Context() }

func (h *house) count() (n int) {
	for i := range h.parts {
		if p := h.parts[i].Load(); p != nil && !p.leaving.Load() {
			n++
		}
	}
	return n
}

func (*house) Run(context.Context) error           { return nil }
func (*house) Show(context.Context, chat.Response) {}
func (*house) Pulse() chat.Pulse                   { return chat.Pulse{} }

// Take implements adapters.Shared.
func (h *house) Take(ctx context.Context, what adapters.Parcel) ([]byte, error) {
	switch what.Kind {
	case "echo":
		return what.Body, nil
	case "note":
		h.mu.Lock()
		defer h.mu.Unlock()
		h.notes = append(h.notes, string(what.Body))
		return nil, nil
	}
	var id, channel int64
	if _, err := fmt.Sscan(string(what.Body), &id, &channel); err != nil {
		return nil, err
	}
	in := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: id}, Channel: channel}
	if !h.Serves(in.Community) {
		return nil, adapters.ErrNobody
	}
	return []byte(h.Handle(ctx, chat.Request{
		ID: fmt.Sprint("open ", id, channel), In: in, Kind: chat.Command, Data: "/zevaka limit=none",
		Who: chat.User{ID: 7, Name: "Ann", Lang: "en"},
	}).Toast), nil
}

// Leave implements adapters.Shared.
func (h *house) Leave(_ context.Context, gone func(chat.Community) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id := range int64(500) {
		if c := (chat.Community{Platform: chat.Telegram, ID: -id - 1}); gone(c) {
			h.left[partOf(c)]++
		}
	}
}

// until waits.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patient); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came: ", what)
		}
	}
}

// shared wants the parts to be divided so.
func shared(t *testing.T, houses ...*house) {
	t.Helper()
	until(t, fmt.Sprintf("all parts are divided among %d", len(houses)), func() bool {
		all, most, least := 0, 0, etcd.Parts
		for _, h := range houses {
			n := h.count()
			all, most, least = all+n, max(most, n), min(least, n)
		}
		return all == etcd.Parts && most-least <= 1
	})
}

// opens has somebody open a table in a community of their own, by whichever process.
func (c *club) opens(ctx context.Context, h *house, id int64) error {
	return c.opensIn(ctx, h, id, -id)
}

// opensIn has somebody open a table in a channel of a community, by whichever process.
func (c *club) opensIn(ctx context.Context, h *house, id, channel int64) error {
	in := chat.Community{Platform: chat.Telegram, ID: -id}
	toast, err := h.Pass(ctx, in, adapters.Parcel{Kind: "request", Body: fmt.Append(nil, in.ID, " ", channel)})
	if err == nil && len(toast) > 0 {
		err = errors.New(string(toast))
	}
	return err
}

// TestShare lets processes come and go while people open tables by each of them: the parts are always divided fairly, and each
// table is opened once.
func TestShare(t *testing.T) {
	c := newClub(t)
	a := c.house()
	shared(t, a)
	b := c.house()
	shared(t, a, b)
	d := c.house()
	shared(t, a, b, d)
	asking, stop := context.WithCancel(t.Context())
	var asked sync.WaitGroup
	var slowest atomic.Int64
	for _, h := range []*house{a, d} {
		asked.Go(func() {
			for asking.Err() == nil {
				begun := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), patient)
				if err := c.opens(ctx, h, c.asked.Add(1)); err != nil {
					t.Error(err)
				}
				cancel()
				time.Sleep(time.Millisecond)
				slowest.Store(max(slowest.Load(), int64(time.Since(begun))))
			}
		})
	}
	b.end()
	shared(t, a, d)
	e := c.house()
	shared(t, a, d, e)
	stop()
	asked.Wait()
	t.Logf("%d tables were opened meanwhile, the slowest in %v", c.asked.Load(), time.Duration(slowest.Load()).Round(time.Millisecond))
	a.end()
	d.end()
	shared(t, e)
	all, err := e.Count(t.Context())
	if err != nil || all.Open != int(c.asked.Load()) {
		t.Errorf("%d tables are open of %d, %v", all.Open, c.asked.Load(), err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.left) == 0 {
		t.Error("the adapter wasn't told what was left")
	}
}

// TestTell: what a process tells all others comes to each of them, whatever they serve, and not to itself.
func TestTell(t *testing.T) {
	c := newClub(t)
	a, b, d := c.house(), c.house(), c.house()
	shared(t, a, b, d)
	a.Tell(t.Context(), chat.Telegram, adapters.Parcel{Kind: "note", Body: []byte("said")})
	a.Tell(t.Context(), chat.Discord, adapters.Parcel{Kind: "note", Body: []byte("to nobody")})
	for _, h := range []*house{a, b, d} {
		h.mu.Lock()
		if got := strings.Join(h.notes, ", "); (got == "said") != (h != a) {
			t.Errorf("a process hears %q", got)
		}
		h.mu.Unlock()
	}
}

// TestTakenUnheard: what a process was given without hearing of it isn't left between it and the others.
func TestTakenUnheard(t *testing.T) {
	c := newClub(t)
	a, b := c.house(), c.house()
	shared(t, a, b)
	// An answer that was lost looks like this, and so does what a member that had stopped does long after it was asked.
	until(t, "a part is taken before it is taken back", func() bool {
		for n := range b.parts {
			if p := b.parts[n].Load(); p != nil {
				if err := b.leave(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				hold, err := a.session.Take(t.Context(), thing(n))
				return hold != nil && err == nil
			}
		}
		return false
	})
	shared(t, a, b)
}

// TestOrdersMissNothing: an order is told as incomplete where a part has changed hands meanwhile, or is held and not served yet.
func TestOrdersMissNothing(t *testing.T) {
	c := newClub(t)
	a, b := c.house(), c.house()
	shared(t, a, b)
	for _, moves := range []bool{false, true} {
		said, err := a.Everywhere(t.Context(), nil, func() ([]byte, error) {
			if moves {
				shared(t, a, b, c.house())
			}
			return []byte("done"), nil
		})
		if string(said) != "done" || errors.Is(err, ErrMoving) != moves || err != nil && !moves {
			t.Errorf("moves %v: %q, %v", moves, said, err)
		}
	}
	d, err := Join(t.Context(), c.store(false), c.options())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Leave(context.WithoutCancel(t.Context())) }()
	if bots, err := d.Bots(chat.Community{}); len(bots) > 0 || err != nil {
		t.Errorf("who serves nothing has %d bots, %v", len(bots), err)
	}
	d.note(false, []etcd.Held{{Thing: thing(3), By: d.peers.name}})
	if _, err := d.Bots(chat.Community{}); !errors.Is(err, ErrMoving) {
		t.Errorf("a part that isn't served yet: %v", err)
	}
}

// TestCutWhileLeaving: what a process could not let go of, since the cluster didn't answer, isn't left between it and the others.
func TestCutWhileLeaving(t *testing.T) {
	c := newClub(t)
	b := c.house()
	shared(t, b)
	c.at.Hosts = c.cluster.Doors("a")
	a := c.house()
	shared(t, a, b)
	var mend []func()
	for _, m := range c.cluster.Members {
		mend = append(mend, c.cluster.Links.Cut("a", m.Name))
	}
	c.at.Hosts = c.cluster.Hosts()
	d := c.house()
	until(t, "some could not be let go of, and others are next", func() bool { return a.count() < etcd.Parts/2-atOnce })
	for _, m := range mend {
		m()
	}
	shared(t, a, b, d)
	if cause := context.Cause(a.Share.Context()); cause != nil {
		t.Error("the session has ended: ", cause)
	}
}

// TestLost: the parts of a process that isn't heard of are served by another; what the one that was away does then is refused.
func TestLost(t *testing.T) {
	c := newClub(t)
	a := c.house()
	b := c.house()
	shared(t, a, b)
	var mine chat.Community
	for id := int64(1); !a.Serves(mine); id++ {
		mine = chat.Community{Platform: chat.Telegram, ID: -id}
	}
	p := a.here(mine)
	if err := a.session.Leave(t.Context()); err != nil { // As if its time had passed.
		t.Fatal(err)
	}
	if a.Serves(mine) {
		t.Error("it says that it serves what it has lost")
	}
	shared(t, b)
	response, ok := p.handle(t.Context(), chat.Request{
		ID: "late", In: chat.Place{Community: mine, Channel: mine.ID}, Kind: chat.Command, Data: "/zevaka",
		Who: chat.User{ID: 7, Name: "Ann", Lang: "en"},
	})
	if ok && !response.Alert {
		t.Errorf("the one that was away answers %+v", response)
	}
	if err := c.opens(t.Context(), b, -mine.ID); err != nil {
		t.Error(err)
	}
	if all, err := b.Count(t.Context()); err != nil || all.Open != 1 {
		t.Errorf("%d tables are open, %v", all.Open, err)
	}
	if a.Context().Err() != nil {
		t.Error("the test is over")
	}
	if cause := context.Cause(a.Share.Context()); !errors.Is(cause, etcd.ErrLost) {
		t.Errorf("the process ends with %v", cause)
	}
	a.stop()
	if err := <-a.ended; err != nil {
		t.Error(err)
	}
	a.peers.close()
	a.stop = nil
}

// TestDeaf: a process that others reach no more says so, since it can't go on; one that has left doesn't.
func TestDeaf(t *testing.T) {
	c := newClub(t)
	a, b := c.house(), c.house()
	if err := a.peers.at.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.Failed(t.Context()); err == nil {
		t.Error("nobody hears that it is reached no more")
	}
	b.end()
	if err := b.Failed(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestRelay: what a browser asks at one process is answered by the one that serves the community, WebSockets as well; strangers are
// not answered at all. Who asks for something that doesn't begin to come is sent back to ask again; of many that is said once.
func TestRelay(t *testing.T) {
	c := newClub(t)
	said := make(warned, 100)
	c.log = slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelWarn}))
	a, b := c.house(), c.house()
	shared(t, a, b)
	var theirs chat.Community
	for id := int64(1); !b.Serves(theirs); id++ {
		theirs = chat.Community{Platform: chat.Web, ID: id}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		req.Header.Set("X-From", "192.0.2.7")
		a.Relay(w, req, theirs)
	}))
	defer server.Close()
	answer, err := http.Get(server.URL + "/some/where?it=is")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if want := b.peers.key + " " + strings.TrimPrefix(server.URL, "http://") + "/some/where 192.0.2.7"; err != nil || string(text) != want {
		t.Errorf("the answer is %q, %v; want %q", text, err, want)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var asking sync.WaitGroup
	for range 3 {
		asking.Go(func() {
			ask, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/frozen", nil)
			if err != nil {
				t.Error(err)
				return
			}
			late, err := http.DefaultClient.Do(ask)
			if err != nil {
				t.Error(err)
				return
			}
			defer late.Body.Close()
			if late.StatusCode != http.StatusServiceUnavailable || late.Header.Get("Retry-After") == "" {
				t.Errorf("by one who is frozen it is answered %+v", late)
			}
		})
	}
	asking.Wait()
	n := 0
	for range len(said) {
		if strings.Contains(<-said, "can't be relayed") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("that is said %d times", n)
	}
}

// warned takes the lines of a log.
type warned chan string

// Write implements io.Writer.
func (w warned) Write(line []byte) (int, error) {
	w <- string(line)
	return len(line), nil
}

// TestLacking: a process to which chats of a platform fall that it doesn't have, or the room, says once which setting it lacks.
func TestLacking(t *testing.T) {
	c := newClub(t)
	a := c.house()
	said := make(warned, 100)
	c.log = slog.New(slog.NewTextHandler(said, &slog.HandlerOptions{Level: slog.LevelWarn}))
	b := c.house()
	b.Serve(nil, nil)
	shared(t, a, b)
	theirs := chat.Community{Platform: chat.Telegram, ID: 1}
	for !b.Serves(theirs) {
		theirs.ID++
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := a.Pass(ctx, theirs, adapters.Parcel{Kind: "echo"}); !errors.Is(err, adapters.ErrNobody) {
		t.Errorf("what is passed there is answered with %v", err)
	}
	for range 2 {
		a.Relay(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/live", nil), theirs)
	}
	var all []string
	for range len(said) {
		if _, lacks, ok := strings.Cut(strings.TrimSpace(<-said), "lacks="); ok {
			all = append(all, lacks)
		}
	}
	if got := strings.Join(all, ", "); got != "telegram-token, listen" {
		t.Errorf("it says that it lacks %q", got)
	}
}

// TestStrangerAmongBots: a program that isn't written down in the cluster is not answered, and none can answer in a bot's stead.
func TestStrangerAmongBots(t *testing.T) {
	c := newClub(t)
	a, b := c.house(), c.house()
	shared(t, a, b)
	stranger, err := newCertificate()
	if err != nil {
		t.Fatal(err)
	}
	other := &peers{share: a.Share, own: stranger, clients: map[string]*http.Client{}}
	if _, _, err := other.post(t.Context(), b.peers.name, passPath, nil, nil); err == nil {
		t.Error("a stranger is answered")
	}
	if _, _, err := a.peers.post(t.Context(), addressOf(b.peers.name)+" "+fingerprint([]byte("x")), passPath, nil, nil); err == nil {
		t.Error("another process is believed")
	}
}

// TestMigrated: a community that gets another ID, and so another part, is served on under that.
func TestMigrated(t *testing.T) {
	c := newClub(t)
	a, b := c.house(), c.house()
	shared(t, a, b)
	old := chat.Community{Platform: chat.Telegram, ID: -1}
	now := chat.Community{Platform: chat.Telegram, ID: -100 - rand.Int64N(1000)}
	for a.Serves(old) == a.Serves(now) {
		now.ID--
	}
	if err := c.opens(t.Context(), a, 1); err != nil {
		t.Fatal(err)
	}
	mine, theirs := a, b
	if b.Serves(old) {
		mine, theirs = b, a
	}
	before := theirs.here(now)
	mine.Handle(t.Context(), chat.Request{
		ID: "moved", In: chat.Place{Community: old, Channel: -1}, Kind: chat.Migrated, Data: now.String(),
	})
	until(t, "the part begins anew", func() bool { p := theirs.here(now); return p != nil && p != before })
	if briefs := theirs.Live(now); briefs == nil {
		t.Error("nothing can be looked at")
	}
	response := theirs.Handle(t.Context(), chat.Request{
		ID: "again", In: chat.Place{Community: now, Channel: now.ID}, Kind: chat.Command, Data: "/table",
		Who: chat.User{ID: 7, Name: "Ann", Lang: "en"},
	})
	if len(response.Posts) == 0 || response.Posts[0].Table == "" {
		t.Errorf("the table isn't there: %+v", response)
	}
}
