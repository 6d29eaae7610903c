package discord

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
)

// adminRights are the permissions of which one makes a member the manager of a place.
const adminRights = discordgo.PermissionAdministrator | discordgo.PermissionManageGuild |
	discordgo.PermissionManageChannels | discordgo.PermissionManageMessages

// listen has the session's events come here.
func (a *Adapter) listen(session *discordgo.Session) {
	session.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) {
		defer a.recover()
		if i != nil && i.Interaction != nil {
			a.interaction(i.Interaction)
		}
	})
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.GuildCreate) {
		if e.Guild != nil {
			a.guilds.put(number(e.ID), true)
		}
	})
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.GuildDelete) {
		if e.Guild != nil && !e.Unavailable {
			a.guilds.put(number(e.ID), false)
			a.goneGuild(number(e.ID))
		}
	})
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.ChannelDelete) {
		if e.Channel != nil {
			a.goneChannel(e.Channel)
		}
	})
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.ThreadDelete) {
		if e.Channel != nil {
			a.goneChannel(e.Channel)
		}
	})
}

// interaction takes what somebody did. What the library couldn't read comes with nothing in it, and is left alone, as
// is what is delivered a second time, and what a bot does.
func (a *Adapter) interaction(i *discordgo.Interaction) {
	who, ok := user(i)
	if !ok || who.Bot || number(i.ID) == 0 || i.Token == "" || number(i.ChannelID) == 0 {
		a.log.Debug("an event makes no sense", "id", i.ID, "type", int(i.Type))
		return
	}
	if !a.seen.put(i.ID, struct{}{}) {
		return
	}
	ans := a.newAnswer(i, who)
	r := bot.Request{ID: requestID(i), Who: who, In: ans.place}
	switch data := i.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		if i.Type == discordgo.InteractionApplicationCommandAutocomplete {
			a.admit(func() { ans.suggest(a.suggestions(data, string(i.Locale))) })
			return
		}
		r.Kind, r.Data = bot.Command, commandLine(data)
	case discordgo.MessageComponentInteractionData:
		known := data.ComponentType == discordgo.ButtonComponent || data.ComponentType == discordgo.SelectMenuComponent
		if !known || i.Message == nil {
			return
		}
		id := picked(data)
		token, question, asks := splitAsk(id)
		if asks {
			a.admit(func() { ans.ask(token, question, labelOf(i.Message, id)) })
			return
		}
		r.Kind, r.Data, r.On = bot.Press, token, ans.on
	case discordgo.ModalSubmitInteractionData:
		r.Kind, r.Data, r.On, r.Text = bot.Press, data.CustomID, ans.on, typed(data)
	default:
		return
	}
	ans.expect()
	if !a.lanes.put(a.admit, a.laneOf(ans), func() { defer a.recover(); a.serve(ans, r) }) {
		ans.giveUp()
		a.log.Warn("a press was dropped: too many wait, or the program ends", "request", r.ID)
	}
}

// requestID is the bot's name of an interaction.
func requestID(i *discordgo.Interaction) string { return "discord/" + i.ID }

// laneOf is what has to happen in order: the presses on one message, the commands of one channel.
func (a *Adapter) laneOf(ans *answer) string {
	if ans.on != "" {
		return string(ans.on)
	}
	return strconv.FormatInt(ans.place.Channel, 10)
}

// serve puts a request to the bot and has its answer shown. It doesn't wait for that.
func (a *Adapter) serve(ans *answer, r bot.Request) {
	began := time.Now()
	resp := a.ask(r)
	if took := time.Since(began); took > deferAfter {
		a.log.Warn("an answer was slow", "request", r.ID, "took", took)
	}
	a.respond(ans, r, resp)
}

