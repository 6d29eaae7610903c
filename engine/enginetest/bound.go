package enginetest

import (
	"os"
	"testing"
)

// Bound is how far a test goes: as far as short says, or as long where ZEVAKA_LONG=1 asks for all that there is to try.
func Bound(short, long int) int {
	if os.Getenv("ZEVAKA_LONG") == "1" {
		return long
	}
	return short
}

// Long skips a test unless ZEVAKA_LONG=1 asks for all that there is to try. It is for what takes long and what others try as well,
// a little of it.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv("ZEVAKA_LONG") != "1" {
		t.Skip("tried with ZEVAKA_LONG=1")
	}
}
