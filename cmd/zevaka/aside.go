package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"
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
	// writing says that a line is on its way to the out.
	writing atomic.Bool
	// ends is closed to have what waits written, and ended when that is done.
	ends, ended chan struct{}
	once        sync.Once
}

func newAside(out io.Writer) *aside {
	a := &aside{lines: make(chan []byte, asideMost), ends: make(chan struct{}), ended: make(chan struct{})}
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
	defer close(a.ended)
	for {
		select {
		case line := <-a.lines:
			a.pass(out, line)
		case <-a.ends:
			for len(a.lines) > 0 {
				a.pass(out, <-a.lines)
			}
			return
		}
	}
}

func (a *aside) pass(out io.Writer, line []byte) {
	a.writing.Store(true)
	defer a.writing.Store(false)
	_, _ = out.Write(line)
	if lost := a.lost.Swap(0); lost > 0 {
		fmt.Fprintf(out, "zevaka: %d lines could not be written here: nobody read them\n", lost)
	}
}

// end writes what waits, and leaves it where the out stands still after asideTime. What is written after that is lost.
func (a *aside) end() {
	a.once.Do(func() { close(a.ends) })
	for {
		select {
		case <-a.ended:
			return
		case <-time.After(asideTime):
			if a.writing.Load() { // Else the writer hasn't had its turn yet.
				return
			}
		}
	}
}
