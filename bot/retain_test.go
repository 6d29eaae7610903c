package bot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/enginetest"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// TestRetention lets a season leave: not a day too soon, with the audit clean and the scores right after every
// transaction, and with all that players have as it was. A process killed after any of the transactions leaves a store
// that the next one goes on with.
func TestRetention(t *testing.T) {
	h := newKeeper(t)
	h.season()
	was := possessions(t, h.store)
	if swept, err := h.bot.Sweep(t.Context()); err != nil || swept.Tables+swept.Postings > 0 || swept.Oldest == 0 {
		t.Fatalf("on the first day: %+v, %v", swept, err)
	}
	begun := count(t, h.store, keyspace.OpenTables, keyspace.EndedTables)
	h.running += 24 * oneDay
	swept, err := h.bot.Sweep(t.Context())
	if left := count(t, h.store, keyspace.OpenTables, keyspace.EndedTables); err != nil || swept.Tables == 0 || left != begun-swept.Tables || left == 0 {
		t.Fatalf("of %d tables %d are left: %+v, %v", begun, left, swept, err)
	}
	if now := possessions(t, h.store); !maps.Equal(was, now) {
		t.Fatalf("players have\n%v, and had\n%v", now, was)
	}
	h.running += 40 * oneDay
	rounds, tables := 0, swept.Tables
	for done := false; !done; rounds++ {
		m := &stores.Mortal{Store: h.store, Left: 1, Made: func() {
			if now := possessions(t, h.store); !maps.Equal(was, now) {
				t.Fatalf("players have\n%v, and had\n%v", now, was)
			}
			auditStore(t, h.store)
		}}
		h.restart()
		swept, err := h.keeper(m, 0).Sweep(t.Context())
		tables += swept.Tables
		if done = err == nil; !done && !errors.Is(err, storage.ErrUnavailable) {
			t.Fatal(err)
		}
	}
	left := count(t, h.store, keyspace.OpenTables, keyspace.EndedTables, keyspace.Moves, "d/", "e/", "h/")
	if left > 0 || rounds < 10 {
		t.Errorf("%d items are left after %d rounds", left, rounds)
	}
	t.Logf("%d tables, killed %d times", begun, rounds-1)
}

// TestRetentionOfMany: a session of more people than one transaction can carry forward leaves in several.
func TestRetentionOfMany(t *testing.T) {
	h := newKeeper(t)
	if people := h.sitMany(); people <= 40 {
		t.Fatalf("only %d people have played", people)
	}
	was := possessions(t, h.store)
	h.running += 60 * oneDay
	m := &stores.Mortal{Store: h.store, Left: -1, Made: func() { auditStore(t, h.store) }}
	if swept, err := h.keeper(m, 0).Sweep(t.Context()); err != nil || swept.Stayed > 0 {
		t.Fatal(swept, err)
	}
	if now := possessions(t, h.store); !maps.Equal(was, now) || count(t, h.store, keyspace.OpenTables, keyspace.EndedTables, "e/") > 0 {
		t.Errorf("players have\n%v, and had\n%v", now, was)
	}
}

// TestRetentionGoesOn plays a season again after one has left, and another: what players have goes on from what it was.
func TestRetentionGoesOn(t *testing.T) {
	t.Parallel()
	h, kept := newKeeper(t), newHall(t)
	for range enginetest.Bound(2, 3) {
		for _, one := range []*hall{h, kept} {
			one.season()
			one.running += 40 * oneDay
			one.audit()
		}
		if _, err := h.bot.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.audit()
		if got, want := possessions(t, h.store), possessions(t, kept.store); !maps.Equal(got, want) {
			t.Fatalf("players have\n%v, and where all is kept\n%v", got, want)
		}
	}
	if n, all := count(t, h.store, "f/", "o/", "e/"), count(t, kept.store, "f/", "o/", "e/"); n > all/10 {
		t.Errorf("%d items are kept of %d", n, all)
	}
}

