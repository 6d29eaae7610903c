package telegramtest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Message is a message of the bot's, as people see it.
type Message struct {
	Chat, ID int64
	// Topic is the topic it stands in.
	Topic int64
	// Ephemeral is the number of a message that only user To sees; 0 for one that all see.
	Ephemeral, To int64
	HTML, Text    string
	Buttons       []Button
	Silent        bool
	Edits         int
	Deleted       bool
	// Inaccessible has a press not say what stands in the message.
	Inaccessible bool

	keyboard string
}

// Button is a button of a message.
type Button struct{ Text, Data, URL string }

func (m *Message) body(c *Chat) map[string]any {
	body := map[string]any{"message_id": m.ID, "chat": c.body(), "date": 1, "text": m.Text,
		"from": map[string]any{"id": botID, "is_bot": true, "first_name": "Зевака"}}
	if m.Topic != 0 {
		body["message_thread_id"], body["is_topic_message"] = m.Topic, true
	}
	if m.Ephemeral != 0 {
		body["ephemeral_message_id"] = m.Ephemeral
	}
	return body
}

// Messages are the bot's messages in the chat that are not deleted, the oldest first.
func (c *Chat) Messages() []Message {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	var all []Message
	for _, m := range c.messages {
		if !m.Deleted {
			copied := *m
			copied.Buttons = slices.Clone(m.Buttons)
			all = append(all, copied)
		}
	}
	return all
}

// Board is the newest message for everybody that has buttons; false if there is none.
func (c *Chat) Board() (Message, bool) {
	for _, m := range slices.Backward(c.Messages()) {
		if len(m.Buttons) > 0 && m.To == 0 {
			return m, true
		}
	}
	return Message{}, false
}

// Delete deletes a message of the bot's.
func (c *Chat) Delete(id int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	for _, m := range c.messages {
		if m.ID == id && m.Ephemeral == 0 {
			m.Deleted = true
		}
	}
}

func (s *Server) sendMessage(p map[string]string) (any, *apiError) {
	c := s.chats[number(p["chat_id"])]
	m, refused := s.compose(c, p)
	if refused != nil {
		return nil, refused
	}
	m.Topic, m.Silent = number(p["message_thread_id"]), p["disable_notification"] == "true"
	switch {
	case c.muted:
		return nil, bad("not enough rights to send text messages to the chat")
	case m.Topic != 0 && (!c.forum || c.closed[m.Topic]):
		return nil, bad("message thread not found")
	}
	if refused := s.receiver(c, m, p); refused != nil {
		return nil, refused
	}
	if refused := s.spend(c); refused != nil {
		return nil, refused
	}
	c.lastID++
	m.Chat, m.ID = c.ID, c.lastID
	if m.To != 0 {
		m.ID, m.Ephemeral = 0, c.lastID
	}
	if s.opts.Unchecked && len(c.messages) > 50 {
		c.messages = slices.Clone(c.messages[25:])
	}
	c.messages = append(c.messages, m)
	return m.body(c), nil
}

// receiver makes a message one for one person, if the call asks so, and the server knows such messages.
func (s *Server) receiver(c *Chat, m *Message, p map[string]string) *apiError {
	if s.opts.Old || p["ephemeral_message_parameters"] == "" {
		return nil
	}
	var e struct {
		User  int64  `json:"receiver_user_id"`
		Query string `json:"callback_query_id"`
	}
	if json.Unmarshal([]byte(p["ephemeral_message_parameters"]), &e) != nil || s.users[e.User] == nil {
		return bad("EPHEMERAL_RECEIVER_INVALID")
	}
	q := s.queries[e.Query]
	inTime := q != nil && q.user == e.User && q.chat == c.ID && time.Since(q.at) <= 15*time.Second
	if !inTime && !c.botAdmin {
		return bad("not enough rights to send ephemeral messages")
	}
	m.To = e.User
	return nil
}

func (s *Server) deleteEphemeral(p map[string]string) (any, *apiError) {
	if c := s.chats[number(p["chat_id"])]; c == nil {
		return nil, bad("chat not found")
	}
	return nil, bad("message to delete not found")
}

// compose reads what a message is to say.
func (s *Server) compose(c *Chat, p map[string]string) (*Message, *apiError) {
	if err := s.there(c); err != nil {
		return nil, err
	}
	text, err := plain(p["text"])
	if err != nil {
		return nil, bad("can't parse entities: " + err.Error())
	}
	switch {
	case strings.TrimSpace(text) == "":
		return nil, bad("message text is empty")
	case len([]rune(text)) > 4096:
		return nil, bad("message is too long")
	}
	m := &Message{HTML: strings.TrimSpace(p["text"]), Text: strings.TrimSpace(text), keyboard: p["reply_markup"]}
	var k struct {
		Rows [][]struct {
			Text string `json:"text"`
			Data string `json:"callback_data"`
			URL  string `json:"url"`
		} `json:"inline_keyboard"`
	}
	if p["reply_markup"] != "" && json.Unmarshal([]byte(p["reply_markup"]), &k) != nil {
		return nil, bad("can't parse reply keyboard markup JSON object")
	}
	for _, row := range k.Rows {
		for _, b := range row {
			if len(b.Data) > 64 {
				return nil, bad("BUTTON_DATA_INVALID")
			}
			m.Buttons = append(m.Buttons, Button(b))
		}
	}
	return m, nil
}

