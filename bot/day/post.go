package day

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// maxUnseen is how many posts may stand nowhere before no more are made: then the bot may not write there.
const maxUnseen = 3

// shownDay begins the receipt of a post, before the number of its day.
const shownDay = "day "

const (
	// errHour refuses what is no hour of the day, errGuest to say something by itself where the bot
	// is no member.
	errHour  engine.Refusal = "no-day-hour"
	errGuest engine.Refusal = "day-guest"
)

// Hour is when a place is told of the patience of the day: at a quarter of an hour, in minutes since midnight, by a clock that is so many
// minutes ahead of UTC. Lost is how many of the last posts never came to stand there.
type Hour struct{ At, Zone, Lost int }

// Stopped reports whether so many were lost that none is made any more, until an hour is chosen again.
func (h Hour) Stopped() bool { return h.Lost >= maxUnseen }

// utc is the time by a clock of UTC, in minutes since midnight.
func (h Hour) utc() int { return onClock(h.At - h.Zone) }

// onClock is so many minutes as a clock of 24 hours shows them.
func onClock(minutes int) int { return (minutes%aDay + aDay) % aDay }

// Text is the hour as "9:00 UTC+3" or "9:30 UTC+5:45".
func (h Hour) Text() string {
	text := fmt.Sprintf("%d:%02d UTC", h.At/60, h.At%60)
	if h.Zone == 0 {
		return text
	}
	sign, ahead := "+", h.Zone
	if ahead < 0 {
		sign, ahead = "-", -ahead
	}
	text += sign + strconv.Itoa(ahead/60)
	if ahead%60 != 0 {
		text += fmt.Sprintf(":%02d", ahead%60)
	}
	return text
}

// ParseHour reads an hour as it is typed: "9", "9:30", "9+3", "9+5:45", "21:00 UTC-5"; false if it is none.
func ParseHour(typed string) (h Hour, ok bool) {
	typed = strings.ToLower(strings.Join(strings.Fields(typed), ""))
	typed = strings.Replace(typed, "utc", "", 1)
	ahead := 1
	if at := strings.IndexAny(typed, "+-"); at >= 0 {
		if typed[at] == '-' {
			ahead = -1
		}
		if h.Zone, ok = parseTime(typed[at+1:]); !ok {
			return h, false
		}
		typed, h.Zone = typed[:at], ahead*h.Zone
	}
	h.At, ok = parseTime(typed)
	return h, ok && h.At < aDay && h.Zone >= -12*60 && h.Zone <= 14*60
}

// parseTime reads hours, with quarters of one or without, as minutes: "9", "09", "5:45".
func parseTime(text string) (minutes int, ok bool) {
	hours, quarters, parted := strings.Cut(text, ":")
	if !parted {
		quarters = "00"
	}
	h, err := strconv.ParseUint(hours, 10, 8)
	m := slices.Index([]string{"00", "15", "30", "45"}, quarters)
	return int(h)*60 + m*aSlot, err == nil && len(hours) <= 2 && m >= 0
}

// commandPost says when the place is told of the patience of the day, or changes that.
func (b *Today) commandPost(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	if arg == "" {
		h, err := b.PostHour(ctx, r.In)
		if err != nil {
			return chat.Response{}, err
		}
		p := words.Phrase{Key: "day-post-none"}
		switch {
		case h == nil:
		case h.Stopped():
			p.Key = "day-post-stopped"
		case h.Lost > 0:
			p = words.Phrase{Key: "day-post-lost", Blanks: words.Blanks{"hour": words.Text(h.Text())}}
		default:
			p = words.Phrase{Key: "day-post-at", Blanks: words.Blanks{"hour": words.Text(h.Text())}}
		}
		return chat.Response{Toast: chat.Shorten(p.Flat(b.Words.Lang(r.Who.Lang)), chat.MaxToast)}, nil
	}
	if !r.Who.Admin && !r.In.Private {
		return chat.Response{}, table.ErrNotAdmin
	}
	told := words.Phrase{Key: "day-post-off"}
	var wants *Hour
	if arg != "off" && !b.Names.IsLabel("day-word.off", arg) {
		h, ok := ParseHour(arg)
		switch {
		case !ok:
			return chat.Response{}, errHour
		case r.In.Guest:
			return chat.Response{}, errGuest
		}
		wants, told = &h, words.Phrase{Key: "day-post-at", Blanks: words.Blanks{"hour": words.Text(h.Text())}}
	}
	record, err := storage.Read(ctx, b.Store, func(from storage.Reader) (table.PlaceRecord, error) { return table.GetPlace(from, r.In) })
	if err != nil {
		return chat.Response{}, err
	}
	in := r.In
	in.Lang = record.Spoken(b.Words, r)
	if err := b.SetPostHour(ctx, in, wants); err != nil {
		return chat.Response{}, err
	}
	post := b.Words.ForAll(r.In, b.Words.Lang(in.Lang), func(lang *words.Lang) chat.Message { return chat.Message{Text: lang.Spans(told)} })
	post.Open = chat.Aloud
	return chat.Response{Posts: []chat.Post{post}}, nil
}

