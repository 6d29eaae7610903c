package bot

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// hall is a community with tables where people play for chips. The n-th person is called Pn.
type hall struct {
	t       *testing.T
	store   storage.Store
	bot     *Bot
	running time.Duration
	// wall is by how much the time of day has been put forward besides.
	wall  time.Duration
	asked int
	seeds uint64
	// said are the posts of the clock.
	said []Post
	// at is the community as it is called now, if it has had another name.
	at Community
	// keep and save are those of the bot's Options.
	keep time.Duration
	save func(context.Context, []Saved) error
}

func newHall(t *testing.T) *hall {
	h := &hall{t: t, store: mem.New()}
	h.restart()
	return h
}

// restart begins another life of the bot, which knows the running time as it was saved last, up to ten seconds ago.
func (h *hall) restart() {
	h.t.Helper()
	if h.bot != nil {
		now := h.running
		h.running -= h.running % saveEvery
		if err := h.bot.saveRunning(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		h.running = now
	}
	var err error
	h.bot, err = New(h.t.Context(), Options{
		Store: h.store, Games: games.All(), Running: func() time.Duration { return h.running },
		Keep: h.keep, SaveRecords: h.save,
		Now: func() time.Time { return time.Unix(1_800_000_000, 0).Add(h.running + h.wall) },
		Seed: func() (seed engine.Seed) {
			binary.BigEndian.PutUint64(seed[:], atomic.AddUint64(&h.seeds, 1))
			return seed
		},
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// hallPlace is a channel of the community as it is called at first.
func hallPlace(channel int64) Place {
	return Place{Community: Community{Telegram, -77}, Channel: channel}
}

// place is a channel of the community as it is called now.
func (h *hall) place(channel int64) Place {
	p := hallPlace(channel)
	if h.at != (Community{}) {
		p.Community = h.at
	}
	return p
}

func hallUser(user int64) User {
	return User{ID: user, Name: fmt.Sprint("P", user), Lang: "en", Admin: user == 99}
}

// ask makes a request in a channel, two seconds after the one before.
func (h *hall) ask(channel, user int64, kind Kind, data string) Response {
	h.running += 2 * time.Second
	return h.soon(channel, user, kind, data)
}

// soon makes a request in the same moment as the one before.
func (h *hall) soon(channel, user int64, kind Kind, data string) Response {
	h.asked++
	r := h.bot.Handle(h.t.Context(), Request{
		ID: fmt.Sprint("ask ", h.asked), Kind: kind, Who: hallUser(user), Data: data, In: h.place(channel),
	})
	if r.Toast == h.bot.words.Lang("en").Say("broken") {
		h.t.Helper()
		h.t.Fatalf("%q breaks", data)
	}
	return r
}

// must is ask that may not be refused.
func (h *hall) must(channel, user int64, kind Kind, data string) Response {
	h.t.Helper()
	r := h.ask(channel, user, kind, data)
	if r.Alert {
		h.t.Fatalf("P%d: %q is refused: %s", user, data, r.Toast)
	}
	return r
}

// sit opens a table in a channel, seats the users and deals.
func (h *hall) sit(channel int64, options string, users ...int64) *table {
	h.t.Helper()
	h.must(channel, users[0], Command, "/banchok "+options)
	id := h.table(channel).id
	for _, user := range users[1:] {
		h.must(channel, user, Press, token{Table: id, Do: "!join"}.String())
	}
	h.must(channel, users[0], Press, token{Table: id, Do: "!deal"}.String())
	h.cut(channel)
	return h.table(channel)
}

// cut lets the cutter of the channel's table cut.
func (h *hall) cut(channel int64) {
	h.t.Helper()
	t := h.table(channel)
	h.must(channel, t.Chairs[t.Cutter].User, Press, token{Table: t.id, Epoch: 1, Do: "!cut 7"}.String())
}

// table is the newest table open in a channel.
func (h *hall) table(channel int64) *table {
	h.t.Helper()
	tables, err := h.bot.look(h.t.Context(), h.place(channel))
	if err != nil || len(tables) == 0 {
		h.t.Fatalf("no table is open in channel %d: %v", channel, err)
	}
	return tables[len(tables)-1]
}

// look is a table as it is stored, however it ended.
func (h *hall) look(id tableID) *table {
	h.t.Helper()
	t, err := h.bot.lookAt(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return t
}

// state is the deal at a table, as it is stored.
func (h *hall) state(t *table) engine.State {
	h.t.Helper()
	v := &visit{bot: h.bot, table: t, rules: h.bot.games[t.Game]}
	state, err := v.play(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return state
}

// button is the token of a move as the newest picture of the channel's table has it.
func (h *hall) button(channel int64, do string) string {
	h.t.Helper()
	t := h.table(channel)
	return token{Table: t.id, Epoch: t.playEpoch(h.state(t)), Do: do}.String()
}

// move presses a button of the newest picture.
func (h *hall) move(channel, user int64, do string) Response {
	h.t.Helper()
	return h.must(channel, user, Press, h.button(channel, do))
}

// turn is who must move at the channel's table.
func (h *hall) turn(channel int64) int64 {
	h.t.Helper()
	t := h.table(channel)
	return t.Chairs[h.state(t).Turn()[0]].User
}

// pass lets running time pass, and keeps every deadline when it is due.
func (h *hall) pass(d time.Duration) {
	var one sync.Mutex // Tables ring side by side.
	show := func(_ context.Context, r Response) {
		one.Lock()
		defer one.Unlock()
		if r.Alert {
			h.t.Errorf("the clock is told %q", r.Toast)
		}
		h.said = append(h.said, r.Posts...)
	}
	for end := h.running + d; h.running < end; h.running += 500 * time.Millisecond {
		for h.bot.Ring(h.t.Context(), show) == 0 {
		}
	}
}

// settleHand lets the one whose turn it is stake so much, and the banker turn the card.
func (h *hall) settleHand(channel int64, stake int) {
	h.t.Helper()
	h.move(channel, h.turn(channel), fmt.Sprint("stake ", stake))
	h.move(channel, h.turn(channel), "open")
}

// purse is what the user's purse holds.
func (h *hall) purse(user int64) int64 {
	h.t.Helper()
	var p []purse.Purse
	err := storage.Update(h.t.Context(), h.store, func(tx storage.Tx) (err error) {
		p, err = purse.Ledger{Tx: tx, Community: hallPlace(1).Community.String()}.Purses(user)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return p[0].Balance
}

// audit wants every chip to be where it should be, and the scores to be those of the tables.
func (h *hall) audit() Audited {
	h.t.Helper()
	return auditStore(h.t, h.store)
}

func auditStore(t *testing.T, s storage.Store) Audited {
	t.Helper()
	archive := NewArchive(s, games.All())
	all, err := archive.Audit(t.Context(), func(p purse.Problem) { t.Error(p) })
	if err != nil || all.Chips+all.Laid+all.House != 0 {
		t.Fatalf("the audit: %+v, %v", all, err)
	}
	again, err := archive.Scores(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Compare(t.Context(), s, func(d scores.Difference) { t.Error(d) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// finish lets every hand be staked on with the whole bank until this one ends, and returns its table.
func (h *hall) finish(channel int64) *table {
	h.t.Helper()
	id := h.table(channel).id
	for range 100 {
		t := h.look(id)
		if t.Phase == ended {
			return t
		}
		h.settleHand(channel, int(t.Chips.Bank))
	}
	h.t.Fatal("the bank doesn't end")
	return nil
}

// is reports whether the answer is the refusal of that name, as far as it has no blanks.
func (h *hall) is(r Response, refusal engine.Refusal) bool {
	begin := h.bot.words.Lang("en").Sentence("no." + string(refusal))[0].Text
	return r.Alert && strings.HasPrefix(r.Toast, begin) && begin != ""
}
