package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestAside: writing waits for no reader; whoever reads again gets all lines that found room, and how many didn't; and nobody waits for long
// at the end.
func TestAside(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		a := newAside(out)
		fmt.Fprintln(a, "first")
		synctest.Wait()
		for i := range asideMost + 5 {
			fmt.Fprintln(a, i)
		}
		begun := time.Now()
		a.end()
		if took := time.Since(begun); took != asideTime {
			t.Errorf("the end took %v", took)
		}
		var got []string
		lines := bufio.NewScanner(in)
		for range asideMost + 2 {
			lines.Scan()
			got = append(got, lines.Text())
		}
		if want := fmt.Sprint(asideMost - 1); got[0] != "first" || !strings.Contains(got[1], " 5 lines ") || got[2] != "0" || got[len(got)-1] != want {
			t.Errorf("read %q … %q", got[:3], got[len(got)-1])
		}
		a.end()
	})
}

// TestAsideWaitsForItsWriter: what waits isn't lost where the machine is so busy that its writer comes late.
func TestAsideWaitsForItsWriter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := &aside{lines: make(chan []byte, 1), ends: make(chan struct{}), ended: make(chan struct{})}
		var out strings.Builder
		fmt.Fprintln(a, "why")
		go func() {
			time.Sleep(5 * asideTime)
			a.run(&out)
		}()
		if a.end(); out.String() != "why\n" {
			t.Errorf("written is %q", out.String())
		}
	})
}
