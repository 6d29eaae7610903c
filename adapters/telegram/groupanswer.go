package telegram

import (
	"cmp"
	"slices"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// sameFor is how long a common answer isn't repeated: whoever asks finds it just above.
	sameFor = 10 * time.Second
	// aloneRef stands for a message that only one person sees.
	aloneRef chat.Ref = "alone"
	// maxPersonal is how many personal messages are remembered.
	maxPersonal = 2000
)

// route is how an answer reaches the one who asked.
type route uint8

const (
	// noRoute: they can't be written to.
	noRoute route = iota
	// ephemeralRoute: a message in the group that only they see.
	ephemeralRoute
	// groupRoute: a message in the group that everybody sees.
	groupRoute
	// repeatRoute: the same answer stands in the group already, or is about to.
	repeatRoute
	// privateRoute: a message in their private chat with the bot.
	privateRoute
)

// commonAnswer is an answer in a group that is the same for whoever asks.
type commonAnswer struct {
	thread int64
	what   [digestBytes]byte
	at     time.Time
}

// say answers in the group, below what was typed. A common answer isn't repeated while it waits or has just been sent. NoRoute says that
// whoever has asked has had their share.
func (c *conversation) say(from incoming, p chat.Post) route {
	what := commonAnswer{thread: p.In.Thread, what: c.s.draw(p).digest}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case p.Open == chat.Common && c.answeredLately(what):
		return repeatRoute
	case !c.admits(from):
		return noRoute
	case p.Open == chat.Personal && from.message == 0:
		p.Mention = []chat.User{*p.To} // There is nothing to reply to.
	}
	for _, n := range c.notesOf(p, from.Who.ID) {
		n.replyTo = cmp.Or(from.message, n.replyTo)
		if p.To != nil {
			n.loud = false
		}
		if p.File != nil && p.To != nil {
			n.elsewhere = func() { c.s.bring(from, p) }
		}
		switch p.Open {
		case chat.Common:
			n.common = &what
		case chat.Personal:
			n.to = p.To
		}
		c.add(n)
	}
	c.loop.Kick()
	return groupRoute
}

// admission is whether the answer to a request may be written to the group where it was made. All that it says is one answer.
type admission struct{ asked, granted bool }

// admits reports whether the answer to a request may be written to this group. A press can be answered in another way, so its answer
// doesn't wait. The caller holds mu.
func (c *conversation) admits(from incoming) bool {
	a := from.admission
	if a == nil {
		a = &admission{}
	}
	if !a.asked {
		a.asked, a.granted = true, c.room(from.Who.ID, from.query != "")
	}
	return a.granted
}

// answeredLately reports whether a common answer has just been sent, or waits to be. The caller holds mu.
func (c *conversation) answeredLately(what commonAnswer) bool {
	now := time.Now()
	c.recentAnswers = slices.DeleteFunc(c.recentAnswers, func(old commonAnswer) bool { return now.Sub(old.at) > sameFor })
	same := func(old commonAnswer) bool { return old.thread == what.thread && old.what == what.what }
	return slices.ContainsFunc(c.recentAnswers, same) || slices.ContainsFunc(c.notes, func(n *note) bool { return n.common != nil && same(*n.common) })
}

// noteCommon notes that a note's common answer is being sent, or, with out false, that it couldn't be. The caller holds mu.
func (c *conversation) noteCommon(n *note, out bool) {
	if n.common == nil {
		return
	}
	c.recentAnswers = slices.DeleteFunc(c.recentAnswers, func(old commonAnswer) bool { return old.thread == n.common.thread && old.what == n.common.what })
	if out {
		n.common.at = time.Now()
		c.recentAnswers = append(c.recentAnswers, *n.common)
	}
}

// personalMessages are the messages in groups that everybody sees and only one person may press.
type personalMessages struct {
	to *outbox.Memory[chat.Ref, chat.User]
}

func (m *personalMessages) init() { m.to = outbox.NewMemory[chat.Ref, chat.User](maxPersonal) }

// notFor is the one who may press a message, and true, if that is somebody else than who.
func (m *personalMessages) notFor(who chat.User, on chat.Ref) (chat.User, bool) {
	to, ok := m.to.Get(on)
	return to, ok && to.ID != who.ID
}

// isFor reports whether a message in a group is who's to press.
func (m *personalMessages) isFor(who chat.User, on chat.Ref) bool {
	to, ok := m.to.Get(on)
	return ok && to.ID == who.ID
}
