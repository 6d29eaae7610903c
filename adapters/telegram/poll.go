package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"zevaka/adapters"
	"zevaka/adapters/outbox"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

const (
	// pollTime is how long Telegram may wait for an update: the longest it allows.
	pollTime = 50 * time.Second
	// standTime is how long a poll has to stand to bring anything. ReachEvery is how often it is asked meanwhile whether Telegram answers.
	standTime, reachEvery = 5 * time.Second, 15 * time.Second
	// pollMost is how many updates come at once: the most that Telegram tells. It tells none behind those before the first one is
	// confirmed.
	pollMost = 100
	// lateBehind and lateAfter are how many have come after an update that is late, and how long ago it came at least.
	lateBehind = pollMost / 2
	lateAfter  = 3 * time.Second
	// pollThing is the name of what the one process that polls holds. ElectionPause is how often the others try to take it.
	pollThing     = "telegram/poll"
	electionPause = time.Second
	// awayTime is how long no poll comes back until another process that reaches Telegram asks, where this one doesn't.
	awayTime = time.Minute
	// slowHandling is how long the next poll waits for updates that are still being handled, and shortly how long where some are done
	// that it can confirm. To ask for the same again within half a second brings but one.
	slowHandling = 600 * time.Millisecond
	shortly      = 100 * time.Millisecond
)

// allowedUpdates are the kinds of updates that the adapter wants. Of people who come and go Telegram tells only a bot that is admin.
func allowedUpdates() string { return `["message","callback_query","my_chat_member","chat_member"]` }

// poll asks for updates until ctx ends, whenever no other process does.
func (a *Adapter) poll(ctx context.Context) error {
	failed := false
	for ctx.Err() == nil {
		hold, err := a.share.Take(ctx, pollThing)
		switch {
		case err != nil && ctx.Err() == nil:
			if !failed {
				a.log.Warn("it isn't known which process asks for Telegram's updates; trying again", "error", err)
			}
			failed = true
			a.reach(false)
		case hold != nil:
			err := a.pollWith(ctx, hold)
			if errors.Is(err, errAway) {
				a.log.Warn("Telegram isn't reached from here: another process asks for its updates")
				err = a.awaitWay(ctx)
			}
			if err != nil {
				return err
			}
			failed = false
		default: // Another process polls.
			failed = false
			a.reach(true)
		}
		outbox.Sleep(ctx, electionPause)
	}
	return nil
}

// errAway ends asking for updates where Telegram isn't reached from here, but by another process.
var errAway = errors.New("telegram: not reached from here")

// awaitWay waits until Telegram is reached from here, or ctx ends. Until then nothing is heard here, whoever asks.
func (a *Adapter) awaitWay(ctx context.Context) error {
	for outbox.Sleep(ctx, reachEvery) {
		if _, ok := a.answers(ctx); ok {
			break
		}
	}
	return nil
}

// pollWith asks for updates until ctx ends or the hold is lost. Updates that aren't confirmed by then come again.
func (a *Adapter) pollWith(ctx context.Context, hold adapters.Hold) error {
	asking, stop := context.WithCancel(ctx)
	var telling sync.WaitGroup
	defer telling.Wait()
	defer stop()
	telling.Go(func() { a.sayDeaf(asking) })
	defer context.AfterFunc(hold.Context(), stop)()
	in := newInbox()
	err := a.receive(asking, in)
	if hold.Context().Err() != nil {
		a.log.Warn("another process may ask for Telegram's updates now")
		return err
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), quitTime)
	defer cancel()
	if err == nil {
		a.confirm(last, hold.Context(), in)
	}
	if failed := hold.Release(last); failed != nil {
		a.log.Warn("other processes ask for Telegram's updates only in a while", "error", failed)
	}
	return err
}

// receive asks for updates until ctx ends. The offset of each poll confirms the updates before it, so it moves past an update only
// when what that and all earlier ones asked is durable.
func (a *Adapter) receive(ctx context.Context, in *inbox) error {
	drop, cancel := context.WithTimeout(ctx, awayTime)
	defer cancel()
	if err := a.dropWebhook(drop); err != nil {
		return err
	}
	a.reach(drop.Err() == nil)
	pause, came := firstPause, time.Now()
	for ctx.Err() == nil {
		asked, from := time.Now(), in.offset()
		updates, err := a.pollHearing(ctx, from)
		a.up.Store(err == nil)
		if err != nil {
			if time.Since(asked) > standTime {
				pause = firstPause
			}
			if fatal := a.pollFailed(ctx, err, pause); fatal != nil {
				return fatal
			}
			if time.Since(came) > awayTime && time.Since(time.Unix(0, a.reached.Load())) < awayTime {
				if _, ok := a.answers(ctx); !ok {
					return errAway
				}
			}
			pause = min(2*pause, longPause)
			continue
		}
		pause, came = firstPause, time.Now()
		a.token.Good()
		for _, l := range in.add(updates) {
			a.enqueue(ctx, l, func() { in.finish(l) })
		}
		if len(updates) == 0 && time.Since(asked) < firstPause {
			outbox.Sleep(ctx, firstPause) // A server that doesn't wait, though asked to.
		}
		in.wait(ctx, shortly, func() bool { return false })
		in.wait(ctx, slowHandling-shortly, func() bool { return in.offset() != from })
	}
	return nil
}

