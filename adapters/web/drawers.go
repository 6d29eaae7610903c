package web

import (
	"sync"

	"zevaka/adapters/outbox"
)

// maxDrawers is how much is drawn at a time.
const maxDrawers = 8

// drawers do what takes a deep stack, which each of thousands of connections would keep. They begin with the first job.
type drawers struct {
	tasks *outbox.Tasks
	begun sync.Once
	jobs  chan func()
}

func newDrawers(tasks *outbox.Tasks) *drawers { return &drawers{tasks: tasks, jobs: make(chan func())} }

// draw does something, and returns when it is done, or broken, or its tasks are to end.
func (d *drawers) draw(do func()) {
	d.begun.Do(func() {
		for range maxDrawers {
			d.tasks.Begin(d.work)
		}
	})
	done := make(chan struct{})
	job := func() {
		defer close(done)
		defer d.tasks.Recover()
		do()
	}
	select {
	case d.jobs <- job:
		<-done
	case <-d.tasks.Life.Done():
	}
}

func (d *drawers) work() {
	for {
		select {
		case job := <-d.jobs:
			job()
		case <-d.tasks.Life.Done():
			return
		}
	}
}
