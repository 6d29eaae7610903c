package outbox

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestLoop waits no longer than it must: a Kick interrupts the wait for something later.
func TestLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tasks := NewTasks(func(any) {})
		var mu sync.Mutex
		start := time.Now()
		due := []time.Duration{0, time.Hour}
		var done []time.Duration
		loop := Loop{L: &mu, Begin: tasks.Admit, Quit: tasks.Closing}
		loop.Next = func(now time.Time) (func(), time.Duration) {
			if len(due) == 0 {
				return nil, -1
			}
			first := slices.Min(due)
			if d := first - now.Sub(start); d > 0 {
				return nil, d
			}
			due = slices.DeleteFunc(due, func(d time.Duration) bool { return d == first })
			return func() { done = append(done, time.Since(start)) }, 0
		}
		kick := func(d ...time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			due = append(due, d...)
			loop.Kick()
		}
		kick()
		time.Sleep(time.Minute)
		kick(time.Minute)
		time.Sleep(2 * time.Hour)
		mu.Lock()
		resting := !loop.Running()
		mu.Unlock()
		if want := []time.Duration{0, time.Minute, time.Hour}; !slices.Equal(done, want) || !resting {
			t.Errorf("done after %v, want %v; resting %v", done, want, resting)
		}
		kick(9 * time.Hour)
		tasks.Close(time.Second)
		if time.Since(start) > 3*time.Hour {
			t.Error("it waits though it should end")
		}
	})
}

// TestLanes does the jobs of a lane in order, whatever breaks, and no more beside each other than it may.
func TestLanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tasks := NewTasks(func(any) {})
		lanes := NewLanes[string](5, 2)
		open := make(chan struct{})
		begin := func(drive func()) bool {
			return tasks.Admit(func() {
				<-open
				drive()
			})
		}
		var mu sync.Mutex
		var done []string
		put := func(lane, job string) bool {
			return lanes.Put(lane, begin, func() {
				defer tasks.Recover()
				time.Sleep(time.Second)
				mu.Lock()
				done = append(done, job)
				mu.Unlock()
				panic(job)
			})
		}
		for _, job := range []string{"a1", "b1", "a2", "c1", "a3"} {
			if !put(job[:1], job) {
				t.Errorf("%s is not taken", job)
			}
		}
		if put("d", "d1") || lanes.Waiting() != 5 {
			t.Errorf("%d wait, and one more may", lanes.Waiting())
		}
		close(open)
		time.Sleep(1500 * time.Millisecond)
		mu.Lock()
		if len(done) != 2 {
			t.Errorf("done after a second: %v", done)
		}
		mu.Unlock()
		tasks.Close(time.Minute)
		if put("e", "e1") || lanes.Waiting() != 0 {
			t.Error("something is taken after the end")
		}
		var as []string
		for _, job := range done {
			if job[0] == 'a' {
				as = append(as, job)
			}
		}
		if len(done) != 5 || !slices.Equal(as, []string{"a1", "a2", "a3"}) {
			t.Errorf("done: %v", done)
		}
	})
}

// TestClose waits for what was begun, and cuts off what takes too long.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caught := 0
		tasks := NewTasks(func(any) { caught++ })
		var took time.Duration
		from := time.Now()
		tasks.Admit(func() {
			Sleep(tasks.Life, time.Hour)
			tasks.Begin(func() { took = time.Since(from) }) // What was begun may begin its parts.
		})
		tasks.Admit(func() { panic("broken") })
		tasks.Close(3 * time.Second)
		if took != 3*time.Second || caught != 1 {
			t.Errorf("it took %v, %d panics were caught", took, caught)
		}
		if tasks.Admit(func() { t.Error("begun after the end") }) {
			t.Error("something is admitted after the end")
		}
	})
}

// TestEnter: who is counted among the tasks is waited for, and hears at once of a cut.
func TestEnter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tasks := NewTasks(func(any) {})
		leave, ok := tasks.Enter()
		if !ok {
			t.Fatal("nobody is let in")
		}
		go func() {
			defer leave()
			<-tasks.Life.Done()
			time.Sleep(time.Second)
		}()
		from := time.Now()
		tasks.Cut()
		if _, ok := tasks.Enter(); ok {
			t.Error("somebody is let in after the cut")
		}
		if tasks.Close(time.Hour); time.Since(from) != time.Second {
			t.Errorf("it waited %v", time.Since(from))
		}
	})
}

func TestSleepUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		from := time.Now()
		for _, vain := range []time.Duration{time.Minute, time.Hour} {
			if err := SleepUntil(ctx, from.Add(vain)); err == nil || time.Since(from) > 0 {
				t.Errorf("it waits %v in vain: %v", time.Since(from), err)
			}
		}
		if err := SleepUntil(ctx, from.Add(time.Second)); err != nil || time.Since(from) != time.Second {
			t.Errorf("it waits %v: %v", time.Since(from), err)
		}
	})
}

// TestLoopQuits: a loop that has quit has nothing to do any more.
func TestLoopQuits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tasks := NewTasks(func(any) {})
		var mu sync.Mutex
		loop := Loop{L: &mu, Begin: tasks.Admit, Quit: tasks.Closing}
		loop.Next = func(time.Time) (func(), time.Duration) { return nil, time.Hour }
		running := func() bool {
			mu.Lock()
			defer mu.Unlock()
			loop.Kick()
			return loop.Running()
		}
		if !running() {
			t.Error("it doesn't begin")
		}
		tasks.Close(time.Second)
		if running() {
			t.Error("it goes on")
		}
	})
}

// TestSleepOrQuit waits until one of three comes.
func TestSleepOrQuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			quit, end, wait, took time.Duration
			slept                 bool
		}{
			{quit: 3, end: 2, wait: 1, took: 1, slept: true}, {quit: 3, end: 1, wait: 2, took: 1}, {quit: 1, end: 2, wait: 3, took: 1},
		} {
			quit := make(chan struct{})
			timer := time.AfterFunc(test.quit*time.Second, func() { close(quit) })
			ctx, cancel := context.WithTimeout(t.Context(), test.end*time.Second)
			from := time.Now()
			if slept := SleepOrQuit(ctx, quit, test.wait*time.Second); slept != test.slept || time.Since(from) != test.took*time.Second {
				t.Errorf("%+v: slept %t, took %v", test, slept, time.Since(from))
			}
			timer.Stop()
			cancel()
		}
	})
}

// TestLanesTakeTurns: a lane in which something always waits keeps no other from its turn.
func TestLanesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tasks := NewTasks(func(any) {})
		lanes := NewLanes[string](0, 1)
		end := time.Now().Add(time.Hour)
		var again func()
		again = func() {
			if time.Sleep(time.Second); time.Now().Before(end) {
				lanes.Put("a", tasks.Admit, again)
			}
		}
		lanes.Put("a", tasks.Admit, again)
		lanes.Put("a", tasks.Admit, again)
		done := make(chan struct{})
		time.Sleep(time.Minute)
		lanes.Put("b", tasks.Admit, func() { close(done) })
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Error("another lane has no turn")
		}
		tasks.Close(time.Minute)
	})
}
