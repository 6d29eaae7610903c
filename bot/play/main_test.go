package play_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"zevaka/engine/enginetest"
)

// TestMain has each search try little, unless -rapid.checks says how much.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "14"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(enginetest.Main(m))
}
