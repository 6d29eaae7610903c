package tommy_test

import (
	"testing"

	"zevaka/engine/enginetest"
	"zevaka/engine/enginetest/tommy"
)

func TestContract(t *testing.T) { enginetest.Run(t, tommy.Rules{}) }
