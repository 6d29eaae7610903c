package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	officialAPI = "https://discord.com"
	// maxReply is how much of an answer is read.
	maxReply = 8 << 20
	// openConns is how many connections stay open between calls, where each has one of its own.
	openConns = 512
	// tryTime is the time for one try, maxTries how many a call may have, and firstPause the wait after the first.
	tryTime    = 10 * time.Second
	maxTries   = 5
	firstPause = 100 * time.Millisecond
	// backoff is how long nothing is sent after a 429 that doesn't say.
	backoff = 5 * time.Second
)

// call is one call of the API.
type call struct {
	method, url string
	// route and major are what rate limits go by: which kind of call, and on which channel or token.
	route, major string
	// free says that the global limit doesn't count the call: those on interactions.
	free bool
	// once says that the call must not be repeated when nobody knows whether it was heard.
	once bool
	// login is the Authorization that the call goes with; empty is the bot's, noLogin none.
	login string
	// body becomes JSON, form what a page's form sends; a call has one at most.
	body any
	form url.Values
	enclosure
	// reply is what the answer is decoded into, if not nil.
	reply any
}

// client makes calls. It keeps no more than what limits keeps, however many calls it makes.
type client struct {
	base   string
	token  string
	http   *http.Client
	limits limits
	bars   bars
	watch  chat.Observer
	// serves reports whether this process may show the tables of a community now.
	serves func(chat.Community) bool
	// ahead is by how much Discord's clock is ahead of this machine's, as its last answer said.
	ahead atomic.Int64
}

func newClient(o Options) *client {
	transport := adapters.Transport(openConns)
	if o.Dial != nil {
		transport.DialContext = o.Dial
	}
	base := strings.TrimSuffix(o.API, "/")
	if base == "" {
		base = officialAPI
	}
	return &client{
		base: base, token: o.Token, http: adapters.Client(transport), watch: chat.Observe(nil), bars: newBars(),
		serves: adapters.Alone{}.Serves,
	}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// errUnsent is that Discord can't have heard of a call.
var errUnsent = errors.New("discord isn't reached")

// do makes a call, again where that can help, until ctx ends.
func (c *client) do(ctx context.Context, call call) error {
	var carried parcel
	err := c.bars.before(call, time.Now())
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		if failed := c.limits.wait(ctx, call); failed != nil {
			if err == nil {
				err = fmt.Errorf("%w: wait for a rate limit: %w", errUnsent, failed)
			}
			return err
		}
		if carried.kind == "" && (call.body != nil || call.form != nil) {
			if carried, err = call.encode(); err != nil {
				return err
			}
		}
		if call.of != nil && !c.serves(*call.of) {
			return errElsewhere
		}
		err = c.try(ctx, call, carried)
		c.bars.learn(call, err, time.Now())
		if try > 1 && hasCode(err, codeAnswered) {
			return nil // An earlier try was heard after all.
		}
		pause, again := c.judge(call, err, try)
		if !again {
			return err
		}
		if outbox.SleepUntil(ctx, time.Now().Add(pause)) != nil {
			return err
		}
	}
}

// judge says whether, and after which pause, a call should be made again.
func (c *client) judge(call call, err error, try int) (time.Duration, bool) {
	if err == nil || try >= maxTries {
		return 0, false
	}
	pause := firstPause<<(try-1) + rand.N(firstPause)
	var refused *apiError
	if !errors.As(err, &refused) {
		return pause, !call.once && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	}
	switch {
	case refused.code == codeOldMessage: // A limit of its own, of which nobody says how long it lasts.
		return 0, false
	case refused.status == http.StatusTooManyRequests:
		c.limits.refused(call, refused.global, time.Now().Add(refused.wait))
		return refused.wait, true
	case refused.status >= 500:
		return pause, !call.once
	}
	return 0, false
}

