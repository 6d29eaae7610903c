package telegram

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
	"zevaka/bot/words"
)

const (
	// shortToast is how many characters people can read before a toast disappears.
	shortToast = 60
	// replyWait is how long the answer to a press waits to learn whether the messages that come with it could be sent.
	replyWait = 100 * time.Millisecond
	// ephemeralTime is how long after a press an ephemeral message may answer it. Telegram allows 15 s.
	ephemeralTime = 12 * time.Second
	// closeTime is how long the bot tries to put what became of a question into its message.
	closeTime = time.Minute
	// answerTries is how often an answer is tried that doesn't reach Telegram.
	answerTries = 4
)

// reply is the answer to a press: a line, or an address to open.
type reply struct {
	text, url string
	alert     bool
}

// reply is the answer to the one who pressed. What they asked for goes into it if it fits. Otherwise it is sent to them or to the
// group. For somebody to whom the bot can't write, the answer opens their private chat with the bot, where the message waits.
func (s *sender) reply(from incoming, response chat.Response) reply {
	r := reply{text: cut(cmp.Or(response.Toast, response.Done), maxToast)}
	r.alert = response.Alert && utf8.RuneCountInString(r.text) > shortToast
	var messages []chat.Post
	for _, p := range joined(response.Posts) {
		text := words.Flat(s.people.accounts(p.Text))
		if p.To == nil || p.Direct || p.In.Private || p.Edit != "" && (s.changes(from, p) || len(p.Rows(maxRow)) == 0) {
			if r.text == "" && s.closes(from, p) && chat.Units(text) <= maxToast {
				r.text = text
			}
			continue // closeQuestions sends it when the press is answered.
		}
		fits := p.Picture == nil && p.File == nil && p.About == "" && len(p.Rows(maxRow)) == 0 && chat.Units(text) <= maxToast
		if r.text == "" && fits && len(messages) == 0 {
			r.text, r.alert = text, true
		} else {
			messages = append(messages, p)
		}
	}
	if len(messages) > 0 {
		s.replyWith(from, messages, &r)
	}
	return r
}

// delivery is the route of a post.
type delivery struct {
	post  chat.Post
	route route
}

// replyWith sends messages to the one who pressed. The reply says what became of them within replyWait, or that they are on their
// way.
func (s *sender) replyWith(from incoming, messages []chat.Post, r *reply) {
	deliveries := make(chan delivery, len(messages))
	pressed := from
	send := func() {
		defer close(deliveries)
		ctx, cancel := context.WithTimeout(s.during(from.ID), answerTime)
		defer cancel()
		for _, p := range messages {
			d := delivery{p, s.deliver(ctx, pressed, p)}
			if d.route == ephemeralRoute {
				pressed.ephemeral = 0 // That message shows this post now.
			}
			deliveries <- d
		}
	}
	if !s.spawn(send) {
		send()
	}
	lang := s.opts.Words.Lang(from.Who.Lang)
	timer := time.NewTimer(replyWait)
	defer timer.Stop()
	for {
		select {
		case d, some := <-deliveries:
			free := r.text == "" && r.url == ""
			switch {
			case !some:
				return
			case d.route == noRoute && free:
				r.url = s.keepForLink(d.post)
			case d.route == noRoute:
				s.announcePrivate(from, d.post)
			case d.route == repeatRoute && free:
				r.text = lang.Say("telegram.same")
			case d.route == privateRoute && free && !from.private:
				r.text = lang.Say("telegram.sent")
			}
		case <-timer.C:
			if r.text == "" && r.url == "" {
				r.text = lang.Say("telegram.coming")
			}
			announce := func() {
				for d := range deliveries {
					if d.route == noRoute {
						s.announcePrivate(from, d.post)
					}
				}
			}
			if !s.spawn(announce) {
				announce()
			}
			return
		}
	}
}

// params are the parameters of the call that answers a press.
func (r reply) params(query string) tgbotapi.Params {
	p := tgbotapi.Params{"callback_query_id": query, "cache_time": "0"}
	p.AddNonEmpty("text", r.text)
	p.AddNonEmpty("url", r.url)
	p.AddBool("show_alert", r.alert)
	return p
}

// answer answers a press. Telegram doesn't limit such answers, and refuses them after a while.
func (s *sender) answer(ctx context.Context, from incoming, r reply) {
	pause := firstPause / 4
	for try := 1; ; try++ {
		err := s.api.call(ctx, "answerCallbackQuery", r.params(from.query), nil)
		switch {
		case err == nil:
			s.watch.Answered(chat.Telegram, time.Since(from.at))
			return
		case verdictOn(err) == over:
			return
		case verdictOn(err) != passes || try == answerTries || ctx.Err() != nil:
			s.log.Warn("a press was not answered", "request", from.ID, "error", err)
			return
		}
		outbox.Sleep(ctx, max(pause, refusedAs(err).retry))
		pause *= 4
	}
}

