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

// counts reports whether the answer still counts, where none counts for so long.
func (m membership) counts(unsure time.Duration) bool {
	if m.err != nil {
		return time.Since(m.at) < unsure
	}
	return time.Since(m.at) < memberFor
}

// of is the function that reports whether the user is in a group. Telegram's answer counts for a minute; where it doesn't answer the
// function returns the error, and a failure that comes late takes nothing back that was said since. For whoever has it asked in vain too
// often it isn't asked, and they are in no group of which it hasn't said anything for a minute: nobody is let in as one of whom Telegram is
// silent by using up their questions.
func (m members) of(user int64) func(context.Context, chat.Community) (bool, error) {
	return func(_ context.Context, c chat.Community) (bool, error) {
		if c.Platform != chat.Telegram || c.ID >= 0 {
			return false, nil // This is for groups; in a private chat nobody asks.
		}
		s := seat{c.ID, user}
		known, ok := m.known.Get(s)
		if ok && known.counts(unsureFor) {
			return known.in, known.err
		}
		share := outbox.Quota{Of: strconv.FormatInt(user, 10), Most: maxVain}
		if !m.vain.Take(time.Now(), share) {
			if ok && known.counts(memberFor) {
				return false, known.err
			}
			return false, nil
		}
		told, asked := make(chan membership, 1), time.Now()
		m.spawn(func() {
			now := m.ask(s)
			if since, newer := m.known.Get(s); now.err == nil || !newer || !since.at.After(asked) {
				m.known.Set(s, now)
			}
			if now.in {
				m.vain.Give(time.Now(), share)
			}
			told <- now
		})
		timer := time.NewTimer(adminTime)
		defer timer.Stop()
		select {
		case now := <-told:
			return now.in, now.err
		case <-timer.C: // What is said later counts for who asks again.
			slow := membership{err: fmt.Errorf("ask whether user %d is in chat %d: %w", user, c.ID, errSlow), at: time.Now()}
			if now, told := m.known.Get(s); !told || now == known {
				m.known.Set(s, slow)
			}
			return false, slow.err
		}
	}
}

// follow is of, and asks of the group where it goes on if it has another number now.
func (m members) follow(user int64) func(context.Context, chat.Community) (bool, error) {
	of := m.of(user)
	return func(ctx context.Context, c chat.Community) (bool, error) {
		in, err := of(ctx, c)
		if to := refusedAs(err).migrate; to != 0 {
			return of(ctx, community(to))
		}
		return in, err
	}
}

// errSlow is an answer that takes longer than a press waits for it.
var errSlow = errors.New("it takes long")

// ask asks Telegram whether somebody is in a group.
func (m members) ask(s seat) membership {
	var now chatMember
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(s.chat, 10), "user_id": strconv.FormatInt(s.user, 10)}
	err := m.api.call(m.Life, "getChatMember", params, &now)
	if err == nil && now.User.ID != s.user {
		err = errUnread
	}
	if err != nil {
		err = fmt.Errorf("ask whether user %d is in chat %d: %w", s.user, s.chat, err)
	}
	return membership{in: err == nil && now.in(), err: err, at: time.Now()}
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
