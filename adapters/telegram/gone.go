package telegram

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// doubt is what a chat has been refused that may be gone.
type doubt struct {
	// askedAt is when the second witness was asked last, warnedAt when the operator was told.
	askedAt, warnedAt time.Time
	// mutedAt is when it was refused last that the bot writes there; zero: it may. HeardAt is when somebody had all of that tried again.
	mutedAt, heardAt time.Time
}

const (
	// warnEvery is how often the operator is told of the same doubt at most, askEvery how often the second witness is asked, or whether the
	// bot may write again where somebody does something.
	warnEvery = 24 * time.Hour
	askEvery  = 30 * time.Second
	// hushedFor is for how long it is known that nothing was tried where the bot may not write, after the next try was due.
	hushedFor = time.Hour
	// topicTime is for how long Telegram says that a topic isn't there before it is taken for gone.
	topicTime = time.Hour
)

// refused is what follows where a place or a person may be gone, for a message that was tried before so often. A place is gone only if a
// second witness says so, and a topic if it has been refused for long and what stood there is gone, too: Telegram has no call that
// would say so. It refuses all of them in a group whose topics were turned off, and there nothing is gone. Until then what is to be shown
// waits, and somebody's message from there has it tried at once.
func (c *conversation) refused(err error, in chat.Place, tries int, anew bool) outbox.Outcome {
	switch v := verdictOn(err); {
	case c.id > 0 && v == topicGone:
		return outbox.Outcome{Fate: outbox.Held}
	case c.id > 0:
		c.unreached(v) // They write when they want to play on.
		return outbox.Outcome{Fate: outbox.Held}
	case v == topicGone && anew && c.topic(in) != 0 && c.isFlat():
		return outbox.Outcome{Fate: outbox.Delayed}
	case v == topicGone && anew && c.lostFor(in) > topicTime && !c.looks(in):
		c.leave(in)
		c.s.reportGone(in, 0)
		return outbox.Outcome{Fate: outbox.Refused}
	case v != topicGone && c.isOut():
		c.s.removed(c, 0)
		return outbox.Outcome{Fate: outbox.Refused}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.doubt.warnedAt) > warnEvery {
		c.doubt.warnedAt = now
		c.s.log.Warn("Telegram says that a chat isn't there; its tables wait until it is, or something else says the same", "chat", community(c.id), "error", err)
	}
	if !anew {
		return outbox.Outcome{Fate: outbox.Delayed, Pause: outbox.Doubt(tries)}
	}
	at := spot{everyTopic, true} // What stands there may still be changed.
	if verdictOn(err) == topicGone {
		at.thread = in.Thread
	}
	tries = max(tries, c.hushed[at].tries)
	pause := outbox.Doubt(tries)
	c.hush(at, hush{until: time.Now().Add(pause), tries: tries + 1})
	return outbox.Outcome{Fate: outbox.Delayed, Pause: pause}
}

// lostFor is how long Telegram has said that a topic isn't there, and nothing else.
func (c *conversation) lostFor(in chat.Place) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	since, ok := c.lost[in.Thread]
	if !ok {
		if len(c.lost) >= maxUnseen {
			clear(c.lost)
		}
		since = time.Now()
		c.lost[in.Thread] = since
	}
	return time.Since(since)
}

// looks has the bot find out whether the messages of a topic's tables are still there, by a change of each, and reports whether there are any.
func (c *conversation) looks(in chat.Place) (any bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.boards {
		if b.Post.In.Thread == in.Thread && b.Post.Table != "" && !b.Post.Final && (b.Ref != "" || b.former != "") {
			any = true
			b.shown = [digestBytes]byte{}
			b.Again(time.Now())
		}
	}
	return any
}

// spot is where the bot may not write: new messages, or changes of those that stand, in a topic or in everyTopic.
type spot struct {
	thread int64
	anew   bool
}

// everyTopic is no topic's number.
const everyTopic = -1

// hush is until when nothing is tried where the bot may not write, and how often in a row it has tried.
type hush struct {
	until time.Time
	tries int
	// said says that it is Telegram that has said until when, as of slow mode: it isn't tried before, whoever does something there.
	said bool
}

// spotOf is where the bot may not write, by what Telegram says of a message.
func spotOf(err error, in chat.Place, anew bool) spot {
	if strings.Contains(strings.ToLower(refusedAs(err).text), closedTopic) {
		return spot{in.Thread, anew}
	}
	return spot{everyTopic, anew}
}

