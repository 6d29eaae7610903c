// Package bottest has what tests of the bot and of its rooms share: a Hall where people play for chips, a Sitting where they lay
// patiences, stores that fail, and what there is to read in answers. Whatever can't go on ends the test.
package bottest

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/clock"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// Hall is a community with tables where people play for chips. The n-th person is called Pn.
type Hall struct {
	T     testing.TB
	Store storage.Store
	Bot   *bot.Bot
	// Games are those of the bot by their names.
	Games   map[string]engine.Rules
	Running time.Duration
	// Wall is by how much the time of day has been put forward besides. Clock is the time of day, if it isn't that: what looks at it beside
	// the test may do so at any moment.
	Wall  time.Duration
	Clock func() time.Time
	Asked int
	Seeds uint64
	// behind is by how much the bot's clock is behind Running, once that is known.
	behind *time.Duration
	// Said are the posts of the clock.
	Said []chat.Post
	// pictures are those that were shown last.
	pictures gallery
	// At is the community as it is called now, if it has had another name.
	At chat.Community
	// Keep and save are those of the bot's Options.
	Keep time.Duration
	Save func(context.Context, []upkeep.Saved) error
	// Remembers says that the bot has a memory of its store.
	Remembers bool
	// Log is the bot's, and Order its games, if they are other than those that there are.
	Log   *slog.Logger
	Order []engine.Rules
	// AddTime is how long the others have to add something to the cut.
	AddTime time.Duration
	// Copied is when the backup was made that the store goes on from.
	Copied time.Time
	// Serves is that of the bot's Options.
	Serves func(chat.Community) bool
	// Deaf is for how long the platform has brought nothing. Late, if not nil, is for how long it has not shown whose turn it is, and for how long it has.
	Deaf time.Duration
	Late func() (late, shown time.Duration)
}

// NewHall is a hall over a store in memory.
func NewHall(t *testing.T) *Hall {
	h := &Hall{T: t, Store: mem.New()}
	h.Restart()
	return h
}

// ClockNow is the running time by the bot's clock, which it saves.
func (h *Hall) ClockNow() table.Running {
	h.T.Helper()
	if h.behind != nil {
		return table.Running((h.Running - *h.behind).Milliseconds())
	}
	SaveClock(h.T, h.Bot)
	now, err := storage.Read(h.T.Context(), h.Store, func(from storage.Reader) (time.Duration, error) {
		return storage.GetJSON[time.Duration](from, keyspace.RunningTime)
	})
	if err != nil {
		h.T.Fatal(err)
	}
	behind := h.Running - now
	h.behind = &behind
	return table.Running(now.Milliseconds())
}

// FindIndex is what people and names are found by in the hall's store.
func (h *Hall) FindIndex() *table.Index {
	h.T.Helper()
	index, err := table.OpenIndex(h.T.Context(), h.Store, slog.New(slog.DiscardHandler))
	if err != nil {
		h.T.Fatal(err)
	}
	return index
}

