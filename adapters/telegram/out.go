package telegram

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// mutedPause is how long the bot waits where it may not write before it tries again. It doubles up to longMuted, in a closed topic up to
	// longClosed.
	mutedPause, longMuted, longClosed = time.Minute, 10 * time.Minute, time.Hour
	// slowFrom is the shortest wait that may be a group's slow mode, longSlow how long it is heeded before it is tried whether it has ended.
	slowFrom, longSlow = 5 * time.Second, 20 * time.Minute
	// maxDoubts is how often Telegram isn't believed that a table's message is gone, where the table may have no other one.
	maxDoubts = 2
	// maxUnheard is how often at most what is said aloud is tried where Telegram refuses it in words that nobody knows: for a day.
	maxUnheard = 150
	// maxThreaded is of how many requests it is remembered where they were made.
	maxThreaded = 1024
	// maxUpgrades is of how many groups it is remembered which supergroup they have become.
	maxUpgrades = 1024
	// maxEdits is how often an edit is tried: without it a message keeps buttons that nobody needs.
	maxEdits = 3 * maxTries
	// maxLost is how often a message is tried that doesn't reach Telegram: for a minute.
	maxLost = 6
	// standing is for how long what nobody has asked for is tried while Telegram can't be reached: what comes once a day. It waits for unaskedPause at
	// first, and four times as long each time up to 43 minutes, as each try may stand though its answer is lost.
	standing, unaskedPause = 3 * time.Hour, 10 * time.Second
	// failingFor is for how long a table's message can't be changed before the table goes into a new one.
	failingFor = 15 * time.Second
	// confirmAfter is after how long a picture is sent once more, where an older one may have come after it.
	confirmAfter = 30 * time.Second
	// maxPainted is how often a picture is tried while Telegram answers, before words take its place.
	maxPainted = 3
)

// sender sends what the bot says.
type sender struct {
	*core
	throttle throttle
	chats    chats
	// leaving is locked while chats are given up, and read-locked while a table's picture is queued, so that none is queued after
	// its chat was given up.
	leaving  sync.RWMutex
	posts    privatePosts
	personal personalMessages
	// threaded is where people's requests were made: in threads of replies what they ask for stands as replies, too.
	threaded *outbox.Memory[string, under]
	// upgrades are the supergroups that groups have become, by the number that the group had.
	upgrades *outbox.Memory[int64, int64]
}

func newSender(c *core) *sender {
	s := &sender{core: c, threaded: outbox.NewMemory[string, under](maxThreaded), upgrades: outbox.NewMemory[int64, int64](maxUpgrades)}
	s.throttle.share = c.share
	s.chats.init()
	s.posts.init()
	s.personal.init()
	return s
}

// show takes what the bot has to say. By is the person who has caused it; 0 is nobody.
func (s *sender) show(response chat.Response, by int64) {
	for _, p := range response.Posts {
		switch {
		case p.In.Community.Platform != chat.Telegram:
		case p.Direct:
			s.spawn(func() { s.direct(p) })
		case p.To != nil && !p.In.Private:
			s.spawn(func() {
				ctx, cancel := context.WithTimeout(s.during(p.Request), answerTime)
				defer cancel()
				s.deliver(ctx, incoming{Request: chat.Request{In: p.In, Who: *p.To}}, p)
			})
		default:
			s.chats.get(s, p.In.Channel).post(p, by)
		}
	}
}

// showFor shows a response to a request about a community. Tables that another process serves by now are left out.
func (s *sender) showFor(about chat.Community, response chat.Response) {
	defer s.together(response.Posts)()
	for _, p := range response.Posts {
		s.showOne(about, p, 0)
	}
}

// showOne is showFor for one post that a person has caused; 0 is nobody.
func (s *sender) showOne(about chat.Community, p chat.Post, by int64) {
	if p.Table != "" && p.In.Community == about {
		s.leaving.RLock()
		defer s.leaving.RUnlock()
		if !s.share.Serves(about) {
			return
		}
	}
	s.show(chat.Response{Posts: []chat.Post{p}}, by)
}

