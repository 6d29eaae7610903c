package telegram

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// secretHeader is the header with the secret in Telegram's calls.
	secretHeader = "X-Telegram-Bot-Api-Secret-Token"
	maxUpdate    = 1 << 20
	// maxConnections is how many calls Telegram makes at a time.
	maxConnections = 64
	// maxCallsEach is how many of them may be for one chat. Telegram has to make the others again.
	maxCallsEach = maxConnections / 4
	// hookEvery is how often Telegram is asked whether it still calls here.
	hookEvery = 15 * time.Second
	// turnedDown begins what Telegram says where something before the bot has turned one update down, as a filter of texts does: others may come.
	turnedDown = "Wrong response from the webhook: 4"
	// hookFails is how long after the last call that failed it counts that people can't be heard, if none comes.
	hookFails  = 10 * time.Minute
	headerTime = 5 * time.Second
	bodyTime   = 10 * time.Second
	idleTime   = 2 * time.Minute
)

// listen serves Telegram's calls until ctx ends.
func (a *Adapter) listen(ctx context.Context) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	if a.opts.WebhookListen == "" {
		if err := a.beCalled(ctx); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", a.opts.WebhookListen)
	if err != nil {
		return fmt.Errorf("listen for Telegram's calls (another address: --telegram-webhook-listen): %w", err)
	}
	return a.serve(ctx, ln)
}

// serve is listen on a listener, which it closes.
func (a *Adapter) serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{
		Handler: a.Handler(), ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime,
		WriteTimeout: handleTime + bodyTime, IdleTimeout: idleTime,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
	}
	if a.opts.Bound != nil {
		ln = a.opts.Bound(srv, ln)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	err := a.beCalled(ctx)
	if err == nil {
		select {
		case err = <-served:
			return fmt.Errorf("serve Telegram's calls: %w", err)
		case <-ctx.Done():
		}
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), quitTime)
	defer cancel()
	if srv.Shutdown(stop) != nil {
		_ = srv.Close() // Telegram calls again for what wasn't finished.
	}
	if failed := <-served; err == nil && !errors.Is(failed, http.ErrServerClosed) {
		err = failed
	}
	return err
}

// beCalled sets the webhook, and again where another program takes it away, until ctx ends. The error says why it can't be set now.
func (a *Adapter) beCalled(ctx context.Context) error {
	if err := a.setWebhook(ctx); err != nil {
		return err
	}
	a.spawn(func() { a.keepWebhook(ctx) })
	return nil
}

// setWebhook tells Telegram the webhook's address and secret. It tries until it succeeds.
func (a *Adapter) setWebhook(ctx context.Context) error {
	params := tgbotapi.Params{
		"url": a.opts.Webhook, "secret_token": a.opts.Secret, "allowed_updates": allowedUpdates(),
		"max_connections": strconv.Itoa(maxConnections),
	}
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		err := a.api.call(ctx, "setWebhook", params, nil)
		switch refused := refusedAs(err); {
		case err == nil || ctx.Err() != nil:
			a.reach(err == nil)
			return nil
		case refused.badToken():
			if err := a.tokenRefused(ctx, refused); err != nil {
				return err
			}
		case verdictOn(err) != passes:
			return fmt.Errorf("set the webhook: %w", err)
		default:
			wait := refused.wait(pause)
			a.log.Warn("the webhook could not be set; trying again", "pause", wait, "error", err)
			outbox.Sleep(ctx, wait)
		}
	}
}

