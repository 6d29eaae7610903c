package bot

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zevaka/bot/board"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/clock"
	"zevaka/bot/keyspace"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// hall is a community with tables where people play for chips. The n-th person is called Pn.
type hall struct {
	t       testing.TB
	store   storage.Store
	bot     *Bot
	running time.Duration
	// wall is by how much the time of day has been put forward besides.
	wall  time.Duration
	asked int
	seeds uint64
	// said are the posts of the clock.
	said []chat.Post
	// pictures are those that were shown last.
	pictures gallery
	// at is the community as it is called now, if it has had another name.
	at chat.Community
	// keep and save are those of the bot's Options.
	keep time.Duration
	save func(context.Context, []upkeep.Saved) error
	// remembers says that the bot has a memory of its store.
	remembers bool
	// addTime is how long the others have to add something to the cut.
	addTime time.Duration
}

func newHall(t *testing.T) *hall {
	h := &hall{t: t, store: mem.New()}
	h.restart()
	return h
}

// twin is a hall where everything has happened that has happened in this one.
func (h *hall) twin(t *testing.T) *hall {
	t.Helper()
	h.restart() // So that the running time is stored.
	other := &hall{t: t, store: mem.New(), running: h.running, wall: h.wall, asked: h.asked, seeds: h.seeds, at: h.at, keep: h.keep, save: h.save}
	for items := range slices.Chunk(stores.Items(t, h.store, ""), storage.MaxKeys) {
		err := storage.Update(t.Context(), other.store, func(tx storage.Tx) error {
			for _, item := range items {
				tx.Put(item.Key, item.Value)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	other.restart()
	return other
}

// restart begins another life of the bot, which knows the running time as it was saved last, up to ten seconds ago.
func (h *hall) restart() {
	h.t.Helper()
	if h.bot != nil {
		now := h.running
		h.running -= h.running % clock.SaveEvery
		if err := h.bot.clock.Save(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		h.running = now
	}
	var store storage.Store = listed{h.store, h.t}
	if h.remembers {
		store = Remember(store)
	}
	var err error
	h.bot, err = New(h.t.Context(), Options{
		Store: store, Games: games.All(), Running: func() time.Duration { return h.running },
		Keep: h.keep, SaveRecords: h.save, AddTime: h.addTime,
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

// listed is a store that fails the test where something is written under a key of no family.
type listed struct {
	storage.Store
	t testing.TB
}

// Commit implements storage.Store.
func (s listed) Commit(ctx context.Context, t storage.Txn) (uint64, error) {
	for _, w := range t.Writes {
		one := func(f keyspace.Family) bool { return strings.HasPrefix(w.Key, f.Prefix) && len(w.Key) > len(f.Prefix) }
		if !slices.ContainsFunc(keyspace.All(), one) {
			s.t.Errorf("%q is written, and listed nowhere", w.Key)
		}
	}
	return s.Store.Commit(ctx, t)
}

// hallPlace is a channel of the community as it is called at first.
func hallPlace(channel int64) chat.Place {
	return chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -77}, Channel: channel}
}

// place is a channel of the community as it is called now.
func (h *hall) place(channel int64) chat.Place {
	p := hallPlace(channel)
	if h.at != (chat.Community{}) {
		p.Community = h.at
	}
	return p
}

// warden is an admin who never plays.
const warden = 100

func hallUser(user int64) chat.User {
	return chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: "en", Admin: user == 99 || user == warden}
}

// ask makes a request in a channel, two seconds after the one before.
func (h *hall) ask(channel, user int64, kind chat.Kind, data string) chat.Response {
	h.running += 2 * time.Second
	return h.soon(channel, user, kind, data)
}

// soon makes a request in the same moment as the one before.
func (h *hall) soon(channel, user int64, kind chat.Kind, data string) chat.Response {
	h.asked++
	r := h.bot.Handle(h.t.Context(), chat.Request{
		ID: fmt.Sprint("ask ", h.asked), Kind: kind, Who: hallUser(user), Data: data, In: h.place(channel),
	})
	h.pictures.hang(h.t, r)
	r = chattest.Drawn(r)
	if r.Toast == h.bot.words.Lang("en").Say("broken") {
		h.t.Helper()
		h.t.Fatalf("%q breaks", data)
	}
	return r
}

// opens opens a table by a line, though others wait for players.
func (h *hall) opens(channel, user int64, line string) chat.Response {
	h.t.Helper()
	if strings.HasPrefix(line, "/zevaka") {
		return h.ask(channel, user, chat.Press, table.PlaceToken(chat.Request{In: h.place(channel)}, "!another "+line[1:]))
	}
	return h.ask(channel, user, chat.Command, line)
}

// must is ask that may not be refused.
func (h *hall) must(channel, user int64, kind chat.Kind, data string) chat.Response {
	h.t.Helper()
	r := h.ask(channel, user, kind, data)
	if r.Alert {
		h.t.Fatalf("P%d: %q is refused: %s", user, data, r.Toast)
	}
	return r
}

// sure is must for what one is asked about again: the first answer is given.
func (h *hall) sure(channel, user int64, kind chat.Kind, data string) chat.Response {
	h.t.Helper()
	return again(h.must, channel, user, kind, data)
}

// surely is ask for what one may be asked about again: the first answer is given.
func (h *hall) surely(channel, user int64, kind chat.Kind, data string) chat.Response {
	h.t.Helper()
	return again(h.ask, channel, user, kind, data)
}

// again asks, and gives the first answer to what comes back.
func again(ask func(int64, int64, chat.Kind, string) chat.Response, channel, user int64, kind chat.Kind, data string) chat.Response {
	r := ask(channel, user, kind, data)
	if answer := answerIn(r); answer != "" {
		return ask(channel, user, chat.Press, answer)
	}
	return r
}

// answer is the token of the first answer to what the user is asked about again.
func (h *hall) answer(channel, user int64, kind chat.Kind, data string) string {
	h.t.Helper()
	answer := answerIn(h.must(channel, user, kind, data))
	if answer == "" {
		h.t.Fatalf("P%d: %q is not asked about again", user, data)
	}
	return answer
}

// answerIn is the token of the first answer to the question in a response; empty if there is none.
func answerIn(r chat.Response) string {
	for _, p := range r.Posts {
		for _, row := range p.Rows(board.MaxRow) {
			for _, b := range row {
				if strings.Contains(b.Token, ".!answer ") {
					return b.Token
				}
			}
		}
	}
	return ""
}

// sit opens a table in a channel, seats the users and deals.
func (h *hall) sit(channel int64, options string, users ...int64) *table.Table {
	h.t.Helper()
	h.must(channel, users[0], chat.Command, "/banchok "+options)
	id := h.table(channel).ID
	for _, user := range users[1:] {
		h.must(channel, user, chat.Press, table.Token{Table: id, Do: "!join"}.String())
	}
	h.must(channel, users[0], chat.Press, table.Token{Table: id, Do: "!deal"}.String())
	h.cut(channel)
	return h.table(channel)
}

// cut lets the cutter of the channel's table cut.
func (h *hall) cut(channel int64) {
	h.t.Helper()
	t := h.table(channel)
	h.must(channel, t.Chairs[t.Cutter].User, chat.Press, table.Token{Table: t.ID, Epoch: 1, Do: "!cut 7"}.String())
}

// table is the newest table open in a channel.
func (h *hall) table(channel int64) *table.Table {
	h.t.Helper()
	tables, err := h.bot.tables.Look(h.t.Context(), h.place(channel))
	if err != nil || len(tables) == 0 {
		h.t.Fatalf("no table is open in channel %d: %v", channel, err)
	}
	return tables[len(tables)-1]
}

// look is a table as it is stored, however it ended.
func (h *hall) look(id table.ID) *table.Table {
	h.t.Helper()
	t, err := h.bot.tables.LookAt(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return t
}

// state is the deal at a table, as it is stored.
func (h *hall) state(t *table.Table) engine.State {
	h.t.Helper()
	state, err := table.Replay(h.t.Context(), h.bot.store, h.bot.games[t.Game], t)
	if err != nil {
		h.t.Fatal(err)
	}
	return state
}

// button is the token of a move as the newest picture of the channel's table has it.
func (h *hall) button(channel int64, do string) string {
	h.t.Helper()
	t := h.table(channel)
	return table.Token{Table: t.ID, Epoch: t.Epoch(h.state(t)), Do: do}.String()
}

// move presses a button of the newest picture, and says so again if the user is asked.
func (h *hall) move(channel, user int64, do string) chat.Response {
	h.t.Helper()
	return h.sure(channel, user, chat.Press, h.button(channel, do))
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
	show := func(_ context.Context, r chat.Response) {
		one.Lock()
		defer one.Unlock()
		if r.Alert {
			h.t.Errorf("the clock is told %q", r.Toast)
		}
		h.said = append(h.said, chattest.Drawn(r).Posts...)
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
	return h.purseOf(user).Balance
}

func (h *hall) purseOf(user int64) purse.Purse {
	h.t.Helper()
	var p []purse.Purse
	err := storage.Update(h.t.Context(), h.store, func(tx storage.Tx) (err error) {
		p, err = purse.Ledger{Tx: tx, Community: hallPlace(1).Community.String()}.Purses(user)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return p[0]
}

// audit wants every chip to be where it should be, and the scores to be those of the tables.
func (h *hall) audit() upkeep.Audited {
	h.t.Helper()
	return auditStore(h.t, h.store)
}

func auditStore(t testing.TB, s storage.Store) upkeep.Audited {
	t.Helper()
	archive := upkeep.NewArchive(s, games.All())
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
func (h *hall) finish(channel int64) *table.Table {
	h.t.Helper()
	id := h.table(channel).ID
	for range 100 {
		t := h.look(id)
		if t.Phase == table.Ended {
			return t
		}
		h.settleHand(channel, int(t.Chips.Bank))
	}
	h.t.Fatal("the bank doesn't end")
	return nil
}

// is reports whether the answer is the refusal of that name, as far as it has no blanks.
func (h *hall) is(r chat.Response, refusal engine.Refusal) bool {
	begin := h.bot.words.Lang("en").Sentence("no." + string(refusal))[0].Text
	return r.Alert && strings.HasPrefix(r.Toast, begin) && begin != ""
}

// put stores a table that is open.
func (h *hall) put(t *table.Table) {
	h.t.Helper()
	value, err := t.Encode()
	if err == nil {
		err = storage.Update(h.t.Context(), h.store, func(tx storage.Tx) error {
			tx.Put(table.KeyOpen(t.ID), value)
			return nil
		})
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// redraw lets no draw for a bank stand any longer.
func (h *hall) redraw() {
	h.t.Helper()
	err := storage.Update(h.t.Context(), h.store, func(tx storage.Tx) error {
		tx.Delete("q/" + hallPlace(1).Community.String())
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
}
