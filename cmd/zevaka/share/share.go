// Package share divides a database in a cluster among the processes that serve it. Each holds some of the parts that the
// communities lie in, and does everything for those: their tables, clocks and messages. What arrives at another process is handed
// to the one that holds the part. When a process ends, or is away for too long, the others take its parts over.
package share

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zevaka/adapters"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/storage"
	"zevaka/storage/etcd"
)

// The names of what processes hold.
const (
	// process begins the name of what a process holds as long as it takes part, part that of a part.
	process = "process/"
	part    = "part/"
)

// Options are what a Share is made of. All but Address must be given.
type Options struct {
	// Listen is the host:port at which other processes reach this one; without a host it is on all addresses, with port 0 on any.
	// Address is what they call it by: the address at which this machine reaches the cluster, if it is empty.
	Listen, Address string
	// Open makes the bot of a part, which serves these communities alone, and is used until ctx ends and then let go.
	Open func(ctx context.Context, part storage.Store, serves func(chat.Community) bool) (*bot.Bot, error)
	// Words are what the bots speak from.
	Words *words.Catalogue
	// Obey carries out what the operator has told another process, and returns what there is to say; nil can't.
	Obey func(ctx context.Context, order []byte) ([]byte, error)
	Log  *slog.Logger
}

// Share is what this process serves. It is a chat.Handler for the communities in its parts, and an adapters.Share. It is safe for
// use by many goroutines.
type Share struct {
	opts    Options
	store   *etcd.Store
	session *etcd.Session
	peers   *peers
	// self is what holds this process among the others.
	self *etcd.Hold
	// parts are those that are served here; nil for others.
	parts [etcd.Parts]atomic.Pointer[served]

	// begun is closed when Run has taken what was free.
	begun chan struct{}

	mu sync.Mutex
	// held is who holds what, changed is closed when that changes.
	held    map[string]string
	changed chan struct{}
	// platforms take what arrives elsewhere, room what is asked of the web server of another process. They are set before Run.
	platforms map[chat.Platform]adapters.Shared
	room      http.Handler
	// said is when it was last said that a setting is lacking here, or that nothing can be relayed to a process.
	said map[string]time.Time
}

// Join lets this process take part in serving a store. The Share must be left.
func Join(ctx context.Context, store *etcd.Store, o Options) (_ *Share, err error) {
	s := &Share{opts: o, store: store, held: map[string]string{}, said: map[string]time.Time{}, changed: make(chan struct{}), begun: make(chan struct{})}
	if s.peers, err = listen(ctx, s, store.Hosts()); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.peers.close()
		}
	}()
	if s.session, err = store.Join(ctx, s.peers.name); err != nil {
		return nil, err
	}
	if s.self, err = s.session.Take(ctx, process+s.peers.key); err == nil {
		err = nobodyAlone(ctx, store)
	}
	if err != nil {
		return nil, errors.Join(err, s.session.Leave(context.WithoutCancel(ctx)))
	}
	return s, nil
}

// Context ends with that of Join, or with etcd.ErrLost when others may have taken over, or with etcd.ErrDenied.
func (s *Share) Context() context.Context { return s.session.Context() }

// Failed waits until other processes reach this one no more, and says why, or until ctx ends, and returns nil.
func (s *Share) Failed(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.peers.served:
		return s.peers.failed
	}
}

// Begun is closed when Run has taken what it could at first: before, hardly anything is served here.
func (s *Share) Begun() <-chan struct{} { return s.begun }

// Leave lets others take at once what is still held. Nothing may be served any more.
func (s *Share) Leave(ctx context.Context) error {
	s.peers.close()
	return s.session.Leave(ctx)
}

// partOf is the part of a community.
func partOf(c chat.Community) int { return etcd.PartOf(c.String()) }

// thing is the name of a part as it is held.
func thing(n int) string { return fmt.Sprintf("%s%02x", part, n) }

