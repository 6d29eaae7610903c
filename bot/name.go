package bot

import (
	"strings"
	"unicode"
)

// maxName is how many characters of a name are shown.
const maxName = 20

// CleanName makes a name fit to stand in a line of a table: no control or formatting characters, no towers of marks,
// no line breaks, at most maxName characters; right-to-left letters are kept from turning the line around.
func CleanName(name string) string {
	var out []rune
	marks := 0
	for _, r := range strings.ToValidUTF8(name, "") {
		switch {
		case unicode.IsSpace(r):
			r = ' '
			if len(out) == 0 || out[len(out)-1] == ' ' {
				continue
			}
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp), r == unicode.ReplacementChar, invisible(r):
			continue
		}
		if unicode.In(r, unicode.Mn, unicode.Me) {
			if marks++; marks > 2 || len(out) == 0 {
				continue
			}
		} else {
			marks = 0
		}
		out = append(out, r)
	}
	clean := shorten(strings.TrimSpace(string(out)), maxName)
	rightToLeft := func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
	}
	if strings.ContainsFunc(clean, rightToLeft) {
		const isolate, end = "\u2068", "\u2069"
		return isolate + clean + end
	}
	return clean
}

// invisible reports whether the letter shows nothing though it counts as one.
func invisible(r rune) bool {
	const hangulFiller, halfwidthFiller, braille, chosung, jungsung = '\u3164', '\uffa0', '\u2800', '\u115f', '\u1160'
	return r == hangulFiller || r == halfwidthFiller || r == braille || r == chosung || r == jungsung
}

// shorten cuts a text to at most n characters, the last of them an ellipsis if anything was cut.
func shorten(text string, n int) string {
	letters := []rune(text)
	if len(letters) <= n {
		return text
	}
	return string(letters[:n-1]) + "…"
}
