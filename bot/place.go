package bot

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/replay"
	"zevaka/bot/table"
)

// placeAction is something that a button asks for which belongs to no table.
type placeAction struct {
	name string
	by   play.Role
	asks play.Asking
	afar bool
	run  func(context.Context, chat.Request, string) (chat.Response, error)
}

// placeActions are all that buttons which belong to no table can ask for.
func (b *Bot) placeActions() []placeAction {
	return []placeAction{
		{"answer", play.ByAsked, play.Never, true, b.accounts.Answer},
		{"here", play.ByAnybody, play.Never, false, b.host.OpenHere},
		{"patience", play.ByAnybody, play.Never, false, b.host.CommandPatience},
		{"day", play.ByAnybody, play.Never, false, b.today.Press},
		{"share", play.ByAnybody, play.Never, false, b.today.Share},
		{"begin", play.ByAnybody, play.Never, false, b.openGame},
		{"another", play.ByAnybody, play.Never, false, b.openAnother},
		{"learn", play.ByAnybody, play.Never, false, b.learn},
		{"first", play.ByAnybody, play.Never, false, b.first},
		{"rules", play.ByAnybody, play.Never, true, b.pressRules},
		{"commands", play.ByAnybody, play.Never, true, b.listCommands},
		{"mydata", play.ByAnybody, play.Never, true, b.accounts.MyData},
		{"file", play.ByAnybody, play.Never, true, b.accounts.MyFile},
		{"set", play.ByAdmin, play.Never, false, b.settings.PressPlace},
		{"own", play.ByAnybody, play.Never, true, b.settings.PressOwn},
		{"ledger", play.ByAnybody, play.Never, true, b.accounts.LedgerFrom},
		{"chart", play.ByAnybody, play.Never, true, b.charts.Press},
		{replay.DoHistory, play.ByAnybody, play.Never, false, b.replays.Older},
	}
}

// pressPlace does what a button says that belongs to no table.
func (b *Bot) pressPlace(ctx context.Context, r chat.Request, tok table.Token) (chat.Response, error) {
	action, marked := strings.CutPrefix(tok.Do, "!")
	name, arg, _ := strings.Cut(action, " ")
	all := b.placeActions()
	i := slices.IndexFunc(all, func(a placeAction) bool { return marked && a.name == name })
	away := tok.Table.Community != r.In.Community
	switch {
	case i < 0, away && (!r.In.Private || slices.Contains([]string{"patience", "day", "begin", "another", "learn", "first", "set"}, name)):
		return chat.Response{}, chat.ErrToken
	case r.Barred() != nil && !all[i].afar:
		return chat.Response{}, r.Barred()
	case slices.Contains([]string{"here", "patience", "day", "begin", "another", "learn", "first"}, name) && b.taps.again(r, b.clock.Running()):
		return chat.Response{}, nil
	case away:
		r.In.Community = tok.Table.Community // Somebody reads alone what was asked for in a group.
	}
	return all[i].run(ctx, r, arg)
}

// placeTwice is how long the same press again by the same person is a slip of the thumb, where it would open a table.
const placeTwice = 1500 * time.Millisecond

// maxTaps is how many people's last presses are remembered.
const maxTaps = 1000

// taps are the last presses of buttons that open tables, person by person.
type taps struct {
	mu   sync.Mutex
	last map[tapper]tap
}

// tapper is a person of a platform.
type tapper struct {
	on   chat.Platform
	user int64
}

type tap struct {
	request, data string
	in            chat.Place
	at            time.Duration
}

// again reports whether somebody presses the same again within a moment of running time. A request that is delivered again is
// no other press.
func (t *taps) again(r chat.Request, now time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	who := tapper{r.In.Community.Platform, r.Who.ID}
	last, known := t.last[who]
	if known && last.data == r.Data && last.in.Same(r.In) && now-last.at < placeTwice {
		return last.request != r.ID
	}
	if t.last == nil || len(t.last) >= maxTaps {
		t.last = map[tapper]tap{}
	}
	t.last[who] = tap{r.ID, r.Data, r.In, now}
	return false
}
