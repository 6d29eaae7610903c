package telegram

import (
	"context"
	"strconv"

	"zevaka/bot/chat"
)

// moved tells the bot that a chat has another ID now, and shows its tables there.
func (s *sender) moved(from, to int64) {
	if from == to || from == 0 || to == 0 {
		return
	}
	s.chats.get(s, from).clear()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.Life), handleTime)
	defer cancel()
	id := "tg-moved/" + strconv.FormatInt(from, 10) + "/" + strconv.FormatInt(to, 10)
	r := chat.Request{ID: id, In: placeOf(from), Kind: chat.Migrated, Data: community(to).String()}
	s.show(s.bot.Handle(ctx, r), 0)
}

// removed tells the bot that it isn't in a chat any more, nor in its topics.
func (s *sender) removed(c *conversation) {
	c.reach(false)
	c.clear()
	s.reportGone(chat.Place{Community: community(c.id)})
}

// reportGone tells the bot that a place is gone.
func (s *sender) reportGone(in chat.Place) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.Life), handleTime)
	defer cancel()
	s.bot.Handle(ctx, chat.Request{ID: s.nextID(), In: in, Kind: chat.Gone})
}
