package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/adapters"
	"zevaka/bot/chat"
)

const (
	officialAPI = "https://api.telegram.org"
	// maxAnswer is how many bytes of an answer are read.
	maxAnswer = 16 << 20
	// idleConns is how many connections stay open: the default of two would open one for nearly every call.
	idleConns = 128
)

// client makes calls to the Bot API. It uses the library's raw requests only: its update loop confirms updates before
// they are handled, and prints errors with the token in them.
type client struct {
	token    string
	endpoint string
	http     *http.Client
	// ahead is by how much Telegram's clock is ahead of this machine's, as its last answer said.
	ahead atomic.Int64
}

func newClient(opts Options) *client {
	base := officialAPI
	if opts.API != "" {
		base = strings.TrimSuffix(opts.API, "/")
	}
	transport := opts.Transport
	if transport == nil {
		transport = adapters.Transport(idleConns)
	}
	return &client{
		token: opts.Token,
		// The library puts token and method in the blanks.
		endpoint: strings.ReplaceAll(base, "%", "%%") + "/bot%s/%s",
		http:     adapters.Client(transport),
	}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// call makes one call, in at most callTime unless ctx says less, and decodes its result into result, if that is not nil.
func (c *client) call(ctx context.Context, method string, params tgbotapi.Params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return c.callFor(ctx, method, params, result)
}

// upload makes one call with a file, as call does without one.
func (c *client) upload(ctx context.Context, method string, params tgbotapi.Params, file tgbotapi.RequestFile, result any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return c.make(ctx, method, result, func(lib *tgbotapi.BotAPI) (*tgbotapi.APIResponse, error) {
		return lib.UploadFiles(method, params, []tgbotapi.RequestFile{file})
	})
}

// callFor makes one call for as long as ctx lasts.
func (c *client) callFor(ctx context.Context, method string, params tgbotapi.Params, result any) error {
	return c.make(ctx, method, result, func(lib *tgbotapi.BotAPI) (*tgbotapi.APIResponse, error) {
		return lib.MakeRequest(method, params)
	})
}

// make makes a call through the library.
func (c *client) make(ctx context.Context, method string, result any, request func(*tgbotapi.BotAPI) (*tgbotapi.APIResponse, error)) error {
	way := &carrier{ctx: ctx, c: c}
	lib := tgbotapi.BotAPI{Token: c.token, Client: way}
	lib.SetAPIEndpoint(c.endpoint)
	response, err := request(&lib)
	switch {
	case err != nil:
		return c.refusal(method, way, err)
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(response.Result, result); err != nil {
		return fmt.Errorf("decode the answer to %s: %w (%w)", method, errUnread, err)
	}
	return nil
}

// clean is the error without the address, which contains the token.
func (c *client) clean(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	if text := err.Error(); c.token != "" && strings.Contains(text, c.token) {
		return errors.New(c.redact(text))
	}
	return err
}

func (c *client) redact(text string) string {
	if c.token == "" {
		return text
	}
	return strings.ReplaceAll(text, c.token, "<token>")
}

// carrier gives the library's requests a context, and reads answers to their end, so that connections are used again.
type carrier struct {
	ctx context.Context
	c   *client
	// status is the answer's: of uploads the library forgets it. RetryAfter is what its header says, in seconds.
	status, retryAfter int
}

// Do is what the library asks of an HTTP client.
func (d *carrier) Do(req *http.Request) (*http.Response, error) {
	resp, err := d.c.http.Do(req.WithContext(d.ctx))
	if err != nil {
		return nil, d.c.clean(err)
	}
	if now, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		d.c.ahead.Store(int64(time.Until(now)))
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	_ = resp.Body.Close() // All that is wanted was read.
	if err != nil {
		return nil, d.c.clean(err)
	}
	resp.Body, d.status = io.NopCloser(bytes.NewReader(body)), resp.StatusCode
	d.retryAfter, _ = strconv.Atoi(resp.Header.Get("Retry-After")) // There may be none.
	return resp, nil
}

// observedTransport tells an observer of each call to the Bot API, by its method.
type observedTransport struct {
	next http.RoundTripper
	chat.Observer
}

// RoundTrip makes a call.
func (w observedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	method := path.Base(req.URL.Path)
	ctx, done := w.Call(req.Context(), chat.Call{Platform: chat.Telegram, Method: method, Waits: method == "getUpdates"})
	resp, err := w.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		done(0)
		return nil, err
	}
	done(resp.StatusCode)
	return resp, nil
}

// CloseIdleConnections does so for the client.
func (w observedTransport) CloseIdleConnections() {
	if next, ok := w.next.(interface{ CloseIdleConnections() }); ok {
		next.CloseIdleConnections()
	}
}