// together has posts for everybody wait in their chats until all of them are queued, which the caller says: so they go in the order that is
// meant for them, and not as chance has it that looks at the chat between two.
func (s *sender) together(posts []chat.Post) (queued func()) {
	var held []*conversation
	for _, p := range posts {
		if p.In.Community.Platform != chat.Telegram || !public(p) {
			continue
		}
		if c := s.chats.get(s, p.In.Channel); !slices.Contains(held, c) {
			held = append(held, c)
			c.holdBack(1)
		}
	}
	return func() {
		for _, c := range held {
			c.holdBack(-1)
		}
	}
}

// holdBack has n more, or fewer, of those who hold back what is sent to the chat.
func (c *conversation) holdBack(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held += n; c.held == 0 {
		c.loop.Kick()
	}
}

// public reports whether everybody in its place may read a post, or it goes to a private chat whoever has asked. In a private chat
// everybody is one person.
func public(p chat.Post) bool { return p.To == nil || p.Direct || p.In.Private }

// sendBoard sends a table's newest picture, or edits the message that shows the table.
func (c *conversation) sendBoard(w waiter) {
	b := w.board
	c.mu.Lock()
	same := c.draw(b) && b.current()
	c.mu.Unlock()
	if !same && !c.turn() {
		return
	}
	c.mu.Lock()
	var p outbox.Sending[rendering]
	ok := !c.left && c.s.share.Serves(community(c.id)) && c.draw(b) // A newer one may have come.
	if ok {
		p, ok = b.Take(time.Now())
	}
	tries := b.Tries
	c.mu.Unlock()
	if !ok {
		return
	}
	what, d := outbox.Outcome{Fate: outbox.Delayed, Pause: firstPause}, p.Drawn // If something breaks.
	former := chat.Ref("")
	defer func() {
		c.mu.Lock()
		c.settle(b, p, d, what, former)
		c.mu.Unlock()
		if what.Fate == outbox.Arrived {
			c.report(p.Post, what.Ref)
		}
	}()
	d = c.paint(d)
	if !c.s.share.Serves(community(c.id)) { // It has taken long.
		return
	}
	c.mu.Lock()
	ref := p.Ref
	if b.photo && d.png == nil {
		ref = "" // What shows a picture can't become a text.
	}
	anew := ref == ""
	bound := anew && b.former != "" // An old message may have the picture that a new one doesn't take.
	same = !anew && b.shown == d.digest
	how := sending{loud: len(p.Post.Mention) > 0 && !p.Post.Quiet, request: p.Post.Request, replyTo: b.root}
	if !same {
		c.spend(w)
	}
	c.mu.Unlock()
	var err error
	if !same {
		if asked, ok := c.under(how.request); ok {
			how.replyTo = asked.reply
		}
		ref, err = c.sendOrEdit(p.Post.In, ref, d, how)
	}
	if what = (outbox.Outcome{}); !same {
		what = c.outcome(err, p.Post.In, tries, anew)
	}
	what.Ref, what.Unanswered = ref, !anew && lost(err) && !errors.As(err, new(*apiError))
	if what.Fate == outbox.Gone && verdictOn(err) == stale && tries < maxDoubts {
		if former = p.Ref; c.isBarred(b) {
			what = outbox.Outcome{Fate: outbox.Delayed, Pause: firstPause << (2 * tries)} // No other can take its place yet, and it may be there.
		}
	}
	worded := d.png != nil && (lost(err) || !bound) && c.plain(err, tries)
	if what = c.goOn(what, err, anew, worded); !anew && !worded {
		what = c.fails(what, b, p, err)
	}
	if what.Fate == outbox.Gone && verdictOn(err) == otherKind {
		c.removeButtons(p)
	}
}

// goOn is what becomes of a table's picture that met an error, which may be nil, so that the table goes on: anew says that it was to stand in a new
// message, and the old one does; worded that words are to take its place.
func (c *conversation) goOn(what outbox.Outcome, err error, anew, worded bool) outbox.Outcome {
	switch {
	case worded:
		return outbox.Outcome{Fate: outbox.Delayed}
	case unheard(err) && anew:
		return outbox.Outcome{Fate: outbox.Delayed, Pause: c.barBoards(mutedPause, longMuted)}
	case errors.Is(err, errUnread) && anew: // It may stand, and is repeated seldom.
		return outbox.Outcome{Fate: outbox.Delayed, Pause: c.barBoards(mutedPause, longClosed)}
	case lost(err) && anew && refusedAs(err).retry == 0:
		what.Pause = c.barBoards(slowFrom, mutedPause)
	}
	return what
}

