package telegram

import (
	"context"
	"strconv"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/bot"
)

const (
	// adminsFor is how long it is believed who the admins of a chat are.
	adminsFor = time.Minute
	// adminTime is how long a press waits to learn it.
	adminTime = time.Second
)

// admins are the admins of one chat, as of a time.
type admins struct {
	ids  map[int64]bool
	till time.Time
}

// isAdmin reports whether the user may manage the place. One call tells it of everybody in a chat, and for a while. If
// Telegram doesn't say, nobody is an admin whom it didn't name before.
func (a *Adapter) isAdmin(in bot.Place, who int64) bool {
	if in.Private || in.Channel > 0 {
		return false
	}
	c := a.chats.get(a, in.Channel)
	c.asking <- struct{}{}
	defer func() { <-c.asking }()
	if time.Now().Before(c.admins.till) {
		return c.admins.ids[who]
	}
	ctx, cancel := context.WithTimeout(a.work, adminTime)
	defer cancel()
	var members []chatMember
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(in.Channel, 10)}
	c.admins.till = time.Now().Add(adminsFor)
	if err := a.api.callFor(ctx, "getChatAdministrators", params, &members); err != nil {
		a.log.Debug("the admins of a chat are not known", "chat", in.Channel, "err", err)
		return c.admins.ids[who]
	}
	c.admins.ids = map[int64]bool{}
	for _, m := range members {
		c.admins.ids[m.User.ID] = true
	}
	return c.admins.ids[who]
}
