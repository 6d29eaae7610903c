package discord

import (
	"strings"

	"zevaka/bot"
)

// Pulse is how the adapter is: its connections are the shards.
func (a *Adapter) Pulse() bot.Pulse {
	p := bot.Pulse{Links: int(a.links.Load()), Up: int(a.up.Load())}
	p.Waiting, p.Unshown = a.lanes.count()
	a.boards.mu.Lock()
	defer a.boards.mu.Unlock()
	for _, b := range a.boards.tables.all() {
		if b.next != nil {
			p.Unshown++
		}
	}
	return p
}

// outLane begins the keys of lanes in which something waits to be shown.
const outLane = "out "

// count is how much waits to be done, and how much to be shown.
func (l *lanes) count() (in, out int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, queue := range l.waiting {
		if strings.HasPrefix(key, outLane) {
			out += len(queue)
		} else {
			in += len(queue)
		}
	}
	return in, out
}