// pollHearing waits for updates, and notes whether they come. One poll after the other brings them where each stands for a while, though it may fail
// then: some proxies and routers cut what is idle. Whether Telegram answers anything else tells that from an outage. One that Telegram itself refuses
// brings nothing, however long it has stood.
func (a *Adapter) pollHearing(ctx context.Context, from int64) ([]update, error) {
	asked := time.Now()
	standing, end := context.WithCancel(ctx)
	var asking sync.WaitGroup
	asking.Go(func() {
		for pause := standTime; outbox.Sleep(standing, pause); pause = reachEvery {
			if waiting, ok := a.answers(standing); standing.Err() == nil {
				a.ears.Set(ok && !a.backlog.kept(waiting))
			}
		}
	})
	updates, err := a.getUpdates(ctx, from, pollTime)
	end()
	asking.Wait()
	switch {
	case err == nil:
		waiting := -1
		if len(updates) > 0 {
			a.backlog.grew = time.Time{}
		} else if time.Since(asked) < standTime && time.Since(a.backlog.looked) >= reachEvery {
			waiting, _ = a.answers(ctx) // What doesn't wait, though asked to, may be something that only stands in Telegram's way.
		}
		a.ears.Set(!a.backlog.kept(waiting))
	case time.Since(asked) < standTime, refusedAs(err).text != "" && !refusedAs(err).foreign:
		a.ears.Set(false)
	}
	return updates, err
}

// backlog is what Telegram was said to have that no poll has brought. A poll that stands has confirmed all that came before.
type backlog struct {
	// waiting is how many updates it had at the last look, which was at looked; zero: there was none.
	waiting int
	looked  time.Time
	// grew is when there was more of it than at the look before; zero where something has come since. What has come then Telegram gives up after
	// some minutes.
	grew time.Time
}

// kept reports whether Telegram, where so many updates wait now, gets new ones that don't come; less than 0: that isn't known. That some wait
// doesn't say that: a number may stand still there.
func (b *backlog) kept(waiting int) bool {
	if waiting > b.waiting && !b.looked.IsZero() {
		b.grew = time.Now()
	}
	if waiting >= 0 {
		b.waiting, b.looked = waiting, time.Now()
	}
	return time.Since(b.grew) < hookFails
}

// confirm confirms what was handled, so that nothing comes again after an orderly stop. It gives up when ctx or held ends.
func (a *Adapter) confirm(ctx, held context.Context, in *inbox) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(held, cancel)()
	in.wait(ctx, quitTime, func() bool { return false })
	if in.offset() == 0 {
		return
	}
	params := tgbotapi.Params{"offset": strconv.FormatInt(in.offset(), 10), "limit": "1", "timeout": "0"}
	if err := a.api.callFor(ctx, "getUpdates", params, nil); err != nil {
		a.log.Debug("the last updates were not confirmed, and will come again", "error", err)
	}
}

// getUpdates waits for updates from the offset on, at most for the time.
func (a *Adapter) getUpdates(ctx context.Context, offset int64, wait time.Duration) ([]update, error) {
	params := tgbotapi.Params{
		"limit":           strconv.Itoa(pollMost),
		"timeout":         strconv.Itoa(int(wait / time.Second)),
		"allowed_updates": allowedUpdates(),
	}
	params.AddNonZero64("offset", offset)
	ctx, cancel := context.WithTimeout(ctx, wait+callTime)
	defer cancel()
	var raw []json.RawMessage
	if err := a.api.callFor(ctx, "getUpdates", params, &raw); err != nil {
		return nil, err
	}
	updates := make([]update, 0, len(raw))
	for _, one := range raw {
		if u, err := decodeUpdate(one); err == nil {
			updates = append(updates, u)
		} else {
			a.log.Warn("an update could not be read", "error", err)
		}
	}
	return updates, nil
}

// decodeUpdate reads an update. If only the ID can be read, the update has nothing else, and can be confirmed.
func decodeUpdate(raw []byte) (update, error) {
	var u update
	if json.Unmarshal(raw, &u) == nil {
		u.raw = raw
		return u, nil
	}
	var bare struct {
		UpdateID int64 `json:"update_id"`
	}
	if err := json.Unmarshal(raw, &bare); err != nil {
		return update{}, fmt.Errorf("decode an update: %w", err)
	}
	return update{UpdateID: bare.UpdateID}, nil
}

