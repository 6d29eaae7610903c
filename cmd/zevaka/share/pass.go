package share

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"zevaka/adapters"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/storage/etcd"
)

const (
	// maxParcel is how large something may be that goes from one process to another, and the answer.
	maxParcel = 4 << 20
	// againAfter is how soon what could not be passed is tried again, though nothing was told of a change.
	againAfter = 100 * time.Millisecond
	// relayTime is how long what a browser asks waits for somebody to serve its community.
	relayTime = 3 * time.Second
	// viewTime is how long a browser that wants to see something waits for who serves its community to begin to answer, and doTime how
	// long one that wants something done: a process may be frozen.
	viewTime, doTime = 3 * time.Second, 20 * time.Second
	// reopenTime is how long it may take to tell another process of a community that has moved, tellTime to tell all others anything.
	reopenTime, tellTime = 5 * time.Second, 5 * time.Second
	// sayTime is how often it is said of one thing that it is wrong.
	sayTime = time.Minute
)

// The paths at which processes answer each other, and what requests there say in their headers.
const (
	passPath    = "/pass"
	tellPath    = "/tell"
	reopenPath  = "/reopen"
	relayPath   = "/relay"
	orderPath   = "/order"
	kindKey     = "Zevaka-Kind"
	communityID = "Zevaka-Community"
)

// Serve is what takes what arrives at other processes: the adapters that share their platforms, and the room's server, which may be
// nil. It comes before Run.
func (s *Share) Serve(platforms map[chat.Platform]adapters.Shared, room http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.platforms, s.room = platforms, room
}

// adapters are all that share their platforms.
func (s *Share) adapters() map[chat.Platform]adapters.Shared {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.platforms
}

// Pass implements adapters.Share. It tries until ctx ends: what reaches a process twice is done once.
func (s *Share) Pass(ctx context.Context, to chat.Community, what adapters.Parcel) ([]byte, error) {
	header := http.Header{}
	header.Set(kindKey, what.Kind)
	header.Set(communityID, to.String())
	failed := adapters.ErrNobody
	for {
		by, changed := s.holder(thing(partOf(to)))
		switch {
		case s.Serves(to):
			answer, err := s.taken(ctx, to, what)
			if !errors.Is(err, adapters.ErrNobody) {
				return answer, err
			}
		case by != "" && by != s.peers.name:
			status, answer, err := s.peers.post(ctx, by, passPath, header, what.Body)
			switch {
			case err == nil && status == http.StatusOK:
				return answer, nil
			case err == nil && status != http.StatusMisdirectedRequest:
				return nil, fmt.Errorf("pass to %s: %s", addressOf(by), answer)
			case err != nil:
				failed = fmt.Errorf("pass to %s: %w", addressOf(by), err)
			}
		}
		select {
		case <-ctx.Done():
			return nil, failed
		case <-changed:
		case <-time.After(againAfter):
		}
	}
}

// Tell implements adapters.Share.
func (s *Share) Tell(ctx context.Context, of chat.Platform, what adapters.Parcel) {
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	header := http.Header{}
	header.Set(kindKey, what.Kind)
	header.Set(communityID, chat.Community{Platform: of}.String())
	var all sync.WaitGroup
	for _, name := range s.names() {
		all.Go(func() {
			if status, answer, err := s.peers.post(ctx, name, tellPath, header, what.Body); err != nil || status != http.StatusOK {
				s.opts.Log.Debug("another process wasn't told", "at", addressOf(name), "what", what.Kind, "answer", string(answer), "error", err)
			}
		})
	}
	all.Wait()
}

// taken has an adapter of this process take something for a community.
func (s *Share) taken(ctx context.Context, to chat.Community, what adapters.Parcel) ([]byte, error) {
	if !s.Serves(to) {
		return nil, adapters.ErrNobody
	}
	one := s.adapters()[to.Platform]
	if one == nil {
		s.lacks(to.Platform.Name() + "-token")
		return nil, adapters.ErrNobody
	}
	return one.Take(ctx, what)
}

