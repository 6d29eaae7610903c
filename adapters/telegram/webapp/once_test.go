package webapp

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"
)

// numbered is the n-th login, of a time.
func numbered(n int, at time.Time) Login {
	l := Login{At: at}
	binary.BigEndian.PutUint64(l.Sign[:], uint64(n))
	return l
}

// TestReplayedLogin lets each login in once, and after a start none of before it.
func TestReplayedLogin(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 5e8)
	o := NewOnce(3, now)
	for i, c := range []struct {
		l    Login
		now  time.Time
		want bool
	}{
		{numbered(1, now.Truncate(time.Second)), now, true},
		{numbered(1, now.Truncate(time.Second)), now, false},
		{numbered(1, now.Truncate(time.Second)), now.Add(time.Hour), false}, // Too old by half a second.
		{numbered(5, now.Add(time.Minute)), now, true},
		{numbered(5, now.Add(time.Minute)), now.Add(time.Hour), false},
		{numbered(6, now.Add(time.Minute)), now.Add(time.Hour), true},
		{numbered(7, now.Truncate(time.Second)), now, false}, // Somebody else was quicker, and later.
		{numbered(2, now.Add(-time.Second)), now, false},     // Whether it was let in before the start nobody knows.
		{numbered(4, now.Add(-time.Minute)), now, false},
	} {
		if got := o.Use(c.l, c.now); got != c.want {
			t.Errorf("%d: %v", i, got)
		}
	}
}

// TestLoginsAreForgotten: what is remembered has an end, and what is forgotten is let in no more.
func TestLoginsAreForgotten(t *testing.T) {
	t.Parallel()
	const most = 20
	chance := rand.New(rand.NewPCG(1, 2))
	start := time.Unix(1_700_000_000, 0)
	o := NewOnce(most, start)
	in := map[int]bool{}
	var all []Login
	for n := range 5000 {
		now := start.Add(time.Duration(n) * time.Minute / 4)
		l := numbered(n, now.Add(-time.Duration(chance.IntN(3600))*time.Second).Truncate(time.Second))
		all = append(all, l)
		again := chance.IntN(len(all))
		for _, i := range []int{n, n, again, max(0, n-chance.IntN(2*most))} {
			if now.Sub(all[i].At) > OldAfter {
				continue // Read refuses it.
			}
			if ok := o.Use(all[i], now); ok && in[i] {
				t.Fatalf("login %d is let in twice", i)
			} else if ok {
				in[i] = true
			}
		}
		if len(o.used) > most || len(o.old) != len(o.used) {
			t.Fatalf("%d and %d are remembered", len(o.used), len(o.old))
		}
	}
	if len(in) < 500 {
		t.Errorf("only %d were let in", len(in))
	}
	last := numbered(9999, start.Add(100*time.Hour))
	if !o.Use(last, last.At) || len(o.used) != 1 {
		t.Errorf("after a quiet time %d are remembered", len(o.used))
	}
}
