//go:build faults

package faults

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var (
	rounds = flag.Int("rounds", 0, "how often each fault happens; 0 is what its line in the table says")
	kills  = flag.Int("kills", 0, "how often the process is killed; 0 is as -rounds says")
	outage = flag.Duration("outage", 8*time.Second, "how long Telegram is away")
)

var (
	// binary is the program under test.
	binary string
	// untouchable is why nobody may stand between a process and its disk on this machine; nil where that goes.
	untouchable error
)

func TestMain(m *testing.M) {
	if os.Getenv(behind) != "" {
		fmt.Fprintln(os.Stderr, runBehind(os.Args[1:]))
		os.Exit(1)
	}
	flag.Parse()
	code, err := withBinary(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// withBinary builds the program, and takes it away again when run has ended.
func withBinary(run func() int) (code int, err error) {
	folder, err := os.MkdirTemp("", "zevaka-faults-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	binary = filepath.Join(folder, "zevaka")
	if out, err := exec.Command("go", "build", "-o", binary, "zevaka/cmd/zevaka").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("build zevaka: %w\n%s", err, out)
	}
	untouchable = standBefore()
	return run(), nil
}

// standBefore tries to stand between a process and its disk.
func standBefore() error {
	cmd := exec.Command(os.Args[0])
	cmd.Env = environment(behind + "=" + binary)
	d, err := newDisk(cmd)
	if err == nil {
		defer d.close()
	}
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // It was killed, or it says by its code what err says.
	}
	return err
}
