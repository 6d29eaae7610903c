package upkeep_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// TestRetention lets a season leave: not a day too soon, with the audit clean and the scores right after every
// transaction, and with all that players have as it was. A process killed after any of the transactions leaves a store
// that the next one goes on with.
func TestRetention(t *testing.T) {
	h := bottest.NewKeeper(t)
	h.Season()
	was := possessions(t, h.Store)
	if swept, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil || swept.Tables+swept.Postings > 0 {
		t.Fatalf("on the first day: %+v, %v", swept, err)
	}
	begun := count(t, h.Store, keyspace.OpenTables, keyspace.EndedTables)
	h.Running += 24 * bottest.OneDay
	swept, err := h.Keeper(h.Store, 0).Sweep(t.Context())
	if left := count(t, h.Store, keyspace.OpenTables, keyspace.EndedTables); err != nil || swept.Tables == 0 || left != begun-swept.Tables || left == 0 {
		t.Fatalf("of %d tables %d are left: %+v, %v", begun, left, swept, err)
	}
	if now := possessions(t, h.Store); !maps.Equal(was, now) {
		t.Fatalf("players have\n%v, and had\n%v", now, was)
	}
	h.Running += 40 * bottest.OneDay
	rounds, tables := 0, swept.Tables
	for done := false; !done; rounds++ {
		m := &stores.Mortal{Store: h.Store, Left: 1, Made: func() {
			if now := possessions(t, h.Store); !maps.Equal(was, now) {
				t.Fatalf("players have\n%v, and had\n%v", now, was)
			}
			bottest.AuditStore(t, h.Store)
		}}
		h.Restart()
		swept, err := h.Keeper(m, 0).Sweep(t.Context())
		tables += swept.Tables
		if done = err == nil; !done && !errors.Is(err, storage.ErrUnavailable) {
			t.Fatal(err)
		}
	}
	left := count(t, h.Store, keyspace.OpenTables, keyspace.EndedTables, keyspace.Moves, "d/", "e/", "h/")
	if left > 0 || rounds < 10 {
		t.Errorf("%d items are left after %d rounds", left, rounds)
	}
	t.Logf("%d tables, killed %d times", begun, rounds-1)
}

// TestRetentionOfMany: a session of more people than one transaction can carry forward leaves in several.
func TestRetentionOfMany(t *testing.T) {
	h := bottest.NewKeeper(t)
	if people := h.SitMany(); people <= 40 {
		t.Fatalf("only %d people have played", people)
	}
	was := possessions(t, h.Store)
	h.Running += 60 * bottest.OneDay
	m := &stores.Mortal{Store: h.Store, Left: -1, Made: func() { bottest.AuditStore(t, h.Store) }}
	if swept, err := h.Keeper(m, 0).Sweep(t.Context()); err != nil || swept.Stayed > 0 {
		t.Fatal(swept, err)
	}
	if now := possessions(t, h.Store); !maps.Equal(was, now) || count(t, h.Store, keyspace.OpenTables, keyspace.EndedTables, "e/") > 0 {
		t.Errorf("players have\n%v, and had\n%v", now, was)
	}
}

// TestRetentionGoesOn plays a season again after one has left, and another: what players have goes on from what it was.
func TestRetentionGoesOn(t *testing.T) {
	t.Parallel()
	h, kept := bottest.NewKeeper(t), bottest.NewHall(t)
	for range 1 + *rounds {
		for _, one := range []*bottest.Hall{h, kept} {
			one.Season()
			one.Running += 40 * bottest.OneDay
			one.Audit()
		}
		if _, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.Audit()
		if got, want := possessions(t, h.Store), possessions(t, kept.Store); !maps.Equal(got, want) {
			t.Fatalf("players have\n%v, and where all is kept\n%v", got, want)
		}
	}
	if n, all := count(t, h.Store, "f/", "o/", "e/"), count(t, kept.Store, "f/", "o/", "e/"); n > all/10 {
		t.Errorf("%d items are kept of %d", n, all)
	}
}

