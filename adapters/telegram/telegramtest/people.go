package telegramtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// User is a person.
type User struct {
	s       *Server
	ID      int64
	name    string
	lang    string
	started bool
	blocked bool
}

// NewUser is a person who has never spoken to the bot. Both words may be empty.
func (s *Server) NewUser(name, lang string) *User {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastUser++
	u := &User{s: s, ID: s.lastUser, name: name, lang: lang}
	s.users[u.ID] = u
	s.chats[u.ID] = &Chat{s: s, ID: u.ID, kind: private, title: u.name}
	return u
}

func (u *User) body() map[string]any {
	body := map[string]any{"id": u.ID, "is_bot": u.ID == groupBot, "first_name": u.name}
	if u.lang != "" {
		body["language_code"] = u.lang
	}
	return body
}

// Private is the person's chat with the bot, which begins when they say something there.
func (u *User) Private() *Chat {
	u.s.mu.Lock()
	defer u.s.mu.Unlock()
	return u.s.privateOf(u)
}

func (s *Server) privateOf(u *User) *Chat { return s.chats[u.ID] }

// Name is what the person is called.
func (u *User) Name() string { return u.name }

// Start lets the person begin a chat with the bot, by a link's payload if there is one.
func (u *User) Start(payload string) {
	line := "/start"
	if payload != "" {
		line += " " + payload
	}
	u.Private().Say(u, line)
}

// Block has the person block the bot.
func (u *User) Block() {
	u.s.mu.Lock()
	defer u.s.mu.Unlock()
	u.blocked = true
	u.s.memberChanged(u.s.privateOf(u), "kicked")
}

type chatKind uint8

const (
	private chatKind = iota
	group
	supergroup
	channel
)

// Chat is a chat with the bot in it.
type Chat struct {
	s        *Server
	ID       int64
	kind     chatKind
	forum    bool
	title    string
	admins   []*User
	hidden   map[int64]bool // of the admins, those who are anonymous
	botAdmin bool
	muted    bool
	noPhotos bool
	noFiles  bool
	removed  bool
	slow     time.Duration
	closed   map[int64]bool // topics that were deleted
	// met are those who have spoken here, standing the statuses of those who left.
	met      map[int64]bool
	standing map[int64]string
	moved    int64
	lastID   int64
	messages []*Message
	roots    map[int64]int64 // of threads of replies, by what stands there
	whispers []whisper
	sentAt   time.Time // by the bot
	writes   []time.Time
	edits    []time.Time
}

// NewGroup is a group with these admins.
func (s *Server) NewGroup(title string, admins ...*User) *Chat {
	return s.newChat(group, title, admins)
}

// NewForum is a supergroup with topics.
func (s *Server) NewForum(title string, admins ...*User) *Chat {
	c := s.newChat(supergroup, title, admins)
	c.forum = true
	return c
}

func (s *Server) newChat(kind chatKind, title string, admins []*User) *Chat {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastChat++
	id := -s.lastChat
	if kind >= supergroup {
		id = -1000000000000 - s.lastChat
	}
	c := &Chat{s: s, ID: id, kind: kind, title: title, admins: admins, hidden: map[int64]bool{}, closed: map[int64]bool{}, roots: map[int64]int64{}}
	s.chats[id] = c
	return c
}

func (c *Chat) body() map[string]any {
	kind := []string{"private", "group", "supergroup", "channel"}[c.kind]
	body := map[string]any{"id": c.ID, "type": kind}
	if c.kind == private {
		body["first_name"] = c.title
	} else {
		body["title"] = c.title
	}
	if c.forum {
		body["is_forum"] = true
	}
	if c.slow > 0 {
		body["slow_mode_delay"] = int(c.slow / time.Second)
	}
	return body
}

// Say lets somebody write a line, and returns the message's ID.
func (c *Chat) Say(u *User, line string) int64 { return c.SayIn(0, u, line) }

// SayIn lets somebody write a line in a topic.
func (c *Chat) SayIn(topic int64, u *User, line string) int64 {
	c.s.mu.Lock()
	c.meet(u)
	c.s.mu.Unlock()
	return c.Write(map[string]any{"from": u.body(), "text": line}, topic)
}

