package telegram

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/bot"
)

const (
	// glance is how many characters one reads before a toast is gone.
	glance = 60
	// ephemeralTime is how long after a press a message for one person may answer it: Telegram says 15 s.
	ephemeralTime = 12 * time.Second
	// answerTries is how often an answer is tried that goes wrong on the way.
	answerTries = 4
)

// reply is the answer to a press: a line, or an address to open.
type reply struct {
	text, url string
	alert     bool
}

// reply is what to answer the one who pressed. What is for them only has gone its way before: into the answer itself if
// it fits there, else to them, else the answer opens the chat where it waits.
func (a *Adapter) reply(ctx context.Context, from asked, response bot.Response) reply {
	r := reply{text: cut(response.Toast, maxToast)}
	r.alert = response.Alert && utf8.RuneCountInString(r.text) > glance
	for _, p := range response.Posts {
		if p.To == nil || p.In.Private {
			continue
		}
		text := flat(p.Text)
		free := r.text == "" && r.url == ""
		switch {
		case free && p.Picture == nil && len(p.Rows(maxRow)) == 0 && units(text) <= maxToast:
			r.text, r.alert = text, true
		case a.private(ctx, from, p):
			from.ephemeral = 0 // That message says something else now.
		case free:
			r.url = a.invite(p)
		default:
			a.point(from, p)
		}
	}
	return r
}

// params are the reply as a call.
func (r reply) params(query string) tgbotapi.Params {
	p := tgbotapi.Params{"callback_query_id": query, "cache_time": "0"}
	p.AddNonEmpty("text", r.text)
	p.AddNonEmpty("url", r.url)
	p.AddBool("show_alert", r.alert)
	return p
}

// answer answers a press. There is no budget for that, and nobody waits for it after a while.
func (a *Adapter) answer(ctx context.Context, from asked, r reply) {
	pause := firstPause / 4
	for try := 1; ; try++ {
		err := a.api.call(ctx, "answerCallbackQuery", r.params(from.query), nil)
		switch {
		case err == nil:
			a.watch.Answered(bot.Telegram, time.Since(from.at))
			return
		case refusedAs(err).tooLate():
			return
		case !passing(err) || try == answerTries || ctx.Err() != nil:
			a.log.Warn("a press was not answered", "request", from.ID, "err", err)
			return
		}
		sleep(ctx, max(pause, refusedAs(err).retry))
		pause *= 4
	}
}

// replyTo tells the one who typed a command what became of it. What is for them only, and can't be sent to them, waits
// behind a link.
func (a *Adapter) replyTo(ctx context.Context, from asked, response bot.Response) {
	c := a.chats.get(a, from.In.Channel)
	if response.Toast != "" {
		d := a.draw(bot.Post{Message: bot.Message{Text: []bot.Span{{Text: response.Toast}}}})
		c.send(&note{in: from.In, drawn: d, replyTo: from.message, request: from.ID})
	}
	for _, p := range response.Posts {
		if p.To != nil && !p.In.Private && !a.private(ctx, from, p) {
			a.point(from, p)
		}
	}
}

// point tells somebody in the group that there is something for them alone, and leads them to it.
func (a *Adapter) point(from asked, p bot.Post) {
	lang := a.opts.Words.Lang(p.To.Lang)
	var said []bot.Span
	for _, part := range lang.Sentence("telegram.private") {
		if part.Blank != "" {
			part.Text = p.To.Name
		}
		said = append(said, bot.Span{Text: part.Text})
	}
	d := a.draw(bot.Post{Mention: p.To, Message: bot.Message{Text: said}})
	open := inlineButton{Text: lang.Say("telegram.open"), URL: a.invite(p)}
	d.keyboard = encode(inlineKeyboard{Rows: [][]inlineButton{{open}}})
	a.chats.get(a, from.In.Channel).send(&note{in: from.In, drawn: d, replyTo: from.message, request: from.ID})
}

// private sends a post to the one person who may read it, and reports whether it is on its way: as a message in the
// group that only they see, or in their chat with the bot.
func (a *Adapter) private(ctx context.Context, from asked, p bot.Post) bool {
	if !from.private && a.ephemeral(ctx, from, p) {
		return true
	}
	c := a.chats.get(a, p.To.ID)
	if !c.reachable() {
		return false
	}
	done := make(chan bot.Ref, 1)
	direct := p
	direct.In = placeOf(p.To.ID)
	c.mu.Lock()
	if chat, _, ok := parseRef(p.Edit); ok && chat == c.id {
		c.add(&note{in: direct.In, edit: p.Edit, drawn: a.draw(p), receipt: p.Receipt, done: done, request: p.Request})
	} else {
		c.write(direct, done)
	}
	c.stir()
	c.mu.Unlock()
	timer := time.NewTimer(privateTime)
	defer timer.Stop()
	select {
	case ref := <-done:
		a.posts.remember(ref, p.In)
		return ref != ""
	case <-timer.C:
	case <-ctx.Done():
	}
	return true // It waits its turn.
}

