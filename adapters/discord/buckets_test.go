package discord

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"testing"
	"time"
)

func header(bucket string, left int, after float64) http.Header {
	h := http.Header{}
	h.Set("X-RateLimit-Bucket", bucket)
	h.Set("X-RateLimit-Remaining", fmt.Sprint(left))
	h.Set("X-RateLimit-Reset-After", fmt.Sprint(after))
	return h
}

func TestLimits(t *testing.T) {
	now := time.Now()
	l := &limits{}
	post, edit := call{route: "post", major: "1"}, call{route: "edit", major: "1"}
	other, free := call{route: "post", major: "2"}, call{route: "answer", major: "token", free: true}
	l.learn(post, header("shared", 1, 10), now)
	l.learn(edit, header("shared", 1, 10), now)
	for n, one := range []struct {
		call call
		at   time.Time
		wait bool
	}{
		{post, now, false}, {edit, now, true}, {other, now, false}, {free, now, false}, {edit, now.Add(11 * time.Second), false},
	} {
		if wait := !l.take(one.call, one.at).IsZero(); wait != one.wait {
			t.Errorf("call %d waits: %v", n, wait)
		}
	}
	l.refused(post, true, now.Add(time.Hour))
	if l.take(other, now).IsZero() || !l.take(free, now).IsZero() {
		t.Error("a global limit is for all calls but those on interactions")
	}
	l.refused(free, false, now.Add(time.Hour))
	if l.take(free, now).IsZero() || !l.take(call{route: "answer", major: "another", free: true}, now).IsZero() {
		t.Error("a limit of one token is for that alone")
	}
	for _, odd := range []float64{1e8, 1e300, math.Inf(1), math.NaN(), -1e300} {
		one, l := call{route: "odd", major: fmt.Sprint(odd)}, &limits{}
		if l.learn(one, header("odd", 0, odd), now); !l.take(one, now.Add(longestWait+time.Second)).IsZero() {
			t.Errorf("%v after it was told to wait %v s it waits", longestWait, odd)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := l.wait(ctx, other); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a wait that is too long: %v", err)
	}
}

// TestRefusalStands: how long a refusal asks to wait is the longer of what its header and its text say, but 20 minutes at most, and isn't shortened
// by an answer to a call that went before it and comes after it.
func TestRefusalStands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		header, text string
		want         time.Duration
	}{
		{"1", `{"retry_after":0.35}`, 350 * time.Millisecond},
		{"40", `{"retry_after":2.5}`, 40 * time.Second},
		{"2", `{"retry_after":7.5}`, 7500 * time.Millisecond},
		{"3", `{}`, 3 * time.Second},
		{"", `{}`, backoff},
		{"3", `<html>`, 3 * time.Second},
		{"soon", `{"retry_after":1}`, time.Second},
		{"86400", `<html>`, 20 * time.Minute},
		{"", `{"retry_after":86400}`, 20 * time.Minute},
	} {
		resp := &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {c.header}}}
		if got := refusal(resp, []byte(c.text)).wait; got != c.want {
			t.Errorf("the header %q and the text %s ask to wait %v, and not %v", c.header, c.text, got, c.want)
		}
	}
	l, now, edit := &limits{}, time.Now(), call{route: "edit", major: "1"}
	l.learn(edit, header("x", 0, 1), now)
	l.refused(edit, false, now.Add(40*time.Second))
	l.learn(edit, header("x", 3, 5), now.Add(time.Second))
	if l.take(edit, now.Add(39*time.Second)).IsZero() || !l.take(edit, now.Add(40*time.Second)).IsZero() {
		t.Error("a refusal for 40 s doesn't hold for so long where an answer is late")
	}
	l.learn(edit, header("x", 3, 5), now.Add(41*time.Second))
	if l.take(edit, now.Add(47*time.Second)); !l.take(edit, now.Add(47*time.Second)).IsZero() {
		t.Error("a refusal counts that is over")
	}
}

// TestLimitsAreShared has three who want calls of one bucket at different rates: in each window each gets what it wants, up to an equal
// part, and what is left goes to whoever wants more. A call that may wait is one of them.
func TestLimitsAreShared(t *testing.T) {
	const size, window = 5, 5 * time.Second
	of := func(who string) call {
		return call{route: "edit", major: "1", enclosure: enclosure{who: who, spare: who == spareShare}}
	}
	for _, c := range []struct {
		wants, gets map[string]int
	}{
		{map[string]int{"a": 9}, map[string]int{"a": 5}},
		{map[string]int{"a": 2}, map[string]int{"a": 2}},
		{map[string]int{"a": 9, "b": 1}, map[string]int{"a": 4, "b": 1}},
		{map[string]int{"a": 9, "b": 2}, map[string]int{"a": 3, "b": 2}},
		{map[string]int{"a": 9, "b": 1, "c": 1}, map[string]int{"a": 3, "b": 1, "c": 1}},
		{map[string]int{"a": 9, spareShare: 9}, map[string]int{"a": 4, spareShare: 1}},
		{map[string]int{spareShare: 9}, map[string]int{spareShare: 1}},
	} {
		l, now, got := &limits{}, time.Now(), map[string]int{}
		told := header("x", size, window.Seconds())
		told.Set("X-RateLimit-Limit", fmt.Sprint(size))
		l.learn(of("a"), told, now)
		for range 10 {
			clear(got)
			for step := range 10 { // The greedy ones ask first.
				for _, who := range []string{"a", spareShare, "b", "c"} {
					if n := c.wants[who]; step*n/10 < (step+1)*n/10 && l.take(of(who), now).IsZero() {
						got[who]++
					}
				}
				now = now.Add(window / 10)
			}
		}
		if !maps.Equal(got, c.gets) {
			t.Errorf("who want %v get %v, not %v", c.wants, got, c.gets)
		}
	}
}

// TestLimitsBounded meets more buckets than are kept.
func TestLimitsBounded(t *testing.T) {
	l := &limits{}
	for n := range 3 * maxBuckets {
		c := call{route: "edit original", major: fmt.Sprint(n), free: true}
		l.learn(c, header("b", 4, 60), time.Now())
		l.refused(c, false, time.Now().Add(time.Hour))
	}
	if len(l.buckets) > maxBuckets || len(l.named) > 1 {
		t.Errorf("%d buckets are kept, of %d routes", len(l.buckets), len(l.named))
	}
}
