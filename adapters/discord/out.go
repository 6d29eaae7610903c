package discord

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// delivery is what the bot has to say at once.
type delivery struct {
	posts []chat.Post
	// ans is the answer that goes with the first of the posts it can; nil if none is waited for.
	ans *answer
	// id names what happened, so that a post that is sent twice is shown once.
	id string
	// by is the person who has caused it; 0 is nobody.
	by int64
}

// sender shows what the bot says.
type sender struct {
	*core
	boards boards
	// redrawing is held by whoever draws boards again.
	redrawing turn
	// out are the lanes of what waits to be shown and is no board.
	out *outbox.Lanes[chat.Ref]
	// talks are the texts that wait there.
	talks talks
	// remarks are the newest lines and panels that were for one person alone.
	remarks *outbox.Memory[hearer, remark]
	// saying is how many of these are on their way.
	saying atomic.Int64
	// lasting is how many messages wait to be tried again.
	lasting atomic.Int64
	// notices is what was said once.
	notices *outbox.Memory[notice, struct{}]
	// refusing are the channels that took nothing when something was sent there last, and since when nothing was heard of them.
	refusing *outbox.Memory[int64, time.Time]
	// chats are the private chats of people, by their numbers.
	chats *outbox.Memory[int64, string]
	// seeking are the lanes of servers in which it is asked for what may be gone.
	seeking *outbox.Lanes[int64]
	// wordsUntil are the channels that take no pictures, and until when none is tried there.
	wordsUntil *outbox.Memory[int64, wordsTime]
}

// maxDirect is of how many people it is remembered which chat they have with the bot.
const maxDirect = 4096

// maxUnread is how many private messages may wait for one reader, or answers for one who asks in a channel.
const maxUnread = 16

// maxNotices is of how many channels it is remembered what was said or what they take.
const maxNotices = 1024

func newSender(c *core) *sender {
	return &sender{
		core: c, redrawing: make(turn, 1), out: outbox.NewLanes[chat.Ref](maxWaiting, 0), notices: outbox.NewMemory[notice, struct{}](maxNotices),
		chats:      outbox.NewMemory[int64, string](maxDirect),
		remarks:    outbox.NewMemory[hearer, remark](maxRemarks),
		refusing:   outbox.NewMemory[int64, time.Time](maxBoards),
		seeking:    outbox.NewLanes[int64](maxWaiting, 1),
		wordsUntil: outbox.NewMemory[int64, wordsTime](maxNotices), boards: boards{tables: outbox.NewMemory[string, *board](maxBoards)},
	}
}