// lacks says now and then that chats stand still which are served here, as a setting is lacking that other processes have.
func (s *Share) lacks(setting string) {
	if s.says(setting) {
		s.opts.Log.Warn("chats that fall to this bot stand still, since it lacks a setting that another bot of the cluster has: give all the same settings", "lacks", setting)
	}
}

// says reports whether it is time to say of one thing that it is wrong.
func (s *Share) says(of string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if now.Sub(s.said[of]) < sayTime {
		return false
	}
	s.said[of] = now
	return true
}

// handler answers other processes.
func (p *peers) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+passPath, p.share.onPass)
	mux.HandleFunc("POST "+tellPath, p.share.onPass)
	mux.HandleFunc("POST "+reopenPath, p.share.onReopen)
	mux.HandleFunc("POST "+orderPath, p.share.onOrder)
	mux.Handle(relayPath+"/", http.StripPrefix(relayPath, http.HandlerFunc(p.share.onRelay)))
	return mux
}

// onPass takes what another process passes on, or tells all.
func (s *Share) onPass(w http.ResponseWriter, req *http.Request) {
	to, err := chat.ParseCommunity(req.Header.Get(communityID))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	body, err := readAll(req.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	what := adapters.Parcel{Kind: req.Header.Get(kindKey), Body: body}
	var answer []byte
	if one := s.adapters()[to.Platform]; req.URL.Path == tellPath && one != nil {
		answer, err = one.Take(req.Context(), what)
	} else {
		answer, err = s.taken(req.Context(), to, what)
	}
	switch {
	case errors.Is(err, adapters.ErrNobody):
		http.Error(w, err.Error(), http.StatusMisdirectedRequest)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
	default:
		_, _ = w.Write(answer) // The other process may be gone.
	}
}

// readAll reads a body that isn't too large.
func readAll(body io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, maxParcel+1))
	if err == nil && len(text) > maxParcel {
		err = fmt.Errorf("more than %d bytes", maxParcel)
	}
	return text, err
}

// Relay has the process that serves a community answer what a browser asks.
func (s *Share) Relay(w http.ResponseWriter, req *http.Request, to chat.Community) {
	waiting, stop := context.WithTimeout(req.Context(), relayTime)
	defer stop()
	by, ok := s.elsewhere(waiting, to)
	if !ok {
		w.Header().Set("Retry-After", "1")
		http.Error(w, adapters.ErrNobody.Error(), http.StatusServiceUnavailable)
		return
	}
	most := doTime
	if req.Method == http.MethodGet {
		most = viewTime
	}
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	begins := time.AfterFunc(most, cancel)
	at := &url.URL{Scheme: "https", Host: addressOf(by), Path: relayPath}
	proxy := httputil.ReverseProxy{
		Transport: s.peers.client(by).Transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(at)
			r.Out.Host = r.In.Host
		},
		ModifyResponse: func(*http.Response) error {
			begins.Stop()
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			if s.says(by) {
				s.opts.Log.Warn("what browsers ask can't be relayed", "to", at.Host, "error", err)
			}
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
		FlushInterval: -1,
	}
	proxy.ServeHTTP(w, req.WithContext(ctx))
}

// elsewhere waits until another process serves a community; false if none does, or this one.
func (s *Share) elsewhere(ctx context.Context, to chat.Community) (by string, ok bool) {
	for {
		by, changed := s.holder(thing(partOf(to)))
		if by != "" && by != s.peers.name {
			return by, true
		}
		if s.Serves(to) {
			return "", false
		}
		select {
		case <-ctx.Done():
			return "", false
		case <-changed:
		case <-time.After(againAfter):
		}
	}
}

func (s *Share) onRelay(w http.ResponseWriter, req *http.Request) {
	s.mu.Lock()
	room := s.room
	s.mu.Unlock()
	if room == nil {
		s.lacks("listen")
		http.NotFound(w, req)
		return
	}
	room.ServeHTTP(w, req)
}

