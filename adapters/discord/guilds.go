package discord

import (
	"context"
	"maps"
	"slices"
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
	// of are those of each shard that was connected, and of each whether it is available: from one that isn't nothing comes.
	of map[int]map[int64]*outbox.Hearing
	// heard is whether the bot is a member of servers whose shards other processes have.
	heard *outbox.Memory[int64, bool]
	// ears are of each shard of this process whether its connection stands, first whether the gateway has been found.
	ears  map[int]*outbox.Hearing
	first outbox.Hearing
	// told is what other processes say of their shards and servers.
	told map[part]*outbox.Hearsay
}

// part is a shard, of so many, or else a server.
type part struct {
	Shard, Count int
	Guild        int64
}

// has reports whether a server is of the part.
func (p part) has(guild int64) bool {
	return p.Guild == guild || p.Count > 0 && int(guild>>22)%p.Count == p.Shard
}

// hears reports whether what is done in a place comes to the part, which is a shard: from private chats it comes to the first.
func (p part) hears(in chat.Place) bool {
	if in.Private {
		return p.Shard == 0
	}
	return p.has(in.Community.ID)
}

// silence is for how long nothing has come from a part.
type silence struct {
	Of    part
	Lasts time.Duration
}

// maxSilent is of how many parts a process says at a time that nothing comes from them.
const maxSilent = 8192

func newGuilds() guilds {
	return guilds{heard: outbox.NewMemory[int64, bool](maxHeard), ears: map[int]*outbox.Hearing{}, told: map[part]*outbox.Hearsay{}}
}

// start notes that this process has a shard, of so many, from now on: its connection doesn't stand yet, as may be for long.
func (g *guilds) start(shard, count int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ear := &outbox.Hearing{}
	ear.TakeOver(g.said(part{Shard: shard, Count: count}))
	ear.Set(false)
	g.ears[shard] = ear
}

// reach notes whether the connection of a shard that this process has stands.
func (g *guilds) reach(shard int, up bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ears[shard].Set(up)
}

// open notes whether a server is available, of which Discord has told a shard of this process.
func (g *guilds) open(guild int64, available bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if one := g.of[g.shardOf(guild)][guild]; one != nil {
		one.Set(available)
	}
}

// deaf is for how long a server has been unavailable or its shard had no connection, or so it was until a moment ago, as far as this process or
// the one that has the shard says; 0 if what is done there comes.
func (g *guilds) deaf(guild int64) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	shard := g.shardOf(guild)
	if ear := g.ears[shard]; ear != nil {
		if one := g.of[shard][guild]; one != nil {
			return max(ear.Deaf(), one.Deaf())
		}
		return max(ear.Deaf(), g.said(part{Guild: guild}))
	}
	lasts := g.first.Deaf()
	for of, said := range g.told {
		if of.has(guild) {
			lasts = max(lasts, said.Deaf())
		}
	}
	return lasts
}

// said is for how long nothing has come from a part, as another process has said a moment ago. The caller holds mu.
func (g *guilds) said(of part) time.Duration {
	if said := g.told[of]; said != nil {
		return said.Deaf()
	}
	return 0
}

// silent are the shards of this process, of so many, that bring nothing, and such servers, at most maxSilent in all.
func (g *guilds) silent(count int) (all []silence) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, ear := range g.ears {
		if lasts := ear.Deaf(); lasts > 0 {
			all = append(all, silence{part{Shard: id, Count: count}, lasts})
		}
	}
	for _, known := range g.of {
		for id, one := range known {
			if lasts := one.Deaf(); lasts > 0 && len(all) < maxSilent {
				all = append(all, silence{part{Guild: id}, lasts})
			}
		}
	}
	return all
}

// hearsay notes what another process says of its shards and servers.
func (g *guilds) hearsay(all []silence) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.note(all)
}

// note notes what is said of shards and servers. The caller holds mu.
func (g *guilds) note(all []silence) {
	maps.DeleteFunc(g.told, func(_ part, said *outbox.Hearsay) bool { return said.Deaf() == 0 })
	for _, one := range all {
		if g.told[one.Of] == nil {
			g.told[one.Of] = &outbox.Hearsay{}
		}
		g.told[one.Of].Say(one.Lasts)
	}
}

// begin notes what a shard was told at the beginning of a session: all its servers.
func (g *guilds) begin(shard, count int, all []*discordgo.Guild) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of == nil || g.count != count {
		g.of = map[int]map[int64]*outbox.Hearing{}
	}
	known := map[int64]*outbox.Hearing{}
	for _, one := range all {
		id := number(one.ID)
		if known[id] = g.of[shard][id]; known[id] == nil {
			known[id] = &outbox.Hearing{}
			known[id].TakeOver(g.said(part{Guild: id}))
		}
		known[id].Set(!one.Unavailable)
	}
	g.count, g.of[shard] = count, known
}

// end forgets what a shard was told: another process has it from now on.
func (g *guilds) end(shard, count int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	silent := []silence{{part{Shard: shard, Count: count}, g.ears[shard].Deaf()}} // Until the other process says so.
	for id, one := range g.of[shard] {
		silent = append(silent, silence{part{Guild: id}, one.Deaf()})
	}
	g.note(slices.DeleteFunc(silent, func(one silence) bool { return one.Lasts == 0 }))
	delete(g.ears, shard)
	if g.count == count {
		delete(g.of, shard)
	}
}

// put notes that the bot is in a server now, which is available, or no more, and reports whether that is news of a server of a shard
// that is connected.
func (g *guilds) put(guild int64, member bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.of[g.shardOf(guild)]
	one := known[guild]
	switch {
	case member && one != nil:
		one.Set(true)
		return false
	case known == nil, !member && one == nil:
		return false
	case member:
		known[guild] = &outbox.Hearing{}
	default:
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
	return all[guild] != nil, all != nil
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
