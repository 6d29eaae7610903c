package bot

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"

	"zevaka/engine/enginetest"
)

// TestMain has each search try less in a short test, unless -rapid.checks says how much.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", strconv.Itoa(enginetest.Bound(14, 100))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(enginetest.Main(m))
}
