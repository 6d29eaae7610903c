package discord

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
)

// delivery is what the bot has to say at once.
type delivery struct {
	posts []bot.Post
	// ans is the answer that goes with the first of the posts it can; nil if none is waited for.
	ans *answer
	// id names what happened, so that a post that is sent twice is shown once.
	id string
}

// respond shows what the bot said to one who waits. The first answer is the one call per press, and what it says is
// the first there is of: a message for that person alone; a refusal, or what happened where no board shows it; the new
// board. What is left goes other ways: after a refusal the board is sent only if nobody showed that picture yet, which
// is seldom, since whoever moved did.
func (a *Adapter) respond(ans *answer, r bot.Request, resp bot.Response) {
	var private []body
	var posts []bot.Post
	boards := false
	for _, p := range resp.Posts {
		switch {
		case p.To == nil:
			posts = append(posts, p)
			boards = boards || p.Table != ""
		case p.To.ID == r.Who.ID:
			private = append(private, pages(p)...)
		default:
			a.log.Debug("a post for somebody who isn't asking", "request", r.ID)
		}
	}
	told := resp.Toast != "" && (resp.Alert || !boards)
	if told {
		private = append([]body{note(resp.Toast)}, private...)
	}
	d := delivery{posts: posts, id: r.ID}
	switch {
	case len(private) > 0 && boards && ans.on != "" && ans.place.Guest: // There is no other way to the board.
		ans.afterwards(func() { a.whisper(ans, private) })
		d.ans = ans
	case len(private) > 0:
		a.begin(func() { a.whisper(ans, private) })
	case boards, ans.on == "" && len(posts) > 0:
		d.ans = ans
	default:
		a.begin(func() { a.dismiss(ans, ans.on) })
	}
	a.deliver(d)
}

// whisper says something to the one who waits and to nobody else. On a message of their own it takes its place.
func (a *Adapter) whisper(ans *answer, pages []body) {
	for i, b := range pages {
		b.Flags = discordgo.MessageFlagsEphemeral
		var err error
		if i == 0 && ans.private {
			b.Flags = 0
			err = ans.update(b)
		} else {
			_, err = ans.send(b, false)
		}
		if err != nil {
			a.log.Warn("something was not said", "request", bot.RequestOf(ans.life), "error", err)
			return
		}
	}
}

// dismiss answers that there is nothing to say. A message that means nothing any more, being of a question that was
// answered or of a board that stands in ref instead, loses its buttons; one that bears another table's board keeps them.
func (a *Adapter) dismiss(ans *answer, ref bot.Ref) {
	if ans.on == "" {
		a.point(ans, "", nil)
		return
	}
	if ans.private || ref != "" && ans.on != ref && !a.boards.bear(ans.on) {
		if err := ans.update(body{Components: &[]discordgo.ActionsRow{}}); err == nil || errors.Is(err, errLate) {
			return
		}
	}
	ans.quiet()
}

// point answers a command whose doing is seen on a message elsewhere, by the way there.
func (a *Adapter) point(ans *answer, ref bot.Ref, err error) {
	text := "👌"
	if _, message := splitRef(ref); message != "" && err == nil && !ans.place.Private {
		guild := strconv.FormatInt(ans.place.Community.ID, 10)
		if ans.place.Guest && ans.place.Community.ID == ans.place.Channel { // An old server's first channel has its ID, too.
			guild = "@me"
		}
		text = fmt.Sprintf("→ https://discord.com/channels/%s/%s", guild, ref)
	}
	b := body{Content: &text, Flags: discordgo.MessageFlagsEphemeral}
	if _, err := ans.send(b, false); err != nil {
		a.log.Debug("a command was not answered", "request", bot.RequestOf(ans.life), "error", err)
	}
}

