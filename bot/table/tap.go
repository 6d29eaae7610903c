package table

import (
	"slices"
	"strings"
)

// MeantTwice reports whether a button may be pressed twice in a row on purpose: those that count up or switch.
func MeantTwice(do string) bool {
	name, _, _ := strings.Cut(do, " ")
	return slices.Contains([]string{"!rounds", "!robot", "!norobot", "!panel", "!details", "!set", "!opt", "!limit", "!fast"}, name)
}
