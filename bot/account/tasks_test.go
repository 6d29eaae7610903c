package account

import (
	"log/slog"
	"testing"
	"time"

	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// TestTasksWaitOnce: asking again and again for what waits takes no room from others.
func TestTasksWaitOnce(t *testing.T) {
	b := &tasks{next: make(chan task, maxTasks), look: make(chan struct{}, 1), waiting: map[task]bool{}}
	for range 2 * maxTasks {
		b.postpone(task{origin: "t1"})
	}
	b.postpone(task{origin: "t1", user: 7})
	if n := len(b.next); n != 2 {
		t.Errorf("%d tasks wait", n)
	}
	b.begin(<-b.next)
	b.postpone(task{origin: "t1"})
	if n := len(b.next); n != 2 {
		t.Errorf("%d tasks wait after one was begun and asked for again", n)
	}
}

// TestTasksAreMany: whoever finds no room among those who wait is looked for later.
func TestTasksAreMany(t *testing.T) {
	b := &tasks{next: make(chan task, maxTasks), look: make(chan struct{}, 1), waiting: map[task]bool{}}
	for user := range int64(maxTasks) {
		b.postpone(task{origin: "t1", user: 1 + user})
	}
	if len(b.look) > 0 {
		t.Error("somebody is looked for who waits")
	}
	b.postpone(task{origin: "t1", user: maxTasks + 1})
	b.postpone(task{origin: "t1", user: maxTasks + 2})
	if len(b.look) == 0 {
		t.Error("nobody is looked for")
	}
}

// TestLeaveRatings: what an earlier program kept of people's communities is taken away, and nothing else.
func TestLeaveRatings(t *testing.T) {
	store := mem.New()
	put := func(tx storage.Tx) error {
		tx.Put(keyspace.Ratings+keyspace.Everywhere+"/t/7", []byte(`["t1","t2"]`))
		tx.Put(keyspace.Personal+"t1/7", []byte(`{"joined":true,"lang":"pl"}`))
		return nil
	}
	if err := storage.Update(t.Context(), store, put); err != nil {
		t.Fatal(err)
	}
	if err := leaveRatings(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	left, err := store.Scan(t.Context(), "", "", 10)
	if err != nil || len(left) != 1 || left[0].Key != keyspace.Personal+"t1/7" {
		t.Errorf("left are %+v, %v", left, err)
	}
}

// FuzzForgetting reads anything as what is stored of somebody who is being forgotten, and of a table that they sat at.
func FuzzForgetting(f *testing.F) {
	f.Add("t1/2h", []byte(`{"scores":true}`), []byte(`{"v":1,"phase":4,"chairs":[{"user":89,"name":"x"}]}`+"\n\x00"))
	f.Add("", []byte(`1`), []byte(`{"user":89,"v":1}`))
	catalogue, err := words.Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, key string, mark, t1 []byte) {
		s, err := stores.Holding(t, map[string][]byte{keyspace.Forgetting + key: mark, keyspace.EndedTables + "t1/a": t1})
		if err != nil {
			return
		}
		found := table.NewIndex(s, slog.New(slog.DiscardHandler))
		e := &eraser{House: table.NewHouse(s, games.All(), catalogue, slog.New(slog.DiscardHandler), time.Now), Index: found}
		_ = e.resume(t.Context())
	})
}