// lost reports whether something hasn't reached Telegram, or not been taken there for now.
func lost(err error) bool { return err != nil && verdictOn(err) == passes }

// unlikely reports whether Telegram says that a message shows already what it is to show, though that was never tried before.
func unlikely(err error, tries int) bool {
	return err != nil && verdictOn(err) == unchanged && tries == 0
}

// unheard reports whether Telegram refuses something in words that nobody knows.
func unheard(err error) bool { return refusedAs(err).text != "" && verdictOn(err) == final }

// fails is what becomes of a change of a table's message that met an error, which may be nil. Where it is refused in words that nobody knows, or none
// has gone well for failingFor while Telegram answers, the table goes into a new message, or stays in that one for as long as it may have none. Where
// nothing is answered the change may have been made, and a new message would be one, too: nothing is known of changes by that.
func (c *conversation) fails(what outbox.Outcome, b *board, p outbox.Sending[rendering], err error) outbox.Outcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	odd := unheard(err)
	switch {
	case unlikely(err, b.Tries) && b.shown != [digestBytes]byte{}: // It is known to show something else.
		return outbox.Outcome{Fate: outbox.Delayed, Pause: firstPause}
	case !odd && !lost(err) || refusedAs(err).retry > 0:
		return what
	case odd:
		what = outbox.Outcome{Fate: outbox.Delayed, Pause: min(mutedPause<<min(b.Tries, 8), longMuted)}
	}
	stands := func() bool { return b.former == "" && !b.Moved(p) }
	first := b.failing.IsZero()
	if stands() && first {
		b.failing = time.Now()
	}
	early := first || time.Since(b.failing)+what.Pause < failingFor
	switch answered := errors.As(err, new(*apiError)); {
	case !stands():
		return what
	case odd:
		what.Pause = 0
	case (!early || !answered) && !c.reaches():
		if stands() {
			b.failing = time.Time{}
		}
		return what
	case early:
		return what
	}
	if stands() {
		b.former = p.Ref
	}
	return what
}

// reaches reports whether Telegram answers anything. The caller holds mu, which is let go meanwhile.
func (c *conversation) reaches() bool {
	c.mu.Unlock()
	defer c.mu.Lock()
	_, ok := c.s.answers(c.s.Life)
	return ok
}

// confirm has a table's picture sent once more in a while.
func (c *conversation) confirm(b *board) {
	time.AfterFunc(confirmAfter, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.left {
			b.Again(time.Now())
			c.loop.Kick()
		}
	})
}

// isBarred reports whether a table may have no new message now.
func (c *conversation) isBarred(b *board) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Before(c.barredUntil(b))
}

// barBoards notes that no table may have a new message for a while, at first and at most so long, and says how long: nobody knows why one failed,
// and they may yet be shown in the messages that they have.
func (c *conversation) barBoards(first, most time.Duration) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	pause := min(first<<min(c.barred.tries, 8), most)
	c.barred = hush{until: time.Now().Add(pause), tries: c.barred.tries + 1}
	return pause
}

// removeButtons takes the buttons off the message that bore a table's picture before.
func (c *conversation) removeButtons(p outbox.Sending[rendering]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(&note{in: p.Post.In, edit: p.Ref, request: p.Post.Request})
}

// remove deletes a message. Telegram doesn't limit that. A message that can't be deleted loses its buttons.
func (c *conversation) remove(ref chat.Ref, request string) {
	_, message, ok := parseRef(ref)
	if !ok {
		return
	}
	end, ok := c.begin()
	if !ok {
		return
	}
	defer end()
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(c.id, 10), "message_id": strconv.FormatInt(message, 10)}
	pause := firstPause
	for try := 1; ; try++ {
		err := c.s.api.call(c.s.during(request), "deleteMessage", params, nil)
		switch {
		case err == nil, refusedAs(err).missing():
			return
		case verdictOn(err) == passes && try < maxTries && outbox.SleepOrQuit(c.s.Life, c.quit, max(pause, refusedAs(err).retry)):
			pause *= 4
		default:
			c.send(&note{in: placeOf(c.id), edit: ref, request: request})
			return
		}
	}
}

