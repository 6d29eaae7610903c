package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/outbox"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// maxRetry is the longest wait before a shard connects again.
const maxRetry = time.Minute

// The close codes of the gateway after which connecting again can't help.
const (
	closeToken   = 4004
	closeShard   = 4010
	closeSharded = 4011
	closeVersion = 4012
	closeIntents = 4013
	closeDenied  = 4014
)

// askGateway asks Discord where and how to connect.
func (a *Adapter) askGateway(ctx context.Context) (info discordgo.GatewayBotResponse, err error) {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	err = a.rest.do(ctx, call{method: http.MethodGet, url: discordgo.EndpointGatewayBot, route: "gateway", reply: &info})
	var refused *apiError
	if errors.As(err, &refused) && refused.status == http.StatusNotFound {
		return info, nil // No Discord, but something like it: the library asks for the address once more.
	}
	return info, err
}

// gateway asks Discord where and how to connect, until it answers.
func (a *Adapter) gateway(ctx context.Context) (discordgo.GatewayBotResponse, error) {
	var token outbox.Token
	for pause := firstRetry; ; pause = min(2*pause, maxRetry) {
		info, err := a.askGateway(ctx)
		var refused *apiError
		switch {
		case err == nil:
			return info, nil
		case ctx.Err() != nil:
			return info, nil
		case errors.As(err, &refused) && refused.status == http.StatusUnauthorized:
			wait, again := a.refused(&token)
			if !again {
				return info, ErrToken
			}
			if outbox.SleepUntil(ctx, time.Now().Add(wait)) != nil {
				return info, nil
			}
			continue
		}
		a.log.Warn("Discord can't be reached; trying again", "error", err, "pause", pause)
		if outbox.SleepUntil(ctx, time.Now().Add(pause)) != nil {
			return info, nil
		}
	}
}

// refused is how long to wait after a refusal of the token until it is tried again; false if that can't help. One that has been good may be
// refused by a mistake of Discord's.
func (a *Adapter) refused(token *outbox.Token) (wait time.Duration, again bool) {
	if a.application() == "" {
		return 0, false
	}
	if wait, again = token.Refused(time.Now()); again {
		a.log.Error("Discord refuses the token, which was good; trying again", "pause", wait)
	}
	return wait, again
}

// shard is one of the connections to the gateway. It is there until it is told to end.
type shard struct {
	adapter   *Adapter
	id, count int
	limit     turns
	// ready is told the application's ID.
	ready chan string
	// lost is told that the connection is.
	lost chan struct{}
	// resume is where the session goes on when its connection is lost; nil is where sessions begin.
	resume atomic.Pointer[string]
	// spent says that an identify went out for the session.
	spent atomic.Bool
	// began says that the shard was connected before: whatever came meanwhile is lost.
	began bool
	// token knows since when the token is refused, and that it is good where a session has begun.
	token outbox.Token
}

// run keeps the shard connected until ctx ends. An error says why that can't be.
func (s *shard) run(ctx context.Context) error {
	log := s.adapter.log.With("shard", s.id)
	pause := firstRetry
	s.adapter.guilds.start(s.id, s.count)
	for ctx.Err() == nil {
		done, err := s.limit.wait(ctx, s.id)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		from := time.Now()
		err = s.serve(ctx, done)
		if time.Since(from) > maxRetry {
			pause = firstRetry
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(fatal(err), ErrToken):
			wait, again := s.adapter.refused(&s.token)
			if !again {
				return ErrToken
			}
			if outbox.SleepUntil(ctx, time.Now().Add(wait)) != nil {
				return nil
			}
			continue
		case fatal(err) != nil:
			return fatal(err)
		}
		wait := pause + rand.N(pause)
		log.Warn("the gateway was lost; connecting again", "error", err, "pause", wait)
		if outbox.SleepUntil(ctx, time.Now().Add(wait)) != nil {
			return nil
		}
		pause = min(2*pause, maxRetry)
	}
	return nil
}

// serve opens a session and serves it until it is lost for good. A connection that is lost is resumed as long as that
// goes; where Discord wants a new session instead, that is for turns to allow. It calls done when it has identified, or
// couldn't.
func (s *shard) serve(ctx context.Context, done func(identified bool)) error {
	s.spent.Store(false)
	defer func() { done(s.spent.Load()) }()
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	session, err := s.session(life)
	if err != nil {
		return err
	}
	for {
		if err := s.open(ctx, session); err != nil {
			return err
		}
		done(true)
		s.token.Good()
		s.adapter.up.Add(1)
		s.adapter.guilds.reach(s.id, true)
		select {
		case <-s.lost:
			s.adapter.up.Add(-1)
			s.adapter.guilds.reach(s.id, false)
			s.adapter.log.Info("the gateway asks to connect again", "shard", s.id)
		case <-ctx.Done():
			s.adapter.up.Add(-1)
			return nil
		}
	}
}

