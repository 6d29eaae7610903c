package discord

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"time"

	"zevaka/adapters/outbox"

	"github.com/bwmarrin/discordgo"
)

// parseShards reads "a-b/n" or "a/n": the first and the last shard to serve, and how many there are. Of an empty text
// the count is 0.
func parseShards(text string) (first, last, count int, err error) {
	if text == "" {
		return 0, 0, 0, nil
	}
	m := regexp.MustCompile(`^(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})$`).FindStringSubmatch(text)
	if m == nil {
		return 0, 0, 0, fmt.Errorf("shards %q: they should look like 0-3/8", text)
	}
	if m[2] == "" {
		m[2] = m[1]
	}
	var n [3]int
	for i := range n {
		if n[i], err = strconv.Atoi(m[i+1]); err != nil {
			return 0, 0, 0, fmt.Errorf("shards %q: %w", text, err)
		}
	}
	if n[0] > n[1] || n[1] >= n[2] {
		return 0, 0, 0, fmt.Errorf("shards %q: they should look like 0-3/8, counted from 0, the last one below the count", text)
	}
	return n[0], n[1], n[2], nil
}

// turns is who lets shards identify when it is their turn.
type turns interface {
	// wait waits until a shard may identify, which then calls identified. The error is ctx's, or says why no shard ever can.
	wait(ctx context.Context, shard int) (identified func(), err error)
}

// identifyLimit lets shards identify no faster than Discord allows: one at a time of those whose numbers leave the same
// remainder, and not more than are left for the day.
type identifyLimit struct {
	slots int
	apart time.Duration

	mu   sync.Mutex
	next []time.Time
	left int
	// reset is when there are more for the day.
	reset time.Time
}

func newIdentifyLimit(limit discordgo.SessionInformation, apart time.Duration) *identifyLimit {
	g := &identifyLimit{slots: max(1, limit.MaxConcurrency), apart: apart, left: limit.Remaining}
	g.next = make([]time.Time, g.slots)
	g.reset = time.Now().Add(time.Duration(limit.ResetAfter) * time.Millisecond)
	if limit.Total == 0 {
		g.left = 1000 // Discord didn't say: what it allows everybody in a day.
		g.reset = time.Now().Add(24 * time.Hour)
	}
	return g
}

// wait waits until the shard may identify.
func (g *identifyLimit) wait(ctx context.Context, shard int) (func(), error) {
	return func() {}, outbox.SleepUntil(ctx, g.take(shard, time.Now()))
}

// take gives the shard its time to identify.
func (g *identifyLimit) take(shard int, now time.Time) time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	slot := &g.next[shard%g.slots]
	at := *slot
	if at.Before(now) {
		at = now
	}
	if g.left <= 0 && at.Before(g.reset) {
		at = g.reset
	}
	if !at.Before(g.reset) {
		g.left, g.reset = 1000, at.Add(24*time.Hour)
	}
	g.left--
	*slot = at.Add(g.apart)
	return at
}