// TestRetentionSaves: a record is saved before its table leaves, and stays with the table where it can't be.
func TestRetentionSaves(t *testing.T) {
	h := newKeeper(t)
	var saved []upkeep.Saved
	var sick error
	h.save = func(_ context.Context, some []upkeep.Saved) error {
		saved = append(saved, some...)
		return sick
	}
	h.restart()
	h.season()
	var want []string
	err := upkeep.NewArchive(h.store, games.All()).Export(t.Context(), func(r engine.Record) error {
		line, err := r.Marshal(h.bot.games[r.Game].Info())
		want = append(want, string(line))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.running += 60 * oneDay
	tables := count(t, h.store, keyspace.OpenTables, keyspace.EndedTables)
	sick = errors.New("the disk is full")
	if _, err := h.bot.Sweep(t.Context()); !errors.Is(err, sick) || count(t, h.store, keyspace.OpenTables, keyspace.EndedTables) != tables {
		t.Errorf("with a full disk: %v, %d tables of %d", err, count(t, h.store, keyspace.OpenTables, keyspace.EndedTables), tables)
	}
	sick, saved = nil, nil
	if _, err := h.bot.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range saved {
		got = append(got, string(s.Line))
		if s.Ended.Before(time.Unix(1_800_000_000, 0)) || s.Ended.Location() != time.UTC {
			t.Errorf("a record ended %v", s.Ended)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("%d records are saved, want %d", len(got), len(want))
	}
}

// TestAfterRetention: whoever asks after what has left is answered in words.
func TestAfterRetention(t *testing.T) {
	h := newKeeper(t)
	id := h.playZevaka(2, 1, 2)
	h.sit(1, "100 limit=45s", 1, 2)
	h.finish(1)
	h.running += 60 * oneDay
	if _, err := h.bot.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, do := range []string{"flip", "!again", "!hand", "!leave", "!show"} {
		r := h.ask(2, 1, chat.Press, table.Token{Table: id, Epoch: 9, Do: do}.String())
		if !h.is(r, "table-gone") {
			t.Errorf("%s at a table that has left: %q, %d posts", do, r.Toast, len(r.Posts))
		}
	}
	entries := h.ledgerOf(1)
	if !strings.Contains(entries, "no longer kept") || strings.Contains(entries, "never been touched") {
		t.Errorf("the ledger says\n%s", entries)
	}
	h.must(1, 1, chat.Command, "/daily")
	if entries = h.ledgerOf(1); !strings.Contains(entries, "chips of the day") || !strings.Contains(entries, "no longer kept") {
		t.Errorf("with a new entry the ledger says\n%s", entries)
	}
	if entries = h.ledgerOf(7); !strings.Contains(entries, "never been touched") {
		t.Errorf("to somebody new it says\n%s", entries)
	}
	if r := h.must(2, 1, chat.Command, "/scores P1"); !strings.Contains(words.Flat(r.Posts[0].Text), "1 game") {
		t.Errorf("the scores are %s", words.Flat(r.Posts[0].Text))
	}
}

// ledgerOf is what /ledger tells a user.
func (h *hall) ledgerOf(user int64) string {
	h.t.Helper()
	return words.Flat(h.must(1, user, chat.Command, "/ledger").Posts[0].Text)
}

// TestLongWait: a table that waits for people ends when it has waited as long as is kept, and its chips go back.
func TestLongWait(t *testing.T) {
	for _, test := range []struct {
		name  string
		open  func(*hall)
		keep  time.Duration
		ended bool
	}{
		{"without a limit", func(h *hall) { h.sit(1, "100 limit=none", 1, 2) }, 30 * oneDay, true},
		{"asleep", func(h *hall) { h.sleep() }, 30 * oneDay, true},
		{"for ever", func(h *hall) { h.sleep() }, 0, false},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			h := newHall(t)
			h.keep = test.keep
			h.restart()
			test.open(h)
			id := h.table(1).ID
			h.running += 29 * oneDay
			h.pass(time.Minute)
			if now := h.look(id); now.Phase == table.Ended {
				t.Fatalf("after 29 days it is over: %s", now.Why)
			}
			h.running += 2 * oneDay
			h.pass(time.Minute)
			if now := h.look(id); (now.Phase == table.Ended) != test.ended || test.ended && now.Why != "stop-slept" {
				t.Errorf("after 31 days it is in phase %d, %q", now.Phase, now.Why)
			}
			if all := h.audit(); test.ended && all.Laid != 0 {
				t.Errorf("%d chips lie at a table that is over", all.Laid)
			}
		})
	}
}

// sleep leaves a game of Зевака alone until it sleeps.
func (h *hall) sleep() {
	h.t.Helper()
	id := h.dealt("15s")
	for range 100 {
		if h.pass(time.Minute); h.look(id).Asleep {
			return
		}
	}
	h.t.Fatal("the table doesn't go to sleep")
}

// TestRetain: the first sweep comes soon after the start and takes its time, the next one when something may leave.
func TestRetain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t)
		var err error
		if h.bot, err = New(t.Context(), Options{Store: h.store, Games: games.All(), Keep: 30 * oneDay}); err != nil {
			t.Fatal(err)
		}
		h.giveUpPatience(3, 2)
		time.Sleep(31 * oneDay)
		h.giveUpPatience(3, 2)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { h.bot.Retain(ctx); close(done) }()
		wait := func(d time.Duration, left int) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if n := count(t, h.store, keyspace.OpenTables, keyspace.EndedTables); n != left {
				t.Errorf("after %v there are %d tables, want %d", d, n, left)
			}
		}
		wait(time.Minute-time.Second, 2)
		wait(time.Minute, 1)
		wait(29*oneDay, 1)
		wait(2*oneDay, 0)
		stop()
		<-done
	})
}

