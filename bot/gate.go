package bot

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"zevaka/bot/words"
	"zevaka/engine"
)

const (
	// errFast refuses what comes too fast.
	errFast engine.Refusal = "too-fast"
	// atOnceSeconds is for how many seconds' worth may come at once from somebody who was quiet before.
	atOnceSeconds = 4
	// maxBuckets bounds how many users, and how many communities, a Gate remembers twice over.
	maxBuckets = 1 << 16
)

// Rates are how many presses and commands a second a Gate lets through; 0 is as many as come. After a pause four seconds'
// worth may come at once.
type Rates struct {
	// User is for one user on one platform, Community for all users of one community.
	User, Community float64
}

// Limit is which of the Rates was met.
type Limit uint8

// The limits.
const (
	UserLimit Limit = iota
	CommunityLimit
)

// Gate is a Handler in front of another that turns away whoever does too much: the other is not asked, and the one who
// pressed is told so. Requests that nobody makes by pressing or typing pass. It is safe for use by many goroutines, and
// what it remembers is bounded.
type Gate struct {
	next  Handler
	words *words.Catalogue
	watch Observer
	now   func() time.Time

	mu          sync.Mutex
	users       buckets
	communities buckets
}

// NewGate is a gate in front of next, which nobody has come through yet. The observer, which may be nil, is told of
// those who are turned away.
func NewGate(next Handler, rates Rates, catalogue *words.Catalogue, o Observer) *Gate {
	return &Gate{
		next: next, words: catalogue, watch: Observe(o), now: time.Now,
		users:       buckets{rate: rates.User, max: maxBuckets},
		communities: buckets{rate: rates.Community, max: maxBuckets},
	}
}

// Handle has the request handled, or refuses it.
func (g *Gate) Handle(ctx context.Context, r Request) Response {
	if r.Kind != Press && r.Kind != Command || r.Who.Bot {
		return g.next.Handle(ctx, r)
	}
	limit, ok := g.pass(r)
	if ok {
		return g.next.Handle(ctx, r)
	}
	g.watch.Limited(r.In.Community.Platform, limit)
	return Response{Toast: g.words.Lang(r.Who.Lang).Say("no." + string(errFast)), Alert: true}
}

// pass takes what a request costs. Who is turned away takes nothing from the community.
func (g *Gate) pass(r Request) (Limit, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if !g.users.allow(Community{r.In.Community.Platform, r.Who.ID}, now) {
		return UserLimit, false
	}
	return CommunityLimit, g.communities.allow(r.In.Community, now)
}

// buckets are what users or communities, told apart by platform and ID, may still do. Those that were quiet for longest
// are forgotten: when there are max young ones these are the old ones, and the old ones before them are gone.
type buckets struct {
	rate       float64
	max        int
	young, old map[Community]*rate.Limiter
}

// allow takes one from a bucket; false if it is empty.
func (b *buckets) allow(key Community, now time.Time) bool {
	if b.rate <= 0 {
		return true
	}
	l := b.young[key]
	if l == nil {
		if len(b.young) >= b.max || b.young == nil {
			b.old, b.young = b.young, map[Community]*rate.Limiter{}
		}
		if l = b.old[key]; l == nil {
			l = rate.NewLimiter(rate.Limit(b.rate), max(1, int(b.rate*atOnceSeconds)))
		}
		b.young[key] = l
	}
	return l.AllowN(now, 1)
}
