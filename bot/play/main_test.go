package play_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"zevaka/engine/enginetest"
)

// rounds is how many times as far those tests go that could go on for ever.
var rounds = flag.Int("rounds", 1, "how many times as far tests go that could go on for ever")

// TestMain has each search try a little, the same each time, unless -rapid.checks and -rapid.seed say otherwise. What fails says which
// seed shows it again.
func TestMain(m *testing.M) {
	if err := errors.Join(flag.Set("rapid.checks", "10"), flag.Set("rapid.seed", "1")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(enginetest.Main(m))
}