// deliver has everything shown, and doesn't wait for it.
func (a *Adapter) deliver(d delivery) {
	ans := d.ans
	for i, p := range d.posts {
		switch {
		case p.In.Community.Platform != bot.Discord || p.To != nil:
		case p.Table != "":
			var old *bot.Post
			if i > 0 && d.posts[i-1].Table == "" && d.posts[i-1].Edit != "" && p.Edit == "" {
				old = &d.posts[i-1]
			}
			a.present(p, ans, old)
			ans = nil
		case p.Edit != "":
			if next := i + 1; next == len(d.posts) || d.posts[next].Table == "" || d.posts[next].Edit != "" {
				a.queue(p.Edit, func() { a.strip(p) })
			}
		default:
			carrier := ans
			if carrier != nil && carrier.on != "" {
				carrier = nil // A board follows that needs it more.
			}
			a.queue(bot.Ref(strconv.FormatInt(p.In.Channel, 10)+"/posts"), func() { a.post(p, carrier, nonce(d.id, i)) })
			if carrier != nil {
				ans = nil
			}
		}
	}
	if ans != nil {
		a.begin(func() { a.dismiss(ans, ans.on) })
	}
}

// queue does something in the order of a message's or channel's other things.
func (a *Adapter) queue(ref bot.Ref, do func()) {
	begin := func(do func()) bool { a.begin(do); return true }
	if !a.lanes.put(begin, outLane+string(ref), func() { defer a.recover(); do() }) {
		a.log.Warn("a post was dropped: too many wait")
	}
}

// nonce is at most 25 characters that stand for one post of what happened.
func nonce(id string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", id, n))
	return base32.HexEncoding.EncodeToString(sum[:15])
}

// post shows a message that is no board: as the answer of a command that waits, or in its channel.
func (a *Adapter) post(p bot.Post, ans *answer, nonce string) {
	b := a.draw(p)
	if ans != nil {
		if _, err := ans.send(b, false); !errors.Is(err, errHeld) {
			a.undelivered(p.In, ans, err)
			return
		}
		defer ans.retract()
	}
	b.Nonce = nonce
	if b.Components != nil && len(*b.Components) == 0 {
		b.Components = nil
	}
	if _, err := a.postIn(p, b); err != nil {
		a.undelivered(p.In, ans, err)
	}
}

// errGuest is a place where the bot is no member, and nobody has asked anything lately that could be answered.
var errGuest = errors.New("the bot is a guest here, and nobody has asked it anything")

// postIn makes a new message in a post's channel, or, where the bot has no rights there, after the press of somebody who has.
func (a *Adapter) postIn(p bot.Post, b body) (id string, err error) {
	if err = errGuest; !p.In.Guest {
		id, err = a.rest.post(a.during(p.Request), strconv.FormatInt(p.In.Channel, 10), b)
	}
	if !barred(err) {
		return id, err
	}
	if way, ok := a.boards.reachIn(p.In); ok {
		b.Nonce = ""
		if id, failed := a.rest.follow(a.during(p.Request), way.app, way.token, b); failed == nil {
			return id, nil
		}
	}
	return "", err
}

// strip shows a message once more, without buttons. That it is gone is as well.
func (a *Adapter) strip(p bot.Post) {
	channel, id := splitRef(p.Edit)
	if id == "" || p.In.Guest {
		return
	}
	p.Choices, p.Buttons, p.Picture = nil, nil, nil
	b := render(p)
	b.Attachments = nil // Its picture stays.
	err := a.rest.edit(a.during(p.Request), channel, id, b)
	if err != nil && !hasCode(err, codeUnknownMessage, codeUnknownChannel, codeNotOurs) {
		a.log.Debug("an old message keeps its buttons", "channel", channel, "error", err)
	}
}

