package discord

import (
	"sync"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
)

// guilds are the servers where the bot is a member, as far as the shards of this process were told.
type guilds struct {
	mu    sync.Mutex
	count int
	// of are those of each shard that was connected.
	of map[int]map[int64]bool
}

// begin notes what a shard was told at the beginning of a session: all its servers.
func (g *guilds) begin(shard, count int, all []*discordgo.Guild) {
	known := map[int64]bool{}
	for _, one := range all {
		known[number(one.ID)] = true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of == nil {
		g.of = map[int]map[int64]bool{}
	}
	g.count, g.of[shard] = count, known
}

// put notes that the bot is in a server now, or no more.
func (g *guilds) put(guild int64, member bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.of[g.shardOf(guild)]
	switch {
	case known == nil:
	case member:
		known[guild] = true
	default:
		delete(known, guild)
	}
}

// foreign reports whether the bot is known not to be in a server.
func (g *guilds) foreign(guild int64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.of[g.shardOf(guild)]
	return known != nil && !known[guild]
}

// shardOf is the shard that a server belongs to. The caller holds mu.
func (g *guilds) shardOf(guild int64) int { return int(guild>>22) % max(g.count, 1) }

// lost reports whether a place was in a server where the bot is no member any more. One where it never was, and only
// somebody brought it along, isn't lost.
func (a *Adapter) lost(p bot.Place) bool {
	return !p.Private && !p.Guest && a.guilds.foreign(p.Community.ID)
}

// leaveLost tells the bot of the servers from which it was removed while nobody listened.
func (a *Adapter) leaveLost() {
	gone := map[int64]bool{}
	for _, b := range a.boards.tables.all() {
		if guild := b.place.Community.ID; !gone[guild] && a.lost(b.place) {
			gone[guild] = true
			a.goneGuild(guild)
		}
	}
}
