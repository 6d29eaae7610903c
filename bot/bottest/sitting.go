package bottest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// Clocked is a bot whose running time the test moves on.
type Clocked struct {
	T       *testing.T
	Bot     *bot.Bot
	Games   map[string]engine.Rules
	Store   *SickStore
	Running time.Duration
	// Keep and Serves are those of the bot's Options.
	Keep   time.Duration
	Serves func(chat.Community) bool
	Clock  Rung
	N      int
}

// NewClocked is a bot over a store in memory.
func NewClocked(t *testing.T) *Clocked {
	c := &Clocked{T: t, Games: ByName(games.All()), Store: &SickStore{Store: mem.New()}}
	c.Restart()
	return c
}

// Restart begins another life of the bot.
func (c *Clocked) Restart() {
	var err error
	c.Bot, err = bot.New(c.T.Context(), bot.Options{
		Store: c.Store, Games: games.All(), Running: func() time.Duration { return c.Running }, Keep: c.Keep, Observer: &c.Clock, Serves: c.Serves,
	})
	if err != nil {
		c.T.Fatal(err)
	}
}

// AskAnn is what Ann is answered in a room.
func (c *Clocked) AskAnn(kind chat.Kind, data string) chat.Response {
	c.N++
	return Seen(c.T.Context(), c.Bot, chat.Request{
		ID: string(rune('a' + c.N)), Kind: kind, Who: chat.User{ID: 1, Name: "Ann"}, Data: data,
		In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1},
	})
}

// Pass lets running time pass and counts what the clock shows meanwhile.
func (c *Clocked) Pass(d time.Duration) int {
	var shown atomic.Int64 // Tables ring side by side.
	for end := c.Running + d; c.Running < end; c.Running += time.Second {
		for c.Bot.Ring(c.T.Context(), func(_ context.Context, r chat.Response) { shown.Add(int64(len(r.Posts))) }) == 0 {
		}
	}
	return int(shown.Load())
}

// Rung is an observer that notes at which tables the clock rings.
type Rung struct {
	chat.Unobserved
	Mu sync.Mutex // Tables ring side by side.
	At map[table.ID]bool
}

// Request implements chat.Observer.
func (r *Rung) Request(ctx context.Context, req chat.Request) (context.Context, func(chat.Outcome)) {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	if alarm, err := clock.ParseAlarm(req.Data); err == nil && req.Kind == chat.Timeout && r.At != nil {
		r.At[alarm.Table] = true
	}
	return ctx, func(chat.Outcome) {}
}

// Ring lets the clock ring until there is nothing more to do, and returns at which tables it did.
func (r *Rung) Ring(t testing.TB, b *bot.Bot) map[table.ID]bool {
	t.Helper()
	r.At = map[table.ID]bool{}
	for b.Ring(t.Context(), func(context.Context, chat.Response) {}) == 0 {
	}
	return r.At
}

// Sitting is somebody who lays patiences in a channel.
type Sitting struct {
	*Clocked
	In chat.Place
}

// NewSitting is nobody yet, in a channel where a bot has just come.
func NewSitting(t *testing.T) *Sitting {
	return &Sitting{NewClocked(t), chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -55}, Channel: -55}}
}

// Say types a line as the user, a second after the last.
func (s *Sitting) Say(user int64, line string) chat.Response { return s.Do(user, chat.Command, line) }

// Do makes a request as the user, a second after the last.
func (s *Sitting) Do(user int64, kind chat.Kind, data string) chat.Response {
	s.N++
	s.Running += time.Second
	return Seen(s.T.Context(), s.Bot, chat.Request{
		ID: fmt.Sprint("request ", s.N), Kind: kind, Who: chat.User{ID: user, Name: fmt.Sprint("User", user), Lang: "en"}, Data: data, In: s.In,
	})
}

// Open opens a patience and returns its table's id.
func (s *Sitting) Open(line string) table.ID {
	s.T.Helper()
	r := s.Say(1, line)
	if len(r.Posts) == 0 {
		s.T.Fatalf("%s is answered %q", line, r.Toast)
	}
	id, _ := table.ParseID(r.Posts[0].Table)
	return id
}

// Look is the table as it is stored, and its position by the log.
func (s *Sitting) Look(id table.ID) (*table.Table, engine.State) {
	s.T.Helper()
	t, err := Shelf(s.Store).LookAt(s.T.Context(), id)
	if err != nil {
		s.T.Fatal(err)
	}
	state, err := table.Replay(s.T.Context(), s.Store, s.Games[t.Game], t)
	if err != nil {
		s.T.Fatal(err)
	}
	return t, state
}

// Press presses the button of a move or of the table's own as it stands now.
func (s *Sitting) Press(id table.ID, do string) chat.Response {
	s.T.Helper()
	tb, state := s.Look(id)
	return s.Do(1, chat.Press, table.Token{Table: id, Epoch: tb.Epoch(state), Do: do}.String())
}

// GiveUp gives a game up, and says so again if one is asked.
func (s *Sitting) GiveUp(id table.ID) chat.Response {
	r := s.Press(id, "!giveup")
	if answer := AnswerIn(r); answer != "" {
		return s.Do(1, chat.Press, answer)
	}
	return r
}

// Records are all deals that have ended.
func (s *Sitting) Records() []engine.Record {
	s.T.Helper()
	var all []engine.Record
	err := upkeep.NewArchive(s.Store, games.All()).Export(s.T.Context(), func(r engine.Record) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		s.T.Fatal(err)
	}
	return all
}

// Ring lets the clock ring until there is nothing more to do.
func (s *Sitting) Ring() {
	for s.Bot.Ring(s.T.Context(), func(context.Context, chat.Response) {}) == 0 {
	}
}

// AskAs has somebody press or type in a group, as an admin or not.
func (s *Sitting) AskAs(user int64, admin bool, kind chat.Kind, data string) chat.Response {
	s.T.Helper()
	s.Running += 3 * time.Second
	s.N++
	return Seen(s.T.Context(), s.Bot, chat.Request{
		ID: fmt.Sprint("request ", s.N), Kind: kind, Who: chat.User{ID: user, Name: fmt.Sprint("User", user), Lang: "en", Admin: admin},
		Data: data, In: s.In, On: "settings",
	})
}

// LobbyOf is the table as it is stored.
func (s *Sitting) LobbyOf(id table.ID) *table.Table {
	s.T.Helper()
	t, err := Shelf(s.Store).LookAt(s.T.Context(), id)
	if err != nil {
		s.T.Fatal(err)
	}
	return t
}
