package pace

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestHeavy: heavy work comes one after the other and takes no more than its share of the time; what finds no place is
// refused.
func TestHeavy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		h := NewBudget(func() time.Duration { return time.Since(start) })
		var worked, refused time.Duration
		const job = 20 * time.Millisecond
		for time.Since(start) < 20*time.Second {
			end, err := h.Begin(t.Context())
			switch {
			case err == nil:
				time.Sleep(job)
				end()
				worked += job
			case errors.Is(err, ErrBusy):
				refused++
				time.Sleep(time.Millisecond)
			default:
				t.Fatal(err)
			}
		}
		if most := 20*time.Second/share + Ahead + job; worked > most || worked < most*8/10 || refused == 0 {
			t.Errorf("it has worked %v of 20 s, and refused %d times", worked, refused)
		}
		time.Sleep(time.Minute)
		end, err := h.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Begin(t.Context()); !errors.Is(err, ErrBusy) {
			t.Errorf("while somebody works: %v", err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := h.Begin(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("who has gone is told %v", err)
		}
		end()
		time.Sleep(time.Minute)
		if end, err = h.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		end()
	})
}

// TestLast: what is done last gets only time that nobody else wants, and leaves as much as may come at once to the others.
func TestLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		h := NewBudget(func() time.Duration { return time.Since(start) })
		for range 100 {
			end, err := h.BeginLast(t.Context())
			if err != nil {
				time.Sleep(time.Millisecond)
				continue
			}
			time.Sleep(20 * time.Millisecond)
			end()
			if _, err := h.BeginLast(t.Context()); !errors.Is(err, ErrBusy) {
				t.Fatalf("it goes on at once: %v", err)
			}
			end, err = h.Begin(t.Context())
			if err != nil {
				t.Fatal("somebody else has to wait for it: ", err)
			}
			end()
		}
	})
}