// joined are the posts, where texts for the same person that follow each other and fit into one message are one: Telegram lets one
// ephemeral message answer a press.
func joined(posts []chat.Post) (all []chat.Post) {
	bare := func(p chat.Post) bool {
		return p.To != nil && !p.Direct && !p.In.Private && p.Edit == "" && p.About == "" && p.Picture == nil && p.File == nil && p.Draw == nil &&
			len(p.Choices)+len(p.Buttons)+len(p.Mention) == 0
	}
	for _, p := range posts {
		if n := len(all) - 1; n >= 0 && bare(p) && bare(all[n]) && all[n].To.ID == p.To.ID && all[n].In == p.In && all[n].Open == p.Open {
			text := slices.Concat(all[n].Text, []chat.Span{{Text: "\n\n"}}, p.Text)
			if len(pages(text, maxText)) == 1 {
				all[n].Text = text
				continue
			}
		}
		all = append(all, p)
	}
	return all
}

// replyTo answers the one who typed a command. A secret is sent to their private chat, and the group reads that it was. What can't
// be sent waits behind a link.
func (s *sender) replyTo(ctx context.Context, from incoming, response chat.Response) {
	in := from.In
	if from.private {
		in = placeOf(from.Who.ID) // Whatever place it is about, it was asked here.
	}
	c := s.chats.get(s, in.Channel)
	if response.Toast != "" {
		p := chat.Post{In: in, To: &from.Who, Message: chat.Message{Text: []chat.Span{{Text: response.Toast}}}}
		if response.Alert && from.whispered == 0 || from.private || from.Who.Anonymous || !s.ephemeral(ctx, from, p) {
			said := c.offer(&note{in: in, content: s.draw(p), replyTo: from.message, request: from.ID}, from.Who)
			if !said && !response.TooFast && !from.Who.Anonymous {
				s.sendPrivate(ctx, p, false)
			}
		}
	}
	for _, p := range joined(response.Posts) {
		switch {
		case p.To == nil || p.Direct || p.In.Private || p.Edit != "":
		default:
			switch s.deliver(ctx, from, p) {
			case noRoute:
				s.announcePrivate(from, p)
			case privateRoute:
				s.announceSent(from, p)
			case repeatRoute:
				s.announceAbove(from)
			}
		}
	}
}

// announceSent says in the group that the one who asked finds the answer in their private chat with the bot.
func (s *sender) announceSent(from incoming, p chat.Post) {
	if from.private {
		return
	}
	lang := s.opts.Words.Lang(p.To.Lang)
	d := s.draw(chat.Post{Message: chat.Message{Text: []chat.Span{{Text: lang.Say("telegram.private-answer")}}}})
	d.keyboard = encode(inlineKeyboard{Rows: [][]inlineButton{{{Text: lang.Say("telegram.sent"), URL: "https://t.me/" + s.me.Load().Username}}}})
	what := commonAnswer{thread: from.In.Thread, what: digest(d.html + d.keyboard)}
	s.announce(from, &note{content: d, common: &what})
}

// announceAbove says in the group that what somebody has asked for stands there already.
func (s *sender) announceAbove(from incoming) {
	said := []chat.Span{{Text: s.opts.Words.Lang(from.Who.Lang).Say("telegram.same")}}
	s.announce(from, &note{content: s.draw(chat.Post{Message: chat.Message{Text: said}}), minor: true})
}

// announcePrivate says in the group that something waits for one person, with a link that leads them to it.
func (s *sender) announcePrivate(from incoming, p chat.Post) {
	lang := s.opts.Words.Lang(p.To.Lang)
	var said []chat.Span
	for _, part := range lang.Sentence("telegram.private") {
		if part.Blank != "" {
			part.Text = p.To.Name
		}
		said = append(said, chat.Span{Text: part.Text})
	}
	d := s.draw(chat.Post{Mention: []chat.User{*p.To}, Message: chat.Message{Text: said}})
	open := inlineButton{Text: lang.Say("telegram.open"), URL: s.keepForLink(p)}
	d.keyboard = encode(inlineKeyboard{Rows: [][]inlineButton{{open}}})
	s.announce(from, &note{content: d})
}

// say says one of the adapter's own sentences in a place, in somebody's language and out of their share.
func (s *sender) say(in chat.Place, replyTo int64, who chat.User, key string) {
	said := []chat.Span{{Text: s.opts.Words.Lang(who.Lang).Say(key)}}
	n := &note{in: in, content: s.draw(chat.Post{Message: chat.Message{Text: said}}), replyTo: replyTo, request: s.nextID()}
	s.chats.get(s, in.Channel).offer(n, who)
}

