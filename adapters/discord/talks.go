package discord

import (
	"slices"
	"sync"

	"zevaka/bot/chat"
)

// talks are the texts that wait to be said in channels. What one person has said there meanwhile goes in one message: so whoever has much
// said says it in few messages, and none of it is given up.
type talks struct {
	mu      sync.Mutex
	waiting map[talk]*chat.Post
}

// talk is who says something in a lane.
type talk struct {
	lane chat.Ref
	by   int64
}

// maxTalk is how long such a message becomes. It may have as much markup besides.
const maxTalk = maxContent / 2

// join has a text go along with the one of the same person that waits, and reports whether it does. Otherwise others may join it until it
// is taken.
func (t *talks) join(who talk, p *chat.Post) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == nil {
		t.waiting = map[talk]*chat.Post{}
	}
	if w := t.waiting[who]; w != nil && lengthOf(w)+1+lengthOf(p) <= maxTalk {
		w.Text, w.Open = slices.Concat(w.Text, []chat.Span{{Text: "\n"}}, p.Text), max(w.Open, p.Open)
		return true
	}
	t.waiting[who] = p
	return false
}

// take is a text with those that have joined it. No others can any more.
func (t *talks) take(who talk, p *chat.Post) chat.Post {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting[who] == p {
		delete(t.waiting, who)
	}
	return *p
}

// isMere reports whether a post is a text for everybody, and nothing else.
func isMere(p chat.Post) bool {
	return p.Draw == nil && p.Picture == nil && p.File == nil && p.Receipt == "" && !p.Quiet && len(p.Mention)+len(p.Choices)+len(p.Buttons) == 0
}

// lengthOf is how long a post's text is.
func lengthOf(p *chat.Post) (n int) {
	for _, s := range p.Text {
		n += chat.Units(s.Text)
	}
	return n
}
