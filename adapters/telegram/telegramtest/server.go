// Package telegramtest is Telegram for tests: a Bot API server in this process, with people and chats behind it. It behaves as the real
// one is documented or known to behave: it refuses the same calls, makes a bot wait as long, and forgets the same. Every call is
// checked against the API's specification, and against the limits that the specification gives only in prose.
package telegramtest

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Token is the token that the server takes, unless its Options say another.
const Token = "4242:AAtest-token_of-nobody"

// Username is the bot's own, until it is renamed.
const Username = "zevaka_test_bot"

const botID = 4242

// groupBot is in whose name an admin acts who hides.
const groupBot = 1087968824

// Options are the settings of a server.
type Options struct {
	// Token is the bot's; Token by default.
	Token string
	// Old makes it a server before Bot API 10.2. It has no ephemeral messages, and ignores the parameters that ask for them. A text
	// can't become a photo.
	Old bool
	// Unchecked leaves out all checks of what is sent, and all records of single calls, for benchmarks.
	Unchecked bool
}

// Fault is a failure of a call.
type Fault struct {
	// Delay is how long the call takes before anything else happens. Late says that it happens though whoever called has given up by then.
	Delay time.Duration
	Late  bool
	// Status is the error that is answered instead of acting, as 429 or 500; 0 is none. RetryAfter goes with a 429, and Text, if not
	// empty, is the error's description. Body, if not empty, is all that is answered, with RetryAfter in a header.
	Status, RetryAfter int
	Text, Body         string
	// Reset cuts the connection before acting; Lost after it.
	Reset, Lost bool
}

// Call is a call that the bot made.
type Call struct {
	At     time.Time
	Method string
	Params map[string]string
	// Status is the answer's.
	Status int
}

// Server is the Bot API, with people and chats. Its methods may be called from anywhere.
type Server struct {
	opts Options

	mu      sync.Mutex
	changed chan struct{} // closed, and made anew, when anything happens
	users   map[int64]*User
	chats   map[int64]*Chat
	fault   func(method string, params map[string]string) Fault
	queue   queue
	queries map[string]*query
	menus   map[string]string
	about   map[string]string
	button  string      // the menu button, in JSON
	name    string      // the bot's own
	sent    []time.Time // in the last second, to all chats

	lastUser, lastChat, lastQuery int64
	calls                         []Call
	counts                        map[string]int
	violations                    []string
	limited, doubled              int
}

// New is a server without people and chats.
func New(o Options) *Server {
	if o.Token == "" {
		o.Token = Token
	}
	s := &Server{
		opts: o, users: map[int64]*User{}, chats: map[int64]*Chat{}, queries: map[string]*query{},
		menus: map[string]string{}, about: map[string]string{}, counts: map[string]int{}, changed: make(chan struct{}),
		lastUser: 1000, lastChat: 5000, name: Username,
	}
	s.queue.next = 100
	return s
}

// Rename gives the bot another user name.
func (s *Server) Rename(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.name = name
}

// SetFault has fn choose the fault of each call; nil is none at all. The server is locked while it runs.
func (s *Server) SetFault(fn func(method string, params map[string]string) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fn
}

// apiError is a refusal.
type apiError struct {
	code    int
	text    string
	retry   int
	migrate int64
}

func (e *apiError) Error() string { return e.text }

func bad(text string) *apiError {
	return &apiError{code: http.StatusBadRequest, text: "Bad Request: " + text}
}