// announce says something short in the group to the one who has asked for something, if their share allows that.
func (s *sender) announce(from incoming, n *note) {
	n.in, n.replyTo, n.request = from.In, from.message, from.ID
	s.chats.get(s, from.In.Channel).offer(n, from.Who)
}

// deliver sends the answer to the one who has asked: as an ephemeral message, for all to read if it is no secret, or to their
// private chat.
func (s *sender) deliver(ctx context.Context, from incoming, p chat.Post) route {
	if !from.private && s.ephemeral(ctx, from, p) {
		return ephemeralRoute
	}
	if !from.private && p.Open != chat.Secret && p.In.Channel == from.In.Channel {
		if said := s.chats.get(s, p.In.Channel).say(from, p); said != noRoute {
			return said
		}
	}
	if s.sendPrivate(ctx, p, from.typed() && !from.private) {
		return privateRoute
	}
	return noRoute
}

// bring brings to the one who has asked in a group what may not stand there: to their private chat, or else behind a link.
func (s *sender) bring(from incoming, p chat.Post) {
	ctx, cancel := context.WithTimeout(s.during(from.ID), answerTime)
	defer cancel()
	if !s.sendPrivate(ctx, p, true) {
		s.announcePrivate(from, p)
	}
}

// sendPrivate sends a post to its reader's private chat, and reports whether it was sent or is about to be.
func (s *sender) sendPrivate(ctx context.Context, p chat.Post, rings bool) bool {
	c := s.chats.get(s, p.To.ID)
	if can, _ := c.reachable(); !can {
		return false
	}
	done := make(chan chat.Ref, 1)
	direct := p
	direct.In = placeOf(p.To.ID)
	notes := []*note{{in: direct.In, edit: p.Edit, content: s.draw(p), receipt: p.Receipt, request: p.Request}}
	if chat, _, ok := parseRef(p.Edit); !ok || chat != c.id {
		notes = c.notesOf(direct, p.To.ID)
	}
	last := notes[len(notes)-1]
	last.done, last.loud = done, last.loud || rings
	if p.Direct {
		last.till = time.Now().Add(callLife)
	}
	c.mu.Lock()
	for _, n := range notes {
		c.add(n)
	}
	c.loop.Kick()
	c.mu.Unlock()
	select {
	case ref := <-done:
		s.posts.remember(ref, p.In)
		return ref != ""
	case <-ctx.Done():
	}
	return true // It waits.
}

// closeQuestions puts what became of questions to one person into the questions' messages: the ephemeral one that was pressed, as
// soon as the group's budget allows it, one that everybody in the group sees, or one in their private chat. One that everybody sees is
// taken away if the one who pressed was told what became of it.
func (s *sender) closeQuestions(from incoming, response chat.Response, told bool) {
	for _, p := range response.Posts {
		if p.To == nil || p.In.Private || p.Edit == "" {
			continue
		}
		channel, _, _ := parseRef(p.Edit)
		n := &note{in: placeOf(channel), edit: p.Edit, minor: true, who: from.Who.ID, request: p.Request}
		switch {
		case !s.changes(from, p):
			continue
		case isEphemeral(from, p):
			channel = p.In.Channel
			n.till, n.alone = time.Now().Add(closeTime), func() bool { return s.replace(from, s.draw(p).text(channel)) }
		case told && s.closes(from, p):
			s.spawn(func() { s.chats.get(s, channel).remove(p.Edit, p.Request) })
			continue
		default:
			n.content, n.to = s.draw(p), p.To
		}
		s.chats.get(s, channel).send(n)
	}
}

// closes reports whether a post ends a question that everybody in a group sees.
func (s *sender) closes(from incoming, p chat.Post) bool {
	channel, _, _ := parseRef(p.Edit)
	return p.To != nil && p.Edit != "" && channel == p.In.Channel && channel < 0 && len(p.Rows(maxRow)) == 0 && p.File == nil && !isEphemeral(from, p) && s.changes(from, p)
}

// isEphemeral reports whether a post takes the place of the ephemeral message that was pressed.
func isEphemeral(from incoming, p chat.Post) bool {
	return from.ephemeral != 0 && p.To.ID == from.Who.ID
}

// changes reports whether a post can take the place of the message that it names. That must be known to be for its reader alone.
// After a start this isn't known of messages in groups, and the post becomes a new one.
func (s *sender) changes(from incoming, p chat.Post) bool {
	chat, _, ok := parseRef(p.Edit)
	return isEphemeral(from, p) || ok && (chat == p.To.ID || chat == p.In.Channel && s.personal.isFor(*p.To, p.Edit))
}

