// Package pace bounds what is asked of the bot: how much each user, address and community may ask in a second, and how much of what takes
// long is done at a time, so that others needn't wait for it.
package pace

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"zevaka/bot/chat"
	"zevaka/bot/words"
	"zevaka/engine"
)

const (
	// ErrFast refuses what comes too fast.
	ErrFast engine.Refusal = "too-fast"
	// atOnceSeconds is for how many seconds' worth may come at once from somebody who was quiet before.
	atOnceSeconds = 4
	// newRate is how many people a second a Gate lets come from one network whom it doesn't remember, and newAtOnce how many at once after
	// a pause: where anybody may be as many people as they like, each of them leaves something for good.
	newRate, newAtOnce = 0.1, 100
	// calmRate is how much a second somebody asks for at most who is calm, calmHome those of one network together.
	calmRate, calmHome = 1, 5
	// maxBuckets bounds how many users, how many addresses and how many communities a Gate remembers twice over.
	maxBuckets = 1 << 16
)

// Rates are how many presses, commands and lines of talk a second a Gate lets through; 0 is as many as come. After a
// pause four seconds' worth may come at once.
type Rates struct {
	// User is for one user on one platform, Address for all that comes From one address, Community for all users of one
	// community: half of what may come at once is left to people who are calm. Where there is one for users and one for addresses, there is a bound to how
	// many new people a network brings, too; and where there is one for addresses and one for communities, a network has half of what a community has, if
	// that is more than an address has.
	User, Address, Community float64
}

// Gate is a Handler in front of another that turns away whoever does too much: the other is not asked, and the one who
// pressed is told so. Requests that nobody makes by pressing or typing pass. It is safe for use by many goroutines, and
// what it remembers is bounded.
type Gate struct {
	next  chat.Handler
	words *words.Catalogue
	watch chat.Observer
	now   func() time.Time

	mu          sync.Mutex
	users       buckets[chat.Community]
	addresses   buckets[string]
	networks    buckets[string]
	newcomers   buckets[string]
	communities buckets[chat.Community]
	// calm and homes are how calm users and networks are.
	calm  buckets[chat.Community]
	homes buckets[string]
}

// NewGate is a gate in front of next, which nobody has come through yet. The observer, which may be nil, is told of
// those who are turned away.
func NewGate(next chat.Handler, rates Rates, catalogue *words.Catalogue, o chat.Observer) *Gate {
	g := &Gate{next: next, words: catalogue, watch: chat.Observe(o), now: time.Now}
	g.SetRates(rates)
	return g
}

// SetRates has other rates count from now on, as if everybody had been quiet before.
func (g *Gate) SetRates(rates Rates) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.users = newBuckets[chat.Community](rates.User)
	g.addresses = newBuckets[string](rates.Address)
	g.networks = buckets[string]{}
	if rates.Address > 0 && rates.Community > 0 {
		g.networks = newBuckets[string](max(rates.Address, rates.Community/2))
	}
	g.newcomers = buckets[string]{rate: min(newRate, rates.Address), most: newAtOnce, max: maxBuckets}
	g.communities = newBuckets[chat.Community](rates.Community)
	g.calm, g.homes = newBuckets[chat.Community](calmRate), newBuckets[string](calmHome)
}

// Handle has the request handled, or refuses it.
func (g *Gate) Handle(ctx context.Context, r chat.Request) chat.Response {
	if !r.Kind.ByPerson() && r.Kind != chat.Talk || r.Who.Bot {
		return g.next.Handle(ctx, r)
	}
	limit, ok := g.pass(r)
	if ok {
		return g.next.Handle(ctx, r)
	}
	g.watch.Limited(r.In.Community.Platform, limit)
	return chat.Response{Toast: g.words.Lang(r.Who.Lang).Say("no." + string(ErrFast)), Alert: true, TooFast: true}
}

// pass takes what a request costs. Who is turned away as a user takes nothing from the address, and who is turned away
// there takes nothing from the community. An address that has nothing left doesn't even make its users remembered: it
// may have a new one for each press. A network that brings too many new ones only keeps these out.
func (g *Gate) pass(r chat.Request) (chat.Limit, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now, network := g.now(), chat.Network(r.From)
	if r.From != "" && (!g.addresses.has(r.From, now) || !g.networks.has(network, now)) {
		return chat.AddressLimit, false
	}
	who := r.Who.ID
	if r.Who.Anonymous { // A platform has one account for all of those, in whatever community.
		who = r.In.Community.ID
	}
	user := chat.Community{Platform: r.In.Community.Platform, ID: who}
	if r.From != "" && !g.users.remembers(user) && !g.newcomers.allow(network, now) {
		return chat.AddressLimit, false
	}
	if !g.users.allow(user, now) {
		return chat.UserLimit, false
	}
	if r.From != "" {
		g.addresses.allow(r.From, now)
		g.networks.allow(network, now)
	}
	calm := g.calm.allow(user, now) && (r.From == "" || g.homes.allow(network, now))
	if !calm && !g.communities.halfFull(r.In.Community, now) {
		return chat.CommunityLimit, false
	}
	return chat.CommunityLimit, g.communities.allow(r.In.Community, now)
}

// buckets are what users, told apart by platform and ID, addresses or communities may still do. Those that were quiet
// for longest are forgotten: when there are max young ones these are the old ones, and the old ones before them are gone.
type buckets[K comparable] struct {
	rate       float64
	most       int
	max        int
	young, old map[K]*rate.Limiter
}

// newBuckets hold four seconds' worth of so much a second; 0 is no bound.
func newBuckets[K comparable](perSecond float64) buckets[K] {
	return buckets[K]{rate: perSecond, most: max(1, int(perSecond*atOnceSeconds)), max: maxBuckets}
}

// remembers says whether there is a bucket for the key, or whether none is needed.
func (b *buckets[K]) remembers(key K) bool {
	return b.rate <= 0 || b.young[key] != nil || b.old[key] != nil
}

// has says whether there is one in a bucket.
func (b *buckets[K]) has(key K, now time.Time) bool {
	return b.rate <= 0 || b.of(key).TokensAt(now) >= 1
}

// halfFull says whether at least half is left in a bucket.
func (b *buckets[K]) halfFull(key K, now time.Time) bool {
	return b.rate <= 0 || b.of(key).TokensAt(now) >= float64(b.most)/2
}

// allow takes one from a bucket; false if it is empty.
func (b *buckets[K]) allow(key K, now time.Time) bool {
	return b.rate <= 0 || b.of(key).AllowN(now, 1)
}

// of is a bucket, full if it is not remembered.
func (b *buckets[K]) of(key K) *rate.Limiter {
	l := b.young[key]
	if l == nil {
		if len(b.young) >= b.max || b.young == nil {
			b.old, b.young = b.young, map[K]*rate.Limiter{}
		}
		if l = b.old[key]; l == nil {
			l = rate.NewLimiter(rate.Limit(b.rate), b.most)
		}
		b.young[key] = l
	}
	return l
}

// Pace says of each of many whether they do something too often. What it remembers is bounded: those that were quiet for
// longest are forgotten. It is safe for use by many goroutines.
type Pace[K comparable] struct {
	mu   sync.Mutex
	each buckets[K]
}

// NewPace allows everybody so much a second, and four seconds' worth at once after a pause; 0 is as much as they like.
func NewPace[K comparable](rate float64) *Pace[K] {
	return &Pace[K]{each: newBuckets[K](rate)}
}

// Allow counts that somebody does it once more; false if that is too often.
func (p *Pace[K]) Allow(key K, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.each.allow(key, now)
}
