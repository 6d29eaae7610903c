//go:build !browser

package web

import (
	"os"
	"testing"

	"zevaka/engine/enginetest"
)

func TestMain(m *testing.M) {
	enginetest.AtOnce(6)
	os.Exit(enginetest.Main(m))
}