// TestRetainNothing: where all is kept for ever there is nothing to do.
func TestRetainNothing(t *testing.T) {
	h := newHall(t)
	h.bot.Retain(t.Context())
	if swept, err := h.bot.Sweep(t.Context()); err != nil || swept != (upkeep.Swept{}) {
		t.Errorf("%+v, %v", swept, err)
	}
}

// roam lets six people press at random what they see, and type what has to do with chips and tables.
func (h *hall) roam(chance *rand.Rand, steps int) {
	h.t.Helper()
	commands := []string{
		"/banchok limit=15s 50", "/banchok 100 side limit=15s dealer=bot", "/zevaka limit=15s", "/tecza deal=7", "/zaba", "/daily", "/balance",
		"/bet 5", "/bet 100", "/leave", "/back", "/give P3 200", "/grant P4 1", "/stop", "/ledger", "/scores", "/top", "/table",
	}
	var tokens []chat.Post
	see := func(posts []chat.Post) {
		for _, p := range posts {
			if len(p.Buttons) > 0 {
				tokens = append(tokens, p)
			}
			if p.Receipt != "" && chance.IntN(3) > 0 {
				h.asked++
				shown := chat.Request{ID: fmt.Sprint("shown ", h.asked), In: p.In, Kind: chat.Shown, Data: p.Receipt, On: chat.Ref(fmt.Sprint("m", h.asked))}
				h.bot.seen(h.t.Context(), shown)
			}
		}
	}
	for range steps {
		user, channel := chance.Int64N(6)+1, chance.Int64N(3)+1
		if len(tokens) == 0 || chance.IntN(4) == 0 {
			see(h.ask(channel, user, chat.Command, commands[chance.IntN(len(commands))]).Posts)
			continue
		}
		p := tokens[max(0, len(tokens)-1-chance.IntN(min(len(tokens), 20)))]
		row := p.Buttons[chance.IntN(len(p.Buttons))]
		see(h.ask(p.In.Channel, user, chat.Press, row[chance.IntN(len(row))].Token).Posts)
		if chance.IntN(30) == 0 {
			h.said = nil
			h.pass(time.Minute)
			see(h.said)
		}
	}
}

