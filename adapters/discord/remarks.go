package discord

import (
	"time"

	"zevaka/bot/chat"
)

// remark is a line that only one person sees: a refusal, or what happened where nothing shows it. The zero remark is none.
type remark struct {
	app, token string
	until      time.Time
}

// hearer is somebody in a place.
type hearer struct {
	user  int64
	place chat.Place
}

// maxRemarks is of how many people it is remembered what was last said to them alone.
const maxRemarks = 4096

// replaceRemark takes away the line before once ans has said a new one: whoever presses what can't be pressed reads one line,
// and not a heap of them. What is older than its interaction's token stays.
func (s *sender) replaceRemark(ans *answer) {
	key := hearer{ans.who, ans.place}
	key.place.Lang = ""
	var now remark
	if ans.isOwn() {
		now = remark{app: ans.app, token: ans.token, until: ans.born.Add(tokenLife)}
	}
	old, known := s.remarks.Swap(key, now)
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