// TestRetentionSaves: a record is saved before its table leaves, and stays with the table where it can't be.
func TestRetentionSaves(t *testing.T) {
	h := bottest.NewKeeper(t)
	var saved []upkeep.Saved
	var sick error
	h.Save = func(_ context.Context, some []upkeep.Saved) error {
		saved = append(saved, some...)
		return sick
	}
	h.Restart()
	h.Season()
	var want []string
	err := upkeep.NewArchive(h.Store, games.All()).Export(t.Context(), func(r engine.Record) error {
		line, err := r.Marshal(h.Games[r.Game].Info())
		want = append(want, string(line))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.Running += 60 * bottest.OneDay
	tables := count(t, h.Store, keyspace.OpenTables, keyspace.EndedTables)
	sick = errors.New("the disk is full")
	if _, err := h.Keeper(h.Store, 0).Sweep(t.Context()); !errors.Is(err, sick) || count(t, h.Store, keyspace.OpenTables, keyspace.EndedTables) != tables {
		t.Errorf("with a full disk: %v, %d tables of %d", err, count(t, h.Store, keyspace.OpenTables, keyspace.EndedTables), tables)
	}
	sick, saved = nil, nil
	if _, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil {
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
	h := bottest.NewKeeper(t)
	id := h.PlayZevaka(2, 1, 2)
	h.Sit(1, "100 limit=45s", 1, 2)
	h.Finish(1)
	h.Running += 60 * bottest.OneDay
	if _, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, do := range []string{"flip", "!again", "!hand", "!leave", "!show"} {
		r := h.Ask(2, 1, chat.Press, table.Token{Table: id, Epoch: 9, Do: do}.String())
		if !h.Is(r, "table-gone") {
			t.Errorf("%s at a table that has left: %q, %d posts", do, r.Toast, len(r.Posts))
		}
	}
	entries := ledgerOf(h, 1)
	if !strings.Contains(entries, "no longer kept") || strings.Contains(entries, "never been touched") {
		t.Errorf("the ledger says\n%s", entries)
	}
	h.Must(1, 1, chat.Command, "/daily")
	if entries = ledgerOf(h, 1); !strings.Contains(entries, "chips of the day") || !strings.Contains(entries, "no longer kept") {
		t.Errorf("with a new entry the ledger says\n%s", entries)
	}
	if entries = ledgerOf(h, 7); !strings.Contains(entries, "never been touched") {
		t.Errorf("to somebody new it says\n%s", entries)
	}
	if r := h.Must(2, 1, chat.Command, "/scores P1"); !strings.Contains(words.Flat(r.Posts[0].Text), "1 game") {
		t.Errorf("the scores are %s", words.Flat(r.Posts[0].Text))
	}
}

// ledgerOf is what /ledger tells a user.
func ledgerOf(h *bottest.Hall, user int64) string {
	h.T.Helper()
	return words.Flat(h.Must(1, user, chat.Command, "/ledger").Posts[0].Text)
}

// TestLongWait: a table that waits for people ends when it has waited as long as is kept, and its chips go back.
func TestLongWait(t *testing.T) {
	for _, test := range []struct {
		name  string
		open  func(*bottest.Hall)
		keep  time.Duration
		ended bool
	}{
		{"without a limit", func(h *bottest.Hall) { h.Sit(1, "100 limit=none", 1, 2) }, 30 * bottest.OneDay, true},
		{"asleep", func(h *bottest.Hall) { sleep(h) }, 30 * bottest.OneDay, true},
		{"for ever", func(h *bottest.Hall) { sleep(h) }, 0, false},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			h := bottest.NewHall(t)
			h.Keep = test.keep
			h.Restart()
			test.open(h)
			id := h.Table(1).ID
			h.Running += 29 * bottest.OneDay
			h.Pass(time.Minute)
			if now := h.Look(id); now.Phase == table.Ended {
				t.Fatalf("after 29 days it is over: %s", now.Why)
			}
			h.Running += 2 * bottest.OneDay
			h.Pass(time.Minute)
			if now := h.Look(id); (now.Phase == table.Ended) != test.ended || test.ended && now.Why != "stop-slept" {
				t.Errorf("after 31 days it is in phase %d, %q", now.Phase, now.Why)
			}
			if all := h.Audit(); test.ended && all.Laid != 0 {
				t.Errorf("%d chips lie at a table that is over", all.Laid)
			}
		})
	}
}

// sleep leaves a game of Зевака alone until it sleeps.
func sleep(h *bottest.Hall) {
	h.T.Helper()
	id := h.Dealt("15s")
	for range 100 {
		if h.Pass(time.Minute); h.Look(id).Asleep {
			return
		}
	}
	h.T.Fatal("the table doesn't go to sleep")
}

// TestRetainPanics: what breaks while tables leave ends neither the process nor that tables leave.
func TestRetainPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := 2
		h := bottest.NewKeeper(t)
		h.Save = func(context.Context, []upkeep.Saved) error {
			if broken--; broken >= 0 {
				panic("oh")
			}
			return nil
		}
		h.Restart()
		h.Must(1, 1, chat.Command, "/tecza deal=7")
		id := h.Table(1).ID
		h.Move(1, 1, "draw")
		h.Sure(1, 1, chat.Press, h.Button(1, "!giveup"))
		h.Wall += 40 * bottest.OneDay
		ctx, stop := context.WithCancel(t.Context())
		var retains sync.WaitGroup
		retains.Go(func() { h.Bot.Retain(ctx) })
		time.Sleep(bottest.OneDay)
		stop()
		retains.Wait()
		if items, err := h.Store.Get(t.Context(), table.KeyEnded(id)); err != nil || items[0].Rev != 0 || broken >= 0 {
			t.Errorf("the table is still there, after %d: %v", broken, err)
		}
	})
}

