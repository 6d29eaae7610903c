package telegram

import (
	"context"
	"errors"
	"strconv"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"zevaka/bot/chat"
)

// errPrivate is the refusal to leave a chat with one person.
var errPrivate = errors.New("a private chat can't be left: block the person")

// Quit has the bot leave a group. Whoever calls it tells the bot that the group is gone.
func (a *Adapter) Quit(ctx context.Context, c chat.Community) error {
	if c.ID >= 0 {
		return errPrivate
	}
	return a.api.call(ctx, "leaveChat", tgbotapi.Params{"chat_id": strconv.FormatInt(c.ID, 10)}, nil)
}
