package discord

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// believeAfter is for how long Discord has to refuse a place before it is believed that the place is gone.
const believeAfter = time.Hour

// notice is something that is said once for each channel.
type notice struct {
	channel int64
	key     string
}

// onError does what can be done about a post that didn't get through; nil is none. Who waits is told in words.
func (s *sender) onError(p chat.Place, ans *answer, err error) {
	switch {
	case err == nil || s.Life.Err() != nil:
	case closed(err) && s.isGone(p):
	case verdictOn(err) == barred || verdictOn(err) == unreached:
		s.noRights(p, ans, err)
		return
	case s.isNews(p):
		s.log.Warn("a post was not shown", "channel", p.Channel, "chat", p.Community, "error", err)
	default:
		s.log.Debug("a post was not shown", "channel", p.Channel, "error", err)
	}
	s.acknowledge(ans)
}

// isNews notes that a place refuses what is sent there, and reports whether that is new.
func (s *sender) isNews(p chat.Place) bool { return s.refusing.Add(p.Channel, time.Now()) }

// isGone finds out whether a place from which a refusal came is there no more, and has the bot told so. One refusal isn't believed:
// the gateway must say it, too, or, when nothing was heard of the place for an hour, Discord as an answer to just that question.
func (s *sender) isGone(p chat.Place) bool {
	if p.Guest {
		return false // It never was the bot's, and can't be lost.
	}
	since, refuses := s.refusing.Get(p.Channel)
	asks := refuses && time.Since(since) >= believeAfter
	member, known := s.guilds.member(p.Community.ID)
	switch {
	case !p.Private && known && !member, !p.Private && !known && asks && s.askMembership(s.Life, p.Community.ID):
		s.reportGone(chat.Place{Community: p.Community})
	case asks && s.rest.hasVanished(s.Life, p.Channel):
		s.reportGone(p)
	default:
		return false
	}
	return true
}

// heardFrom notes that somebody did something in a place, so that it is there.
func (s *sender) heardFrom(p chat.Place) {
	if _, refuses := s.refusing.Get(p.Channel); refuses {
		s.refusing.Set(p.Channel, time.Now())
		s.retryHeld(p)
	}
}

// takes notes that a place takes what is sent there; what it has refused before may be taken, too.
func (s *sender) takes(p chat.Place) {
	if _, refuses := s.refusing.Get(p.Channel); !refuses {
		return
	}
	if s.retryHeld(p) {
		s.refusing.Set(p.Channel, time.Now())
	} else {
		s.refusing.Drop(p.Channel)
	}
}

// noRights says, once for each channel, that the bot may not write there: in the log, and to the one who waits.
func (s *sender) noRights(p chat.Place, ans *answer, err error) {
	if !p.Guest && s.isNews(p) {
		s.logRights(p, err)
	}
	if ans != nil {
		key := sayRights
		if p.Guest {
			key = sayGuest
		}
		s.Begin(func() { s.sendPrivately(ans, []body{s.self().note(s.say(key, ans.lang))}) })
	}
}

func (s *sender) logRights(p chat.Place, err error) {
	s.log.Warn("no permission to write in a channel: let the bot view it and send messages there, in threads too, and join it where it is a voice channel",
		"channel", p.Channel, "chat", p.Community, "error", err)
}

// checkRights tells the one who opened a table what the bot will not be able to do there; of a place where it is but a
// guest it says so once.
func (s *sender) checkRights(ans *answer) {
	p, key := ans.place, sayRights
	fine := ans.rights&discordgo.PermissionViewChannel != 0 && ans.rights&ans.writing() != 0
	switch {
	case ans.isHidden():
		key = sayHidden
	case p.Guest:
		if key = sayGuest; !s.notices.Add(notice{p.Channel, key}, struct{}{}) {
			return
		}
	case p.Private || ans.rights == 0 || ans.rights&discordgo.PermissionAdministrator != 0 || fine:
		return
	case s.isNews(p):
		s.logRights(p, nil)
	}
	s.Begin(func() { s.sendPrivately(ans, []body{s.self().note(s.say(key, ans.lang))}) })
}

