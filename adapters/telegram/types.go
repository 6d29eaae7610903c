package telegram

import (
	"strconv"
	"strings"

	"zevaka/bot/chat"
)

// The parts of the Bot API's types that the adapter reads. The library's own are of 2021, and have no topics.

type update struct {
	UpdateID      int64          `json:"update_id"`
	Message       *message       `json:"message"`
	CallbackQuery *callbackQuery `json:"callback_query"`
	MyChatMember  *memberChange  `json:"my_chat_member"`
	ChatMember    *memberChange  `json:"chat_member"`
	// raw is the update as it came.
	raw []byte
}

// empty reports whether the update is of no kind that the adapter knows.
func (u *update) empty() bool {
	return u.Message == nil && u.CallbackQuery == nil && u.MyChatMember == nil && u.ChatMember == nil
}

type user struct {
	ID           int64  `json:"id"`
	IsBot        bool   `json:"is_bot"`
	FirstName    string `json:"first_name"`
	LastName     string `json:"last_name"`
	Username     string `json:"username"`
	LanguageCode string `json:"language_code"`
}

// named reports whether the user is one who can be called by a name, as every bot can.
func (u *user) named() bool { return u.ID > 0 && u.Username != "" }

type chatInfo struct {
	ID    int64  `json:"id"`
	Type  string `json:"type"`
	Title string `json:"title"`
	// IsForum says that it has topics.
	IsForum bool `json:"is_forum"`
}

// message is a message. An inaccessible one has only its chat and ID.
type message struct {
	MessageID          int64     `json:"message_id"`
	EphemeralMessageID int64     `json:"ephemeral_message_id"`
	MessageThreadID    int64     `json:"message_thread_id"`
	IsTopicMessage     bool      `json:"is_topic_message"`
	IsAutomaticForward bool      `json:"is_automatic_forward"`
	From               *user     `json:"from"`
	SenderChat         *chatInfo `json:"sender_chat"`
	AuthorSignature    string    `json:"author_signature"`
	Chat               chatInfo  `json:"chat"`
	Date               int64     `json:"date"`
	ViaBot             *user     `json:"via_bot"`
	ReplyTo            *message  `json:"reply_to_message"`
	ForwardOrigin      *struct{} `json:"forward_origin"`
	Text               string    `json:"text"`
	Entities           []entity  `json:"entities"`
	LeftChatMember     *user     `json:"left_chat_member"`
	MigrateToChatID    int64     `json:"migrate_to_chat_id"`
	MigrateFromChatID  int64     `json:"migrate_from_chat_id"`
	Markup             markedUp  `json:"reply_markup"`
}

// number tells a message from all others of its chat. Telegram numbers ephemeral ones for each person, and has no other number for them.
func (m *message) number() string {
	if m.MessageID == 0 && m.From != nil {
		return "e" + strconv.FormatInt(m.From.ID, 10) + "/" + strconv.FormatInt(m.EphemeralMessageID, 10)
	}
	return strconv.FormatInt(m.MessageID, 10)
}

// markedUp is the buttons of a message.
type markedUp struct {
	Rows [][]struct {
		Data string `json:"callback_data"`
	} `json:"inline_keyboard"`
}

// bears reports whether a message has a button with that payload. Anybody can send any payload as a press on any message.
func (m *message) bears(data string) bool {
	for _, row := range m.Markup.Rows {
		for _, b := range row {
			if b.Data == data {
				return true
			}
		}
	}
	return false
}

type callbackQuery struct {
	ID      string   `json:"id"`
	From    user     `json:"from"`
	Message *message `json:"message"`
	Data    string   `json:"data"`
}

type memberChange struct {
	Chat          chatInfo   `json:"chat"`
	From          user       `json:"from"`
	Date          int64      `json:"date"`
	OldChatMember chatMember `json:"old_chat_member"`
	NewChatMember chatMember `json:"new_chat_member"`
}

type chatMember struct {
	User   user   `json:"user"`
	Status string `json:"status"`
	// IsMember is set of somebody restricted, who may be in the chat or not.
	IsMember *bool `json:"is_member"`
}

// absent reports whether the member isn't in the chat.
func (m chatMember) absent() bool {
	return m.Status == "left" || m.Status == "kicked" || m.Status == "restricted" && m.IsMember != nil && !*m.IsMember
}

