package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

// keep is how long what has ended is kept; 0 is for ever. Its text is a number of days, as 90d, or never: then nothing
// leaves.
type keep time.Duration

const (
	keepDay = 24 * time.Hour
	// leastKeep is the shortest: what a platform delivers again must be known again. mostKeep is a hundred years.
	leastKeep, mostKeep = 2, 36_525
)

var errKeep = errors.New("give a number of days from 2d on, as 90d, or never")

// UnmarshalText reads a number of days, or never.
func (k *keep) UnmarshalText(text []byte) error {
	digits, _ := strings.CutSuffix(string(text), "d")
	days, err := strconv.Atoi(digits)
	switch {
	case string(text) == "never":
		days = 0
	case err != nil || days < leastKeep || days > mostKeep:
		return errKeep
	case digits == string(text):
		return errKeep // It doesn't say of what.
	}
	*k = keep(time.Duration(days) * keepDay)
	return nil
}

// MarshalText is the text that UnmarshalText reads.
func (k keep) MarshalText() ([]byte, error) {
	if k == 0 {
		return []byte("never"), nil
	}
	return fmt.Appendf(nil, "%dd", time.Duration(k)/keepDay), nil
}

// logLevel is from which level on the log tells something.
type logLevel struct{ slog.Level }

var errLogLevel = errors.New("give debug, info, warn or error")

// UnmarshalText reads a level.
func (l *logLevel) UnmarshalText(text []byte) error {
	if l.Level.UnmarshalText(text) != nil {
		return errLogLevel
	}
	return nil
}

// MarshalText is the text that UnmarshalText reads.
func (l logLevel) MarshalText() ([]byte, error) { return []byte(strings.ToLower(l.String())), nil }

// publicURL is the https address at which people reach this program's server, without anything behind its host; or nothing.
type publicURL string

var errPublicURL = errors.New("give the https address of your proxy, with no path, as https://cards.example.org")

// UnmarshalText takes an address of which only a slash may be too much.
func (p *publicURL) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*p = ""
		return nil
	}
	u, err := url.Parse(string(text))
	if err != nil || u.Hostname() == "" {
		return errPublicURL
	}
	bare := url.URL{Scheme: "https", Host: u.Host}
	if given := *u; given.Path == "/" {
		u.Path = ""
	}
	if u.String() != bare.String() {
		return errPublicURL
	}
	*p = publicURL(bare.String())
	return nil
}

// MarshalText is the address.
func (p publicURL) MarshalText() ([]byte, error) { return []byte(p), nil }

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

// gone is a setting of the time when several clusters, the cells, could serve one bot.
type gone string

var errCells = errors.New("there are no cells any more, one cluster carries a bot: move all communities into one cell with the last zevaka that has them, 6431d3a, then leave --cell and --directory out")

// isGone reports whether a flag is no setting any more.
func isGone(flag *kong.Flag) bool { _, is := flag.Target.Interface().(gone); return is }

// UnmarshalText refuses it, unless it is empty.
func (*gone) UnmarshalText(text []byte) error {
	if len(text) > 0 {
		return errCells
	}
	return nil
}