const (
	// lastingTime is for how long what is lasting is tried, at first firstLasting after it has failed, then after twice as long each time, up to
	// longLasting.
	lastingTime               = 6 * time.Hour
	firstLasting, longLasting = 5 * time.Second, 10 * time.Minute
	// nonceTime is for how long Discord knows a message by its nonce, of the few minutes that it promises.
	nonceTime = 2 * time.Minute
	// maxLasting is how many such messages wait to be tried again.
	maxLasting = 4096
)

// saying is a message that is to stand in a channel.
type saying struct {
	post chat.Post
	body body
	// ans is the answer that was to be it; nil for none.
	ans *answer
	// lasts says that it is tried for hours, began since when it is, and pause after which time it was last.
	lasts bool
	began time.Time
	pause time.Duration
}

// lasts reports whether a post that somebody has caused is tried for hours: what all are to read, or what the bot says by itself, which is
// caused by nobody, and waits for.
func lasts(p chat.Post, by int64) bool { return p.Open == chat.Aloud || by == 0 && p.Receipt != "" }

// sayIn has a message stand in its channel, now or, if it lasts, later.
func (s *sender) sayIn(m saying) {
	stands, err := m.ans.stands()
	if stands {
		return
	}
	id := ""
	if err == nil {
		id, err = s.postIn(m.post, m.body)
	}
	if err != nil {
		s.onError(m.post.In, m.ans, err)
		s.sayLater(m, err)
		return
	}
	ref := newRef(strconv.FormatInt(m.post.In.Channel, 10), id)
	if _, wanted := outbox.Receipt("", m.post, ref); wanted {
		s.report(m.post, ref)
	}
}

// sayLater has a message tried again that lasts and met an error which passes. What Discord may have heard is tried only for as long as it knows
// it again.
func (s *sender) sayLater(m saying, err error) {
	most := lastingTime
	if maybeHeard(err) {
		most = nonceTime
	}
	if !m.lasts || verdictOn(err) != passes || time.Since(m.began) >= most {
		return
	}
	if s.lasting.Add(1) > maxLasting {
		s.lasting.Add(-1)
		s.log.Warn("a post is given up: too many wait for Discord", "chat", m.post.In.Community)
		return
	}
	m.pause = min(max(firstLasting, 2*m.pause), longLasting)
	s.later(m.pause+rand.N(firstLasting), m.post.In, func() { s.lasting.Add(-1) }, func() { s.sayIn(m) })
}

// later has something said in a place after a pause, once begins was called, unless another process serves it by then.
func (s *sender) later(pause time.Duration, in chat.Place, begins, say func()) {
	time.AfterFunc(pause, func() {
		begins()
		s.Admit(func() {
			if s.share.Serves(in.Community) {
				s.queue(in.Community, laneOfPosts(in), say, nil)
			}
		})
	})
}

// maybeHeard reports whether Discord may have done what ended in an error.
func maybeHeard(err error) bool { return !errors.As(err, new(*apiError)) && !errors.Is(err, errUnsent) }

// broken reports whether Discord has answered, and not done what was asked: by a fault of its own, or for what nobody knows.
func broken(err error) bool {
	var answer *apiError
	return errors.As(err, &answer) && (answer.status >= http.StatusInternalServerError || verdictOn(err) == final)
}

// stands reports whether what was said to all by an answer is there though Discord's own answer was lost. The error is that this isn't known.
func (ans *answer) stands() (bool, error) {
	if ans == nil || !ans.isOwn() {
		return false, nil
	}
	_, err := ans.core.rest.originalID(ans.life, ans.app, ans.token)
	if err != nil && verdictOn(err) == passes {
		return false, err
	}
	return err == nil, nil
}
