package discordtest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Secret is the application's client secret.
const Secret = "secret.of.the.client"

// activity is a page of an application's that people look at in a channel.
type activity struct {
	app, id, channel string
	users            []string
	// odd is what is said of it that isn't so.
	odd map[string]any
}

// grant is what a person lets an application know of them.
type grant struct {
	app  string
	who  User
	used bool
}

// entryPoint is the command that Discord makes of itself where Activities are enabled.
func (s *Server) entryPoint() map[string]any {
	return map[string]any{
		"id": s.snowflake(), "application_id": App, "version": "1", "type": typeEntry, "name": "launch", "description": "", "handler": 2,
		"name_localizations": nil, "description_localizations": nil, "default_member_permissions": nil, "nsfw": false,
		"integration_types": []int{0, 1}, "contexts": []int{0, 1, 2},
	}
}

// typeEntry is a command that opens an Activity.
const typeEntry = 4

// Authorize is the code that Discord's client gives the page for a person who looks at it.
func (s *Server) Authorize(u User) (code string) { return s.grant(u, App) }

// AuthorizeElsewhere is a code that was given for another application.
func (s *Server) AuthorizeElsewhere(u User) (code string) { return s.grant(u, "900000000000000999") }

func (s *Server) grant(u User, app string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	code := "code-" + s.snowflake()
	s.grants[code] = &grant{app: app, who: u}
	return code
}

// Launch opens the Activity in a channel, for these people, and returns the instance's ID.
func (s *Server) Launch(channel string, all ...User) (instance string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.launch(channel, all...)
}

// launch opens the Activity, or has people join it. The caller holds mu.
func (s *Server) launch(channel string, all ...User) string {
	for _, one := range s.activities {
		if one.channel == channel {
			s.join(one, all)
			return one.id
		}
	}
	kind, guild := "pc", ""
	if c := s.channels[channel]; c != nil && c.guild != "" {
		kind, guild = "gc", "-"+c.guild
	}
	one := &activity{app: App, id: "i-" + s.snowflake() + "-" + kind + guild + "-" + channel, channel: channel}
	s.activities[one.id] = one
	s.join(one, all)
	return one.id
}

func (s *Server) join(one *activity, all []User) {
	for _, u := range all {
		if !slices.Contains(one.users, u.ID) {
			one.users = append(one.users, u.ID)
		}
	}
}

// Leave has somebody be in an instance no more. The last one ends it.
func (s *Server) Leave(instance string, u User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.activities[instance]
	one.users = slices.DeleteFunc(one.users, func(id string) bool { return id == u.ID })
	if len(one.users) == 0 {
		delete(s.activities, instance)
	}
}

// Distort has Discord say something of an instance that isn't so.
func (s *Server) Distort(instance string, odd map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.activities[instance].odd = odd
}

// getActivity describes an instance of the application's own.
func (s *Server) getActivity(r request) reply {
	one := s.activities[r.PathValue("instance_id")]
	if one == nil || one.app != r.PathValue("application_id") {
		return refused(http.StatusNotFound, 0, "404: Not Found")
	}
	where := map[string]any{"id": strings.SplitN(one.id, "-", 3)[2], "kind": "pc", "channel_id": one.channel}
	if c := s.channels[one.channel]; c != nil && c.guild != "" {
		where["kind"], where["guild_id"] = "gc", c.guild
	}
	said := map[string]any{
		"application_id": one.app, "instance_id": one.id, "launch_id": strings.SplitN(one.id, "-", 3)[1], "location": where,
		"users": append([]string{}, one.users...),
	}
	maps.Copy(said, one.odd)
	return ok(said)
}

