package telegram

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/bot"
)

const (
	// mutedPause is when the bot looks again whether it may write, at first and at most.
	mutedPause, longMuted = time.Minute, 10 * time.Minute
	// maxTries is how often a message is sent that goes wrong on the way; a picture is tried for ever.
	maxTries = 4
)

// Show takes what the bot has to say: the answer to a request, or what its clock posts. It doesn't wait for Telegram.
// Posts for other platforms are left to their adapters.
func (a *Adapter) Show(_ context.Context, response bot.Response) {
	for _, p := range response.Posts {
		switch {
		case p.In.Community.Platform != bot.Telegram:
		case p.To != nil && !p.In.Private:
			a.spawn(func() {
				ctx, cancel := context.WithTimeout(a.during(p.Request), answerTime)
				defer cancel()
				a.private(ctx, asked{Request: bot.Request{In: p.In}}, p)
			})
		default:
			a.chats.get(a, p.In.Channel).post(p)
		}
	}
}

// public are the posts that everybody in their place may read. In a private chat that is one person.
func public(posts []bot.Post) []bot.Post {
	return slices.DeleteFunc(slices.Clone(posts), func(p bot.Post) bool { return p.To != nil && !p.In.Private })
}

// work sends what waits, as fast as the chat's budget lets it, and ends when nothing does.
func (c *chat) work() {
	for {
		c.mu.Lock()
		b, n, wait := c.next(time.Now())
		if b == nil && n == nil && wait < 0 {
			c.busy = false
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		select {
		case <-c.a.quit:
			return
		default:
		}
		switch {
		case b != nil:
			c.show(b)
		case n != nil:
			c.tell(n)
		default:
			c.pause(wait)
		}
	}
}

// pause waits for the time, or until something else is to be sent.
func (c *chat) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.wake:
	case <-c.a.quit:
	}
}

// show puts a table's newest picture where it belongs.
func (c *chat) show(b *board) {
	c.mu.Lock()
	same := b.current()
	c.mu.Unlock()
	if !same && !c.a.gate.pass(c.a.work) {
		return
	}
	c.mu.Lock()
	p, d, ref, moves := b.post, b.picture, b.ref, b.moves
	b.dirty = false
	c.mu.Unlock()
	d = c.paint(d)
	c.mu.Lock()
	old := ref
	if b.photo && d.png == nil {
		ref = "" // What shows a picture can't become a text.
	}
	same = ref != "" && b.shown == d.digest
	if !same {
		c.pace.use(time.Now())
	}
	c.mu.Unlock()
	var err error
	if !same {
		ref, err = c.put(p.In, ref, d, sending{request: p.Request})
	}
	what := c.verdict(err, p.In, b.tries)
	c.mu.Lock()
	switch what.kind {
	case wentWell:
		if b.moves == moves {
			b.ref, b.shown, b.pressable, b.photo, b.turn = ref, d.digest, d.buttons, d.png != nil, p.Turn
		}
		if old != "" && old != ref {
			c.add(&note{in: p.In, edit: old, request: p.Request})
		}
		if p.Final && !b.dirty {
			b.post.Message, b.picture = bot.Message{}, drawn{digest: d.digest, buttons: d.buttons} // It is only to be told from newer ones.
		}
		b.tries = 0
	case tryAnew:
		if b.moves == moves {
			b.ref, b.shown, b.photo = "", [digestBytes]byte{}, false
		}
		if refusedAs(err).otherKind() {
			c.add(&note{in: p.In, edit: old, request: p.Request})
		}
		b.dirty = true
	case tryLater:
		b.dirty, b.after = true, time.Now().Add(what.pause)
		b.tries++
	}
	c.mu.Unlock()
	if what.kind == wentWell {
		c.report(p, ref)
	}
}

// current reports whether the board's message shows its newest picture. That isn't known before it is painted.
func (b *board) current() bool {
	return b.ref != "" && b.picture.picture == nil && b.shown == b.picture.digest
}

// report tells the bot where a picture stands, if it wants to know.
func (c *chat) report(p bot.Post, ref bot.Ref) {
	if p.Receipt == "" || ref == p.Edit && !p.Final {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.a.work), handleTime)
	defer cancel()
	r := bot.Request{ID: c.a.nextID(), In: p.In, Kind: bot.Shown, Data: p.Receipt, On: ref}
	c.a.Show(ctx, c.a.bot.Handle(ctx, r))
}

