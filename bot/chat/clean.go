package chat

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// maxName is how many characters of a name are shown.
const maxName = 20

// CleanName makes a name fit to stand in a line of a table: as CleanText does, and at most maxName characters of it.
func CleanName(name string) string {
	if isClean(name) && len(name) <= maxName {
		return name
	}
	return Isolated(Shorten(inert(Bare(name)), maxName))
}

// CleanText makes what somebody typed fit to be said back, whoever reads it: no control or formatting characters, nothing
// that can't be seen, no towers of marks, no line breaks; right-to-left letters are kept from turning the line around. What
// is clean stays as it is.
func CleanText(text string) string {
	if isClean(text) {
		return text
	}
	return Isolated(inert(Bare(text)))
}

// isClean reports at once of most texts that there is nothing to clean: letters of Latin and Cyrillic, digits and signs,
// with single spaces between them.
func isClean(text string) bool {
	last := ' '
	for _, r := range text {
		latin, cyrillic := r > ' ' && r < 0x7f || r >= 0xc0 && r < 0x180, r >= 0x400 && r <= 0x481 || r >= 0x48a && r < 0x530
		if r == '/' || r == ' ' && last == ' ' || r != ' ' && !latin && !cyrillic {
			return false
		}
		last = r
	}
	return text == "" || last != ' '
}

// Bare is the text without what can't be seen, and without what changes how something else looks.
func Bare(text string) string {
	var out []rune
	marks := 0
	for _, r := range strings.ToValidUTF8(text, "") {
		switch {
		case unicode.IsSpace(r):
			r = ' '
			if len(out) == 0 || out[len(out)-1] == ' ' {
				continue
			}
		case isHidden(r):
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
	return strings.TrimSpace(string(out))
}

// isHidden reports whether the letter shows nothing by itself, though it counts as one: controls, marks of direction, tags,
// letters that choose how another one looks, fillers, and what nobody has given a shape.
func isHidden(r rune) bool {
	const braille = '\u2800'
	return r == unicode.ReplacementChar || r == braille || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point)
}

// inert is the text in which no word begins with a slash: a chat would make it a command for whoever touches it.
func inert(text string) string {
	const divisionSlash = '\u2215'
	if !strings.Contains(text, "/") {
		return text
	}
	out := []rune(text)
	for i, r := range out {
		if r == '/' && (i == 0 || !IsWord(out[i-1]) && !strings.ContainsRune("/<>", out[i-1])) && i+1 < len(out) && IsWord(out[i+1]) {
			out[i] = divisionSlash
		}
	}
	return string(out)
}

// IsWord reports whether the letter may stand in a word, a name or a tag, as chats tell them from what is around them.
func IsWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

const (
	// Isolate begins a part of a line that has a direction of its own.
	Isolate = "\u2068"
	// EndIsolate ends such a part.
	EndIsolate = "\u2069"
)

// Isolated is the text, with marks round it if there is anything in it that is read from right to left.
func Isolated(text string) string {
	if !strings.ContainsFunc(text, isRightToLeft) {
		return text
	}
	return Isolate + text + EndIsolate
}

func isRightToLeft(r rune) bool {
	if r < 0x590 {
		return false
	}
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.R || p.Class() == bidi.AL || p.Class() == bidi.AN
}

// Closed is a text of the bot's that was cut off, with the marks that it leaves open closed.
func Closed(text string) string {
	return text + strings.Repeat(EndIsolate, max(0, strings.Count(text, Isolate)-strings.Count(text, EndIsolate)))
}

// Shorten cuts a text to at most n characters, the last of them an ellipsis if anything was cut; the marks that it closes
// don't count.
func Shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	letters := []rune(text)
	if len(letters) <= n {
		return text
	}
	return Closed(string(letters[:n-1])) + "…"
}

// Mention is the user in a mention as platforms pass them on.
func Mention(text string) (int64, bool) {
	inside, opened := strings.CutPrefix(text, "<@")
	inside, closed := strings.CutSuffix(strings.TrimPrefix(inside, "!"), ">")
	id, err := strconv.ParseInt(inside, 10, 64)
	return id, opened && closed && err == nil && id != 0
}