// settle notes what became of a picture that was sent as d. Former is the message that is said to be Gone and may yet be there. The caller
// holds mu.
func (c *conversation) settle(b *board, p outbox.Sending[rendering], d rendering, what outbox.Outcome, former chat.Ref) {
	stays := !b.Moved(p)
	b.Settle(p, what, time.Now())
	switch what.Fate {
	case outbox.Arrived:
		if p.Ref == "" {
			c.barred = hush{}
		}
		if d.png != nil {
			c.failed = 0
		}
		if b.asked = 0; b.Ref == b.former && !b.failing.IsZero() {
			b.former = "" // It can be changed again.
		}
		b.failing = time.Time{}
		switch {
		case stays:
			b.shown, b.pressable, b.photo = d.digest, d.buttons, d.png != nil
			c.dismiss(b, p.Post.Request)
		case p.Ref != what.Ref: // The table has left the new message before it came.
			b.Ref, b.photo = "", d.png != nil
			c.dismiss(b, p.Post.Request)
			b.former = what.Ref
		}
		if p.Ref != "" && p.Ref != what.Ref {
			c.add(&note{in: p.Post.In, edit: p.Ref, request: p.Post.Request})
		}
		if b.Confirm {
			b.shown = [digestBytes]byte{}
			c.confirm(b)
		} else if p.Post.Final && !b.Unshown() {
			b.Drawn = rendering{digest: d.digest, buttons: d.buttons}
		}
	case outbox.Gone:
		if stays {
			b.shown, b.photo = [digestBytes]byte{}, false
			if b.former == former {
				former = "" // It was believed to be there before.
			}
			b.former, b.farewell = former, nil
		}
	}
}

// dismiss does what is to become of the table's former message, now that a picture has arrived. Where it has arrived in that one nothing
// is done yet, and later only the buttons go if it isn't deleted. The caller holds mu.
func (c *conversation) dismiss(b *board, request string) {
	switch former, farewell := b.former, b.farewell; {
	case former == "", b.Ref == former && farewell == nil:
		return
	case b.Ref == former:
		farewell.content = rendering{}
		return
	case farewell != nil:
		c.add(farewell)
	default:
		c.s.spawn(func() { c.remove(former, request) })
	}
	b.former, b.farewell = "", nil
}

// current reports whether the board's message shows its newest picture. False means that it isn't known: the picture may have to be
// painted first.
func (b *board) current() bool {
	return b.Ref != "" && !b.Drawn.later && b.Drawn.picture == nil && b.shown == b.Drawn.digest
}

// report tells the bot which message shows a post, if the post has a receipt.
func (c *conversation) report(p chat.Post, ref chat.Ref) {
	r, wanted := outbox.Receipt(c.s.nextID(), p, ref)
	if !wanted {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.s.Life), handleTime)
	defer cancel()
	c.s.showFor(p.In.Community, c.s.bot.Handle(ctx, r))
}

// sendNote sends a note.
func (c *conversation) sendNote(w waiter) {
	n := w.note
	if !c.turn() {
		n.finish("")
		return
	}
	drawn := n.content
	if n.alone == nil {
		drawn = c.paint(n.content) // That takes a while, in which nothing is written yet.
	}
	c.mu.Lock()
	c.spend(w)
	c.noteCommon(n, true)
	c.mu.Unlock()
	if n.alone != nil {
		ref := chat.Ref("")
		if n.alone() {
			ref = aloneRef
		}
		n.finish(ref)
		return
	}
	ref, err := c.sendOrEdit(n.in, n.edit, drawn, sending{loud: n.loud && !n.quiet, replyTo: n.replyTo, request: n.request})
	if n.content.file != nil && barsFiles(err) {
		c.mu.Lock()
		c.noteCommon(n, false)
		c.mu.Unlock()
		n.finish("")
		if n.elsewhere != nil {
			c.s.spawn(n.elsewhere)
		}
		return
	}
	what := c.fateOf(n, drawn, err)
	if to, ok := c.s.upgrades.Get(c.id); ok && verdictOn(err) == moved && n.goesOn() {
		c.s.goOn(to, n)
		return
	}
	if what.Fate == outbox.Refused && c.outlives(n, err) {
		return
	}
	switch {
	case what.Fate != outbox.Gone || n.edit == "":
	case n.done != nil || n.receipt != "":
		n.edit, what.Fate = "", outbox.Delayed
	case verdictOn(err) == otherKind:
		n.content, what.Fate = rendering{}, outbox.Delayed // A picture's last state stays, without its buttons.
	}
	if what.Fate == outbox.Delayed && n.tries < n.most(err) {
		n.tries++
		n.after = time.Now().Add(what.Pause)
		c.again(n)
		return
	}
	if what.Fate != outbox.Arrived {
		ref = ""
		c.mu.Lock()
		c.noteCommon(n, false)
		c.mu.Unlock()
	} else if n.to != nil {
		c.s.personal.to.Set(ref, *n.to)
	}
	n.finish(ref)
	if ref != "" {
		c.report(chat.Post{In: n.in, Edit: n.edit, Receipt: n.receipt}, ref)
	}
}