// keepWebhook sets the webhook again where another program has taken it away, until ctx ends, and notes whether Telegram can be reached, and
// gets through.
func (a *Adapter) keepWebhook(ctx context.Context) {
	var calls hookCalls
	for outbox.Sleep(ctx, hookEvery) {
		var hook webhookInfo
		err := a.api.call(ctx, "getWebhookInfo", nil, &hook)
		switch {
		case err != nil:
			_, ok := a.answers(ctx)
			lost := calls.wasLost && a.alone && a.rings.Load() == calls.come
			a.reach(ok && !lost)
			continue
		case hook.URL == a.opts.Webhook:
			told := calls.wasLost
			lost := calls.lost(hook, a.rings.Load()) && a.alone // One of several may be called by others' proxies.
			if lost && !told {
				a.log.Warn("Telegram can't call this bot: what people press doesn't come", "webhook", hook.URL, "error", hook.FailedFor, "waiting", hook.Pending)
			}
			a.reach(!lost)
			continue
		}
		a.reach(false)
		a.log.Error("another program reads this bot's updates: only one may, stop the other one; setting the webhook again")
		if err := a.setWebhook(ctx); err != nil {
			a.log.Error("Telegram doesn't call any more; trying again", "pause", hookEvery, "error", err)
		}
	}
}

// hookCalls is what was known of Telegram's calls at the last look.
type hookCalls struct {
	// info is what Telegram said, the zero webhookInfo before it said anything; come is how many calls had come.
	info webhookInfo
	come int64
	// failing is for how many looks more it counts that a call has failed; wasLost says that calls got lost. Of what got lost Telegram keeps
	// presses for a few minutes only, and doesn't try again after that.
	failing int
	wasLost bool
}

// lost reports whether calls get lost: it has failed lately to call, updates wait or did when that began, and no call has come since.
func (c *hookCalls) lost(now webhookInfo, come int64) bool {
	c.failing = max(c.failing-1, 0)
	switch {
	case come != c.come:
		c.failing = 0
	case c.info.URL != "" && now.FailedAt != c.info.FailedAt && !strings.HasPrefix(now.FailedFor, turnedDown):
		c.failing = int(hookFails / hookEvery)
	}
	c.info, c.come = now, come
	c.wasLost = c.failing > 0 && (now.Pending > 0 || c.wasLost)
	return c.wasLost
}

// Handler serves Telegram's calls to the webhook. Run uses it where it listens itself. A caller that doesn't know the secret is
// refused, and an update is confirmed only when it is durable.
func (a *Adapter) Handler() http.Handler {
	path := "/"
	if u, err := url.Parse(a.opts.Webhook); err == nil && u.Path != "" {
		path = u.Path
	}
	secret := sha256.Sum256([]byte(a.opts.Secret))
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		said := sha256.Sum256([]byte(req.Header.Get(secretHeader)))
		switch {
		case req.URL.Path != path:
			w.WriteHeader(http.StatusNotFound)
		case subtle.ConstantTimeCompare(said[:], secret[:]) != 1:
			w.WriteHeader(http.StatusUnauthorized)
		case req.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			a.rings.Add(1)
			a.onWebhook(w, req)
		}
	})
}

// onWebhook handles one update. It answers a press by its HTTP response.
func (a *Adapter) onWebhook(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxUpdate))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	u, err := decodeUpdate(body)
	if err != nil {
		// It is confirmed: a repetition couldn't be read either.
		a.log.Warn("an update could not be read", "error", err)
		return
	}
	type answer struct {
		from     incoming
		response chat.Response
	}
	ready := make(chan answer, 1)
	then, err := a.called(req.Context(), &u, func(from incoming, response chat.Response) bool {
		ready <- answer{from, response}
		return true
	})
	if err != nil {
		a.log.Debug("Telegram has to call again", "update", u.UpdateID, "error", err)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if then != nil {
		a.spawn(then)
	}
	select {
	case t := <-ready:
		ctx, cancel := context.WithTimeout(a.during(t.from.ID), answerTime)
		defer cancel()
		r := a.out.reply(t.from, t.response)
		defer a.spawn(func() { a.out.closeQuestions(t.from, t.response, r.text != "") })
		if req.Context().Err() != nil {
			a.out.answer(ctx, t.from, r) // The caller is gone, and would not hear it.
			return
		}
		a.told.Set(t.from.query, r)
		a.watch.Answered(chat.Telegram, time.Since(t.from.at))
		w.Header().Set("Content-Type", "application/json")
		params := r.params(t.from.query)
		params["method"] = "answerCallbackQuery"
		_ = json.NewEncoder(w).Encode(params) // The caller may be gone.
	default:
	}
}
