package enginetest

import (
	"os"
	"testing"
)

// long is how much is wanted of tests: "1" for all that there is to try, "each" for each of them, as far as a short one goes.
func long() string { return os.Getenv("ZEVAKA_LONG") }

// Bound is how far a test goes: as far as short says, or as long where ZEVAKA_LONG=1 asks for all that there is to try.
func Bound(short, all int) int {
	if long() == "1" {
		return all
	}
	return short
}

// Brief reports whether only a little is wanted of what takes long: neither ZEVAKA_LONG=1 nor ZEVAKA_LONG=each asks for more.
func Brief() bool { return long() != "1" && long() != "each" }

// Long skips a test where only a little is wanted. It is for what takes long and what others try as well, a little of it.
func Long(t testing.TB) {
	t.Helper()
	if Brief() {
		t.Skip("tried with ZEVAKA_LONG=1, or each")
	}
}