// session is a new one of the library's, told to leave alone what is done better here. Its connections end with ctx.
func (s *shard) session(ctx context.Context) (*discordgo.Session, error) {
	a := s.adapter
	session, err := discordgo.New("Bot " + a.opts.Token)
	if err != nil {
		return nil, fmt.Errorf("make a session: %w", err)
	}
	session.LogLevel = -1 // It logs to the standard logger, and packets with the token in them.
	session.ShouldReconnectOnError = false
	session.ShouldRetryOnRateLimit = false
	session.MaxRestRetries = 0
	session.StateEnabled = false
	session.Compress = false
	// In order, and by the reader itself: the handlers only put things into lanes.
	session.SyncEvents = true
	session.ShardID, session.ShardCount = s.id, s.count
	session.Identify.Shard = &[2]int{s.id, s.count}
	session.Identify.Intents = discordgo.IntentsGuilds
	session.Client = adapters.Client(rebased{a.rest, ctx})
	session.Client.Timeout = tryTime
	s.resume.Store(nil)
	session.Dialer = dialer{a.opts.Dial, a.proxy, s.resumeHost, &s.spent, s.left}.websocket(ctx)
	s.lost = make(chan struct{}, 1)
	lost := s.lost
	session.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) {
		select {
		case lost <- struct{}{}:
		default:
		}
	})
	session.AddHandler(func(_ *discordgo.Session, r *discordgo.Ready) {
		defer a.Recover()
		s.onReady(r)
	})
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		if e.Type == "READY" {
			s.learnResume(e.RawData)
		}
		a.hear(e)
	})
	return session, nil
}

// left tells the operator of what is left out of what the gateway sends.
func (s *shard) left(text []byte, why error) {
	s.adapter.log.Warn("Discord has sent what can't be read; going on without it", "shard", s.id, "error", why, "text", fmt.Sprintf("%.200s", text))
}

// learnResume reads where a session goes on, which the library doesn't.
func (s *shard) learnResume(ready []byte) {
	var said struct {
		URL string `json:"resume_gateway_url"`
	}
	if json.Unmarshal(ready, &said) != nil {
		return
	}
	if u, err := url.Parse(said.URL); err == nil && u.Host != "" {
		s.resume.Store(&u.Host)
	}
}

// resumeHost is where the session goes on; empty is where sessions begin.
func (s *shard) resumeHost() string {
	if host := s.resume.Load(); host != nil {
		return *host
	}
	return ""
}

// open opens the session, or resumes it. The library waits as long as the connection lives for a gateway that says
// nothing: then it is left behind, and the connection cut by whoever made it.
func (s *shard) open(ctx context.Context, session *discordgo.Session) error {
	opened := make(chan error, 1)
	go func() {
		defer s.adapter.Recover()
		opened <- session.Open()
	}()
	timer := time.NewTimer(openTime)
	defer timer.Stop()
	select {
	case err := <-opened:
		if err != nil && !errors.Is(err, discordgo.ErrWSAlreadyOpen) {
			return fmt.Errorf("open the gateway: %w", withoutAddress(err))
		}
		return nil
	case <-timer.C:
		return errors.New("open the gateway: it doesn't answer")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// onReady begins a session: of the first one the commands follow, after a later one the boards of its servers are drawn again. After each
// those are that wait: which servers are the bot's is known now.
func (s *shard) onReady(r *discordgo.Ready) {
	app := ""
	switch {
	case r.Application != nil && r.Application.ID != "":
		app = r.Application.ID
	case r.User != nil:
		app = r.User.ID
	}
	s.adapter.app.Store(&app)
	s.adapter.guilds.begin(s.id, s.count, r.Guilds)
	select {
	case s.ready <- app:
	default:
	}
	s.adapter.sender.redraw(part{Shard: s.id, Count: s.count}, s.began)
	if s.began {
		s.adapter.log.Info("connected again", "shard", s.id)
		return
	}
	s.began = true
	s.adapter.log.Info("connected", "shard", s.id, "of", s.count, "guilds", len(r.Guilds))
}

// fatal is an error after which connecting again can't help; nil if it can.
func fatal(err error) error {
	var closed *websocket.CloseError
	if !errors.As(err, &closed) {
		return nil
	}
	switch closed.Code {
	case closeToken:
		return ErrToken
	case closeShard, closeSharded, closeVersion, closeIntents, closeDenied:
		return fmt.Errorf("discord won't have this connection (%d): %s", closed.Code, closed.Text)
	}
	return nil
}