// Twin is a hall where everything has happened that has happened in this one.
func (h *Hall) Twin(t *testing.T) *Hall {
	t.Helper()
	h.Restart() // So that the running time is stored.
	other := &Hall{T: t, Store: mem.New(), Running: h.Running, Wall: h.Wall, Asked: h.Asked, Seeds: h.Seeds, At: h.At, Keep: h.Keep, Save: h.Save}
	for items := range slices.Chunk(stores.Items(t, h.Store, ""), storage.MaxKeys) {
		err := storage.Update(t.Context(), other.Store, func(tx storage.Tx) error {
			for _, item := range items {
				tx.Put(item.Key, item.Value)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	other.Restart()
	return other
}

// Restart begins another life of the bot, which knows the running time as it was saved last, up to ten seconds ago.
func (h *Hall) Restart() {
	h.T.Helper()
	if h.Bot != nil {
		now := h.Running
		h.Running -= h.Running % clock.SaveEvery
		SaveClock(h.T, h.Bot)
		h.Running = now
	}
	h.behind = nil
	var store storage.Store = listed{h.Store, h.T}
	if h.Remembers {
		store = bot.Remember(store)
	}
	order := h.Order
	if order == nil {
		order = games.All()
	}
	h.Games = ByName(order)
	var err error
	h.Bot, err = bot.New(h.T.Context(), bot.Options{
		Store: store, Games: order, Running: func() time.Duration { return h.Running }, Log: h.Log,
		Keep: h.Keep, SaveRecords: h.Save, AddTime: h.AddTime, Copied: h.Copied, Serves: h.Serves,
		Deaf: func(chat.Community) time.Duration { return h.Deaf },
		Late: func(chat.Place, table.ID) (late, shown time.Duration) {
			if h.Late == nil {
				return 0, 0
			}
			return h.Late()
		},
		Now: h.TimeOfDay,
		Seed: func() (seed engine.Seed) {
			binary.BigEndian.PutUint64(seed[:], atomic.AddUint64(&h.Seeds, 1))
			return seed
		},
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// TimeOfDay is the time of day.
func (h *Hall) TimeOfDay() time.Time {
	if h.Clock != nil {
		return h.Clock()
	}
	return time.Unix(1_800_000_000, 0).Add(h.Running + h.Wall)
}

// SaveClock has a bot save the running time, as it does when its clock stops.
func SaveClock(t testing.TB, b *bot.Bot) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := b.Run(ctx, func(context.Context, chat.Response) {}); err != nil {
		t.Fatal(err)
	}
}

// ByName are games by their names.
func ByName(games []engine.Rules) map[string]engine.Rules {
	all := map[string]engine.Rules{}
	for _, rules := range games {
		all[rules.Info().Name] = rules
	}
	return all
}

// Shelf reads the tables of a store.
func Shelf(s storage.Store) table.Shelf { return table.NewShelf(s, slog.New(slog.DiscardHandler)) }

// DoubleTap is how far apart two presses are of which the second is no slip of the thumb.
const DoubleTap = 1500 * time.Millisecond

// PlaceOf is a channel of the community as it is called at first.
func PlaceOf(channel int64) chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -77}, Channel: channel}
}

// Place is a channel of the community as it is called now.
func (h *Hall) Place(channel int64) chat.Place {
	p := PlaceOf(channel)
	if h.At != (chat.Community{}) {
		p.Community = h.At
	}
	return p
}

// Warden is an admin who never plays.
const Warden = 100

// User is the n-th person as their platform knows them: Pn, who reads English. P99 and the Warden are admins.
func User(user int64) chat.User {
	return chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: "en", Admin: user == 99 || user == Warden}
}

// Table is the newest table open in a channel.
func (h *Hall) Table(channel int64) *table.Table {
	h.T.Helper()
	tables, err := Shelf(h.Store).Look(h.T.Context(), h.Place(channel))
	if err != nil || len(tables) == 0 {
		h.T.Fatalf("no table is open in channel %d: %v", channel, err)
	}
	return tables[len(tables)-1]
}

// Look is a table as it is stored, however it ended.
func (h *Hall) Look(id table.ID) *table.Table {
	h.T.Helper()
	t, err := Shelf(h.Store).LookAt(h.T.Context(), id)
	if err != nil {
		h.T.Fatal(err)
	}
	return t
}

// State is the deal at a table, as it is stored.
func (h *Hall) State(t *table.Table) engine.State {
	h.T.Helper()
	state, err := table.Replay(h.T.Context(), h.Store, h.Games[t.Game], t)
	if err != nil {
		h.T.Fatal(err)
	}
	return state
}

// OpenTables are the channel's open tables.
func (h *Hall) OpenTables(channel int64) []*table.Table {
	h.T.Helper()
	tables, err := Shelf(h.Store).Look(h.T.Context(), h.Place(channel))
	if err != nil {
		h.T.Fatal(err)
	}
	return tables
}

// OneDay is how long a day is that nobody changes the clock in.
const OneDay = 24 * time.Hour

// NewKeeper is a hall whose bot keeps what has ended for thirty days.
func NewKeeper(t *testing.T) *Hall {
	h := &Hall{T: t, Store: mem.New(), Keep: 30 * OneDay}
	h.Restart()
	return h
}

// Keeper keeps the hall's tables in order over another store, with so many tables of a community that ended; 0 is as many
// as usual.
func (h *Hall) Keeper(s storage.Store, maxEnded int) *upkeep.Keeper {
	catalogue, err := words.Load()
	if err != nil {
		h.T.Fatal(err)
	}
	house := table.NewHouse(s, games.All(), catalogue, slog.New(slog.DiscardHandler), h.TimeOfDay)
	house.Keep = table.NewKeeping(h.Keep)
	return upkeep.New(upkeep.Options{House: house, SaveRecords: h.Save, MaxEnded: maxEnded, Index: h.FindIndex()})
}

// RunTasks does what nobody waits for until there is an item with that key, and finished, or none any more. It belongs in a bubble.
func (h *Hall) RunTasks(key string, there bool) {
	h.T.Helper()
	h.RunTasksUntil(func() bool {
		items, err := h.Store.Get(h.T.Context(), key)
		if err != nil {
			h.T.Fatal(err)
		}
		return there == (items[0].Rev != 0 && !strings.Contains(string(items[0].Value), `"making":true`))
	})
}

// RunTasksUntil does what nobody waits for until it is done. It belongs in a bubble.
func (h *Hall) RunTasksUntil(done func() bool) {
	h.T.Helper()
	ctx, stop := context.WithCancel(h.T.Context())
	var tasks sync.WaitGroup
	tasks.Go(func() { h.Bot.RunTasks(ctx) })
	for !done() {
		time.Sleep(time.Second)
	}
	stop()
	tasks.Wait()
}