// Write puts a message into the chat, with its sender and its other fields.
func (c *Chat) Write(what map[string]any, topic int64) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if u := c.s.users[c.ID]; u != nil {
		u.started, u.blocked = true, false
	}
	c.lastID++
	body := map[string]any{"message_id": c.lastID, "chat": c.body(), "date": time.Now().Unix()}
	if topic != 0 {
		body["message_thread_id"], body["is_topic_message"] = topic, true
	}
	for name, value := range what {
		body[name] = value
	}
	if root, ok := body["message_thread_id"].(int64); ok && root != 0 && topic == 0 {
		c.roots[c.lastID], c.roots[root] = root, root
	}
	c.s.push("message", body, nil)
	return c.lastID
}

// Whisper has somebody write a line in reply to a message that only they see. Only the bot reads it.
func (c *Chat) Whisper(u *User, line string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.meet(u)
	c.lastID += 2
	c.whispers = append(c.whispers, whisper{c.lastID, u.ID, time.Now()})
	to := &Message{Ephemeral: c.lastID - 1, To: u.ID}
	c.s.push("message", map[string]any{
		"message_id": 0, "ephemeral_message_id": c.lastID, "chat": c.body(), "date": time.Now().Unix(), "from": u.body(), "text": line,
		"receiver_user": map[string]any{"id": botID, "is_bot": true, "first_name": "Зевака"}, "reply_to_message": to.body(c),
	}, nil)
}

// whisper is a message that somebody wrote to the bot alone.
type whisper struct {
	id, user int64
	at       time.Time
}

// Hide makes an admin anonymous: a bot that is no admin isn't told that they are one.
func (c *Chat) Hide(u *User) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.hidden[u.ID] = true
}

// Anonymous has an admin write who hides their name.
func (c *Chat) Anonymous(line string) {
	c.Write(map[string]any{
		"text":        line,
		"from":        map[string]any{"id": groupBot, "is_bot": true, "first_name": "Group", "username": "GroupAnonymousBot"},
		"sender_chat": c.body(),
	}, 0)
}

// Upgrade makes a supergroup of the group. With told, the bot gets an update that says so, and one that it is a member there now. It
// finds out in any case when it writes to the old group.
func (c *Chat) Upgrade(told bool) *Chat {
	next := c.s.newChat(supergroup, c.title, c.admins)
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.moved, next.hidden, next.met, next.standing = next.ID, c.hidden, c.met, c.standing
	if told {
		c.s.standingChanged(next, map[string]any{"id": 1, "first_name": "Admin"}, "left", "member")
		c.lastID, next.lastID = c.lastID+1, 1
		c.s.push("message", map[string]any{
			"message_id": c.lastID, "chat": c.body(), "date": time.Now().Unix(), "migrate_to_chat_id": next.ID,
		}, nil)
		c.s.push("message", map[string]any{
			"message_id": 1, "chat": next.body(), "date": time.Now().Unix(), "migrate_from_chat_id": c.ID,
		}, nil)
	}
	return next
}

// Kick removes the bot from the chat. With told, the bot gets an update that says so.
func (c *Chat) Kick(told bool) {
	c.change("kicked", told, func() { c.removed = true })
}

// KickBy removes the bot from the chat, as somebody there does.
func (c *Chat) KickBy(u *User) {
	c.Kick(false)
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.s.standingChanged(c, u.body(), "member", "kicked")
}

// change changes what the bot may do in the chat. With told, the bot gets an update with its new status.
func (c *Chat) change(status string, told bool, change func()) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	change()
	if told {
		c.s.memberChanged(c, status)
	}
}

// Restrict limits what the bot may do in the chat. With out, the bot is removed as well.
func (c *Chat) Restrict(out bool) {
	c.change("restricted", true, func() { c.removed = out })
}

// Mute takes away the bot's right to write in the chat, or gives it back.
func (c *Chat) Mute(on bool) {
	c.change("member", !on, func() { c.muted = on })
}

// BarPhotos takes away the bot's right to send photos to the chat, or gives it back. The bot gets no update.
func (c *Chat) BarPhotos(on bool) {
	c.change("member", false, func() { c.noPhotos = on })
}

// BarFiles takes away the bot's right to send documents and animations to the chat, or gives it back. The bot gets no update.
func (c *Chat) BarFiles(on bool) {
	c.change("member", false, func() { c.noFiles = on })
}