// pollFailed waits before the next try, and returns an error if that can't succeed.
func (a *Adapter) pollFailed(ctx context.Context, err error, pause time.Duration) error {
	var refused *apiError
	isRefusal := errors.As(err, &refused)
	pause = refusedAs(err).wait(pause)
	switch {
	case ctx.Err() != nil:
		return nil
	case isRefusal && refused.badToken():
		return a.tokenRefused(ctx, refused)
	case isRefusal && refused.code == http.StatusConflict && strings.Contains(refused.text, "webhook"):
		return a.dropWebhook(ctx)
	case isRefusal && refused.code == http.StatusConflict:
		a.log.Error("another program reads this bot's updates: only one may, stop the other one; trying again",
			"pause", pause, "error", err)
	default:
		a.log.Warn("Telegram's updates didn't come; trying again", "pause", pause, "error", err)
	}
	outbox.Sleep(ctx, pause)
	return nil
}

// tokenRefused waits after a refusal of the token, which was good when the bot began: it may be a mistake of Telegram's. The error says
// that it has been one for too long.
func (a *Adapter) tokenRefused(ctx context.Context, refused *apiError) error {
	wait, again := a.token.Refused(time.Now())
	if !again {
		return fmt.Errorf("%w (%s)", ErrToken, refused.text)
	}
	a.log.Error("Telegram refuses the token, which was good; trying again", "pause", wait, "error", refused)
	outbox.Sleep(ctx, wait)
	return nil
}

// dropWebhook removes the webhook, so that Telegram keeps updates for polls. It tries until it succeeds.
func (a *Adapter) dropWebhook(ctx context.Context) error {
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		err := a.api.call(ctx, "deleteWebhook", nil, nil)
		if err == nil || ctx.Err() != nil {
			return nil
		}
		refused := refusedAs(err)
		if refused.badToken() {
			if err := a.tokenRefused(ctx, refused); err != nil {
				return err
			}
			continue
		}
		wait := refused.wait(pause)
		a.log.Warn("an old webhook could not be removed; trying again", "pause", wait, "error", err)
		outbox.Sleep(ctx, wait)
	}
}

// inbox knows which updates came, and which of them may be confirmed.
type inbox struct {
	mu sync.Mutex
	// open are the updates that aren't confirmed, in order.
	open    []*letter
	next    int64
	changed chan struct{}
}

// letter is an update that came and isn't confirmed.
type letter struct {
	update
	came time.Time
	// done says that what it asked is durable.
	done bool
	// late ends when the update keeps so many others waiting that it is rather given up, and overdue ends it. Of what isn't anybody's
	// press or line it never does.
	late    context.Context
	overdue context.CancelFunc
}

func newLetter(u update) *letter {
	l := &letter{update: u, came: time.Now()}
	l.late, l.overdue = context.WithCancel(context.Background())
	return l
}

func newInbox() *inbox { return &inbox{changed: make(chan struct{}, 1)} }

// offset is the first update to ask for, the first one that isn't durable. When all are confirmed it is 0, for any update: after a
// quiet week Telegram's IDs may begin anywhere.
func (in *inbox) offset() int64 {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, l := range in.open {
		if !l.done {
			return l.UpdateID
		}
	}
	return in.next
}

// add notes updates that came, and returns those that are new. Durable ones that didn't come again were confirmed by the poll. Of the
// others some may be late by now.
func (in *inbox) add(updates []update) []*letter {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.open) > 0 && in.open[0].done && !slices.ContainsFunc(updates, func(u update) bool { return u.UpdateID == in.open[0].UpdateID }) {
		in.open = in.open[1:]
	}
	if len(updates) > 0 {
		in.next = updates[len(updates)-1].UpdateID + 1
	} else if len(in.open) == 0 {
		in.next = 0
	}
	var fresh []*letter
	for _, u := range updates {
		if !slices.ContainsFunc(in.open, func(l *letter) bool { return l.UpdateID == u.UpdateID }) {
			fresh = append(fresh, newLetter(u))
		}
	}
	in.open = append(in.open, fresh...)
	for _, l := range in.open[:max(0, len(in.open)-lateBehind)] {
		if l.fromPerson() && time.Since(l.came) >= lateAfter {
			l.overdue()
		}
	}
	return fresh
}

// finish notes that what an update asked is durable.
func (in *inbox) finish(l *letter) {
	in.mu.Lock()
	defer in.mu.Unlock()
	l.done = true
	l.overdue()
	select {
	case in.changed <- struct{}{}:
	default:
	}
}

// settled reports whether all updates that came are durable.
func (in *inbox) settled() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return !slices.ContainsFunc(in.open, func(l *letter) bool { return !l.done })
}

// wait waits until all updates that came are durable, or it is enough, but at most so long: a slow one must not keep the others waiting.
func (in *inbox) wait(ctx context.Context, most time.Duration, enough func() bool) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for !in.settled() && !enough() {
		select {
		case <-in.changed:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
