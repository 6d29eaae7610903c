//go:build !browser

package web

import (
	"os"
	"testing"

	"zevaka/engine/enginetest"
)

func TestMain(m *testing.M) {
	makePages()
	os.Exit(enginetest.Main(m))
}
