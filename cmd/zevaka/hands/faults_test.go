//go:build faults

package hands

import (
	"fmt"
	"sync/atomic"
	"time"

	"zevaka/storage/etcd"
	"zevaka/storage/etcd/etcdtest"
	"zevaka/storage/storagetest/linear"
)

// fault is something that goes wrong, and is over when happens returns.
type fault struct {
	name string
	// alone says that nothing else goes wrong meanwhile.
	alone   bool
	happens func(c *club)
}

const (
	// trouble is how long a fault lasts that lasts as long as one likes: longer than members take to elect a leader.
	trouble = 2500 * time.Millisecond
	// away is how long somebody is away who loses by that what they hold.
	away = etcd.SessionTime + 2*time.Second
)

// ofMembers are what happens to the members of etcd, ofHouses what happens to those who serve. One of each happens at a time.
func ofMembers() []fault {
	leader := func(c *club) *etcdtest.Member { return c.cluster.Leader() }
	follower := func(c *club) *etcdtest.Member { return c.cluster.Follower() }
	return []fault{
		{"etcd: the leader killed", false, killed(leader)},
		{"etcd: a follower killed", false, killed(follower)},
		{"etcd: all three killed", false, allKilled},
		{"etcd: stopped and started, one after the other", false, rolling},
		{"etcd: the leader frozen", false, frozen(leader, trouble)},
		{"etcd: a follower frozen", false, frozen(follower, trouble)},
		{"etcd: the leader cut off", false, apart(leader, true, true)},
		{"etcd: the leader is not heard", false, apart(leader, true, false)},
		{"etcd: the leader does not hear", false, apart(leader, false, true)},
		{"etcd: a follower cut off", false, apart(follower, true, true)},
		{"etcd: members hear each other late", false, late},
		{"etcd: connections between members reset", false, reset},
		{"etcd: compacted and defragmented, again and again", false, tidied},
		{"etcd: no space, and space again", false, full},
		{"etcd: a follower frozen for longer than a lease", true, nobodyLoses(frozen(follower, away))},
		{"etcd: each bot cut off from one member for longer than its lease", true, nobodyLoses(oneEach)},
	}
}

func ofHouses() []fault {
	all := func(c *club) []*etcdtest.Member { return c.cluster.Members }
	leader := func(c *club) []*etcdtest.Member {
		if m := c.cluster.Leader(); m != nil {
			return []*etcdtest.Member{m}
		}
		return nil
	}
	return []fault{
		{"a bot and etcd: cut off for longer than its lease", false, cut(all, true, true, away)},
		{"a bot and etcd: neither hears the other", false, cut(all, true, true, trouble)},
		{"a bot and etcd: the bot is not heard", false, cut(all, true, false, trouble)},
		{"a bot and etcd: the bot does not hear", false, cut(all, false, true, trouble)},
		{"a bot and the leader: neither hears the other", false, cut(leader, true, true, trouble)},
		{"a bot and etcd: connections reset", false, func(c *club) {
			for range 5 {
				for _, end := range c.one() {
					for _, m := range c.cluster.Members {
						c.cluster.Links.Reset(end, m.Name)
					}
				}
				time.Sleep(trouble / 5)
			}
		}},
		{"a bot: left and joined anew", false, func(c *club) {
			c.houses[c.dice.IntN(houses)].ends()
			time.Sleep(trouble)
		}},
	}
}

// goesWrong has each fault happen once in any order, and all go on after each; it returns early if that is over. Beside faults of members
// clients run errands.
func (c *club) goesWrong(faults []fault, clients []*client) {
	for _, i := range c.dice.Perm(len(faults)) {
		one := faults[i]
		time.Sleep(time.Duration(c.dice.IntN(500)) * time.Millisecond)
		if c.Failed() {
			return
		}
		if one.alone {
			c.calm.Lock()
		} else {
			c.calm.RLock()
		}
		if err := c.meets(one, clients); err != nil {
			c.Errorf("%s: %v; %s", one.name, err, again())
		}
		if one.alone {
			c.calm.Unlock()
		} else {
			c.calm.RUnlock()
		}
		c.mu.Lock()
		c.happened[one.name]++
		c.mu.Unlock()
	}
}

// meets has one thing go wrong.
func (c *club) meets(one fault, clients []*client) error {
	if clients == nil {
		one.happens(c)
		return c.goesOn()
	}
	e := &errands{
		T: c.T, clients: clients, number: int(errandsRun.Add(1)), history: new(linear.History), answered: map[string]int{}, tried: map[string]int{},
	}
	stop := e.start()
	time.Sleep(300 * time.Millisecond)
	one.happens(c)
	c.cluster.Ready()
	err := e.goesOn()
	stop()
	if err == nil {
		err = e.check()
	}
	if err == nil {
		err = c.goesOn()
	}
	return err
}

var errandsRun atomic.Int64