// muted notes where the bot may not write, reports whether that is news, and says how long it waits. One message is tried there for all that
// wait, however many these are.
func (c *conversation) muted(at spot) (news bool, pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	news = c.doubt.mutedAt.IsZero()
	c.doubt.mutedAt = time.Now()
	most := longMuted
	if at.thread != everyTopic {
		most = longClosed
	}
	h := c.hushed[at]
	pause = min(mutedPause<<min(h.tries, 8), most)
	c.hush(at, hush{until: time.Now().Add(pause), tries: h.tries + 1})
	return news, pause
}

// hush notes until when nothing is tried where the bot may not write. The caller holds mu.
func (c *conversation) hush(at spot, h hush) {
	if len(c.hushed) >= maxUnseen {
		clear(c.hushed)
	}
	c.hushed[at] = h
	c.notes = slices.DeleteFunc(c.notes, func(n *note) bool {
		if !n.goes(at) {
			return false
		}
		n.tries++ // It would have been refused, too.
		if n.tries <= n.most(nil) {
			return false
		}
		c.noteCommon(n, false)
		n.finish("")
		return true
	})
}

// goes reports whether a note is to be written there.
func (n *note) goes(at spot) bool {
	return n.alone == nil && (n.edit == "") == at.anew && (at.thread == everyTopic || at.thread == n.in.Thread)
}

// hushedUntil is until when no message is tried in a topic because the bot may not write there, or has to wait for the slow mode. The
// caller holds mu.
func (c *conversation) hushedUntil(in chat.Place, anew bool) time.Time {
	return later(c.hushed[spot{everyTopic, anew}].until, c.hushed[spot{in.Thread, anew}].until)
}

// isOut is the second witness: it asks in another way whether the bot is in the chat. Only a clear no counts.
func (c *conversation) isOut() bool {
	c.mu.Lock()
	lately := time.Since(c.doubt.askedAt) < askEvery
	if !lately {
		c.doubt.askedAt = time.Now()
	}
	c.mu.Unlock()
	if lately {
		return false
	}
	ctx, cancel := context.WithTimeout(c.s.Life, callTime)
	defer cancel()
	me, err := c.s.standing(ctx, c.id)
	if err == nil {
		return me.absent()
	}
	if verdictOn(err) != placeGone {
		return false
	}
	_, err = c.info(ctx)
	return err != nil && verdictOn(err) == placeGone
}

// isFlat asks whether the group's topics were turned off, and notes that they were.
func (c *conversation) isFlat() bool {
	ctx, cancel := context.WithTimeout(c.s.Life, callTime)
	defer cancel()
	now, err := c.info(ctx)
	if err != nil || now.ID != c.id || now.IsForum {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flat = true
	return true
}

// holdNew notes that no new message is tried in a group for as long as Telegram says of one, and reports whether that is long enough. That may be
// the group's slow mode, of which Telegram says the same as of any limit, and which keeps nobody from changing what stands: whether
// changes have to wait, too, they find out themselves.
func (c *conversation) holdNew(wait time.Duration) bool {
	if c.id > 0 || wait < slowFrom {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	at := spot{everyTopic, true}
	h := hush{time.Now().Add(min(wait, longSlow)), c.hushed[at].tries, true}
	switch {
	case time.Now().Before(c.hushed[at].until):
	case wait > mutedPause:
		c.hush(at, h)
	default:
		c.hushed[at] = h // What waits may yet be of use.
	}
	return true
}

// info asks what the chat is.
func (c *conversation) info(ctx context.Context) (now chatInfo, err error) {
	err = c.s.api.callFor(ctx, "getChat", tgbotapi.Params{"chat_id": strconv.FormatInt(c.id, 10)}, &now)
	return now, err
}

// standing asks what the bot itself is in a chat.
func (s *sender) standing(ctx context.Context, chat int64) (me chatMember, err error) {
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(chat, 10), "user_id": strconv.FormatInt(s.me.Load().ID, 10)}
	err = s.api.callFor(ctx, "getChatMember", params, &me)
	if err == nil && me.User.ID != s.me.Load().ID {
		err = errUnread
	}
	return me, err
}

// heard has tried what was refused where somebody does something, and would wait for long: their place isn't gone, nor are they, and the bot may be
// allowed to write again. They may do so often, and where tables are still shown a try takes from what these need: so it is at once, and then now and
// then; what is held in private is tried each time. Where a message says that the group has topics, they are on again.
func (c *conversation) heard(m *message) {
	thread := m.place().Thread
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flat = c.flat && !m.Chat.IsForum
	delete(c.lost, thread)
	c.unreachable = time.Time{}
	ends := func(at spot, h hush) bool { return !h.said && (at.thread == everyTopic || at.thread == thread) }
	waits := !c.barred.until.IsZero()
	for at, h := range c.hushed {
		waits = waits || ends(at, h)
	}
	var here []*board
	for _, b := range c.boards {
		if b.Post.In.Thread == thread {
			here = append(here, b)
			b.Release()
			due, _ := b.Due()
			waits = waits || b.Unshown() && time.Until(due) > longPause
		}
	}
	if waits && time.Since(later(c.doubt.heardAt, c.doubt.mutedAt)) > askEvery {
		c.doubt.heardAt, c.barred.until = time.Now(), time.Time{}
		maps.DeleteFunc(c.hushed, ends)
		for _, b := range here {
			b.Retry()
		}
	}
	c.loop.Kick()
}

// moves reports whether a chat goes on under another number, where the bot is then. It tells the bot so, as moved does.
func (s *sender) moves(from, to int64) bool {
	ctx, cancel := context.WithTimeout(s.Life, callTime)
	defer cancel()
	me, err := s.standing(ctx, to)
	if err != nil || me.absent() {
		return false
	}
	return s.moved(from, to)
}

// moved tells the bot that a group has another ID now, and shows its tables there; false if that can't be: groups' are below zero.
func (s *sender) moved(from, to int64) bool {
	if from == to || from >= 0 || to >= 0 {
		return false
	}
	old := s.chats.get(s, from)
	going := old.going()
	old.clear()
	s.upgrades.Set(from, to)
	id := "tg-moved/" + strconv.FormatInt(from, 10) + "/" + strconv.FormatInt(to, 10)
	r := chat.Request{ID: id, In: placeOf(from), Kind: chat.Migrated, Data: community(to).String()}
	if !s.takesAlong(r) {
		s.spawn(func() { s.takesAlongLater(r) })
	}
	s.goOn(to, going...)
	return true
}

// takesAlong has the bot take along what belongs to a group, and reports whether it could.
func (s *sender) takesAlong(r chat.Request) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.Life), handleTime)
	defer cancel()
	response := s.bot.Handle(ctx, r)
	s.show(response, 0)
	return !response.Alert
}

