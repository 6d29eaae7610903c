package telegram

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/outbox"
	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
)

// anonymousAdmin is the user ID under which Telegram sends what admins write who hide their names.
const anonymousAdmin = 1087968824

// The most bytes that are read of a line and of a button's payload. Telegram's own limits are narrower, but another server may have
// none.
const (
	maxLine    = 4096
	maxPayload = 64
)

const (
	// updateParcel is the kind of parcel in which a process passes an update on to the one that serves its community.
	updateParcel = "update"
	// deafParcel is that of one in which a process says for how long Telegram has brought nothing.
	deafParcel = "deaf"
	// reachedParcel is that of one in which another answers to that that it reaches Telegram.
	reachedParcel = "reached"
	// passTime is how long one try to have an update handled elsewhere may take. PassPause is the pause after the first failed try;
	// it doubles up to longPass.
	passTime            = handleTime
	passPause, longPass = 500 * time.Millisecond, 4 * time.Second
)

var (
	// errBroke says that handling an update has panicked.
	errBroke = errors.New("handling the update broke off")
	// errCrowded says that too many calls of Telegram's wait for a chat.
	errCrowded = errors.New("too many updates of the chat wait")
)

// enqueue handles an update after the earlier ones of its chat, unless ctx ends before. Durable is called when what the update asked
// is durable, or the update was given up.
func (a *Adapter) enqueue(ctx context.Context, l *letter, durable func()) {
	a.queues.join(l.seat())
	if !a.alone {
		a.enqueueShared(ctx, l, durable)
		return
	}
	a.lanes.Put(l.chat(), a.spawn, func() {
		defer a.Recover()
		defer durable() // What broke would break again, and keep all later ones from coming.
		if a.outrun(l) {
			return
		}
		if then := a.handle(&l.update, neverInline); then != nil {
			a.spawn(then)
		}
	})
}

// outrun gives an update up whose turn it is if it is late and whoever sent it has sent more to the chat since. It reports whether it did.
func (a *Adapter) outrun(l *letter) bool {
	if more := a.queues.leave(l.seat()); !more || l.late.Err() == nil {
		return false
	}
	a.watch.Limited(chat.Telegram, chat.UserLimit)
	a.giveUp(&l.update, "no.too-fast")
	return true
}

// giveUp leaves undone what an update asks, and tells who pressed that it is.
func (a *Adapter) giveUp(u *update, why string) {
	a.log.Info("an update is given up, so that others needn't wait for it", "update", u.UpdateID, "chat", community(u.chat()), "why", why)
	q := u.CallbackQuery
	if q == nil || q.ID == "" {
		return
	}
	a.spawn(func() {
		from := incoming{query: q.ID, at: time.Now(), Request: chat.Request{ID: "tg-q" + q.ID}}
		ctx, cancel := context.WithTimeout(a.during(from.ID), answerTime)
		defer cancel()
		a.out.answer(ctx, from, reply{text: a.opts.Words.Lang(q.From.LanguageCode).Say(why), alert: true})
	})
}

// queues count what isn't done yet, by the chat and who sent it. It is safe for use by many goroutines.
type queues struct {
	mu sync.Mutex
	n  map[seat]int
}

// join counts one more, and says how many there are with it.
func (q *queues) join(s seat) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n == nil {
		q.n = map[seat]int{}
	}
	q.n[s]++
	return q.n[s]
}

// leave counts one less, and reports whether there are more.
func (q *queues) leave(s seat) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n[s]--; q.n[s] > 0 {
		return true
	}
	delete(q.n, s)
	return false
}

// bring has an update handled by the process that serves its community, and returns what is left to do here; nil if nothing is. After
// an error the update may be tried again.
func (a *Adapter) bring(ctx context.Context, u *update, inline func(incoming, chat.Response) bool) (then func(), err error) {
	to := u.home()
	if u.empty() || a.share.Serves(to) {
		if then, err = a.here(ctx, u, inline); !errors.Is(err, adapters.ErrNobody) {
			return then, err
		}
	}
	_, err = a.share.Pass(ctx, to, adapters.Parcel{Kind: updateParcel, Body: u.raw})
	return nil, err
}

