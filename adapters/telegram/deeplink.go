package telegram

import "encoding/base64"

// A button that leads to the private chat with the bot is a link to it with the token of an offer as its payload, of which
// Telegram makes a /start there.
const (
	// offerMark begins such a payload. No other one of the bot's has a sign like that.
	offerMark = "p-"
	// maxStart is how long a payload may be.
	maxStart = 64
)

// startLink opens the private chat with the bot, where it is told the payload.
func (c *core) startLink(payload string) string {
	return "https://t.me/" + c.me.Load().Username + "?start=" + payload
}

// deepLink is the address that the button of an offer leads to; empty if there can be none.
func (c *core) deepLink(token string) string {
	payload := offerMark + base64.RawURLEncoding.EncodeToString([]byte(token))
	if c.me.Load() == nil || token == "" || len(payload) > maxStart {
		return ""
	}
	return c.startLink(payload)
}

// offerToken is the token in a payload; false if it has none. Anybody can write one, so it is no press.
func offerToken(payload string) (string, bool) {
	if len(payload) <= len(offerMark) || len(payload) > maxStart || payload[:len(offerMark)] != offerMark {
		return "", false
	}
	token, err := base64.RawURLEncoding.DecodeString(payload[len(offerMark):])
	return string(token), err == nil
}
