//go:build faults

package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// jumpSetting says, in seconds, how long after its start the clock of a program that jumping built jumps, and how far.
const jumpSetting = "CLOCK_JUMP"

// ahead is what package time gets for that.
const ahead = `package time

import "syscall"

var jumpAfter, jumpBy = jump()

func jump() (after, by int64) {
	text, _ := syscall.Getenv("` + jumpSetting + `")
	n, sign := [2]int64{}, [2]int64{1, 1}
	i := 0
	for _, c := range []byte(text) {
		switch c {
		case ' ':
			i = 1
		case '-':
			sign[i] = -1
		default:
			n[i] = 10*n[i] + int64(c-'0')
		}
	}
	return n[0] * sign[0] * 1e9, n[1] * sign[1]
}

func ahead(mono int64) int64 {
	if mono-startNano < jumpAfter {
		return 0
	}
	return jumpBy
}
`

// jumping builds, once, a zevaka whose clock can jump: what time it is, not how much of it passes.
var jumping = sync.OnceValues(func() (program string, err error) {
	folder := filepath.Dir(binary)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	text, err := os.ReadFile(filepath.Join(source, "time.go"))
	if err != nil {
		return "", err
	}
	const before = "\tmono -= startNano\n"
	if n := strings.Count(string(text), before); n != 1 {
		return "", fmt.Errorf("time.Now isn't what it was: %d lines are %q", n, before)
	}
	jumpy := strings.Replace(string(text), before, "\tsec += ahead(mono)\n"+before, 1)
	now, jump, all := filepath.Join(folder, "time.go"), filepath.Join(folder, "ahead.go"), filepath.Join(folder, "overlay.json")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(source, "time.go"): now, filepath.Join(source, "ahead.go"): jump,
	}})
	err = errors.Join(
		err, os.WriteFile(now, []byte(jumpy), 0o600), os.WriteFile(jump, []byte(ahead), 0o600), os.WriteFile(all, overlay, 0o600),
	)
	if err != nil {
		return "", err
	}
	program = filepath.Join(folder, "jumping")
	if out, err := exec.Command("go", "build", "-overlay", all, "-o", program, "zevaka/cmd/zevaka").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build a zevaka whose clock jumps: %w\n%s", err, out)
	}
	return program, nil
})

// jumps has the clocks of two bots jump while people press, one an hour ahead and the other an hour back, and back again with
// a restart. Nobody may take that for time that has passed.
func jumps(c *club) {
	const after = 12 * time.Second
	program, err := jumping()
	if err != nil {
		c.Fatal(err)
	}
	c.goesOn() // To build takes so long, and so much of the machine, that a bot may have lost its lease.
	for i, by := range []time.Duration{time.Hour, -time.Hour} {
		c.ends(i, (*process).stop)
		jump := fmt.Sprintf("%s=%.0f %.0f", jumpSetting, after.Seconds(), by.Seconds())
		c.crew[i] = launchAs(c.whole, program, c.with(i, jump, "ZEVAKA_LOG_LEVEL=info")...)
	}
	started := time.Now()
	c.goesOn()
	time.Sleep(time.Until(started.Add(after + time.Second)))
	c.goesOn()
	time.Sleep(pause)
	for i := range 2 {
		if c.crew[i].exited() {
			c.Errorf("%s has ended\n%s", nameOf(i), c.story())
		}
		p := c.crew[i]
		c.ends(i, (*process).stop)
		if at := stoppedAt(p); time.Since(at).Abs() < time.Hour/2 {
			c.Errorf("%s says that it stopped at %v: its clock hasn't jumped", nameOf(i), at)
		}
		c.begins(i)
	}
}

// stoppedAt is when a process has stopped, by its own clock; now if it doesn't say.
func stoppedAt(p *process) time.Time {
	for line := range strings.Lines(p.log.String()) {
		stamp, said, _ := strings.Cut(strings.TrimPrefix(line, "time="), " ")
		if at, err := time.Parse(time.RFC3339, stamp); err == nil && strings.Contains(said, "msg=stopped") {
			return at
		}
	}
	return time.Now()
}
