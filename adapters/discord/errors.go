package discord

import (
	"errors"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

// sendRights are the permissions of which the bot needs one where it deals: in a channel, or in a thread.
const sendRights = discordgo.PermissionSendMessages | discordgo.PermissionSendMessagesInThreads

// notice is something that is said once for each channel.
type notice struct {
	channel int64
	key     string
}

// onError does what can be done about a post that didn't get through; nil is none. Who waits is told in words.
func (s *sender) onError(p chat.Place, ans *answer, err error) {
	switch {
	case err == nil || s.Life.Err() != nil:
	case hasCode(err, codeUnknownGuild), hasCode(err, codeNoAccess) && s.isRemoved(p):
		s.log.Info("the bot was removed from a server", "guild", p.Community.ID)
		s.reportRemoval(p.Community.ID)
	case hasCode(err, codeUnknownChannel):
		s.log.Info("a place is gone", "channel", p.Channel)
		s.reportGone(p)
	case forbidden(err):
		s.noRights(p, ans, err)
		return
	default:
		s.log.Warn("a post was not shown", "channel", p.Channel, "error", err)
	}
	s.acknowledge(ans)
}

// forbidden reports whether an error is that the bot may not say anything in a place.
func forbidden(err error) bool {
	return errors.Is(err, errGuest) || hasCode(err, codeNoAccess, codeNoPermission, codeNoChat)
}

// noRights says, once for each channel, that the bot may not write there: in the log, and to the one who waits.
func (s *sender) noRights(p chat.Place, ans *answer, err error) {
	if !p.Guest && s.notices.Add(notice{p.Channel, sayRights}, struct{}{}) {
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
		"channel", p.Channel, "guild", p.Community.ID, "error", err)
}

// checkRights tells the one who opened a table what the bot will not be able to do there; of a place where it is but a
// guest it says so once.
func (s *sender) checkRights(ans *answer) {
	p, key := ans.place, sayRights
	fine := ans.rights&discordgo.PermissionViewChannel != 0 && ans.rights&sendRights != 0
	switch {
	case ans.isHidden():
		key = sayHidden
	case p.Guest:
		if key = sayGuest; !s.notices.Add(notice{p.Channel, key}, struct{}{}) {
			return
		}
	case p.Private || ans.rights == 0 || ans.rights&discordgo.PermissionAdministrator != 0 || fine:
		return
	case s.notices.Add(notice{p.Channel, sayRights}, struct{}{}):
		s.logRights(p, nil)
	}
	s.Begin(func() { s.sendPrivately(ans, []body{s.self().note(s.say(key, ans.lang))}) })
}
