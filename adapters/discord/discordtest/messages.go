package discordtest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const ephemeral = 1 << 6

// silent is the flag of a message that nobody hears.
const silent = 1 << 12

// nonceLife is for how long a message is known by its nonce: "the past few minutes".
const nonceLife = 4 * time.Minute

// maxFollows is how many messages may follow an interaction where the bot is a guest.
const maxFollows = 5

// Message is a message of the bot's as it stands.
type Message struct {
	ID, Channel string
	Content     string
	// Private is the one who sees it; empty is everybody.
	Private string
	Rows    [][]Button
	Menus   []Menu
	// Picture is the PNG file that is attached, Alt what describes it; nil where there is none.
	Picture []byte
	Alt     string
	// Edits is how often it was made something else.
	Edits int
	// Silent says that nobody hears it.
	Silent bool

	components json.RawMessage
	attachment string
	oldEdits   int
}

// Button is a button on a message.
type Button struct {
	Label    string `json:"label"`
	CustomID string `json:"custom_id"`
	Style    int    `json:"style"`
	// URL is where the button leads, instead of being pressed; empty if it is to be pressed.
	URL string `json:"url"`
}

// Menu is a list on a message.
type Menu struct {
	CustomID    string   `json:"custom_id"`
	Placeholder string   `json:"placeholder"`
	Options     []Option `json:"options"`
}

// Option is a thing in a list.
type Option struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Buttons are the buttons of all rows.
func (m Message) Buttons() []Button {
	var all []Button
	for _, row := range m.Rows {
		all = append(all, row...)
	}
	return all
}

// Button is the button so labelled; false if there is none.
func (m Message) Button(label string) (Button, bool) {
	for _, b := range m.Buttons() {
		if b.Label == label {
			return b, true
		}
	}
	return Button{}, false
}

// json is the message as Discord describes it.
func (m *Message) json() map[string]any {
	flags := 0
	if m.Private != "" {
		flags = ephemeral
	}
	components := m.components
	if components == nil {
		components = json.RawMessage("[]")
	}
	return map[string]any{
		"id": m.ID, "channel_id": m.Channel, "type": 0, "content": m.Content, "flags": flags, "components": components,
		"author":    map[string]any{"id": App, "username": "Zevaka", "bot": true},
		"timestamp": snowflakeTime(m.ID).UTC().Format(time.RFC3339Nano), "embeds": []any{}, "attachments": m.attachments(), "mentions": []any{},
	}
}

func number(id string) int64 {
	n, _ := strconv.ParseInt(id, 10, 64)
	return n
}

func snowflakeTime(id string) time.Time { return time.UnixMilli(number(id)>>22 + epoch) }

// form is the part of a body that makes a message.
type form struct {
	Content     *string          `json:"content"`
	Components  *json.RawMessage `json:"components"`
	Attachments *[]attachment    `json:"attachments"`
	Flags       int              `json:"flags"`
	Nonce       string           `json:"nonce"`
	Enforce     bool             `json:"enforce_nonce"`
	Mentions    *struct {
		Parse []string `json:"parse"`
		Users []string `json:"users"`
	} `json:"allowed_mentions"`
	files map[string]file
}

// commandNamed is a command in a text that can be pressed there.
var commandNamed = regexp.MustCompile(`</([^:>]*):(\d*)>`)

// put makes a message what the form says. The caller holds mu.
func (s *Server) put(m *Message, f form) {
	if f.Content != nil {
		m.Content = *f.Content
	}
	if f.Components != nil {
		m.components = *f.Components
		m.Rows, m.Menus = nil, nil
		var rows []struct {
			Components []json.RawMessage `json:"components"`
		}
		_ = json.Unmarshal(m.components, &rows)
		for _, row := range rows {
			m.add(row.Components)
		}
	}
	if f.Mentions != nil {
		for _, user := range f.Mentions.Users {
			if strings.Contains(m.Content, "<@"+user+">") {
				s.record.Notified = append(s.record.Notified, user)
			}
		}
	}
	for _, named := range commandNamed.FindAllStringSubmatch(m.Content, -1) {
		if s.named[named[1]] != named[2] {
			s.violation("a command that isn't there: %s", named[0])
		}
	}
	s.attach(m, f)
	s.note(m, m.Content)
}