// show brings a picture to where it belongs, or, where that takes no files, what it shows in words, and says in which
// message it stands.
func (a *Adapter) show(b *board, l load, carrier *answer) (bot.Ref, error) {
	in := l.post.In
	a.checkFiles(in, carrier)
	content := a.draw(*l.post)
	content.countDown(l.ends)
	ref, err := a.bring(b, l, carrier, content)
	if content.picture != nil && hasCode(err, codeNoPermission) {
		a.describe(in)
		content = a.draw(*l.post)
		content.countDown(l.ends)
		ref, err = a.bring(b, l, carrier, content)
	}
	switch {
	case err != nil:
		a.undelivered(in, carrier, err)
	case l.post.Picture != nil && content.picture == nil:
		a.tellWords(in, carrier)
	}
	return ref, err
}

// bring brings what is drawn to where it belongs, and says in which message it stands.
func (a *Adapter) bring(b *board, l load, carrier *answer, content body) (bot.Ref, error) {
	ref := l.ref
	if carrier != nil {
		where, err := a.carry(b, l, carrier, content)
		switch {
		case err == nil:
			return where, nil
		case hasCode(err, codeUnknownMessage):
			ref = ""
		case content.picture != nil && hasCode(err, codeNoPermission):
			return ref, err
		}
	}
	if channel, id := splitRef(ref); id != "" {
		err := a.edit(b, l.post, ref, content)
		switch {
		case err == nil:
			a.settle(carrier)
			return ref, nil
		case hasCode(err, codeOldMessage):
			old := *l.post
			old.Edit = ref
			a.queue(ref, func() { a.strip(old) })
		case !hasCode(err, codeUnknownMessage, codeNotOurs):
			return ref, fmt.Errorf("edit a board in channel %s: %w", channel, err)
		}
	}
	content.Nonce = nonce(b.table, int(l.post.Level))
	channel := strconv.FormatInt(l.post.In.Channel, 10)
	id, err := a.postIn(*l.post, content)
	if err != nil {
		return "", fmt.Errorf("post a board in channel %s: %w", channel, err)
	}
	a.settle(carrier)
	return newRef(channel, id), nil
}

// carry shows a picture as the answer to a press or a command.
func (a *Adapter) carry(b *board, l load, ans *answer, content body) (bot.Ref, error) {
	ref := l.ref
	old := ref != "" && ans.age > oldBoard
	var err error
	if ref == "" || old {
		var id string
		if id, err = ans.send(content, true); err == nil {
			ref = newRef(strconv.FormatInt(l.post.In.Channel, 10), id)
		}
	} else if err = ans.update(content); hasCode(err, codeUnknownMessage) {
		var id string // Somebody deleted it while it was pressed.
		if id, err = ans.send(content, true); err == nil {
			ref = newRef(strconv.FormatInt(l.post.In.Channel, 10), id)
		}
	}
	if err != nil {
		return "", err
	}
	a.boards.reached(b, reach{
		app: ans.app, token: ans.token, ref: ref, until: ans.born.Add(tokenLife), follows: maxFollows,
	})
	if ans.on == "" {
		a.checkRights(ans)
	}
	if old {
		last := *l.post
		last.Edit = l.ref
		a.queue(l.ref, func() { a.strip(last) })
	}
	return ref, nil
}

// edit shows a post's picture in the message that bears it: by the channel, or where the bot has no rights there, by the
// token of whoever pressed last.
func (a *Adapter) edit(b *board, p *bot.Post, ref bot.Ref, content body) error {
	err := errGuest
	if !p.In.Guest {
		channel, id := splitRef(ref)
		err = a.rest.edit(a.during(p.Request), channel, id, content)
	}
	way, ok := a.boards.reach(b, ref)
	if ok && barred(err) && a.rest.editOriginal(a.during(p.Request), way.app, way.token, content) == nil {
		return nil
	}
	return err
}

// settle answers one whose answer went another way; nil is nobody.
func (a *Adapter) settle(ans *answer) {
	switch {
	case ans == nil:
	case ans.on != "":
		ans.quiet()
	case ans.isHeld():
		ans.retract()
	}
}
