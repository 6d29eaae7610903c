package discord

import (
	"fmt"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

// arrived says in a server that the bot was added to it, where the server itself tells of those who come. A server that has
// no such channel is left in peace.
func (s *sender) arrived(g *discordgo.Guild) {
	p := chat.Place{
		Community: chat.Community{Platform: chat.Discord, ID: number(g.ID)}, Channel: number(g.SystemChannelID), Lang: chosen(g.PreferredLocale),
	}
	if p.Community.ID == 0 || p.Channel == 0 {
		return
	}
	s.in.Put(fmt.Sprint("arrived ", p.Community.ID), s.Admit, func() {
		defer s.Recover()
		r := s.ask(chat.Request{ID: s.nextID(), In: p, Kind: chat.Arrived})
		s.deliver(delivery{posts: r.Posts, id: fmt.Sprint("arrived ", p.Community.ID, " ", g.JoinedAt.Unix())})
	})
}
