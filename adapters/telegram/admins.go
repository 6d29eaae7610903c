package telegram

import (
	"context"
	"strconv"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/bot/chat"
)

const (
	// adminsFor is how long the admins of a chat are taken for granted. Until adminsAtMost they still count while Telegram is asked
	// again.
	adminsFor, adminsAtMost = time.Minute, 10 * time.Minute
)

// admins are the admins of one chat, as of a time.
type admins struct {
	ids map[int64]bool
	at  time.Time
	// askedAt is when Telegram was asked last, whatever it said.
	askedAt time.Time
}

// isAdmin reports whether the user is an admin of the place. One call to Telegram says so of everybody in a chat, and counts for a
// while. Only the first press in a chat waits for it, and after adminsFor a press of somebody who was an admin and perhaps is none
// any more. Where Telegram doesn't answer nobody becomes an admin.
func (s *sender) isAdmin(in chat.Place, who int64) bool {
	if in.Private || in.Channel > 0 {
		return false
	}
	c := s.chats.get(s, in.Channel)
	c.asksAdmins <- struct{}{}
	defer func() { <-c.asksAdmins }()
	now := time.Now()
	switch {
	case now.Sub(c.admins.askedAt) < adminsFor:
	case now.Sub(c.admins.at) < adminsAtMost && c.admins.ids[who] && who != s.me.Load().ID:
		c.admins.askedAt = now
		c.admins.take(s.adminsOf(in.Channel))
	case now.Sub(c.admins.at) < adminsAtMost:
		c.admins.askedAt = now
		s.spawn(func() {
			ids, ok := s.adminsOf(in.Channel)
			c.asksAdmins <- struct{}{}
			defer func() { <-c.asksAdmins }()
			c.admins.take(ids, ok)
		})
	default:
		c.admins.askedAt, c.admins.ids = now, nil
		c.admins.take(s.adminsOf(in.Channel))
	}
	return c.admins.ids[who]
}

func (m *admins) take(ids map[int64]bool, ok bool) {
	if ok {
		m.ids, m.at = ids, time.Now()
	}
}

// adminsOf asks who the admins of a chat are; false if Telegram doesn't say.
func (s *sender) adminsOf(chat int64) (map[int64]bool, bool) {
	ctx, cancel := context.WithTimeout(s.Life, adminTime)
	defer cancel()
	var members []chatMember
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(chat, 10)}
	if err := s.api.callFor(ctx, "getChatAdministrators", params, &members); err != nil {
		s.log.Debug("the admins of a chat are not known", "chat", community(chat), "error", err)
		return nil, false
	}
	ids := map[int64]bool{}
	for _, m := range members {
		ids[m.User.ID] = true
	}
	return ids, true
}