// goesOn waits until all houses are there, and people have made some more moves.
func (c *club) goesOn() error {
	wanted := c.counted.Load() + 10
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		missing := ""
		for _, h := range c.houses {
			if one := h.share.Load(); one == nil || one.Context().Err() != nil { // One that ends is there for as long as it takes.
				missing = h.name + " isn't there"
			}
		}
		if n := c.counted.Load(); n < wanted {
			missing += fmt.Sprintf(" people made %d moves, and should have made %d", n, wanted)
		}
		if missing == "" {
			return nil
		}
		if time.Since(begun) > limit {
			return fmt.Errorf("after %v: %s", limit, missing)
		}
	}
}

// one is a house and a client, by their names on the links: the same happens to both.
func (c *club) one() []string {
	return []string{c.houses[c.dice.IntN(houses)].name, c.clients[c.dice.IntN(clients)].name}
}

// cut cuts what a bot says to members, what it hears of them, or both.
func cut(members func(*club) []*etcdtest.Member, says, hears bool, long time.Duration) func(*club) {
	return func(c *club) {
		for _, end := range c.one() {
			for _, m := range members(c) {
				defer c.part(end, m.Name, says, hears)()
			}
		}
		time.Sleep(long)
	}
}

// part cuts what one end says to another, what it hears of it, or both, until mend is called.
func (c *club) part(one, other string, says, hears bool) (mend func()) {
	said, heard := func() {}, func() {}
	if says {
		said = c.cluster.Links.Cut(one, other)
	}
	if hears {
		heard = c.cluster.Links.Cut(other, one)
	}
	return func() {
		said()
		heard()
	}
}

// member picks one; nil where there is none at the moment.
type member func(*club) *etcdtest.Member

func killed(which member) func(*club) {
	return func(c *club) {
		if m := which(c); m != nil {
			m.Kill()
			time.Sleep(trouble)
			m.Start()
		}
	}
}

func frozen(which member, long time.Duration) func(*club) {
	return func(c *club) {
		if m := which(c); m != nil {
			m.Pause()
			time.Sleep(long)
			m.Resume()
		}
	}
}

// apart cuts what a member says to the others, what it hears of them, or both.
func apart(which member, says, hears bool) func(*club) {
	return func(c *club) {
		m := which(c)
		for _, other := range c.cluster.Members {
			if m != nil && m != other {
				defer c.part(m.Name, other.Name, says, hears)()
			}
		}
		time.Sleep(trouble)
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
}

func rolling(c *club) {
	for _, m := range c.cluster.Members {
		m.Stop()
		m.Start()
		c.cluster.Ready()
	}
}

// pairs calls each with the names of all members that speak to each other.
func pairs(c *club, each func(from, to string)) {
	for _, a := range c.cluster.Members {
		for _, b := range c.cluster.Members {
			if a != b {
				each(a.Name, b.Name)
			}
		}
	}
}

func late(c *club) {
	pairs(c, func(from, to string) { c.cluster.Links.Slow(from, to, 50*time.Millisecond) })
	time.Sleep(trouble)
	pairs(c, func(from, to string) { c.cluster.Links.Slow(from, to, 0) })
}

func reset(c *club) {
	for range 10 {
		pairs(c, c.cluster.Links.Reset)
		time.Sleep(trouble / 10)
	}
}

// tidied has etcd let go of all that is old, and write its files anew, while somebody reads what may be too old for it in the middle.
func tidied(c *club) {
	for begun := time.Now(); time.Since(begun) < trouble; {
		c.cluster.Tidy()
	}
}

// full has etcd take no more writes for a while, as where a file has reached its quota: who presses is told so in words.
func full(c *club) {
	before := c.unsaved.Load()
	c.cluster.Fill()
	for begun := time.Now(); c.unsaved.Load() == before; time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > limit {
			c.Error("nobody is told that nothing can be saved")
			break
		}
	}
	c.cluster.Drain()
}

// nobodyLoses wants each house and each client to hold at the end what it held before. A client whom an earlier fault cost its session may not
// know it yet.
func nobodyLoses(happens func(*club)) func(*club) {
	return func(c *club) {
		var begun []int64
		for _, h := range c.houses {
			begun = append(begun, h.begun.Load())
		}
		var held []*etcd.Store
		for _, o := range c.clients {
			if lost := o.now(); !o.keeps(lost) {
				if err := o.again(c.Context(), lost); err != nil {
					c.Errorf("%s: %v", o.name, err)
				}
			}
			held = append(held, o.now())
		}
		happens(c)
		for i, h := range c.houses {
			if h.begun.Load() != begun[i] {
				c.Errorf("%s lost what it held", h.name)
			}
		}
		for i, o := range c.clients {
			if !o.keeps(held[i]) {
				c.Errorf("%s lost what it held", o.name)
			}
		}
	}
}

// oneEach cuts each house, and each client, off from one member.
func oneEach(c *club) {
	var ends []string
	for _, h := range c.houses {
		ends = append(ends, h.name)
	}
	for _, o := range c.clients {
		ends = append(ends, o.name)
	}
	for i, end := range ends {
		defer c.part(end, c.cluster.Members[i%len(c.cluster.Members)].Name, true, true)()
	}
	time.Sleep(away)
}
