package telegram

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"strings"

	"zevaka/adapters/door"
	"zevaka/bot/chat"
	"zevaka/bot/table"
)

const (
	// privateStart is what somebody says in their chat with the bot who came by a link, before its payload.
	privateStart = "/start "
	// keptMark begins what a link to a post that waits says, which no other one of the bot's has a sign like; where there are several
	// processes keptAt stands before whose post it is.
	keptMark, keptAt = "r-", "_"
)

// newSecret is what Telegram has to say with each call: what nobody knows, or, where others are called, too, what they know.
func (c *core) newSecret() string {
	if c.alone {
		return rand.Text()
	}
	key := door.KeyOf(c.opts.Token, useCalls)
	return hex.EncodeToString(key[:])
}

// home is the community that the update is about: it is handled where that is served. It follows from the update alone.
func (u *update) home() chat.Community {
	switch q, m := u.CallbackQuery, u.Message; {
	case q != nil && q.Message != nil && q.Message.Chat.ID != 0:
		return table.Home(chat.Request{Kind: chat.Press, In: q.Message.place(), Data: q.Data})
	case m != nil && m.Chat.Type == privateChat:
		payload, started := strings.CutPrefix(m.Text, privateStart)
		if c, ok := keeperOf(payload); ok && started {
			return c
		}
		if token, ok := offerToken(payload); ok && started {
			return table.Home(chat.Request{Kind: chat.Followed, In: m.place(), Data: token})
		}
	}
	return community(u.chat())
}

// keptPayload names a post that waits, and, where there are several processes, for which of them to ask.
func (c *core) keptPayload(p chat.Post) string {
	payload := keptMark + rand.Text()
	if !c.alone {
		payload += keptAt + strconv.FormatInt(p.In.Community.ID, 36)
	}
	return payload
}

// keeperOf is the community whose process keeps the post with the payload; false if it doesn't say so.
func keeperOf(payload string) (chat.Community, bool) {
	_, at, ok := strings.Cut(payload, keptAt)
	if !ok || !strings.HasPrefix(payload, keptMark) || len(payload) > maxStart {
		return chat.Community{}, false
	}
	id, err := strconv.ParseInt(at, 36, 64)
	return community(id), err == nil
}
