package telegram

import "zevaka/bot/chat"

// Pulse is the state of the adapter. It has one connection. That is up while the last poll went well, or while Telegram knows the
// webhook.
func (a *Adapter) Pulse() chat.Pulse {
	p := chat.Pulse{Links: 1, Waiting: a.lanes.Waiting() + a.arriving.Waiting()}
	if a.up.Load() {
		p.Up = 1
	}
	for _, c := range a.out.chats.all() {
		p.Unshown += c.unshown()
	}
	return p
}

// unshown is how many messages wait to be sent to the chat.
func (c *conversation) unshown() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.notes)
	for _, b := range c.boards {
		if b.Unshown() {
			n++
		}
	}
	return n
}
