package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters"
	"zevaka/bot/chat"
)

// forwardTime is how long it is tried to tell another process of what happened to a server.
const forwardTime = time.Minute

// The kinds of events of servers, which are those of parcels, too.
const (
	eventGuildCreate   = "GUILD_CREATE"
	eventGuildDelete   = "GUILD_DELETE"
	eventChannelDelete = "CHANNEL_DELETE"
	// eventThreadOpen is that a thread is open, perhaps again.
	eventThreadOpen = "THREAD_UPDATE"
)

// event is what happened to a server, or to one of its channels or threads.
type event struct {
	Guild string `json:"guild_id"`
	// Channel is the one that is gone, or, of a server that the bot was added to, the one where it greets; empty if there is
	// none.
	Channel string `json:"channel_id,omitempty"`
	// Lang is the language of such a server, Joined when the bot was added, in seconds since 1970.
	Lang   string `json:"lang,omitempty"`
	Joined int64  `json:"joined,omitempty"`
}

// place is where something happened; false if that isn't said.
func (e event) place(kind string) (chat.Place, bool) {
	p := chat.Place{
		Community: chat.Community{Platform: chat.Discord, ID: number(e.Guild)}, Channel: number(e.Channel), Lang: e.Lang,
	}
	isGuild := kind == eventGuildCreate || kind == eventGuildDelete
	return p, p.Community.ID != 0 && (isGuild || p.Channel != 0)
}

// tell tells the bot what happened to a server, here or in the process that serves it.
func (a *Adapter) tell(kind string, e event) {
	p, ok := e.place(kind)
	if !ok || kind == eventGuildCreate && p.Channel == 0 && a.alone {
		return
	}
	a.in.Put(laneOfGuild(p), a.Admit, func() {
		defer a.Recover()
		if a.share.Serves(p.Community) {
			a.sender.handleEvent(kind, p, e.Joined)
			return
		}
		ctx, cancel := context.WithTimeout(a.Life, forwardTime)
		defer cancel()
		body, err := json.Marshal(e)
		if err == nil {
			_, err = a.share.Pass(ctx, p.Community, adapters.Parcel{Kind: kind, Body: body})
		}
		if err != nil {
			a.log.Warn("what happened to a server was not passed on", "chat", p.Community, "event", kind, "error", err)
		}
	})
}

// takeEvent does what follows from an event that came to another process.
func (a *Adapter) takeEvent(kind string, body []byte) error {
	var e event
	if json.Unmarshal(body, &e) != nil {
		return errNonsense
	}
	p, ok := e.place(kind)
	switch {
	case !ok:
		return errNonsense
	case !a.share.Serves(p.Community):
		return fmt.Errorf("take what happened to a server: %w", adapters.ErrNobody)
	}
	if _, own := a.guilds.own(p.Community.ID); !own && kind != eventChannelDelete {
		a.guilds.hear(p.Community.ID, kind != eventGuildDelete)
	}
	a.sender.handleEvent(kind, p, e.Joined)
	return nil
}

// handleEvent does what follows from an event.
func (s *sender) handleEvent(kind string, p chat.Place, joined int64) {
	switch {
	case kind == eventThreadOpen:
		s.rest.bars.lift(strconv.FormatInt(p.Channel, 10))
		s.retryIn(p)
	case kind == eventGuildDelete && !s.askMembership(s.Life, p.Community.ID):
		s.guilds.put(p.Community.ID, true)
		s.log.Warn("Discord says that the bot was removed from a server, and not so when it is asked", "chat", p.Community)
	case kind == eventChannelDelete:
		s.end(p)
		s.endThreads(p)
	case kind == eventGuildDelete:
		s.end(p)
	case p.Channel != 0:
		s.greet(p, joined)
	}
}

// arrivalOf is what is told of a server to which the bot, who is this user there, was added.
func arrivalOf(g *discordgo.Guild, me string) event {
	return event{Guild: g.ID, Channel: greetingPlace(g, me), Lang: langOf(g.PreferredLocale), Joined: g.JoinedAt.Unix()}
}