// respond shows what the bot said to one who waits. An interaction is answered by one call, which says the first that there
// is of: a message for that person alone; a refusal, or what happened where no board shows it; the new board. The rest
// follows by other calls. After a refusal the board is sent only if that picture wasn't shown yet, which is seldom: whoever
// moved has caused that. A refused press on a message that isn't the board, or is behind, is answered as one that isn't refused, and the remark follows.
func (s *sender) respond(ans *answer, r chat.Request, resp chat.Response) {
	s.heardFrom(ans.place)
	s.checkFiles(ans.place, ans)
	ans.done, ans.beside = cmp.Or(resp.Done, resp.Toast), resp.TooFast
	me := s.self()
	var private, closing []body
	var posts []chat.Post
	table, personal := "", false
	for _, p := range resp.Posts {
		switch {
		case p.To == nil || p.Direct:
			posts = append(posts, p)
			table = cmp.Or(table, p.Table)
		case p.To.ID == r.Who.ID && p.Edit != "":
			closing = append(closing, me.pages(p)...)
		case p.To.ID == r.Who.ID:
			pages := me.pages(p)
			pages[len(pages)-1].lead(p)
			private = append(private, pages...)
			personal = p.Open == chat.Personal && ans.on != ""
		default:
			s.log.Debug("a post for somebody who isn't asking", "request", r.ID)
		}
	}
	boards := table != ""
	hasRemark := resp.Toast != "" && (resp.Alert || !boards)
	if !hasRemark { // A remark stands where the question stood, and says the same.
		private = append(closing, private...)
	} else {
		private = append([]body{me.note(resp.Toast)}, private...)
	}
	d := delivery{posts: posts, id: r.ID, by: r.Who.ID}
	pressed := ans.on != "" && !ans.private
	switch {
	case len(private) > 0 && boards && pressed && (ans.place.Guest || s.boards.isPast(table, ans.on)): // The board comes first.
		ans.whenDone(func() {
			if ref := s.boards.refOf(table); ref != ans.on {
				private[0].addLine(ans.linkTo(ref))
			}
			s.sendPrivately(ans, private)
		})
		d.ans = ans
	case len(private) == 1 && (hasRemark || personal) && (!ans.private || ans.beside):
		s.saying.Add(1)
		s.beginFor(r.In.Community, func() {
			defer s.saying.Add(-1)
			s.sendPrivately(ans, private)
			s.replaceRemark(ans, personal)
		})
	case len(private) > 0:
		s.beginFor(r.In.Community, func() { s.sendPrivately(ans, private) })
	case boards, ans.on == "" && len(posts) > 0:
		d.ans = ans
	default:
		s.beginFor(r.In.Community, func() { s.closeQuestion(ans, ans.on) })
	}
	s.deliver(d)
}

// sendPrivately says something to the one who waits and to nobody else. On a message of their own it takes its place, unless
// that is to stay.
func (s *sender) sendPrivately(ans *answer, pages []body) {
	for i, b := range pages {
		b.Flags = discordgo.MessageFlagsEphemeral
		var err error
		say := func() error {
			if i == 0 && ans.private && !ans.beside && b.file == nil { // What a file is about stays above it.
				b.Flags = 0
				return ans.update(b)
			}
			_, err := ans.send(b, false)
			return err
		}
		hasFile := b.file != nil || b.picture != nil
		if b.picture != nil && s.takesWords(ans.place) || hasFile && s.barsFiles(ans.place) {
			b, hasFile = s.withoutFile(b, ans.lang), false
		}
		if err = say(); hasFile && refusesFile(err) {
			if hasCode(err, codeNoPermission) {
				s.describePictures(ans.place)
			}
			b = s.withoutFile(b, ans.lang)
			err = say()
		}
		if err != nil {
			s.log.Warn("something was not said", "request", chat.RequestOf(ans.life), "error", err)
			return
		}
	}
}

// closeQuestion answers that there is nothing to say. A message that means nothing any more, being of a question that was
// answered or of a board that stands in ref instead, loses its buttons; one that bears another table's board keeps them.
func (s *sender) closeQuestion(ans *answer, ref chat.Ref) {
	if ans.on == "" {
		s.sendLink(ans, "", nil)
		return
	}
	if ans.private || ref != "" && ans.on != ref && !s.boards.shows(ans.on) {
		if err := ans.update(body{Components: &[]discordgo.ActionsRow{}}); err == nil || errors.Is(err, errLate) {
			return
		}
	}
	ans.acknowledge()
}

// sendLink answers a command by a link to the message that shows what it has done.
func (s *sender) sendLink(ans *answer, ref chat.Ref, err error) {
	text := "👌"
	if link := ans.linkTo(ref); link != "" && err == nil {
		text = link
	}
	if ans.done != "" {
		text = strings.TrimSuffix(*s.self().note(ans.done).Content+" "+text, " 👌")
	}
	b := body{Content: &text, Flags: discordgo.MessageFlagsEphemeral}
	if _, err := ans.send(b, false); err != nil {
		s.log.Debug("a command was not answered", "request", chat.RequestOf(ans.life), "error", err)
	}
}

