package main

import (
	"iter"
	"runtime"
)

// ordered does the jobs on all cores and hands the results to emit in the order of the jobs. Only a few jobs are under
// way at a time. It returns the error of emit, which ends it.
func ordered[J, R any](jobs iter.Seq[J], do func(J) R, emit func(R) error) error {
	type task struct {
		job    J
		result chan R
	}
	workers := runtime.GOMAXPROCS(0)
	tasks, results := make(chan task), make(chan chan R, 2*workers)
	done := make(chan struct{})
	defer close(done)
	for range workers {
		go func() {
			for t := range tasks {
				t.result <- do(t.job)
			}
		}()
	}
	go func() {
		defer close(results)
		defer close(tasks)
		for job := range jobs {
			t := task{job, make(chan R, 1)}
			select {
			case results <- t.result:
			case <-done:
				return
			}
			tasks <- t // A worker takes it: no result waits for anybody.
		}
	}()
	for result := range results {
		if err := emit(<-result); err != nil {
			return err
		}
	}
	return nil
}
