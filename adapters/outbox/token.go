package outbox

import "time"

// tokenLost is how long a token that has been good is refused until it counts as taken back: platforms refuse good ones by mistake, some
// for minutes.
const tokenLost = time.Hour

// Token knows since when a token that has been good is refused; the zero Token isn't.
type Token struct{ since time.Time }

// Refused is how long to wait before it is tried again, after a refusal at that time; false if it counts as taken back.
func (t *Token) Refused(now time.Time) (wait time.Duration, again bool) {
	if t.since.IsZero() {
		t.since = now
	}
	switch lasts := now.Sub(t.since); {
	case lasts >= tokenLost:
		return 0, false
	case lasts < 10*time.Minute:
		return time.Minute, true
	}
	return 10 * time.Minute, true
}

// Good says that it isn't refused any more.
func (t *Token) Good() { *t = Token{} }