// TestRetentionStorm lets people do anything, days pass, and what is old leave in between. What players have never
// changes by that, and when everybody has been away for long nothing but that is left.
func TestRetentionStorm(t *testing.T) {
	for seed := range uint64(enginetest.Bound(1, 3)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := newKeeper(t)
			chance := rand.New(rand.NewPCG(seed, 9))
			left := 0
			for range 15 {
				h.roam(chance, 60)
				h.running += time.Duration(chance.Int64N(int64(10 * oneDay)))
				was := possessions(t, h.store)
				swept, err := h.bot.Sweep(t.Context())
				if now := possessions(t, h.store); err != nil || swept.Stayed > 0 || !maps.Equal(was, now) {
					t.Fatalf("%+v, %v: players have\n%v, and had\n%v", swept, err, now, was)
				}
				left += swept.Tables
				h.audit()
				if chance.IntN(4) == 0 {
					h.restart()
				}
			}
			for range 3 { // What sleeps ends, and then leaves.
				h.running += 31 * oneDay
				h.pass(30 * time.Minute)
			}
			if _, err := h.bot.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.running += 31 * oneDay
			if _, err := h.bot.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if all := h.audit(); all.Laid != 0 || left == 0 {
				t.Errorf("%d tables have left, %+v", left, all)
			}
			if n := count(t, h.store, keyspace.OpenTables, keyspace.EndedTables, keyspace.Moves, "d/", "e/", "h/"); n > 0 {
				t.Errorf("%d items are left", n)
			}
			t.Logf("%d tables left between", left)
		})
	}
}

// TestManyChunks: the moves of a long game leave in several transactions, and what stands in its stead with the last.
func TestManyChunks(t *testing.T) {
	for _, chunks := range []int{0, 1, storage.MaxKeys - 2, storage.MaxKeys - 1, storage.MaxKeys, 250} {
		h := newKeeper(t)
		overwrite(t, h.store, "d/t-25/k7", fmt.Sprintf(`{"ledger":"t-25","home":"t-26/k7","chunks":%d}`, chunks))
		for n := range chunks {
			overwrite(t, h.store, table.ChunkKey("t-26/k7", n), "0 flip;")
		}
		m := &stores.Mortal{Store: h.store, Left: -1}
		m.Made = func() {
			if count(t, h.store, keyspace.Moves) > 0 && count(t, h.store, "d/") == 0 {
				t.Error("nothing says that there are moves to take away")
			}
		}
		_, err := h.keeper(m, 0).Sweep(t.Context())
		if left := count(t, h.store, keyspace.Moves, "d/"); err != nil || left > 0 {
			t.Errorf("of %d chunks: %d items are left, %v", chunks, left, err)
		}
	}
}

// TestMostEndedTables: where a community has too many tables that ended, those leave early that ended first; others keep
// theirs, and an audit finds nothing.
func TestMostEndedTables(t *testing.T) {
	h := newKeeper(t)
	keeper := h.keeper(h.store, 5)
	var ids []table.ID
	for range 12 {
		ids = append(ids, h.playOne(1, 1, chat.Command, "/tecza deal=7"))
	}
	h.at = chat.Community{Platform: chat.Telegram, ID: -78}
	other := h.playOne(1, 1, chat.Command, "/tecza deal=7")
	swept, err := keeper.Sweep(t.Context())
	if err != nil || swept.Tables != 7 || swept.Most != 5 {
		t.Errorf("%+v, %v", swept, err)
	}
	for i, id := range append(ids, other) {
		if _, there, err := h.bot.tables.IsOpen(t.Context(), id); there != (i >= 7) || err != nil {
			t.Errorf("table %d is there: %t, %v", i, there, err)
		}
	}
	h.audit()
}
