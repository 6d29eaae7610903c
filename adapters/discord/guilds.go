package discord

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

// maxHeard is of how many servers it is remembered what other processes have told.
const maxHeard = 8192

// guilds are the servers where the bot is a member, as far as the shards of this process were told, or others have passed on.
type guilds struct {
	mu    sync.Mutex
	count int
	// of are those of each shard that was connected.
	of map[int]map[int64]bool
	// heard is whether the bot is a member of servers whose shards other processes have.
	heard *outbox.Memory[int64, bool]
	// ears are of each shard of this process whether its connection stands, first whether the gateway has been found.
	ears  map[int]*outbox.Hearing
	first outbox.Hearing
	// told is what other processes say of their shards.
	told map[shardID]*outbox.Hearsay
}

// shardID is a shard, and of how many it is one: at least one.
type shardID struct{ Shard, Count int }

// silence is for how long a shard has brought nothing.
type silence struct {
	Of    shardID
	Lasts time.Duration
}

func newGuilds() guilds {
	return guilds{heard: outbox.NewMemory[int64, bool](maxHeard), ears: map[int]*outbox.Hearing{}, told: map[shardID]*outbox.Hearsay{}}
}

// reach notes whether a shard's connection stands.
func (g *guilds) reach(shard int, up bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ears[shard] == nil {
		g.ears[shard] = &outbox.Hearing{}
	}
	g.ears[shard].Set(up)
}

// deaf is for how long a server's shard has had no connection, or had none until a moment ago, as far as this process or the one that has it
// says; 0 if it has one.
func (g *guilds) deaf(guild int64) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if ear := g.ears[g.shardOf(guild)]; ear != nil {
		return ear.Deaf()
	}
	lasts := g.first.Deaf()
	for of, said := range g.told {
		if int(guild>>22)%of.Count == of.Shard {
			lasts = max(lasts, said.Deaf())
		}
	}
	return lasts
}

// silent are the shards of this process, of so many, that bring nothing.
func (g *guilds) silent(count int) (all []silence) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, ear := range g.ears {
		if lasts := ear.Deaf(); lasts > 0 {
			all = append(all, silence{shardID{id, count}, lasts})
		}
	}
	return all
}

// hearsay notes what another process says of its shards.
func (g *guilds) hearsay(all []silence) {
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.DeleteFunc(g.told, func(_ shardID, said *outbox.Hearsay) bool { return said.Deaf() == 0 })
	for _, one := range all {
		if g.told[one.Of] == nil {
			g.told[one.Of] = &outbox.Hearsay{}
		}
		g.told[one.Of].Say(one.Lasts)
	}
}

// begin notes what a shard was told at the beginning of a session: all its servers.
func (g *guilds) begin(shard, count int, all []*discordgo.Guild) {
	known := map[int64]bool{}
	for _, one := range all {
		known[number(one.ID)] = true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of == nil || g.count != count {
		g.of = map[int]map[int64]bool{}
	}
	g.count, g.of[shard] = count, known
}

// end forgets what a shard was told: another process has it from now on.
func (g *guilds) end(shard, count int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.ears, shard)
	if g.count == count {
		delete(g.of, shard)
	}
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

// hear notes what another process has said of a server, or that Discord counts the bot among its members.
func (g *guilds) hear(guild int64, member bool) { g.heard.Set(guild, member) }

// leave forgets what was heard of servers that are gone: whatever happens to them is told to other processes.
func (g *guilds) leave(gone func(chat.Community) bool) {
	g.heard.DropFunc(func(guild int64) bool { return gone(chat.Community{Platform: chat.Discord, ID: guild}) })
}

// excludes reports whether the bot is known not to be in a server.
func (g *guilds) excludes(guild int64) bool {
	member, known := g.member(guild)
	return known && !member
}

// member reports whether the bot is in a server, if that is known.
func (g *guilds) member(guild int64) (member, known bool) {
	if member, known = g.own(guild); known {
		return member, true
	}
	return g.heard.Get(guild)
}

// own is what the shards of this process say of a server.
func (g *guilds) own(guild int64) (member, known bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.of[g.shardOf(guild)]
	return all[guild], all != nil
}

// shardOf is the shard that a server belongs to. The caller holds mu.
func (g *guilds) shardOf(guild int64) int { return int(guild>>22) % max(g.count, 1) }

// asGuest reports whether the bot is no member of a server. What none of this process's shards knows, nor anybody has told, is
// asked of Discord; without an answer the bot counts as a member.
func (c *core) asGuest(ctx context.Context, guild int64) bool {
	if member, known := c.guilds.member(guild); known || c.alone {
		return known && !member
	}
	return c.askMembership(ctx, guild)
}

// askMembership asks Discord whether the bot is no member of a server. It remembers that it is; that it isn't Discord may say by
// mistake.
func (c *core) askMembership(ctx context.Context, guild int64) (excluded bool) {
	err := c.rest.guild(ctx, guild)
	if err == nil {
		c.guilds.hear(guild, true)
	}
	return hasCode(err, codeUnknownGuild, codeNoAccess)
}
