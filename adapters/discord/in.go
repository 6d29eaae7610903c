package discord

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

const (
	// serverRights are the permissions of which one makes a member the manager of a server, which nobody can be given for a channel alone.
	serverRights = discordgo.PermissionAdministrator | discordgo.PermissionManageGuild
	// adminRights are those of which one makes a member the manager of a place. Discord tells them as they are in the channel: who was given
	// one of their own has them there.
	adminRights = serverRights | discordgo.PermissionManageChannels | discordgo.PermissionManageMessages
)

// hear takes an event of a session's.
func (a *Adapter) hear(e *discordgo.Event) {
	defer a.Recover()
	switch one := e.Struct.(type) {
	case *discordgo.InteractionCreate:
		if one.Interaction != nil {
			a.guilds.open(number(one.GuildID), true)
			a.arrive(arrival{Interaction: one.Interaction, raw: e.RawData, at: time.Now()})
		}
	case *discordgo.GuildCreate:
		if one.Guild != nil && !one.Unavailable && a.guilds.put(number(one.ID), true) {
			a.tell(eventGuildCreate, arrivalOf(one.Guild, a.application()))
		}
	case *discordgo.GuildDelete:
		switch {
		case one.Guild == nil:
		case one.Unavailable: // It is away for a while.
			a.guilds.open(number(one.ID), false)
		default:
			a.guilds.put(number(one.ID), false)
			a.tell(eventGuildDelete, event{Guild: one.ID})
		}
	case *discordgo.ChannelDelete:
		if one.Channel != nil {
			a.tell(eventChannelDelete, event{Guild: one.GuildID, Channel: one.ID})
		}
	case *discordgo.ThreadUpdate:
		if one.Channel != nil && one.ThreadMetadata != nil && !one.ThreadMetadata.Archived {
			a.tell(eventThreadOpen, event{Guild: one.GuildID, Channel: one.ID})
		}
	case *discordgo.ThreadDelete:
		if one.Channel != nil {
			a.tell(eventChannelDelete, event{Guild: one.GuildID, Channel: one.ID})
		}
	}
}

// arrival is an interaction that has come.
type arrival struct {
	*discordgo.Interaction
	// raw is what it was read from, at when it came to the first process.
	raw json.RawMessage
	at  time.Time
	// passed says that it came from another process.
	passed bool
}

// deed is what somebody did, read.
type deed struct {
	came arrival
	ans  *answer
	r    chat.Request
	// now, if not nil, is done instead of asking the bot.
	now func()
}

// home is the community that a deed belongs to.
func (d deed) home() chat.Community { return table.Home(d.r) }

// arrive takes what somebody did, or passes it on.
func (a *Adapter) arrive(came arrival) {
	d, ok := a.read(came)
	switch {
	case !ok:
	case a.share.Serves(d.home()):
		a.do(d)
	default:
		a.passBeside(d)
	}
}

// read finds out what somebody did. What the library couldn't read comes with nothing in it, and is left alone, as is what a
// bot does.
func (a *Adapter) read(came arrival) (d deed, ok bool) {
	i := came.Interaction
	who, ok := user(i)
	if !ok || who.Bot || number(i.ID) == 0 || i.Token == "" || number(i.ChannelID) == 0 {
		a.log.Debug("an event makes no sense", "request", i.ID, "type", int(i.Type))
		return deed{}, false
	}
	ans := a.newAnswer(came, who)
	d = deed{came: came, ans: ans, r: chat.Request{ID: requestID(i), Who: who, In: ans.place}}
	switch data := i.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		if i.Type == discordgo.InteractionApplicationCommandAutocomplete {
			return deed{}, false // No option asks for words while somebody types.
		}
		if data.CommandType == typeEntry {
			d.now = func() { a.launch(ans, who, "") }
			return d, true
		}
		d.r.Kind, d.r.Data = chat.Command, commandLine(data)
	case discordgo.MessageComponentInteractionData:
		known := data.ComponentType == discordgo.ButtonComponent || data.ComponentType == discordgo.SelectMenuComponent
		if !known || i.Message == nil {
			return deed{}, false
		}
		id := pickedID(data)
		if table, ok := launchTable(id); ok {
			d.now = func() { a.launch(ans, who, table) }
			return d, true
		}
		token, question, asks := splitAsk(id)
		if asks {
			form := newModal(token, question, labelOf(i.Message, id))
			ans.form = &form
		}
		d.r.Kind, d.r.Data, d.r.On = chat.Press, token, ans.on
	case discordgo.ModalSubmitInteractionData:
		d.r.Kind, d.r.Data, d.r.On, d.r.Text = chat.Press, data.CustomID, ans.on, inputOf(data)
	default:
		return deed{}, false
	}
	return d, true
}

