// Package webapp reads what Telegram's clients give to a Mini App: who looks at it, and from which link they came. It
// believes nothing that isn't signed by the bot's token.
package webapp

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/adapters/door"
)

const (
	// maxLogin is how many bytes a login may have.
	maxLogin = 4096
	// OldAfter is how long a login is good.
	OldAfter = time.Hour
	// Ahead is how far it may lie in the future, since clocks differ.
	Ahead = time.Minute
)

// Login is what Telegram says of somebody who has opened a Mini App.
type Login struct {
	User User
	// Start is what the link said that opened it; empty if it said nothing.
	Start string
	// At is when it was opened.
	At time.Time
	// Sign tells the login from all others.
	Sign Sign
}

// User is somebody on Telegram.
type User struct {
	ID        int64  `json:"id"`
	IsBot     bool   `json:"is_bot"`
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Username  string `json:"username"`
	Lang      string `json:"language_code"`
}

// Sign is the signature of a login.
type Sign [sha256.Size]byte

// Key is what the logins of one bot are signed by.
type Key struct{ secret []byte }

// NewKey is the key of the bot with that token.
func NewKey(token string) Key { return Key{sum([]byte("WebAppData"), token)} }

// Read reads a login, as initData has it. The error is door.ErrLogin for anything that Telegram didn't write so for this bot
// and for a person, and door.ErrOld where it is too old, or from the future.
func (k Key) Read(text string, now time.Time) (Login, error) {
	fields, sign, ok := parse(text)
	if !ok || !hmac.Equal(sign[:], sum(k.secret, signed(fields))) {
		return Login{}, door.ErrLogin
	}
	l := Login{Start: fields["start_param"], Sign: sign}
	at, err := strconv.ParseInt(fields["auth_date"], 10, 64)
	if err != nil || json.Unmarshal([]byte(fields["user"]), &l.User) != nil || l.User.ID <= 0 || l.User.IsBot {
		return Login{}, door.ErrLogin
	}
	l.At = time.Unix(at, 0)
	if l.At.Before(now.Add(-OldAfter)) || l.At.After(now.Add(Ahead)) {
		return Login{}, door.ErrOld
	}
	return l, nil
}

// parse are the fields of a login but its signature; false if it can't be one. No field is there twice, and none has a line
// break in it: it would read like two.
func parse(text string) (fields map[string]string, sign Sign, ok bool) {
	if len(text) > maxLogin {
		return nil, sign, false
	}
	all, err := url.ParseQuery(text)
	if err != nil {
		return nil, sign, false
	}
	fields = map[string]string{}
	for name, values := range all {
		if len(values) != 1 || strings.Contains(name+values[0], "\n") || strings.Contains(name, "=") {
			return nil, sign, false
		}
		fields[name] = values[0]
	}
	given, err := hex.DecodeString(fields["hash"])
	delete(fields, "hash")
	copy(sign[:], given)
	return fields, sign, err == nil && len(given) == len(sign)
}

// signed is the text that a login's signature is of: each field but that, sorted.
func signed(fields map[string]string) string {
	var lines []string
	for name, value := range fields {
		lines = append(lines, name+"="+value)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func sum(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
