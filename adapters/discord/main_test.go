package discord

import (
	"flag"
	"os"
	"testing"

	"zevaka/engine/enginetest"
)

// rounds is how far the tests go that play whole games.
var rounds = flag.Int("rounds", 1, "how many `rounds` of whole games the tests play; with three or more, every form of every patience")

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }
