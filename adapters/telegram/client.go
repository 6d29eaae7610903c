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
	"strings"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

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
}

func newClient(opts Options) *client {
	base := officialAPI
	if opts.API != "" {
		base = strings.TrimSuffix(opts.API, "/")
	}
	transport := opts.Transport
	if transport == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.MaxIdleConns, own.MaxIdleConnsPerHost = 2*idleConns, idleConns
		transport = own
	}
	return &client{
		token: opts.Token,
		// The library puts token and method in the blanks.
		endpoint: strings.ReplaceAll(base, "%", "%%") + "/bot%s/%s",
		http: &http.Client{
			Transport: transport,
			// A redirect would carry the token somewhere else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
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
	var refused *tgbotapi.Error
	switch {
	case errors.As(err, &refused):
		return &apiError{
			method: method, code: way.status, text: c.redact(refused.Message),
			retry: time.Duration(refused.RetryAfter) * time.Second, migrate: refused.MigrateToChatID,
		}
	case err != nil:
		return fmt.Errorf("call %s: %w", method, c.clean(err))
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(response.Result, result); err != nil {
		return fmt.Errorf("decode the answer to %s: %w", method, err)
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
	// status is the answer's: of uploads the library forgets it.
	status int
}

// Do is what the library asks of an HTTP client.
func (d *carrier) Do(req *http.Request) (*http.Response, error) {
	resp, err := d.c.http.Do(req.WithContext(d.ctx))
	if err != nil {
		return nil, d.c.clean(err)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	_ = resp.Body.Close() // All that is wanted was read.
	if err != nil {
		return nil, d.c.clean(err)
	}
	resp.Body, d.status = io.NopCloser(bytes.NewReader(body)), resp.StatusCode
	return resp, nil
}

// apiError is a refusal by the Bot API.
type apiError struct {
	method  string
	code    int
	text    string
	retry   time.Duration
	migrate int64
}

// Error says what was refused and why.
func (e *apiError) Error() string { return fmt.Sprintf("call %s: %s (%d)", e.method, e.text, e.code) }

func (e *apiError) says(any ...string) bool {
	text := strings.ToLower(e.text)
	for _, part := range any {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// badToken: 401 is a wrong token, 404 one that can't be any.
func (e *apiError) badToken() bool {
	return e.code == http.StatusUnauthorized || e.code == http.StatusNotFound
}

// unchanged: the message shows already what it should.
func (e *apiError) unchanged() bool { return e.says("message is not modified") }

// tooLate: nobody waits for the answer to a press any more.
func (e *apiError) tooLate() bool { return e.says("query is too old", "query id is invalid") }

// noMessage: the message to edit was deleted, or can't be edited any more.
func (e *apiError) noMessage() bool {
	return e.says("message to edit not found", "message can't be edited", "message_id_invalid", "message to be replied not found")
}

// otherKind: the message has a picture where a text should go, or the other way round.
func (e *apiError) otherKind() bool {
	return e.says("there is no text in the message", "there is no media in the message")
}

// noPictures: the bot may write, but send no pictures.
func (e *apiError) noPictures() bool {
	return e.says("rights to send photos", "chat_send_photos_forbidden", "chat_send_media_forbidden")
}

// noPlace: the bot was removed, or the chat or topic doesn't exist any more.
func (e *apiError) noPlace() bool {
	return e.says("bot was kicked", "bot is not a member", "bot was blocked", "user is deactivated", "chat not found",
		"chat was deleted", "group chat was deactivated", "message thread not found", "topic_deleted",
		"can't initiate conversation", "peer_id_invalid")
}

// unmet: the person has never spoken to the bot.
func (e *apiError) unmet() bool {
	return e.says("can't initiate conversation", "chat not found", "peer_id_invalid")
}

// muted: the bot is there, and may not write.
func (e *apiError) muted() bool {
	return e.says("not enough rights", "have no rights", "chat_write_forbidden", "topic_closed", "chat_restricted",
		"chat_send_plain_forbidden", "need administrator rights")
}

// passing reports whether the same call may succeed later: the server or the connection failed.
func passing(err error) bool {
	var refused *apiError
	return !errors.As(err, &refused) || refused.retry > 0 || refused.code >= http.StatusInternalServerError
}

// refusedAs is the Bot API's refusal in err; a zero one if err is of another kind.
func refusedAs(err error) *apiError {
	var refused *apiError
	if errors.As(err, &refused) {
		return refused
	}
	return &apiError{}
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