// tell sends a note.
func (c *chat) tell(n *note) {
	if !c.a.gate.pass(c.a.work) {
		n.finish("")
		return
	}
	c.mu.Lock()
	c.pace.use(time.Now())
	c.mu.Unlock()
	ref, err := c.put(n.in, n.edit, c.paint(n.drawn), sending{loud: n.loud, replyTo: n.replyTo, request: n.request})
	what := c.verdict(err, n.in, n.tries)
	switch {
	case what.kind != tryAnew || n.edit == "":
	case n.done != nil || n.receipt != "":
		n.edit, what.kind = "", tryLater
	case refusedAs(err).otherKind():
		n.drawn, what.kind = drawn{}, tryLater // A picture's last state stays, without its buttons.
	}
	if what.kind == tryLater && n.tries < maxTries {
		n.tries++
		n.after = time.Now().Add(what.pause)
		c.mu.Lock()
		c.notes = append([]*note{n}, c.notes...)
		c.mu.Unlock()
		return
	}
	if what.kind != wentWell {
		ref = ""
	}
	n.finish(ref)
	if ref != "" {
		c.report(bot.Post{In: n.in, Edit: n.edit, Receipt: n.receipt}, ref)
	}
}

// sending is how a new message is sent.
type sending struct {
	loud    bool
	replyTo int64
	// request is what it is sent for.
	request string
}

// put makes a message of the chat, or changes one, and returns which.
func (c *chat) put(in bot.Place, edit bot.Ref, d drawn, how sending) (bot.Ref, error) {
	ctx := c.a.during(how.request)
	if _, message, ok := parseRef(edit); ok {
		return edit, c.a.change(ctx, c.id, message, d)
	}
	params := d.text(c.id)
	if d.png != nil {
		params = d.photo(c.id)
	}
	params.AddNonZero64("message_thread_id", in.Thread)
	params.AddBool("disable_notification", !how.loud)
	if how.replyTo != 0 {
		params["reply_parameters"] = encode(map[string]any{"message_id": how.replyTo, "allow_sending_without_reply": true})
	}
	var sent message
	var err error
	if d.png != nil {
		err = c.a.api.upload(ctx, "sendPhoto", params, d.file("photo"), &sent)
	} else {
		err = c.a.api.call(ctx, "sendMessage", params, &sent)
	}
	if err != nil {
		return "", err
	}
	return refOf(c.id, sent.MessageID), nil
}

// text is what sending and editing a text have in common. Without a keyboard an edit takes away the one there was.
func (d drawn) text(chat int64) tgbotapi.Params {
	p := tgbotapi.Params{
		"chat_id":              strconv.FormatInt(chat, 10),
		"text":                 d.html,
		"parse_mode":           tgbotapi.ModeHTML,
		"link_preview_options": `{"is_disabled":true}`,
	}
	p.AddNonEmpty("reply_markup", d.keyboard)
	return p
}

// verdict is what an answer of Telegram's means for what was sent.
type verdict struct {
	kind  fate
	pause time.Duration
}

type fate uint8

const (
	wentWell fate = iota
	tryAnew
	tryLater
	giveUp
)

// verdict finds out what an error means, and does what else follows from it.
func (c *chat) verdict(err error, in bot.Place, tries int) verdict {
	refused := refusedAs(err)
	switch {
	case err == nil, refused.unchanged():
		c.slow(0, false)
		return verdict{kind: wentWell}
	case refused.migrate != 0:
		c.a.moved(c.id, refused.migrate)
		return verdict{kind: giveUp}
	case refused.noMessage(), refused.otherKind():
		return verdict{kind: tryAnew}
	case refused.noPictures():
		c.describe()
		return verdict{kind: tryLater}
	case refused.retry > 0:
		c.slow(refused.retry+time.Duration(rand.Int64N(int64(time.Second))), false)
		return verdict{kind: tryLater}
	case refused.says("thread not found", "topic_deleted"):
		c.leave(in)
		c.a.closed(in)
		return verdict{kind: giveUp}
	case refused.noPlace():
		c.a.gone(c)
		return verdict{kind: giveUp}
	case refused.muted():
		c.a.log.Warn("the bot may not write here; its tables go on, but nobody sees them", "chat", c.id, "err", err)
		return verdict{kind: tryLater, pause: min(mutedPause<<min(tries, 8), longMuted)}
	case passing(err):
		c.slow(0, true)
		return verdict{kind: tryLater}
	}
	c.a.log.Error("Telegram refuses a message", "chat", c.id, "err", err)
	return verdict{kind: giveUp}
}

// slow lets nothing be sent for a while: as long as told, or longer each time when the way there fails.
func (c *chat) slow(d time.Duration, failed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !failed {
		c.fails = 0
	} else {
		d = min(firstPause<<min(c.fails, 8), longPause)
		c.fails++
	}
	c.closed = later(c.closed, time.Now().Add(d))
}
