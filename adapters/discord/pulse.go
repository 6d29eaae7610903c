package discord

import "zevaka/bot/chat"

// Pulse is how the adapter is: its connections are the shards. Where other processes have them all it only calls.
func (a *Adapter) Pulse() chat.Pulse {
	p := chat.Pulse{
		Links: int(a.links.Load()), Up: int(a.up.Load()), Waiting: a.in.Waiting(),
		Unshown: a.sender.out.Waiting() + a.sender.boards.unshown(),
	}
	if a.spare.Load() {
		p.Links, p.Up = 1, 1
	}
	return p
}