// reopen has the bot that serves a community begin anew, since tables have come into it.
func (s *Share) reopen(ctx context.Context, community string) {
	to, err := chat.ParseCommunity(community)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, reopenTime)
	defer cancel()
	header := http.Header{}
	header.Set(communityID, community)
	for {
		by, changed := s.holder(thing(partOf(to)))
		if s.again(to) {
			return
		}
		if by != "" && by != s.peers.name {
			if status, _, err := s.peers.post(ctx, by, reopenPath, header, nil); err == nil && status == http.StatusOK {
				return
			}
		}
		select {
		case <-ctx.Done():
			s.opts.Log.Warn("the tables of a community that has moved are shown at the next press", "chat", to)
			return
		case <-changed:
		case <-time.After(againAfter):
		}
	}
}

func (s *Share) onReopen(w http.ResponseWriter, req *http.Request) {
	to, err := chat.ParseCommunity(req.Header.Get(communityID))
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
	case !s.again(to):
		http.Error(w, adapters.ErrNobody.Error(), http.StatusMisdirectedRequest)
	}
}

// again has the part of a community be opened anew by Run, if it is served here.
func (s *Share) again(to chat.Community) bool {
	p := s.here(to)
	if p == nil {
		return false
	}
	p.stale.Store(true)
	s.note(false, nil)
	return true
}

// ErrMoving is the error for an order that may have missed some parts, since they changed hands.
var ErrMoving = errors.New("some chats were changing hands just then, and it may have missed them: do it once more")

// Bots are those of the parts that are served here; with a community only that of its part. With ErrMoving they lack some.
func (s *Share) Bots(of chat.Community) (all []*bot.Bot, err error) {
	for n := range s.parts {
		if of.Platform != 0 && partOf(of) != n {
			continue
		}
		p := s.parts[n].Load()
		switch by, _ := s.holder(thing(n)); {
		case p != nil && !p.leaving.Load():
			all = append(all, p.bot)
		case by == s.peers.name:
			err = ErrMoving
		}
	}
	return all, err
}

// Everywhere has an order carried out here, and gives it to all other processes, one after the other. It returns what each says.
func (s *Share) Everywhere(ctx context.Context, order []byte, here func() ([]byte, error)) (said []byte, err error) {
	before, err := s.holders(ctx)
	if err != nil {
		return nil, err
	}
	if said, err = here(); err != nil {
		return said, err
	}
	for _, name := range s.names() {
		status, answer, failed := s.peers.post(ctx, name, orderPath, nil, order)
		switch {
		case failed != nil:
			err = errors.Join(err, fmt.Errorf("the process at %s: %w", addressOf(name), failed))
		case status != http.StatusOK:
			err = errors.Join(err, fmt.Errorf("the process at %s: %s", addressOf(name), answer))
		default:
			said = append(said, answer...)
		}
	}
	after, failed := s.holders(ctx)
	if err = errors.Join(err, failed); err == nil && (before != after || slices.Contains(before[:], "")) {
		err = ErrMoving
	}
	return said, err
}

// holders are the processes that hold the parts now; empty where none does.
func (s *Share) holders(ctx context.Context) (by [etcd.Parts]string, err error) {
	all, err := s.store.Held(ctx)
	held := map[string]string{}
	for _, one := range all {
		held[one.Thing] = one.By
	}
	for n := range by {
		by[n] = held[thing(n)]
	}
	return by, err
}

// names are those of all other processes that take part.
func (s *Share) names() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for what, by := range s.held {
		if key, ok := strings.CutPrefix(what, process); ok && key != s.peers.key {
			all = append(all, by)
		}
	}
	return all
}

func (s *Share) onOrder(w http.ResponseWriter, req *http.Request) {
	body, err := readAll(req.Body)
	var said []byte
	if err == nil && s.opts.Obey != nil {
		said, err = s.opts.Obey(req.Context(), body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	_, _ = w.Write(said) // The other process may be gone.
}