// here handles an update after the earlier ones of its chat. When it is durable, here returns what is left to do. The error is
// adapters.ErrNobody if this process doesn't serve the community by then.
func (a *Adapter) here(ctx context.Context, u *update, inline func(incoming, chat.Response) bool) (then func(), err error) {
	handled := make(chan error, 1)
	took := a.lanes.Put(u.chat(), a.spawn, func() {
		err := errBroke
		defer func() { handled <- err }()
		defer a.Recover()
		if err = ctx.Err(); err != nil {
			return
		}
		if !u.empty() && !a.share.Serves(u.home()) {
			err = adapters.ErrNobody
			return
		}
		err = errBroke
		then = a.handle(u, inline)
		err = nil
	})
	if !took {
		return nil, adapters.ErrNobody
	}
	err = <-handled
	return then, err
}

// enqueueShared is enqueue where there are other processes. An update that can't be handled is tried again until ctx ends, and the
// next ones of its chat wait for it; but once it is late it is given up.
func (a *Adapter) enqueueShared(ctx context.Context, l *letter, durable func()) {
	a.arriving.Put(l.chat(), a.spawn, func() {
		defer a.Recover()
		if a.outrun(l) {
			durable()
			return
		}
		asking, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(l.late, stop)()
		for pause := passPause; ctx.Err() == nil; pause = min(2*pause, longPass) {
			try, cancel := context.WithTimeout(a.Life, passTime)
			context.AfterFunc(l.late, cancel)
			then, err := a.bring(try, &l.update, neverInline)
			cancel()
			switch {
			case err == nil:
				durable()
				if then != nil {
					a.spawn(then)
				}
				return
			case l.late.Err() != nil:
				a.giveUp(&l.update, "broken")
				durable()
				return
			}
			a.log.Warn("an update could not be handled; trying again", "update", l.UpdateID, "chat", l.home(), "pause", pause, "error", err)
			outbox.Sleep(asking, pause)
		}
	})
}

// called is bring for an update that Telegram has sent to the webhook, after the earlier ones of its chat.
func (a *Adapter) called(ctx context.Context, u *update, inline func(incoming, chat.Response) bool) (then func(), err error) {
	all := seat{chat: u.chat()}
	defer a.calls.leave(all)
	if a.calls.join(all) > maxCallsEach {
		return nil, errCrowded
	}
	if a.alone {
		if then, err = a.here(context.WithoutCancel(ctx), u, inline); errors.Is(err, errBroke) {
			return nil, nil // It would break again.
		}
		return then, err
	}
	brought := make(chan error, 1)
	took := a.arriving.Put(u.chat(), a.spawn, func() {
		err := errBroke
		defer func() { brought <- err }()
		defer a.Recover()
		try, cancel := context.WithTimeout(ctx, passTime)
		defer cancel()
		then, err = a.bring(try, u, inline)
	})
	if !took {
		return nil, adapters.ErrNobody
	}
	err = <-brought
	return then, err
}

// Take handles an update that came to another process. It is adapters.ErrNobody if its community isn't served here.
func (a *Adapter) Take(ctx context.Context, what adapters.Parcel) ([]byte, error) {
	switch what.Kind {
	case deafParcel:
		lasts, err := time.ParseDuration(string(what.Body))
		a.hearsay.Say(lasts)
		if lasts > awayTime {
			a.spawn(a.sayReached)
		}
		return nil, err
	case reachedParcel:
		a.reached.Store(time.Now().UnixNano())
		return nil, nil
	}
	if what.Kind != updateParcel {
		return nil, fmt.Errorf("telegram: a parcel of the unknown kind %.40q", what.Kind)
	}
	u, err := decodeUpdate(what.Body)
	if err != nil {
		return nil, fmt.Errorf("telegram: %w", err)
	}
	then, err := a.here(ctx, &u, neverInline)
	if err != nil {
		return nil, fmt.Errorf("telegram: handle update %d: %w", u.UpdateID, err)
	}
	if then != nil {
		a.spawn(then)
	}
	return nil, nil
}

// age is how long ago something was, by Telegram's clock: this machine's may be wrong. It is 0 where that isn't said.
func (a *Adapter) age(date int64) time.Duration {
	if date == 0 {
		return 0
	}
	return time.Since(time.Unix(date, 0)) + time.Duration(a.api.ahead.Load())
}

// neverInline has each press answered by a call of its own.
func neverInline(incoming, chat.Response) bool { return false }