// note writes down what a message says, and to whom. The caller holds mu.
func (s *Server) note(m *Message, text string) {
	if s.opts.Forget {
		return
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(line) > 20 {
			if m.Private != "" {
				s.secrets[line] = s.secrets[line] || !s.spoken[line] // What all have read before is none.
			} else {
				s.spoken[line] = true
			}
		}
	}
}

// add puts what stands in a row on a message: buttons, or a list.
func (m *Message) add(row []json.RawMessage) {
	var buttons []Button
	for _, text := range row {
		var one struct {
			Type int `json:"type"`
			Button
			Placeholder string   `json:"placeholder"`
			Options     []Option `json:"options"`
		}
		_ = json.Unmarshal(text, &one)
		if one.Type == typeList {
			m.Menus = append(m.Menus, Menu{one.CustomID, one.Placeholder, one.Options})
			continue
		}
		buttons = append(buttons, one.Button)
	}
	if len(buttons) > 0 {
		m.Rows = append(m.Rows, buttons)
	}
}

// create makes a new message. The caller holds mu.
func (s *Server) create(channel string, f form, reader string) *Message {
	m := &Message{ID: s.snowflake(), Channel: channel, Private: reader, Silent: f.Flags&silent != 0}
	s.put(m, f)
	s.messages[m.ID] = m
	return m
}

// formOf reads and checks what makes a message. The caller holds mu.
func (s *Server) formOf(body []byte, files map[string]file, isNew bool) (form, bool) {
	f := form{files: files}
	if err := json.Unmarshal(body, &f); err != nil {
		s.violation("no message: %v", err)
		return f, false
	}
	if s.opts.Unchecked {
		return f, true
	}
	wrong := append(checkMessage(body, isNew), checkFiles(body, files)...)
	for _, text := range wrong {
		s.violation("message: %s", text)
	}
	return f, len(wrong) == 0
}

// closed is why the bot may neither see nor change anything in a channel; false if it may.
func (s *Server) closed(c *channel) (reply, bool) {
	switch {
	case c == nil:
		return unknownChannel, true
	case c.context == 1 && c.rights == 0:
		return noChat, true
	case c.rights&(1<<10) == 0 || c.voice && c.rights&(1<<20) == 0 || s.guest(c):
		return noAccess, true
	}
	return reply{}, false
}

func (s *Server) post(r request) reply {
	c := s.channels[r.PathValue("channel_id")]
	f, valid := s.formOf(r.body, r.files, true)
	if refusal, closed := s.closed(c); closed {
		return refusal
	}
	write := int64(1 << 11)
	if c.thread {
		write = 1 << 38
	}
	switch {
	case c.rights&write == 0 || s.barsFiles(c.id, f):
		return noPermission
	case !valid:
		return invalidBody
	case c.archived && c.locked:
		return locked
	case c.archived: // A new message opens it.
		c.archived = false
		s.tellThread(c)
	}
	if f.Nonce == "" || !f.Enforce {
		s.violation("a message without a nonce")
	}
	if old, known := c.nonces[f.Nonce]; known && f.Nonce != "" && time.Since(snowflakeTime(old)) < nonceLife {
		if m := s.messages[old]; m != nil {
			return ok(m.json())
		}
	}
	m := s.create(c.id, f, "")
	c.nonces[f.Nonce] = m.ID
	return ok(m.json())
}

