package discord

import (
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

// number is a snowflake as a number; 0 for what is none.
func number(snowflake string) int64 {
	n, err := strconv.ParseInt(snowflake, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// newRef names a message.
func newRef(channel, message string) chat.Ref { return chat.Ref(channel + "/" + message) }

// splitRef is the channel and the message of a Ref; empty for what is none of Discord's.
func splitRef(r chat.Ref) (channel, message string) {
	channel, message, _ = strings.Cut(string(r), "/")
	if number(channel) == 0 || number(message) == 0 {
		return "", ""
	}
	return channel, message
}

// madeAt is when Discord made a snowflake.
func madeAt(snowflake string) time.Time {
	at, err := discordgo.SnowflakeTimestamp(snowflake)
	if err != nil {
		return time.Time{}
	}
	return at
}