// handle does what an update asks, and returns what is left to do when the update counts as handled; nil if nothing is. Inline is
// given the response to a press, and reports whether it answers the press itself.
func (a *Adapter) handle(u *update, inline func(incoming, chat.Response) bool) (then func()) {
	if m := u.said(); m != nil {
		if c := a.out.chats.known(m.Chat.ID); c != nil {
			c.heard(m)
		}
	}
	switch {
	case u.CallbackQuery != nil:
		return a.onPress(u.CallbackQuery, inline)
	case u.Message != nil && (u.Message.MigrateToChatID != 0 || u.Message.MigrateFromChatID != 0):
		return a.onMigration(u.Message)
	case u.Message != nil && u.Message.Text != "" && a.age(u.Message.Date) > staleAfter:
		a.log.Debug("what somebody wrote while nobody read it is left alone", "update", u.UpdateID, "chat", community(u.Message.Chat.ID))
	case u.Message != nil && u.Message.LeftChatMember != nil:
		a.onLeft(u.Message.Chat.ID, u.Message.LeftChatMember, u.Message.From, u.Message.Date)
	case u.Message != nil:
		return a.onMessage(u.Message)
	case u.MyChatMember != nil:
		a.onMember(u.MyChatMember)
	case u.ChatMember != nil && u.ChatMember.NewChatMember.absent():
		a.onLeft(u.ChatMember.Chat.ID, &u.ChatMember.NewChatMember.User, &u.ChatMember.From, u.ChatMember.Date)
	case u.ChatMember != nil:
		a.members.known.Drop(seat{u.ChatMember.Chat.ID, u.ChatMember.NewChatMember.User.ID})
	}
	return nil
}

// onPress handles a press. Each is done once, however often it is delivered. One that comes again though its answer went back with Telegram's
// call is answered once more: Telegram hasn't heard that.
func (a *Adapter) onPress(q *callbackQuery, inline func(incoming, chat.Response) bool) func() {
	if q.ID == "" {
		return nil
	}
	if !a.seen.Add("q"+q.ID, struct{}{}) {
		r, unheard := a.told.Get(q.ID)
		if !unheard {
			return nil
		}
		a.told.Drop(q.ID)
		return func() {
			from := incoming{Request: chat.Request{ID: "tg-q" + q.ID}, query: q.ID, at: time.Now()}
			ctx, cancel := context.WithTimeout(a.during(from.ID), answerTime)
			defer cancel()
			a.out.answer(ctx, from, r)
		}
	}
	if bot.Beside(q.Data) {
		return func() { a.pressed(q, neverInline)() }
	}
	return a.pressed(q, inline)
}

// pressed does what a press asks, and returns what answers it; nil if inline has answered it.
func (a *Adapter) pressed(q *callbackQuery, inline func(incoming, chat.Response) bool) func() {
	from, ok := a.press(q)
	var response chat.Response
	if to, others := a.out.personal.notFor(from.Who, from.On); ok && others {
		response = a.refuse(from, to)
	} else if ok {
		c := a.out.chats.get(a.out, from.In.Channel)
		left, waits := c.onItsWay(from.On)
		others := c.others(from.On)
		if response = a.ask(from); response.Behind && waits {
			response.Toast = a.waitFor(left, from.Who.Lang)
		}
		if from.bears {
			c.removeDoubleButtons(from, others, response.Posts)
		}
		if from.bears && response.Over {
			c.removeOldButtons(from)
		}
	}
	if inline(from, response) {
		return nil
	}
	return func() {
		ctx, cancel := context.WithTimeout(a.during(from.ID), answerTime)
		defer cancel()
		told := a.out.reply(from, response)
		a.out.answer(ctx, from, told)
		a.out.closeQuestions(from, response, told.text != "")
	}
}