// linkTo is a line that leads to a message; empty where none is known, or nothing leads to it.
func (ans *answer) linkTo(ref chat.Ref) string {
	if _, message := splitRef(ref); message == "" || ans.place.Private {
		return ""
	}
	guild := strconv.FormatInt(ans.place.Community.ID, 10)
	if ans.place.Guest && ans.place.Community.ID == ans.place.Channel { // An old server's first channel has its ID, too.
		guild = "@me"
	}
	return fmt.Sprintf("→ https://discord.com/channels/%s/%s", guild, ref)
}

// deliver has everything shown, and doesn't wait for it.
func (s *sender) deliver(d delivery) {
	ans, answers := d.ans, chat.Ref("")
	for i, p := range d.posts {
		switch {
		case p.Direct && p.In.Community.Platform == chat.Discord && s.out.In(laneOfReader(p.To.ID)) >= maxUnread:
			s.log.Debug("somebody isn't told in private what they can't have read so fast", "request", p.Request)
		case p.Direct && p.In.Community.Platform == chat.Discord:
			s.queue(p.In.Community, laneOfReader(p.To.ID), func() { s.direct(p) }, nil)
		case p.In.Community.Platform != chat.Discord || p.To != nil:
		case p.Table != "":
			var old *chat.Post
			if i > 0 && d.posts[i-1].Table == "" && d.posts[i-1].Edit != "" && p.Edit == "" {
				old = &d.posts[i-1]
			}
			s.present(p, ans, old)
			ans = nil
		case p.Edit != "":
			if next := i + 1; next == len(d.posts) || d.posts[next].Table == "" || d.posts[next].Edit != "" {
				s.queue(p.In.Community, p.Edit, func() { s.removeButtons(p) }, nil)
			}
		default:
			carrier := ans
			if carrier != nil && carrier.on != "" {
				carrier = nil // A board follows that needs it more.
			}
			if carrier != nil && s.out.In(laneOfAnswers(carrier)) >= maxUnread { // They ask faster than it can be told.
				full := carrier
				s.beginFor(p.In.Community, func() { s.closeQuestion(full, full.on) })
				ans, carrier = nil, nil
				if !isMere(p) {
					s.log.Debug("somebody isn't told what they have asked for too often", "request", p.Request)
					continue
				}
			}
			lane, instead := cmp.Or(answers, laneOfPosts(p.In)), func() {} // What is said at once goes in its order.
			if carrier != nil {
				lane, answers, ans = laneOfAnswers(carrier), laneOfAnswers(carrier), nil
				instead = func() { s.closeQuestion(carrier, carrier.on) }
			}
			said := &p
			if carrier == nil && d.by != 0 && isMere(p) {
				who := talk{laneOfPosts(p.In), d.by}
				if s.talks.join(who, said) {
					continue
				}
				instead = func() { s.talks.take(who, said) }
			}
			if carrier == nil && d.by == 0 && p.Receipt != "" && len(p.Mention) == 0 {
				pause := time.Until(s.rest.limits.spare(time.Now()))
				s.later(pause, p.In, func() {}, func() { s.post(saying{post: p, lasts: true}, nonce(d.id, i)) })
				continue
			}
			s.queue(p.In.Community, lane, func() {
				p := s.talks.take(talk{laneOfPosts(p.In), d.by}, said)
				s.post(saying{post: p, ans: carrier, lasts: lasts(p, d.by)}, nonce(d.id, i))
			}, instead)
		}
	}
	if ans != nil {
		s.beginFor(ans.place.Community, func() { s.closeQuestion(ans, ans.on) })
	}
}

// laneOfReader is where what is for somebody's private chat waits: nobody waits there for others.
func laneOfReader(user int64) chat.Ref { return chat.Ref("direct/" + strconv.FormatInt(user, 10)) }