// PostHour is when a place is told of the patience of the day; nil if it isn't. A post of this hour may be on its way, and isn't lost.
func (b *Today) PostHour(ctx context.Context, in chat.Place) (*Hour, error) {
	one, err := storage.Read(ctx, b.Store, func(from storage.Reader) (*wanted, error) { return getWanted(from, keyPost(in)) })
	if err != nil || one == nil {
		return nil, err
	}
	h := one.at()
	if now := b.Now().UTC(); h.Lost > 0 && !h.Stopped() && one.Last == Number(now) && one.slot() == slotOf(now) {
		h.Lost--
	}
	return h, nil
}

// HourIn is PostHour of what is stored.
func HourIn(from storage.Getter, in chat.Place) (*Hour, error) {
	one, err := getWanted(from, keyPost(in))
	if err != nil || one == nil {
		return nil, err
	}
	return one.at(), nil
}

// at is the hour by the clock that was meant.
func (w *wanted) at() *Hour {
	zone := w.Zone*60 + w.ZoneMinutes
	return &Hour{onClock(w.Hour*60 + w.Minute + zone), zone, w.Unseen}
}

// SetPostHour has a place told of the patience of the day at an hour, from the next time on that it strikes; never if it is nil. The
// place's Lang is what is spoken there where nobody chooses. Who may ask for that is for the caller to say.
func (b *Today) SetPostHour(ctx context.Context, in chat.Place, at *Hour) error {
	key := keyPost(in)
	if at == nil {
		return b.unwant(ctx, key)
	}
	one := wanted{In: in, Hour: at.utc() / 60, Minute: at.utc() % 60, Zone: at.Zone / 60, ZoneMinutes: at.Zone % 60}
	now := b.Now().UTC()
	if one.slot() <= slotOf(now) {
		one.Last = Number(now)
	}
	err := storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		now := one
		if old, err := getWanted(tx, key); err != nil {
			return err
		} else if old != nil {
			now.Last = max(now.Last, old.Last)
		}
		return storage.PutJSON(tx, key, now)
	})
	if err != nil {
		return fmt.Errorf("note when a chat wants the patience of the day: %w", err)
	}
	b.hours.set(key, one.slot())
	return nil
}

// unwant takes away that the place of a key wants the post.
func (b *Today) unwant(ctx context.Context, key string) error {
	err := storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		tx.Delete(key)
		return nil
	})
	if err != nil {
		return fmt.Errorf("note that a chat wants no patience of the day: %w", err)
	}
	b.hours.unset(key)
	return nil
}

// ForgetHour takes away that a place wants the post, in a store that nobody serves, and reports whether it did.
func ForgetHour(tx storage.Tx, in chat.Place) (did bool, err error) {
	items, err := tx.Get(keyPost(in))
	if err != nil {
		return false, fmt.Errorf("look whether a chat wants the patience of the day: %w", err)
	}
	if did = items[0].Rev != 0; did {
		tx.Delete(keyPost(in))
	}
	return did, nil
}

// Gone takes away what places have wanted that are there no more, or those of a whole community.
func (b *Today) Gone(ctx context.Context, r chat.Request) error {
	keys := []string{keyPost(r.In)}
	if r.In.Channel == 0 {
		keys = b.hours.of(r.In.Community)
	}
	var all error
	for _, key := range keys {
		all = errors.Join(all, b.unwant(ctx, key))
	}
	return all
}

// Migrated takes along what places have wanted of a community that has got another ID. Serves says whether its places are still this bot's to
// post to: two that do would take each other's posts for unheard.
func (b *Today) Migrated(ctx context.Context, from, to chat.Community, serves bool) error {
	var all error
	for _, key := range b.hours.of(from) {
		one, err := storage.Read(ctx, b.Store, func(from storage.Reader) (*wanted, error) { return getWanted(from, key) })
		if err == nil && one != nil {
			one.In = one.In.MigratedTo(to)
			err = storage.Update(ctx, b.Store, func(tx storage.Tx) error {
				tx.Delete(key)
				return storage.PutJSON(tx, keyPost(one.In), one)
			})
		}
		if err != nil || one == nil {
			all = errors.Join(all, err)
			continue
		}
		b.hours.unset(key)
		if serves {
			b.hours.set(keyPost(one.In), one.slot())
		}
	}
	return all
}

