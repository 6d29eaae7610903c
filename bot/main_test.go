package bot_test

import (
	"flag"
	"os"
	"testing"

	"zevaka/engine/enginetest"
)

// rounds is how many times as far those tests go that could go on for ever.
var rounds = flag.Int("rounds", 1, "how many times as far tests go that could go on for ever")

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }
