package discord

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"zevaka/bot/chat"
)

// cut is the text, or as much of it as n units are, with an ellipsis at the end.
func cut(text string, n int) string {
	if chat.Units(text) <= n {
		return text
	}
	for most := n - 1; ; most-- { // One is the ellipsis.
		if short := chat.Closed(head(text, most)) + "…"; chat.Units(short) <= n || most <= 0 {
			return short
		}
	}
}

// head is the beginning of a text that is longer, of at most n units.
func head(text string, n int) string {
	for i, r := range text {
		if n -= chat.UnitsOf(r); n < 0 {
			return text[:i]
		}
	}
	return text
}

// inked has black suits stay letters, which have the colour of the text: by itself Discord draws them as emoji, nearly black
// on its dark ground.
var inked = strings.NewReplacer("♠\ufe0e", "♠\ufe0e", "♣\ufe0e", "♣\ufe0e", "♠", "♠\ufe0e", "♣", "♣\ufe0e")

// markdown is the text of a message as Discord reads it, in pieces that are no longer than a message may be. What stands
// in the text itself is shown as it is. No more than most pieces are made; the last one says that something is missing.
// Commands that would take a piece more, or leave something out, are but words.
func (me identity) markdown(spans []chat.Span, most int) []string {
	pieces, whole := me.pieces(spans, most)
	if len(me.commands) == 0 || whole && len(pieces) == 1 {
		return pieces
	}
	if plain, all := (identity{}).pieces(spans, most); len(plain) < len(pieces) || all && !whole {
		return plain
	}
	return pieces
}

// pieces are at most most pieces of a text, and whether that is all of it.
func (me identity) pieces(spans []chat.Span, most int) (pieces []string, whole bool) {
	var piece strings.Builder
	length := 0
	whole = true
	for _, line := range splitLines(spans) {
		text := line.markdown(me)
		n := chat.Units(text)
		if length > 0 && length+1+n > maxContent {
			if len(pieces)+1 == most {
				return append(pieces, closeMarks(piece.String())), false
			}
			pieces = append(pieces, piece.String())
			piece.Reset()
			length = 0
		} else if length > 0 || piece.Len() > 0 {
			piece.WriteByte('\n')
			length++
		}
		if n > maxContent {
			text, whole = line.short(me), false
			n = chat.Units(text)
		}
		piece.WriteString(text)
		length += n
	}
	return append(pieces, strings.TrimRight(piece.String(), "\n")), whole
}

// closeMarks is a piece that ends with an ellipsis on a line of its own.
func closeMarks(piece string) string {
	for chat.Units(piece)+2 > maxContent {
		i := strings.LastIndexByte(piece, '\n')
		if i < 0 {
			return piece
		}
		piece = piece[:i]
	}
	return piece + "\n…"
}

// line is the spans of one line.
type line []chat.Span

func splitLines(spans []chat.Span) []line {
	lines := []line{nil}
	for _, s := range spans {
		for i, text := range strings.Split(s.Text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if text != "" {
				last := len(lines) - 1
				s.Text = text
				lines[last] = append(lines[last], s)
			}
		}
	}
	return lines
}

// small begins a line of small print.
const small = "-# "

// markdown is the line with its styles. Small print is for whole lines only.
func (l line) markdown(me identity) string {
	var out strings.Builder
	if l.faint() {
		out.WriteString(small)
	}
	for _, s := range l {
		text := s.Text
		if s.User != 0 {
			out.WriteString("<@" + strconv.FormatInt(s.User, 10) + ">") // It notifies nobody who isn't allowed to be.
			continue
		}
		switch s.Style {
		case chat.Strong:
			me.wrap(&out, "**", text)
		case chat.Code:
			out.WriteString("`" + strings.ReplaceAll(text, "`", "ˋ") + "`")
		default:
			me.escape(&out, text)
		}
	}
	return out.String()
}

// short is as much of a line as fits into a message, without styles.
func (l line) short(me identity) string {
	var flat strings.Builder
	for _, s := range l {
		flat.WriteString(s.Text)
	}
	text := flat.String()
	for n := maxContent; ; n -= 50 {
		var out strings.Builder
		me.escape(&out, cut(text, n))
		if chat.Units(out.String()) <= maxContent {
			return out.String()
		}
	}
}

// faint reports whether the whole line is small print.
func (l line) faint() bool {
	for _, s := range l {
		if s.Style != chat.Faint && s.Style != chat.Code || len(l) == 1 && s.Style != chat.Faint {
			return false
		}
	}
	return len(l) > 0
}

// wrap puts marks round a text, and leaves the space at its ends outside, where it doesn't break them.
func (me identity) wrap(out *strings.Builder, mark, text string) {
	inner := strings.TrimSpace(text)
	if inner == "" {
		out.WriteString(text)
		return
	}
	before, after, _ := strings.Cut(text, inner)
	out.WriteString(before + mark)
	me.escape(out, inner)
	out.WriteString(mark + after)
}

// escape writes a text so that nothing in it means anything to Discord, but commands where they are named: a backslash
// makes any sign that is no letter, digit or space stand for itself. An address of an invitation needs no scheme to be one,
// so points in words are escaped.
func (me identity) escape(out *strings.Builder, text string) {
	var plain strings.Builder
	digits := true // Only digits stand before: a point would begin a list.
	past := 0
	for i, r := range text {
		if i < past {
			continue
		}
		if command, n := me.commandAt(text[:i], text[i:]); n > 0 {
			plain.WriteString(command)
			past, digits = i+n, false
			continue
		}
		special := strings.ContainsRune("\\`*_~|<>#@:[]()-+", r)
		if r == '.' {
			after, _ := utf8.DecodeRuneInString(text[i+1:])
			special = digits || unicode.IsLetter(after)
		}
		if special {
			plain.WriteByte('\\')
		}
		digits = digits && (unicode.IsDigit(r) || unicode.IsSpace(r))
		if r != utf8.RuneError {
			plain.WriteRune(r)
		}
	}
	_, _ = inked.WriteString(out, plain.String())
}

// commandAt is the command that a text begins with, as Discord shows it, and how many bytes of the text name it; 0 if none
// does. What people write names none: chat.CleanText takes such slashes from it.
func (me identity) commandAt(before, text string) (command string, n int) {
	name, ok := strings.CutPrefix(text, "/")
	if last, _ := utf8.DecodeLastRuneInString(before); !ok || chat.IsWord(last) || strings.ContainsRune("/<>", last) {
		return "", 0
	}
	if end := strings.IndexFunc(name, func(r rune) bool { return r != '-' && !chat.IsWord(r) }); end >= 0 {
		name = name[:end]
	}
	if command, ok = me.commands[name]; !ok {
		return "", 0
	}
	return command, len("/") + len(name)
}
