package faults

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/engine/enginetest"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
)

// club is a house whose database is in a cluster, and which several processes serve together.
type club struct {
	*house
	cluster *etcdtest.Cluster
	crew    []*process
	// doors are where the pages of each process are, as 127.0.0.1:80.
	doors []string
	// slowest is the longest that a table had no move that counts after something went wrong.
	slowest time.Duration
}

// bots is how many processes serve a club.
const bots = 3

// openClub is a club with tables in six chats, where nobody plays yet.
func openClub(t *testing.T) *club {
	t.Helper()
	c := &club{cluster: etcdtest.New(t, etcdtest.Options{Election: time.Second, Links: true})}
	c.house = furnish(t)
	store := "etcd://" + strings.Join(c.cluster.Hosts(), ",") + "/club"
	c.at = []string{"--store", store}
	c.settings = append(c.settings, "ZEVAKA_STORE="+store, "ZEVAKA_PEERS_LISTEN=127.0.0.1:0", "ZEVAKA_PUBLIC_URL="+publicHost)
	c.doors = free(t, bots)
	t.Cleanup(func() {
		if c.hold != nil {
			c.hold()
		}
		for _, p := range c.crew {
			if p != nil && !p.exited() {
				p.kill()
			}
		}
	})
	c.crew = make([]*process, bots)
	c.begins(0, "ZEVAKA_NEW=true")
	c.connected()
	for i := range bots - 1 {
		c.begins(1 + i)
	}
	c.look(c.doors)
	return c
}

// connected waits until both platforms have somebody.
func (c *club) connected() {
	c.Helper()
	polls := c.telegram.Report().Counts["getUpdates"]
	c.until("a bot is connected", func() bool {
		return c.discord.Connected() > 0 && c.telegram.Report().Counts["getUpdates"] > polls
	})
}

// ends lets a process end, by end.
func (c *club) ends(i int, end func(*process)) {
	c.Helper()
	p := c.crew[i]
	c.crew[i] = nil
	end(p)
	c.said += p.log.String()
}

// begins starts a process where there is none.
func (c *club) begins(i int, more ...string) {
	c.Helper()
	c.crew[i] = launch(c.T, slices.Concat(c.settings, []string{"ZEVAKA_LISTEN=" + c.doors[i]}, more)...)
}

// revive starts those again that have ended by themselves, which they do when others may have taken over.
func (c *club) revive() {
	c.Helper()
	for i, p := range c.crew {
		if p == nil || !p.exited() {
			continue
		}
		c.ends(i, func(p *process) {
			if err := p.cmd.Wait(); err == nil || !strings.Contains(p.log.String(), etcd.ErrLost.Error()) {
				c.Fatalf("a bot ended by itself: %v\n%s", err, p.log)
			}
		})
		c.begins(i)
	}
}

// goesOn waits until there are moves at every table again.
func (c *club) goesOn() {
	c.Helper()
	began := time.Now()
	for done := false; !done; {
		c.revive()
		done = c.tried(1, 5*time.Second)
		if time.Since(began) > limit {
			c.Fatalf("nobody can play\n%s", c.story())
		}
	}
	c.slowest = max(c.slowest, time.Since(began))
}

// tried waits until at every table so many more moves count, but not for longer than told.
func (c *club) tried(moves int, most time.Duration) bool {
	began := make([]int, len(c.tables))
	for i, s := range c.tables {
		began[i] = s.counted()
	}
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		done := true
		for i, s := range c.tables {
			done = done && s.counted() >= began[i]+moves
		}
		if done {
			return true
		}
	}
	return false
}

// trouble is what happens to a club.
type trouble struct {
	name string
	// rounds is how often it happens in a long test; in a short one it is once. Long says that it happens in a long test alone.
	rounds int
	long   bool
	// happens has it happen, and be over.
	happens func(c *club)
}

