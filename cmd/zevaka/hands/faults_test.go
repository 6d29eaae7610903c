//go:build faults

package hands

import (
	"context"
	"math/rand/v2"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

// fault is something that goes wrong, and is over when happens returns.
type fault struct {
	name    string
	happens func(c *club)
}

// trouble is how long a fault lasts that lasts as long as one likes: longer than members take to elect a leader.
const trouble = 2500 * time.Millisecond

// ofMembers are what happens to the members of etcd, ofHouses what happens to those who serve.
func ofMembers() []fault {
	leader := func(c *club) *etcdtest.Member { return c.cluster.Leader() }
	follower := func(c *club) *etcdtest.Member { return c.cluster.Follower() }
	return []fault{
		{"etcd: the leader killed", down(leader, (*etcdtest.Member).Kill)},
		{"etcd: a follower killed", down(follower, (*etcdtest.Member).Kill)},
		{"etcd: the leader stopped", down(leader, (*etcdtest.Member).Stop)},
		{"etcd: the leader frozen", frozen(leader)},
		{"etcd: a follower frozen", frozen(follower)},
		{"etcd: the leader cut off", apart(leader, true, true)},
		{"etcd: the leader not heard", apart(leader, true, false)},
		{"etcd: the leader hears nothing", apart(leader, false, true)},
		{"etcd: all members killed", allDown},
		{"etcd: compacted and defragmented", compacted},
	}
}

func ofHouses() []fault {
	return []fault{
		{"bot: cut off past its lease", func(c *club) { c.cut(oneOf(c), etcd.SessionTime+3*time.Second) }},
		{"bot: cut off for a moment", func(c *club) { c.cut(oneOf(c), trouble) }},
		{"bot: its connections reset", func(c *club) {
			h := oneOf(c)
			for _, m := range c.cluster.Members {
				c.cluster.Links.Reset(h.name, m.Name)
			}
			time.Sleep(trouble)
		}},
		{"bot: left and joined anew", func(c *club) {
			oneOf(c).ends()
			time.Sleep(trouble)
		}},
	}
}

// oneOf is one of the houses.
func oneOf(c *club) *house { return c.houses[rand.IntN(houses)] }

type member func(*club) *etcdtest.Member

func down(which member, end func(*etcdtest.Member)) func(*club) {
	return func(c *club) {
		if m := which(c); m != nil {
			end(m)
			time.Sleep(trouble)
			m.Start()
		}
	}
}

func frozen(which member) func(*club) {
	return func(c *club) {
		if m := which(c); m != nil {
			m.Pause()
			time.Sleep(trouble)
			m.Resume()
		}
	}
}

// apart cuts what a member says to the others, what it hears of them, or both.
func apart(which member, says, hears bool) func(*club) {
	return func(c *club) {
		m := which(c)
		for _, other := range c.cluster.Members {
			if m == nil || m == other {
				continue
			}
			if says {
				defer c.cluster.Links.Cut(m.Name, other.Name)()
			}
			if hears {
				defer c.cluster.Links.Cut(other.Name, m.Name)()
			}
		}
		time.Sleep(trouble)
	}
}

func allDown(c *club) {
	for _, m := range c.cluster.Members {
		m.Kill()
	}
	time.Sleep(time.Second)
	for _, m := range c.cluster.Members {
		m.Start()
	}
}

// compacted has etcd let go of all that is old, and a member write its file anew.
func compacted(c *club) {
	client := c.cluster.Client()
	defer client.Close()
	ctx, cancel := context.WithTimeout(c.Context(), time.Minute)
	defer cancel()
	now, err := client.Get(ctx, "now")
	if err == nil {
		_, err = client.Compact(ctx, now.Header.Revision, clientv3.WithCompactPhysical())
	}
	if err == nil {
		_, err = client.Defragment(ctx, c.cluster.Members[rand.IntN(houses)].Host)
	}
	if err != nil {
		c.Logf("compact: %v", err) // Something else has gone wrong at that moment.
	}
}

// cut cuts a house off from all members.
func (c *club) cut(h *house, long time.Duration) {
	for _, m := range c.cluster.Members {
		defer c.cluster.Links.Cut(h.name, m.Name)()
		defer c.cluster.Links.Cut(m.Name, h.name)()
	}
	time.Sleep(long)
}
