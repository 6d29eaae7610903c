package telegram

import (
	"context"
	"strconv"
	"strings"
	"time"

	"zevaka/bot"
)

// Senders that are nobody in particular.
const (
	// anonymousAdmin sends for all admins who hide their names.
	anonymousAdmin = 1087968824
)

// The longest parts that are read. Telegram has narrower limits; a server that isn't Telegram's may not.
const (
	maxLine    = 4096
	maxPayload = 64
)

// asked is what the bot is asked, and where the one who asks can be answered.
type asked struct {
	bot.Request
	// query is the press to answer; empty for a command. It was made at the time at.
	query string
	at    time.Time
	// message is the command's, to reply to; ephemeral the one that was pressed, if only the one who pressed sees it.
	message, ephemeral int64
	// private says that the press was made in the private chat with the bot, wherever the table is.
	private bool
}

// take handles an update in its chat's order. Durable is called once what it asked is.
func (a *Adapter) take(u update, durable func()) {
	a.lanes.put(u.chat(), a.spawn, func() {
		defer a.recovered()
		then := a.handle(&u, func(asked, bot.Response) bool { return false })
		durable()
		if then != nil {
			a.spawn(then)
		}
	})
}

// handle does what an update asks, and returns what is left to do once it counts as handled; nil if nothing is. Inline
// is offered the answer to a press first, and reports whether it takes it.
func (a *Adapter) handle(u *update, inline func(asked, bot.Response) bool) (then func()) {
	switch {
	case u.CallbackQuery != nil:
		return a.pressed(u.CallbackQuery, inline)
	case u.Message != nil && (u.Message.MigrateToChatID != 0 || u.Message.MigrateFromChatID != 0):
		return a.migrated(u.Message)
	case u.Message != nil:
		return a.said(u.Message)
	case u.MyChatMember != nil:
		a.member(u.MyChatMember)
	}
	return nil
}

// pressed handles a press. Every one is answered, once, however often it is delivered.
func (a *Adapter) pressed(q *callbackQuery, inline func(asked, bot.Response) bool) func() {
	if q.ID == "" || !a.seen.first("q"+q.ID) {
		return nil
	}
	from, ok := a.press(q)
	var response bot.Response
	if ok {
		response = a.ask(from)
		a.chats.get(a, from.In.Channel).strip(from, response.Posts)
	}
	if inline(from, response) {
		return nil
	}
	return func() {
		ctx, cancel := context.WithTimeout(a.during(from.ID), answerTime)
		defer cancel()
		a.answer(ctx, from, a.reply(ctx, from, response))
	}
}

// press makes a request of a press; false if it is none that the bot could know.
func (a *Adapter) press(q *callbackQuery) (asked, bool) {
	from := asked{query: q.ID, at: time.Now()}
	m := q.Message
	if m == nil || m.Chat.ID == 0 || q.From.IsBot || m.Chat.Type == channelChat || q.Data == "" || len(q.Data) > maxPayload {
		return from, false
	}
	a.people.meet(&q.From)
	from.private = m.Chat.Type == privateChat
	from.Request = bot.Request{ID: "tg-q" + q.ID, Who: q.From.person(), In: m.place(), Kind: bot.Press, Data: q.Data}
	from.ephemeral = m.EphemeralMessageID
	if m.MessageID != 0 {
		from.On = refOf(m.Chat.ID, m.MessageID)
	}
	if m.Date == 0 {
		// An inaccessible message doesn't say in which topic it stands.
		from.In.Thread = a.chats.get(a, m.Chat.ID).threadOf(from.On)
	}
	if at, ok := a.posts.about(from.On); ok && from.private {
		from.In = at
	}
	from.Who.Admin = !from.Who.Bot && a.isAdmin(from.In, from.Who.ID)
	return from, true
}

// ask puts a request to the bot and lets what is for everybody be shown.
func (a *Adapter) ask(from asked) bot.Response {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.work), handleTime)
	defer cancel()
	response := a.bot.Handle(ctx, from.Request)
	a.Show(ctx, bot.Response{Posts: public(response.Posts)})
	return response
}

// said handles a message: a command for this bot, or nothing.
func (a *Adapter) said(m *message) func() {
	from, ok := a.command(m)
	if !ok || !a.seen.first(from.ID) {
		return nil
	}
	if from.private {
		a.chats.get(a, m.Chat.ID).reach(true)
		payload, started := strings.CutPrefix(from.Data, "/start ")
		if started && a.deliver(from.Who, payload) {
			return nil
		}
		if token, ok := pressedAside(payload); started && ok {
			from.Kind, from.Data = bot.Press, token
		}
	}
	response := a.ask(from)
	return func() {
		ctx, cancel := context.WithTimeout(a.during(from.ID), answerTime)
		defer cancel()
		a.replyTo(ctx, from, response)
	}
}

