package telegram

import (
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
	case now.Sub(c.admins.at) >= adminsAtMost:
		c.admins.ids = nil
		c.askAdmins(adminTime)
	case c.admins.ids[who] && who != s.me.Load().ID:
		c.askAdmins(adminTime)
	default:
		c.askAdmins(0)
	}
	return c.admins.ids[who]
}

// askAdmins asks who the admins are now, and waits so long: an answer that takes longer counts from then on. The caller holds asksAdmins.
func (c *conversation) askAdmins(wait time.Duration) {
	c.admins.askedAt = time.Now()
	type answer struct {
		ids map[int64]bool
		ok  bool
	}
	told, late := make(chan answer), make(chan struct{})
	c.s.spawn(func() {
		ids, ok := c.s.adminsOf(c.id)
		select {
		case told <- answer{ids, ok}:
		case <-late:
			c.asksAdmins <- struct{}{}
			c.admins.take(ids, ok)
			<-c.asksAdmins
		}
	})
	if wait <= 0 {
		close(late)
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case now := <-told:
		c.admins.take(now.ids, now.ok)
	case <-timer.C:
		close(late)
	}
}

func (m *admins) take(ids map[int64]bool, ok bool) {
	if ok {
		m.ids, m.at = ids, time.Now()
	}
}

// adminsOf asks who the admins of a chat are; false if Telegram doesn't say.
func (s *sender) adminsOf(chat int64) (map[int64]bool, bool) {
	var members []chatMember
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(chat, 10)}
	if err := s.api.call(s.Life, "getChatAdministrators", params, &members); err != nil {
		s.log.Debug("the admins of a chat are not known", "chat", community(chat), "error", err)
		return nil, false
	}
	ids := map[int64]bool{}
	for _, m := range members {
		ids[m.User.ID] = true
	}
	return ids, true
}
