//go:build faults

package faults

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot/keyspace"
	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
	"zevaka/storage/storagetest"
)

// club is a house whose database is in a cluster, and which several processes serve together.
type club struct {
	*house
	cluster *etcdtest.Cluster
	crew    []*process
	// doors are where the pages of each process are, as 127.0.0.1:80.
	doors []string
	// store is where the crew finds its database.
	store string
	// whole is the test that the club lasts for.
	whole *testing.T
	// slowest is the longest that a table had no move that counts after something went wrong.
	slowest time.Duration
	// takeover is the longest until others held all that a killed bot had held; 0 if none was killed.
	takeover time.Duration
}

// bots is how many processes serve a club.
const bots = 3

// openClub is a club with tables in six chats, where nobody plays yet.
func openClub(t *testing.T) *club {
	t.Helper()
	c := &club{whole: t, cluster: etcdtest.New(t, etcdtest.Options{Election: time.Second})}
	c.house = furnish(t)
	c.store = "etcd://" + strings.Join(c.cluster.Hosts(), ",") + "/club"
	c.at = []string{"--store", c.store}
	c.settings = append(c.settings, "ZEVAKA_PEERS_LISTEN=127.0.0.1:0", "ZEVAKA_PUBLIC_URL="+publicHost)
	for range bots {
		c.doors = append(c.doors, storagetest.Address())
	}
	t.Cleanup(c.abandon)
	c.crew = make([]*process, bots)
	c.begins(0, "ZEVAKA_NEW=true")
	c.connected()
	for i := 1; i < bots; i++ {
		c.begins(i)
	}
	c.look(c.doors)
	return c
}

// nameOf is how one of the crew is called.
func nameOf(i int) string { return fmt.Sprint("bot", i) }

// abandon ends all that still runs.
func (c *club) abandon() {
	if c.hold != nil {
		c.hold()
	}
	for i, p := range c.crew {
		if p != nil && !p.exited() {
			p.kill()
		}
		c.crew[i] = nil
	}
	for _, m := range c.cluster.Members {
		m.Kill()
	}
}

// connected waits until both platforms have somebody.
func (c *club) connected() {
	c.Helper()
	polls := c.telegram.Report().Counts["getUpdates"]
	c.until("a bot is connected", func() bool {
		return c.discord.Connected() > 0 && c.telegram.Report().Counts["getUpdates"] > polls
	})
}

// story is that of the house, and what those say who serve it.
func (c *club) story() string {
	told := c.house.story()
	for i, p := range c.crew {
		if p != nil {
			said := p.log.String()
			for line := range strings.Lines(said) {
				if strings.Contains(line, "request failed") {
					told += line
				}
			}
			told += fmt.Sprintf("\n%s (ended: %t): %s", nameOf(i), p.exited(), said[max(0, len(said)-2000):])
		}
	}
	return told
}

// ends lets a process end, by end.
func (c *club) ends(i int, end func(*process)) {
	c.Helper()
	p := c.crew[i]
	c.crew[i] = nil
	end(p)
	c.said += p.log.String()
}

// held is who holds what, and who holds anything: each process holds that it is there.
func (c *club) held(store *etcd.Store) (by map[string]string, there map[string]bool) {
	c.Helper()
	all, err := store.Held(c.Context())
	if err != nil {
		c.Fatal(err)
	}
	by, there = map[string]string{}, map[string]bool{}
	for _, one := range all {
		by[one.Thing], there[one.By] = one.By, true
	}
	return by, there
}

// served reports whether a thing is one that must always be somebody's: a part of the database, a shard, the reading of updates.
func served(thing string) bool {
	return strings.HasPrefix(thing, "part/") || strings.Contains(thing, " of ") || thing == "telegram/poll"
}

// takenOver kills one of the crew and waits until others hold all that was served before.
func (c *club) takenOver(i int) {
	c.Helper()
	store, err := etcd.Open(c.Context(), etcd.Address{Hosts: c.cluster.Hosts(), Prefix: "club"}, etcd.Options{Layout: keyspace.Community})
	if err != nil {
		c.Fatal(err)
	}
	defer store.Close()
	before, were := c.held(store)
	c.ends(i, (*process).kill)
	began := time.Now()
	c.until("others hold what a killed bot held", func() bool {
		now, are := c.held(store)
		for thing := range before {
			if served(thing) && now[thing] == "" {
				return false
			}
		}
		for name := range were {
			if !are[name] {
				return true
			}
		}
		return false
	})
	c.takeover = max(c.takeover, time.Since(began))
}

// begins starts a process in the place of one that has ended, or of none, with these settings beside those of all.
func (c *club) begins(i int, settings ...string) {
	c.Helper()
	c.crew[i] = launch(c.whole, c.with(i, settings...)...)
}

// with are the settings of one of the crew, with these beside those of all.
func (c *club) with(i int, settings ...string) []string {
	return slices.Concat(c.settings, []string{"ZEVAKA_STORE=" + c.store, "ZEVAKA_LISTEN=" + c.doors[i]}, settings)
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

// forget forgets how long people have waited.
func (c *club) forget() {
	c.slowest, c.takeover = 0, 0
	for _, s := range c.tables {
		s.mu.Lock()
		s.slowest = 0
		s.mu.Unlock()
	}
}

// slowestAnswer is the longest that somebody has waited for an answer since then. Discord's may be the promise of one.
func (c *club) slowestAnswer() (most time.Duration) {
	for _, s := range c.tables {
		s.mu.Lock()
		most = max(most, s.slowest)
		s.mu.Unlock()
	}
	return most
}

// settles wants all tables to go on when nothing goes wrong any more, and what is shown to be what is stored.
func (c *club) settles() {
	c.Helper()
	c.hold()
	for began := time.Now(); ; time.Sleep(time.Second) {
		c.revive()
		wrong := c.boards()
		if wrong == nil {
			wrong = c.views()
		}
		if wrong == nil {
			return
		}
		if time.Since(began) > limit {
			c.Fatalf("%v\n%s", wrong, c.story())
		}
	}
}

// closes wants the processes to stop in time, and to leave all in order.
func (c *club) closes() {
	c.Helper()
	for i := range c.crew {
		c.ends(i, (*process).stop)
	}
	c.check(c.copyAlive(), new(findings))
	c.watched()
	c.inOrder()
	c.quiet()
}