// troubles are all that a club is put through.
func troubles() []trouble {
	return []trouble{
		{"a bot killed", 3, false, func(c *club) {
			i := c.chance.IntN(bots)
			c.ends(i, (*process).kill)
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
		{"etcd: the leader killed", 3, false, func(c *club) { c.killed(c.cluster.Leader()) }},
		{"etcd: a follower killed", 1, true, func(c *club) { c.killed(c.follower()) }},
		{"etcd: the leader frozen", 1, true, func(c *club) { c.frozen(c.cluster.Leader()) }},
		{"etcd: a follower frozen", 1, true, func(c *club) { c.frozen(c.follower()) }},
		{"etcd: all three killed", 1, true, func(c *club) {
			for _, m := range c.cluster.Members {
				m.Kill()
			}
			time.Sleep(time.Second)
			for _, m := range c.cluster.Members {
				m.Start()
			}
			c.cluster.Ready()
		}},
		{"etcd: the leader cut off", 1, true, func(c *club) {
			leader := c.cluster.Leader()
			var mend []func()
			for _, m := range c.cluster.Members {
				if m != leader {
					mend = append(mend, c.cluster.Links.Cut(leader.Name, m.Name), c.cluster.Links.Cut(m.Name, leader.Name))
				}
			}
			time.Sleep(5 * time.Second)
			for _, one := range mend {
				one()
			}
		}},
	}
}

// follower is a member that doesn't lead.
func (c *club) follower() *etcdtest.Member {
	leader := c.cluster.Leader()
	for _, m := range c.cluster.Members {
		if m != leader {
			return m
		}
	}
	return leader
}

// killed kills a member, lets people go on without it, and starts it again.
func (c *club) killed(m *etcdtest.Member) {
	m.Kill()
	c.goesOn()
	m.Start()
	c.cluster.Ready()
}

// frozen freezes a member, lets people go on without it, and wakes it.
func (c *club) frozen(m *etcdtest.Member) {
	m.Pause()
	c.goesOn()
	m.Resume()
	c.cluster.Ready()
}

// TestClusterFaults has everything go wrong with three bots over three members of etcd, at which people play, and prints what
// came of it.
func TestClusterFaults(t *testing.T) {
	etcdtest.Server(t)
	var table strings.Builder
	for _, one := range troubles() {
		var f findings
		var c *club
		t.Run(one.name, func(t *testing.T) {
			if one.long {
				enginetest.Long(t)
			}
			c = openClub(t)
			c.play()
			c.goesOn()
			c.slowest = 0
			for range max(enginetest.Bound(1, one.rounds), *rounds) {
				one.happens(c)
				f.rounds++
				c.goesOn()
				c.check(c.copyAlive(), &f)
				if t.Failed() {
					t.FailNow()
				}
			}
			c.closes(&f)
		})
		if f.rounds > 0 {
			fmt.Fprintf(&table, "\n| %s | %d | %d | %d | %d | %d | %.1f s |", one.name, f.rounds, f.answered, f.lost, f.doubled, f.drift, c.slowest.Seconds())
		}
	}
	t.Logf("\n| Fault | Rounds | Moves answered | Lost | Doubled | Drift | All tables go on after |\n|---|--:|--:|--:|--:|--:|--:|%s", &table)
}

// closes wants that all tables go on when nothing goes wrong any more, that what is shown is what is stored, and that
// the processes stop in time and leave all in order.
func (c *club) closes(f *findings) {
	c.Helper()
	c.hold()
	for began := time.Now(); ; time.Sleep(time.Second) {
		c.revive()
		wrong := c.boards()
		if wrong == nil {
			wrong = c.views()
		}
		if wrong == nil {
			break
		}
		if time.Since(began) > limit {
			c.Fatalf("%v\n%s", wrong, c.story())
		}
	}
	for i := range c.crew {
		c.ends(i, (*process).stop)
	}
	c.check(c.copyAlive(), f)
	c.watched()
	c.inOrder()
	c.quiet()
}
