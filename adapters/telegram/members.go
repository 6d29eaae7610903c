package telegram

import (
	"context"
	"fmt"
	"strconv"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// memberFor is how long it is believed whether somebody is in a chat.
	memberFor = time.Minute
	// maxMembers is how many such answers are remembered.
	maxMembers = 8192
)

// members are the answers to who is in which chat.
type members struct {
	*core
	known *outbox.Memory[seat, membership]
}

func newMembers(c *core) members { return members{c, outbox.NewMemory[seat, membership](maxMembers)} }

// seat is a user in a chat.
type seat struct{ chat, user int64 }

// membership is whether somebody was in a chat at a time.
type membership struct {
	in bool
	at time.Time
}

// of tells whether the user is in a group now, as Telegram says. What it said counts for a minute; where it says
// nothing nobody is believed.
func (m members) of(user int64) func(context.Context, chat.Community) (bool, error) {
	return func(ctx context.Context, c chat.Community) (bool, error) {
		if c.Platform != chat.Telegram || c.ID >= 0 {
			return false, nil // Nobody else is in somebody's private chat.
		}
		s := seat{c.ID, user}
		if known, ok := m.known.Get(s); ok && time.Since(known.at) < memberFor {
			return known.in, nil
		}
		ctx, cancel := context.WithTimeout(ctx, adminTime)
		defer cancel()
		var now chatMember
		params := tgbotapi.Params{"chat_id": strconv.FormatInt(c.ID, 10), "user_id": strconv.FormatInt(user, 10)}
		if err := m.api.callFor(ctx, "getChatMember", params, &now); err != nil {
			return false, fmt.Errorf("ask whether user %d is in chat %d: %w", user, c.ID, err)
		}
		in := now.in()
		m.known.Set(s, membership{in, time.Now()})
		return in, nil
	}
}

// in reports whether the member is in the chat.
func (m *chatMember) in() bool {
	switch m.Status {
	case "creator", "administrator", "member":
		return true
	case "restricted":
		return m.IsMember != nil && *m.IsMember
	}
	return false
}
