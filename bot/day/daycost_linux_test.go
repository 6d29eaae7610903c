package day_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/keyspace"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/storagetest"
	"zevaka/storage/storagetest/stores"
)

// BenchmarkDayPosts makes the posts of 10,000 chats at one hour, each with what yesterday came to; then one patience of the day is ended in
// each, and all are summed up. It tells what both cost in processor time.
func BenchmarkDayPosts(b *testing.B) {
	const chats = 10_000
	h := &bottest.Hall{T: b, Store: stores.Bolt(b)}
	h.Restart()
	days := day.New(nil, games.All(), h.Bot.Words(), h.TimeOfDay)
	house := table.NewHouse(h.Store, games.All(), h.Bot.Words(), slog.New(slog.DiscardHandler), h.TimeOfDay)
	today, err := day.OpenToday(b.Context(), day.Options{House: house})
	if err != nil {
		b.Fatal(err)
	}
	now := days.Today()
	var keys []storage.Write
	for n := range chats {
		in := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: int64(-1000 - n)}, Channel: 1, Crowded: n%2 == 0}
		if err := today.SetPostHour(b.Context(), in, &day.Hour{At: 9 * 60}); err != nil {
			b.Fatal(err)
		}
		tally := fmt.Sprintf("%s%s/%06d/%s", keyspace.DayTallies, in.Community, now, days.Featured(now))
		keys = append(keys, storage.Write{Key: tally, Value: []byte(`{"n":37,"ok":21,"m":{"18":2,"19":4,"21":8,"24":4,"30":3},"t":{"14":3,"16":10,"18":8},"summed":{"n":0}}`)})
	}
	for some := range slices.Chunk(keys, storage.MaxKeys) {
		if _, err := h.Store.Commit(b.Context(), storage.Txn{Writes: some}); err != nil {
			b.Fatal(err)
		}
	}
	h.Restart()
	for range b.N {
		day := h.TimeOfDay().UTC()
		h.Wall += time.Date(day.Year(), day.Month(), day.Day()+1, 9, 0, 1, 0, time.UTC).Sub(day)
		made, spent := 0, storagetest.Spent()
		for made < chats {
			h.Running += 30 * time.Second
			h.Wall -= 30 * time.Second
			h.Bot.Ring(b.Context(), func(_ context.Context, r chat.Response) { made += len(r.Posts) })
		}
		b.ReportMetric((storagetest.Spent() - spent).Seconds(), "cpu-s/10000posts")
		spent = storagetest.Spent()
		for n := range chats {
			c := chat.Community{Platform: chat.Telegram, ID: int64(-1000 - n)}
			ended := &table.Table{ID: table.ID{Community: c, Name: "a"}, Chairs: []table.Chair{{User: 1}}}
			ended.Place, ended.Game, ended.Day, ended.Line = chat.Place{Community: c, Channel: 1}, days.Featured(days.Today()), days.Today(), 200
			ended.Result = &engine.Result{Patience: &engine.Patience{Solved: true}}
			err := storage.Update(b.Context(), h.Store, func(tx storage.Tx) error {
				_, err := days.Count(tx, ended)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		for more := true; more; {
			var err error
			if more, err = days.Sum(b.Context(), h.Store); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric((storagetest.Spent() - spent).Seconds(), "cpu-s/10000ends")
	}
}