// press makes a request of a press; false if it is none that the bot could know.
func (a *Adapter) press(q *callbackQuery) (incoming, bool) {
	from := incoming{query: q.ID, at: time.Now(), admission: &admission{}}
	m := q.Message
	if m == nil || m.Chat.ID == 0 || q.From.IsBot || m.Chat.Type == channelChat || q.Data == "" || len(q.Data) > maxPayload {
		return from, false
	}
	a.people.meet(&q.From)
	from.private = m.Chat.Type == privateChat
	from.Request = chat.Request{ID: "tg-q" + q.ID, Who: q.From.person(), In: m.place(), Kind: chat.Press, Data: q.Data}
	from.ephemeral, from.bears = m.EphemeralMessageID, m.bears(q.Data)
	if m.MessageID != 0 {
		from.On = refOf(m.Chat.ID, m.MessageID)
	}
	if m.Date == 0 {
		// An inaccessible message doesn't say in which topic it stands.
		from.In.Thread = a.out.chats.get(a.out, m.Chat.ID).threadOf(from.On)
	}
	if from.private {
		a.aboutElsewhere(&from, from.On)
	}
	if m.inThread() {
		at := m.under(m.MessageThreadID)
		at.on = from.On
		if root, known := a.out.chats.get(a.out, m.Chat.ID).rootAt(from.On); known {
			at.reply, at.root = root, root
		}
		a.out.threaded.Set(from.ID, at)
	}
	from.Who.Admin = !from.Who.Bot && a.out.isAdmin(from.In, from.Who.ID)
	return from, true
}

// ask puts a request to the bot, and shows everybody what is for everybody. The answer to a command stands below the command.
func (a *Adapter) ask(from incoming) chat.Response {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.Life), handleTime)
	defer cancel()
	response := a.bot.Handle(ctx, from.Request)
	defer a.out.together(response.Posts)()
	for i, p := range response.Posts {
		if !public(p) {
			continue
		}
		answers := (from.typed() || p.Open == chat.Common) && p.Table == "" && p.Edit == "" && p.Draw == nil
		switch {
		case !answers || from.private || !p.In.Same(from.In) || from.whispered != 0 && p.Open == chat.Aloud:
			a.out.showOne(table.Home(from.Request), p, from.Who.ID)
			continue
		case from.whispered != 0:
			response.Posts[i].To = &from.Who
			continue
		}
		switch said := a.out.chats.get(a.out, p.In.Channel).say(from, p); {
		case said == repeatRoute && from.query != "":
			response.Toast = cmp.Or(response.Toast, a.opts.Words.Lang(from.Who.Lang).Say("telegram.same"))
		case said == repeatRoute:
			a.out.announceAbove(from)
		case said == noRoute && p.Open == chat.Aloud:
			a.out.showOne(table.Home(from.Request), p, from.Who.ID)
		case said == noRoute:
			response.Posts[i].To, response.Posts[i].Open = &from.Who, chat.Secret // They read it alone.
		}
	}
	return response
}

// waitFor is the line that says how long a picture takes to come.
func (a *Adapter) waitFor(left time.Duration, lang string) string {
	n := int(left/time.Second) + 1
	phrase := words.Phrase{Key: "telegram.wait", N: n, Blanks: words.Blanks{"n": n}}
	return phrase.Flat(a.opts.Words.Lang(lang))
}

// refuse is the response to a press on a message that is somebody else's to press.
func (a *Adapter) refuse(from incoming, to chat.User) chat.Response {
	var said []chat.Span
	for _, part := range a.opts.Words.Lang(from.Who.Lang).Sentence("telegram.not-yours") {
		if part.Blank != "" {
			part.Text = to.Name
		}
		said = append(said, chat.Span{Text: part.Text})
	}
	return chat.Response{Toast: words.Flat(said), Alert: true}
}

// onMessage handles a message: a command for this bot, or in the private chat with it anything that somebody types; else
// nothing.
func (a *Adapter) onMessage(m *message) func() {
	from, ok := a.command(m)
	if !ok || !a.seen.Add(from.ID, struct{}{}) {
		return nil
	}
	if from.channel {
		a.out.say(from.In, m.MessageID, from.Who, "telegram.as-channel")
		return nil
	}
	if from.private {
		payload, started := strings.CutPrefix(from.Data, privateStart)
		if started && a.out.sendKept(from, payload) {
			return nil
		}
		if token, ok := offerToken(payload); started && ok {
			from.Kind, from.Data = chat.Followed, token
		}
	}
	a.out.threaded.Set(from.ID, m.under(m.MessageID))
	response := a.ask(from)
	return func() {
		ctx, cancel := context.WithTimeout(a.during(from.ID), answerTime)
		defer cancel()
		a.out.replyTo(ctx, from, response)
	}
}