// TestRetain: the first sweep comes soon after the start and takes its time, the next one when something may leave.
func TestRetain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := bottest.NewHall(t)
		var err error
		if h.Bot, err = bot.New(t.Context(), bot.Options{Store: h.Store, Games: games.All(), Keep: 30 * bottest.OneDay}); err != nil {
			t.Fatal(err)
		}
		h.GiveUpPatience(3, 2)
		time.Sleep(31 * bottest.OneDay)
		h.GiveUpPatience(3, 2)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { h.Bot.Retain(ctx); close(done) }()
		wait := func(d time.Duration, left int) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if n := count(t, h.Store, keyspace.OpenTables, keyspace.EndedTables); n != left {
				t.Errorf("after %v there are %d tables, want %d", d, n, left)
			}
		}
		wait(10*time.Minute-time.Second, 2)
		wait(time.Minute, 1)
		wait(29*bottest.OneDay, 1)
		wait(2*bottest.OneDay, 0)
		stop()
		<-done
	})
}

// clock is a time of day that goes on by itself, and is put forward besides.
func clock(wall *atomic.Int64) func() time.Time {
	began := time.Now()
	return func() time.Time {
		return time.Unix(1_800_000_000, 0).Add(time.Since(began) + time.Duration(wall.Load()))
	}
}

// retaining runs a bot's Retain in a bubble over a table that has ended, by a clock of its own, until the test returns how many are to be left.
func retaining(t *testing.T, test func(forward func(time.Duration)) (left int)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := bottest.NewKeeper(t)
		var wall atomic.Int64
		h.Clock = clock(&wall)
		h.PlayOne(1, 1, chat.Command, "/tecza deal=7")
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { h.Bot.Retain(ctx); close(done) }()
		synctest.Wait()
		left := test(func(d time.Duration) { wall.Add(int64(d)) })
		synctest.Wait()
		if n := count(t, h.Store, keyspace.EndedTables); n != left {
			t.Errorf("%d tables stay, not %d", n, left)
		}
		stop()
		<-done
	})
}

// TestRetainAhead: nothing leaves by a clock that has jumped ahead, and is put right soon.
func TestRetainAhead(t *testing.T) {
	retaining(t, func(forward func(time.Duration)) int {
		for _, jump := range []time.Duration{400 * bottest.OneDay, -400 * bottest.OneDay, 0} {
			forward(jump)
			time.Sleep(40 * time.Minute)
		}
		return 1
	})
}

