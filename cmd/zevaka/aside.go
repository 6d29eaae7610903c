package main

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// asideMost is how many lines wait for who reads them, and asideTime how long the last ones may take when the program ends.
const (
	asideMost = 1000
	asideTime = time.Second / 2
)

// aside writes lines to an out that may stand still, as a pipe that nobody empties does, or a console in which somebody marks text. Writing to
// it waits for nobody; lines that find no room any more are lost, and it says how many were.
type aside struct {
	lines chan []byte
	lost  atomic.Int64
	// ends has what waits written, and is closed then.
	ends chan chan<- struct{}
}

func newAside(out io.Writer) *aside {
	a := &aside{lines: make(chan []byte, asideMost), ends: make(chan chan<- struct{})}
	go a.run(out)
	return a
}

// Write never fails: nobody could do anything about it.
func (a *aside) Write(line []byte) (int, error) {
	select {
	case a.lines <- bytes.Clone(line):
	default:
		a.lost.Add(1)
	}
	return len(line), nil
}

func (a *aside) run(out io.Writer) {
	for {
		select {
		case line := <-a.lines:
			a.pass(out, line)
		case done := <-a.ends:
			for len(a.lines) > 0 {
				a.pass(out, <-a.lines)
			}
			close(done)
			return
		}
	}
}

func (a *aside) pass(out io.Writer, line []byte) {
	_, _ = out.Write(line)
	if lost := a.lost.Swap(0); lost > 0 {
		fmt.Fprintf(out, "zevaka: %d lines could not be written here: nobody read them\n", lost)
	}
}

// end writes what waits, and leaves it after asideTime. What is written after that is lost.
func (a *aside) end() {
	late := time.After(asideTime)
	done := make(chan struct{})
	select {
	case a.ends <- done:
	case <-late:
		return
	}
	select {
	case <-done:
	case <-late:
	}
}
