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

// limits are the rate limits as Discord told them in its answers: of everything, and of buckets, each shared by the
// calls of one or more routes on one channel or token.
type limits struct {
	mu     sync.Mutex
	global time.Time
	// named is the bucket that Discord named for a route. There are as many as routes.
	named   map[string]string
	buckets map[string]bucket
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
			return nil
		}
		if err := outbox.SleepUntil(ctx, until); err != nil {
			return err
		}
	}
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

// refused notes a 429: nothing of the kind before the time is over.
func (l *limits) refused(c call, global bool, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if global {
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