// TestRetainAsleep: nothing stays for long where a machine sleeps, nor where one that has no clock is told the time of day when it runs.
func TestRetainAsleep(t *testing.T) {
	for _, test := range []struct{ awake, asleep time.Duration }{{16 * time.Hour, 8 * time.Hour}, {12 * time.Hour, 6 * bottest.OneDay}, {50*time.Minute + 7*time.Second, 2 * bottest.OneDay}} {
		retaining(t, func(forward func(time.Duration)) int {
			for range 100 * bottest.OneDay / (test.awake + test.asleep) {
				time.Sleep(test.awake)
				forward(test.asleep)
			}
			time.Sleep(test.awake)
			return 0
		})
	}
	retaining(t, func(forward func(time.Duration)) int {
		time.Sleep(time.Minute)
		forward(60 * bottest.OneDay)
		time.Sleep(2 * time.Hour)
		return 0
	})
}

// TestRetainDaily: what is too much leaves within a day, also where nothing is old for long.
func TestRetainDaily(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := bottest.NewKeeper(t)
		h.Clock = clock(new(atomic.Int64))
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { h.Keeper(h.Store, 5).Retain(ctx); close(done) }()
		time.Sleep(time.Hour)
		for range 12 {
			h.PlayOne(1, 1, chat.Command, "/tecza deal=7")
			time.Sleep(time.Second)
		}
		time.Sleep(bottest.OneDay)
		synctest.Wait()
		if n := count(t, h.Store, keyspace.EndedTables); n != 5 {
			t.Errorf("%d tables stay", n)
		}
		stop()
		<-done
	})
}

// TestRetainNothing: where all is kept for ever there is nothing to do.
func TestRetainNothing(t *testing.T) {
	h := bottest.NewHall(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	h.Bot.Retain(ctx)
	if swept, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil || swept != (upkeep.Swept{}) {
		t.Errorf("%+v, %v", swept, err)
	}
}

// roam lets six people press at random what they see, and type what has to do with chips and tables.
func roam(h *bottest.Hall, chance *rand.Rand, steps int) {
	h.T.Helper()
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
				h.Asked++
				shown := chat.Request{ID: fmt.Sprint("shown ", h.Asked), In: p.In, Kind: chat.Shown, Data: p.Receipt, On: chat.Ref(fmt.Sprint("m", h.Asked))}
				bottest.Seen(h.T.Context(), h.Bot, shown)
			}
		}
	}
	for range steps {
		user, channel := chance.Int64N(6)+1, chance.Int64N(3)+1
		if len(tokens) == 0 || chance.IntN(4) == 0 {
			see(h.Ask(channel, user, chat.Command, commands[chance.IntN(len(commands))]).Posts)
			continue
		}
		p := tokens[max(0, len(tokens)-1-chance.IntN(min(len(tokens), 20)))]
		row := p.Buttons[chance.IntN(len(p.Buttons))]
		see(h.Ask(p.In.Channel, user, chat.Press, row[chance.IntN(len(row))].Token).Posts)
		if chance.IntN(30) == 0 {
			h.Said = nil
			h.Pass(time.Minute)
			see(h.Said)
		}
	}
}

// TestRetentionStorm lets people do anything, days pass, and what is old leave in between. What players have never
// changes by that, and when everybody has been away for long nothing but that is left.
func TestRetentionStorm(t *testing.T) {
	for seed := range uint64(*rounds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := bottest.NewKeeper(t)
			chance := rand.New(rand.NewPCG(seed, 9))
			left := 0
			for range 15 {
				roam(h, chance, 60)
				h.Running += time.Duration(chance.Int64N(int64(10 * bottest.OneDay)))
				was := possessions(t, h.Store)
				swept, err := h.Keeper(h.Store, 0).Sweep(t.Context())
				if now := possessions(t, h.Store); err != nil || swept.Stayed > 0 || !maps.Equal(was, now) {
					t.Fatalf("%+v, %v: players have\n%v, and had\n%v", swept, err, now, was)
				}
				left += swept.Tables
				h.Audit()
				if chance.IntN(4) == 0 {
					h.Restart()
				}
			}
			for range 3 { // What sleeps ends, and then leaves.
				h.Running += 31 * bottest.OneDay
				h.Pass(30 * time.Minute)
			}
			if _, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.Running += 31 * bottest.OneDay
			if _, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if all := h.Audit(); all.Laid != 0 || left == 0 {
				t.Errorf("%d tables have left, %+v", left, all)
			}
			if n := count(t, h.Store, keyspace.OpenTables, keyspace.EndedTables, keyspace.Moves, "d/", "e/", "h/"); n > 0 {
				t.Errorf("%d items are left", n)
			}
			t.Logf("%d tables left between", left)
		})
	}
}

