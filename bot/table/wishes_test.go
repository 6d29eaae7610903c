package table_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"zevaka/bot/chat"
	"zevaka/bot/table"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// TestNextCalled: of a hundred who want to be called in a place each is called as often as the others, and who may not be called now
// doesn't lose their place in the line.
func TestNextCalled(t *testing.T) {
	here := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -100}, Channel: -100, Thread: 7}
	there := here
	there.Thread = 8
	var line []table.Wish
	for user := range int64(100) {
		line = append(line, table.WishOf(chat.User{ID: user + 1}, here), table.WishOf(chat.User{ID: user + 1}, there))
	}
	times := map[int64]int{}
	for round := range 40 {
		users, then := table.NextCalled(line, here, 5, func(user int64) bool { return round > 0 || user != 2 })
		line = then
		var called []int64
		for _, u := range users {
			called = append(called, u.ID)
		}
		if want := map[int][]int64{0: {1, 3, 4, 5, 6}, 1: {2, 7, 8, 9, 10}}[round]; want != nil && !slices.Equal(called, want) {
			t.Errorf("in round %d %v are called, want %v", round, called, want)
		}
		for _, user := range called {
			times[user]++
		}
	}
	for user := range int64(100) {
		if times[user+1] != 2 {
			t.Errorf("%d was called %d times", user+1, times[user+1])
		}
	}
	called, line := table.NextCalled(line, there, 5, func(int64) bool { return false })
	if len(called) != 0 || len(line) != 200 {
		t.Errorf("%v are called who may not be, and %d stand in the line", called, len(line))
	}
}

// TestWishMoves: what is said of a group stays true when it gets another ID, and of no other place.
func TestWishMoves(t *testing.T) {
	group := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -5}, Channel: -5, Thread: 3}
	moved := group.MigratedTo(chat.Community{Platform: chat.Telegram, ID: -1005})
	topic := moved
	topic.Thread = 4
	all := []table.Wish{table.WishOf(chat.User{ID: 1, Name: "Ann"}, group)}
	if !table.Wishes(all, 1, group) || !table.Wishes(all, 1, moved) || table.Wishes(all, 1, topic) || table.Wishes(all, 2, group) {
		t.Errorf("%+v", all)
	}
}

// TestWishesAreBounded: who wants to be called in place after place ends nobody's wish but their own, and the longest ones fit into a value.
func TestWishesAreBounded(t *testing.T) {
	store := mem.New()
	var all []table.Wish
	for n := range int64(table.MaxWishes + 20) {
		w := table.Wish{User: math.MaxInt64, Name: chat.CleanName(strings.Repeat("<", 50)), Channel: math.MaxInt64 - n, Thread: math.MaxInt64}
		if n < 10 {
			w.User -= n + 1
		}
		all = append(all, w)
	}
	if err := storage.Update(t.Context(), store, func(tx storage.Tx) error { return table.PutWishes(tx, "d1", all) }); err != nil {
		t.Fatal(err)
	}
	left, err := storage.Read(t.Context(), store, func(from storage.Reader) ([]table.Wish, error) { return table.GetWishes(from, "d1") })
	if err != nil || len(left) != table.MaxWishes || left[9].User != math.MaxInt64-10 || left[len(left)-1].Channel != math.MaxInt64-table.MaxWishes-19 {
		t.Errorf("%d are left, %v", len(left), err)
	}
}
