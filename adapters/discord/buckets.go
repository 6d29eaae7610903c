package discord

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"zevaka/adapters/outbox"
)

// maxBuckets bounds how many rate limits are known at a time. One is forgotten when it has passed.
const maxBuckets = 1024

// globalRate is how many calls a second all processes together make that the global limit counts: it is 50.
const globalRate = 45

// limits are the rate limits as Discord told them in its answers: of everything, and of buckets, each shared by the
// calls of one or more routes on one channel or token.
type limits struct {
	mu     sync.Mutex
	global time.Time
	// named is the bucket that Discord named for a route. There are as many as routes.
	named   map[string]string
	buckets map[string]bucket
	// rate is how many calls a second this process may make that the global limit counts; nil as long as Discord doesn't
	// refuse them. The next of them may be made at next.
	rate func() float64
	next time.Time
}

// bucket is how many more calls may be made until when.
type bucket struct {
	left  int
	reset time.Time
}

// key is what a call counts towards.
func (l *limits) key(c call) string {
	name := l.named[c.route]
	if name == "" {
		name = c.route
	}
	return name + "/" + c.major
}

// wait waits until the call may be made, unless ctx ends before: then it fails at once.
func (l *limits) wait(ctx context.Context, c call) error {
	for {
		until := l.take(c, time.Now())
		if until.IsZero() {
			return l.pace(ctx, c)
		}
		if err := outbox.SleepUntil(ctx, until); err != nil {
			return err
		}
	}
}

// pace waits until it is the call's turn among those that the global limit counts. Where ctx would end before that, it fails at
// once, and the turn is another's.
func (l *limits) pace(ctx context.Context, c call) error {
	if c.free || l.rate == nil {
		return nil
	}
	for {
		end, ends := ctx.Deadline()
		at, ok := l.reserve(time.Now(), end, ends)
		if !ok {
			return context.DeadlineExceeded
		}
		if err := outbox.SleepUntil(ctx, at); err != nil {
			return err
		}
		if !l.stopped() {
			return nil
		}
	}
}

// stopped reports whether Discord refuses all calls at the moment.
func (l *limits) stopped() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().Before(l.global)
}

// reserve takes the next turn, unless that is after the end.
func (l *limits) reserve(now, end time.Time, ends bool) (at time.Time, ok bool) {
	apart := seconds(1 / l.rate())
	l.mu.Lock()
	defer l.mu.Unlock()
	at = now
	for _, other := range []time.Time{l.next, l.global} {
		if at.Before(other) {
			at = other
		}
	}
	if ends && end.Before(at) {
		return time.Time{}, false
	}
	l.next = at.Add(apart)
	return at, true
}

// take takes one call from its bucket, or says when to ask again.
func (l *limits) take(c call, now time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !c.free && now.Before(l.global) {
		return l.global
	}
	key := l.key(c)
	b, ok := l.buckets[key]
	switch {
	case !ok:
	case !now.Before(b.reset):
		delete(l.buckets, key)
	case b.left <= 0:
		return b.reset
	default:
		b.left--
		l.buckets[key] = b
	}
	return time.Time{}
}

// learn notes what an answer says about limits.
func (l *limits) learn(c call, h http.Header, now time.Time) {
	left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	after, broken := strconv.ParseFloat(h.Get("X-RateLimit-Reset-After"), 64)
	if err != nil || broken != nil || c.free && left > 0 {
		return // An interaction's token is used once or twice.
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if name := h.Get("X-RateLimit-Bucket"); name != "" {
		if l.named == nil {
			l.named = map[string]string{}
		}
		l.named[c.route] = name
	}
	key := l.key(c)
	if old, ok := l.buckets[key]; ok && now.Before(old.reset) {
		left = min(left, old.left) // Answers overtake each other.
	}
	l.set(key, bucket{left, now.Add(seconds(after))})
}

// refused notes a 429: nothing of the kind before the time is over. What is for all calls is so for those with the same login: a call
// without the bot's says nothing of the bot's own.
func (l *limits) refused(c call, global bool, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if global && c.login == "" {
		l.global = until
		return
	}
	l.set(l.key(c), bucket{0, until})
}

func (l *limits) set(key string, b bucket) {
	if l.buckets == nil {
		l.buckets = map[string]bucket{}
	}
	if len(l.buckets) >= maxBuckets {
		now := time.Now()
		for k, old := range l.buckets {
			if now.After(old.reset) || len(l.buckets) >= maxBuckets {
				delete(l.buckets, k)
			}
		}
	}
	l.buckets[key] = b
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