// fateOf is what became of a note that has met the error, which may be nil.
func (c *conversation) fateOf(n *note, drawn rendering, err error) outbox.Outcome {
	what := c.outcome(err, n.in, n.tries, n.edit == "")
	if drawn.png != nil && c.plain(err, n.tries) {
		what = outbox.Outcome{Fate: outbox.Delayed}
	}
	if unlikely(err, n.tries) {
		what = outbox.Outcome{Fate: outbox.Delayed, Pause: firstPause}
	}
	if n.unasked() && lost(err) {
		what.Pause = unaskedPause << (2 * min(n.tries, 4))
	}
	odd := unheard(err) || n.in.Thread == 0 && verdictOn(err) == topicGone // It stands in none.
	if n.lasting && odd && n.tries < maxUnheard {
		what = outbox.Outcome{Fate: outbox.Delayed, Pause: min(mutedPause<<min(n.tries, 8), longMuted)}
	}
	return what
}

// outlives reports whether a note that has met the error outlives the place that is gone: what all have to hear is said beside a topic, and in a group
// when the bot is back.
func (c *conversation) outlives(n *note, err error) bool {
	v := verdictOn(err)
	if !n.lasting || v < topicGone {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n.tries, n.after = 0, time.Time{}
	if v != topicGone {
		c.owed = append(c.owed, n)
		return true
	}
	n.in.Thread, n.replyTo = 0, 0
	c.add(n)
	c.loop.Kick()
	return true
}

// most is how often a note is tried that has met the error, which may be nil.
func (n *note) most(err error) int {
	switch {
	case n.lasting, lost(err) && n.unasked():
		return math.MaxInt
	case n.edit != "":
		return maxEdits
	case lost(err):
		return maxLost
	}
	return maxTries
}

// unasked reports whether a note is what the bot says by itself to all of a chat, and wants to know whether it stands.
func (n *note) unasked() bool { return n.who == 0 && n.receipt != "" && n.edit == "" }

// again queues a note once more, before all others.
func (c *conversation) again(n *note) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left {
		n.finish("")
		return
	}
	c.notes = append([]*note{n}, c.notes...)
}

// turn waits until the throttle of all chats lets one more message pass; false if nothing may be sent any more.
func (c *conversation) turn() bool {
	if !c.s.throttle.pass(c.s.Life, c.quit) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.left
}

// sending is how a new message is sent.
type sending struct {
	loud    bool
	replyTo int64
	// request is the ID of the request that it answers.
	request string
}

// sendOrEdit makes a message of the chat, or changes one, and returns which.
func (c *conversation) sendOrEdit(in chat.Place, edit chat.Ref, d rendering, how sending) (chat.Ref, error) {
	ctx := c.s.during(how.request)
	if _, message, ok := parseRef(edit); ok {
		return edit, c.s.change(ctx, c.id, message, d)
	}
	params := d.text(c.id)
	if d.png != nil || d.file != nil {
		params = d.captioned(c.id)
	}
	params.AddNonZero64("message_thread_id", c.topic(in))
	params.AddBool("disable_notification", !how.loud)
	if how.replyTo != 0 {
		params["reply_parameters"] = encode(map[string]any{"message_id": how.replyTo, "allow_sending_without_reply": true})
	}
	var sent message
	var err error
	switch {
	case d.png != nil:
		err = c.s.api.upload(ctx, "sendPhoto", params, d.photo("photo"), &sent)
	case d.file != nil && d.file.Moves():
		err = c.s.api.upload(ctx, "sendAnimation", params, d.document(), &sent)
	case d.file != nil:
		err = c.s.api.upload(ctx, "sendDocument", params, d.document(), &sent)
	default:
		err = c.s.api.call(ctx, "sendMessage", params, &sent)
	}
	switch {
	case err != nil && verdictOn(err) == unchanged: // It is new.
		return "", fmt.Errorf("%w (%w)", errUnread, err)
	case err != nil:
		return "", err
	case sent.MessageID <= 0 || sent.Chat.ID != c.id:
		return "", errUnread
	}
	return refOf(c.id, sent.MessageID), nil
}

