package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
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

// UnmarshalText reads a number of days, or never; 0 is never, too.
func (k *keep) UnmarshalText(text []byte) error {
	digits, _ := strings.CutSuffix(string(text), "d")
	days, err := strconv.Atoi(digits)
	switch {
	case string(text) == "never":
		days = 0
	case err != nil || days != 0 && (days < leastKeep || days > mostKeep):
		return errKeep
	case days != 0 && digits == string(text):
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