// command is the request that a message makes; false if it makes none, or not of this bot.
func (a *Adapter) command(m *message) (incoming, bool) {
	from := incoming{at: time.Now(), message: m.MessageID, whispered: m.EphemeralMessageID, private: m.Chat.Type == privateChat, admission: &admission{}}
	if m.From == nil || m.Chat.Type == channelChat || m.IsAutomaticForward || m.ViaBot != nil || m.ForwardOrigin != nil {
		return from, false
	}
	a.people.meet(m.From)
	line, ok := a.commandLine(a.asCommand(m), from.private)
	if !ok {
		return from, false
	}
	from.Request = chat.Request{
		ID:  "tg-m" + strconv.FormatInt(m.Chat.ID, 10) + "/" + m.number(),
		Who: m.From.person(), In: m.place(), Kind: chat.Command, Data: line,
	}
	if from.private && line[0] == '/' {
		on := chat.Ref("")
		if m.ReplyTo != nil {
			on = refOf(m.Chat.ID, m.ReplyTo.MessageID)
		}
		a.aboutElsewhere(&from, on)
	}
	switch {
	case m.SenderChat == nil:
		from.Who.Admin = !from.Who.Bot && a.out.isAdmin(from.In, from.Who.ID)
	case m.From.ID == anonymousAdmin && m.SenderChat.ID == m.Chat.ID:
		// Presses come from the persons themselves, so nobody can sit down under this name.
		from.Who = chat.User{ID: anonymousAdmin, Name: m.SenderChat.Title, Admin: true, Anonymous: true}
		if m.AuthorSignature != "" {
			from.Who.Name = m.AuthorSignature
		}
	default:
		// Somebody may have many channels, so all have one share: From is the same account of Telegram's for each.
		from.channel, from.Who = true, chat.User{ID: m.From.ID, Name: m.SenderChat.Title, Lang: m.From.LanguageCode, Anonymous: true}
	}
	return from, !from.Who.Bot
}

// aboutElsewhere makes a request in a private chat one about a group, if it answers a message about that group. The bot asks whether
// the person is still in the group when that matters.
func (a *Adapter) aboutElsewhere(from *incoming, on chat.Ref) {
	from.Member = a.members.follow(from.Who.ID)
	if at, ok := a.out.posts.about(on); ok && (from.Kind == chat.Press || a.share.Serves(at.Community)) {
		from.In, from.FromOutside, from.Apart = at, true, from.In
	}
}

// commandLine is a command without the bot's name behind it, with one plain space between words, whatever stood there; false if it is for
// another bot. In a group a command that names no bot is for this one only if it knows the command. In a private chat any text counts.
func (a *Adapter) commandLine(text string, private bool) (string, bool) {
	line := strings.Join(strings.Fields(text), " ")
	switch {
	case line == "" || len(text) > maxLine:
		return "", false
	case text[0] != '/':
		return line, private
	}
	called, rest, _ := strings.Cut(line[1:], " ")
	name, whose, named := strings.Cut(called, "@")
	if named && !strings.EqualFold(whose, a.me.Load().Username) {
		a.doubt()
		return "", false
	}
	if !named && !private && !a.known.has(name) {
		return "", false
	}
	return strings.TrimSpace("/" + name + " " + rest), name != ""
}

// names are the names of commands in all languages, each with the command's own name.
type names map[string]string

func namesOf(commands func(string) []bot.CommandInfo) names {
	if commands == nil {
		return nil
	}
	all := names{"help": "help", "start": "start"}
	for _, lang := range languages() {
		for _, c := range commands(lang) {
			all[strings.ToLower(c.Local)], all[strings.ToLower(c.Name)] = c.Name, c.Name
		}
	}
	delete(all, "")
	return all
}

// has reports whether there is a command of that name. Nil names know every command.
func (n names) has(name string) bool { return n == nil || n[strings.ToLower(name)] != "" }

// own is the own name of the command that has the name in some language. Nil names know no others.
func (n names) own(name string) string {
	if n == nil {
		return strings.ToLower(name)
	}
	return n[strings.ToLower(name)]
}

// onMigration moves the tables of a group that became a supergroup. Telegram says so in both chats; the second time its tables are
// only shown as they are. Only the process that serves the old chat does it.
func (a *Adapter) onMigration(m *message) func() {
	from, to := m.Chat.ID, m.MigrateToChatID
	if to == 0 {
		from, to = m.MigrateFromChatID, m.Chat.ID
	}
	a.seen.Add(upgraded(to), struct{}{})
	if a.share.Serves(community(from)) {
		a.out.moved(from, to)
	}
	return nil
}

// upgraded is the key under which a supergroup is remembered that was a group.
func upgraded(chat int64) string { return fmt.Sprint("upgraded/", chat) }

