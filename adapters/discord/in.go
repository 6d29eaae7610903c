package discord

import (
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

// adminRights are the permissions of which one makes a member the manager of a place.
const adminRights = discordgo.PermissionAdministrator | discordgo.PermissionManageGuild |
	discordgo.PermissionManageChannels | discordgo.PermissionManageMessages

// listen has the session's events come here.
func (a *Adapter) listen(session *discordgo.Session) {
	session.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) {
		defer a.Recover()
		if i != nil && i.Interaction != nil {
			a.interaction(i.Interaction)
		}
	})
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.GuildCreate) {
		if e.Guild != nil && a.guilds.put(number(e.ID), true) {
			a.sender.arrived(e.Guild)
		}
	})
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.GuildDelete) {
		if e.Guild != nil && !e.Unavailable {
			a.guilds.put(number(e.ID), false)
			a.sender.goneGuild(number(e.ID))
		}
	})
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.ChannelDelete) {
		if e.Channel != nil {
			a.sender.goneChannel(e.Channel)
		}
	})
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.ThreadDelete) {
		if e.Channel != nil {
			a.sender.goneChannel(e.Channel)
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
	if !a.seen.Add(i.ID, struct{}{}) {
		return
	}
	ans := a.newAnswer(i, who)
	r := chat.Request{ID: requestID(i), Who: who, In: ans.place}
	switch data := i.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		if i.Type == discordgo.InteractionApplicationCommandAutocomplete {
			return // No option asks for words while somebody types.
		}
		if data.CommandType == typeEntry {
			a.Admit(func() { a.launch(ans, who, "") })
			return
		}
		r.Kind, r.Data = chat.Command, commandLine(data)
	case discordgo.MessageComponentInteractionData:
		known := data.ComponentType == discordgo.ButtonComponent || data.ComponentType == discordgo.SelectMenuComponent
		if !known || i.Message == nil {
			return
		}
		id := picked(data)
		if table, ok := launched(id); ok {
			a.Admit(func() { a.launch(ans, who, table) })
			return
		}
		token, question, asks := splitAsk(id)
		if asks {
			a.Admit(func() { ans.ask(token, question, labelOf(i.Message, id)) })
			return
		}
		r.Kind, r.Data, r.On = chat.Press, token, ans.on
	case discordgo.ModalSubmitInteractionData:
		r.Kind, r.Data, r.On, r.Text = chat.Press, data.CustomID, ans.on, typed(data)
	default:
		return
	}
	ans.deferInTime()
	if !a.in.Put(laneOf(ans), a.Admit, func() { defer a.Recover(); a.serve(ans, r) }) {
		ans.abandon()
		a.log.Warn("a press was dropped: too many wait, or the program ends", "request", r.ID)
	}
}

// newAnswer is what the one waits for who caused an interaction.
func (c *core) newAnswer(i *discordgo.Interaction, who chat.User) *answer {
	ans := &answer{
		core: c, id: i.ID, token: i.Token, app: i.AppID, lang: string(i.Locale), place: c.placeOf(i, who), who: who.ID,
		rights: i.AppPermissions, born: time.Now(), life: c.during(requestID(i)),
	}
	if ans.app == "" {
		ans.app = c.application()
	}
	if i.Message != nil && number(i.Message.ID) != 0 {
		ans.on = newRef(i.ChannelID, i.Message.ID)
		ans.private = i.Message.Flags&discordgo.MessageFlagsEphemeral != 0
		// Both times are Discord's own.
		ans.age = madeAt(i.ID).Sub(madeAt(i.Message.ID))
	}
	return ans
}

// requestID is the bot's name of an interaction.
func requestID(i *discordgo.Interaction) string { return "discord/" + i.ID }

// laneOf is what has to happen in order: the presses on one message, the commands of one channel.
func laneOf(ans *answer) string {
	if ans.on != "" {
		return string(ans.on)
	}
	return strconv.FormatInt(ans.place.Channel, 10)
}

// serve puts a request to the bot and has its answer shown. It doesn't wait for that.
func (a *Adapter) serve(ans *answer, r chat.Request) {
	began := time.Now()
	resp := a.ask(r)
	if took := time.Since(began); took > deferAfter {
		a.log.Warn("an answer was slow", "request", r.ID, "took", took)
	}
	a.sender.respond(ans, r, resp)
}

// user is who did it; false if the event doesn't say.
func user(i *discordgo.Interaction) (chat.User, bool) {
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
		return chat.User{}, false
	}
	for _, other := range []string{u.GlobalName, u.Username} {
		if name == "" {
			name = other
		}
	}
	return chat.User{ID: number(u.ID), Name: name, Lang: string(i.Locale), Admin: admin, Bot: u.Bot || u.System}, true
}

// placeOf is where it was done. A thread and a forum's post are channels of their own. Of places without a guild, the
// chat with the bot belongs to its person, and a group's to the group. The bot is but a guest in a group, and in a guild
// where it is no member and only somebody brought it along.
func (c *core) placeOf(i *discordgo.Interaction, who chat.User) chat.Place {
	p := chat.Place{Channel: number(i.ChannelID)}
	if i.GuildLocale != nil {
		p.Lang = chosen(string(*i.GuildLocale))
	}
	p.Community = chat.Community{Platform: chat.Discord, ID: number(i.GuildID)}
	switch {
	case i.GuildID != "":
		p.Guest = c.guilds.excludes(p.Community.ID)
	case i.Context == discordgo.InteractionContextPrivateChannel:
		p.Community.ID, p.Guest = p.Channel, true
	default:
		p.Community.ID, p.Private = who.ID, true
	}
	return p
}

// chosen is a guild's locale if somebody has chosen one there; empty for the one that all others have.
func chosen(locale string) string {
	if locale == string(discordgo.EnglishUS) {
		return ""
	}
	return locale
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
