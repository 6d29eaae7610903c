package upkeep_test

import (
	"os"
	"testing"

	"zevaka/engine/enginetest"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }
