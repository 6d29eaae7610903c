package enginetest

import "os"

// Bound is how far a test goes: as far as short says, or as long where ZEVAKA_LONG=1 asks for all that there is to try.
func Bound(short, long int) int {
	if os.Getenv("ZEVAKA_LONG") == "1" {
		return long
	}
	return short
}
