package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"zevaka/engine/patience"
)

// TestPatiences simulates and replays every patience, laid at random: what is simulated is what is
// replayed, and how many came out is said aside.
func TestPatiences(t *testing.T) {
	t.Parallel()
	for _, rules := range patience.All() {
		name := rules.Info().Name
		for _, skill := range []string{"random"} {
			t.Run(name+" skill "+skill, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "states")
				end := zevaka(t, "", "simulate", name, "--games", "4", "--skill", skill, "--states", file)
				if end.code != 0 {
					t.Fatalf("exit %d: %s", end.code, end.err)
				}
				states := good(t, end.out, "replay", "--states")
				if written, err := os.ReadFile(file); err != nil || string(written) != states {
					t.Errorf("the positions of simulate and replay differ (%v)", err)
				}
				solved := strings.Count(end.out, `"solved":true`)
				want := fmt.Sprintf(`(?m)^%d of 4 came out: %d\.0 %%; \d+\.\d cards in place on average$`, solved, 25*solved)
				if !regexp.MustCompile(want).MatchString(end.err) {
					t.Errorf("aside is said %q, want %s", end.err, want)
				}
			})
		}
	}
}
