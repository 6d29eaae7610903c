package table

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Notice is how somebody is told that it is their turn.
type Notice string

// The ways to be told.
const (
	// ByMention is by name in the place of the table, for all to see; so is everybody told who has chosen nothing.
	ByMention Notice = ""
	// InPrivate is by a message in the person's private chat with the bot.
	InPrivate Notice = "private"
	// NotAtAll is for who looks by themselves.
	NotAtAll Notice = "off"
)

// Suits is how many colours suits have.
type Suits string

// The numbers of colours.
const (
	// AsInChat is as the place has chosen.
	AsInChat    Suits = ""
	TwoColours  Suits = "two"
	FourColours Suits = "four"
)

// Four reports whether suits have four colours for somebody who has chosen so, in a place where they have four or not.
func (s Suits) Four(there bool) bool { return s == FourColours || s == AsInChat && there }

// Choices are what a person has chosen; the zero value is nothing.
type Choices struct {
	// Lang is one of words.Tags; empty for what the platform says of the person.
	Lang   string `json:"lang,omitempty"`
	Notice Notice `json:"notice,omitempty"`
	// Quiet says that the person is told of their turn without a sound. Whether a page makes one, they choose there.
	Quiet bool `json:"quiet,omitempty"`
	// AtOnce says that the person is told as soon as their turn begins, whatever the place has chosen.
	AtOnce bool `json:"atonce,omitempty"`
	// Suits is in how many colours the suits are drawn where that is for the person alone: on tables that they look at, and in
	// their patiences.
	Suits Suits `json:"suits,omitempty"`
}

// KeyChoices is where the choices of a person lie, by the community's origin.
func KeyChoices(origin string, user int64) string {
	return keyspace.Personal + origin + "/" + strconv.FormatInt(user, 36)
}

// parseKey is whose choices lie under a key, and of which community.
func parseKey(key string) (origin string, user int64, err error) {
	origin, number, _ := strings.Cut(strings.TrimPrefix(key, keyspace.Personal), "/")
	if user, err = strconv.ParseInt(number, 36, 64); err != nil || KeyChoices(origin, user) != key {
		return "", 0, fmt.Errorf("nobody has chosen anything under %q", key)
	}
	return origin, user, nil
}

// ExamineChoices says what is wrong with what a person has chosen.
func ExamineChoices(item storage.Item) error {
	origin, _, err := parseKey(item.Key)
	if err != nil {
		return err
	}
	if _, err := chat.ParseCommunity(origin); err != nil {
		return err
	}
	return json.Unmarshal(item.Value, &Choices{})
}

// GetChoices reads what a person has chosen in the community with that origin. The error is one of the store, or of a value that
// can't be decoded.
func GetChoices(from storage.Getter, origin string, user int64) (Choices, error) {
	c, err := storage.GetJSON[Choices](from, KeyChoices(origin, user))
	if err != nil {
		return c, fmt.Errorf("read what a person has chosen in %s: %w", origin, err)
	}
	return c, nil
}

// PutChoices stores what a person has chosen; of who has chosen nothing, nothing is stored.
func PutChoices(tx storage.Tx, origin string, user int64, c Choices) error {
	if c == (Choices{}) {
		tx.Delete(KeyChoices(origin, user))
		return nil
	}
	return storage.PutJSON(tx, KeyChoices(origin, user), c)
}

// ForgetChoices takes away what a person has chosen.
func ForgetChoices(tx storage.Tx, origin string, user int64) { tx.Delete(KeyChoices(origin, user)) }

const (
	// remembered is how long a Langs trusts what it has read, and maxRemembered of how many people.
	remembered    = time.Minute
	maxRemembered = 10_000
)

// Langs are the languages that people have chosen. It remembers them for a while, so that not every press asks the store. It
// is safe for use by many goroutines.
type Langs struct {
	store storage.Store
	now   func() time.Duration
	mu    sync.Mutex
	known map[person]spoken
}

type person struct {
	in   chat.Community
	user int64
}

type spoken struct {
	lang string
	at   time.Duration
}

// NewLangs are those in the store. Now is the running time.
func NewLangs(store storage.Store, now func() time.Duration) *Langs {
	return &Langs{store: store, now: now, known: map[person]spoken{}}
}

// Of is the language that somebody has chosen in a community; empty if they have chosen none.
func (l *Langs) Of(ctx context.Context, in chat.Community, user int64) (string, error) {
	who, now := person{in, user}, l.now()
	l.mu.Lock()
	last, known := l.known[who]
	l.mu.Unlock()
	if known && now-last.at < remembered {
		return last.lang, nil
	}
	lang, err := storage.Read(ctx, l.store, func(from storage.Reader) (string, error) {
		origin, err := Origin(from, in)
		if err != nil {
			return "", err
		}
		c, err := GetChoices(from, origin, user)
		return c.Lang, err
	})
	if err == nil {
		l.Now(in, user, lang)
	}
	return lang, err
}

// Known is Of as far as it can be told without asking the store; empty where it isn't known.
func (l *Langs) Known(in chat.Community, user int64) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known[person{in, user}].lang
}

// Now notes what somebody has chosen just now.
func (l *Langs) Now(in chat.Community, user int64, lang string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.known) >= maxRemembered {
		clear(l.known)
	}
	l.known[person{in, user}] = spoken{lang, l.now()}
}
