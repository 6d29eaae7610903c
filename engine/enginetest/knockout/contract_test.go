package knockout_test

import (
	"testing"

	"zevaka/engine/enginetest"
	"zevaka/engine/enginetest/knockout"
)

func TestContract(t *testing.T) { enginetest.Run(t, knockout.Rules{}) }
