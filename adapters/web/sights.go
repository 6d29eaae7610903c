package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/live"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/engine"
)

// sights are what a live connection looks at: a table, and the tables of a channel. They are drawn whenever there is
// news; what came meanwhile is drawn once.
type sights struct {
	tables *live.Tables
	who    chat.User
	in     func(channel int64) chat.Place
	// only says that no tables of other places are looked at, and unsure that no closed ones are.
	only, unsure bool
	// told is called when something is to be drawn. It doesn't wait.
	told func()
	// table, list, signs, log and past are to be drawn.
	table, list, signs, log, past atomic.Bool
	// rests says that the list waits, as one was told just now.
	rests atomic.Bool

	// plays says that the reader sits at the table that is looked at, where a game goes on.
	plays atomic.Bool

	// said is what was said at the table since it was told; hears guards it.
	hears sync.Mutex
	said  []play.Sign

	mu      sync.Mutex
	look    *live.Look
	around  *live.Around
	channel int64
	rest    *time.Timer // ends the list's rest; nil before there was one
	// own is what the reader had going elsewhere when the channel was wished for.
	own live.Own
	// eyes are those through which the past is to be seen.
	eyes int
	// gone is the table that was to be looked at, and isn't there.
	gone string
	// failed is why something can't be seen that may be there. The connection ends by it, and the page comes again.
	failed error
	// closed says that nothing is looked at any more: a wish may come after its connection has ended.
	closed bool
}

func newSights(tables *live.Tables, who chat.User, in func(int64) chat.Place, told func()) *sights {
	return &sights{tables: tables, in: in, who: who, told: told}
}

// wish is what a page says on its live connection after it has said who is there.
type wish struct {
	// Look is the table to look at from now on; empty: none any more.
	Look *string `json:"look"`
	// Channel is the channel whose tables are to be listed.
	Channel int64 `json:"channel"`
	// Log asks for all that was played at the table.
	Log bool `json:"log"`
	// Past asks for the game at the table from move to move, if it has ended, through the eyes of that seat: of everybody if it is
	// -1, with all cards if it is -2.
	Past *int `json:"past"`
	// Hidden says that nobody has the page before their eyes.
	Hidden bool `json:"hidden"`
}

// The events that tell a page what is to be seen. A scene's goes on with the scene, if there is such a table.
type (
	sceneEvent struct {
		Kind  string `json:"kind"`
		Table string `json:"table"`
	}
	tablesEvent struct {
		Kind    string       `json:"kind"`
		Channel int64        `json:"channel"`
		Tables  []live.Brief `json:"tables"`
		live.Own
	}
	// pastEvent has no Past where there is none, or no time for it.
	pastEvent struct {
		Kind  string     `json:"kind"`
		Table string     `json:"table"`
		Eyes  int        `json:"eyes"`
		Past  *live.Past `json:"past,omitempty"`
	}
	// signEvent is what somebody says at a table from their seat, by a code. Who is as in a scene.
	signEvent struct {
		Kind  string `json:"kind"`
		Table string `json:"table"`
		Seat  int    `json:"seat"`
		Who   string `json:"who,omitempty"`
		Name  string `json:"name"`
		Code  string `json:"code"`
	}
	logEvent struct {
		Kind  string   `json:"kind"`
		Table string   `json:"table"`
		Lines []string `json:"lines"`
	}
)

const (
	// wishTime is how long a page waits between two wishes.
	wishTime = 20 * time.Millisecond
	// maxSigns is how much of what is said waits for one reader.
	maxSigns = 8
	// maxWish is how many bytes a wish may have.
	maxWish = 512
)

// take does what a page wishes.
func (s *sights) take(ctx context.Context, w wish) {
	if s.tables == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if w.Look != nil {
		s.lookAt(ctx, *w.Look)
	}
	if s.look != nil {
		s.look.Hide(w.Hidden)
	}
	if 0 < w.Channel && w.Channel <= channels {
		s.lookAround(ctx, w.Channel)
	}
	if w.Log {
		s.wake(&s.log)
	}
	if w.Past != nil {
		s.eyes = *w.Past
		s.wake(&s.past)
	}
}

// hear takes what is said at a table. It doesn't wait.
func (s *sights) hear(sign play.Sign) {
	s.hears.Lock()
	s.said = append(s.said, sign)
	s.said = s.said[max(0, len(s.said)-maxSigns):]
	s.hears.Unlock()
	s.wake(&s.signs)
}

// heard are the events that tell what was said at the table that is looked at. The caller holds mu.
func (s *sights) heard() (all [][]byte) {
	s.hears.Lock()
	said := s.said
	s.said = nil
	s.hears.Unlock()
	for _, one := range said {
		if s.look != nil && s.look.Table() == one.Table.String() && !s.barred() {
			all = append(all, encode(signEvent{"sign", one.Table.String(), int(one.Seat), live.Who(one.Table.Community, one.User), one.Name, one.Code}))
		}
	}
	return all
}

// wake notes that something is to be drawn. It doesn't wait.
func (s *sights) wake(what *atomic.Bool) {
	what.Store(true)
	s.told()
}

// unseen reports whether something is to be drawn, but for the log and the past.
func (s *sights) unseen() bool {
	return s.table.Load() || s.signs.Load() || s.list.Load() && !s.rests.Load()
}

// restList has the next list wait the longer the larger this one is: where many sit down and get up it would be the whole list for each of them.
// The caller holds mu.
func (s *sights) restList(bytes int) {
	s.rests.Store(true)
	s.rest = time.AfterFunc(listTime*time.Duration(bytes)/listPart, func() {
		s.rests.Store(false)
		if s.list.Load() {
			s.told()
		}
	})
}