// do has something done that somebody did, unless it was before: Discord may deliver it a second time. False: it was.
func (a *Adapter) do(d deed) bool {
	if !a.seen.Add(d.ans.id, struct{}{}) {
		return false
	}
	if d.now != nil {
		if !a.Admit(d.now) {
			d.ans.abandon()
		}
		return true
	}
	d.ans.deferInTime()
	if !a.in.Put(laneOf(d), a.Admit, func() { defer a.Recover(); a.serve(d) }) {
		d.ans.abandon()
		a.log.Warn("a press was dropped: too many wait, or the program ends", "request", d.r.ID)
	}
	return true
}

// newAnswer is what the one waits for who caused an interaction.
func (c *core) newAnswer(i arrival, who chat.User) *answer {
	ans := &answer{
		core: c, mu: make(turn, 1), id: i.ID, token: i.Token, app: i.AppID, lang: string(i.Locale), place: c.placeOf(i.Interaction, who), who: who.ID,
		rights: i.AppPermissions, born: i.at, life: c.during(requestID(i.Interaction)),
	}
	more := i.more()
	ans.inThread = more.Channel.IsThread()
	if isVoice(more.Channel.Type) && ans.rights&discordgo.PermissionVoiceConnect == 0 {
		ans.rights &^= discordgo.PermissionViewChannel // Discord shows the bot nothing of where it may not join.
	}
	if parent, said := parentOf(&more.Channel); said && more.Channel.ID == i.ChannelID {
		c.parents.Set(ans.place.Channel, parent)
	}
	switch ofServer := i.AuthorizingIntegrationOwners[discordgo.ApplicationIntegrationGuildInstall] != ""; {
	case ans.place.Guest || ans.place.Private:
	case !ofServer:
		ans.rights = 0 // What is told may be the rights of somebody's own app.
	case more.Rights != nil:
		c.rest.bars.tell(i.ChannelID, ans.rights, ans.writing(), time.Now())
	}
	if i.passed {
		ans.over = make(chan struct{})
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

// more is what the library doesn't read of an interaction: what kind of channel it came from, and whether the bot's rights there are told.
type more struct {
	Channel discordgo.Channel `json:"channel"`
	Rights  *string           `json:"app_permissions"`
}

func (i arrival) more() (m more) {
	if json.Unmarshal(i.raw, &m) != nil {
		return more{}
	}
	return m
}

// isVoice reports whether people talk in a channel.
func isVoice(t discordgo.ChannelType) bool {
	return t == discordgo.ChannelTypeGuildVoice || t == discordgo.ChannelTypeGuildStageVoice
}

// requestID is the bot's name of an interaction.
func requestID(i *discordgo.Interaction) string { return "discord/" + i.ID }

// laneOf is what has to happen in order: the presses on one message, the commands of one channel. What takes long and changes nothing
// keeps nobody waiting.
func laneOf(d deed) string {
	switch ans := d.ans; {
	case d.r.Kind == chat.Press && bot.Beside(d.r.Data):
		return ans.id
	case ans.on != "":
		return string(ans.on)
	default:
		return strconv.FormatInt(ans.place.Channel, 10)
	}
}

// serve puts a request to the bot and has its answer shown. It doesn't wait for that. What isn't this process's any more when its
// turn comes goes on to another.
func (a *Adapter) serve(d deed) {
	home := d.home()
	if !d.came.passed && !a.share.Serves(home) && d.ans.handOver() {
		a.seen.Drop(d.ans.id)
		a.passBeside(d)
		return
	}
	defer a.errands.begin(home).end()
	began := time.Now()
	resp := a.ask(d.r)
	if took := time.Since(began); took > deferAfter {
		a.log.Warn("an answer was slow", "request", d.r.ID, "took", took)
	}
	if d.ans.form != nil && resp.Untyped {
		a.sender.beginFor(home, d.ans.openForm)
		return
	}
	a.sender.respond(d.ans, d.r, resp)
}

// user is who did it; false if the event doesn't say.
func user(i *discordgo.Interaction) (chat.User, bool) {
	u := i.User
	name := ""
	admin, ofServer := false, false
	if m := i.Member; m != nil {
		name = m.Nick
		admin, ofServer = m.Permissions&adminRights != 0, m.Permissions&serverRights != 0
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
	return chat.User{ID: number(u.ID), Name: name, Lang: string(i.Locale), Admin: admin, OfPart: admin && !ofServer, Bot: u.Bot || u.System}, true
}

// placeOf is where it was done. A thread and a forum's post are channels of their own. Of places without a guild, the
// chat with the bot belongs to its person, and a group's to the group. The bot is but a guest in a group, and in a guild
// where it is no member and only somebody brought it along.
func (c *core) placeOf(i *discordgo.Interaction, who chat.User) chat.Place {
	p := chat.Place{Channel: number(i.ChannelID)}
	if i.GuildLocale != nil {
		p.Lang = langOf(string(*i.GuildLocale))
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

// langOf is a guild's locale if somebody has chosen one there; empty for the one that all others have.
func langOf(locale string) string {
	if locale == string(discordgo.EnglishUS) {
		return ""
	}
	return locale
}

// inputOf is what stands in the one field of a modal.
func inputOf(data discordgo.ModalSubmitInteractionData) string {
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