// The chat types.
const (
	privateChat = "private"
	channelChat = "channel"
)

// said is the message that the update is about, or was pressed; nil if there is none.
func (u *update) said() *message {
	if u.CallbackQuery != nil {
		return u.CallbackQuery.Message
	}
	return u.Message
}

// chat is the chat of the update. The updates of one chat are handled in order.
func (u *update) chat() int64 {
	switch {
	case u.Message != nil:
		return u.Message.Chat.ID
	case u.CallbackQuery != nil && u.CallbackQuery.Message != nil:
		return u.CallbackQuery.Message.Chat.ID
	case u.CallbackQuery != nil:
		return u.CallbackQuery.From.ID
	case u.MyChatMember != nil:
		return u.MyChatMember.Chat.ID
	case u.ChatMember != nil:
		return u.ChatMember.Chat.ID
	}
	return 0
}

// fromPerson reports whether the update is a press, or a message in a chat that says nothing of the chat itself.
func (u *update) fromPerson() bool {
	m := u.Message
	return u.CallbackQuery != nil || m != nil && m.LeftChatMember == nil && m.MigrateToChatID == 0 && m.MigrateFromChatID == 0
}

// seat is whose press or message the update is, in its chat.
func (u *update) seat() seat {
	switch {
	case u.CallbackQuery != nil:
		return seat{u.chat(), u.CallbackQuery.From.ID}
	case u.Message != nil && u.Message.From != nil:
		return seat{u.chat(), u.Message.From.ID}
	}
	return seat{chat: u.chat()}
}

// place is the place of the message. A message_thread_id counts only in topics; elsewhere it is a thread of replies.
func (m *message) place() chat.Place {
	p := placeOf(m.Chat.ID)
	p.Private = m.Chat.Type == privateChat
	p.Crowded = !p.Private
	if m.IsTopicMessage {
		p.Thread = m.MessageThreadID
	}
	return p
}

// inThread reports whether the message stands in a thread of replies, as under a channel's post: who reads that sees nothing else.
func (m *message) inThread() bool {
	return m.MessageThreadID != 0 && !m.IsTopicMessage && m.Chat.ID < 0
}

// under is a place in a thread of replies: what is asked for there replies to one message, and whatever else stands there to the root of
// the thread. Both are 0 in the chat itself. On is the message that was pressed; empty if none was.
type under struct {
	chat, reply, root int64
	on                chat.Ref
}

// under is where the message stands, for what replies to another one, or to itself.
func (m *message) under(reply int64) under {
	if !m.inThread() {
		return under{chat: m.Chat.ID}
	}
	at := under{chat: m.Chat.ID, reply: reply, root: m.MessageThreadID}
	if to := m.ReplyTo; to != nil && to.MessageID == at.root && !to.IsAutomaticForward {
		at.root = 0 // It is somebody's message, who would be told of each reply.
	}
	return at
}

func placeOf(c int64) chat.Place {
	return chat.Place{Community: community(c), Channel: c, Private: c > 0, Crowded: c < 0}
}

func community(c int64) chat.Community {
	return chat.Community{Platform: chat.Telegram, ID: c}
}

// byPerson is the person who did something; 0 if that is a bot, as it is for an admin who speaks for the group.
func (u *user) byPerson() int64 {
	if u.IsBot {
		return 0
	}
	return u.ID
}

// person is the user in the bot's form.
func (u *user) person() chat.User {
	return chat.User{
		ID: u.ID, Name: strings.TrimSpace(u.FirstName + " " + u.LastName), Lang: u.LanguageCode, Bot: u.IsBot,
	}
}

// refOf is the bot's name of a message.
func refOf(c, message int64) chat.Ref {
	return chat.Ref(strconv.FormatInt(c, 10) + "/" + strconv.FormatInt(message, 10))
}

// parseRef is the chat and the message of a Ref; false if it isn't of a message on Telegram.
func parseRef(ref chat.Ref) (chat, message int64, ok bool) {
	left, right, found := strings.Cut(string(ref), "/")
	chat, err := strconv.ParseInt(left, 10, 64)
	if err != nil || !found {
		return 0, 0, false
	}
	message, err = strconv.ParseInt(right, 10, 64)
	return chat, message, err == nil && message > 0
}