// laneOfAnswers is where what somebody has asked for in a channel waits, as it goes with an answer of theirs: it takes nothing of what the
// channel allows, and nobody waits there for others.
func laneOfAnswers(ans *answer) chat.Ref {
	return chat.Ref(strconv.FormatInt(ans.place.Channel, 10) + "/answers/" + strconv.FormatInt(ans.who, 10))
}

// laneOfPosts is where the messages of a channel wait that are no boards.
func laneOfPosts(p chat.Place) chat.Ref { return chat.Ref(strconv.FormatInt(p.Channel, 10) + "/posts") }

// queue does something for a community in the order of a message's or channel's other things; or instead, if not nil, where the
// community was left before its turn.
func (s *sender) queue(to chat.Community, ref chat.Ref, do, instead func()) {
	begin := func(do func()) bool { s.Begin(do); return true }
	one := s.errands.add(to)
	put := s.out.Put(ref, begin, func() {
		defer s.Recover()
		defer one.end()
		switch {
		case one.start():
			do()
		case instead != nil:
			instead()
		}
	})
	if !put {
		one.end()
		s.log.Warn("a post was dropped: too many wait")
		if instead != nil {
			s.beginFor(to, instead)
		}
	}
}

// nonce is at most 25 characters that stand for one post of what happened.
func nonce(id string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", id, n))
	return base32.HexEncoding.EncodeToString(sum[:15])
}

// post shows a message that is no board: as the answer of a command that waits, or in its channel. There stands, too, what lasts and can't be
// answered any more.
func (s *sender) post(m saying, nonce string) {
	m.body, m.began = s.draw(m.post), time.Now()
	m.body.hush(m.post)
	if m.body.Components != nil && len(*m.body.Components) == 0 {
		m.body.Components = nil
	}
	if m.ans != nil {
		switch _, err := m.ans.send(m.body, false); {
		case errors.Is(err, errDeferred):
			defer m.ans.deleteDeferred()
		case err == nil || !m.lasts || m.ans.alive():
			s.onError(m.post.In, m.ans, err)
			return
		}
	}
	m.body.Nonce = nonce
	s.sayIn(m)
}

// postIn makes a new message in a post's channel, or, where the bot has no rights there, after the press of somebody who has.
func (s *sender) postIn(p chat.Post, b body) (id string, err error) {
	b.hush(p)
	if err = errGuest; !p.In.Guest {
		id, err = s.rest.post(s.during(p.Request), strconv.FormatInt(p.In.Channel, 10), b)
	}
	if err == nil {
		s.takes(p.In)
	}
	if !closed(err) {
		return id, err
	}
	if way, ok := s.boards.accessIn(p.In); ok {
		b.Nonce, b.channel = "", strconv.FormatInt(p.In.Channel, 10)
		if id, failed := s.rest.follow(s.during(p.Request), way.app, way.token, b); failed == nil {
			return id, nil
		}
	}
	return "", err
}

// removeButtons shows a message once more, without buttons, or takes it away if that is meant. That it is gone is as well.
func (s *sender) removeButtons(p chat.Post) {
	channel, id := splitRef(p.Edit)
	if id == "" || p.In.Guest {
		return
	}
	b := body{Components: &[]discordgo.ActionsRow{}}
	if p.Table != "" {
		b.of = &p.In.Community
	}
	if p.Delete {
		err := s.rest.delete(s.during(p.Request), channel, id, b.of)
		if err == nil || hasCode(err, codeUnknownMessage, codeUnknownChannel) {
			return
		}
	} else {
		p, ok := p.Drawn()
		if !ok {
			return
		}
		p.Choices, p.Buttons, p.Picture = nil, nil, nil
		b = s.self().render(p)
		b.Attachments = nil // Its picture stays.
	}
	b.spare = true
	err := s.rest.edit(s.during(p.Request), channel, id, b)
	if err != nil && !hasCode(err, codeUnknownMessage, codeUnknownChannel, codeNotOurs) {
		s.log.Debug("an old message keeps its buttons", "channel", channel, "error", err)
	}
}