// TestManyChunks: the moves of a long game leave in several transactions, and what stands in its stead with the last.
func TestManyChunks(t *testing.T) {
	for _, chunks := range []int{0, 1, storage.MaxKeys - 2, storage.MaxKeys - 1, storage.MaxKeys, 250} {
		h := bottest.NewKeeper(t)
		overwrite(t, h.Store, "d/t-25/k7", fmt.Sprintf(`{"ledger":"t-25","home":"t-26/k7","chunks":%d}`, chunks))
		for n := range chunks {
			overwrite(t, h.Store, table.ChunkKey("t-26/k7", n), "0 flip;")
		}
		m := &stores.Mortal{Store: h.Store, Left: -1}
		m.Made = func() {
			if count(t, h.Store, keyspace.Moves) > 0 && count(t, h.Store, "d/") == 0 {
				t.Error("nothing says that there are moves to take away")
			}
		}
		_, err := h.Keeper(m, 0).Sweep(t.Context())
		if left := count(t, h.Store, keyspace.Moves, "d/"); err != nil || left > 0 {
			t.Errorf("of %d chunks: %d items are left, %v", chunks, left, err)
		}
	}
}

// TestMostEndedTables: where a community has too many tables that ended, those leave early that ended first; others keep
// theirs, and an audit finds nothing.
func TestMostEndedTables(t *testing.T) {
	h := bottest.NewKeeper(t)
	keeper := h.Keeper(h.Store, 5)
	var ids []table.ID
	for range 12 {
		ids = append(ids, h.PlayOne(1, 1, chat.Command, "/tecza deal=7"))
	}
	h.At = chat.Community{Platform: chat.Telegram, ID: -78}
	other := h.PlayOne(1, 1, chat.Command, "/tecza deal=7")
	swept, err := keeper.Sweep(t.Context())
	if err != nil || swept.Tables != 7 {
		t.Errorf("%+v, %v", swept, err)
	}
	for i, id := range append(ids, other) {
		if _, err := bottest.Shelf(h.Store).LookAt(t.Context(), id); errors.Is(err, table.ErrGone) != (i < 7) || err != nil && i >= 7 {
			t.Errorf("table %d is there: %v", i, err)
		}
	}
	h.Audit()
}

// TestMostPostings: where a community has too many postings at no table, those are carried forward early that were made first; others keep
// theirs, nobody's chips change, and an audit finds nothing.
func TestMostPostings(t *testing.T) {
	h := bottest.NewKeeper(t)
	for _, user := range []int64{1, 2} {
		h.Must(1, user, chat.Command, "/balance")
	}
	h.Sit(2, "100 limit=none", 1, 2)
	h.SettleHand(2, 20)
	atTable := count(t, h.Store, keyspace.Postings) - 2
	for n := range 12 {
		h.Sure(1, 1, chat.Command, fmt.Sprint("/give P2 ", n+1))
	}
	h.At = chat.Community{Platform: chat.Telegram, ID: -76} // It comes after the other.
	h.Must(1, 3, chat.Command, "/daily")
	was := possessions(t, h.Store)
	keeper := h.Keeper(h.Store, 0)
	keeper.MaxPostings = 5
	swept, err := keeper.Sweep(t.Context())
	if left := count(t, h.Store, keyspace.Postings); err != nil || swept.Postings != 9 || left != 5+2+atTable {
		t.Errorf("%+v, %v, and %d are left", swept, err, left)
	}
	if now := possessions(t, h.Store); !maps.Equal(was, now) {
		t.Errorf("players have\n%v, and had\n%v", now, was)
	}
	h.Audit()
}

// possessions are what players have: accounts, scores and the best.
func possessions(t *testing.T, s storage.Store) map[string]string {
	t.Helper()
	return stores.Contents(t, s, "a/", "s/", "b/")
}

// count is how many items have one of the prefixes.
func count(t *testing.T, s storage.Store, prefixes ...string) int {
	t.Helper()
	n := 0
	for _, prefix := range prefixes {
		n += len(stores.Items(t, s, prefix))
	}
	return n
}
