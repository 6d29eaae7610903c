package discord

import "zevaka/bot/chat"

// Pulse is how the adapter is: its connections are the shards.
func (a *Adapter) Pulse() chat.Pulse {
	return chat.Pulse{
		Links: int(a.links.Load()), Up: int(a.up.Load()), Waiting: a.in.Waiting(),
		Unshown: a.sender.out.Waiting() + a.sender.boards.unshown(),
	}
}
