package telegram

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// memberFor is how long Telegram's answer whether somebody is in a chat counts.
	memberFor = time.Minute
	// unsureFor is how long Telegram isn't asked again after it didn't answer.
	unsureFor = 10 * time.Second
	// maxMembers is how many such answers are remembered.
	maxMembers = 8192
	// maxVain is how often in a minute somebody may have Telegram asked about groups that it doesn't say they are in.
	maxVain = 8
)

// errVain says that somebody has had Telegram asked in vain too often.
var errVain = errors.New("too many questions in vain")

// members are Telegram's answers about who is in which chat.
type members struct {
	*core
	known *outbox.Memory[seat, membership]
	vain  *outbox.Shares
}

func newMembers(c *core) members {
	return members{c, outbox.NewMemory[seat, membership](maxMembers), outbox.NewShares()}
}

// seat is a user in a chat.
type seat struct{ chat, user int64 }

// membership is whether somebody was in a chat at a time, or why Telegram didn't say so.
type membership struct {
	in  bool
	err error
	at  time.Time
}

// counts reports whether the answer still counts.
func (m membership) counts() bool {
	if m.err != nil {
		return time.Since(m.at) < unsureFor
	}
	return time.Since(m.at) < memberFor
}

// of is the function that reports whether the user is in a group. Telegram's answer counts for a minute; where it doesn't answer the
// function returns the error. For whoever has it asked in vain too often it isn't asked.
func (m members) of(user int64) func(context.Context, chat.Community) (bool, error) {
	return func(ctx context.Context, c chat.Community) (bool, error) {
		if c.Platform != chat.Telegram || c.ID >= 0 {
			return false, nil // This is for groups; in a private chat nobody asks.
		}
		s := seat{c.ID, user}
		if known, ok := m.known.Get(s); ok && known.counts() {
			return known.in, known.err
		}
		share := outbox.Quota{Of: strconv.FormatInt(user, 10), Most: maxVain}
		if !m.vain.Take(time.Now(), share) {
			return false, fmt.Errorf("ask whether user %d is in chat %d: %w", user, c.ID, errVain)
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), adminTime)
		defer cancel()
		var now chatMember
		params := tgbotapi.Params{"chat_id": strconv.FormatInt(c.ID, 10), "user_id": strconv.FormatInt(user, 10)}
		err := m.api.callFor(ctx, "getChatMember", params, &now)
		if err == nil && now.User.ID != user {
			err = errUnread
		}
		if err != nil {
			err = fmt.Errorf("ask whether user %d is in chat %d: %w", user, c.ID, err)
			m.known.Set(s, membership{err: err, at: time.Now()})
			return false, err
		}
		in := now.in()
		if in {
			m.vain.Give(time.Now(), share)
		}
		m.known.Set(s, membership{in: in, at: time.Now()})
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