// exchange gives a token for a code, once.
func (s *Server) exchange(r request) reply {
	form, err := url.ParseQuery(string(r.body))
	if err != nil || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
		s.violation("a code comes as %q", r.Header.Get("Content-Type"))
		return oauthError(http.StatusBadRequest, "invalid_request")
	}
	if r.Header.Get("Authorization") != "" {
		s.violation("a code comes with a token")
	}
	one := s.grants[form.Get("code")]
	switch {
	case form.Get("client_id") != App || form.Get("client_secret") != Secret:
		return oauthError(http.StatusUnauthorized, "invalid_client")
	case form.Get("grant_type") != "authorization_code":
		return oauthError(http.StatusBadRequest, "unsupported_grant_type")
	case one == nil || one.used || one.app != App:
		return oauthError(http.StatusBadRequest, "invalid_grant")
	}
	one.used = true
	token := "token-" + s.snowflake()
	s.bearers[token] = one.who
	return ok(map[string]any{
		"access_token": token, "token_type": "Bearer", "expires_in": 604800, "refresh_token": "refresh-" + token, "scope": "identify",
	})
}

func oauthError(status int, kind string) reply {
	return reply{status: status, v: map[string]any{"error": kind, "error_description": "Invalid \"code\" in request."}}
}

// getMe is whom a token is for.
func (s *Server) getMe(r request) reply {
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	u, known := s.bearers[token]
	if !bearer || !known {
		return refused(http.StatusUnauthorized, 0, "401: Unauthorized")
	}
	said := map[string]any{
		"id": u.ID, "username": u.Name, "global_name": nil, "discriminator": "0", "avatar": nil, "public_flags": 0, "flags": 0,
		"mfa_enabled": false, "locale": u.Locale,
	}
	if u.Global != "" {
		said["global_name"] = u.Global
	}
	if u.Bot {
		said["bot"] = true
	}
	return ok(said)
}

// getChannel describes the chat with the bot, or a channel that it sees.
func (s *Server) getChannel(r request) reply {
	c := s.channels[r.PathValue("channel_id")]
	switch refusal, closed := s.closed(c); {
	case closed:
		return refusal
	case c.context == 1:
		return ok(map[string]any{"id": c.id, "type": 1, "recipients": []any{map[string]any{"id": c.of, "username": "user"}}})
	}
	return ok(c.json())
}

// openChat is the chat that somebody has with the bot. Where no Chat was added it is closed to the bot, which shows only when it
// writes there.
func (s *Server) openChat(r request) reply {
	var of struct {
		User string `json:"recipient_id"`
	}
	if err := json.Unmarshal(r.body, &of); err != nil || of.User == "" {
		return invalidBody
	}
	for _, c := range s.channels {
		if c.context == 1 && c.of == of.User {
			return ok(map[string]any{"id": c.id, "type": 1})
		}
	}
	id := "9" + of.User
	s.channels[id] = &channel{id: id, of: of.User, context: 1, nonces: map[string]string{}}
	return ok(map[string]any{"id": id, "type": 1})
}

// Chat adds somebody's own chat with the bot.
func (s *Server) Chat(id string, u User) {
	s.Place(id, "", 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[id].of = u.ID
}

// keepsEntry reports whether a list of commands has the entry point that there is; a list where Activities aren't enabled has none.
func (s *Server) keepsEntry(list []map[string]any) (reply, bool) {
	var now []map[string]any
	_ = json.Unmarshal(s.commands, &now)
	isEntry := func(c map[string]any) bool { kind, _ := c["type"].(float64); return kind == typeEntry }
	had, has := slices.IndexFunc(now, isEntry), slices.IndexFunc(list, isEntry)
	switch {
	case has >= 0 && !s.opts.Activities, has >= 0 && slices.ContainsFunc(list[has+1:], isEntry):
		return invalidBody, false
	case had >= 0 && (has < 0 || list[has]["id"] != now[had]["id"] && list[has]["name"] != now[had]["name"]):
		return refused(http.StatusBadRequest, 50240, "You cannot remove this app's Entry Point command in a bulk update operation. "+
			"Please include the Entry Point command in your update request or delete it separately."), false
	}
	return reply{}, true
}
