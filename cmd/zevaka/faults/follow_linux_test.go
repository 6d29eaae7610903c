//go:build faults

package faults

import (
	"maps"
	"slices"
	"time"
)

// seen has every move at the tables that people look at come to all of them, whichever process they look through, while people press
// at all tables, and logs how long it takes from the press.
func (c *club) seen() {
	const moves = 5 // A group on Telegram takes few pictures a minute, and nobody presses what is on its way.
	c.hold()
	delays := make([][]time.Duration, len(c.tables))
	for i, s := range c.tables {
		c.follows(s, &delays[i])
	}
	c.play()
	c.everybody(moves)
	c.hold()
	var all []time.Duration
	for i, s := range c.tables {
		if s.after != nil && len(delays[i]) < moves {
			c.Errorf("of the moves at table %d (%s) viewers saw %d", i, s.game, len(delays[i]))
		}
		s.before, s.after = nil, nil
		all = append(all, delays[i]...)
	}
	c.play()
	slices.Sort(all)
	if len(all) == 0 {
		c.Fatal("nobody looks")
	}
	c.Logf("%d moves, from the press until the last of the viewers sees it: half within %v, 95 of 100 within %v, all within %v",
		len(all), all[len(all)/2], all[len(all)*95/100], all[len(all)-1])
}

// follows measures how long moves at a table take to come to those who look at it, if anybody does. They take turns: nobody
// presses before all see what was pressed last.
func (c *club) follows(s *seats, delays *[]time.Duration) {
	var here []*viewer
	for _, v := range c.viewers {
		if v.group == s.conversation {
			here = append(here, v)
		}
	}
	if len(here) == 0 {
		return
	}
	var before []map[string]uint64
	s.before = func() {
		before = before[:0]
		for _, v := range here {
			v.mu.Lock()
			before = append(before, maps.Clone(v.newest))
			v.mu.Unlock()
		}
	}
	s.after = func(p *press) {
		for {
			seen := 0
			for i, v := range here {
				v.mu.Lock()
				if v.newest[p.table] > before[i][p.table] {
					seen++
				}
				v.mu.Unlock()
			}
			if seen == len(here) {
				break
			}
			if time.Since(p.at) > limit {
				c.Errorf("%s at table %s is not seen", p.do, p.table)
				return
			}
			time.Sleep(time.Millisecond)
		}
		*delays = append(*delays, time.Since(p.at))
	}
}
