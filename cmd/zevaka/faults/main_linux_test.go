//go:build faults

package faults

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/engine/enginetest"
)

var (
	rounds = flag.Int("rounds", 1, "how often each fault happens; the process is killed more often than that")
	outage = flag.Duration("outage", 5*time.Second, "how long Telegram is away")
	clocks = flag.Bool("clocks", false, "whether the clocks of bots jump, for which a zevaka is built that can do that")
	seed   = flag.Uint64("seed", 1, "seed of what people and chance do")
)

// binary is the program under test.
var binary string

// chanceOf is chance for a test, which it tells how it is run once more.
func chanceOf(t *testing.T) *dice {
	t.Helper()
	t.Logf("again: go test -tags faults ./cmd/zevaka/faults -run '^%s$' -v -seed %d", strings.ReplaceAll(regexp.QuoteMeta(t.Name()), "/", "$/^"), *seed)
	name := fnv.New64a()
	_, _ = name.Write([]byte(t.Name()))
	return &dice{by: rand.New(rand.NewPCG(*seed, name.Sum64()))}
}

// dice are chance for many goroutines.
type dice struct {
	mu sync.Mutex
	by *rand.Rand
}

func (d *dice) IntN(n int) int { return int(d.Int64N(int64(n))) }

func (d *dice) Int64N(n int64) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.by.Int64N(n)
}

func (d *dice) Uint64() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.by.Uint64()
}

func TestMain(m *testing.M) {
	if os.Getenv(behind) != "" {
		fmt.Fprintln(os.Stderr, runBehind(os.Args[1:]))
		os.Exit(1)
	}
	enginetest.AtOnce(3)
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
	return run(), nil
}
