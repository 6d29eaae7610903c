package telegram

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"zevaka/bot/chat"
)

// direct sends a post to its reader's private chat, with a link to the message that it is about. If the reader has never opened that
// chat the bot can't write there, and is told so.
func (s *sender) direct(p chat.Post) {
	ctx, cancel := context.WithTimeout(s.during(p.Request), answerTime)
	defer cancel()
	sent := p
	sent.Receipt = "" // It is used below, where the reader can't be reached.
	if link := linkTo(p.About); link != "" {
		sent.Text = append(sent.Text, chat.Span{Text: "\n" + link})
	}
	if s.sendPrivate(ctx, sent, true) {
		return
	}
	r := chat.Request{ID: s.nextID(), In: p.In, Kind: chat.Unreached, Data: p.Receipt}
	s.showFor(p.In.Community, s.bot.Handle(context.WithoutCancel(ctx), r))
}

// linkTo is the address of a message in a supergroup; empty for other messages, which have none.
func linkTo(ref chat.Ref) string {
	group, message, ok := parseRef(ref)
	bare, super := strings.CutPrefix(strconv.FormatInt(group, 10), "-100")
	if !ok || !super {
		return ""
	}
	return fmt.Sprintf("https://t.me/c/%s/%d", bare, message)
}