// ServeHTTP answers a call.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	token, method, ok := strings.Cut(strings.TrimPrefix(req.URL.Path, "/bot"), "/")
	if !ok || !strings.HasPrefix(req.URL.Path, "/bot") || token == "" {
		s.answer(w, nil, &apiError{code: http.StatusNotFound, text: "Not Found"})
		return
	}
	if token != s.opts.Token {
		s.answer(w, nil, &apiError{code: http.StatusUnauthorized, text: "Unauthorized"})
		return
	}
	params, err := readParams(req)
	if err != nil {
		s.answer(w, nil, bad(err.Error()))
		return
	}
	fault := s.begin(method, params)
	if fault.Late {
		time.Sleep(fault.Delay)
	} else if fault.Delay > 0 && !pause(req, fault.Delay) {
		return
	}
	switch {
	case fault.Reset:
		cut(w)
		return
	case fault.Status != 0:
		s.note(method, params, fault.Status)
		if fault.Body != "" {
			if fault.RetryAfter > 0 {
				w.Header().Set("Retry-After", strconv.Itoa(fault.RetryAfter))
			}
			w.WriteHeader(fault.Status)
			_, _ = io.WriteString(w, fault.Body) // The caller may be gone.
			return
		}
		text := fault.Text
		if text == "" {
			text = http.StatusText(fault.Status)
		}
		s.answer(w, nil, &apiError{code: fault.Status, text: text, retry: fault.RetryAfter})
		return
	}
	result, refused := s.act(req, method, params, fault.Lost)
	if fault.Lost {
		cut(w)
		return
	}
	s.answer(w, result, refused)
}

// begin counts a call, checks it, and returns its fault.
func (s *Server) begin(method string, params map[string]string) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[method]++
	if !s.opts.Unchecked {
		for _, problem := range check(method, params) {
			s.violate("%s: %s", method, problem)
		}
	}
	if s.fault == nil {
		return Fault{}
	}
	return s.fault(method, params)
}

func (s *Server) violate(format string, args ...any) {
	if len(s.violations) < 100 {
		s.violations = append(s.violations, fmt.Sprintf(format, args...))
	}
}

func pause(req *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-req.Context().Done():
		return false
	}
}

// cut ends a connection without an answer.
func cut(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close() // It is to be broken.
	}
}

// readParams is a call's parameters, in whichever way they were sent. Values that aren't text are JSON.
func readParams(req *http.Request) (map[string]string, error) {
	params := map[string]string{}
	kind, _, _ := mime.ParseMediaType(req.Header.Get("Content-Type"))
	if kind == "application/json" {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		return jsonParams(body)
	}
	if kind == "multipart/form-data" {
		if err := readFiles(req, params); err != nil {
			return nil, err
		}
	} else if err := req.ParseForm(); err != nil {
		return nil, err
	}
	for name := range req.Form {
		params[name] = req.Form.Get(name)
	}
	return params, nil
}

func jsonParams(body []byte) (map[string]string, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		return nil, err
	}
	params := map[string]string{}
	for name, value := range raw {
		var text string
		if json.Unmarshal(value, &text) == nil {
			params[name] = text
		} else {
			params[name] = string(value)
		}
	}
	return params, nil
}