// ephemeral sends a message into the group that only one person sees, where the server knows such messages: in answer to
// a press, or where the bot is an admin.
func (a *Adapter) ephemeral(ctx context.Context, from asked, p bot.Post) bool {
	answers := from.query != "" && time.Since(from.at) < ephemeralTime && from.In.Channel == p.In.Channel
	if len(pages(p.Text, maxText)) > 1 || p.Picture != nil || !a.knowsEphemeral(ctx) || !answers && !a.isAdmin(p.In, a.me.Load().ID) {
		return false
	}
	c := a.chats.get(a, p.In.Channel)
	if !c.allow() || !a.gate.pass(ctx) {
		return false
	}
	params := a.draw(p).text(p.In.Channel)
	if from.ephemeral != 0 && p.To.ID == from.Who.ID && a.replace(ctx, from, params) {
		return true
	}
	params.AddNonZero64("message_thread_id", p.In.Thread)
	params["disable_notification"] = "true"
	// The form of Bot API 10.3, and beside it that of 10.2, which would take the message for a public one.
	receiver := map[string]any{"receiver_user_id": p.To.ID}
	params["receiver_user_id"] = strconv.FormatInt(p.To.ID, 10)
	if answers {
		receiver["callback_query_id"] = from.query
		params["callback_query_id"] = from.query
	}
	params["ephemeral_message_parameters"] = encode(receiver)
	var sent message
	err := a.api.call(ctx, "sendMessage", params, &sent)
	if err != nil {
		if refused := refusedAs(err); refused.retry > 0 {
			c.slow(refused.retry, false)
		}
		return false
	}
	if sent.EphemeralMessageID == 0 && sent.MessageID != 0 {
		a.takeBack(ctx, p.In.Channel, sent.MessageID)
		return false
	}
	return true
}

// replace lets the message that was pressed, which only the one who pressed sees, say something else; false if it can't.
func (a *Adapter) replace(ctx context.Context, from asked, params tgbotapi.Params) bool {
	params = maps.Clone(params)
	params["receiver_user_id"] = strconv.FormatInt(from.Who.ID, 10)
	params["ephemeral_message_id"] = strconv.FormatInt(from.ephemeral, 10)
	err := a.api.call(ctx, "editEphemeralMessageText", params, nil)
	return err == nil || refusedAs(err).unchanged()
}

// takeBack deletes a message that should have been for one person, and sends no more of the kind.
func (a *Adapter) takeBack(ctx context.Context, chat, message int64) {
	a.log.Error("the Bot API server showed a private message to everybody; no more are sent that way", "chat", chat)
	a.posts.setEphemeral(false)
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(chat, 10), "message_id": strconv.FormatInt(message, 10)}
	if err := a.api.call(ctx, "deleteMessage", params, nil); err != nil {
		a.log.Error("that message could not be deleted", "chat", chat, "err", err)
	}
}

// knowsEphemeral reports whether the server knows messages for one person. It is asked once, by a call that can do
// nothing: an older server would take no notice of the one parameter that makes a message private.
func (a *Adapter) knowsEphemeral(ctx context.Context) bool {
	if known, asked := a.posts.ephemeral(); asked {
		return known
	}
	me := strconv.FormatInt(a.me.Load().ID, 10)
	params := tgbotapi.Params{"chat_id": me, "receiver_user_id": me, "ephemeral_message_id": "1"}
	err := a.api.call(ctx, "deleteEphemeralMessage", params, nil)
	var refused *apiError
	if err != nil && (!errors.As(err, &refused) || passing(err)) {
		return false
	}
	known := err == nil || !refused.badToken()
	a.posts.setEphemeral(known)
	return known
}

const (
	// maxWaiting is how many private posts wait to be fetched, maxDirect how many are remembered that were sent.
	maxWaiting, maxDirect = 1000, 2000
	waitingTime           = 30 * time.Minute
)

// privates are posts for one person: those that wait until the person opens the chat with the bot, and where those were
// sent that had to go there.
type privates struct {
	mu      sync.Mutex
	waiting map[string]invited
	direct  map[bot.Ref]bot.Place
	order   []bot.Ref
	// shows says whether the server knows ephemeral messages, if probed does.
	probed, shows bool
}

// invited is a post that waits, and until when.
type invited struct {
	post bot.Post
	till time.Time
}

func (p *privates) init() {
	p.waiting, p.direct = map[string]invited{}, map[bot.Ref]bot.Place{}
}

func (p *privates) ephemeral() (known, probed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shows, p.probed
}

func (p *privates) setEphemeral(known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.probed, p.shows = true, known
}

// remember notes which place a message in a private chat is about.
func (p *privates) remember(ref bot.Ref, in bot.Place) {
	if ref == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.order) >= maxDirect {
		delete(p.direct, p.order[0])
		p.order = p.order[1:]
	}
	p.order = append(p.order, ref)
	p.direct[ref] = in
}

// about is the place that a message in a private chat is about.
func (p *privates) about(ref bot.Ref) (bot.Place, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	in, ok := p.direct[ref]
	return in, ok
}

// invite keeps a post until its reader opens the chat with the bot by the address returned.
func (a *Adapter) invite(p bot.Post) string {
	payload := rand.Text()
	a.posts.mu.Lock()
	defer a.posts.mu.Unlock()
	now := time.Now()
	for key, w := range a.posts.waiting {
		if now.After(w.till) || len(a.posts.waiting) >= maxWaiting {
			delete(a.posts.waiting, key)
		}
	}
	a.posts.waiting[payload] = invited{p, now.Add(waitingTime)}
	return a.address(payload)
}

// deliver sends what waited for a person who came by a link; false if nothing did.
func (a *Adapter) deliver(who bot.User, payload string) bool {
	a.posts.mu.Lock()
	w, ok := a.posts.waiting[payload]
	ok = ok && w.post.To.ID == who.ID && time.Now().Before(w.till)
	if ok {
		delete(a.posts.waiting, payload)
	}
	a.posts.mu.Unlock()
	if !ok {
		return false
	}
	return a.spawn(func() {
		ctx, cancel := context.WithTimeout(a.during(w.post.Request), answerTime)
		defer cancel()
		a.private(ctx, asked{private: true}, w.post)
	})
}
