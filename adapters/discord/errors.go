package discord

import (
	"time"

	"github.com/bwmarrin/discordgo"

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
	s.log.Warn("no permission to write in a channel: let the bot view it and send messages there, in threads too",
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
