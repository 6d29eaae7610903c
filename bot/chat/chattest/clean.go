// Package chattest checks what chats are shown.
package chattest

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Clean reports what in a text could change how something else looks: controls, and marks of direction that aren't closed
// before the line ends.
func Clean(text string) error {
	open := 0
	for _, r := range text {
		switch {
		case r == '\u2068':
			open++
		case r == '\u2069' && open > 0:
			open--
		case r == '\n' && open == 0:
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp), r == unicode.ReplacementChar:
			return fmt.Errorf("%q has a %U", text, r)
		}
	}
	if open > 0 || !utf8.ValidString(text) {
		return fmt.Errorf("%q leaves marks open", text)
	}
	return nil
}
