package discord

import (
	"errors"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
)

// sendRights are the permissions of which the bot needs one where it deals: in a channel, or in a thread.
const sendRights = discordgo.PermissionSendMessages | discordgo.PermissionSendMessagesInThreads

// notice is something that is said once for each channel.
type notice struct {
	channel int64
	key     string
}

// undelivered does what can be done about a post that didn't get through; nil is none. Who waits is told in words.
func (a *Adapter) undelivered(p bot.Place, ans *answer, err error) {
	switch {
	case err == nil || a.life.Err() != nil:
	case hasCode(err, codeUnknownGuild), hasCode(err, codeNoAccess) && a.lost(p):
		a.log.Info("the bot was removed from a server", "guild", p.Community.ID)
		a.goneGuild(p.Community.ID)
	case hasCode(err, codeUnknownChannel):
		a.log.Info("a place is gone", "channel", p.Channel)
		a.gone(p)
	case barred(err):
		a.noRights(p, ans, err)
		return
	default:
		a.log.Warn("a post was not shown", "channel", p.Channel, "error", err)
	}
	a.settle(ans)
}

// barred reports whether an error is that the bot may not say anything in a place.
func barred(err error) bool {
	return errors.Is(err, errGuest) || hasCode(err, codeNoAccess, codeNoPermission, codeNoChat)
}

// noRights says, once for each channel, that the bot may not write there: in the log, and to the one who waits.
func (a *Adapter) noRights(p bot.Place, ans *answer, err error) {
	if !p.Guest && a.told.put(notice{p.Channel, sayRights}, struct{}{}) {
		a.logRights(p, err)
	}
	if ans != nil {
		key := sayRights
		if p.Guest {
			key = sayGuest
		}
		a.begin(func() { a.whisper(ans, []body{note(a.say(key, ans.lang))}) })
	}
}

func (a *Adapter) logRights(p bot.Place, err error) {
	a.log.Warn("no permission to write in a channel: let the bot view it and send messages there, in threads too",
		"channel", p.Channel, "guild", p.Community.ID, "error", err)
}

// checkRights tells the one who opened a table what the bot will not be able to do there; of a place where it is but a
// guest it says so once.
func (a *Adapter) checkRights(ans *answer) {
	p, key := ans.place, sayRights
	fine := ans.rights&discordgo.PermissionViewChannel != 0 && ans.rights&sendRights != 0
	switch {
	case ans.isHidden():
		key = sayHidden
	case p.Guest:
		if key = sayGuest; !a.told.put(notice{p.Channel, key}, struct{}{}) {
			return
		}
	case p.Private || ans.rights == 0 || ans.rights&discordgo.PermissionAdministrator != 0 || fine:
		return
	case a.told.put(notice{p.Channel, sayRights}, struct{}{}):
		a.logRights(p, nil)
	}
	a.begin(func() { a.whisper(ans, []body{note(a.say(key, ans.lang))}) })
}
