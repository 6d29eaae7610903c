package bot_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/account"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/engine/games"
	"zevaka/storage/bolt"
)

// BenchmarkForget has a person be forgotten who has 10,000 tables that ended, in a file on the disk, while others press 200 times a second; and tells
// how long that took, and of the presses the 99th of a hundred, before and meanwhile.
func BenchmarkForget(b *testing.B) {
	tables := 10_000
	if testing.Short() {
		tables = 500
	}
	file := filepath.Join(b.TempDir(), "z.db")
	var dealer *bot.Bot
	open := func(o bolt.Options) *bolt.Store {
		store, err := bolt.Open(file, o)
		if err == nil {
			dealer, err = bot.New(b.Context(), bot.Options{Store: store, Games: games.All()})
		}
		if err != nil {
			b.Fatal(err)
		}
		return store
	}
	store := open(bolt.Options{NoSync: true})
	asked := 0
	ask := func(user, channel int64, kind chat.Kind, line string) chat.Response {
		asked++
		in := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -1 - user}, Channel: channel}
		r := dealer.Handle(b.Context(), chat.Request{ID: fmt.Sprint(asked), Kind: kind, Data: line, Who: chat.User{ID: user, Name: fmt.Sprint("P", user), Lang: "en", Admin: true}, In: in})
		for i, p := range r.Posts {
			if p.Receipt != "" {
				dealer.Handle(b.Context(), chat.Request{ID: fmt.Sprint("shown ", asked, " ", i), Kind: chat.Shown, In: p.In, Data: p.Receipt, On: "1"})
			}
		}
		return r
	}
	for n := range tables {
		channel := int64(n%500 + 1)
		ask(2, channel, chat.Command, "/tecza")
		ask(2, channel, chat.Command, "/m draw")
		if sure := bottest.AnswerIn(ask(2, channel, chat.Command, "/giveup")); sure != "" {
			ask(2, channel, chat.Press, sure)
		}
	}
	if err := store.Close(); err != nil {
		b.Fatal(err)
	}
	store = open(bolt.Options{})
	defer store.Close()
	const apart = 5 * time.Millisecond
	langs := []string{"en", "ru"} // Each writes.
	presses := func(while func() bool) (took []time.Duration) {
		for len(took) < 200 || while() {
			begun := time.Now()
			ask(7, 1, chat.Command, "/lang "+langs[len(took)%len(langs)])
			took = append(took, time.Since(begun))
			time.Sleep(apart)
		}
		slices.Sort(took)
		return took
	}
	p99 := func(took []time.Duration) float64 { return took[len(took)*99/100].Seconds() * 1e3 }
	b.ResetTimer()
	for range b.N {
		b.ReportMetric(p99(presses(func() bool { return false })), "alone-p99-ms")
		done := make(chan error, 1)
		begun := time.Now()
		var took time.Duration
		var told account.Forgotten
		go func() {
			err := dealer.ForgetEverywhere(b.Context(), chat.Telegram, 2, true, func(f account.Forgotten) { told = f })
			took = time.Since(begun)
			done <- err
		}()
		meanwhile := presses(func() bool { return len(done) == 0 })
		if err := <-done; err != nil || told.Tables+told.Stopped < tables/2 {
			b.Fatalf("forgotten %+v: %v", told, err)
		}
		b.ReportMetric(p99(meanwhile), "meanwhile-p99-ms")
		b.ReportMetric(took.Seconds(), "forget-s")
		b.ReportMetric(float64(told.Tables), "tables")
	}
}