// show brings a picture to where it belongs, or, where that takes no files, what it shows in words, and says in which
// message it stands.
func (s *sender) show(b *board, l outbox.Sending[time.Time], carrier *answer) (chat.Ref, error) {
	in := l.Post.In
	s.checkFiles(in, carrier)
	var ok bool
	if l.Post, ok = l.Post.Drawn(); !ok {
		s.onError(in, carrier, errUndrawn)
		return l.Ref, errUndrawn
	}
	content := s.draw(l.Post)
	content.countDown(l.Drawn)
	ref, err := s.place(b, l, carrier, content)
	if content.picture != nil && s.describes(b, err) {
		failed := err
		content = s.draw(l.Post)
		content.countDown(l.Drawn)
		if ref, err = s.place(b, l, carrier, content); err == nil && !s.barsFiles(in) {
			s.log.Warn("Discord doesn't take a picture: it is described in words", "channel", in.Channel, "chat", in.Community, "error", failed)
		}
	}
	switch {
	case err != nil:
		s.onError(in, carrier, err)
		if !s.barsFiles(in) {
			s.wordsUntil.Drop(in.Channel) // It isn't for the pictures.
		}
	case content.picture != nil:
		s.wordsUntil.Drop(in.Channel)
	case l.Post.Picture != nil && !l.Post.Picture.Spare && s.barsFiles(in):
		s.explainWords(in, carrier)
	}
	return ref, err
}

// place brings what is drawn to where it belongs, and says in which message it stands.
func (s *sender) place(b *board, l outbox.Sending[time.Time], carrier *answer, content body) (chat.Ref, error) {
	ref := l.Ref
	if carrier != nil {
		where, err := s.sendAsAnswer(b, l, carrier, content)
		switch {
		case err == nil:
			s.boards.changed(b)
			return where, nil
		case hasCode(err, codeUnknownMessage):
			ref = ""
		case content.picture != nil && refusesFile(err):
			return ref, err
		case ref != "" && maybeHeard(err):
			s.boards.doubt(b)
		}
	}
	left := false
	if channel, id := splitRef(ref); id != "" {
		err := s.edit(b, &l.Post, ref, content)
		if err == nil {
			s.boards.changed(b)
			s.acknowledge(carrier)
			return ref, nil
		}
		switch verdict := verdictOn(err); {
		case verdict == stale, s.boards.fails(b, err), // A new message opens the thread where somebody plays.
			verdict == shut && (carrier != nil || s.boards.wasPressed(b)):
			left = hasCode(err, codeOldMessage) || verdict != stale
		default:
			return ref, fmt.Errorf("edit a board in channel %s: %w", channel, err)
		}
	}
	content.Nonce = nonce(b.table, int(l.Post.Level))
	channel := strconv.FormatInt(l.Post.In.Channel, 10)
	id, err := s.postIn(l.Post, content)
	switch {
	case err != nil && left:
		return ref, fmt.Errorf("post a board in channel %s instead of an older one: %w", channel, err)
	case err != nil:
		return "", fmt.Errorf("post a board in channel %s: %w", channel, err)
	case left:
		old := l.Post
		old.Edit = ref
		s.queue(old.In.Community, ref, func() { s.removeButtons(old) }, nil)
	}
	s.acknowledge(carrier)
	return newRef(channel, id), nil
}