// command makes a request of a message; false if it is no command for this bot, or nobody's.
func (a *Adapter) command(m *message) (asked, bool) {
	from := asked{at: time.Now(), message: m.MessageID, private: m.Chat.Type == privateChat}
	if m.From == nil || m.Chat.Type == channelChat || m.IsAutomaticForward || m.ViaBot != nil || m.ForwardOrigin != nil {
		return from, false
	}
	a.people.meet(m.From)
	line, ok := a.line(a.meant(m), from.private)
	if !ok {
		return from, false
	}
	from.Request = bot.Request{
		ID:  "tg-m" + strconv.FormatInt(m.Chat.ID, 10) + "/" + strconv.FormatInt(m.MessageID, 10),
		Who: m.From.person(), In: m.place(), Kind: bot.Command, Data: line,
	}
	if from.private && m.ReplyTo != nil {
		if at, ok := a.posts.about(refOf(m.Chat.ID, m.ReplyTo.MessageID)); ok {
			from.In = at
		}
	}
	switch {
	case m.SenderChat == nil:
		from.Who.Admin = !from.Who.Bot && a.isAdmin(from.In, from.Who.ID)
	case m.From.ID == anonymousAdmin && m.SenderChat.ID == m.Chat.ID:
		// A press would come from the person, so this is nobody who could sit down.
		from.Who = bot.User{ID: anonymousAdmin, Name: m.SenderChat.Title, Admin: true, Nameless: true}
		if m.AuthorSignature != "" {
			from.Who.Name = m.AuthorSignature
		}
	default:
		return from, false // Somebody who speaks for a channel can't press buttons.
	}
	return from, !from.Who.Bot
}

// line is a command as the bot knows it, without the bot's own name behind it; false if it is another's. In a group a
// command that names no bot is this one's only if this one has such a command.
func (a *Adapter) line(text string, private bool) (string, bool) {
	if len(text) < 2 || text[0] != '/' || len(text) > maxLine {
		return "", false
	}
	end := strings.IndexFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' })
	if end < 0 {
		end = len(text)
	}
	name, whose, named := strings.Cut(text[1:end], "@")
	if named && !strings.EqualFold(whose, a.me.Load().Username) {
		return "", false
	}
	if !named && !private && !a.known.has(name) {
		return "", false
	}
	return strings.TrimSpace("/" + name + " " + strings.TrimSpace(text[end:])), name != ""
}

// names are what commands are called, in any language.
type names map[string]bool

func namesOf(commands func(string) []bot.CommandInfo) names {
	if commands == nil {
		return nil
	}
	all := names{"help": true, "start": true}
	for _, lang := range languages() {
		for _, c := range commands(lang) {
			all[strings.ToLower(c.Name)], all[strings.ToLower(c.Local)] = true, true
		}
	}
	delete(all, "")
	return all
}

// has reports whether a command is called so. Without any names every command is.
func (n names) has(name string) bool { return n == nil || n[strings.ToLower(name)] }

// migrated takes a group along that became a supergroup. Both chats say so; the second time nothing is left to do.
func (a *Adapter) migrated(m *message) func() {
	if m.MigrateToChatID != 0 {
		a.moved(m.Chat.ID, m.MigrateToChatID)
	} else {
		a.moved(m.MigrateFromChatID, m.Chat.ID)
	}
	return nil
}

// moved tells the bot that a chat goes on under another ID, and shows its tables there.
func (a *Adapter) moved(from, to int64) {
	if from == to || from == 0 || to == 0 {
		return
	}
	a.chats.get(a, from).clear()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.work), handleTime)
	defer cancel()
	id := "tg-moved/" + strconv.FormatInt(from, 10) + "/" + strconv.FormatInt(to, 10)
	r := bot.Request{ID: id, In: placeOf(from), Kind: bot.Moved, Data: community(to).String()}
	a.Show(ctx, a.bot.Handle(ctx, r))
}

// member handles a change of the bot's own place in a chat: removed, it closes the tables there; anything else may mean
// that it can write again, or not for now.
func (a *Adapter) member(m *memberChange) {
	c := a.chats.get(a, m.Chat.ID)
	switch now := m.NewChatMember; {
	case now.Status == "left", now.Status == "kicked", now.Status == "restricted" && now.IsMember != nil && !*now.IsMember:
		a.gone(c)
	default:
		c.refresh()
	}
}

// gone closes the tables of a chat in which the bot can't be any more, those in its topics, too.
func (a *Adapter) gone(c *chat) {
	c.reach(false)
	c.clear()
	a.closed(bot.Place{Community: community(c.id)})
}

// closed tells the bot that a place is gone.
func (a *Adapter) closed(in bot.Place) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.work), handleTime)
	defer cancel()
	a.bot.Handle(ctx, bot.Request{ID: a.nextID(), In: in, Kind: bot.Gone})
}

// refOf is the bot's name of a message.
func refOf(chat, message int64) bot.Ref {
	return bot.Ref(strconv.FormatInt(chat, 10) + "/" + strconv.FormatInt(message, 10))
}

// parseRef is the chat and the message of a Ref; false if it is none of a message in Telegram.
func parseRef(ref bot.Ref) (chat, message int64, ok bool) {
	left, right, found := strings.Cut(string(ref), "/")
	chat, err := strconv.ParseInt(left, 10, 64)
	if err != nil || !found {
		return 0, 0, false
	}
	message, err = strconv.ParseInt(right, 10, 64)
	return chat, message, err == nil && message > 0
}
