//go:build faults

package faults

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/engine/enginetest"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

// trouble is what happens to a club.
type trouble struct {
	name string
	// rounds is how often it happens in a long test; in a short one it is once. Long says that it happens in a long test alone.
	rounds int
	long   bool
	// happens has it happen, and be over.
	happens func(c *club)
}

const (
	// cutTime is how long something is cut off that doesn't lose its session by it: longer than an election takes. Away is how
	// long a bot is away that does.
	cutTime = 4 * time.Second
	away    = etcd.SessionTime + 2*time.Second
)

// troubles are all that a club is put through.
func troubles() []trouble {
	leader := func(c *club) *etcdtest.Member { return c.cluster.Leader() }
	follower := func(c *club) *etcdtest.Member { return c.cluster.Follower() }
	return []trouble{
		{"a bot killed", 3, false, func(c *club) {
			i := c.chance.IntN(bots)
			c.takenOver(i)
			c.discord.Forgive()
			c.goesOn() // Without it.
			c.begins(i)
		}},
		{"bots stopped and started, one after the other", 1, false, func(c *club) {
			for i := range c.crew {
				c.ends(i, (*process).stop)
				c.goesOn()
				c.begins(i)
				c.goesOn()
			}
		}},
		{"a bot frozen for longer than its lease, and woken", 1, true, oversleeps},
		{"a bot and etcd: cut off for longer than its lease", 1, true, loses},
		{"a bot and etcd: neither hears the other", 1, true, func(c *club) { c.deaf(c.cluster.Members, true, true) }},
		{"a bot and etcd: the bot is not heard", 1, true, func(c *club) { c.deaf(c.cluster.Members, true, false) }},
		{"a bot and etcd: the bot does not hear", 1, true, func(c *club) { c.deaf(c.cluster.Members, false, true) }},
		{"a bot and the leader: neither hears the other", 1, true, func(c *club) { c.deaf([]*etcdtest.Member{c.cluster.Leader()}, true, true) }},
		{"bots whose clocks jump an hour", 1, true, jumps},
		{"etcd: the leader killed", 3, false, killing(leader)},
		{"etcd: a follower killed", 1, true, killing(follower)},
		{"etcd: the leader frozen", 1, true, freezing(leader)},
		{"etcd: a follower frozen", 1, true, freezing(follower)},
		{"etcd: the leader cut off", 1, true, parting(leader, true, true)},
		{"etcd: the leader is not heard", 1, true, parting(leader, true, false)},
		{"etcd: the leader does not hear", 1, true, parting(leader, false, true)},
		{"etcd: a follower cut off", 1, true, parting(follower, true, true)},
		{"etcd: all three killed", 1, true, allKilled},
		{"etcd: stopped and started, one after the other", 1, true, rolling},
		{"etcd: compacted and defragmented, again and again", 1, true, tidied},
		{"etcd: no space, and space again", 1, true, full},
	}
}

// oversleeps freezes a bot until others have what it had, and wakes it.
func oversleeps(c *club) {
	i := c.chance.IntN(bots)
	p, began := c.crew[i], time.Now()
	p.pause()
	c.discord.Forgive()
	c.goesOn()
	time.Sleep(time.Until(began.Add(away)))
	p.resume()
	c.until("who was away ends", p.exited)
}

// loses cuts a bot off from etcd until others have what it had.
func loses(c *club) {
	i := c.chance.IntN(bots)
	mend := c.cut(i, c.cluster.Members, true, true)
	c.until("who was away ends", c.crew[i].exited)
	mend()
	c.discord.Forgive()
}

// deaf has a bot not be heard by members for a while, not hear them, or both.
func (c *club) deaf(members []*etcdtest.Member, says, hears bool) {
	mend := c.cut(c.chance.IntN(bots), members, says, hears)
	time.Sleep(cutTime)
	mend()
	c.discord.Forgive()
}

// cut cuts what a bot says to members, what they say to it, or both, until mend is called.
func (c *club) cut(i int, members []*etcdtest.Member, says, hears bool) (mend func()) {
	var all []string
	for _, m := range members {
		all = append(all, m.Name)
	}
	return c.cutOff(nameOf(i), all, says, hears)
}

// cutOff cuts what one end says to others, what they say to it, or both, until mend is called.
func (c *club) cutOff(one string, others []string, says, hears bool) (mend func()) {
	var mends []func()
	for _, other := range others {
		if says {
			mends = append(mends, c.cluster.Links.Cut(one, other))
		}
		if hears {
			mends = append(mends, c.cluster.Links.Cut(other, one))
		}
	}
	return func() {
		for _, mend := range mends {
			mend()
		}
	}
}