// here is the part of a community if it is served here. A process that was away for too long serves nothing.
func (s *Share) here(c chat.Community) *served {
	p := s.parts[partOf(c)].Load()
	if p == nil || p.leaving.Load() || !s.session.Alive() {
		return nil
	}
	return p
}

// Serves implements adapters.Share.
func (s *Share) Serves(c chat.Community) bool { return s.here(c) != nil }

// Since is when this process began to serve a community; the zero time if it doesn't.
func (s *Share) Since(c chat.Community) time.Time {
	if p := s.here(c); p != nil {
		return p.since
	}
	return time.Time{}
}

// Portion implements adapters.Share: as much as this process has of the parts, but something for one that has none yet.
func (s *Share) Portion() float64 {
	mine := 0
	for n := range s.parts {
		if s.parts[n].Load() != nil {
			mine++
		}
	}
	return max(float64(mine), 1) / etcd.Parts
}

// Take implements adapters.Share.
func (s *Share) Take(ctx context.Context, what string) (adapters.Hold, error) {
	hold, err := s.session.Take(ctx, what)
	if hold == nil || err != nil {
		return nil, err
	}
	return held{hold, s.Context()}, nil
}

// held is a Hold of a session that ends with it.
type held struct {
	*etcd.Hold
	ctx context.Context
}

// Context implements adapters.Hold.
func (h held) Context() context.Context { return h.ctx }

// renewTime is how long a request waits for a bot that begins anew.
const renewTime = time.Second

// Handle gives a request to the bot of the part that it belongs to. One that isn't served here is refused in words.
func (s *Share) Handle(ctx context.Context, r chat.Request) chat.Response {
	home := table.Home(r)
	for end := time.Now().Add(renewTime); ; {
		if p := s.here(home); p != nil {
			if response, ok := p.handle(ctx, r); ok {
				if r.Kind == chat.Migrated {
					s.reopen(ctx, r.Data)
				}
				return response
			}
		}
		if p := s.parts[partOf(home)].Load(); p == nil || !p.stale.Load() || ctx.Err() != nil || time.Now().After(end) {
			break
		}
		time.Sleep(renewTime / 100)
	}
	s.opts.Log.Warn("a request came to a process that doesn't serve its community", "request", r.ID, "chat", r.In.Community)
	return chat.Response{Toast: chat.Shorten(s.opts.Words.Lang(r.Who.Lang).Say("broken-storage"), chat.MaxToast), Alert: true}
}

// Live are the live tables of a community; nil if it isn't served here.
func (s *Share) Live(c chat.Community) *live.Tables {
	if p := s.here(c); p != nil {
		return p.bot.Live()
	}
	return nil
}

// Count counts what the parts that are served here hold.
func (s *Share) Count(ctx context.Context) (upkeep.Counts, error) {
	var all upkeep.Counts
	for n := range s.parts {
		p := s.parts[n].Load()
		if p == nil {
			continue
		}
		one, err := p.bot.Count(ctx)
		if err != nil {
			return all, err
		}
		all.Add(one)
	}
	return all, nil
}

// note notes who holds what.
func (s *Share) note(all bool, found []etcd.Held) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all {
		clear(s.held)
	}
	for _, one := range found {
		if one.By == "" {
			delete(s.held, one.Thing)
		} else {
			s.held[one.Thing] = one.By
		}
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// holder is who holds a thing, empty if nobody does, and what is closed when that changes.
func (s *Share) holder(what string) (by string, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held[what], s.changed
}

// isMember reports whether a process with that key takes part.
func (s *Share) isMember(key string) bool {
	by, _ := s.holder(process + key)
	return by != ""
}

// members are the keys of all processes that take part, this one among them, in no order.
func (s *Share) members() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []string{s.peers.key}
	for what := range s.held {
		if key, ok := strings.CutPrefix(what, process); ok && key != s.peers.key {
			all = append(all, key)
		}
	}
	return all
}