// ephemeral sends an ephemeral message: one in a group that only one person sees. It reports false where that can't be done: the server
// must know such messages, the message must answer a press or another such message, or the bot be an admin, and the person's share must
// allow it.
func (s *sender) ephemeral(ctx context.Context, from incoming, p chat.Post) bool {
	answers := (from.query != "" || from.whispered != 0) && time.Since(from.at) < ephemeralTime && from.In.Channel == p.In.Channel
	if len(pages(p.Text, maxText)) > 1 || p.Picture != nil || p.File != nil || !s.knowsEphemeral(ctx) || !answers && !s.isAdmin(p.In, s.me.Load().ID) {
		return false
	}
	c := s.chats.get(s, p.In.Channel)
	done := make(chan chat.Ref, 1)
	n := &note{in: p.In, who: p.To.ID, done: done, till: time.Now().Add(answerTime), alone: func() bool { return c.whisper(from, p, answers) }}
	if answers {
		n.till = from.at.Add(ephemeralTime)
	}
	c.mu.Lock()
	granted := c.admits(from)
	if granted {
		c.add(n)
		c.loop.Kick()
	}
	c.mu.Unlock()
	if !granted {
		return false
	}
	select {
	case ref := <-done:
		return ref != ""
	case <-ctx.Done():
	}
	return true // It waits.
}

// whisper sends an ephemeral message, or puts it in the place of the one that was pressed, and reports whether that went well. Answers
// says that it answers the press, or what was whispered.
func (c *conversation) whisper(from incoming, p chat.Post, answers bool) bool {
	s := c.s
	params := s.draw(p).text(c.id)
	if from.ephemeral != 0 && p.To.ID == from.Who.ID && s.replace(from, params) {
		return true
	}
	params.AddNonZero64("message_thread_id", c.topic(p.In))
	params["disable_notification"] = "true"
	// A server of Bot API 10.2 knows only the older form, and would show the message to everybody without it.
	receiver := map[string]any{"receiver_user_id": p.To.ID}
	params["receiver_user_id"] = strconv.FormatInt(p.To.ID, 10)
	switch {
	case answers && from.whispered != 0:
		params["reply_parameters"] = encode(map[string]any{"ephemeral_message_id": from.whispered})
	case answers:
		receiver["callback_query_id"] = from.query
		params["callback_query_id"] = from.query
	}
	params["ephemeral_message_parameters"] = encode(receiver)
	ctx := s.during(from.ID)
	var sent message
	if err := s.api.call(ctx, "sendMessage", params, &sent); err != nil {
		if wait := refusedAs(err).retry; verdictOn(err) == passes && wait > 0 && !c.holdNew(wait) {
			c.rest(wait)
		}
		return false
	}
	if sent.EphemeralMessageID == 0 && sent.MessageID != 0 {
		s.deleteLeaked(ctx, c.id, sent.MessageID)
		return false
	}
	return true
}

// replace changes the ephemeral message that was pressed, and reports whether that went well.
func (s *sender) replace(from incoming, params tgbotapi.Params) bool {
	params = maps.Clone(params)
	params["receiver_user_id"] = strconv.FormatInt(from.Who.ID, 10)
	params["ephemeral_message_id"] = strconv.FormatInt(from.ephemeral, 10)
	err := s.api.call(s.during(from.ID), "editEphemeralMessageText", params, nil)
	return err == nil || verdictOn(err) == unchanged
}

// deleteLeaked deletes a message that everybody sees though it is for one person. No more are sent as ephemeral messages.
func (s *sender) deleteLeaked(ctx context.Context, chat, message int64) {
	s.log.Error("the Bot API server showed a private message to everybody; no more are sent that way", "chat", community(chat))
	s.posts.setEphemeral(false)
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(chat, 10), "message_id": strconv.FormatInt(message, 10)}
	if err := s.api.call(ctx, "deleteMessage", params, nil); err != nil {
		s.log.Error("that message could not be deleted", "chat", community(chat), "error", err)
	}
}

// knowsEphemeral reports whether the server knows ephemeral messages. It asks once, by a call that has no effect. Just to send one
// would be wrong: an older server ignores the parameter that makes a message private.
func (s *sender) knowsEphemeral(ctx context.Context) bool {
	if known, asked := s.posts.ephemeral(); asked {
		return known
	}
	me := strconv.FormatInt(s.me.Load().ID, 10)
	params := tgbotapi.Params{"chat_id": me, "receiver_user_id": me, "ephemeral_message_id": "1"}
	err := s.api.call(ctx, "deleteEphemeralMessage", params, nil)
	var refused *apiError
	if err != nil && (!errors.As(err, &refused) || verdictOn(err) == passes) {
		return false
	}
	known := err == nil || !refused.badToken()
	s.posts.setEphemeral(known)
	return known
}