func (s *Server) editMessageText(p map[string]string) (any, *apiError) {
	c := s.chats[number(p["chat_id"])]
	next, refused := s.compose(c, p)
	if refused != nil {
		return nil, refused
	}
	id := number(p["message_id"])
	i := slices.IndexFunc(c.messages, func(m *Message) bool { return m.ID == id && id != 0 && !m.Deleted })
	if i < 0 {
		return nil, bad("message to edit not found")
	}
	m := c.messages[i]
	if m.HTML == next.HTML && m.keyboard == next.keyboard {
		return nil, bad("message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	}
	if refused := s.spend(c); refused != nil {
		return nil, refused
	}
	if !s.opts.Unchecked {
		c.edits = append(c.edits, time.Now())
	}
	m.HTML, m.Text, m.Buttons, m.keyboard = next.HTML, next.Text, next.Buttons, next.keyboard
	m.Edits++
	return m.body(c), nil
}

func (s *Server) deleteMessage(p map[string]string) (any, *apiError) {
	c := s.chats[number(p["chat_id"])]
	if err := s.there(c); err != nil {
		return nil, err
	}
	for _, m := range c.messages {
		if m.ID == number(p["message_id"]) && !m.Deleted {
			m.Deleted = true
			return true, nil
		}
	}
	return nil, bad("message to delete not found")
}

// What the bot may write.
const (
	perMinute  = 20 // to a group
	perSecond  = 30 // to everybody
	privateRun = 4  // to one person in a second
)

// spend counts a message or an edit, and refuses one too many.
func (s *Server) spend(c *Chat) *apiError {
	now := time.Now()
	within := func(times []time.Time, d time.Duration) []time.Time {
		return slices.DeleteFunc(slices.Clone(times), func(t time.Time) bool { return now.Sub(t) >= d })
	}
	tooMany := func(wait time.Duration) *apiError {
		s.limited++
		return &apiError{code: http.StatusTooManyRequests, retry: int(wait/time.Second) + 1}
	}
	s.sent = within(s.sent, time.Second)
	if len(s.sent) >= perSecond && !s.opts.Unchecked {
		return tooMany(time.Second)
	}
	recent, most := within(c.writes, time.Minute), perMinute
	if c.kind == private {
		recent, most = within(c.writes, time.Second), privateRun
	}
	if len(recent) >= most {
		return tooMany(recent[0].Add(time.Minute).Sub(now))
	}
	s.sent = append(s.sent, now)
	if s.opts.Unchecked {
		c.writes = recent
	}
	c.writes = append(c.writes, now)
	return nil
}

// busiest is how many of the times lie within one minute at most.
func busiest(times []time.Time) int {
	most := 0
	for i := range times {
		j := i
		for j < len(times) && times[j].Sub(times[i]) < time.Minute {
			j++
		}
		most = max(most, j-i)
	}
	return most
}

// query is a press.
type query struct {
	id         string
	user, chat int64
	at         time.Time
	// delivered, answered: the bot got it, and answered. Unheard: it was not told that it did.
	delivered, answered, unheard bool
	answer                       Answer
	// done is closed when there is an answer.
	done chan struct{}
}

// Answer is what the one who pressed was told.
type Answer struct {
	Text, URL string
	Alert     bool
	// After is how long it took.
	After time.Duration
}

func (s *Server) answerQuery(p map[string]string, lost bool) (any, *apiError) {
	q := s.queries[p["callback_query_id"]]
	if q == nil || time.Since(q.at) > queryLife {
		return nil, bad("query is too old and response timeout expired or query ID is invalid")
	}
	if q.answered {
		if !q.unheard {
			s.doubled++
		}
		return nil, bad("query is too old and response timeout expired or query ID is invalid")
	}
	if s.opts.Unchecked {
		delete(s.queries, q.id)
	}
	close(q.done)
	q.answered, q.unheard = true, lost
	q.answer = Answer{Text: p["text"], URL: p["url"], Alert: p["show_alert"] == "true", After: time.Since(q.at)}
	return true, nil
}

// Answer is the answer to a press; false if there is none yet.
func (s *Server) Answer(id string) (Answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.queries[id]
	if q == nil {
		return Answer{}, s.opts.Unchecked
	}
	return q.answer, q.answered
}

// Answered is closed when a press is answered.
func (s *Server) Answered(id string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q := s.queries[id]; q != nil {
		return q.done
	}
	done := make(chan struct{})
	close(done)
	return done
}

// Payload is the payload of a link to the bot; empty if the address is none.
func Payload(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host != "t.me" || u.Path != "/"+Username {
		return ""
	}
	return u.Query().Get("start")
}
