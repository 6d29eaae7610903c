package zevaka_test

import (
	"testing"

	"zevaka/engine/enginetest"
	"zevaka/engine/zevaka"
)

func TestContract(t *testing.T) { enginetest.Run(t, zevaka.Rules{}) }
