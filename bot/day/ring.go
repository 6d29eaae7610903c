package day

import (
	"context"
	"time"

	"zevaka/bot/chat"
	"zevaka/storage"
)

const (
	// postsAtOnce is how many posts are made at a time, before turns go on, and postsEvery how far apart that is: no platform takes
	// many more.
	postsAtOnce, postsEvery = 4, 100 * time.Millisecond
	// lookEvery is how often it is looked whether an hour has come, and what was counted is summed up.
	lookEvery = 20 * time.Second
	// ringTime is how long that may take.
	ringTime = 4 * time.Second
)

// Ring makes some of the posts whose hour has come, and gives them to show, and sums up what was counted since. It returns how long
// there is nothing more to do. Only one at a time may call it.
func (b *Today) Ring(ctx context.Context, show func(context.Context, chat.Response)) time.Duration {
	running := b.running()
	if running < b.next {
		return b.next - running
	}
	// What was begun is finished, even if the program stops meanwhile.
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), ringTime)
	defer cancel()
	wait := lookEvery
	if b.postSome(work, show) {
		wait = postsEvery
	}
	switch more, err := b.days.Sum(work, b.store); {
	case err != nil:
		b.log.Warn("the patiences of a day are not summed up yet", "error", err)
	case more:
		wait = postsEvery
	}
	b.next = running + wait
	return wait
}

// postSome makes some of the posts whose hour has come, and reports whether there are more.
func (b *Today) postSome(ctx context.Context, show func(context.Context, chat.Response)) (more bool) {
	at := b.now().UTC()
	now, hour := Number(at), at.Hour()
	keys, more := b.hours.due(now, hour, postsAtOnce)
	for i, key := range keys {
		p, ok, err := b.post(ctx, key, now, hour)
		switch {
		case storage.IsDamaged(err):
			b.log.Error("it can't be read when a chat wants the patience of the day", "key", key, "error", err)
			b.hours.unset(key)
		case err != nil:
			b.log.Warn("chats are not told of the patience of the day yet", "error", err)
			b.hours.later(keys[i:]...)
			return false
		case ok:
			show(ctx, chat.Response{Posts: []chat.Post{p}})
		}
	}
	return more
}
