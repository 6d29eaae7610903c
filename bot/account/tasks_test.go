package account

import "testing"

// TestTasksWaitOnce: asking again and again for what waits takes no room from others.
func TestTasksWaitOnce(t *testing.T) {
	b := &tasks{next: make(chan task, maxTasks), waiting: map[task]bool{}}
	for range 2 * maxTasks {
		b.postpone(task{origin: "t1"})
	}
	b.postpone(task{origin: "t1", user: 7})
	if n := len(b.next); n != 2 {
		t.Errorf("%d tasks wait", n)
	}
	b.begin(<-b.next)
	b.postpone(task{origin: "t1"})
	if n := len(b.next); n != 2 {
		t.Errorf("%d tasks wait after one was begun and asked for again", n)
	}
}
