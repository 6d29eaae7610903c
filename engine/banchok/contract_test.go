package banchok_test

import (
	"testing"

	"zevaka/engine/banchok"
	"zevaka/engine/enginetest"
)

func TestContract(t *testing.T) { enginetest.Run(t, banchok.Rules{}) }
