package main

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// contact is how whoever runs the bot can be reached: a line of text, or nothing.
type contact string

// maxContact is how many letters it may have.
const maxContact = 200

var errContact = errors.New("give one line of at most 200 letters, as: Ann, ann@example.org")

// UnmarshalText takes a line that can be shown.
func (c *contact) UnmarshalText(text []byte) error {
	line := strings.TrimSpace(string(text))
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if !utf8.ValidString(line) || utf8.RuneCountInString(line) > maxContact || strings.ContainsFunc(line, hidden) {
		return errContact
	}
	*c = contact(line)
	return nil
}

// MarshalText is the line.
func (c contact) MarshalText() ([]byte, error) { return []byte(c), nil }
