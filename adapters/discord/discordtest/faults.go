package discordtest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Faults are what goes wrong, each with its likelihood at a call, or, for Duplicate, at an event.
type Faults struct {
	// Route and Global are 429s of one route and of all, HTML is one of those by the proxy in front.
	Route, Global, HTML float64
	// Broken is a 500. Reset cuts the connection before the call is heard, Swallow after it was done.
	Broken, Reset, Swallow float64
	// Refused is an answer of the Status, with the Code or, if it isn't empty, with Text instead of JSON.
	Refused      float64
	Status, Code int
	Text         string
	// Slow makes the call take Delay.
	Slow  float64
	Delay time.Duration
	// Duplicate delivers an interaction twice.
	Duplicate float64
	// Retry is how long a 429 lasts.
	Retry time.Duration
	// Only are the kinds of calls that meet faults, with blanks between them; empty is every.
	Only string
	// Files says that only calls with files meet faults.
	Files bool
	// Most is how many calls to one address meet faults; 0 is all.
	Most int
	// Seed decides what is met when.
	Seed uint64
}

// chance decides what happens; nil decides that nothing does.
type chance struct{ rand *rand.Rand }

func (c *chance) hits(likelihood float64) bool {
	return c != nil && likelihood > 0 && c.rand.Float64() < likelihood
}

// SetFaults has things go wrong from now on.
func (s *Server) SetFaults(f Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = f
	s.chance = &chance{rand.New(rand.NewPCG(f.Seed, 1))}
	s.met = map[string]int{}
}

// fate is what happens to one call.
type fate struct {
	refused        *reply
	reset, swallow bool
	delay          time.Duration
}

// fate draws what happens to a call. The caller holds mu.
func (s *Server) fate(r request) fate {
	f, c := s.faults, s.chance
	if f.Only != "" && !slices.Contains(strings.Fields(f.Only), r.name) || f.Most > 0 && s.met[r.URL.Path] == f.Most || f.Files && !strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		return fate{}
	}
	var met fate
	switch {
	case c.hits(f.Route):
		met.refused = tooMany(f.Retry, "user", false)
	case c.hits(f.Global) && (!isFree(r.name) || r.name == "token"):
		met.refused = tooMany(f.Retry, "global", true)
		if !isFree(r.name) { // Without the bot's login it is for whoever else calls so.
			s.pause(f.Retry)
		}
	case c.hits(f.HTML):
		if !isFree(r.name) {
			s.pause(f.Retry)
		}
		met.refused = &reply{status: http.StatusTooManyRequests, html: true, header: http.Header{}}
		met.refused.header.Set("Retry-After", strconv.FormatFloat(f.Retry.Seconds(), 'f', 3, 64))
	case c.hits(f.Broken):
		met.refused = &reply{status: http.StatusInternalServerError, v: map[string]any{"message": "500: Internal Server Error", "code": 0}}
	case c.hits(f.Refused):
		no := refused(f.Status, f.Code, "refused")
		no.text = f.Text
		met.refused = &no
	case c.hits(f.Reset):
		met.reset = true
	case c.hits(f.Swallow):
		met.swallow = true
	}
	if c.hits(f.Slow) {
		met.delay = f.Delay
	}
	if met.refused != nil || met.reset || met.swallow {
		s.record.Faults++
		s.met[r.URL.Path]++
	}
	return met
}

// pause begins a global limit. Calls that are on their way by then are forgiven. The caller holds mu.
func (s *Server) pause(d time.Duration) {
	now := time.Now()
	s.paused, s.heard = now.Add(d), now.Add(d/2)
}

// Heard reports whether there is a global limit of which the bot must know by now.
func (s *Server) Heard() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	return now.After(s.heard) && now.Before(s.paused)
}

// isFree reports whether the global limit doesn't count the calls of a kind.
func isFree(name string) bool {
	return name == "callback" || name == "original" || name == "follow" || name == "me" || name == "token"
}

// tooMany is a 429.
func tooMany(retry time.Duration, scope string, global bool) *reply {
	r := &reply{status: http.StatusTooManyRequests, header: http.Header{}}
	r.v = map[string]any{"message": "You are being rate limited.", "retry_after": retry.Seconds(), "global": global}
	r.header.Set("X-RateLimit-Scope", scope)
	r.header.Set("Retry-After", fmt.Sprint(int(retry.Seconds())+1))
	if global {
		r.header.Set("X-RateLimit-Global", "true")
	} else {
		r.header.Set("X-RateLimit-Remaining", "0")
		r.header.Set("X-RateLimit-Reset-After", strconv.FormatFloat(retry.Seconds(), 'f', 3, 64))
	}
	return r
}

// bucket counts the messages of a channel in a window.
type bucket struct {
	left  int
	reset time.Time
}

// limit counts a call towards its bucket: nil if it may be made, and the headers that say how many more may. The caller
// holds mu.
func (s *Server) limit(name, major string) (*reply, http.Header) {
	now := time.Now()
	if now.Before(s.paused) && !isFree(name) {
		if now.After(s.heard) {
			s.violation("%s during a global limit", name)
		}
		return tooMany(s.paused.Sub(now), "global", true), nil
	}
	if s.opts.Window == 0 || name != "post" && name != "edit" {
		return nil, nil
	}
	key := name + " " + major
	b := s.buckets[key]
	if b == nil || !now.Before(b.reset) {
		b = &bucket{s.opts.Burst, now.Add(s.opts.Window)}
		s.buckets[key] = b
	}
	if b.left == 0 {
		s.record.Calls["limited"]++
		return tooMany(b.reset.Sub(now), "user", false), nil
	}
	b.left--
	h := http.Header{}
	h.Set("X-RateLimit-Bucket", "hash-of-"+name)
	h.Set("X-RateLimit-Limit", strconv.Itoa(s.opts.Burst))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(b.left))
	h.Set("X-RateLimit-Reset-After", strconv.FormatFloat(b.reset.Sub(now).Seconds(), 'f', 3, 64))
	return nil, h
}
