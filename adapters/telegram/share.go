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
	// privateStart stands before a link's payload in the command that Telegram sends for whoever follows the link.
	privateStart = "/start "
	// keptMark begins the payload of a link to a post that waits, and no other one. Where there are several processes keptAt
	// stands between it and the community whose process keeps the post.
	keptMark, keptAt = "r-", "_"
)

// newSecret is a secret for Telegram's calls: a random one, or one derived from the token where other processes must know it, too.
func (c *core) newSecret() string {
	if c.alone {
		return rand.Text()
	}
	key := door.KeyOf(c.opts.Token, useCalls)
	return hex.EncodeToString(key[:])
}

// home is the community that the update is about. The process that serves it handles the update. It follows from the update alone.
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

// keptPayload is a new payload for a post that waits. Where there are several processes it says which one keeps the post.
func (c *core) keptPayload(p chat.Post) string {
	payload := keptMark + rand.Text()
	if !c.alone {
		payload += keptAt + strconv.FormatInt(p.In.Community.ID, 36)
	}
	return payload
}

// keeperOf is the community whose process keeps the post of a payload; false if the payload doesn't say so.
func keeperOf(payload string) (chat.Community, bool) {
	_, at, ok := strings.Cut(payload, keptAt)
	if !ok || !strings.HasPrefix(payload, keptMark) || len(payload) > maxStart {
		return chat.Community{}, false
	}
	id, err := strconv.ParseInt(at, 36, 64)
	return community(id), err == nil
}
