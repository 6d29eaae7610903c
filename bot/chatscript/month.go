package chatscript

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/play"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// Month has people of these names play six games of Зевака in a place in the month that is over, which the first of them wins, and is
// what there is to tell of it. It waits for minutes, so it is for a bubble of synctest.
func Month(t testing.TB, in chat.Place, lang string, names ...string) (posts []chat.Post) {
	t.Helper()
	store := mem.New()
	now := time.Now().UTC()
	ended := time.Date(now.Year(), now.Month()-1, 15, 0, 0, 0, 0, time.UTC).Unix()
	for i := range 6 {
		one := &table.Table{
			ID: table.ID{Community: in.Community, Name: fmt.Sprint("t", i)}, Format: table.Format, Phase: table.Ended,
			Agreed: table.Agreed{Place: in, Lang: lang, Game: "zevaka"},
			End:    table.End{Opened: ended, Dealt: ended, Ended: ended + int64(i), Result: &engine.Result{Places: []engine.Seat{0, 1}}},
		}
		for n, name := range names {
			one.Chairs = append(one.Chairs, table.Chair{User: int64(n + 1), Name: chat.CleanName(name)})
		}
		record := func(tx storage.Tx) error { return play.RecordResults(tx, one, games.All()[0].Info()) }
		if err := storage.Update(t.Context(), store, record); err != nil {
			t.Fatal(err)
		}
	}
	catalogue, err := words.Load()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	teller := play.Teller{Store: store, Words: catalogue, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	teller.Run(ctx, func(_ context.Context, r chat.Response) { posts = append(posts, r.Posts...) })
	return posts
}
