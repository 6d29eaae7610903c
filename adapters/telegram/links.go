package telegram

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"zevaka/adapters/door"
	"zevaka/bot/chat"
)

// The uses of the keys that are derived from the token.
const (
	useVisits = "telegram visits"
	useTables = "telegram tables"
	useCalls  = "telegram calls"
)

// tableKey is the key that signs links to tables.
func (o Options) tableKey() [32]byte { return door.KeyOf(o.Token, useTables) }

// A button that leads to the private chat with the bot is a link. Its payload is the token of an offer. Telegram sends it as the text
// of /start in that chat.
const (
	// offerMark begins such a payload, and no other one of the bot's.
	offerMark = "p-"
	// maxStart is how long a payload may be.
	maxStart = 64
)

// startLink is the address that opens the private chat with the bot with a payload.
func (c *core) startLink(payload string) string {
	return "https://t.me/" + c.me.Load().Username + "?start=" + payload
}

// deepLink is the address of an offer's button; empty if the token doesn't fit into one.
func (c *core) deepLink(token string) string {
	payload := offerMark + base64.RawURLEncoding.EncodeToString([]byte(token))
	if c.me.Load() == nil || token == "" || len(payload) > maxStart {
		return ""
	}
	return c.startLink(payload)
}

// offerToken is the token in a payload; false if it has none. Anybody can write a payload, so it doesn't count as a press.
func offerToken(payload string) (string, bool) {
	if len(payload) <= len(offerMark) || len(payload) > maxStart || payload[:len(offerMark)] != offerMark {
		return "", false
	}
	token, err := base64.RawURLEncoding.DecodeString(payload[len(offerMark):])
	return string(token), err == nil
}

// linkTo is the address of a message in a supergroup; empty for other messages, which have none.
func linkTo(ref chat.Ref) string {
	group, message, ok := parseRef(ref)
	bare, super := strings.CutPrefix(strconv.FormatInt(group, 10), "-100")
	if !ok || !super {
		return ""
	}
	return fmt.Sprintf("https://t.me/c/%s/%d", bare, message)
}