func (s *Server) edit(r request) reply {
	c := s.channels[r.PathValue("channel_id")]
	f, valid := s.formOf(r.body, r.files, false)
	m := s.messages[r.PathValue("message_id")]
	if refusal, closed := s.closed(c); closed {
		return refusal
	}
	switch {
	case m == nil || m.Channel != c.id || m.Private != "":
		return unknownMessage
	case s.barsFiles(c.id, f):
		return noPermission
	case !valid:
		return invalidBody
	case c.archived:
		return archived
	case time.Since(snowflakeTime(m.ID)) > time.Hour:
		if m.oldEdits++; m.oldEdits > 3 {
			return oldMessage
		}
	}
	s.put(m, f)
	m.Edits++
	return ok(m.json())
}

// takeAway deletes a message of a channel, for everybody.
func (s *Server) takeAway(r request) reply {
	c := s.channels[r.PathValue("channel_id")]
	m := s.messages[r.PathValue("message_id")]
	if refusal, closed := s.closed(c); closed {
		return refusal
	}
	switch {
	case m == nil || m.Channel != c.id || m.Private != "":
		return unknownMessage
	case c.archived:
		return archived
	}
	delete(s.messages, m.ID)
	return done()
}

// follow puts up one more message after an answer, or the one that was promised.
func (s *Server) follow(r request) reply {
	i, no := s.originalOf(r)
	if no != nil {
		return *no
	}
	f, valid := s.formOf(r.body, r.files, true)
	switch {
	case !valid:
		return invalidBody
	case s.barsFiles(i.Channel, f):
		return noPermission
	case i.pending:
		return s.fulfil(i, f)
	}
	if c := s.channels[i.Channel]; c != nil && c.archived && c.locked {
		return locked
	}
	if c := s.channels[i.Channel]; c != nil && s.guest(c) {
		if i.follows++; i.follows > maxFollows {
			s.violation("%d messages follow an interaction where the bot is a guest", i.follows)
			return tooManyFollow
		}
	}
	reader := ""
	if f.Flags&ephemeral != 0 {
		reader = i.Who.ID
	}
	return ok(s.create(i.Channel, f, reader).json())
}

// fulfil makes the message that was promised. The caller holds mu.
func (s *Server) fulfil(i *Interaction, f form) reply {
	i.pending = false
	reader := ""
	if i.private {
		reader = i.Who.ID
	}
	m := s.create(i.Channel, f, reader)
	i.original = m.ID
	return ok(m.json())
}

// original shows, changes or deletes the message that answered.
func (s *Server) original(r request) reply {
	i, no := s.originalOf(r)
	if no != nil {
		return *no
	}
	m := s.messages[i.original]
	if r.Method == http.MethodDelete && i.pending {
		i.pending = false
		return done()
	}
	var f form
	if r.Method == http.MethodPatch {
		var valid bool
		if f, valid = s.formOf(r.body, r.files, false); !valid {
			return invalidBody
		}
		if s.barsFiles(i.Channel, f) {
			return noPermission
		}
		if c := s.channels[i.Channel]; c != nil && c.archived {
			return archived
		}
		if i.pending {
			return s.fulfil(i, f)
		}
	}
	switch {
	case m == nil:
		return unknownMessage
	case r.Method == http.MethodDelete:
		delete(s.messages, m.ID)
		return done()
	case r.Method == http.MethodPatch:
		s.put(m, f)
		m.Edits++
	}
	return ok(m.json())
}

// Messages are the messages of a channel, the oldest first: those for everybody, and those for the reader.
func (s *Server) Messages(channel, reader string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []*Message
	for _, m := range s.messages {
		if m.Channel == channel && (m.Private == "" || m.Private == reader) {
			found = append(found, m)
		}
	}
	// Of two numbers as text the longer one is greater.
	slices.SortFunc(found, func(a, b *Message) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), strings.Compare(a.ID, b.ID))
	})
	all := make([]Message, len(found))
	for i, m := range found {
		all[i] = *m
	}
	return all
}

// Message is a message as it stands; false if it is gone.
func (s *Server) Message(id string) (Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.messages[id]; m != nil {
		return *m, true
	}
	return Message{}, false
}