// Shown notes that a post stands; false if the receipt is another's.
func (b *Today) Shown(ctx context.Context, r chat.Request) (mine bool, err error) {
	if !strings.HasPrefix(r.Data, shownDay) {
		return false, nil
	}
	key := keyPost(r.In)
	return true, storage.Update(ctx, b.Store, func(tx storage.Tx) error {
		one, err := getWanted(tx, key)
		if err != nil || one == nil || one.Unseen == 0 {
			return err
		}
		one.Unseen = 0
		return storage.PutJSON(tx, key, one)
	})
}

// post makes the post of the place of a key, if it is time; false if there is none to be.
func (b *Today) post(ctx context.Context, key string, now, slot int) (p chat.Post, ok bool, err error) {
	var one *wanted
	var record table.PlaceRecord
	over, stopped := false, false
	err = storage.Update(ctx, b.Store, func(tx storage.Tx) (err error) {
		ok, over, stopped = false, false, false
		if one, err = getWanted(tx, key); err != nil || one == nil {
			over = err == nil
			return err
		}
		if one.Last > now+1 { // The clock was wrong.
			one.Last = 0
		}
		if one.Last >= now || one.slot() > slot {
			return nil
		}
		if one.Unseen >= maxUnseen { // It stays stored, so that who asks learns why nothing comes.
			stopped = true
			return nil
		}
		if record, err = table.GetPlace(tx, one.In); err != nil {
			return err
		}
		ok = true
		one.Last, one.Unseen = now, one.Unseen+1
		return storage.PutJSON(tx, key, one)
	})
	switch {
	case over:
		b.hours.unset(key)
	case stopped:
		b.hours.stop(key)
	case err == nil: // Of several who have chosen it at once the last to be noted may be another than the last who was stored.
		b.hours.set(key, one.slot())
	}
	if err != nil || !ok {
		return p, false, err
	}
	r := chat.Request{ID: "day " + key + " " + strconv.Itoa(now), In: one.In}
	r.Who.Lang = record.Spoken(b.Words, r)
	p, err = b.made(ctx, r, now)
	return p, err == nil, err
}

// made is the post of a day.
func (b *Today) made(ctx context.Context, r chat.Request, now int) (chat.Post, error) {
	game := b.Days.Featured(now)
	if game == "" {
		return chat.Post{}, errNoDay
	}
	before := b.Days.Featured(now - 1)
	var went Tally
	err := b.Store.View(ctx, func(from storage.Reader) error {
		origin, err := table.Origin(from, r.In.Community)
		if err == nil && before != "" {
			went, _, err = Tallies(from, origin, now-1, before)
		}
		return err
	})
	if err != nil {
		return chat.Post{}, fmt.Errorf("read how the patience of yesterday went: %w", err)
	}
	post := b.Words.ForAll(r.In, b.Words.Lang(r.Who.Lang), func(lang *words.Lang) chat.Message {
		w := words.Writer{Lang: lang}
		b.heading(&w, now, game)
		if went.Ended > 0 {
			w.Text("\n\n")
			w.Phrase(chat.Plain, Of(lang, before, now-1))
			w.Text(": ")
			Went(&w, "day-went", went)
		}
		r.Who.Lang = lang.Tag
		rows, failed := b.buttons(ctx, r, now, game)
		err = errors.Join(err, failed)
		return chat.Message{Text: w.Spans, Buttons: rows}
	})
	post.Receipt = shownDay + strconv.Itoa(now)
	return post, err
}

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
	running := b.Running()
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
	switch more, err := b.Days.Sum(work, b.Store); {
	case err != nil:
		b.Log.Warn("the patiences of a day are not summed up yet", "error", err)
	case more:
		wait = postsEvery
	}
	b.next = running + wait
	return wait
}

// postSome makes some of the posts whose hour has come, and reports whether there are more.
func (b *Today) postSome(ctx context.Context, show func(context.Context, chat.Response)) (more bool) {
	at := b.Now().UTC()
	now, slot := Number(at), slotOf(at)
	keys, more := b.hours.due(now, slot, postsAtOnce)
	for i, key := range keys {
		p, ok, err := b.post(ctx, key, now, slot)
		switch {
		case storage.IsDamaged(err):
			b.Log.Error("it can't be read when a chat wants the patience of the day", "key", key, "error", err)
			b.hours.unset(key)
		case err != nil:
			b.Log.Warn("chats are not told of the patience of the day yet", "error", err)
			b.hours.later(keys[i:]...)
			return false
		case ok:
			show(ctx, chat.Response{Posts: []chat.Post{p}})
		}
	}
	return more
}