// Slow lets everybody but admins send one message in so long; 0 ends that. The bot gets no update.
func (c *Chat) Slow(each time.Duration) {
	c.change("member", false, func() { c.slow = each })
}

// Promote makes the bot an admin.
func (c *Chat) Promote() {
	c.change("administrator", true, func() { c.botAdmin = true })
}

// CloseTopic deletes a topic.
func (c *Chat) CloseTopic(topic int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.closed[topic] = true
}

// Topics turns the topics of a supergroup off, or on again.
func (c *Chat) Topics(on bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.forum = on
}

// Add has somebody add the bot to the chat, where it wasn't.
func (c *Chat) Add(by *User) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.removed = false
	c.s.standingChanged(c, by.body(), "left", "member")
}

func (s *Server) memberChanged(c *Chat, status string) {
	s.standingChanged(c, map[string]any{"id": botID, "is_bot": true, "first_name": "Зевака"}, "member", status)
}

// standingChanged tells the bot of another standing in the chat.
func (s *Server) standingChanged(c *Chat, by map[string]any, before, status string) {
	me := map[string]any{"id": botID, "is_bot": true, "first_name": "Зевака"}
	now := map[string]any{"user": me, "status": status}
	if status == "restricted" {
		now["is_member"] = !c.removed
	}
	s.push("my_chat_member", map[string]any{
		"chat": c.body(), "from": by, "date": time.Now().Unix(),
		"old_chat_member": map[string]any{"user": me, "status": before}, "new_chat_member": now,
	}, nil)
}

func (s *Server) administrators(p map[string]string) (any, *apiError) {
	c := s.chats[number(p["chat_id"])]
	if err := s.there(c); err != nil {
		return nil, err
	}
	members := []map[string]any{}
	for _, u := range c.admins {
		if c.hidden[u.ID] && !c.botAdmin {
			continue
		}
		members = append(members, map[string]any{"status": "administrator", "user": u.body()})
	}
	if c.botAdmin {
		members = append(members, map[string]any{"status": "administrator", "user": map[string]any{"id": botID, "is_bot": true}})
	}
	return members, nil
}

// chatMember is somebody's membership of a chat. Whoever has spoken or pressed there is a member, until they leave.
func (s *Server) chatMember(p map[string]string) (any, *apiError) {
	c := s.chats[number(p["chat_id"])]
	if err := s.there(c); err != nil {
		return nil, err
	}
	if number(p["user_id"]) == botID {
		status := "member"
		if c.botAdmin {
			status = "administrator"
		}
		return map[string]any{"status": status, "user": map[string]any{"id": botID, "is_bot": true, "first_name": "Зевака"}}, nil
	}
	u := s.users[number(p["user_id"])]
	if u == nil {
		return nil, bad("PARTICIPANT_ID_INVALID")
	}
	member := map[string]any{"status": c.standing[u.ID], "user": u.body()}
	switch {
	case member["status"] == "restricted":
		member["is_member"] = false
	case member["status"] != "":
	case slices.Contains(c.admins, u):
		member["status"] = "administrator"
	case c.met[u.ID]:
		member["status"] = "member"
	default:
		member["status"] = "left"
	}
	return member, nil
}

// Out takes somebody out of the chat, with the status "left", "kicked", or "restricted" without membership. With "" they come back.
func (c *Chat) Out(u *User, status string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.standing == nil {
		c.standing = map[int64]string{}
	}
	c.standing[u.ID] = status
}

// Leave has somebody leave the chat as the other wants it: they themselves, or an admin who throws them out. Telegram says so in the chat, and
// to a bot that is admin once more.
func (c *Chat) Leave(u, by *User) {
	c.Out(u, "left")
	c.Write(map[string]any{"from": by.body(), "left_chat_member": u.body()}, 0)
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.botAdmin {
		was, is := map[string]any{"user": u.body(), "status": "member"}, map[string]any{"user": u.body(), "status": "left"}
		c.s.push("chat_member", map[string]any{"chat": c.body(), "from": by.body(), "date": time.Now().Unix(), "old_chat_member": was, "new_chat_member": is}, nil)
	}
}

// NewChannel is a channel to which somebody has added the bot.
func (s *Server) NewChannel(title string, by *User) *Chat {
	c := s.newChat(channel, title, nil)
	c.change("administrator", false, func() { c.botAdmin, c.removed = true, true })
	c.Add(by)
	return c
}