// act does what a call asks. Lost says that the caller won't get the answer.
func (s *Server) act(req *http.Request, method string, p map[string]string, lost bool) (any, *apiError) {
	if method == "getUpdates" {
		return s.getUpdates(req, p)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	result, err := s.do(method, p, lost)
	status := http.StatusOK
	if err != nil {
		status = err.code
	}
	s.record(method, p, status)
	s.touch()
	return result, err
}

func (s *Server) do(method string, p map[string]string, lost bool) (any, *apiError) {
	switch method {
	case "getMe":
		return map[string]any{"id": botID, "is_bot": true, "first_name": "Зевака", "username": s.name}, nil
	case "sendMessage", "sendPhoto", "sendDocument", "sendAnimation":
		return s.send(p)
	case "editMessageText":
		return s.editMessageText(p)
	case "editMessageMedia":
		return s.editMessageMedia(p)
	case "deleteMessage":
		return s.deleteMessage(p)
	case "answerCallbackQuery":
		return s.answerQuery(p, lost)
	case "getChatMember":
		return s.chatMember(p)
	case "getChat":
		c := s.chats[number(p["chat_id"])]
		if err := s.there(c); err != nil {
			return nil, err
		}
		return c.body(), nil
	case "getChatAdministrators":
		return s.administrators(p)
	case "getMyCommands", "setMyCommands":
		return s.myCommands(method, p)
	case "getChatMenuButton", "setChatMenuButton":
		return s.menuButton(method, p)
	case "getMyDescription", "setMyDescription":
		return s.profile(method, "description", p)
	case "getMyShortDescription", "setMyShortDescription":
		return s.profile(method, "short_description", p)
	case "setWebhook", "deleteWebhook":
		return s.webhook(p)
	case "leaveChat":
		c := s.chats[number(p["chat_id"])]
		if err := s.there(c); err != nil {
			return nil, err
		}
		c.removed = true
		return true, nil
	case "getWebhookInfo":
		s.expire()
		h := s.queue.hook
		info := map[string]any{"url": h.url, "has_custom_certificate": false, "pending_update_count": len(s.queue.waiting)}
		if !h.failedAt.IsZero() {
			info["last_error_date"], info["last_error_message"] = h.failedAt.Unix(), h.failedFor
		}
		return info, nil
	case "editMessageReplyMarkup":
		return s.editMessageReplyMarkup(p)
	case "deleteEphemeralMessage", "editEphemeralMessageText":
		if !s.opts.Old {
			return s.changeEphemeral(method, p)
		}
	}
	return nil, &apiError{code: http.StatusNotFound, text: "Not Found: method not found"}
}

func (s *Server) note(method string, p map[string]string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record(method, p, status)
}

func (s *Server) record(method string, p map[string]string, status int) {
	if !s.opts.Unchecked {
		s.calls = append(s.calls, Call{time.Now(), method, withoutFiles(p), status})
	}
}

// Changed is closed as soon as anything happens.
func (s *Server) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// touch wakes those who wait for something to happen. The server is locked.
func (s *Server) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Server) answer(w http.ResponseWriter, result any, refused *apiError) {
	body := map[string]any{"ok": true, "result": result}
	status := http.StatusOK
	if refused != nil {
		status = refused.code
		body = map[string]any{"ok": false, "error_code": refused.code, "description": refused.text}
		if refused.retry > 0 {
			body["description"] = fmt.Sprintf("Too Many Requests: retry after %d", refused.retry)
			body["parameters"] = map[string]any{"retry_after": refused.retry}
		}
		if refused.migrate != 0 {
			body["parameters"] = map[string]any{"migrate_to_chat_id": refused.migrate}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // The caller may be gone.
}

// Report is what a server has counted and found since it began.
type Report struct {
	// Violations are calls that the specification or a limit doesn't allow.
	Violations []string
	// Unanswered are presses that reached the bot and got no answer; Doubled how often one was answered again.
	Unanswered, Doubled int
	// Limited is how often the bot was told to wait because it did too much; not by a Fault.
	Limited int
	// Busiest is the most messages and edits that one group got within a minute, EditsBusiest the most edits.
	Busiest, EditsBusiest int
	// Counts are how often each method was called.
	Counts map[string]int
}

// Report is the report so far.
func (s *Server) Report() Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := Report{Violations: slices.Clone(s.violations), Doubled: s.doubled, Limited: s.limited, Counts: map[string]int{}}
	for method, n := range s.counts {
		r.Counts[method] = n
	}
	for _, q := range s.queries {
		if q.delivered && !q.answered {
			r.Unanswered++
		}
	}
	for _, c := range s.chats {
		if c.kind != private {
			r.Busiest = max(r.Busiest, Busiest(c.writes))
			r.EditsBusiest = max(r.EditsBusiest, Busiest(c.edits))
		}
	}
	return r
}

// Calls are all calls of a method, in order.
func (s *Server) Calls(method string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Call
	for _, c := range s.calls {
		if c.Method == method {
			all = append(all, c)
		}
	}
	return all
}
