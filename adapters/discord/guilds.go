package discord

import (
	"sync"

	"github.com/bwmarrin/discordgo"
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

// put notes that the bot is in a server now, or no more, and reports whether that is news of a server of a shard that is
// connected.
func (g *guilds) put(guild int64, member bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.of[g.shardOf(guild)]
	if known == nil || known[guild] == member {
		return false
	}
	if member {
		known[guild] = true
	} else {
		delete(known, guild)
	}
	return true
}

// excludes reports whether the bot is known not to be in a server.
func (g *guilds) excludes(guild int64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.of[g.shardOf(guild)]
	return known != nil && !known[guild]
}

// shardOf is the shard that a server belongs to. The caller holds mu.
func (g *guilds) shardOf(guild int64) int { return int(guild>>22) % max(g.count, 1) }