// killing kills a member, lets people go on without it, and starts it again.
func killing(which func(*club) *etcdtest.Member) func(*club) {
	return func(c *club) {
		m := which(c)
		m.Kill()
		c.goesOn()
		m.Start()
		c.cluster.Ready()
	}
}

// freezing freezes a member, lets people go on without it, and wakes it.
func freezing(which func(*club) *etcdtest.Member) func(*club) {
	return func(c *club) {
		m := which(c)
		m.Pause()
		c.goesOn()
		m.Resume()
		c.cluster.Ready()
	}
}

// parting cuts what a member says to the others, what they say to it, or both, and lets people go on.
func parting(which func(*club) *etcdtest.Member, says, hears bool) func(*club) {
	return func(c *club) {
		m := which(c)
		var others []string
		for _, other := range c.cluster.Members {
			if other != m {
				others = append(others, other.Name)
			}
		}
		mend := c.cutOff(m.Name, others, says, hears)
		time.Sleep(cutTime)
		c.goesOn()
		mend()
		c.cluster.Ready()
	}
}

func allKilled(c *club) {
	for _, m := range c.cluster.Members {
		m.Kill()
	}
	time.Sleep(time.Second)
	for _, m := range c.cluster.Members {
		m.Start()
	}
	c.cluster.Ready()
}

func rolling(c *club) {
	for _, m := range c.cluster.Members {
		m.Stop()
		m.Start()
		c.cluster.Ready()
	}
}

// tidied has etcd let go of all that is old, and write its files anew, while people press.
func tidied(c *club) {
	for began := time.Now(); time.Since(began) < cutTime; {
		c.cluster.Tidy()
	}
}

// full has etcd take no more writes for a while, as where a file has reached its quota: who presses is told so in words.
func full(c *club) {
	before := c.unsaved()
	c.cluster.Fill()
	time.Sleep(cutTime)
	// Not at each table: where a game has just ended, or nobody may move, nothing is to be stored.
	c.until("somebody is told that nothing can be stored", func() bool { return c.unsaved() > before })
	c.cluster.Drain()
}

// unsaved is how often somebody who pressed was told that nothing can be stored.
func (c *club) unsaved() (n int) {
	for _, s := range c.tables {
		for _, p := range s.all() {
			if p.outcome() != refused {
				continue
			}
			if told, _ := p.heard(); strings.HasPrefix(told, "Сейчас не получается ничего сохранить") {
				n++
			}
		}
	}
	return n
}

// TestClusterFaults has everything go wrong with three bots over three members of etcd, at which people play, and prints what
// came of it. All of it happens to one club, until one thing goes wrong that shouldn't: what follows then happens to another.
func TestClusterFaults(t *testing.T) {
	var table strings.Builder
	defer func() {
		t.Logf("\n| Fault | Rounds | Moves answered | Lost | Doubled | Drift | Slowest answer | Others hold all after | All tables go on after |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|%s", &table)
	}()
	var c *club
	for _, one := range troubles() {
		var f findings
		happened := t.Run(one.name, func(part *testing.T) {
			if one.long {
				enginetest.Long(part)
			}
			if c == nil {
				c = openClub(t)
			}
			c.meets(part, one, &f)
		})
		switch {
		case !happened:
			fmt.Fprintf(&table, "\n| **%s: failed** | %d | %d | %d | %d | %d | | | |", one.name, f.rounds, f.answered, f.lost, f.doubled, f.drift)
			if c != nil {
				c.abandon()
				c = nil
			}
		case f.rounds > 0:
			var takeover string
			if c.takeover > 0 {
				takeover = fmt.Sprintf("%.1f s", c.takeover.Seconds())
			}
			fmt.Fprintf(&table, "\n| %s | %d | %d | %d | %d | %d | %.1f s | %s | %.1f s |", one.name, f.rounds, f.answered, f.lost, f.doubled, f.drift,
				c.slowestAnswer().Seconds(), takeover, c.slowest.Seconds())
		}
	}
	if c != nil {
		c.T = t
		c.closes()
	}
}

// meets has trouble happen to a club, again and again, and wants all to be in order afterwards.
func (c *club) meets(t *testing.T, one trouble, f *findings) {
	c.T = t
	before := 0
	for _, n := range c.told() {
		before += n
	}
	c.play()
	c.goesOn()
	c.forget()
	for range max(enginetest.Bound(1, one.rounds), *rounds) {
		f.rounds++
		one.happens(c)
		c.goesOn()
		c.check(c.copyAlive(), f)
		f.answered -= before
		if t.Failed() {
			t.Fatal(c.story())
		}
	}
	c.settles()
}
