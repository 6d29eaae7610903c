package bot

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/replay"
	"zevaka/bot/table"
)

// placeActions are all that buttons which belong to no table can ask for.
func (b *Bot) placeActions() []table.Action[run] {
	return []table.Action[run]{
		table.NewAction("answer", table.ByAsked, table.Never, true, b.accounts.Answer),
		table.NewAction("here", table.ByAnybody, table.Never, false, b.host.OpenHere),
		table.NewAction("patience", table.ByAnybody, table.Never, false, b.host.CommandPatience),
		table.NewAction("day", table.ByAnybody, table.Never, false, b.today.Press),
		table.NewAction("share", table.ByAnybody, table.Never, false, b.today.Share),
		table.NewAction("begin", table.ByAnybody, table.Never, false, b.openGame),
		table.NewAction("another", table.ByAnybody, table.Never, false, b.openAnother),
		table.NewAction("learn", table.ByAnybody, table.Never, false, b.learn),
		table.NewAction("first", table.ByAnybody, table.Never, false, b.first),
		table.NewAction("rules", table.ByAnybody, table.Never, true, b.pressRules),
		table.NewAction("commands", table.ByAnybody, table.Never, true, b.listCommands),
		table.NewAction("mydata", table.ByAnybody, table.Never, true, b.accounts.MyData),
		table.NewAction("file", table.ByAnybody, table.Never, true, b.accounts.MyFile),
		table.NewAction("set", table.ByChooser, table.Never, false, b.accounts.PressPlace),
		table.NewAction("own", table.ByAnybody, table.Never, false, b.accounts.PressOwn),
		table.NewAction("ledger", table.ByAnybody, table.Never, true, b.accounts.LedgerFrom),
		table.NewAction("chart", table.ByAnybody, table.Never, true, b.charts.Press),
		table.NewAction(replay.DoHistory, table.ByAnybody, table.Never, false, b.replays.Older),
	}
}

// pressPlace does what a button says that belongs to no table.
func (b *Bot) pressPlace(ctx context.Context, r chat.Request, tok table.Token) (chat.Response, error) {
	does, marked := strings.CutPrefix(tok.Do, "!")
	name, arg, _ := strings.Cut(does, " ")
	var action *table.Action[run]
	if marked {
		action = table.ActionNamed(b.placeActions(), name)
	}
	away := tok.Table.Community != r.In.Community
	opens := slices.Contains([]string{"here", "patience", "day", "begin", "another", "learn", "first"}, name)
	if action == nil || away && (!r.In.Private || opens || name == "set") {
		return chat.Response{}, chat.ErrToken
	}
	if err := action.Admit(r); err != nil {
		return chat.Response{}, err
	}
	if opens && b.taps.again(r, b.clock.Running()) {
		return chat.Response{}, nil
	}
	if away {
		r.In.Community = tok.Table.Community // Somebody reads alone what was asked for in a group.
	}
	return action.Run(ctx, r, arg)
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
