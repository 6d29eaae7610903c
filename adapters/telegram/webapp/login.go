// Package webapp reads what Telegram's clients give to a Mini App: who looks at it, and by which link they came. Both count only if
// they are signed: logins by Telegram with the bot's token, links by the bot.
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

// Login is Telegram's word on who has opened a Mini App.
type Login struct {
	User User
	// Start is the payload of the link that opened it; empty if there was none.
	Start string
	// At is when it was opened.
	At time.Time
	// Sign is the login's signature. No other login has the same.
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

// Key is the key that signs the logins of one bot.
type Key struct{ secret []byte }

// NewKey is the key of the bot with that token.
func NewKey(token string) Key { return Key{sum([]byte("WebAppData"), token)} }

// Read reads a login from initData. The error is door.ErrLogin if Telegram hasn't signed it for this bot and for a person, and
// door.ErrOld if it is too old or from the future.
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

// parse is the fields of a login without its signature, and the signature. It reports false if the text can't be a login. A field twice
// is refused, and so is a line break in one: what is signed has a line for each field.
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

// signed is the text that Telegram signs: a line for each field, sorted.
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