const (
	// alongAfter is after how long it is tried again to take along what belongs to a group, twice as long each time up to alongAtMost, and
	// alongTries how often.
	alongAfter, alongAtMost = 5 * time.Second, time.Minute
	alongTries              = 60
)

// takesAlongLater tries again what takesAlong couldn't do. Telegram says only once that a group has moved, and all its chips hang on that.
func (s *sender) takesAlongLater(r chat.Request) {
	pause := alongAfter
	for range alongTries {
		if !outbox.Sleep(s.Life, pause) || s.takesAlong(r) {
			return
		}
		pause = min(2*pause, alongAtMost)
	}
}

// removed tells the bot that it isn't in a chat any more, nor in its topics. By is the person who saw to that; 0 if nobody says.
func (s *sender) removed(c *conversation, by int64) {
	c.unreached(placeGone)
	c.mu.Lock()
	for _, b := range c.boards {
		c.closed = c.closed || b.Post.Table != "" && !b.Post.Final
	}
	c.mu.Unlock()
	owed := slices.DeleteFunc(c.going(), func(n *note) bool {
		if !n.lasting {
			n.finish("")
		}
		return !n.lasting
	})
	c.clear()
	c.mu.Lock()
	c.owed = append(c.owed, owed...)
	c.mu.Unlock()
	s.reportGone(chat.Place{Community: community(c.id)}, by)
}

// regret says in a group that has the bot again that the tables are closed that stood there when it was removed, and what all have still to hear.
func (s *sender) regret(m *memberChange) {
	c := s.chats.get(s, m.Chat.ID)
	c.mu.Lock()
	closed := c.closed
	c.closed = false
	for _, n := range c.owed {
		n.tries, n.after = 0, time.Time{}
		c.add(n)
	}
	c.owed = nil
	c.loop.Kick()
	c.mu.Unlock()
	if closed {
		s.say(placeOf(c.id), 0, m.From.person(), "telegram.back")
	}
}

// refuseChannel tells whoever has added the bot to a channel that nobody can play there: in private, or else in the channel.
func (s *sender) refuseChannel(m *memberChange) {
	ctx, cancel := context.WithTimeout(s.Life, answerTime)
	defer cancel()
	who := m.From.person()
	said := chat.Message{Text: []chat.Span{{Text: s.opts.Words.Lang(who.Lang).Say("telegram.channel")}}}
	if !s.sendPrivate(ctx, chat.Post{In: placeOf(m.Chat.ID), To: &who, Message: said}, false) {
		s.say(placeOf(m.Chat.ID), 0, who, "telegram.channel")
	}
}

// reportGone tells the bot that a place is gone, and by whom, if it isn't 0.
func (s *sender) reportGone(in chat.Place, by int64) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.Life), handleTime)
	defer cancel()
	s.bot.Handle(ctx, chat.Request{ID: s.nextID(), In: in, Kind: chat.Gone, By: by})
}
