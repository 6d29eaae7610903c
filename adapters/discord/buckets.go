package discord

import (
	"context"
	"maps"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"zevaka/adapters/outbox"
)

// maxBuckets bounds how many rate limits are known at a time. One is forgotten when it has passed.
const maxBuckets = 1024

// spareShare is whose share calls take that may wait: one of what a bucket allows at a time, however many wait.
const spareShare = "spare"

// globalRate is how many calls all processes together make in any second that the global limit counts: it is 50.
const globalRate = 45

// limits are the rate limits as Discord told them in its answers: of everything, and of buckets, each shared by the
// calls of one or more routes on one channel or token.
type limits struct {
	mu     sync.Mutex
	global time.Time
	// named is the bucket that Discord named for a route. There are as many as routes.
	named   map[string]string
	buckets map[string]bucket
	// turns counts the calls that took one from a bucket.
	turns uint64
	// rate is how many calls a second this process may make that the global limit counts, where others have their portions; nil where it is
	// alone. The next of them may be made at next. Recent are when the last of them were made, the oldest at index oldest.
	rate   func() float64
	next   time.Time
	recent [globalRate]time.Time
	oldest int
	// unasked is when the next of those may be made that nobody has asked for.
	unasked time.Time
}

// bucket is how many more calls may be made until when.
type bucket struct {
	left  int
	reset time.Time
	// refused is until when Discord has said in a refusal that none may be made. What it says of others that it hadn't refused, and whose
	// answers come later, doesn't shorten that: a narrower limit has been met than they tell of.
	refused time.Time
	// size is how many may be made at a time, and window how long that time is; 0 where Discord hasn't said.
	size   int
	window time.Duration
	// began is how many turns there had been when this window began.
	began uint64
	// sharers are those who have asked for calls lately.
	sharers map[string]sharer
}

// sharer is somebody who makes calls: how many they wanted in the last window, how many they want and have made in this one, which turn
// the last of them was, and when they asked last.
type sharer struct {
	before, wants, calls int
	turn                 uint64
	asked                time.Time
}

// renew begins a new window; false if nobody knows what it allows.
func (b *bucket) renew(now time.Time) bool {
	b.left, b.reset = b.size, now.Add(b.window)
	maps.DeleteFunc(b.sharers, func(_ string, s sharer) bool { return now.Sub(s.asked) > 2*b.window })
	for who, s := range b.sharers {
		b.sharers[who] = sharer{before: s.wants, turn: s.turn, asked: s.asked}
	}
	return b.size > 0
}

// kept is how many calls are kept for others than one who have made fewer than it, or as many and longer ago: as many as they want, up to
// an equal part.
func (b *bucket) kept(who string, one sharer) (n int) {
	part := (b.size + len(b.sharers) - 1) / len(b.sharers)
	for other, s := range b.sharers {
		most := part
		if other == spareShare {
			most = 1
		}
		before := s.calls < one.calls || s.calls == one.calls && s.turn < one.turn
		if other != who && before {
			n += max(0, min(most, max(s.before, s.wants))-s.calls)
		}
	}
	return n
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
	if c.free {
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
	apart := time.Duration(0)
	if l.rate != nil {
		apart = time.Duration(float64(time.Second) / l.rate())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	at = now
	for _, other := range []time.Time{l.next, l.global, l.recent[l.oldest].Add(time.Second)} {
		if at.Before(other) {
			at = other
		}
	}
	if ends && end.Before(at) {
		return time.Time{}, false
	}
	l.next = at.Add(apart)
	l.recent[l.oldest] = at
	l.oldest = (l.oldest + 1) % len(l.recent)
	return at, true
}

// spare is when one more message may be sent that nobody has asked for, as what many servers are told at one hour: so rarely that every other turn is
// left to what people wait for.
func (l *limits) spare(now time.Time) (at time.Time) {
	rate := float64(globalRate)
	if l.rate != nil {
		rate = l.rate()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if at = now; at.Before(l.unasked) {
		at = l.unasked
	}
	l.unasked = at.Add(time.Duration(float64(2*time.Second) / rate))
	return at
}

// take takes one call from its bucket, or says when to ask again. Who shares a bucket with others has an equal part of it at least, and
// who waits longer goes first, so that nobody who makes many calls makes others late.
func (l *limits) take(c call, now time.Time) time.Time { return l.ask(c, now, true) }

// when is the time to ask for a call again; now, if it may be made.
func (l *limits) when(c call, now time.Time) time.Time {
	if at := l.ask(c, now, false); !at.IsZero() {
		return at
	}
	return now
}

func (l *limits) ask(c call, now time.Time, takes bool) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !c.free && now.Before(l.global) {
		return l.global
	}
	key := l.key(c)
	b, ok := l.buckets[key]
	if ok && !now.Before(b.reset) {
		if ok = b.renew(now); !ok {
			delete(l.buckets, key)
		}
		b.began = l.turns
	}
	if !ok {
		return time.Time{}
	}
	if b.sharers == nil {
		b.sharers = map[string]sharer{}
	}
	who := c.who
	if c.spare {
		who = spareShare
	}
	s, known := b.sharers[who]
	if !known {
		s.turn = b.began // Behind those who have waited since an earlier window, so that they get theirs however many come.
	}
	s.asked = now
	b.sharers[who] = s
	may := b.left > b.kept(who, s) && (!c.spare || s.calls == 0)
	if takes || !may {
		s.wants++
	}
	b.sharers[who] = s
	if may && takes {
		l.turns++
		b.left--
		s.calls++
		s.turn = l.turns
		b.sharers[who] = s
	}
	l.buckets[key] = b
	if !may {
		return b.reset
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
	b := l.buckets[key]
	if now.Before(b.reset) {
		left = min(left, b.left) // Answers overtake each other.
	}
	b.left, b.reset = left, now.Add(seconds(after))
	if b.reset.Before(b.refused) {
		b.reset = b.refused
	}
	if size, err := strconv.Atoi(h.Get("X-RateLimit-Limit")); err == nil && !c.free {
		b.size = size
		if b.window = max(b.window, seconds(after)); left == size-1 { // The window has just begun.
			b.window = seconds(after)
		}
	}
	l.set(key, b)
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
	b := l.buckets[l.key(c)]
	b.left, b.reset, b.refused = 0, until, until
	l.set(l.key(c), b)
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

// longestWait is how long Discord's wish to wait is heeded at most, before one call tries whether it still holds.
const longestWait = 20 * time.Minute

// seconds is so many of them, rounded up to what Discord writes: a call that comes a little too early is refused. What is no such time is 0.
func seconds(n float64) time.Duration {
	if !(n > 0) {
		return 0
	}
	return time.Duration(math.Ceil(min(n, longestWait.Seconds())*1000)) * time.Millisecond
}
