package discord

import (
	"fmt"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

// goneGuild tells the bot that it was removed from a guild.
func (s *sender) goneGuild(guild int64) {
	if guild != 0 {
		s.gone(chat.Place{Community: chat.Community{Platform: chat.Discord, ID: guild}})
	}
}

func (s *sender) goneChannel(c *discordgo.Channel) {
	p := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: number(c.GuildID)}, Channel: number(c.ID)}
	if p.Community.ID == 0 || p.Channel == 0 {
		return
	}
	s.gone(p)
}

// gone tells the bot that a place is there no more, or, without a channel, a whole guild. There is nowhere to show what
// it says to that.
func (s *sender) gone(p chat.Place) {
	s.in.Put(fmt.Sprint("gone ", p.Community.ID), s.Admit, func() {
		defer s.Recover()
		s.boards.forget(p)
		s.ask(chat.Request{ID: s.nextID(), In: p, Kind: chat.Gone})
	})
}

// wasRemoved reports whether a place was in a server where the bot is no member any more. One where it never was, and only
// somebody brought it along, isn't lost.
func (s *sender) wasRemoved(p chat.Place) bool {
	return !p.Private && !p.Guest && s.guilds.excludes(p.Community.ID)
}

// reportRemovals tells the bot of the servers from which it was removed while nobody listened.
func (s *sender) reportRemovals() {
	gone := map[int64]bool{}
	for _, b := range s.boards.tables.All() {
		if guild := b.place.Community.ID; !gone[guild] && s.wasRemoved(b.place) {
			gone[guild] = true
			s.goneGuild(guild)
		}
	}
}
