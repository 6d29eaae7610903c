//go:build faults

package faults

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"zevaka/storage/etcd"
)

// trouble is what happens to a club.
type trouble struct {
	name string
	// happens has it happen, and be over.
	happens func(c *club)
}

const (
	// pause is how long everybody goes on between two things. Away is how long a bot is away that loses its lease by it.
	pause = 4 * time.Second
	away  = etcd.SessionTime + 2*time.Second
)

// troubles are all that a club is put through. What happens to members of etcd, and between them and bots, is in cmd/zevaka/hands.
func troubles() []trouble {
	all := []trouble{
		{"nothing, and all who look on see each move", (*club).seen},
		{"a bot killed", func(c *club) {
			i := c.chance.IntN(bots)
			c.takenOver(i)
			c.discord.Forgive()
			c.goesOn() // Without it.
			c.begins(i)
		}},
		{"bots stopped and started, one after the other", func(c *club) {
			for i := range c.crew {
				c.ends(i, (*process).stop)
				c.goesOn()
				c.begins(i)
				c.goesOn()
			}
		}},
		{"a bot frozen for longer than its lease, and woken", oversleeps},
	}
	if *clocks {
		all = append(all, trouble{"bots whose clocks jump an hour", jumps})
	}
	return all
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

// TestBots has everything go wrong with three bots over one cluster of etcd, at which people play, and prints what came of it.
func TestBots(t *testing.T) {
	t.Parallel()
	c := openClub(t)
	var table strings.Builder
	for _, one := range troubles() {
		var f findings
		if !t.Run(one.name, func(part *testing.T) { c.meets(part, one, &f) }) {
			return
		}
		var takeover string
		if c.takeover > 0 {
			takeover = fmt.Sprintf("%.1f s", c.takeover.Seconds())
		}
		fmt.Fprintf(&table, "\n| %s | %d | %d | %d | %d | %d | %.1f s | %s | %.1f s |", one.name, f.rounds, f.answered, f.lost, f.doubled, f.drift,
			c.slowestAnswer().Seconds(), takeover, c.slowest.Seconds())
	}
	c.T = t
	c.closes()
	t.Logf("\n| Fault | Rounds | Moves answered | Lost | Doubled | Drift | Slowest answer | Others hold all after | All tables go on after |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|%s", &table)
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
	for range *rounds {
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
