package telegram

import (
	"slices"
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// sameFor is how long an answer that is the same for all isn't said again: whoever asks finds it just above.
	sameFor = 10 * time.Second
	// promptAnswers is how many answers in a minute somebody gets as soon as a turn would come.
	promptAnswers = 3
	// maxSpoken is how many messages are remembered that are one person's to press.
	maxSpoken = 2000
)

// way is how an answer reaches the one who asked.
type way uint8

const (
	// nowhere: they can't be written to.
	nowhere way = iota
	// unseen by others it stands in the group.
	unseen
	// aloud it is said in the group.
	aloud
	// above it stands in the group already, or is about to.
	above
	// privately it is sent, to their chat with the bot.
	privately
)

// saying is an answer that has gone out to a group, the same for whoever asks.
type saying struct {
	thread int64
	what   [digestBytes]byte
	at     time.Time
}

// say answers in the group, below what was typed. What is the same for all, and waits already or has just been said, is not
// said twice.
func (c *conversation) say(from incoming, p chat.Post) way {
	what := saying{thread: p.In.Thread, what: c.s.draw(p).digest}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case p.Open == chat.Common && c.saidLately(what):
		return above
	case p.Open == chat.Personal && from.message == 0:
		p.Mention = []chat.User{*p.To} // There is nothing to reply to.
	}
	prompt := c.prompt(from.Who.ID)
	for _, n := range c.notesOf(p, nil) {
		n.replyTo, n.prompt = from.message, prompt
		if p.To != nil {
			n.loud = false
		}
		switch p.Open {
		case chat.Common:
			n.saying = &what
		case chat.Personal:
			n.to = p.To
		}
		c.add(n)
	}
	c.loop.Kick()
	return aloud
}

// prompt reports whether an answer to somebody comes as soon as a turn would: their first few in a minute do. Who asks for more
// doesn't keep the tables waiting. The caller holds mu.
func (c *conversation) prompt(user int64) bool {
	now := time.Now()
	for who, all := range c.asked {
		if c.asked[who] = slices.DeleteFunc(all, func(at time.Time) bool { return now.Sub(at) >= time.Minute }); len(c.asked[who]) == 0 {
			delete(c.asked, who)
		}
	}
	if len(c.asked[user]) >= promptAnswers {
		return false
	}
	if c.asked == nil {
		c.asked = map[int64][]time.Time{}
	}
	c.asked[user] = append(c.asked[user], now)
	return true
}

// saidLately reports whether an answer has just gone out, or waits to. The caller holds mu.
func (c *conversation) saidLately(what saying) bool {
	now := time.Now()
	c.said = slices.DeleteFunc(c.said, func(old saying) bool { return now.Sub(old.at) > sameFor })
	same := func(old saying) bool { return old.thread == what.thread && old.what == what.what }
	return slices.ContainsFunc(c.said, same) || slices.ContainsFunc(c.notes, func(n *note) bool { return n.saying != nil && same(*n.saying) })
}

// saying notes that an answer goes out, or that it doesn't after all. The caller holds mu.
func (c *conversation) saying(n *note, out bool) {
	if n.saying == nil {
		return
	}
	c.said = slices.DeleteFunc(c.said, func(old saying) bool { return old.thread == n.saying.thread && old.what == n.saying.what })
	if out {
		n.saying.at = time.Now()
		c.said = append(c.said, *n.saying)
	}
}

// spoken are the messages in groups that all see, and only one person may press.
type spoken struct {
	to *outbox.Memory[chat.Ref, chat.User]
}

func (m *spoken) init() { m.to = outbox.NewMemory[chat.Ref, chat.User](maxSpoken) }

// notFor is whose the message is that somebody presses, if it is somebody else's.
func (m *spoken) notFor(who chat.User, on chat.Ref) (chat.User, bool) {
	to, ok := m.to.Get(on)
	return to, ok && to.ID != who.ID
}

// isFor reports whether a message in a group is that person's to press.
func (m *spoken) isFor(who chat.User, on chat.Ref) bool {
	to, ok := m.to.Get(on)
	return ok && to.ID == who.ID
}
