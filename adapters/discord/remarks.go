package discord

import (
	"time"

	"zevaka/bot/chat"
)

// remark is what only one person sees, and only until there is a newer one: a line, as a refusal, or what happened where nothing
// shows it; or something personal with buttons, as a question or a panel. The zero remark is none.
type remark struct {
	app, token string
	until      time.Time
	// of is the number of the interaction: a later one has a higher number.
	of int64
}

// hearer is somebody in a place, for lines, or for what is personal.
type hearer struct {
	user     int64
	place    chat.Place
	personal bool
}

// maxRemarks is of how many people and kinds it is remembered what was last said to them alone.
const maxRemarks = 4096

// replaceRemark takes away the remark of the same kind before once ans has said a new one: whoever presses what can't be pressed
// reads one line, and not a heap of them. Of two that are said at once the one of the later press stays. What is older than its
// interaction's token stays, too.
func (s *sender) replaceRemark(ans *answer, personal bool) {
	key := hearer{ans.who, ans.place, personal}
	key.place.Lang = ""
	now := remark{of: number(ans.id)}
	if ans.isOwn() {
		now.app, now.token, now.until = ans.app, ans.token, ans.born.Add(tokenLife)
	}
	old, known := s.remarks.Swap(key, now, func(before remark) bool { return before.of > now.of })
	if !known || time.Now().After(old.until) {
		return
	}
	if err := s.rest.deleteOriginal(ans.life, old.app, old.token); err != nil {
		s.log.Debug("an older line stays", "request", chat.RequestOf(ans.life), "error", err)
	}
}

// isOwn reports whether the interaction's original message is one that answered it.
func (ans *answer) isOwn() bool {
	ans.mu.Lock()
	defer ans.mu.Unlock()
	return ans.own
}