// greetingPlace is the channel in which a bot greets that was added to a server: where the server tells of those who come, and if that is
// nowhere, or the bot may not write there, the uppermost one where it may. It is empty if there is none.
func greetingPlace(g *discordgo.Guild, me string) string {
	const rights = discordgo.PermissionViewChannel | discordgo.PermissionSendMessages
	above := map[string]int{}
	var all []*discordgo.Channel
	for _, c := range g.Channels {
		switch c.Type {
		case discordgo.ChannelTypeGuildCategory:
			above[c.ID] = 1 + c.Position
		case discordgo.ChannelTypeGuildText:
			all = append(all, c)
		}
	}
	news := func(c *discordgo.Channel) int {
		if c.ID == g.SystemChannelID {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(c, d *discordgo.Channel) int {
		return cmp.Or(news(c)-news(d), above[c.ParentID]-above[d.ParentID], c.Position-d.Position)
	})
	known := discordgo.NewState()
	if known.GuildAdd(g) != nil || len(all) == 0 {
		return g.SystemChannelID
	}
	for _, c := range all {
		if may, err := known.UserChannelPermissions(me, c.ID); err != nil {
			return g.SystemChannelID // It isn't told what the bot may do.
		} else if may&rights == rights {
			return c.ID
		}
	}
	return ""
}

// greet says in a server that the bot was added to it.
func (s *sender) greet(p chat.Place, joined int64) {
	defer s.errands.begin(p.Community).end()
	r := s.ask(chat.Request{ID: s.nextID(), In: p, Kind: chat.Arrived})
	s.deliver(delivery{posts: r.Posts, id: fmt.Sprint("arrived ", p.Community.ID, " ", joined)})
}

// reportGone tells the bot that a place is there no more, or, without a channel, a whole guild. There is nowhere to show what
// it says to that.
func (s *sender) reportGone(p chat.Place) {
	s.in.Put(laneOfGuild(p), s.Admit, func() {
		defer s.Recover()
		s.end(p)
	})
}

// end tells the bot at once that a place is there no more.
func (s *sender) end(p chat.Place) {
	defer s.errands.begin(p.Community).end()
	s.boards.forget(p)
	s.ask(chat.Request{ID: s.nextID(), In: p, Kind: chat.Gone})
}

// endThreads has the bot told that the threads of a deleted channel are there no more: Discord tells of the channel alone. Where it
// isn't known whose thread something is, if it is one, Discord is asked, once.
func (s *sender) endThreads(deleted chat.Place) {
	for _, channel := range s.boards.channelsOf(deleted.Community) {
		in := chat.Place{Community: deleted.Community, Channel: channel}
		switch parent, known := s.parents.Get(channel); {
		case !known:
			s.seek(in, deleted.Channel, 0)
		case parent == deleted.Channel:
			s.reportGone(in)
		}
	}
}

// seek asks for a channel when its turn comes, and has the bot told if it isn't there or is a thread of the deleted one. Nothing else is
// taken for that: without an answer it is asked again a few times, and what the bot may not see is left alone.
func (s *sender) seek(in chat.Place, deleted int64, tries int) {
	s.seeking.Put(in.Community.ID, s.Admit, func() {
		defer s.Recover()
		if !s.share.Serves(in.Community) {
			return
		}
		parent, known := s.parents.Get(in.Channel)
		var err error
		if !known {
			parent, err = s.rest.parent(s.Life, in.Channel)
		}
		pauses := [...]time.Duration{5 * time.Second, time.Minute, 10 * time.Minute}
		switch {
		case hasCode(err, codeUnknownChannel), err == nil && parent == deleted:
			s.reportGone(in)
		case err == nil || verdictOn(err) != passes:
			s.parents.Set(in.Channel, parent)
		case tries < len(pauses):
			time.AfterFunc(pauses[tries], func() { s.seek(in, deleted, tries+1) })
		}
	})
}

// laneOfGuild is where what happens to a server waits.
func laneOfGuild(p chat.Place) string { return fmt.Sprint("guild ", p.Community.ID) }
