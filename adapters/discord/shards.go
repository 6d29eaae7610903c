package discord

import (
	"context"
	"fmt"
	"log/slog"
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
	// wait waits until a shard may identify, which then calls done, once it has identified, or can't. The error is ctx's, or says why no
	// shard ever can.
	wait(ctx context.Context, shard int) (done func(identified bool), err error)
}

// identifyLimit lets shards identify no faster than Discord allows: one at a time of those whose numbers leave the same
// remainder, and not more than are left for the day.
type identifyLimit struct {
	slots int
	apart time.Duration
	log   *slog.Logger

	mu   sync.Mutex
	next []time.Time
	left int
	// reset is when there are more for the day. Said is the last such time of which it was logged that none are left until then.
	reset, said time.Time
}

func newIdentifyLimit(limit discordgo.SessionInformation, apart time.Duration, log *slog.Logger) *identifyLimit {
	g := &identifyLimit{slots: max(1, limit.MaxConcurrency), apart: apart, log: log, left: limit.Remaining}
	g.next = make([]time.Time, g.slots)
	g.reset = time.Now().Add(time.Duration(limit.ResetAfter) * time.Millisecond)
	if limit.Total == 0 {
		g.left = 1000 // Discord didn't say: what it allows everybody in a day.
		g.reset = time.Now().Add(24 * time.Hour)
	}
	return g
}

// wait implements turns. What doesn't come as far as an identify takes none of those that are left for the day.
func (g *identifyLimit) wait(ctx context.Context, shard int) (done func(identified bool), err error) {
	for {
		at, day := g.take(shard, time.Now())
		if err := outbox.SleepUntil(ctx, at); err != nil {
			return nil, err
		}
		if !day.IsZero() {
			return func(identified bool) {
				if !identified {
					g.giveBack(day)
				}
			}, nil
		}
	}
}

// take gives the shard its time to identify, of a day that ends at the time day; if that is zero none is left, and it is when to ask again.
func (g *identifyLimit) take(shard int, now time.Time) (at, day time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	slot := &g.next[shard%g.slots]
	if at = *slot; at.Before(now) {
		at = now
	}
	switch {
	case !at.Before(g.reset):
		g.left, g.reset = 1000, at.Add(24*time.Hour)
	case g.left <= 0:
		if !g.said.Equal(g.reset) {
			g.said = g.reset
			g.log.Warn("no shard may identify any more today", "until", g.reset)
		}
		return g.reset, time.Time{}
	}
	g.left--
	*slot = at.Add(g.apart)
	return at, g.reset
}

// giveBack gives back an identify that was not needed, unless its day is over.
func (g *identifyLimit) giveBack(day time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.reset.Equal(day) {
		g.left++
	}
}
