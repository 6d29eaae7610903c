package telegram

import (
	"strings"
	"unicode"

	"zevaka/bot/chat"
)

// unlinked is the text without anything that Telegram would make a link: an address, a user name, a tag. The bot's messages contain
// people's names and lines, and these must neither lead readers elsewhere nor notify anybody. One sign of each link is replaced by one
// that looks like it. Code style would keep links away, too, but doesn't suit a name, and an invisible sign would be copied along. The
// bot's own words have no such links.
func unlinked(text string) string {
	if !strings.ContainsAny(text, ".@#$:") {
		return text
	}
	in, out := []rune(text), []rune(text)
	at := func(i int) rune {
		if i < 0 || i >= len(in) {
			return ' '
		}
		return in[i]
	}
	for i, r := range in {
		before, after := at(i-1), at(i+1)
		switch {
		case r == '.' && !unicode.IsSpace(before) && (unicode.IsLetter(after) || inNumbers(in, i)):
			out[i] = '\u2024'
		case r == '@' && !chat.IsWord(before) && chat.IsWord(after):
			out[i] = '\uff20'
		case r == '#' && !chat.IsWord(before) && chat.IsWord(after):
			out[i] = '\uff03'
		case r == '$' && !chat.IsWord(before) && chat.IsWord(after):
			out[i] = '\uff04'
		case r == ':' && after == '/' && at(i+2) == '/':
			out[i] = '\u2236'
		}
	}
	return string(out)
}

// inNumbers reports whether the point at i stands within four numbers, as in an IP address.
func inNumbers(text []rune, i int) bool {
	first, last, points := i, i, 0
	part := func(k int) bool { return k >= 0 && k < len(text) && (text[k] == '.' || unicode.IsDigit(text[k])) }
	for part(first - 1) {
		first--
	}
	for part(last + 1) {
		last++
	}
	for _, r := range text[first : last+1] {
		if r == '.' {
			points++
		}
	}
	return points >= 3 && unicode.IsDigit(text[i-1]) && i+1 < len(text) && unicode.IsDigit(text[i+1])
}
