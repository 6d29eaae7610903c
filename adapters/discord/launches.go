package discord

import (
	"time"

	"zevaka/adapters/outbox"
	"zevaka/bot/chat"
)

const (
	// launchFor is how long it is remembered which table somebody wanted to see.
	launchFor = 10 * time.Minute
	// maxLaunches is of how many people and channels it is remembered.
	maxLaunches = 8192
)

// launch is somebody's wish to see a table in Discord's window, as they had it in a chat.
type launch struct {
	who chat.User
	in  chat.Place
	// table is the text form of the table's ID; empty for any.
	table string
	at    time.Time
}

// launches are those of late.
type launches struct {
	known *outbox.Memory[visitor, launch]
}

// visitor is somebody in a channel; nobody is the last one there.
type visitor struct{ user, channel int64 }

func newLaunches() *launches {
	return &launches{outbox.NewMemory[visitor, launch](maxLaunches)}
}

func (l *launches) note(one launch) {
	one.at = time.Now()
	l.known.Set(visitor{one.who.ID, one.in.Channel}, one)
	l.known.Set(visitor{0, one.in.Channel}, one)
}

// of is the newest wish of somebody in a channel; false if there was none lately. Then what it says of the place is what others
// have seen there.
func (l *launches) of(user, channel int64) (launch, bool) {
	one, ok := l.known.Get(visitor{user, channel})
	if ok && time.Since(one.at) < launchFor {
		return one, true
	}
	other, _ := l.known.Get(visitor{0, channel})
	return launch{in: other.in}, false
}