// try makes a call once.
func (c *client) try(ctx context.Context, call call, p parcel) error {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	ctx, done := c.watch.Call(ctx, chat.Call{Platform: chat.Discord, Method: call.route})
	status := 0
	defer func() { done(status) }()
	var reached atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { reached.Store(true) }})
	req, err := http.NewRequestWithContext(ctx, call.method, c.rebase(call.url), bytes.NewReader(p.content))
	if err != nil {
		return fmt.Errorf("make a call: %w", withoutAddress(err))
	}
	switch call.login {
	case "":
		req.Header.Set("Authorization", "Bot "+c.token)
	case noLogin:
	default:
		req.Header.Set("Authorization", call.login)
	}
	req.Header.Set("User-Agent", "DiscordBot (https://github.com/bwmarrin/discordgo, v"+discordgo.VERSION+")")
	if p.kind != "" {
		req.Header.Set("Content-Type", p.kind)
	}
	resp, err := c.http.Do(req)
	switch {
	case err != nil && !reached.Load():
		return fmt.Errorf("%w: %w", errUnsent, withoutAddress(err))
	case err != nil:
		return fmt.Errorf("call discord: %w", withoutAddress(err))
	}
	defer resp.Body.Close()
	status = resp.StatusCode
	if now, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		c.ahead.Store(int64(time.Until(now)))
	}
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return fmt.Errorf("read discord's answer: %w", withoutAddress(err))
	}
	c.limits.learn(call, resp.Header, time.Now())
	if resp.StatusCode >= 300 {
		return refusal(resp, reply)
	}
	if call.reply != nil && len(reply) > 0 {
		if err := json.Unmarshal(reply, call.reply); err != nil {
			return fmt.Errorf("decode discord's answer: %w", err)
		}
	}
	return nil
}

// rebase puts the address of a call where the calls go.
func (c *client) rebase(address string) string {
	return c.base + strings.TrimPrefix(address, officialAPI)
}

// withoutAddress takes the address off an error: it may hold an interaction's token.
func withoutAddress(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// refusal makes an error of an answer, which may be no JSON at all.
func refusal(resp *http.Response, reply []byte) *apiError {
	var said struct {
		Code    int     `json:"code"`
		Message string  `json:"message"`
		Retry   float64 `json:"retry_after"`
		Global  bool    `json:"global"`
		Error   string  `json:"error"`
	}
	e := &apiError{status: resp.StatusCode, text: http.StatusText(resp.StatusCode)}
	if json.Unmarshal(reply, &said) != nil {
		e.foreign = true
		e.global = e.status == http.StatusTooManyRequests // It comes from before Discord, and is for all calls.
	} else {
		e.code, e.kind, e.global = said.Code, fmt.Sprintf("%.40s", said.Error), said.Global
		e.wait = seconds(said.Retry)
		if said.Message != "" {
			e.text = fmt.Sprintf("%.200s", said.Message)
		}
	}
	e.global = e.global || resp.Header.Get("X-RateLimit-Global") == "true"
	if resp.StatusCode == http.StatusTooManyRequests {
		// In whole seconds the header says what the text says; where it says more it is right.
		after, err := strconv.ParseFloat(resp.Header.Get("Retry-After"), 64)
		switch told := seconds(after); {
		case err == nil && told >= e.wait+time.Second, err == nil && e.wait <= 0:
			e.wait = told
		case e.wait <= 0:
			e.wait = backoff
		}
	}
	return e
}

// rebased sends the library's own calls, which know no context and only Discord's address, where all calls go.
type rebased struct {
	client *client
	ctx    context.Context
}

// RoundTrip makes a call of the library's.
func (r rebased) RoundTrip(req *http.Request) (*http.Response, error) {
	address, err := url.Parse(r.client.rebase(req.URL.String()))
	if err != nil {
		return nil, fmt.Errorf("make a call: %w", withoutAddress(err))
	}
	ctx, done := r.client.watch.Call(r.ctx, chat.Call{Platform: chat.Discord, Method: "library"})
	req = req.Clone(ctx)
	req.URL, req.Host = address, ""
	resp, err := r.client.http.Transport.RoundTrip(req)
	if err != nil {
		done(0)
		return nil, fmt.Errorf("call discord: %w", withoutAddress(err))
	}
	done(resp.StatusCode)
	return resp, nil
}
