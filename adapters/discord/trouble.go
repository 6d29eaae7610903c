package discord

import (
	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
)

// sendRights are the permissions of which the bot needs one where it deals: in a channel, or in a thread.
const sendRights = discordgo.PermissionSendMessages | discordgo.PermissionSendMessagesInThreads

// undelivered does what can be done about a post that didn't get through; nil is none. Who waits is told in words.
func (a *Adapter) undelivered(p bot.Place, ans *answer, err error) {
	switch {
	case err == nil || a.life.Err() != nil:
	case hasCode(err, codeUnknownChannel, codeUnknownGuild):
		a.log.Info("a place is gone", "channel", p.Channel)
		a.gone(p)
	case hasCode(err, codeNoAccess, codeNoPermission):
		a.noRights(p, ans, err)
		return
	default:
		a.log.Warn("a post was not shown", "channel", p.Channel, "error", err)
	}
	a.settle(ans)
}

// noRights says, once for each channel, that the bot may not write there: in the log, and to the one who waits.
func (a *Adapter) noRights(p bot.Place, ans *answer, err error) {
	if a.told.put(p.Channel, struct{}{}) {
		a.log.Warn("no permission to write in a channel: let the bot view it and send messages there, in threads too",
			"channel", p.Channel, "guild", p.Community.ID, "error", err)
	}
	if ans != nil {
		a.begin(func() { a.whisper(ans, []body{note(phrase("rights", ans.lang))}) })
	}
}

// checkRights tells the one who opened a table what the bot will not be able to do there.
func (a *Adapter) checkRights(ans *answer) {
	fine := ans.rights&discordgo.PermissionViewChannel != 0 && ans.rights&sendRights != 0
	missing := ans.rights != 0 && ans.rights&discordgo.PermissionAdministrator == 0 && !fine
	if ans.place.Private || ans.place.Community.ID == ans.place.Channel || !missing {
		return
	}
	if a.told.put(ans.place.Channel, struct{}{}) {
		a.log.Warn("no permission to write in a channel: let the bot view it and send messages there, in threads too",
			"channel", ans.place.Channel, "guild", ans.place.Community.ID)
	}
	a.begin(func() { a.whisper(ans, []body{note(phrase("rights", ans.lang))}) })
}