// user is who did it; false if the event doesn't say.
func user(i *discordgo.Interaction) (bot.User, bool) {
	u := i.User
	name := ""
	admin := false
	if m := i.Member; m != nil {
		name = m.Nick
		admin = m.Permissions&adminRights != 0
		if u == nil {
			u = m.User
		}
	}
	if u == nil || number(u.ID) == 0 {
		return bot.User{}, false
	}
	for _, other := range []string{u.GlobalName, u.Username} {
		if name == "" {
			name = other
		}
	}
	return bot.User{ID: number(u.ID), Name: name, Lang: string(i.Locale), Admin: admin, Bot: u.Bot || u.System}, true
}

// placeOf is where it was done. A thread and a forum's post are channels of their own. Of places without a guild, the
// chat with the bot belongs to its person, and a group's to the group. The bot is but a guest in a group, and in a guild
// where it is no member and only somebody brought it along.
func (a *Adapter) placeOf(i *discordgo.Interaction, who bot.User) bot.Place {
	p := bot.Place{Channel: number(i.ChannelID)}
	if i.GuildLocale != nil {
		p.Lang = string(*i.GuildLocale)
	}
	p.Community = bot.Community{Platform: bot.Discord, ID: number(i.GuildID)}
	switch {
	case i.GuildID != "":
		p.Guest = a.guilds.foreign(p.Community.ID)
	case i.Context == discordgo.InteractionContextPrivateChannel:
		p.Community.ID, p.Guest = p.Channel, true
	default:
		p.Community.ID, p.Private = who.ID, true
	}
	return p
}

// number is a snowflake as a number; 0 for what is none.
func number(snowflake string) int64 {
	n, err := strconv.ParseInt(snowflake, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// newRef names a message.
func newRef(channel, message string) bot.Ref { return bot.Ref(channel + "/" + message) }

// splitRef is the channel and the message of a Ref; empty for what is none of Discord's.
func splitRef(r bot.Ref) (channel, message string) {
	channel, message, _ = strings.Cut(string(r), "/")
	if number(channel) == 0 || number(message) == 0 {
		return "", ""
	}
	return channel, message
}

// typed is what stands in the one field of a modal.
func typed(data discordgo.ModalSubmitInteractionData) string {
	for _, row := range data.Components {
		if row, ok := row.(*discordgo.ActionsRow); ok {
			for _, field := range row.Components {
				if field, ok := field.(*discordgo.TextInput); ok {
					return field.Value
				}
			}
		}
	}
	return ""
}

// labelOf is what stands on the button of a message, or beside the thing in a list, that bears the id.
func labelOf(m *discordgo.Message, id string) string {
	for _, row := range m.Components {
		row, ok := row.(*discordgo.ActionsRow)
		if !ok {
			continue
		}
		for _, c := range row.Components {
			switch c := c.(type) {
			case *discordgo.Button:
				if c.CustomID == id {
					return c.Label
				}
			case *discordgo.SelectMenu:
				for _, o := range c.Options {
					if o.Value == id {
						return o.Label
					}
				}
			}
		}
	}
	return ""
}

// goneGuild tells the bot that it was removed from a guild.
func (a *Adapter) goneGuild(guild int64) {
	if guild != 0 {
		a.gone(bot.Place{Community: bot.Community{Platform: bot.Discord, ID: guild}})
	}
}

func (a *Adapter) goneChannel(c *discordgo.Channel) {
	p := bot.Place{Community: bot.Community{Platform: bot.Discord, ID: number(c.GuildID)}, Channel: number(c.ID)}
	if p.Community.ID == 0 || p.Channel == 0 {
		return
	}
	a.gone(p)
}

// gone tells the bot that a place is there no more, or, without a channel, a whole guild. There is nowhere to show what
// it says to that.
func (a *Adapter) gone(p bot.Place) {
	a.lanes.put(a.admit, fmt.Sprint("gone ", p.Community.ID), func() {
		defer a.recover()
		a.boards.forget(p)
		a.ask(bot.Request{ID: a.nextID(), In: p, Kind: bot.Gone})
	})
}
