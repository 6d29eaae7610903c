package telegram

import "encoding/base64"

// A button that leads to the private chat with the bot is a link to it with the token as its payload, of which Telegram
// makes a /start there.
const (
	// asideMark begins such a payload. No other one of the bot's has a sign like that.
	asideMark = "p-"
	// maxStart is how long a payload may be.
	maxStart = 64
)

// address opens the private chat with the bot, where it is told the payload.
func (a *Adapter) address(payload string) string {
	return "https://t.me/" + a.me.Load().Username + "?start=" + payload
}

// aside is the address that makes the press of a button in private; empty if there can be none.
func (a *Adapter) aside(token string) string {
	payload := asideMark + base64.RawURLEncoding.EncodeToString([]byte(token))
	if a.me.Load() == nil || token == "" || len(payload) > maxStart {
		return ""
	}
	return a.address(payload)
}

// pressedAside is the token in a payload; false if it has none.
func pressedAside(payload string) (string, bool) {
	if len(payload) <= len(asideMark) || len(payload) > maxStart || payload[:len(asideMark)] != asideMark {
		return "", false
	}
	token, err := base64.RawURLEncoding.DecodeString(payload[len(asideMark):])
	return string(token), err == nil
}