// sendAsAnswer shows a picture as the answer to a press or a command.
func (s *sender) sendAsAnswer(b *board, l outbox.Sending[time.Time], ans *answer, content body) (chat.Ref, error) {
	ref := l.Ref
	old := ref != "" && ans.age > oldBoard
	var err error
	if ref == "" || old {
		ref, err = s.sendNew(ans, l.Post, content)
	} else if err = ans.update(content); hasCode(err, codeUnknownMessage) {
		ref, err = s.sendNew(ans, l.Post, content) // Somebody deleted it while it was pressed.
	}
	if err != nil {
		return "", err
	}
	original := ref
	if !ans.isOwn() { // What followed later is another message.
		original = ans.on
	}
	s.boards.keepAccess(b, access{
		app: ans.app, token: ans.token, ref: original, until: ans.born.Add(tokenLife), follows: maxFollows,
	})
	if ans.on == "" {
		s.checkRights(ans)
	}
	if old {
		last := l.Post
		last.Edit = l.Ref
		s.queue(last.In.Community, l.Ref, func() { s.removeButtons(last) }, nil)
	}
	return ref, nil
}

// sendNew answers by a new message for everybody, and says which.
func (s *sender) sendNew(ans *answer, p chat.Post, content body) (chat.Ref, error) {
	content.hush(p)
	id, err := ans.send(content, true)
	if err == nil && number(id) == 0 {
		err = errOdd
	}
	return newRef(strconv.FormatInt(ans.place.Channel, 10), id), err
}

// edit shows a post's picture in the message that bears it: by the channel, or where the bot has no rights there, or Discord fails to, by the
// token of whoever pressed last.
func (s *sender) edit(b *board, p *chat.Post, ref chat.Ref, content body) error {
	err := errGuest
	if !p.In.Guest {
		channel, id := splitRef(ref)
		err = s.rest.edit(s.during(p.Request), channel, id, content)
	}
	if err == nil {
		s.takes(p.In)
	}
	way, ok := s.boards.access(b, ref)
	if !ok || !closed(err) && !broken(err) {
		return err
	}
	switch other := s.rest.editOriginal(s.during(p.Request), way.app, way.token, content); {
	case other == nil:
		return nil
	case maybeHeard(other):
		s.boards.doubt(b)
	}
	return err
}

// acknowledge answers one to whom something was shown otherwise than by the answer; nil is nobody.
func (s *sender) acknowledge(ans *answer) {
	switch {
	case ans == nil:
	case ans.on != "":
		ans.acknowledge()
	case ans.isDeferred():
		ans.deleteDeferred()
	}
}

// direct brings a post to the private chat of its reader, with a link to the message that it is about. The bot is told where
// that can't be done, now or at all.
func (s *sender) direct(p chat.Post) {
	ctx := s.during(p.Request)
	err := s.sendDirect(ctx, p)
	if err == nil {
		return
	}
	kind := chat.Missed
	if verdictOn(err) == unreached {
		kind = chat.Unreached
	} else if s.Life.Err() == nil {
		s.chats.Drop(p.To.ID)
		s.log.Warn("somebody was not told in private", "request", p.Request, "error", err)
	}
	id := s.nextID()
	resp := s.ask(chat.Request{ID: id, In: p.In, Kind: kind, Data: p.Receipt})
	s.deliver(delivery{posts: resp.Posts, id: id})
}

func (s *sender) sendDirect(ctx context.Context, p chat.Post) (err error) {
	channel, known := s.chats.Get(p.To.ID)
	if !known {
		if channel, err = s.rest.open(ctx, p.To.ID); err != nil {
			return fmt.Errorf("open a chat: %w", err)
		}
		s.chats.Set(p.To.ID, channel)
	}
	b := s.self().render(p)
	b.lead(p)
	b.Components, b.Nonce = nil, nonce(p.Receipt+" "+p.Request, 0)
	b.hush(p)
	_, err = s.rest.post(ctx, channel, b)
	return err
}

// lead adds to a rendered post a link to the message that it is about, if there is one. It isn't text that anybody has written, so nothing
// in it is escaped: else it would lead nowhere.
func (b *body) lead(p chat.Post) {
	if _, message := splitRef(p.About); message != "" && !p.In.Private {
		text := fmt.Sprintf("%s\nhttps://discord.com/channels/%d/%s", *b.Content, p.In.Community.ID, p.About)
		b.Content = &text
	}
}
