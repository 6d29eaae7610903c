package discord

import (
	"errors"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/adapters/outbox"
)

const (
	// firstBar is how long nothing of a kind is tried in a channel where the bot had no right to it more than fewBars times in a row. It
	// doubles up to longBar.
	fewBars           = 2
	firstBar, longBar = 30 * time.Second, 5 * time.Minute
	// textKind and fileKind stand in keys, by whether a file comes along.
	textKind, fileKind = "/text/", "/file/"
	// maxBars is of how many such refusals it is remembered that there was one.
	maxBars = 16384
	// maxRefused is how many calls may be refused in a channel within longBar, of whatever kind, before none is made there till its end: who
	// manages the channel may have it change again and again, and each time all is tried again.
	maxRefused = 20
)

// bars are what the bot may not do in channels, as Discord has said. Of more than 10,000 calls that it refuses in ten minutes Discord takes
// none at all any more from the same address, wherever they were for, and anybody can have a channel where the bot may not write, be it
// their own private chat, where they have blocked the bot.
type bars struct {
	known *outbox.Memory[string, bar]
	// lacking are the rights that the bot lacks in channels, by what Discord has said with what somebody did there. So nothing has to be
	// refused to be known, in however many channels people ask for something.
	lacking *outbox.Memory[string, lack]
	// tolls are how many calls were refused in channels lately.
	tolls *outbox.Memory[string, toll]
}

// toll is how many calls were refused from a time on, and why the last one was.
type toll struct {
	n     int
	since time.Time
	err   error
}

// bar is a refusal, of so many in a row: until when it counts, and for how long it was to.
type bar struct {
	err   error
	times int
	until time.Time
	pause time.Duration
}

// lack is why the bot may neither see nor change anything in a channel, or else why it may not write there, and until when that counts.
type lack struct {
	sight, writing error
	until          time.Time
}

func newBars() bars {
	return bars{outbox.NewMemory[string, bar](maxBars), outbox.NewMemory[string, lack](maxBars), outbox.NewMemory[string, toll](maxBars)}
}

// tell notes which rights the bot has in a channel. Write is the one that it needs to write there.
func (b bars) tell(channel string, rights, write int64, now time.Time) {
	one := lack{until: now.Add(longBar)}
	if rights&discordgo.PermissionViewChannel == 0 {
		one.sight = &apiError{status: http.StatusForbidden, code: codeNoAccess, text: "the bot doesn't see the channel"}
	}
	if rights&write == 0 {
		one.writing = &apiError{status: http.StatusForbidden, code: codeNoPermission, text: "the bot may not write in the channel"}
	}
	if rights&discordgo.PermissionAdministrator != 0 || one.sight == nil && one.writing == nil {
		b.lacking.Drop(channel)
		return
	}
	b.lacking.Set(channel, one)
}

// key is what may not be done, and where; false for a call that goes to no channel.
func (bars) key(c call) (key, where string, ok bool) {
	where = c.major
	if c.route == routeFollow {
		where = c.channel
	} else if c.free || c.route != routePost && c.route != routeEdit && c.route != routeDelete {
		return "", "", false
	}
	kind := textKind
	if c.file != nil || c.picture != nil { // Without its file the same may be allowed.
		kind = fileKind
	}
	return c.route + kind + where, where, where != ""
}

// before is the refusal that a call would meet once more; nil if it may be made.
func (b bars) before(c call, now time.Time) error {
	key, where, ok := b.key(c)
	if !ok {
		return nil
	}
	if known, ok := b.known.Get(key); ok && now.Before(known.until) {
		return known.err
	}
	if b.rests(where, now) > 0 {
		lately, _ := b.tolls.Get(where)
		return lately.err
	}
	one, _ := b.lacking.Get(c.major)
	switch {
	case !now.Before(one.until):
	case one.sight != nil:
		return one.sight
	case c.route == routePost:
		return one.writing
	}
	return nil
}

// rests is how long no call is made in a channel because too many were refused there; 0 or less if any may be.
func (b bars) rests(channel string, now time.Time) time.Duration {
	lately, _ := b.tolls.Get(channel)
	if lately.n < maxRefused {
		return 0
	}
	return lately.since.Add(longBar).Sub(now)
}

// lift has everything tried in a channel again, unless too much was refused there lately.
func (b bars) lift(channel string) {
	b.lacking.Drop(channel)
	for _, route := range []string{routePost, routeEdit, routeDelete, routeFollow} {
		for _, kind := range []string{textKind, fileKind} {
			b.known.Drop(route + kind + channel)
		}
	}
}

// learn notes what a call has met.
func (b bars) learn(c call, err error, now time.Time) {
	key, where, ok := b.key(c)
	var refused *apiError
	switch {
	case !ok:
	case err == nil:
		b.known.Drop(key)
	case errors.As(err, &refused) && (verdictOn(err) == barred || verdictOn(err) == unreached || refused.code == codeLocked):
		known, _ := b.known.Get(key)
		next := bar{err: err, times: known.times + 1, until: now}
		if next.times > fewBars {
			next.pause = min(max(firstBar, 2*known.pause), longBar)
			next.until = now.Add(next.pause)
		}
		b.known.Set(key, next)
		if c.file != nil || c.picture != nil { // What it says in words is tried after it.
			return
		}
		lately, _ := b.tolls.Get(where)
		if now.Sub(lately.since) >= longBar {
			lately = toll{since: now}
		}
		b.tolls.Set(where, toll{lately.n + 1, lately.since, err})
	}
}