// text is the parameters for sending or editing a text. An edit without a keyboard takes the old one away.
func (d rendering) text(chat int64) tgbotapi.Params {
	p := tgbotapi.Params{
		"chat_id":              strconv.FormatInt(chat, 10),
		"text":                 d.html,
		"parse_mode":           tgbotapi.ModeHTML,
		"link_preview_options": `{"is_disabled":true}`,
	}
	p.AddNonEmpty("reply_markup", d.keyboard)
	return p
}

// outcome is what became of a message that was tried before so often, by the error that it met; anew says that it was a new one. It
// also does what follows for the chat.
func (c *conversation) outcome(err error, in chat.Place, tries int, anew bool) outbox.Outcome {
	if err == nil {
		c.goesWell(in, anew)
		return outbox.Outcome{}
	}
	switch verdictOn(err) {
	case unchanged:
		c.goesWell(in, anew)
		return outbox.Outcome{}
	case passes:
		refused := refusedAs(err)
		if refused.badToken() {
			c.s.log.Error("Telegram refuses the token; trying again", "chat", community(c.id), "error", err)
		}
		if anew && c.holdNew(refused.retry) {
			return outbox.Outcome{Fate: outbox.Delayed, Pause: min(refused.retry, longSlow)}
		}
		if refused.retry > 0 {
			c.rest(min(refused.retry, longSlow))
			return outbox.Outcome{Fate: outbox.Delayed}
		}
		return outbox.Outcome{Fate: outbox.Delayed, Pause: pauseAfter(tries)}
	case stale, otherKind:
		if !anew {
			return outbox.Outcome{Fate: outbox.Gone}
		}
	case moved:
		if c.s.moves(c.id, refusedAs(err).migrate) {
			return outbox.Outcome{Fate: outbox.Refused}
		}
		return c.refused(err, in, tries, anew)
	case pictureless:
		c.s.log.Warn("the bot may send no pictures here; it describes them", "chat", community(c.id))
		c.describe(wordsFor)
		return inWords(tries)
	case unpainted:
		c.s.log.Warn("Telegram doesn't take a picture; the bot describes it", "chat", community(c.id), "error", err)
		c.describe(wordsOnce)
		return inWords(tries)
	case barred:
		news, pause := c.muted(spotOf(err, in, anew))
		if news {
			c.s.log.Warn("the bot may not write here; its tables go on, and are seen where it may still change their messages", "chat", community(c.id), "error", err)
		}
		return outbox.Outcome{Fate: outbox.Delayed, Pause: pause}
	case personGone, topicGone, placeLost, placeGone:
		return c.refused(err, in, tries, anew)
	}
	c.s.log.Error("Telegram refuses a message", "chat", community(c.id), "error", err)
	return outbox.Outcome{Fate: outbox.Refused}
}

// pauseAfter is how long a message waits that has failed so often before.
func pauseAfter(tries int) time.Duration { return min(firstPause<<min(tries, 8), longPause) }

// inWords is what becomes of a picture that is refused: words go at once, and wait like all that fails where they meet the same answer.
func inWords(tries int) outbox.Outcome {
	if tries == 0 {
		return outbox.Outcome{Fate: outbox.Delayed}
	}
	return outbox.Outcome{Fate: outbox.Delayed, Pause: pauseAfter(tries)}
}

// goesWell notes that a topic could be written to.
func (c *conversation) goesWell(in chat.Place, anew bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.hushed, spot{everyTopic, anew})
	delete(c.hushed, spot{in.Thread, anew})
	delete(c.lost, in.Thread)
	maps.DeleteFunc(c.hushed, func(_ spot, h hush) bool { return time.Since(h.until) > hushedFor }) // Nothing waits there any more.
	for _, h := range c.hushed {
		if !h.said {
			return
		}
	}
	c.doubt.mutedAt = time.Time{}
}

// rest pauses the chat for as long as Telegram asks.
func (c *conversation) rest(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pausedUntil = later(c.pausedUntil, time.Now().Add(d+time.Duration(rand.Int64N(int64(time.Second)))))
}
