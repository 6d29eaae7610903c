package discordtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// request is a call that is to be answered.
type request struct {
	*http.Request
	name string
	body []byte
	// files are those that came along, by their numbers.
	files map[string]file
}

// with is the call with another body.
func (r request) with(body []byte) request {
	r.body = body
	return r
}

// reply is an answer.
type reply struct {
	status int
	v      any
	html   bool
	text   string
	header http.Header
}

func ok(v any) reply { return reply{status: http.StatusOK, v: v} }

func done() reply { return reply{status: http.StatusNoContent} }

func refused(status, code int, message string) reply {
	return reply{status: status, v: map[string]any{"code": code, "message": message}}
}

// The refusals.
var (
	unknownChannel     = refused(http.StatusNotFound, 10003, "Unknown Channel")
	unknownGuild       = refused(http.StatusNotFound, 10004, "Unknown Guild")
	unknownMessage     = refused(http.StatusNotFound, 10008, "Unknown Message")
	unknownWebhook     = refused(http.StatusNotFound, 10015, "Unknown Webhook")
	unknownInteraction = refused(http.StatusNotFound, 10062, "Unknown interaction")
	acknowledged       = refused(http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
	noAccess           = refused(http.StatusForbidden, 50001, "Missing Access")
	noChat             = refused(http.StatusForbidden, 50007, "Cannot send messages to this user")
	noPermission       = refused(http.StatusForbidden, 50013, "Missing Permissions")
	archived           = refused(http.StatusBadRequest, 50083, "Thread is archived")
	locked             = refused(http.StatusForbidden, 160005, "Thread is locked")
	tokenExpired       = refused(http.StatusUnauthorized, 50027, "Invalid Webhook Token")
	oldMessage         = refused(http.StatusTooManyRequests, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later.")
	tooManyFollow      = refused(http.StatusBadRequest, 40094, "This interaction has reached the maximum number of follow-up messages.")
	invalidBody        = refused(http.StatusBadRequest, 50035, "Invalid Form Body")
)

// routes are the calls that are known: their names, paths, and paths in the specification.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /gw", s.serveGateway)
	mux.HandleFunc("GET /gw/", s.serveGateway)
	for _, route := range []struct {
		name, method, path string
		do                 func(request) reply
	}{
		{"gateway", "GET", "/gateway", s.getGateway},
		{"gateway", "GET", "/gateway/bot", s.getGateway},
		{"application", "GET", "/applications/@me", s.getApplication},
		{"application", "PATCH", "/applications/@me", s.editApplication},
		{"list", "GET", "/applications/{application_id}/commands", s.getCommands},
		{"overwrite", "PUT", "/applications/{application_id}/commands", s.putCommands},
		{"activity", "GET", "/applications/{application_id}/activity-instances/{instance_id}", s.getActivity},
		{"token", "POST", "/oauth2/token", s.exchange},
		{"me", "GET", "/users/@me", s.getMe},
		{"chat", "POST", "/users/@me/channels", s.openChat},
		{"leave", "DELETE", "/users/@me/guilds/{guild_id}", s.leaveGuild},
		{"channel", "GET", "/channels/{channel_id}", s.getChannel},
		{"guild", "GET", "/guilds/{guild_id}", s.getGuild},
		{"callback", "POST", "/interactions/{interaction_id}/{interaction_token}/callback", s.callback},
		{"follow", "POST", "/webhooks/{webhook_id}/{webhook_token}", s.follow},
		{"original", "GET", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", s.original},
		{"original", "PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", s.original},
		{"original", "DELETE", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", s.original},
		{"post", "POST", "/channels/{channel_id}/messages", s.post},
		{"edit", "PATCH", "/channels/{channel_id}/messages/{message_id}", s.edit},
		{"delete", "DELETE", "/channels/{channel_id}/messages/{message_id}", s.takeAway},
	} {
		mux.HandleFunc(route.method+" /api/v9"+route.path, func(w http.ResponseWriter, r *http.Request) {
			s.serve(w, request{Request: r, name: route.name}, route.path, route.do)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.violation("no such call: %s %s", r.Method, r.URL.Path)
		s.mu.Unlock()
		http.NotFound(w, r)
	})
	return mux
}

// serve checks a call, and has it done unless something goes wrong that was ordered.
func (s *Server) serve(w http.ResponseWriter, r request, path string, do func(request) reply) {
	s.busy.Add(1)
	defer s.busy.Done()
	content, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // The bot is gone.
	}
	if r.body, r.files, err = unpack(r.Header, content); err != nil {
		s.mu.Lock()
		s.violation("%s: %v", r.name, err)
		s.mu.Unlock()
		write(w, invalidBody, nil)
		return
	}
	if r.Header.Get("Authorization") != "Bot "+Token && !isFree(r.name) {
		write(w, refused(http.StatusUnauthorized, 0, "401: Unauthorized"), nil)
		return
	}
	s.mu.Lock()
	s.record.Calls[r.name]++
	if agent := r.Header.Get("User-Agent"); !strings.HasPrefix(agent, "DiscordBot (http") && !s.opts.Unchecked {
		s.violation("a call by %q", agent)
	}
	s.mu.Unlock()
	answer, header, met := s.judge(r, path)
	if met.delay > 0 {
		time.Sleep(met.delay)
	}
	if met.reset {
		panic(http.ErrAbortHandler)
	}
	if answer == nil {
		s.mu.Lock()
		did := do(r)
		if did.status == http.StatusForbidden {
			s.record.Calls["forbidden"]++
		}
		s.change()
		s.mu.Unlock()
		answer = &did
	}
	if met.swallow {
		panic(http.ErrAbortHandler)
	}
	write(w, *answer, header)
}

// judge says what happens to a call before it is done; a nil reply is that it is done.
func (s *Server) judge(r request, path string) (*reply, http.Header, fate) {
	var wrong []string
	if !s.opts.Unchecked && r.name != "token" { // Which the specification leaves out.
		wrong = loadSpec().check(r.Method, path, r.body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range wrong {
		s.violation("%s %s: %s", r.Method, path, text)
	}
	if len(wrong) > 0 {
		return &invalidBody, nil, fate{}
	}
	over, header := s.limit(r.name, r.PathValue("channel_id"))
	if over != nil {
		return over, nil, fate{}
	}
	met := s.fate(r)
	return met.refused, header, met
}

func write(w http.ResponseWriter, a reply, header http.Header) {
	for name, values := range header {
		w.Header()[name] = values
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if a.html {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, "<html><body>error code: 1015</body></html>")
		return
	}
	if a.text != "" {
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, a.text)
		return
	}
	if a.v == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.status)
	_ = json.NewEncoder(w).Encode(a.v) // The bot may be gone.
}

func (s *Server) getGateway(request) reply {
	left, reset := s.left()
	return ok(map[string]any{
		"url": s.gatewayURL(), "shards": s.opts.Shards,
		"session_start_limit": map[string]any{
			"total": maxStarts, "remaining": left, "reset_after": reset.Milliseconds(), "max_concurrency": s.opts.Concurrency,
		},
	})
}

// leaveGuild takes the bot out of a guild.
func (s *Server) leaveGuild(r request) reply {
	id := r.PathValue("guild_id")
	if s.foreign[id] {
		return unknownGuild
	}
	s.foreign[id] = true
	s.dispatch(id, "GUILD_DELETE", map[string]any{"id": id})
	return done()
}

// getGuild describes a guild to a member.
func (s *Server) getGuild(r request) reply {
	id := r.PathValue("guild_id")
	for _, c := range s.channels {
		if c.guild == id && !s.foreign[id] {
			return ok(map[string]any{"id": id, "name": "guild"})
		}
	}
	return unknownGuild
}

func (s *Server) getCommands(request) reply {
	if s.commands == nil {
		return ok([]any{})
	}
	return ok(json.RawMessage(s.commands))
}

// putCommands keeps the commands as Discord lists them: with names of its own, and nothing left out.
func (s *Server) putCommands(r request) reply {
	var list []map[string]any
	if json.Unmarshal(r.body, &list) != nil {
		return invalidBody
	}
	if wrong := checkCommands(r.body); len(wrong) > 0 {
		for _, text := range wrong {
			s.violation("commands: %s", text)
		}
		return invalidBody
	}
	if no, keeps := s.keepsEntry(list); !keeps {
		return no
	}
	known := s.named
	s.named = map[string]string{}
	for _, c := range list {
		name := fmt.Sprint(c["name"])
		s.named[name] = cmp.Or(known[name], s.snowflake())
		c["id"], c["application_id"], c["version"] = s.named[name], App, s.snowflake()
		c["nsfw"] = false
		if rights, given := c["default_member_permissions"].(float64); given {
			c["default_member_permissions"] = strconv.FormatInt(int64(rights), 10) // It takes a number, and lists a text.
		} else {
			c["default_member_permissions"] = nil
		}
		for _, name := range []string{"name_localizations", "description_localizations"} {
			if c[name] == nil {
				c[name] = nil
			}
		}
	}
	s.commands, _ = json.Marshal(list)
	s.overwrites++
	return ok(list)
}

// originalOf finds the interaction of a webhook's token.
func (s *Server) originalOf(r request) (*Interaction, *reply) {
	i := s.interactions[strings.TrimPrefix(r.PathValue("webhook_token"), "interaction-token-")]
	switch {
	case i == nil || i.answer == 0:
		return nil, &unknownWebhook
	case time.Since(snowflakeTime(i.ID)) > 15*time.Minute:
		return nil, &tokenExpired
	}
	i.calls++
	return i, nil
}
