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
			end, err := h.Begin(t.Context(), 1)
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
		end, err := h.Begin(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Begin(t.Context(), 1); !errors.Is(err, ErrBusy) {
			t.Errorf("while somebody works: %v", err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := h.Begin(gone, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("who has gone is told %v", err)
		}
		end()
		time.Sleep(time.Minute)
		if end, err = h.Begin(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		end()
	})
}

// TestHeavyIsShared: however many ask for work all the time, who asks for some now and then gets it.
func TestHeavyIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		h := NewBudget(func() time.Duration { return time.Since(start) })
		work := func(who int64) error {
			end, err := h.Begin(t.Context(), who)
			if err == nil {
				time.Sleep(70 * time.Millisecond)
				end()
			}
			return err
		}
		for who := range int64(3) {
			go func() {
				for time.Since(start) < time.Minute {
					_ = work(1 + who)
					time.Sleep(100 * time.Millisecond)
				}
			}()
		}
		asked, refused := 0, 0
		for time.Since(start) < time.Minute {
			if asked++; work(9) != nil {
				refused++
			}
			time.Sleep(2 * time.Second)
		}
		if refused > 0 {
			t.Errorf("of %d times somebody else is refused %d", asked, refused)
		}
		time.Sleep(time.Second)
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
			end, err = h.Begin(t.Context(), 1)
			if err != nil {
				t.Fatal("somebody else has to wait for it: ", err)
			}
			end()
		}
	})
}
