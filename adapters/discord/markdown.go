package discord

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"zevaka/bot"
)

const (
	// maxContent is how long a message may be, maxLabel a button's label, in units of UTF-16, which are never fewer than
	// what Discord counts.
	maxContent = 2000
	maxLabel   = 80
	// maxPages is how many messages a long text may become.
	maxPages = 5
)

// units is how many units of UTF-16 a text is.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += unitsOf(r)
	}
	return n
}

func unitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// cut is the text, or as much of it as n units are, with an ellipsis at the end.
func cut(text string, n int) string {
	if units(text) <= n {
		return text
	}
	n-- // The ellipsis.
	for i, r := range text {
		if n -= unitsOf(r); n < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// markdown is the text of a message as Discord reads it, in pieces that are no longer than a message may be. What stands
// in the text itself is shown as it is. No more than most pieces are made; the last one says that something is missing.
func markdown(spans []bot.Span, most int) []string {
	var pieces []string
	var piece strings.Builder
	length := 0
	for _, line := range splitLines(spans) {
		text := line.markdown()
		n := units(text)
		if length > 0 && length+1+n > maxContent {
			if len(pieces)+1 == most {
				return append(pieces, closed(piece.String()))
			}
			pieces = append(pieces, piece.String())
			piece.Reset()
			length = 0
		} else if length > 0 || piece.Len() > 0 {
			piece.WriteByte('\n')
			length++
		}
		if n > maxContent {
			text = line.short()
			n = units(text)
		}
		piece.WriteString(text)
		length += n
	}
	return append(pieces, strings.TrimRight(piece.String(), "\n"))
}

// closed is a piece that ends with an ellipsis on a line of its own.
func closed(piece string) string {
	for units(piece)+2 > maxContent {
		i := strings.LastIndexByte(piece, '\n')
		if i < 0 {
			return piece
		}
		piece = piece[:i]
	}
	return piece + "\n…"
}

// line is the spans of one line.
type line []bot.Span

func splitLines(spans []bot.Span) []line {
	lines := []line{nil}
	for _, s := range spans {
		for i, text := range strings.Split(s.Text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if text != "" {
				last := len(lines) - 1
				lines[last] = append(lines[last], bot.Span{Text: text, Style: s.Style})
			}
		}
	}
	return lines
}

// markdown is the line with its styles. Small print is for whole lines only.
func (l line) markdown() string {
	var out strings.Builder
	if l.faint() {
		out.WriteString("-# ")
	}
	for _, s := range l {
		text := s.Text
		switch s.Style {
		case bot.Strong:
			wrap(&out, "**", text)
		case bot.Code:
			out.WriteString("`" + strings.ReplaceAll(text, "`", "ˋ") + "`")
		default:
			escape(&out, text)
		}
	}
	return out.String()
}

// short is as much of a line as fits into a message, without styles.
func (l line) short() string {
	var flat strings.Builder
	for _, s := range l {
		flat.WriteString(s.Text)
	}
	text := flat.String()
	for n := maxContent; ; n -= 50 {
		var out strings.Builder
		escape(&out, cut(text, n))
		if units(out.String()) <= maxContent {
			return out.String()
		}
	}
}

// faint reports whether the whole line is small print.
func (l line) faint() bool {
	for _, s := range l {
		if s.Style != bot.Faint && s.Style != bot.Code || len(l) == 1 && s.Style != bot.Faint {
			return false
		}
	}
	return len(l) > 0
}

// wrap puts marks round a text, and leaves the space at its ends outside, where it doesn't break them.
func wrap(out *strings.Builder, mark, text string) {
	inner := strings.TrimSpace(text)
	if inner == "" {
		out.WriteString(text)
		return
	}
	before, after, _ := strings.Cut(text, inner)
	out.WriteString(before + mark)
	escape(out, inner)
	out.WriteString(mark + after)
}

// escape writes a text so that nothing in it means anything to Discord: a backslash makes any sign that is no letter,
// digit or space stand for itself.
func escape(out *strings.Builder, text string) {
	digits := true // Only digits stand before: a point would begin a list.
	for _, r := range text {
		special := strings.ContainsRune("\\`*_~|<>#@:[]()-+", r) || r == '.' && digits
		if special {
			out.WriteByte('\\')
		}
		digits = digits && (unicode.IsDigit(r) || unicode.IsSpace(r))
		if r != utf8.RuneError {
			out.WriteRune(r)
		}
	}
}