// Demote makes an admin of the chat an ordinary member.
func (c *Chat) Demote(u *User) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.admins = slices.DeleteFunc(slices.Clone(c.admins), func(admin *User) bool { return admin == u })
	c.meet(u)
}

// Join lets somebody into the chat, without a word from them.
func (c *Chat) Join(u *User) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.meet(u)
}

// meet notes that somebody is in the chat.
func (c *Chat) meet(u *User) {
	if c.met == nil {
		c.met = map[int64]bool{}
	}
	c.met[u.ID] = true
}

// there refuses a chat that the bot isn't in.
func (s *Server) there(c *Chat) *apiError {
	switch {
	case c == nil:
		return bad("chat not found")
	case c.moved != 0:
		return &apiError{code: http.StatusBadRequest, text: "Bad Request: group chat was upgraded to a supergroup chat", migrate: c.moved}
	case c.removed:
		return &apiError{code: http.StatusForbidden, text: "Forbidden: bot was kicked from the group chat"}
	}
	if u := s.users[c.ID]; u != nil {
		switch {
		case u.blocked:
			return &apiError{code: http.StatusForbidden, text: "Forbidden: bot was blocked by the user"}
		case !u.started:
			return &apiError{code: http.StatusForbidden, text: "Forbidden: bot can't initiate conversation with a user"}
		}
	}
	return nil
}

func (s *Server) myCommands(method string, p map[string]string) (any, *apiError) {
	key := p["scope"] + " " + p["language_code"]
	if method == "setMyCommands" {
		s.menus[key] = p["commands"]
		return true, nil
	}
	var list []any
	if s.menus[key] == "" || json.Unmarshal([]byte(s.menus[key]), &list) != nil {
		return []any{}, nil
	}
	return list, nil
}

// menuButton keeps the menu button of all private chats.
func (s *Server) menuButton(method string, p map[string]string) (any, *apiError) {
	switch {
	case p["chat_id"] != "":
		return nil, bad("this server keeps one menu button for all")
	case method == "setChatMenuButton":
		s.button = p["menu_button"]
		return true, nil
	case s.button == "":
		return map[string]string{"type": "default"}, nil
	}
	return json.RawMessage(s.button), nil
}

// MenuButton is the label of the menu button of private chats, and the address of the page that it opens; both are empty where it lists
// commands.
func (s *Server) MenuButton() (text, page string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b struct {
		Text string
		App  struct{ URL string } `json:"web_app"`
	}
	_ = json.Unmarshal([]byte(s.button), &b) // There may be none.
	return b.Text, b.App.URL
}

// profile keeps a text of the bot's profile in a language.
func (s *Server) profile(method, field string, p map[string]string) (any, *apiError) {
	key := field + " " + p["language_code"]
	if strings.HasPrefix(method, "set") {
		s.about[key] = p[field]
		return true, nil
	}
	return map[string]string{field: s.about[key]}, nil
}

// Profile is a text of the bot's profile in a language: its "description", or its "short_description".
func (s *Server) Profile(field, lang string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.about[field+" "+lang]
}

// Press has somebody press a button of a message, or send a forged press. It returns the press's ID.
func (u *User) Press(m Message, data string) string {
	s := u.s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastQuery++
	id := strconv.FormatInt(77000+s.lastQuery, 10)
	q := &query{id: id, user: u.ID, chat: m.Chat, at: time.Now(), done: make(chan struct{})}
	s.queries[id] = q
	body := map[string]any{"id": id, "from": u.body(), "chat_instance": "1", "data": data}
	if c := s.chats[m.Chat]; c != nil {
		c.meet(u)
		if i := slices.IndexFunc(c.messages, func(o *Message) bool { return o.ID == m.ID && o.Ephemeral == m.Ephemeral }); i >= 0 && !m.Inaccessible {
			body["message"] = c.messages[i].body(c)
		} else {
			body["message"] = map[string]any{"message_id": m.ID, "chat": c.body(), "date": 0}
		}
	}
	q.body = body
	s.push("callback_query", body, q)
	return id
}

// Again delivers a press once more, as if it hadn't been confirmed.
func (u *User) Again(id string) {
	u.s.mu.Lock()
	defer u.s.mu.Unlock()
	if q := u.s.queries[id]; q != nil {
		u.s.push("callback_query", q.body, q)
	}
}