// wakeList has no list wait any more. The caller holds mu.
func (s *sights) wakeList() {
	if s.rest != nil {
		s.rest.Stop()
	}
	s.rests.Store(false)
}

// lookAt looks at a table, and at none any more if that has no name.
func (s *sights) lookAt(ctx context.Context, name string) {
	if s.look != nil {
		s.look.Close()
	}
	s.look, s.gone = nil, ""
	if name == "" {
		return
	}
	id, ok := table.ParseID(name)
	err := error(chat.ErrToken)
	if ok {
		s.look, err = s.tables.Look(ctx, chat.Request{Who: s.who, In: s.in(1)}, id, func() { s.wake(&s.table) })
	}
	if err == nil && (s.only && !s.look.Place().Same(s.in(1)) || s.barred()) {
		s.look.Close()
		err = chat.ErrToken
	}
	if err != nil {
		s.look, s.gone = nil, name
		s.fails(err)
	} else {
		s.look.Hear(s.hear)
	}
	s.wake(&s.table)
}

// fails notes an error that is no refusal: what is asked for isn't gone by it.
func (s *sights) fails(err error) {
	if !isRefusal(err) {
		s.failed = err
	}
}

func isRefusal(err error) bool {
	var why engine.Refusal
	return errors.As(err, &why)
}

// barred reports whether the table that is looked at isn't to be shown. The caller holds mu.
func (s *sights) barred() bool { return s.unsure && s.look.Closed() }

// lookAround looks at the tables of a channel.
func (s *sights) lookAround(ctx context.Context, channel int64) {
	if s.around != nil {
		s.around.Close()
	}
	s.wakeList()
	around, err := s.tables.Around(ctx, chat.Request{Who: s.who, In: s.in(channel)}, func() { s.wake(&s.list) })
	if s.own = (live.Own{}); err == nil && !s.only && !s.unsure {
		if s.own, err = around.Own(ctx); err != nil {
			around.Close()
		}
	}
	if s.around, s.channel = around, channel; err != nil {
		s.around = nil
		s.fails(err)
	}
	s.wake(&s.list)
}

// sceneOf is the event that shows a table as it was drawn; nil: there is no such table. A table may have thousands of viewers:
// what was encoded once isn't read again.
func sceneOf(table string, drawn []byte) []byte {
	event := encode(sceneEvent{"scene", table})
	if drawn == nil {
		return event
	}
	event = append(event[:len(event)-1], `,"scene":`...)
	return append(append(event, drawn...), '}')
}

// drawn are the events that tell what is new to be seen.
func (s *sights) drawn(ctx context.Context) ([][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return nil, fmt.Errorf("begin to look at a table: %w", s.failed)
	}
	var all [][]byte
	if s.table.Swap(false) {
		s.plays.Store(s.look != nil && s.look.Plays())
		switch {
		case s.look != nil && s.barred():
			all = append(all, sceneOf(s.look.Table(), nil))
		case s.look != nil:
			drawn, err := s.look.NextJSON(ctx)
			if err != nil && !isRefusal(err) {
				return all, fmt.Errorf("look at a table: %w", err)
			}
			all = append(all, sceneOf(s.look.Table(), drawn))
		case s.gone != "":
			all = append(all, sceneOf(s.gone, nil))
		}
	}
	if s.signs.Swap(false) {
		all = append(all, s.heard()...)
	}
	if !s.rests.Load() && s.list.Swap(false) && s.around != nil {
		list := slices.DeleteFunc(s.around.List(), func(b live.Brief) bool { return s.unsure && b.Closed })
		event := encode(tablesEvent{"tables", s.channel, list, s.own})
		s.restList(len(event))
		all = append(all, event)
	}
	return all, nil
}

// recounted is the event that tells all that was played; nil if nobody has asked for it, or there is no time for it: who is refused asks
// again. It waits for its turn among what takes long, and keeps nobody's wishes waiting meanwhile.
func (s *sights) recounted(ctx context.Context) ([]byte, error) {
	s.mu.Lock()
	asked, look := s.log.Swap(false), s.look
	asked = asked && look != nil && !s.barred()
	s.mu.Unlock()
	if !asked {
		return nil, nil
	}
	lines, err := look.Log(ctx)
	switch {
	case isRefusal(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read what was played: %w", err)
	}
	return encode(logEvent{"log", look.Table(), lines}), nil
}

// recalled is the event that shows the game that is looked at from move to move; nil if nobody has asked for it. It waits for its turn
// among what takes long, and keeps nobody's wishes waiting meanwhile.
func (s *sights) recalled(ctx context.Context) ([]byte, error) {
	s.mu.Lock()
	asked, look, eyes := s.past.Swap(false), s.look, s.eyes
	asked = asked && look != nil && !s.barred()
	s.mu.Unlock()
	if !asked {
		return nil, nil
	}
	past, err := look.Past(ctx, engine.Seat(eyes))
	if err != nil && !isRefusal(err) {
		return nil, fmt.Errorf("look at a game that has ended: %w", err)
	}
	return encode(pastEvent{Kind: "past", Table: look.Table(), Eyes: eyes, Past: past}), nil
}

// close ends looking.
func (s *sights) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.look != nil {
		s.look.Close()
	}
	if s.around != nil {
		s.around.Close()
	}
	s.wakeList()
	s.look, s.around, s.closed = nil, nil, true
}
