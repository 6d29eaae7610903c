package telegramtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Message is a message of the bot's, as people see it.
type Message struct {
	Chat, ID int64
	// Topic is the topic it stands in.
	Topic int64
	// ReplyTo is the message that it answers; 0 where it answers none. Root is the first message of the thread of replies in which it stands;
	// 0 for none.
	ReplyTo, Root int64
	// Ephemeral is the number of a message that only user To sees; 0 for one that all see.
	Ephemeral, To int64
	HTML, Text    string
	// Photo is the file above the text, which then is its caption; nil where there is none.
	Photo []byte
	// Document is the file that the text is the caption of; nil where there is none.
	Document []byte
	Buttons  []Button
	Silent   bool
	Edits    int
	Deleted  bool
	// Inaccessible says that Telegram leaves the message's content out of presses.
	Inaccessible bool

	keyboard string
}

// Button is a button of a message.
type Button struct {
	Text, Data, URL string
	// App is the address of the page that the button opens.
	App string
}

func (m *Message) body(c *Chat) map[string]any {
	body := map[string]any{"message_id": m.ID, "chat": c.body(), "date": 1,
		"from": map[string]any{"id": botID, "is_bot": true, "first_name": "Зевака"}}
	switch {
	case m.Photo != nil:
		body["caption"], body["photo"] = m.Text, []any{}
	case m.Document != nil:
		body["caption"], body["document"] = m.Text, map[string]any{"file_id": "f", "file_unique_id": "u"}
	default:
		body["text"] = m.Text
	}
	if m.Topic != 0 {
		body["message_thread_id"], body["is_topic_message"] = m.Topic, true
	} else if m.Root != 0 {
		body["message_thread_id"] = m.Root
	}
	if m.keyboard != "" {
		body["reply_markup"] = json.RawMessage(m.keyboard)
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

func (s *Server) send(p map[string]string) (any, *apiError) {
	c := s.chats[number(p["chat_id"])]
	m, refused := s.compose(c, p)
	switch {
	case p["photo"] != "":
		m, refused = s.composePhoto(c, p["photo"], p["caption"], p["reply_markup"])
	case p["document"] != "":
		m, refused = s.composeDocument(c, p["document"], p["caption"], p["reply_markup"])
	case p["animation"] != "":
		m, refused = s.composeDocument(c, p["animation"], p["caption"], p["reply_markup"])
	}
	if refused != nil {
		return nil, refused
	}
	m.Topic, m.Silent = number(p["message_thread_id"]), p["disable_notification"] == "true"
	var reply struct {
		To      int64 `json:"message_id"`
		Whisper int64 `json:"ephemeral_message_id"`
	}
	if p["reply_parameters"] != "" && json.Unmarshal([]byte(p["reply_parameters"]), &reply) != nil {
		return nil, bad("can't parse reply parameters JSON object")
	}
	m.ReplyTo, m.Root = reply.To, c.roots[reply.To]
	switch {
	case c.muted:
		return nil, bad("not enough rights to send text messages to the chat")
	case c.noPhotos && m.Photo != nil:
		return nil, bad("not enough rights to send photos to the chat")
	case c.noFiles && p["document"] != "":
		return nil, bad("not enough rights to send documents to the chat")
	case c.noFiles && p["animation"] != "":
		return nil, bad("not enough rights to send animations to the chat")
	case m.Topic != 0 && (!c.forum || c.closed[m.Topic]):
		return nil, bad("message thread not found")
	}
	if refused := s.receiver(c, m, p, reply.Whisper); refused != nil {
		return nil, refused
	}
	if left := c.slow - time.Since(c.sentAt); left > 0 && !c.botAdmin {
		return nil, &apiError{code: http.StatusTooManyRequests, retry: int((left + time.Second - 1) / time.Second)}
	}
	if refused := s.spend(c); refused != nil {
		return nil, refused
	}
	c.lastID++
	m.Chat, m.ID = c.ID, c.lastID
	if m.To != 0 {
		m.ID, m.Ephemeral = 0, c.lastID
	} else {
		c.sentAt = time.Now()
	}
	if m.Root != 0 {
		c.roots[m.ID] = m.Root
	}
	if s.opts.Unchecked && len(c.messages) > 50 {
		c.messages = slices.Clone(c.messages[25:])
	}
	c.messages = append(c.messages, m)
	return m.body(c), nil
}

// receiver makes a message ephemeral, if the call asks for that and the server knows such messages. It may answer a press or what was
// whispered.
func (s *Server) receiver(c *Chat, m *Message, p map[string]string, to int64) *apiError {
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
	answers := slices.ContainsFunc(c.whispers, func(w whisper) bool { return w.id == to && w.user == e.User && time.Since(w.at) <= 15*time.Second })
	if to != 0 && !answers {
		return bad("message to be replied not found")
	}
	if !inTime && !answers && !c.botAdmin {
		return bad("not enough rights to send ephemeral messages")
	}
	m.To = e.User
	return nil
}

// changeEphemeral changes or deletes an ephemeral message.
func (s *Server) changeEphemeral(method string, p map[string]string) (any, *apiError) {
	c := s.chats[number(p["chat_id"])]
	if c == nil {
		return nil, bad("chat not found")
	}
	i := slices.IndexFunc(c.messages, func(m *Message) bool {
		return m.To == number(p["receiver_user_id"]) && m.Ephemeral == number(p["ephemeral_message_id"]) && m.To != 0 && !m.Deleted
	})
	switch {
	case i < 0 && method == "deleteEphemeralMessage":
		return nil, bad("message to delete not found")
	case i < 0:
		return nil, bad("message to edit not found")
	case method == "deleteEphemeralMessage":
		c.messages[i].Deleted = true
		return true, nil
	}
	next, refused := s.compose(c, p)
	if refused == nil && len([]rune(next.Text)) > 1024 {
		refused = bad("message is too long") // As the server had it at first.
	}
	if refused == nil {
		refused = s.spend(c)
	}
	if refused != nil {
		return nil, refused
	}
	c.messages[i].become(next)
	return true, nil
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
	return m, m.readKeyboard(c)
}

// readKeyboard reads the message's buttons.
func (m *Message) readKeyboard(c *Chat) *apiError {
	var k struct {
		Rows [][]struct {
			Text string `json:"text"`
			Data string `json:"callback_data"`
			URL  string `json:"url"`
			App  struct {
				URL string `json:"url"`
			} `json:"web_app"`
		} `json:"inline_keyboard"`
	}
	if m.keyboard != "" && json.Unmarshal([]byte(m.keyboard), &k) != nil {
		return bad("can't parse reply keyboard markup JSON object")
	}
	for _, row := range k.Rows {
		for _, b := range row {
			scheme, rest, _ := strings.Cut(b.URL, "://")
			switch {
			case len(b.Data) > 64:
				return bad("BUTTON_DATA_INVALID")
			case b.App.URL != "" && c.kind != private:
				return bad("BUTTON_TYPE_INVALID")
			case b.App.URL != "" && !strings.HasPrefix(b.App.URL, "https://"):
				return bad("inline keyboard button Web App URL '" + b.App.URL + "' is invalid: Only HTTPS links are allowed")
			case b.URL != "" && (rest == "" || !slices.Contains([]string{"https", "http", "tg"}, scheme)):
				return bad("BUTTON_URL_INVALID")
			}
			m.Buttons = append(m.Buttons, Button{b.Text, b.Data, b.URL, b.App.URL})
		}
	}
	return nil
}

func (s *Server) editMessageText(p map[string]string) (any, *apiError) {
	c := s.chats[number(p["chat_id"])]
	next, refused := s.compose(c, p)
	if refused != nil {
		return nil, refused
	}
	m, refused := c.find(p["message_id"])
	if refused != nil {
		return nil, refused
	}
	if m.Photo != nil {
		return nil, bad("there is no text in the message to edit")
	}
	if m.HTML == next.HTML && m.keyboard == next.keyboard {
		return nil, unmodified()
	}
	return s.change(c, m, next)
}

// editMessageReplyMarkup changes the buttons of a message, and no more.
func (s *Server) editMessageReplyMarkup(p map[string]string) (any, *apiError) {
	c := s.chats[number(p["chat_id"])]
	if err := s.there(c); err != nil {
		return nil, err
	}
	m, refused := c.find(p["message_id"])
	if refused != nil {
		return nil, refused
	}
	next := &Message{HTML: m.HTML, Text: m.Text, Photo: m.Photo, keyboard: p["reply_markup"]}
	if refused := next.readKeyboard(c); refused != nil {
		return nil, refused
	}
	if m.keyboard == next.keyboard {
		return nil, unmodified()
	}
	return s.change(c, m, next)
}

// change puts another content into a message, if the chat allows an edit now.
func (s *Server) change(c *Chat, m, next *Message) (any, *apiError) {
	if refused := s.edit(c); refused != nil {
		return nil, refused
	}
	m.become(next)
	return m.body(c), nil
}

func unmodified() *apiError {
	return bad("message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
}

// find is the message with a number that everybody sees.
func (c *Chat) find(number string) (*Message, *apiError) {
	for _, m := range c.messages {
		if m.ID != 0 && strconv.FormatInt(m.ID, 10) == number && !m.Deleted {
			return m, nil
		}
	}
	return nil, bad("message to edit not found")
}

// edit counts an edit, and refuses one too many.
func (s *Server) edit(c *Chat) *apiError {
	refused := s.spend(c)
	if refused == nil && !s.opts.Unchecked {
		c.edits = append(c.edits, time.Now())
	}
	return refused
}

// become puts the content of another message into this one.
func (m *Message) become(next *Message) {
	m.HTML, m.Text, m.Photo, m.Buttons, m.keyboard = next.HTML, next.Text, next.Photo, next.Buttons, next.keyboard
	m.Edits++
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

// How much the bot may write.
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

// Busiest is how many of the times lie within one minute at most.
func Busiest(times []time.Time) int {
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
