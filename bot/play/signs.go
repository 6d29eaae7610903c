package play

import (
	"time"

	"zevaka/bot/table"
	"zevaka/engine"
)

// Signs are what can be said at a table by one press, as codes: pages have the words for them, each in its reader's language.
func Signs() []string {
	return []string{"laugh", "shock", "yawn", "sad", "wink", "hello", "luck", "well", "thanks", "oops", "wait", "hurry"}
}

const (
	// signs is how many of them somebody may say in a second; two at once after a pause.
	signs = 0.5
	// lastWords is how long something can still be said at a table that has ended.
	lastWords = 10 * time.Minute
)

// Sign is what somebody says at a table by a code. It is stored nowhere.
type Sign struct {
	Table table.ID
	Seat  engine.Seat
	User  int64
	Name  string
	Code  string
	// Request is by what it was said: what is delivered twice is said once.
	Request string
}

// MayTalk reports whether something can be said at a table at that time of day by those who sit there.
func MayTalk(t *table.Table, now time.Time) bool {
	return t.Phase != table.Ended || now.Sub(time.Unix(t.Ended, 0)) < lastWords
}