// onMember handles a change of the bot's own membership in a chat. Removed from a group, it closes the tables there; added to one, it
// greets.
// Any other change may mean that it can write again. What Telegram says once more, or late, is passed over once it has said what came after, or
// where it says another thing when it is asked.
func (a *Adapter) onMember(m *memberChange) {
	c := a.out.chats.get(a.out, m.Chat.ID)
	gone := m.NewChatMember.absent()
	if m.Date < c.stoodAt || gone && m.Chat.ID < 0 && a.age(m.Date) > memberFor && !c.isOut() {
		return
	}
	c.stoodAt = m.Date
	switch {
	case gone && m.Chat.ID > 0:
		c.unreached(personGone) // Whoever blocks the bot keeps their games, and may let it write again.
		return
	case gone:
		a.out.removed(c, m.From.byPerson())
		return
	}
	c.refresh()
	if m.OldChatMember.absent() && m.Chat.Type == channelChat && a.seen.Add(fmt.Sprintf("channel/%d/%d", m.Chat.ID, m.Date), struct{}{}) {
		a.spawn(func() { a.out.refuseChannel(m) })
	}
	if m.OldChatMember.absent() && (m.Chat.Type == "group" || m.Chat.Type == "supergroup") {
		id := fmt.Sprintf("tg-arrived/%d/%d", m.Chat.ID, m.Date)
		if a.seen.Add(id, struct{}{}) {
			a.spawn(func() { a.greet(id, m) })
		}
	}
}

// onLeft has the tables of a group go on without somebody who isn't there any more, as one whom Telegram names saw to: themselves, or an
// admin. It may say so twice. Where it says so late it is asked whether they are back: they may play since.
func (a *Adapter) onLeft(group int64, who, by *user, date int64) {
	switch {
	case who.IsBot || group >= 0:
	case a.age(date) <= memberFor:
		a.left(group, who, by, date)
	default: // To ask takes a while, in which nothing waits for it: of many it may be told at once.
		a.asking.Put(who.ID, a.spawn, func() {
			defer a.Recover()
			if a.Life.Err() != nil {
				return
			}
			if back, _ := a.members.of(who.ID)(a.Life, community(group)); !back {
				a.left(group, who, by, date)
			}
		})
	}
}

// left tells the bot that somebody isn't in a group any more.
func (a *Adapter) left(group int64, who, by *user, date int64) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.Life), handleTime)
	defer cancel()
	a.members.known.Set(seat{group, who.ID}, membership{at: time.Now()})
	r := chat.Request{ID: fmt.Sprintf("tg-left/%d/%d/%d", group, who.ID, date), Who: who.person(), In: placeOf(group), Kind: chat.Left}
	if by != nil && by.ID != who.ID {
		r.Data, r.By = chat.Expelled, by.byPerson()
	}
	a.out.showFor(r.In.Community, a.bot.Handle(ctx, r))
}

// greetAfter is how long a greeting waits. Telegram reports a supergroup that was a group as if the bot had been added to it. That it
// was a group may come later.
const greetAfter = 2 * time.Second

// greet tells the bot that it was added to a group.
func (a *Adapter) greet(id string, m *memberChange) {
	timer := time.NewTimer(greetAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-a.Closing:
	}
	a.out.regret(m)
	if _, known := a.seen.Get(upgraded(m.Chat.ID)); !known && !m.From.IsBot {
		a.ask(incoming{Request: chat.Request{ID: id, Who: m.From.person(), In: placeOf(m.Chat.ID), Kind: chat.Arrived}})
	}
}

// incoming is a request to the bot, with what an answer needs.
type incoming struct {
	chat.Request
	// query is the ID of the press to answer, empty for a command; at is when it was made.
	query string
	at    time.Time
	// message is the message of the command, for a reply; whispered is, if it is an ephemeral one: only the bot reads it, and only whoever
	// wrote it the answer. Ephemeral is the message that was pressed, if it is an ephemeral one.
	message, whispered, ephemeral int64
	// private says that it was asked in the private chat with the bot, wherever the table is.
	private bool
	// channel says that a channel speaks, which can't press buttons.
	channel bool
	// bears says that what was pressed stands on a button of the message.
	bears bool
	// admission is whether the answer may be written to the group.
	admission *admission
}

// typed says that it is a command.
func (i incoming) typed() bool { return i.message != 0 || i.whispered != 0 }
